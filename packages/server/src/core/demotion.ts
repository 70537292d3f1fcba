import { capitalAgainstAtMost } from './confidence-sequence.ts'

/** After a wrong answer, answers are withheld until this many in a row are right. */
const doubtChecks = 3
/** Outcomes kept: a change shows in the latest. */
export const recentMax = 20
/**
 * The capital to win against "at most the allowed share is wrong" before a demotion. A program that is wrong in exactly the allowed share
 * is demoted after this many checked answers on average, or later (see `exceedsWrongRate`).
 */
const capitalToDemote = 100

/** The latest checked answers, oldest first: whether each was wrong. */
export type Recent = readonly boolean[]

export const withOutcome = (recent: Recent, isWrong: boolean): Recent => [...recent, isWrong].slice(-recentMax)

/** Whether answers are in doubt: they are withheld, and checked by another's. */
export const isInDoubt = (recent: Recent, checks = doubtChecks): boolean => recent.slice(-checks).includes(true)

/**
 * Whether a program, or a kind of answers, must be demoted: for some m, the latest m checks won enough capital against the allowed rate. At
 * 5 % two wrong answers in a row are enough.
 *
 * A bet opens before every check, since answers may go wrong at any time. While the error rate is at most the allowed one, the expected
 * sum of all bets does not exceed the number of checks, so the expected time to a false alarm is at least `capitalToDemote` checks.
 * Source: J. Shin, A. Ramdas, A. Rinaldo, "E-detectors: a nonparametric framework for sequential change detection", New England Journal of
 * Statistics in Data Science 2 (2024), 229-260.
 */
export function exceedsWrongRate(recent: Recent, wrongRateMax: number): boolean {
  let wrong = 0
  for (let m = 1; m <= recent.length; m += 1) {
    if (recent[recent.length - m]) wrong += 1
    if (capitalAgainstAtMost({ k: wrong, n: m }, wrongRateMax, capitalToDemote) >= capitalToDemote) return true
  }
  return false
}
