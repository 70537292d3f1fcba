import { z } from 'zod'

const callbackTry = z
  .object({
    at: z.iso.datetime(),
    status: z.int().nullable().describe('HTTP status of the receiver; null without a response'),
    duration_ms: z.int(),
    error: z.object({ code: z.string(), message: z.string() }).nullable().describe('Null: acknowledged'),
  })
  .meta({ id: 'CallbackTry' })

/** One callback of an execution, with the log of its attempts. */
export const callbackRecord = z
  .object({
    n: z.int().describe('Number within the execution: 1, 2, 3 …'),
    event: z.enum(['completed', 'failed', 'paused', 'reviewed', 'batch.completed', 'batch.cancelled']),
    url: z.string(),
    webhook_id: z.string().describe('The webhook-id header, the same in every attempt'),
    state: z.enum(['pending', 'delivered', 'failed']),
    next_try_at: z.iso.datetime().nullable(),
    created_at: z.iso.datetime(),
    tries: z.array(callbackTry).describe('Oldest first; the newest 100 are retained'),
  })
  .meta({ id: 'Callback' })
export type CallbackRecord = z.infer<typeof callbackRecord>

/** The signing secrets of a workspace's callbacks. */
export const secretRecord = z
  .object({
    secret: z.string(),
    created_at: z.iso.datetime(),
    previous_until: z.iso
      .datetime()
      .nullable()
      .describe('Until then, webhook-signature also contains a signature with the previous secret'),
  })
  .meta({ id: 'CallbackSecret' })
export type SecretRecord = z.infer<typeof secretRecord>
