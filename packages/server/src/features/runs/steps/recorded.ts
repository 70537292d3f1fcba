import type { EvidenceMap } from '@skillrun/reader/evidence/evidence.ts'
import type { DecodedCode } from '@skillrun/reader/fields/image-codes.ts'
import type { ArchiveContents } from '@skillrun/reader/media/archive/archive.ts'
import { z } from 'zod'
import type { ToolResult } from '../../../adapters/models/model.ts'
import type { Transcript } from '../../../adapters/models/transcriber.ts'
import type { ProgramRan } from '../../../agent/code/code-agent.ts'
import type { EmbeddedAnswer } from '../../../agent/embedded/answer.ts'
import type { SchemaProblem } from '../../../agent/schema/schema.ts'
import { anyJson, detailOf, resultOf, type Step } from '../../executions/executions.ts'

// Schemas of recorded steps, for runs that continue after a crash. Loose objects keep unknown fields of later versions.

const text = z.string()
const problems: z.ZodType<{ problems: readonly SchemaProblem[] }> = z.object({
  problems: z.array(z.object({ pointer: text, message: text })),
})

/** The problems of the answer that a step sent back to the model. */
export const problemsOf = (step: Step): readonly SchemaProblem[] => detailOf(step, problems).problems

/** The result of a tool; the id of its call is in the details. */
export const toolResult: z.ZodType<Omit<ToolResult, 'id'>> = z.object({
  name: text,
  output: anyJson,
  failed: z.boolean(),
})

const programRan = z.object({ console: z.array(text), host_calls: z.number(), ms: z.number() })
const outcome: z.ZodType<ProgramRan['outcome']> = z.union([
  z.object({ error: z.object({ code: text, message: text, line: z.number().nullable() }) }),
  z.object({ value: anyJson }),
])

/** A program that a turn of a code agent ran, with its outcome. */
export function programRanOf(step: Step): ProgramRan {
  const { source } = detailOf(step, z.object({ source: text }))
  const { console, host_calls, ms } = resultOf(step, programRan)
  return { source, console, hostCalls: host_calls, ms, outcome: resultOf(step, outcome) }
}

/** The contents of an archive or an email. */
export const archiveContents: z.ZodType<ArchiveContents> = z.looseObject({
  entries: z.array(z.looseObject({ name: text, bytes: z.number() })),
  left: z.array(z.looseObject({ name: text, why: text, isInline: z.exactOptional(z.boolean()) })),
  isMail: z.exactOptional(z.boolean()),
})

/** The speech of a segment of audio. */
export const speech: z.ZodType<Transcript> = z.looseObject({
  text,
  parts: z.array(z.looseObject({ fromSeconds: z.number(), toSeconds: z.number(), text })),
})

const box = z.tuple([z.number(), z.number(), z.number(), z.number()])
const codes: z.ZodType<readonly DecodedCode[]> = z.array(z.looseObject({ format: text, text, box }))

/** The bar codes and matrix codes of the pages of an input. */
export const codesOfPages = z.looseObject({ pages: z.array(z.looseObject({ page: z.number(), codes })) })

const span = z.tuple([z.number(), z.number()])

/** The evidence of an answer. */
export const evidence: z.ZodType<EvidenceMap> = z.record(
  text,
  z.looseObject({
    status: z.enum(['verified', 'normalised', 'derived', 'unsupported']),
    input: z.exactOptional(text),
    page: z.exactOptional(z.number()),
    bbox: z.exactOptional(box),
    span: z.exactOptional(span),
    seconds: z.exactOptional(span),
    quote: z.exactOptional(text),
    confidence: z.number(),
    note: z.exactOptional(text),
  }),
)

const coverage = z.looseObject({
  completeness: z.looseObject({
    asked: z.number(),
    found: z.number(),
    notFound: z.number(),
    lowConfidence: z.number(),
    maxWrongRate: z.number().nullable(),
    listed: z.array(z.looseObject({ path: text, returned: z.number(), expected: z.number().nullable() })),
  }),
  unsure: z.exactOptional(z.array(text)),
  missing: z.array(text),
})

/** The answer of the embedded engine. */
export const embeddedAnswer: z.ZodType<EmbeddedAnswer> = z.looseObject({
  answer: anyJson,
  evidence,
  coverage: coverage.optional(),
  nothing: text.optional(),
  warnings: z.exactOptional(z.array(z.looseObject({ code: text, path: text, message: text }))),
  violations: z.array(z.looseObject({ pointer: text, message: text })),
})
