import type { AnswerComparison } from '../../agent/compare-answers.ts'
import { fieldHolding } from '../../agent/programs/separate-fields.ts'
import { capitalAgainstAtMost } from '../../core/confidence-sequence.ts'

/** The operator's settings. */
export interface ShadowSettings {
  /** Share of the runs of a proven program that also run as an agent. */
  readonly share: number
  /** A program is demoted when more than this share of its answers is wrong. */
  readonly wrongRateMax: number
}

export const shadowDefaults: ShadowSettings = { share: 0.1, wrongRateMax: 0.05 }

/** A new program is shadowed from its first run on. */
const probationRuns = 5
/** After a disagreement answers are withheld until so many in a row agree. */
const doubtChecks = 3
/** Outcomes kept: a changed format shows in the latest. */
export const recentMax = 20
/**
 * The capital to win against "at most the allowed share is wrong" before a program is demoted. A program that is wrong in exactly the
 * allowed share is demoted after this many checked answers on average, or later (see `mustGo`).
 */
const capitalToDemote = 100

/** The latest shadows of a program, oldest first: whether the agent disagreed. */
export type Recent = readonly boolean[]

export const withOutcome = (recent: Recent, disagreed: boolean): Recent => [...recent, disagreed].slice(-recentMax)

/** The share of the next runs to shadow. */
export function shareNow(runs: number, settings: ShadowSettings): number {
  if (settings.share === 0) return 0
  return runs < probationRuns ? 1 : settings.share
}

/** Whether a program is in doubt: it still answers, but the agent's answer is given, and checks the program's. */
export const isInDoubt = (recent: Recent): boolean => recent.slice(-doubtChecks).includes(true)

/**
 * Whether a program must be demoted: for some m, the latest m shadows won enough capital against the allowed rate. At 5 % two disagreements
 * in a row are enough.
 *
 * A bet opens before every shadow, since a program may go wrong at any time. While the error rate is at most the allowed one, the expected
 * sum of all bets does not exceed the number of shadows, so the expected time to a false alarm is at least `capitalToDemote` shadows.
 * Source: J. Shin, A. Ramdas, A. Rinaldo, "E-detectors: a nonparametric framework for sequential change detection", New England Journal of
 * Statistics in Data Science 2 (2024), 229-260.
 */
export function mustGo(recent: Recent, { wrongRateMax }: ShadowSettings): boolean {
  let wrong = 0
  for (let m = 1; m <= recent.length; m += 1) {
    if (recent[recent.length - m]) wrong += 1
    if (capitalAgainstAtMost({ k: wrong, n: m }, wrongRateMax, capitalToDemote) >= capitalToDemote) return true
  }
  return false
}

/**
 * The wrong fields of a program's answer, compared with another answer, without those that it left to an agent. An agent that found nothing
 * says nothing against a value of the program. A person's answer is complete: a field that it leaves out or sets to null has no value.
 */
export const wrongFields = (
  { fields }: AnswerComparison,
  by: 'agent' | 'person',
  left: readonly string[] = [],
): string[] =>
  fields
    .filter(({ agrees, expected }) => !agrees && (by === 'person' || expected !== null))
    .map(({ pointer }) => pointer.replace(/^\+/, ''))
    .filter((pointer) => fieldHolding(left, pointer) === undefined)
