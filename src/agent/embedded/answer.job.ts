import { unpackDocument } from '../../media/reading.ts'
import { PatternTooCostly } from '../bounded-pattern.ts'
import checkAnswer from '../check-answer.job.ts'
import { coverageOf } from '../completeness.ts'
import { withTimes } from '../evidence-times.ts'
import { schemaTooCostly } from '../schema.ts'
import type { AnswerRequest, EmbeddedAnswer } from './answer.ts'
import { extract } from './extract.ts'
import type { Extraction, ExtractionRequest } from './extraction.ts'

/** Unpacks the readings, extracts, and holds the answer against the schema. Throws Fault `schema_too_costly`. */
export default function answer({ documents, values, schema, prompt }: AnswerRequest): EmbeddedAnswer {
  const unpacked = documents.map(({ input, packed }) => ({ input, document: unpackDocument(packed) }))
  const extraction = extracted({ documents: unpacked, values, schema, prompt })
  const violations = schema === null ? [] : checkAnswer({ schema, answer: extraction.answer })
  const coverage = schema === null ? undefined : coverageOf({ schema, ...extraction })
  return { ...extraction, evidence: withTimes(extraction.evidence, unpacked), coverage, violations }
}

function extracted(request: ExtractionRequest): Extraction {
  try {
    return extract(request)
  } catch (error) {
    if (error instanceof PatternTooCostly && request.schema !== null)
      throw schemaTooCostly(request.schema, error.source)
    throw error
  }
}
