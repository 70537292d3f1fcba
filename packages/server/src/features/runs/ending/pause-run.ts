import { Fault } from '@skillrun/core/fault.ts'
import { retryWhileUnavailable } from '../../../adapters/db/retry-while-unavailable.ts'
import type { Job } from '../../../adapters/queue/queue.ts'
import { limits } from '../../../core/limits.ts'
import { ApprovalNeeded, requestApproval } from '../../approvals/approvals.ts'
import {
  announceEnd,
  type Ending,
  findExecution,
  findHeldEnding,
  pauseRun,
  usageOf,
} from '../../executions/executions.ts'
import { BudgetSpent } from '../budget.ts'
import type { EngineParts, WorkerParts } from '../parts.ts'
import { releaseOfRun } from '../reserve-price.ts'
import { type Run, RunSuperseded } from '../run-state.ts'
import { writeLate } from '../transcript.ts'
import { withNeedsLook } from './write-end.ts'

/**
 * Pauses a run whose error says that it needs an approval or a higher budget. Undefined: it is paused; otherwise the error that it fails with.
 * Throws RunSuperseded.
 */
export async function pauseFor(
  error: unknown,
  parts: EngineParts,
  worker: WorkerParts,
  { run, job }: { run: Run; job: Job },
): Promise<unknown> {
  if (error instanceof ApprovalNeeded) {
    const isPaused = await pauseForDecision(parts, worker, { run, job, ending: null, needed: error })
    return isPaused ? undefined : tooManyPauses(parts, run, 'another approval')
  }
  if (!(error instanceof BudgetSpent)) return error
  if (!(await pauseForBudget({ ...parts, queue: worker.queue }, { run, job, error })))
    return tooManyPauses(parts, run, 'a higher limit of cost')
  worker.telemetry.count('budget_pauses', { tier: run.execution.tier })
  return undefined
}

/** Pauses a run until a person decides. False: it cannot be paused any more, or must stop. */
export async function pauseForDecision(
  parts: EngineParts,
  { queue }: Pick<WorkerParts, 'queue'>,
  of: { run: Run; job: Job; ending: Ending | null; needed: ApprovalNeeded | null },
): Promise<boolean> {
  const { run, job, ending, needed } = of
  const { execution, fence, warnings } = run
  const { clock } = parts
  const signing = { clock, signingSecret: parts.storage.signingSecret }
  const usage =
    ending?.usage ?? usageOf(run.transcript, needed ? `Waits for the approval of ${needed.tool}` : undefined)
  return retryWhileUnavailable(parts, run.signal, () =>
    parts.db.transaction(async (tx) => {
      const now = clock.now()
      await writeLate(tx, run)
      const held = ending && { ending: await withNeedsLook(tx, run, ending), warnings }
      if (!(await requestApproval({ tx, queue, signing }, { execution, fence, needed, held, usage, now }))) return false
      await releaseOfRun(tx, run, now)
      await job.completeIn(tx)
      return true
    }),
  )
}

/** Pauses a run that may not spend more, with its work, until it is resumed. False: it cannot be paused any more, or must stop. */
async function pauseForBudget(
  parts: Pick<EngineParts, 'db' | 'clock'> & Pick<WorkerParts, 'queue'>,
  { run, job, error }: { run: Run; job: Job; error: BudgetSpent },
): Promise<boolean> {
  const { db, clock, queue } = parts
  const { refused, message, micros } = error.refusal
  const usage = { ...usageOf(run.transcript, message), refusedMicros: micros, refusedBy: refused }
  return db.transaction(async (tx) => {
    const now = clock.now()
    await writeLate(tx, run)
    const paused = await pauseRun(tx, run.fence, { now, movesMax: limits.executionMovesMax, usage })
    if (!paused) return false
    await releaseOfRun(tx, run, now)
    await job.completeIn(tx)
    await announceEnd({ tx, queue }, paused, now)
    return true
  })
}

/** The error of a run that has been paused too often to pause again. Throws RunSuperseded if the run must stop anyway, for instance because a person paused it. */
export async function tooManyPauses({ db }: EngineParts, { fence }: Run, needed: string): Promise<Fault> {
  const execution = await findExecution(db, fence)
  if (execution?.status !== 'running' || execution.attempt !== fence.attempt)
    throw new RunSuperseded(`the execution is ${execution?.status}`)
  return new Fault(
    'invalid',
    'too_many_pauses',
    `The execution needs ${needed}, and has been paused as often as an execution may be`,
  )
}

/** The answer that a person approved, exactly as shown; undefined: none waited. */
export async function approvedEnding(parts: EngineParts, run: Run): Promise<Ending | undefined> {
  const { approval } = run.execution
  if (approval?.waitingFor !== 'completion' || approval.decision !== 'approve') return undefined
  const held = await findHeldEnding(parts.db, run.fence)
  if (held === null) return undefined
  run.warnings.push(...held.warnings)
  return { ...held.ending, now: parts.clock.now() }
}
