import type { Tool } from '../../agent/tool.ts'
import { tools } from '../../tools/tools.ts'
import { toolsOfSets } from '../executions/executions.ts'
import type { ParsedInput } from './reading/read-inputs.ts'

/** The tool that reads truncated results again, for every run that has tools. */
const recallName = 'core.recall'

/**
 * Sorts these tools by name, so that requests share a prefix. Null selects those that suit the inputs: for documents always, for images,
 * audio and video if there are any. The model would read, and the caller pay for, more at every turn.
 */
export function toolsNamed(
  names: readonly string[] | null,
  from: { readonly parsedInputs: readonly ParsedInput[]; readonly extra?: readonly Tool[] | undefined },
): readonly Tool[] {
  if (names?.length === 0) return []
  const { parsedInputs, extra = [] } = from
  // The operator's tools are available to every run that does not choose.
  const wanted = names ?? [
    ...toolsOfSets(setsFor(parsedInputs.map(({ document }) => document.mediaType))),
    ...extra.map(({ name }) => name),
  ]
  return [...tools, ...extra]
    .filter(({ isAvailable }) => names !== null || (isAvailable?.() ?? true))
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
