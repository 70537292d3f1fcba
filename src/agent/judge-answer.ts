import type { Json, JsonSchema } from '../kit/json.ts'
import { limits } from '../kit/limits.ts'
import type { ModelReply } from '../seams/models/model.ts'
import type { Workshop } from '../seams/workshop/workshop.ts'
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
  const answer = jsonIn(text)
  if (answer === undefined) return violated('is no JSON; answer with one JSON value and nothing else')
  const rounded = roundedInteger(text, answer)
  if (rounded !== undefined)
    return violated(
      `has the number ${rounded}, which readers of JSON round because it is beyond 2^53; answer it as text, or null where the schema takes no text`,
      answer,
    )
  if (surelyHolds(schema, answer)) return { ended: 'answered', answer }
  const terms = { wallMs: limits.schemaWallMs, memoryMb: limits.schemaMemoryMb, signal }
  const problems = await workshop.run(checkAnswerJob, { schema, answer }, terms)
  return problems.length === 0 ? { ended: 'answered', answer } : { ended: 'violated', answer, problems }
}

/** The first integer of an answer that was rounded when its text was read: its digits are not the number that came of them. */
function roundedInteger(text: string, answer: Json): string | undefined {
  const written = text.match(/\d{16,}/g)?.find((digits) => BigInt(digits) !== BigInt(Number(digits)))
  return written !== undefined && holdsUnsafeInteger(answer) ? written : undefined
}

function holdsUnsafeInteger(value: Json): boolean {
  if (typeof value === 'number') return Number.isInteger(value) && !Number.isSafeInteger(value)
  return typeof value === 'object' && value !== null && Object.values(value).some(holdsUnsafeInteger)
}

/**
 * The JSON value of a text: all of it, or what stands in a fence or between words around it. Undefined, too, for one that is nested
 * deeper than a request may be.
 */
export function jsonIn(text: string): Json | undefined {
  const fenced = /```(?:json)?\s*\n([\s\S]*?)\n?```/i.exec(text)?.[1]
  const first = text.search(/[{[]/)
  const last = Math.max(text.lastIndexOf('}'), text.lastIndexOf(']'))
  const within = first >= 0 && last > first ? text.slice(first, last + 1) : undefined
  for (const candidate of [text, fenced, within]) {
    if (candidate === undefined) continue
    try {
      const value = JSON.parse(candidate) as Json
      // What no request may hold is no answer either, and what walks through it would run out of stack.
      return isDeeperThan(value, limits.jsonDepthMax) ? undefined : value
    } catch {
      // The next candidate may be one.
    }
  }
  return undefined
}

function isDeeperThan(value: Json, levels: number): boolean {
  let layer: Json[] = [value]
  for (let depth = 0; depth <= levels && layer.length > 0; depth++)
    layer = layer.flatMap((one) => (typeof one === 'object' && one !== null ? (Object.values(one) as Json[]) : []))
  return layer.length > 0
}
