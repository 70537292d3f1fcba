import type { Json } from '@skillrun/core/json.ts'
import { lineText, type PageLayout } from '../layout/layout.ts'
import { inTable, type Sheet } from '../layout/sheet.ts'
import { squeeze, trimMarks } from '../layout/text.ts'
import { columnsOf, plainTables } from '../tables/plain-tables.ts'

/** The maximum number of text characters in the answer. */
const textCharactersMax = 200_000
const factsMax = 200
const labelCharactersMax = 48

const pageText = (page: PageLayout): string => page.lines.map(lineText).join('\n')

/** Label–value pairs that the pages print with a colon or side by side. */
function factsOf(sheet: Sheet): Record<string, string> {
  const facts: Record<string, string> = {}
  let count = 0
  const add = (label: string, value: string): void => {
    const key = squeeze(trimMarks(label))
    const text = squeeze(trimMarks(value))
    if (
      key === '' ||
      text === '' ||
      key.length > labelCharactersMax ||
      !/\p{L}/u.test(key) ||
      Object.hasOwn(facts, key) ||
      count >= factsMax
    )
      return
    facts[key] = text
    count++
  }
  for (const page of sheet.pages) {
    for (const line of page.lines) {
      for (const [index, cell] of line.cells.entries()) {
        if (inTable(sheet, cell)) continue
        const colon = /^([^:]{2,48}):\s+(\S.*)$/u.exec(cell.text)
        const next = line.cells[index + 1]
        const hit = (sheet.labels.get(cell) ?? []).find((entry) => entry.startsCell && entry.coverage >= 0.75)
        if (colon !== null) add(colon[1] ?? '', colon[2] ?? '')
        else if (next !== undefined && (/:$/.test(cell.text) || hit?.isWhole === true) && !/:$/.test(next.text))
          add(cell.text, next.text)
        else if (hit !== undefined && !hit.isWhole && /\d/.test(hit.rest.text))
          add(cell.text.slice(0, hit.end), hit.rest.text)
      }
    }
  }
  return facts
}

/** The answer without a schema: text, tables, and label–value pairs. */
export function describeSheet(sheet: Sheet): Json {
  const text = sheet.pages.map(pageText).join('\n\n').slice(0, textCharactersMax)
  const headed = sheet.tables.map((table) => ({
    page: table.page,
    columns: table.columns.map((column) => column.heading.text),
    rows: table.rows.map((row) => row.cells.map((cell) => (cell === null ? null : squeeze(cell.text)))),
  }))
  const taken = new Set(sheet.tables.flatMap(({ lines }) => lines))
  const others = plainTables(sheet.pages)
    .filter(({ lines }) => !lines.some((line) => taken.has(line)))
    .map((table) => ({
      page: table.page,
      columns: columnsOf(table).map((cell) => cell?.text ?? ''),
      rows: table.rows.map((row) => row.map((cell) => cell?.text ?? null)),
    }))
  const tables = [...headed, ...others].map((table) => ({ ...table, page: table.page.page.index }))
  return { text, tables, facts: factsOf(sheet) }
}
