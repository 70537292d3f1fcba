import type { AnswerComparison } from '../../agent/compare-answers.ts'
import { capitalAgainstAtMost } from '../../core/confidence-sequence.ts'

/** What an operator sets. */
export interface ShadowSettings {
  /** Of the runs of a program that has proved itself, this share is run as an agent too. */
  readonly share: number
  /** A program is demoted when more than this share of its answers is wrong. */
  readonly wrongRateMax: number
}

export const shadowDefaults: ShadowSettings = { share: 0.1, wrongRateMax: 0.05 }

/** A new program is looked at from its first run on. */
const probationRuns = 5
/** After a disagreement every run is looked at until so many in a row agree. */
const doubtShadows = 3
/** Outcomes that are kept: a format that changed shows in the latest. */
export const recentMax = 20
/**
 * The capital that must be won against "at most the allowed share is wrong" before a program is withdrawn. A program that is wrong in just
 * the allowed share is withdrawn after this many checked answers on average, or later (see `mustGo`).
 */
const capitalToDemote = 100

/** The latest shadows of a program, oldest first: whether the agent disagreed. */
export type Recent = readonly boolean[]

export const withOutcome = (recent: Recent, disagreed: boolean): Recent => [...recent, disagreed].slice(-recentMax)

/** The share of the next runs that are shadowed. */
export function shareNow(
  program: { readonly runs: number; readonly recent: Recent },
  settings: ShadowSettings,
): number {
  if (settings.share === 0) return 0
  if (program.runs < probationRuns) return 1
  return program.recent.slice(-doubtShadows).includes(true) ? 1 : settings.share
}

/**
 * Whether a program must go: for some m, the latest m shadows won enough capital against the allowed rate. At 5 % two disagreements in a
 * row are enough.
 *
 * A bet is opened before every shadow, since a program may turn wrong at any time. While the rate is the allowed one at most, the sum of
 * all bets exceeds the number of shadows by nothing on average, so the time to a false alarm is `capitalToDemote` shadows on average, or more.
 * Source: J. Shin, A. Ramdas, A. Rinaldo, "E-detectors: a nonparametric framework for sequential change detection", New England
 * Journal of Statistics in Data Science 2 (2024), 229-260.
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
 * The fields in which a program's answer is wrong, by an answer that is held against it. An agent that found nothing says nothing against
 * a value of the program. A person's answer is complete: a field that it leaves out or sets to null has no value.
 */
export const wrongFields = ({ fields }: AnswerComparison, by: 'agent' | 'person'): string[] =>
  fields
    .filter(({ agrees, expected }) => !agrees && (by === 'person' || expected !== null))
    .map(({ pointer }) => pointer.replace(/^\+/, ''))
