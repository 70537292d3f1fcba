import type { Clock } from '@skillrun/core/clock.ts'
import { Fault } from '@skillrun/core/fault.ts'
import type { Db, Sql } from '../../adapters/db/db.ts'
import type { Queue } from '../../adapters/queue/queue.ts'
import { limits } from '../../core/limits.ts'
import { dollarsOf } from '../../core/money.ts'
import { findRefusal, releaseLost } from '../pricing/pricing.ts'
import type { Admission } from './accept/admission.ts'
import type { ExecutionError, ExecutionState } from './execution.ts'
import { announceEnd } from './follow/announce.ts'
import { allowedBefore, isResumable, type Status } from './lifecycle.ts'
import { payerOf } from './payer.ts'
import { forgetWork, refuseUnretained } from './retention.ts'
import type { Place } from './store/execution-row.ts'
import { findOriginal, loadExecution } from './store/find-execution.ts'
import { failExecution, forgetAwaited, lockUnended, pauseExecution, resumeExecution } from './store/moves.ts'
import { listSteps } from './store/steps.ts'
import { topicOf } from './topics.ts'
import { usageOf } from './usage-of-steps.ts'

export interface ControlParts {
  readonly db: Db
  readonly clock: Clock
  readonly queue: Queue
  readonly intake: { readonly admission: Pick<Admission, 'turnAgain'> }
}

const cancelledError: ExecutionError = {
  code: 'cancelled',
  message: 'The execution was cancelled; its steps up to then are retained',
  retryable: false,
}

/**
 * Cancels an unfinished execution: it fails with `cancelled`. Its run is notified and stopped at once; the fence rejects its later writes.
 * Faults `missing`, and `conflict` when it has ended.
 */
export async function cancel(parts: ControlParts, where: Place): Promise<ExecutionState> {
  const { workspaceId, id } = await loadExecution(parts, where)
  const ended = await endAsFailed(parts, { workspaceId, id }, cancelledError)
  return ended ?? refuse(parts, { workspaceId, id }, { done: 'cancelled', from: allowedBefore('failed') })
}

/** Ends an execution from outside its run, with all consequences of its end. Undefined: it has ended already. */
export async function endAsFailed(
  { db, clock, queue }: Pick<ControlParts, 'db' | 'clock' | 'queue'>,
  { workspaceId, id }: Place,
  error: ExecutionError,
): Promise<ExecutionState | undefined> {
  return db.transaction((tx) => endInTransaction({ tx, queue }, { workspaceId, id, now: clock.now() }, error))
}

/** As `endAsFailed`, inside the caller's transaction. */
export async function endInTransaction(
  { tx, queue }: { readonly tx: Sql; readonly queue: Pick<Queue, 'add'> },
  { workspaceId, id, now }: Place & { readonly now: Date },
  error: ExecutionError,
): Promise<ExecutionState | undefined> {
  if (!(await lockUnended(tx, { workspaceId, id }))) return undefined
  // Read after the lock, when no run can add to it.
  const usage = usageOf(await listSteps(tx, { workspaceId, id }))
  const execution = await failExecution(tx, { workspaceId, id, error, usage, now })
  await forgetAwaited(tx, { workspaceId, id })
  if (execution.startedAt !== null) await releaseLost(tx, payerOf(execution), now)
  await announceEnd({ tx, queue }, execution, now)
  if (!execution.isRetained) {
    const original = await findOriginal(tx, { workspaceId, id })
    if (original) await forgetWork(tx, { ...original, now })
  }
  return execution
}

/**
 * Pauses an execution: a waiting one does not start, a running one stops after recording its current step. Faults `missing`, and `conflict`
 * when it is neither enqueued nor running.
 */
export async function pause(parts: ControlParts, where: Place): Promise<ExecutionState> {
  const { db, clock, queue } = parts
  const { workspaceId, id } = await loadExecution(parts, where)
  const paused = await db.transaction((tx) => pauseInTransaction({ tx, queue }, { workspaceId, id, now: clock.now() }))
  return paused ?? refuse(parts, { workspaceId, id }, { done: 'paused', from: allowedBefore('paused') })
}

/** As `pause`, inside the caller's transaction. Undefined: it cannot be paused. */
export async function pauseInTransaction(
  { tx, queue }: { readonly tx: Sql; readonly queue: Pick<Queue, 'add'> },
  { workspaceId, id, now }: Place & { readonly now: Date },
): Promise<ExecutionState | undefined> {
  const execution = await pauseExecution(tx, { workspaceId, id, now, movesMax: limits.executionMovesMax })
  if (execution) await announceEnd({ tx, queue }, execution, now)
  return execution
}

/**
 * Resumes a paused execution, or one that failed for a temporary reason, from its transcript; optionally with another cost limit. Faults
 * `missing`, and `conflict` when it is neither, when its content was not kept, or when its budget does not cover the call that it was
 * paused before.
 */
