import { isJsonObject } from '@skillrun/core/json.ts'
import { z } from 'zod'
import type { ModelReply, ModelUsage } from '../../adapters/models/model.ts'
import { anyJson } from './any-json.ts'
import type { Step } from './execution.ts'

/** Parses the result of a recorded step. A step that does not fit its schema is a bug of the server: the error names the step. */
export function resultOf<T>(step: Step, schema: z.ZodType<T>): T {
  return parsed(step, 'result', schema)
}

/** Parses the details of a step; see `resultOf`. */
export function detailOf<T>(step: Step, schema: z.ZodType<T>): T {
  return parsed(step, 'detail', schema)
}

function parsed<T>(step: Step, what: 'detail' | 'result', schema: z.ZodType<T>): T {
  const read = schema.safeParse(step[what])
  if (read.success) return read.data
  const places = read.error.issues.map(({ path }) => `/${path.join('/')}`)
  throw new Error(
    `The ${what} of step ${step.seq} (${step.kind} ${step.name}) has an unexpected form at ${places.join(', ')}`,
  )
}

// Keep unknown fields, so that a field of a later version survives a round trip.

/** A recorded turn of a language model. */
export const modelReply: z.ZodType<ModelReply> = z.looseObject({
  text: z.string(),
  toolCalls: z.array(z.looseObject({ id: z.string(), name: z.string(), input: anyJson })),
  usage: z.looseObject({
    inputTokens: z.number(),
    cachedInputTokens: z.number(),
    outputTokens: z.number(),
    reasoningTokens: z.number(),
    cacheWrittenTokens: z.exactOptional(z.number()),
    // As the provider reported it; fields may be missing.
    reported: z.exactOptional(z.custom<ModelUsage>(isJsonObject)),
  }),
  finish: z.enum(['stop', 'tool-calls', 'length', 'refusal', 'other']),
  model: z.string(),
  id: z.string().nullable(),
  continuation: anyJson,
})
