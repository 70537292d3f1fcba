import type { Json } from '@skillrun/core/json.ts'
import { agreementOf, countAgreed, type FieldComparison, fieldOf } from '../../agent/compare-answers.ts'
import { boundsOfMean } from '../../core/confidence-sequence.ts'
import { dollarsOf } from '../../core/money.ts'

/** The arms: the version with the skill's bundle, the same request without the skill, and the previous version. */
export const arms = ['with', 'without', 'before'] as const
export type Arm = (typeof arms)[number]

/** One run, compared with the answer of its case. */
export interface JudgedRun {
  readonly arm: Arm
  readonly executionId: string | null
  readonly status: 'completed' | 'failed'
  /** The code of its failure. */
  readonly error: string | null
  readonly fields: readonly FieldComparison[]
  readonly costMicros: number
  readonly durationMs: number | null
}

export interface JudgedCase {
  readonly id: string
  readonly runs: readonly JudgedRun[]
  /** Whether an earlier case asks the same of equal inputs: it does not count for a lift. */
  readonly isCopy?: boolean
}

/** Most disagreements per run in a report: the execution has the rest. */
const disagreementsMax = 50
/** Most fields in a report. */
const fieldsMax = 1_000

/** Longer values are shortened. */
const shownCharactersMax = 300

/** The report of an evaluation: by arm, by field and by case. Rows of lists are grouped: a star replaces their index. */
export function reportOf(cases: readonly JudgedCase[]) {
  const runs = cases.flatMap((one) => one.runs)
  const present = arms.filter((arm) => runs.some((run) => run.arm === arm))
  const byField = Map.groupBy(
    runs.flatMap((run) => run.fields.map((field) => ({ arm: run.arm, agrees: field.agrees, at: fieldOf(field) }))),
    ({ at }) => at,
  )
  return {
    cases: cases.length,
    arms: Object.fromEntries(present.map((arm) => [arm, armOf(runs.filter((run) => run.arm === arm))])),
    lift: Object.fromEntries(
      present.flatMap((arm) => {
        const lift = arm === 'with' ? undefined : liftOver(arm, cases)
        return lift ? [[arm, lift]] : []
      }),
    ),
    fields: [...byField].slice(0, fieldsMax).map(([field, seen]) => ({
      field,
      ...Object.fromEntries(
        present.flatMap((arm) => {
          const own = seen.filter((one) => one.arm === arm)
          return own.length === 0
            ? []
            : [[arm, { fields: own.length, agreed: own.filter(({ agrees }) => agrees).length }]]
        }),
      ),
    })),
    results: cases.map((one) => ({
      case_id: one.id,
      runs: Object.fromEntries(one.runs.map((run) => [run.arm, resultOf(run)])),
    })),
  }
}

function armOf(runs: readonly JudgedRun[]) {
  const fields = runs.flatMap((run) => run.fields)
  const times = runs.flatMap((run) => run.durationMs ?? []).toSorted((left, right) => left - right)
  return {
    completed: runs.filter((run) => run.status === 'completed').length,
    failed: runs.filter((run) => run.status === 'failed').length,
    fields: fields.length,
    agreed: countAgreed(fields),
    agreement: agreementOf(fields),
    cost_dollars: dollarsOf(runs.reduce((sum, run) => sum + run.costMicros, 0)),
    median_ms: times[Math.floor(times.length / 2)] ?? null,
  }
}

/** The confidence of the interval of a lift: each end may be wrong in half of the rest. */
export const liftConfidence = 0.95

/** The mean lift in agreement over the other arm, over the cases that both have, each once. */
function liftOver(arm: Arm, cases: readonly JudgedCase[]) {
  const differences = cases.flatMap(({ runs, isCopy }) => {
    if (isCopy) return []
    const [own, other] = [runs.find((run) => run.arm === 'with'), runs.find((run) => run.arm === arm)]
    return own && other ? [agreementOf(own.fields) - agreementOf(other.fields)] : []
  })
  return differences.length === 0 ? undefined : liftOf(differences, (1 + liftConfidence) / 2)
}

/**
 * The mean of paired differences in agreement, each from -1 to 1, with bounds that stay valid under repeated looks: cases may be added and
 * the result read at any time (see `boundsOfMean`). Each bound holds with this confidence.
 */
export function liftOf(differences: readonly number[], confidence: number) {
  const { lower, upper } = boundsOfMean(
    differences.map((one) => (one + 1) / 2),
    confidence,
  )
  const mean = differences.reduce((sum, one) => sum + one, 0) / Math.max(differences.length, 1)
  return { cases: differences.length, mean, lower: 2 * lower - 1, upper: 2 * upper - 1 }
}

const resultOf = (run: JudgedRun) => ({
  execution_id: run.executionId,
  status: run.status,
  error: run.error,
  fields: run.fields.length,
  agreed: countAgreed(run.fields),
  agreement: agreementOf(run.fields),
  disagreements: run.fields
    .filter(({ agrees }) => !agrees)
    .slice(0, disagreementsMax)
    .map(({ pointer, expected, actual }) => ({ pointer, expected: shown(expected), actual: shown(actual) })),
})

/** Whether a run with this code of its failure says nothing about its version. */
export const isOutside = (error: string | null): boolean =>
  /^(provider_.*|poison|cancelled|paused|deleted)$/.test(error ?? '')

/** The answer of a failed run: nothing, which never agrees, not even where nothing was correct. */
export const disagreeing = (fields: readonly FieldComparison[]): readonly FieldComparison[] =>
  fields.length === 0
    ? [{ pointer: '', field: '', expected: {}, actual: null, agrees: false }]
    : fields.map((field) => ({ ...field, agrees: false }))

const shown = (value: Json): Json =>
  typeof value === 'string' && value.length > shownCharactersMax ? `${value.slice(0, shownCharactersMax)}…` : value
