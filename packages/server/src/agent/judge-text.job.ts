import { legible } from '@skillrun/core/json.ts'
import checkAnswer from './check-answer.job.ts'
import type { JudgedText, TextToJudge } from './judge-answer.ts'
import { jsonIn, roundingProblem } from './schema/json-in.ts'

/** See `judgeTextJob`. The value is made storable before it is checked. */
export default function judgeText({ text, schema }: TextToJudge): JudgedText {
  const value = jsonIn(text)
  if (value === undefined) return { found: false }
  const answer = legible(value)
  const rounded = roundingProblem(text, answer)
  if (rounded) return { found: true, answer, problems: [rounded] }
  return { found: true, answer, problems: schema === null ? [] : checkAnswer({ schema, answer }) }
}
