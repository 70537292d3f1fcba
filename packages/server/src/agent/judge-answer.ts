import type { Job } from '@skillrun/core/job.ts'
import type { Json, JsonSchema } from '@skillrun/core/json.ts'
import type { ModelReply } from '../adapters/models/model.ts'
import type { Workshop } from '../adapters/process-pool/process-pool.ts'
import { jsonText } from '../core/json-pieces.ts'
import { limits } from '../core/limits.ts'
import { jsonIn, roundingProblem } from './json-in.ts'
import { surelyHolds } from './plain-schema.ts'
import { checkAnswerJob, type SchemaProblem } from './schema.ts'

/** What is made of a turn that calls no tool. */
export type Verdict =
  | { readonly ended: 'answered' | 'refused'; readonly answer: Json }
  | { readonly ended: 'violated'; readonly answer: Json; readonly problems: readonly SchemaProblem[] }

/**
 * Judges an answer: is it whole, and does it hold against the schema? Without a schema every text but the empty one holds.
 * The schema is checked whatever the provider promises to keep.
 */
export async function judgeAnswer(
  { workshop, schema }: { workshop: Workshop; schema: JsonSchema | null },
  { text, finish }: Pick<ModelReply, 'text' | 'finish'>,
  signal: AbortSignal,
): Promise<Verdict> {
  const violated = (message: string, answer: Json = text): Verdict => ({
    ended: 'violated',
    answer,
    problems: [{ pointer: '', message }],
  })
  if (finish === 'refusal') return { ended: 'refused', answer: text }
  if (finish === 'length') return violated('was cut off, for it was too long; be shorter')
  if (text.trim() === '') return violated('is empty')
  if (schema === null) return { ended: 'answered', answer: text }
  const judged = await judgeText({ workshop, schema }, text, signal)
  if (!judged.found) return violated('is no JSON; answer with one JSON value and nothing else')
  const { answer, problems } = judged
  return problems.length === 0 ? { ended: 'answered', answer } : { ended: 'violated', answer, problems }
}

/** A text in which a model answers with JSON. */
export interface TextToJudge {
  readonly text: string
  readonly schema: JsonSchema | null
}

/** The value of such a text and what is wrong with it, or that there is none. */
export type JudgedText =
  | { readonly found: true; readonly answer: Json; readonly problems: readonly SchemaProblem[] }
  | { readonly found: false }

/** Finds and checks the JSON of a text in the workshop. Throws Fault `schema_too_costly`. */
const judgeTextJob: Job<TextToJudge, JudgedText> = {
  name: 'judge-text',
  isQuick: true,
  givesJson: true,
  module: new URL('./judge-text.job.ts', import.meta.url),
}

/** A longer text is parsed and checked in the workshop: many small values in it would hold the main thread up. */
const textHereMax = 32 * 1024

/** Finds the JSON of a text, and holds it against the schema where there is one. Throws Fault `schema_too_costly`. */
export async function judgeText(
  { workshop, schema }: { workshop: Workshop; schema: JsonSchema | null },
  text: string,
  signal: AbortSignal,
): Promise<JudgedText> {
  const terms = { wallMs: limits.schemaWallMs, memoryMb: limits.schemaMemoryMb, signal }
  if (text.length > textHereMax) return workshop.run(judgeTextJob, { text, schema }, terms)
  const answer = jsonIn(text)
  if (answer === undefined) return { found: false }
  const rounded = roundingProblem(text, answer)
  if (rounded) return { found: true, answer, problems: [rounded] }
  if (schema === null || surelyHolds(schema, answer)) return { found: true, answer, problems: [] }
  return { found: true, answer, problems: await checkAnswer({ workshop, schema }, answer, signal) }
}

/** How a value violates a schema. Throws Fault `schema_too_costly`. */
export async function checkAnswer(
  { workshop, schema }: { workshop: Workshop; schema: JsonSchema },
  answer: Json,
  signal: AbortSignal,
): Promise<readonly SchemaProblem[]> {
  const terms = { wallMs: limits.schemaWallMs, memoryMb: limits.schemaMemoryMb, signal }
  return workshop.run(checkAnswerJob, { schema, json: await jsonText(answer) }, terms)
}
