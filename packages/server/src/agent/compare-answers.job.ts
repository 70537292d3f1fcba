import type { Json } from '@skillrun/core/json.ts'
import { type AnswerComparison, compareAnswers } from './compare-answers.ts'

/** Compares pairs of an expected and an actual answer. */
export default function compare({
  pairs,
}: {
  pairs: readonly (readonly [expected: Json, actual: Json])[]
}): readonly AnswerComparison[] {
  return pairs.map(([expected, actual]) => compareAnswers(expected, actual))
}
