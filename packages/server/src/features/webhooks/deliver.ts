import type { Clock } from '@skillrun/core/clock.ts'
import { Fault } from '@skillrun/core/fault.ts'
import type { Db, Sql } from '../../adapters/db/db.ts'
import { retryWhileUnavailable } from '../../adapters/db/retry-while-unavailable.ts'
import type { Egress } from '../../adapters/egress/egress.ts'
import { Deferred, type Job, type Queue } from '../../adapters/queue/queue.ts'
import type { Telemetry } from '../../adapters/telemetry/telemetry.ts'
import { limits } from '../../core/limits.ts'
import type { Log } from '../../core/log.ts'
import { type CallbackState, eventName, type Try, withTry } from './callback.ts'
import { nextPauseMs, type Pauses, readRetryAfter } from './schedule.ts'
import { loadCallbackSecret, openSecret, type SecretParts } from './secrets.ts'
import { signedHeaders } from './signature.ts'
import { type CallbackFence, clearIfPurged, type DueCallback, findDueCallback, recordTry } from './store.ts'
import type { UnderWay } from './under-way.ts'
import { addDelivery } from './webhooks.ts'

export interface DeliverParts extends Pick<SecretParts, 'secretKeys'> {
  readonly db: Db
  readonly clock: Clock
  readonly queue: Pick<Queue, 'add'>
  readonly egress: Pick<Egress, 'post'>
  readonly log: Log
  readonly telemetry: Pick<Telemetry, 'count' | 'observe'>
  readonly schedule: DeliverySchedule
}

/** The schedule of attempts. */
export interface DeliverySchedule {
  /** Pauses between attempts of one callback. */
  readonly pauses: Pauses
  /** Limits the slots of a workspace whose receivers are slow. */
  readonly underWay: UnderWay
}

/** How soon to check again whether a workspace's slow receivers have freed a slot. */
const fullMs = 1_000

/**
 * Attempts to deliver a callback once and records the result, with the job of the next attempt if there is one. If the worker dies in
 * between, another takes the job, and the receiver gets the same bytes and id again. Throws Deferred while slow receivers of its workspace
 * hold all slots that they may.
 */
export async function deliverCallback(parts: DeliverParts, job: Job, signal: AbortSignal): Promise<void> {
  const { db, clock, queue, log, schedule } = parts
  const fence: CallbackFence = {
    workspaceId: String(job.data['workspaceId']),
    executionId: String(job.data['executionId']),
    n: Number(job.data['n']),
    number: Number(job.data['number']),
  }
  const receiver = String(job.data['receiver'] ?? '')
  if (schedule.underWay.isFull(fence.workspaceId, receiver))
    throw new Deferred('slow receivers occupy all slots', fullMs)
  const due = await findDueCallback(db, fence)
  if (!due) return
  const startedAt = clock.now()
  const end = schedule.underWay.begin(fence.workspaceId, receiver)
  const tried = await post(parts, { due, workspaceId: fence.workspaceId, signal }).finally(end)
  const now = clock.now()
  const firstAt = due.roundStartedAt ?? startedAt
  const soFar = { tries: due.roundTries + 1, elapsedMs: now.getTime() - firstAt.getTime() }
  const pauseMs = tried.again
    ? nextPauseMs(schedule.pauses, { ...soFar, retryAfterMs: tried.retryAfterMs }, Math.random())
    : undefined
  const state: CallbackState = pauseMs !== undefined ? 'pending' : tried.log.error === null ? 'delivered' : 'failed'
  const write = async (tx: Sql): Promise<void> => {
    const written = await recordTry(tx, fence, {
      state,
      tries: withTry(due.tries, { at: startedAt.toISOString(), ...tried.log }),
      startedAt,
      nextTryAt: pauseMs === undefined ? null : new Date(now.getTime() + pauseMs),
    })
    if (written && pauseMs !== undefined)
      await addDelivery({ tx, queue }, { ...fence, number: fence.number + 1, url: due.url }, pauseMs)
    if (written && state !== 'pending') await clearIfPurged(tx, fence)
    await job.completeIn(tx)
  }
  // Results of concurrent attempts share one disk sync. Retries while the database is away: otherwise the receiver would get the callback
  // again.
  await retryWhileUnavailable(parts, signal, () => db.together(write))
  const outcome = tried.log.error?.code ?? 'acknowledged'
  parts.telemetry.count('callback_tries', { outcome })
  parts.telemetry.observe('callback_try', { outcome }, tried.log.duration_ms / 1000)
  const attempt = {
    execution: fence.executionId,
    callback: fence.n,
    status: tried.log.status,
    code: tried.log.error?.code,
  }
  log.info({ ...attempt, state, ms: tried.log.duration_ms }, 'attempted a callback')
}

/** The result of one POST. */
interface Tried {
  readonly log: Omit<Try, 'at'>
  /** Whether a retry may succeed. */
  readonly again: boolean
  readonly retryAfterMs: number | undefined
}

async function post(
  parts: DeliverParts,
  { due, workspaceId, signal }: { due: DueCallback; workspaceId: string; signal: AbortSignal },
): Promise<Tried> {
  const { clock, egress, log } = parts
  const headers = signedHeaders({
    webhookId: due.webhookId,
    body: due.body,
    secrets: await secretsOf(parts, due, workspaceId),
    now: clock.now(),
  })
  const startedMs = clock.monotonicMs()
  const took = () => Math.round(clock.monotonicMs() - startedMs)
  try {
    const { status, retryAfter } = await egress.post(due.url, {
      body: due.body,
      headers: { 'content-type': 'application/json', 'x-skillrun-event': eventName(due.event), ...headers },
      wallMs: limits.callbackWallMs,
      signal,
    })
    const duration_ms = took()
    const error = errorOf(status, new URL(due.url).hostname)
    const asks = status === 429 || status === 503
    return {
      log: { status, duration_ms, error },
      again: error !== null && status !== 410,
      retryAfterMs: asks ? readRetryAfter(retryAfter, clock.now()) : undefined,
    }
  } catch (error) {
    if (signal.aborted) throw error
    const known = error instanceof Fault
    if (!known) log.error({ error }, 'a callback failed unexpectedly')
    return {
      log: {
        status: null,
        duration_ms: took(),
        error: known ? { code: error.code, message: error.message } : ourFault,
      },
      // The egress keeps refusing until a person changes the configuration, and then redelivers.
      again: !known || error.retryable,
      retryAfterMs: undefined,
    }
  }
}

const ourFault: Try['error'] = {
  code: 'internal',
  message: 'An internal error occurred; see the server log',
}

/** Why a status does not acknowledge a callback; null: it does. */
function errorOf(status: number, host: string): Try['error'] {
  if (status >= 200 && status <= 299) return null
  if (status === 410) return { code: 'gone', message: `${host} answered 410, which stops all further attempts` }
  if (status >= 300 && status <= 399)
    return { code: 'redirected', message: `${host} answered ${status}; redirects are not followed` }
  return { code: 'not_acknowledged', message: `${host} answered ${status}` }
}

async function secretsOf(parts: DeliverParts, due: DueCallback, workspaceId: string): Promise<[string, ...string[]]> {
  const { sealed, previousSealed, previousUntil } = due
  const opened = (one: Buffer) => openSecret(parts.secretKeys, workspaceId, one)
  const secret = sealed ? opened(sealed) : (await loadCallbackSecret(parts, workspaceId)).secret
  const isOverlap = previousUntil !== null && previousUntil > parts.clock.now()
  return isOverlap && previousSealed !== null ? [secret, opened(previousSealed)] : [secret]
}
