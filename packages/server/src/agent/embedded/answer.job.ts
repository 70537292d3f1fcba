import { isJsonObject, type Json } from '@skillrun/core/json.ts'
import { differenceWarnings, withoutDiffering } from '@skillrun/reader/evidence/compare-drawn.ts'
import { reportCompleteness } from '@skillrun/reader/evidence/completeness.ts'
import { boundedEvidence } from '@skillrun/reader/evidence/evidence.ts'
import { withTimes } from '@skillrun/reader/evidence/evidence-times.ts'
import { groundedAnswer } from '@skillrun/reader/evidence/grounding.ts'
import { inputWarnings, type Warning } from '@skillrun/reader/evidence/warnings.ts'
import { extract } from '@skillrun/reader/extract/extract.ts'
import type { Extraction, ExtractionRequest } from '@skillrun/reader/extract/extraction.ts'
import type { Wanted } from '@skillrun/reader/fields/instruction.ts'
import { phraseOf } from '@skillrun/reader/layout/text.ts'
import { unpackDocument } from '@skillrun/reader/media/packed-document.ts'
import { PatternTooCostly } from '@skillrun/reader/values/bounded-pattern.ts'
import checkAnswer from '../check-answer.job.ts'
import { schemaTooCostly } from '../schema/schema.ts'
import type { AnswerRequest, EmbeddedAnswer } from './answer.ts'

/** Unpacks the documents, extracts, and validates the answer. Throws Fault `schema_too_costly`. */
export default function answer(request: AnswerRequest): EmbeddedAnswer {
  const { documents, values, schema, codes, risk, wanted = anyText, grounded = false, differences = [] } = request
  const unpacked = documents.map(({ input, packed }) => ({
    input,
    document: withoutDiffering(input, unpackDocument(packed), differences),
  }))
  const extraction = extracted({
    documents: unpacked,
    values,
    schema,
    ...(codes && { codes }),
    ...(risk && { risk }),
  })
  const violations = schema === null ? [] : checkAnswer({ schema, answer: extraction.answer })
  const report = schema === null ? undefined : reportCompleteness({ schema, ...extraction })
  const described = schema === null ? describedIn(extraction.answer) : undefined
  const nothing = described && nothingIn(described, wanted)
  const ofInputs = unpacked.flatMap(({ input, document }) => inputWarnings(input, document.warnings))
  const ofAnswer = described && !nothing ? missingIn(described, wanted.named).map(notNamed) : extraction.warnings
  const bounded = boundedEvidence(withTimes(extraction.evidence, unpacked))
  const warnings = [...ofInputs, ...differenceWarnings(differences), ...(ofAnswer ?? []), ...bounded.warnings]
  return {
    ...extraction,
    ...(warnings.length > 0 && { warnings }),
    answer: grounded ? groundedAnswer(extraction.answer, bounded.evidence) : extraction.answer,
    evidence: bounded.evidence,
    report,
    nothing,
    violations,
  }
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

const notNamed = (name: string): Warning => ({
  code: 'not_found',
  path: '',
  message: `The inputs contain nothing named ${JSON.stringify(name)}.`,
})

const anyText: Wanted = { named: [], tablesOnly: false }

interface Described {
  readonly text: string
  readonly tables: readonly { readonly columns: readonly string[] }[]
  readonly facts: Readonly<Record<string, string>>
}

/** The text, tables and facts of an answer without a schema. */
function describedIn(answer: Json): Described | undefined {
  if (!isJsonObject(answer)) return undefined
  const { text, tables, facts } = answer
  const isWhole = typeof text === 'string' && Array.isArray(tables) && isJsonObject(facts ?? null)
  return isWhole ? { text, tables: tables as Described['tables'], facts: facts as Described['facts'] } : undefined
}

/** Why text, tables and facts do not answer what was asked; undefined where they do. */
function nothingIn(described: Described, { named, tablesOnly }: Wanted): string | undefined {
  if (described.text.trim() === '' && described.tables.length === 0) return 'The inputs contain no text'
  if (tablesOnly && described.tables.length === 0) return 'The inputs contain no table'
  const missing = missingIn(described, named)
  if (named.length === 0 || missing.length < named.length) return undefined
  return `The inputs contain nothing named ${missing.map((phrase) => JSON.stringify(phrase)).join(', ')}`
}

/** The requested names that are neither the label of a fact nor the heading of a table column. */
function missingIn({ tables, facts }: Described, named: readonly string[]): readonly string[] {
  const labels = [...Object.keys(facts), ...tables.flatMap(({ columns }) => columns)]
  const printed = new Set(labels.map(phraseOf))
  return named.filter((name) => !printed.has(name))
}
