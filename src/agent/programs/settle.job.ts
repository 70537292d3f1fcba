import checkAnswer from '../check-answer.job.ts'
import groundAnswer from '../ground-answer.job.ts'
import type { Settled, SettleRequest } from './settle.ts'

/** See `settleJob`. */
export default function settle({ answer, schema, source }: SettleRequest): Settled {
  return {
    problems: schema === null ? [] : checkAnswer({ schema, answer }),
    evidence: source && groundAnswer({ ...source, answer, schema }).evidence,
  }
}
