import type { Job } from '@skillrun/core/job.ts'
import type { Json, JsonSchema } from '@skillrun/core/json.ts'
import type { ModelReply } from '../adapters/models/model.ts'
import type { ProcessPool } from '../adapters/process-pool/process-pool.ts'
import { jsonText } from '../core/json-pieces.ts'
import { limits } from '../core/limits.ts'
import { jsonIn, roundingProblem } from './schema/json-in.ts'
import { surelyHolds } from './schema/plain-schema.ts'
import { checkAnswerJob, type SchemaProblem } from './schema/schema.ts'

/** The verdict on a turn that calls no tool. */
export type Verdict =
  | { readonly ended: 'answered' | 'refused'; readonly answer: Json }
  | { readonly ended: 'violated'; readonly answer: Json; readonly problems: readonly SchemaProblem[] }

/**
 * Judges an answer: is it complete, and is it valid against the schema? Without a schema every text except the empty one is
 * valid. The schema is checked even if the provider promises to enforce it.
 */
export async function judgeAnswer(
  { processPool, schema }: { processPool: ProcessPool; schema: JsonSchema | null },
  { text, finish }: Pick<ModelReply, 'text' | 'finish'>,
  signal: AbortSignal,
): Promise<Verdict> {
  const violated = (message: string, answer: Json = text): Verdict => ({
    ended: 'violated',
    answer,
    problems: [{ pointer: '', message }],
  })
  if (finish === 'refusal') return { ended: 'refused', answer: text }
  if (finish === 'length') return violated('was cut off at the output limit')
  if (text.trim() === '') return violated('is empty')
  if (schema === null) return { ended: 'answered', answer: text }
  const judged = await judgeText({ processPool, schema }, text, signal)
  if (!judged.found) return violated('is not valid JSON')
  const { answer, problems } = judged
  return problems.length === 0 ? { ended: 'answered', answer } : { ended: 'violated', answer, problems }
}

/** A text that should contain a JSON answer. */
export interface TextToJudge {
  readonly text: string
  readonly schema: JsonSchema | null
}

/** The JSON value of a text and its schema violations, or that it contains none. */
export type JudgedText =
  | { readonly found: true; readonly answer: Json; readonly problems: readonly SchemaProblem[] }
  | { readonly found: false }

/** Finds and checks the JSON of a text in the process pool. Fault `schema_too_costly`. */
const judgeTextJob: Job<TextToJudge, JudgedText> = {
  name: 'judge-text',
  isQuick: true,
  givesJson: true,
  module: new URL('./judge-text.job.ts', import.meta.url),
}

/** Longer texts are parsed and checked in the process pool, because many small values would block the main thread. */
const textHereMax = 32 * 1024

/** Finds the JSON of a text and checks it against the schema, if any. Fault `schema_too_costly`. */
export async function judgeText(
  { processPool, schema }: { processPool: ProcessPool; schema: JsonSchema | null },
  text: string,
  signal: AbortSignal,
): Promise<JudgedText> {
  const terms = { wallMs: limits.schemaWallMs, memoryMb: limits.schemaMemoryMb, signal }
  if (text.length > textHereMax) return processPool.run(judgeTextJob, { text, schema }, terms)
  const answer = jsonIn(text)
  if (answer === undefined) return { found: false }
  const rounded = roundingProblem(text, answer)
  if (rounded) return { found: true, answer, problems: [rounded] }
  if (schema === null || surelyHolds(schema, answer)) return { found: true, answer, problems: [] }
  return { found: true, answer, problems: await checkAnswer({ processPool, schema }, answer, signal) }
}

/** How a value violates a schema; empty if it is valid. Fault `schema_too_costly`. */
export async function checkAnswer(
  { processPool, schema }: { processPool: ProcessPool; schema: JsonSchema },
  answer: Json,
  signal: AbortSignal,
): Promise<readonly SchemaProblem[]> {
  const terms = { wallMs: limits.schemaWallMs, memoryMb: limits.schemaMemoryMb, signal }
  return processPool.run(checkAnswerJob, { schema, json: await jsonText(answer) }, terms)
}
