import type { CellWords } from './csv.ts'
import { linesOf, startsObject } from './is-json.ts'
import { requireJson } from './json.ts'
import { tableOfObjects } from './json-table.ts'

/**
 * The rows of a table below its header: an object each, with a column for each name. Undefined when it is no table: some values are no
 * objects, or have too many names or levels. Throws `unreadable_document` when a line is not JSON.
 */
export function tableOfJsonLines(text: string): CellWords[][] | undefined {
  const lines = linesOf(text)
  for (const line of lines) requireJson(line.text, line.number)
  return lines.every(startsObject) ? tableOfObjects(lines) : undefined
}