export async function resume(
  parts: ControlParts,
  where: Place & { maxCostMicros?: number | null },
): Promise<ExecutionState> {
  const { db, clock, queue } = parts
  const execution = await loadExecution(parts, where)
  const { workspaceId, id, tier } = execution
  if (execution.status === 'paused') await refuseWithoutRoom(parts, execution, where.maxCostMicros ?? null)
  // Query before the transaction, which must not wait for a second connection.
  const turn = await parts.intake.admission.turnAgain(tier)
  const resumed = await db.transaction(async (tx) => {
    const { maxCostMicros = null } = where
    const execution = await resumeExecution(tx, { workspaceId, id, maxCostMicros, now: clock.now() })
    if (execution)
      await queue.add(
        tx,
        topicOf[execution.tier],
        { workspaceId, id, number: execution.job },
        { turn, group: workspaceId },
      )
    return execution
  })
  return resumed ?? refuseToResume(parts, { workspaceId, id })
}

async function refuseToResume(parts: ControlParts, place: Place): Promise<never> {
  const execution = await loadExecution(parts, place)
  const { status, error, approval } = execution
  if (status === 'paused' && approval?.decision === null)
    throw new Fault('conflict', 'not_allowed_now', 'The execution waits for an approval: approve or reject it')
  if (status !== 'failed' || !error) return refuse(parts, place, { done: 'resumed', from: ['paused'] })
  refuseUnretained(execution)
  if (!isResumable(error.code))
    throw new Fault(
      'conflict',
      'not_allowed_now',
      `The execution failed with ${error.code} and cannot be resumed: only paused executions and failures with poison, timeout or provider_… can. Rerun it to execute its request again`,
    )
  throw new Fault(
    'conflict',
    'not_allowed_now',
    `The execution cannot be resumed: a retry of its batch executed its item again, its steps are no longer retained, or it was already paused and resumed ${limits.executionMovesMax} times. Rerun it to execute its request again`,
  )
}

/** Executions that one call resumes in parallel. */
const resumedAtOnce = 8

/** Resumes each of these executions if possible, and reports why the others cannot be resumed. */
export async function resumeMany(
  parts: ControlParts,
  { workspaceId, ids }: { workspaceId: string; ids: Iterable<string> },
): Promise<{
  readonly resumed: number
  readonly refused: readonly { readonly id: string; readonly reason: string }[]
}> {
  const refused: { readonly id: string; readonly reason: string }[] = []
  const waiting = [...new Set([...ids].map((id) => id.toLowerCase()))]
  const asked = waiting.length
  for (let at = 0; at < asked; at += resumedAtOnce)
    await Promise.all(
      waiting.slice(at, at + resumedAtOnce).map(async (id) => {
        try {
          await resume(parts, { workspaceId, id })
        } catch (error) {
          // An error that no execution caused ends the call; a repeated call continues where this one ended.
          if (!(error instanceof Fault) || (error.kind !== 'conflict' && error.kind !== 'missing')) throw error
          refused.push({ id, reason: error.message })
        }
      }),
    )
  const placeOf = (id: string) => waiting.indexOf(id)
  return { resumed: asked - refused.length, refused: refused.sort((one, other) => placeOf(one.id) - placeOf(other.id)) }
}

/** It would be paused again at once. */
async function refuseWithoutRoom(
  { db, clock }: ControlParts,
  execution: ExecutionState,
  maxCostMicros: number | null,
): Promise<void> {
  const { refusedMicros } = execution.usage
  if (refusedMicros === undefined) return
  const payer = { ...payerOf(execution), executionMicrosMax: maxCostMicros ?? execution.maxCostMicros }
  const refusal = await findRefusal(db, payer, { micros: refusedMicros, now: clock.now() })
  if (!refusal) return
  const spent = `The execution has cost $${dollarsOf(refusal.committed)} so far`
  const remedy =
    refusal.refused === 'execution'
      ? `resume it with a max_cost_dollars of $${dollarsOf(refusal.committed + refusedMicros)} or more`
      : 'resume it on another day (UTC), or cancel it'
  throw new Fault('conflict', 'no_room_in_budget', `${spent}. ${refusal.message}; ${remedy}`)
}

async function refuse(
  parts: ControlParts,
  place: Place,
  move: { done: string; from: readonly Status[] },
): Promise<never> {
  const { status } = await loadExecution(parts, place)
  if (move.from.includes(status))
    throw new Fault(
      'conflict',
      'too_many_moves',
      `The execution was paused and resumed ${limits.executionMovesMax} times, which is the limit; it can only be cancelled or run to its end`,
    )
  const last = move.from.at(-1)
  const allowed = move.from.length === 1 ? last : `${move.from.slice(0, -1).join(', ')} or ${last}`
  throw new Fault(
    'conflict',
    'not_allowed_now',
    `The execution is ${status}; only one that is ${allowed} can be ${move.done}`,
  )
}
