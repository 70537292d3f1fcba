import type { Json, JsonObject } from '@skillrun/core/json.ts'
import { parsePart } from '../../../adapters/http/validation.ts'
import { cancel } from '../control.ts'
import { type WaitParts, waitForEnd } from '../follow/wait-for-end.ts'
import { executeRequest } from '../wire/request.ts'
import type { CreateParts } from './accept.ts'
import { createExecution } from './create.ts'

export type AnswerParts = CreateParts & WaitParts

/**
 * Executes a body of POST /v1/agent/execute for a key, as `executeOnBehalf` does, and waits for the answer. Undefined: it failed, was
 * paused, or was cancelled after `waitMs`. Throws as a call of the route would, and `signal.reason` on abort.
 */
export async function answerOnBehalf(
  parts: AnswerParts,
  call: {
    workspaceId: string
    keyId: string
    body: JsonObject
    onceAs: string
    waitMs: number
    signal: AbortSignal
  },
): Promise<Json | undefined> {
  const { workspaceId, keyId, signal, waitMs } = call
  const created = await createExecution(parts, {
    caller: { workspaceId, keyId, scopes: [] },
    body: parsePart(executeRequest, call.body, 'body'),
    idempotencyKey: call.onceAs,
    signal,
  })
  const { id, status, response } = await waitForEnd(parts, created, { waitMs, signal })
  if (status === 'completed') return response
  // An execution that has ended by now does not change.
  if (status !== 'failed') await cancel(parts, { workspaceId, id }).catch(() => {})
  signal.throwIfAborted()
  return undefined
}
