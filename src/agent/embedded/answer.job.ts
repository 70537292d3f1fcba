import { unpackDocument } from '../../media/reading.ts'
import checkAnswer from '../check-answer.job.ts'
import type { AnswerRequest, EmbeddedAnswer } from './answer.ts'
import { extract } from './extract.ts'

/** Unpacks the readings, extracts, and holds the answer against the schema. */
export default function answer({ documents, values, schema, prompt }: AnswerRequest): EmbeddedAnswer {
  const unpacked = documents.map(({ input, packed }) => ({ input, document: unpackDocument(packed) }))
  const extraction = extract({ documents: unpacked, values, schema, prompt })
  const violations = schema === null ? [] : checkAnswer({ schema, answer: extraction.answer })
  return { ...extraction, violations }
}
