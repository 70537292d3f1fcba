import type { Json } from '@skillrun/core/json.ts'
import type { ModelQuestion } from '../../agent/tool.ts'

/** Thrown out of a program that asks what was not asked in the run that it comes from: the gate asks no model. */
export class UnaskedQuestion extends Error {
  override name = 'UnaskedQuestion'
}

/** A question that a run asked, and what a program was given for it. */
export interface AskedQuestion {
  readonly question: ModelQuestion
  readonly output: Json
}

/** Answers questions as they were answered before. Throws UnaskedQuestion, which no program catches. */
export function answersOf(asked: readonly AskedQuestion[]): (question: ModelQuestion) => Promise<Json> {
  const known = new Map(asked.map(({ question, output }) => [keyOf(question), output]))
  return async (question) => {
    const output = known.get(keyOf(question))
    if (output === undefined) throw new UnaskedQuestion('the recorded run did not ask this question')
    return output
  }
}

const keyOf = ({ question, about, type, choices }: ModelQuestion): string =>
  JSON.stringify([question, about ?? null, type, choices ?? null])
