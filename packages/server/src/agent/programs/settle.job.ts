import { unpackDocument } from '@skillrun/reader/media/packed-document.ts'
import checkAnswer from '../check-answer.job.ts'
import groundAnswer from '../ground-answer.job.ts'
import type { Settled, SettleRequest } from './settle.ts'
import { wordsOfDocuments } from './words-of-documents.ts'

export default function settle({ json, schema, source, wordsOf }: SettleRequest): Settled {
  return {
    problems: schema === null ? [] : checkAnswer({ schema, json }),
    evidence: source && groundAnswer({ ...source, json, schema }).evidence,
    words: wordsOf && wordsOfDocuments(wordsOf.map(({ packed }) => unpackDocument(packed))),
  }
}
