import type { Tool } from '../../agent/tool.ts'
import { tools } from '../../tools/tools.ts'
import { toolsOfSets } from '../executions/executions.ts'
import type { NamedReading } from './reading/read-inputs.ts'

/** What a result that was taken out is read again with: there in every run that has tools. */
const recallName = 'core.recall'

/**
 * These tools in the order of their names, so that requests begin alike. For null those that the inputs call for: of documents
 * always, of pictures, film and sound where there are some. More would be read by the model at every turn, and paid for.
 */
export function toolsNamed(
  names: readonly string[] | null,
  from: { readonly readings: readonly NamedReading[]; readonly extra?: readonly Tool[] | undefined },
): readonly Tool[] {
  if (names?.length === 0) return []
  const { readings, extra = [] } = from
  // What the operator added is there for every run that does not choose.
  const wanted = names ?? [
    ...toolsOfSets(setsFor(readings.map(({ reading }) => reading.mediaType))),
    ...extra.map(({ name }) => name),
  ]
  return [...tools, ...extra]
    .filter(({ isThere }) => names !== null || (isThere?.() ?? true))
    .filter((tool) => wanted.includes(tool.name) || tool.name === recallName)
    .toSorted((left, right) => (left.name < right.name ? -1 : 1))
}

function setsFor(mediaTypes: readonly string[]): readonly string[] {
  const has = (kind: string): boolean => mediaTypes.some((type) => type === kind || type.startsWith(`${kind}/`))
  return [
    ...['core', 'document'],
    ...(has('image') || has('video') ? ['image'] : []),
    ...(has('video') ? ['video', 'audio'] : has('audio') ? ['audio'] : []),
  ]
}
