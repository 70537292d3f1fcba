import type { AnswerComparison } from '../../agent/compare-answers.ts'
import { lowerBound } from './bound.ts'

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
/** How sure a demotion is: the look is taken again after every shadow, so it is surer than one bound of 95 % would be. */
const demotionConfidence = 0.995

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
 * Whether a program must go: of its latest `m` shadows, for some m, so many disagreed that the lower bound on their rate
 * (exact binomial, 99.5 %, see `lowerBound`) has passed what is allowed. Two in a row are enough at 5 %.
 */
export function mustGo(recent: Recent, { wrongRateMax }: ShadowSettings): boolean {
  let wrong = 0
  for (let m = 1; m <= recent.length; m += 1) {
    if (recent[recent.length - m]) wrong += 1
    if (lowerBound({ k: wrong, n: m }, demotionConfidence) > wrongRateMax) return true
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
