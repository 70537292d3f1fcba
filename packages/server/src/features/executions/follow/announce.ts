import { later } from '@skillrun/core/clock.ts'
import type { JsonObject } from '@skillrun/core/json.ts'
import type { Sql } from '../../../adapters/db/db.ts'
import type { Queue } from '../../../adapters/queue/queue.ts'
import { jsonBytes } from '../../../core/json-pieces.ts'
import { addCallback, type CallbackEvent } from '../../webhooks/webhooks.ts'
import type { ExecutionState } from '../execution.ts'
import { predictionOf, recordOf } from '../present.ts'
import { findPredictionDomain } from '../store/find-execution.ts'
import { batchTopic, evaluationTopic } from '../topics.ts'
import { wakeWaiting } from './waiting.ts'

/**
 * Announces that an execution has completed, failed or paused, when the transaction commits: wakes those who wait for it, its evaluation
 * and its batch, and writes its callback. `execution` is its state at the end of the transaction.
 */
export async function announceEnd(
  parts: { tx: Sql; queue: Pick<Queue, 'add'> },
  execution: ExecutionState,
  now: Date,
): Promise<void> {
  await wakeWaiting(parts.tx, execution)
  const { workspaceId, status, evaluationId, batchId } = execution
  if (evaluationId !== null) await parts.queue.add(parts.tx, evaluationTopic, { workspaceId, id: evaluationId })
  if (batchId !== null)
    await parts.queue.add(parts.tx, batchTopic, { workspaceId, id: batchId, executionId: execution.id })
  if (status === 'completed' || status === 'failed' || status === 'paused')
    await callBack(parts, { execution, event: status, now })
}

/** Announces that a run waits for a decision; `notice`: who gets a callback with the decision link. */
export async function announceApproval(
  parts: { tx: Sql; queue: Pick<Queue, 'add'> },
  of: { execution: ExecutionState; notice: { url: string; approvalUrl: string } | null; now: Date },
): Promise<void> {
  const { execution, notice, now } = of
  await wakeWaiting(parts.tx, execution)
  const { workspaceId, batchId } = execution
  if (batchId !== null)
    await parts.queue.add(parts.tx, batchTopic, { workspaceId, id: batchId, executionId: execution.id })
  const waiting = notice && { ...execution, callbackUrl: notice.url }
  if (waiting)
    await callBack(parts, { execution: waiting, event: 'paused', now, more: { approval_url: notice.approvalUrl } })
}

/** Announces a saved review, in its transaction. */
export async function announceReview(
  parts: { tx: Sql; queue: Pick<Queue, 'add'> },
  execution: ExecutionState,
  now: Date,
): Promise<void> {
  await wakeWaiting(parts.tx, execution)
  if (execution.review?.status === 'done') await callBack(parts, { execution, event: 'reviewed', now })
}

async function callBack(
  parts: { tx: Sql; queue: Pick<Queue, 'add'> },
  { execution, event, now, more }: { execution: ExecutionState; event: CallbackEvent; now: Date; more?: JsonObject },
): Promise<void> {
  const { id, workspaceId, callbackUrl: url } = execution
  if (url === null) return
  const domain = await findPredictionDomain(parts.tx, { workspaceId, id })
  const record = recordOf(execution)
  const body = await jsonBytes({ ...(domain === undefined ? record : predictionOf(record, domain)), ...more })
  const at = later(now, execution.completedAt ?? execution.createdAt)
  await addCallback(parts, { workspaceId, executionId: id, event, url, body, now: at })
}
