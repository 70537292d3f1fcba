import type { Json } from '@skillrun/core/json.ts'
import type { ModelQuestion } from '../../agent/tool.ts'

/** Thrown when a program asks something that was not asked in its original run: the gate calls no model. */
export class UnaskedQuestion extends Error {
  override name = 'UnaskedQuestion'
}

/** A recorded question and its answer. */
export interface AskedQuestion {
  readonly question: ModelQuestion
  readonly output: Json
}

/** Answers questions from the record. Throws UnaskedQuestion, which no program can catch. */
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
