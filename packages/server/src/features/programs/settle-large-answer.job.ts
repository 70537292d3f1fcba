import type { Json } from '@skillrun/core/json.ts'
import { boundedEvidence } from '@skillrun/reader/evidence/evidence.ts'
import { unpackDocument } from '@skillrun/reader/media/packed-document.ts'
import checkAnswer from '../../agent/check-answer.job.ts'
import { lookUp } from '../../agent/ground-answer.job.ts'
import { wordsOfLines } from '../../agent/programs/plain-words.ts'
import { wordsOfDocuments } from '../../agent/programs/words-of-documents.ts'
import { citedEvidence, leavesOf, unfound } from './evidence.ts'
import { doubtOf } from './guard.ts'
import { type LargeAnswer, type SettledLargeAnswer, violation } from './settle-answer.ts'

/** See `settleLargeAnswerJob`. */
export default function settleLargeAnswer(request: LargeAnswer): SettledLargeAnswer {
  const { json, schema, documents, values, cites, lines, guard, accepted, left } = request
  const answer = JSON.parse(json) as Json
  const cited = citedEvidence(answer, cites, lines ?? [])
  const leaves = leavesOf(answer)
  const isCited = leaves.every(({ pointer, value }) => value === null || cited[pointer] !== undefined)
  const found = isCited ? unfound(leaves) : lookUp({ documents, values, json, schema }).evidence
  const evidence = { ...found, ...cited }
  const words = wordsIn(request)
  return {
    ...boundedEvidence(evidence),
    problem: (schema && violation(checkAnswer({ schema, json }))) ?? null,
    words: words && [...words],
    // The guard sees the evidence of every value, stored or not.
    doubt: (guard && doubtOf(guard, { words, accepted, answer, evidence, left })) ?? null,
  }
}

function wordsIn({ lines, words, documents }: LargeAnswer): ReadonlySet<string> | null {
  if (lines !== null) return wordsOfLines(lines)
  const known = words === undefined ? wordsOfDocuments(documents.map(({ packed }) => unpackDocument(packed))) : words
  return known && new Set(known)
}
