import type { Json } from '@skillrun/core/json.ts'
import { type AnswerComparison, compareAnswers } from './compare-answers.ts'

/** Pairs of a known and a given answer, each compared. */
export default function compare({
  pairs,
}: {
  pairs: readonly (readonly [expected: Json, actual: Json])[]
}): readonly AnswerComparison[] {
  return pairs.map(([expected, actual]) => compareAnswers(expected, actual))
}
