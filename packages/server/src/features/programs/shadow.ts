import type { AnswerComparison } from '../../agent/compare-answers.ts'
import { fieldHolding } from '../../agent/programs/separate-fields.ts'

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

/** The share of the next runs to shadow. */
export function shareNow(runs: number, settings: ShadowSettings): number {
  if (settings.share === 0) return 0
  return runs < probationRuns ? 1 : settings.share
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
