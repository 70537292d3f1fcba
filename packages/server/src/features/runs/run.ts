import { later, steadyClock } from '@skillrun/core/clock.ts'
import { Fault } from '@skillrun/core/fault.ts'
import { isDiskFull } from '../../adapters/blobs/blobs.ts'
import { isUnavailable, retryWhileUnavailable } from '../../adapters/db/retry-while-unavailable.ts'
import { ofShare } from '../../adapters/process-pool/process-pool.ts'
import { Deferred, type Job } from '../../adapters/queue/queue.ts'
import { type Deadline, startDeadline } from '../../core/deadline.ts'
import { limits } from '../../core/limits.ts'
import { needsDecision } from '../approvals/approvals.ts'
import {
  clearLostAttempt,
  executionKey,
  findExecution,
  hasEnded,
  listSteps,
  type RunFence,
  returnRun,
  type StartedExecution,
  type Step,
  usedMs,
  withSkills,
  workspaceKey,
} from '../executions/executions.ts'
import { tiers } from '../pricing/pricing.ts'
import { answer } from './answer.ts'
import { approvedEnding, pauseFor, pauseForDecision, tooManyPauses } from './ending/pause-run.ts'
import { failedEnding, writeEnd } from './ending/write-end.ts'
import type { EngineParts, WorkerParts } from './parts.ts'
import { releaseOfRun } from './reserve-price.ts'
import { type Run, RunSuperseded, runOf } from './run-state.ts'
import { startWithin } from './start-within.ts'

/** Retries of a temporary failure before the execution fails with it. */
const retriesMax = 2

/**
 * Runs an execution to its end, or as far as this worker gets: another run continues from the transcript. Returns when the end is written
 * (by this run or another) or the execution was paused; throws when the queue should retry the job.
 */
export async function runExecution(
  parts: EngineParts,
  worker: WorkerParts,
  { job, signal }: { job: Job; signal: AbortSignal },
): Promise<void> {
  const { db, clock } = parts
  const place = { workspaceId: String(job.data['workspaceId']), id: String(job.data['id']) }
  const start = {
    ...place,
    job: Number(job.data['number']),
    jobAttempt: job.retries,
    processId: worker.processes.id,
    now: clock.now(),
  }
  const handed = job.handed as StartedExecution | undefined
  const started = handed ?? (await startWithin(db, start, worker.runningPerWorkspace))
  if (!started) return
  if (String(started.attempt - 1) in started.lostAttempts)
    worker.telemetry.count('runs_taken_over', { tier: started.tier })
  // Other processes are not notified: watchers of a list there poll unfinished executions.
  worker.endings.wake(workspaceKey(place.workspaceId))
  const execution = { ...started, request: withSkills(started.request, parts.tools.extra) }
  const fence = { ...place, attempt: execution.attempt }
  const ended = new AbortController()
  const unwatch = worker.endings.watch(executionKey(place), () => {
    void isSuperseded(parts, fence).then((over) => {
      if (over) ended.abort(new RunSuperseded('the execution has ended'))
    })
  })
  try {
    const share = { group: place.workspaceId, rank: tiers.indexOf(execution.tier) }
    const own = { ...parts, processPool: ofShare(parts.processPool, share) }
    const stop = AbortSignal.any([signal, ended.signal])
    await runToEnd(own, worker, { execution, fence, job, signal: stop, unwatch })
  } catch (error) {
    const isOver = error instanceof RunSuperseded || ended.signal.aborted
    if (isOver || !(await retryWhileUnavailable(parts, signal, () => returnRun(db, fence, clock.now()))))
      // Another run may have taken over while this process stalled or could not reach the database: it did not crash.
      await retryWhileUnavailable(parts, signal, () => clearLostAttempt(db, fence))
    if (!isOver) throw error
  } finally {
    unwatch()
  }
}

