import { createHash } from 'node:crypto'
import { Fault } from '@skillrun/core/fault.ts'
import { newId } from '@skillrun/core/ids.ts'
import type { Sql } from '../../adapters/db/db.ts'
import type { Egress } from '../../adapters/egress/egress.ts'
import { invalid } from '../../adapters/http/validation.ts'
import type { Queue } from '../../adapters/queue/queue.ts'
import { type CallbackFence, insertCallback, type NewCallback } from './store.ts'

export type { CallbackEvent } from './callback.ts'
export { clearSettledCallbacks, giveUpCallbacks } from './store.ts'

/** The queue's topic of callbacks, with its own slots, so that no receiver blocks an execution. */
export const callbackTopic = 'callback'

/**
 * Inserts a callback with its final body and its job in the transaction that moved the execution: the callback exists exactly when the move
 * does.
 */
export async function addCallback(
  parts: { tx: Sql; queue: Pick<Queue, 'add'> },
  callback: Omit<NewCallback, 'webhookId'>,
): Promise<void> {
  const { workspaceId, executionId, url, now } = callback
  const n = await insertCallback(parts.tx, { ...callback, webhookId: `msg_${newId(now)}` })
  await addDelivery(parts, { workspaceId, executionId, n, number: 1, url })
}

/** Adds a job that sends a callback. */
export async function addDelivery(
  { tx, queue }: { tx: Sql; queue: Pick<Queue, 'add'> },
  { url, ...fence }: CallbackFence & { readonly url: string },
  delayMs = 0,
): Promise<void> {
  const receiver = receiverOf(fence.workspaceId, url)
  await queue.add(tx, callbackTopic, { ...fence, receiver }, { delayMs, group: receiver })
}

/** ValidationFailure for a `callback_url` that must not be called. Checked again before each attempt. */
export async function refuseForbiddenCallback(egress: Pick<Egress, 'check'>, url: string | null): Promise<void> {
  if (url === null) return
  await egress.check(url).catch((error: unknown) => {
    if (!(error instanceof Fault)) throw error
    throw invalid(['body', 'callback_url'], error.message, { type: error.code })
  })
}

/**
 * The receiver of a URL of a workspace: its endpoint, as a short name. A query is part of a call, not of the endpoint; paths count,
 * because a slow path on a host must not delay others on it.
 */
function receiverOf(workspaceId: string, url: string): string {
  const { origin, pathname } = new URL(url)
  return createHash('sha256').update(`${workspaceId} ${origin}${pathname}`).digest('base64url')
}
