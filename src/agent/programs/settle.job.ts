import { unpackDocument } from '../../media/reading.ts'
import checkAnswer from '../check-answer.job.ts'
import { layoutDocument } from '../embedded/layout.ts'
import groundAnswer from '../ground-answer.job.ts'
import { plainWords } from './plain-words.ts'
import type { Settled, SettleRequest } from './settle.ts'

/** See `settleJob`. */
export default function settle({ answer, schema, source, wordsOf }: SettleRequest): Settled {
  return {
    problems: schema === null ? [] : checkAnswer({ schema, answer }),
    evidence: source && groundAnswer({ ...source, answer, schema }).evidence,
    words: wordsOf && wordsIn(wordsOf.map(({ packed }) => packed)),
  }
}

/** As `document.lines` would give them. */
function wordsIn(packed: readonly Uint8Array[]): readonly string[] | null {
  const lines = packed.flatMap((one) => layoutDocument(unpackDocument(one), 0).flatMap((page) => page.lines))
  if (lines.length === 0) return null
  return [...plainWords(lines.map(({ cells }) => cells.map(({ text }) => text).join(' ')).join('\n'))]
}