/** Answers and writes the end, or pauses. Throws RunSuperseded, errors to retry, and the reason of a stop from outside. */
async function runToEnd(
  given: EngineParts,
  worker: WorkerParts,
  at: { execution: StartedExecution; fence: RunFence; job: Job; signal: AbortSignal; unwatch: () => void },
): Promise<void> {
  const { execution, fence, job, signal, unwatch } = at
  // A first run has no transcript, unless it is a fork.
  const transcript = fence.attempt === 1 && execution.forkedFrom === null ? [] : await listSteps(given.db, fence)
  const parts = { ...given, clock: steadyClock(given.clock, lastTimeOf(execution, transcript)) }
  using deadline = deadlineOf(execution, signal, parts.clock.now())
  const run = runOf(execution, {
    fence,
    transcript,
    signal: deadline?.signal ?? signal,
    deadline,
    startedAt: parts.clock.now(),
  })
  try {
    await refusePoison(worker, run, execution)
    // Otherwise the reservations of a dead run would block this one.
    if (fence.attempt > 1) await parts.db.transaction((tx) => releaseOfRun(tx, run, parts.clock.now()))
    const ending = (await approvedEnding(parts, run)) ?? (await answer(parts, run))
    if (ending.status === 'completed' && needsDecision(execution)) {
      if (await pauseForDecision(parts, worker, { run, job, ending, needed: null })) return
      throw await tooManyPauses(parts, run, 'another approval')
    }
    await writeEnd(parts, worker, { run, job, unwatch, ending })
  } catch (error) {
    if (error instanceof RunSuperseded || error instanceof Deferred || signal.aborted || shouldRetry(error, job, fence))
      throw error
    await Promise.allSettled(run.calls)
    const reason = await pauseFor(error, parts, worker, { run, job })
    if (reason === undefined) return
    const known = deadline?.isOver ? timeoutFault(execution.request.timeoutSeconds) : reason
    const ending = failedEnding({ clock: parts.clock, log: worker.log }, run, known)
    await writeEnd(parts, worker, { run, job, unwatch, ending })
  }
}

/** The latest recorded time of an execution. */
const lastTimeOf = ({ createdAt, moves }: StartedExecution, transcript: readonly Step[]): Date =>
  [...moves.map(({ at }) => new Date(at)), ...transcript.map(({ endedAt }) => endedAt)].reduce(later, createdAt)

/** Whether a run must stop because its execution has ended or another run has it. */
async function isSuperseded({ db }: Pick<EngineParts, 'db'>, fence: RunFence): Promise<boolean> {
  // If the database does not answer, the fence still keeps this run from writing.
  const execution = await findExecution(db, fence).catch(() => undefined)
  return execution !== undefined && (hasEnded(execution.status) || execution.attempt !== fence.attempt)
}

/** The deadline of the request, which counts the time that `usedMs` does. */
function deadlineOf({ request, moves }: StartedExecution, signal: AbortSignal, now: Date): Deadline | undefined {
  if (request.timeoutSeconds === null) return undefined
  return startDeadline(signal, Math.max(0, Math.ceil(request.timeoutSeconds * 1000 - usedMs(moves, now))))
}

/**
 * Refuses to run an execution that has crashed too many processes since its last recorded step. Attempts lost without a crash, because a
 * process stalled or the database was away, do not count. Throws Deferred while the fate of a process decides and is unknown: another
 * process might crash for nothing.
 */
async function refusePoison(
  { processes }: Pick<WorkerParts, 'processes'>,
  run: Run,
  { lostAttempts }: StartedExecution,
): Promise<void> {
  const lastStep = run.transcript.at(-1)?.attempt ?? 0
  const lost = Object.entries(lostAttempts).flatMap(([attempt, id]) => (Number(attempt) >= lastStep ? [id] : []))
  if (lost.length === 0) return
  const { gone: crashes, undecidedMs } = await processes.findGone(lost)
  const lacking = limits.crashesMax - crashes
  if (lacking > undecidedMs.length) return
  if (lacking > 0) {
    const decidedInMs = undecidedMs.toSorted((left, right) => left - right)[lacking - 1] ?? limits.processMissingMs
    throw new Deferred('it is not known yet whether processes that ran the execution have crashed', decidedInMs, {
      defersGroup: false,
    })
  }
  throw new Fault(
    'invalid',
    'poison',
    `${crashes} server processes in a row crashed or were killed while running this execution; it is not retried`,
  )
}

const timeoutFault = (seconds: number | null): Fault =>
  new Fault('timeout', 'timeout', `The execution exceeded its timeout_seconds of ${seconds}`)

/** Whether the queue should retry the job: always for failures of our own database, disk or process pool, a few times for others that may pass. */
function shouldRetry(error: unknown, job: Job, { attempt }: RunFence): boolean {
  if (isDiskFull(error)) return true
  if (!(error instanceof Fault) || !error.retryable || error.code === 'timeout') return false
  // The provider has been retried already, for as long as that makes sense.
  if (error.code.startsWith('provider_')) return false
  const isClosing = error.code === 'process_pool_closed' || error.code === 'sandbox_closed'
  // A job may come back without a run: its workspace had no room.
  const runs = Math.min(job.retries, attempt - 1)
  return runs < retriesMax || error.code.startsWith('database_') || isUnavailable(error) || isClosing
}
