import type { EvidenceMap } from '../../agent/evidence.ts'
import type { DocumentLine } from '../../agent/programs/candidates.ts'
import type { Json } from '../../kit/json.ts'
import { leavesOf } from './evidence.ts'
import { type Familiar, isNovel, plainWords } from './novelty.ts'

/** What a program's runs are held against, learned from the cases that it was proved on. */
export interface Guard {
  readonly familiar: Familiar
  /** Fields, `*` for every place of a list, whose values stood in the inputs in every case. */
  readonly grounded: readonly string[]
}

/** The field of a leaf: the places of a list are one field. */
const fieldOf = (pointer: string): string => pointer.replace(/\/\d+(?=\/|$)/g, '/*')

/** The words of the lines of an execution's documents. */
export const wordsOfLines = (lines: readonly DocumentLine[]): Set<string> =>
  plainWords(lines.map(({ cells }) => cells.map(({ text }) => text).join(' ')).join('\n'))

/** The fields whose values were supported wherever there were some, in all of these answers. */
export function groundedFields(
  answers: readonly { readonly answer: Json; readonly evidence: EvidenceMap }[],
): string[] {
  const always = new Map<string, boolean>()
  for (const { answer, evidence } of answers)
    for (const { pointer, value } of leavesOf(answer)) {
      if (value === null) continue
      const field = fieldOf(pointer)
      always.set(field, (always.get(field) ?? true) && isSupported(evidence, pointer))
    }
  return [...always].filter(([, isAlways]) => isAlways).map(([field]) => field)
}

const isSupported = (evidence: EvidenceMap, pointer: string): boolean =>
  evidence[pointer] !== undefined && evidence[pointer].status !== 'unsupported'

/** Why a run is left to an agent, as part of a sentence; undefined when nothing speaks against its answer. */
export function doubtOf(
  guard: Guard,
  run: { readonly lines: readonly DocumentLine[]; readonly answer: Json; readonly evidence: EvidenceMap },
): string | undefined {
  if (run.lines.length > 0 && isNovel(wordsOfLines(run.lines), guard.familiar))
    return 'the document is of a kind that it was not proved on'
  const grounded = new Set(guard.grounded)
  const low = leavesOf(run.answer).filter(
    ({ pointer, value }) => value !== null && grounded.has(fieldOf(pointer)) && !isSupported(run.evidence, pointer),
  )
  return low.length === 0 ? undefined : `nothing in the inputs supports ${low.map(({ pointer }) => pointer).join(', ')}`
}
