import type { JsonSchema } from '@skillrun/core/json.ts'
import { wrongRates } from '@skillrun/reader/score/risk.ts'
import { drawn } from '../../core/drawn.ts'
import { hashOf } from '../../core/json-hash.ts'
import type { Ladder } from '../models/models.ts'
import {
  areRulesSure,
  checkShare,
  isAnyProven,
  isDropped,
  isModelSure,
  type JudgedAnswer,
  type Standings,
  type Support,
  supports,
} from './standing.ts'
import type { StoredPath } from './store.ts'

export { judgedByPerson, type LowerAnswer, type Support } from './standing.ts'
export { addJudged, findPath, type StoredPath } from './store.ts'

/** What an execution asks, and the models that may answer it. */
export interface PathRequest {
  readonly prompt: string
  readonly schema: JsonSchema | null
  readonly skills: readonly { readonly sha256: string }[]
  readonly maxWrongRate: number
  readonly small: string | null
  readonly large: string
}

/** The path of a request with these models, and its key. */
export function requestedPath(
  request: Omit<PathRequest, 'small' | 'large' | 'maxWrongRate' | 'skills'> & {
    readonly skills?: PathRequest['skills']
    readonly maxWrongRate?: number | null
  },
  { small, large }: Ladder,
): PathRequest & { readonly key: string } {
  const { prompt, schema, skills = [], maxWrongRate } = request
  const names = { small: small?.name ?? null, large: large.name }
  const asked = { prompt, schema, skills, maxWrongRate: maxWrongRate ?? wrongRates.default, ...names }
  return { ...asked, key: pathKey(asked) }
}

/** The key of a path: judged answers say something of the same question to the same models. */
const pathKey = ({ prompt, schema, skills, maxWrongRate, small, large }: PathRequest): string =>
  hashOf([skills.map(({ sha256 }) => sha256), prompt.trim(), schema, maxWrongRate, small, large])

/** What the rungs of an execution may answer, as its transcript keeps it. */
export interface Plan {
  readonly key: string
  readonly maxWrongRate: number
  readonly small: string | null
  readonly large: string
  /** Whether the large model answers all fields, to judge the others. */
  readonly isChecked: boolean
  /** Whether the small model may be asked; absent in older plans: it may. One that mostly fails is asked in checks only. */
  readonly asksSmall?: boolean | undefined
  /** The fields whose sure values of the rules are given. */
  readonly rules: readonly string[]
  /** The supports with which a value of the small model is given, by field; empty: it may not answer any field. */
  readonly model: Readonly<Record<string, readonly Support[]>>
}

/** The plan of an execution. `share`: the operator's share of checks; 0 if nothing may be learned from the execution. */
export function planOf(
  request: PathRequest & { readonly key: string },
  { standings, checks }: StoredPath,
  of: { executionId: string; fields: readonly string[]; share: number },
): Plan {
  const { key, maxWrongRate, small, large } = request
  const { fields, share } = of
  const isChecked = drawn(of.executionId) < checkShare(checks, share)
  return {
    ...{ key, maxWrongRate, small, large, isChecked },
    asksSmall: isChecked || !isDropped(standings),
    rules: fields.filter((field) => areRulesSure(standings, field)),
    model: isAnyProven(standings, fields) ? provenIn(standings, fields) : {},
  }
}

const provenIn = (standings: Standings, fields: readonly string[]): Plan['model'] =>
  Object.fromEntries(
    fields.map((field) => [field, supports.filter((support) => isModelSure(standings, field, support))]),
  )

/** What a run teaches its path. */
export interface PathLesson {
  readonly plan: Plan
  /** The fields of the schema. */
  readonly fields: number
  /** Answers of lower rungs that the large model's were compared with. */
  readonly judged: readonly JudgedAnswer[]
  /** Whether the small model gave no valid answer; null: it was not asked, or a limit of the request or of its key stopped it. */
  readonly hasFailed: boolean | null
}
