import { isJsonObject, type Json, pointerStep } from '@skillrun/core/json.ts'
import type { EvidenceMap } from '@skillrun/reader/evidence/evidence.ts'
import { fieldHolding } from '../../agent/programs/separate-fields.ts'
import type { Typical } from './drift/typical.ts'
import { leavesOf } from './evidence.ts'
import { type Familiar, noveltyOf } from './novelty.ts'

/** The checks of a program's runs, learned from the cases that proved it. */
export interface Guard {
  /** The version of the reader in these cases; absent in older programs. */
  readonly reader?: string
  readonly familiar: Familiar
  /** Fields, `*` for every index of a list, whose values occurred in the inputs in every case. */
  readonly grounded: readonly string[]
  /** Fields and lists that had a value in every case; absent in older programs. */
  readonly given?: readonly string[]
  /** Fields that were too often wrong or missing in the cases: an agent answers them. Absent: none. */
  readonly left?: readonly string[]
  /** The engines whose unreviewed answers were among the cases, null for an unknown one; absent: none. */
  readonly taughtBy?: readonly (string | null)[]
  /** The structure of the documents and the roles of the values; absent for too few cases, and where the program looks at no lines. */
  readonly typical?: Typical
}

/** The name that older programs gave a field: they took a property whose name is a number for an index of a list. */
const olderName = (field: string): string => field.replaceAll(/\/\d+(?=\/|$)/g, '/*')

/** The fields of an answer that have values, and whether all of them were supported. */
export function groundingOf(answer: Json, evidence: EvidenceMap): ReadonlyMap<string, boolean> {
  const always = new Map<string, boolean>()
  for (const { pointer, field, value } of leavesOf(answer)) {
    if (value === null) continue
    always.set(field, (always.get(field) ?? true) && isSupported(evidence, pointer))
  }
  return always
}

/** The fields whose values were always supported in these answers. */
export function groundedFields(groundings: readonly (readonly (readonly [string, boolean])[])[]): string[] {
  const all = groundings.flat()
  const unsupported = new Set(all.filter(([, isSupported]) => !isSupported).map(([field]) => field))
  return [...new Set(all.map(([field]) => field))].filter((field) => !unsupported.has(field))
}

const isSupported = (evidence: EvidenceMap, pointer: string): boolean =>
  evidence[pointer] !== undefined && evidence[pointer].status !== 'unsupported'

/** The fields that all these answers have, see `givenIn`. A field that an answer left to an agent counts as given. */
export function givenFields(
  answers: readonly { readonly given: readonly string[]; readonly left: readonly string[] }[],
): string[] {
  const fields = new Set(answers.flatMap(({ given }) => given))
  return [...fields].filter((field) =>
    answers.every(({ given, left }) => given.includes(field) || fieldHolding(left, field) !== undefined),
  )
}

/** The fields of an answer that have a value, lists that have items; under a list, those that every item has. */
export function givenIn(answer: Json): ReadonlySet<string> {
  const [given, missing] = [new Set<string>(), new Set<string>()]
  const visit = (value: Json, field: string): void => {
    const items = Array.isArray(value) ? value : undefined
    if (value === null || value === '' || items?.length === 0) missing.add(field)
    else if (items) for (const item of items) visit(item as Json, `${field}/*`)
    else if (isJsonObject(value))
      for (const [name, member] of Object.entries(value)) visit(member, field + pointerStep(name))
    if (items?.length || (value !== '' && typeof value !== 'object')) given.add(field)
  }
  visit(answer, '')
  return new Set([...given].filter((field) => !missing.has(field)))
}

/** Unsupported values that a doubt names. */
const namedMax = 5

/** Why a run, or some fields of its answer, fall back to an agent. */
export interface Objection {
  /** Part of a sentence. */
  readonly because: string
  /** Patterns of the fields in doubt, `*` for every index of a list; null: the whole answer. */
  readonly fields: readonly string[] | null
  /** Words that are new in a document of a known kind, if that is why. */
  readonly newWords?: readonly string[]
}

/** The guard's objection to an answer; undefined if it accepts it. */
export function doubtOf(
  guard: Guard,
  /** `words`: of the documents; null if they have no lines. `accepted`: see `noveltyOf`. `left`: fields that the answer leaves to an agent. */
  run: {
    readonly words: ReadonlySet<string> | null
    readonly accepted?: readonly string[]
    readonly answer: Json
    readonly evidence: EvidenceMap
    readonly left?: readonly string[]
  },
): Objection | undefined {
  const newWords = run.words === null ? undefined : noveltyOf(run.words, guard.familiar, run.accepted)
  if (newWords)
    return { because: 'the document differs from those that the program was tested on', fields: null, newWords }
  const grounded = new Set(guard.grounded)
  const isGrounded = (field: string): boolean => grounded.has(field) || grounded.has(olderName(field))
  const low = leavesOf(run.answer).filter(
    ({ pointer, field, value }) => value !== null && isGrounded(field) && !isSupported(run.evidence, pointer),
  )
  const named = low.slice(0, namedMax).map(({ pointer }) => pointer)
  const more = low.length > namedMax ? ` and ${low.length - namedMax} more` : ''
  const now = givenIn(run.answer)
  const gone = (guard.given ?? []).filter(
    (field) => !now.has(field) && fieldHolding(run.left ?? [], field) === undefined,
  )
  const reasons = [
    ...(low.length > 0 ? [`nothing in the inputs supports ${named.join(', ')}${more}`] : []),
    ...(gone.length > 0
      ? [
          `it found nothing for ${gone.map((field) => field || 'its answer').join(', ')}, which has had a value in every known case`,
        ]
      : []),
  ]
  if (reasons.length === 0) return undefined
  const fields = new Set([...low.map(({ field }) => field), ...gone])
  return { because: reasons.join(', and '), fields: [...fields] }
}
