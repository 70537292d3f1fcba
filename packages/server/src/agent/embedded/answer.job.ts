import type { Json } from '@skillrun/core/json.ts'
import { coverageOf } from '@skillrun/reader/evidence/completeness.ts'
import { boundedEvidence } from '@skillrun/reader/evidence/evidence.ts'
import { withTimes } from '@skillrun/reader/evidence/evidence-times.ts'
import type { Warning } from '@skillrun/reader/evidence/warnings.ts'
import { extract } from '@skillrun/reader/extract/extract.ts'
import type { Extraction, ExtractionRequest } from '@skillrun/reader/extract/extraction.ts'
import { concepts, phrasesOf } from '@skillrun/reader/languages/concepts.ts'
import { phraseOf } from '@skillrun/reader/layout/text.ts'
import { unpackDocument } from '@skillrun/reader/media/reading.ts'
import { PatternTooCostly } from '@skillrun/reader/values/bounded-pattern.ts'
import checkAnswer from '../check-answer.job.ts'
import { schemaTooCostly } from '../schema.ts'
import type { AnswerRequest, EmbeddedAnswer } from './answer.ts'

/** Unpacks the readings, extracts, and holds the answer against the schema. Throws Fault `schema_too_costly`. */
export default function answer({ documents, values, schema, codes, named = [] }: AnswerRequest): EmbeddedAnswer {
  const unpacked = documents.map(({ input, packed }) => ({ input, document: unpackDocument(packed) }))
  const extraction = extracted({ documents: unpacked, values, schema, ...(codes && { codes }) })
  const violations = schema === null ? [] : checkAnswer({ schema, answer: extraction.answer })
  const coverage = schema === null ? undefined : coverageOf({ schema, ...extraction })
  const described = schema === null ? (extraction.answer as unknown as Described) : undefined
  const nothing = described && nothingIn(described, named)
  const warnings = described && !nothing ? missingIn(described.text, named).map(notNamed) : extraction.warnings
  const bounded = boundedEvidence(withTimes(extraction.evidence, unpacked))
  return {
    ...extraction,
    ...((warnings || bounded.warnings.length > 0) && { warnings: [...(warnings ?? []), ...bounded.warnings] }),
    evidence: bounded.evidence,
    coverage,
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
  message: `The inputs have nothing by the name of ${JSON.stringify(name)}.`,
})

interface Described {
  readonly text: string
  readonly tables: readonly Json[]
  readonly facts: Readonly<Record<string, string>>
}

/** Why text, tables and facts do not answer what was asked; undefined where they do. */
function nothingIn({ text, tables }: Described, named: readonly string[]): string | undefined {
  if (text.trim() === '' && tables.length === 0) return 'The inputs hold no text'
  const missing = missingIn(text, named)
  if (named.length === 0 || missing.length < named.length) return undefined
  return `The inputs have nothing by the name of ${missing.map((phrase) => JSON.stringify(phrase)).join(', ')}`
}

/** What of that which was asked for by name stands nowhere, under none of the labels that mean the same. */
function missingIn(text: string, named: readonly string[]): readonly string[] {
  const printed = ` ${phraseOf(text)} `
  return named.filter((name) => !synonymsOf(name).some((label) => printed.includes(` ${label} `)))
}

function synonymsOf(name: string): readonly string[] {
  const forms = [name, name.replace(/s$/, ''), name.replace(/ies$/, 'y'), `${name}s`]
  const same = concepts.flatMap(({ labels, weak }) => {
    const all = [...phrasesOf(labels), ...phrasesOf(weak)].map(phraseOf)
    return all.some((label) => forms.includes(label)) ? all : []
  })
  return [...forms, ...same]
}
