import { type Clock, later, steadyClock } from '@skillrun/core/clock.ts'
import { Fault } from '@skillrun/core/fault.ts'
import { isDiskFull } from '../../adapters/blobs/blobs.ts'
import type { Sql } from '../../adapters/db/db.ts'
import { isUnavailable, retryWhileUnavailable } from '../../adapters/db/retry-while-unavailable.ts'
import { ofShare } from '../../adapters/process-pool/process-pool.ts'
import { Deferred, type Job, type Queue } from '../../adapters/queue/queue.ts'
import type { Telemetry } from '../../adapters/telemetry/telemetry.ts'
import { type Deadline, startDeadline } from '../../core/deadline.ts'
import { limits } from '../../core/limits.ts'
import type { Log } from '../../core/log.ts'
import { ApprovalNeeded, needsDecision, requestApproval } from '../approvals/approvals.ts'
import { addJudged, type PathLesson } from '../cheapest-path/cheapest-path.ts'
import {
  announceEnd,
  clearLostAttempt,
  type Ending,
  type Endings,
  type ExecutionError,
  executionKey,
  findExecution,
  findHeldEnding,
  finishRun,
  forgetWork,
  hasEnded,
  listSteps,
  pauseRun,
  type RunFence,
  returnRun,
  type StartedExecution,
  type Step,
  textsOf,
  usageOf,
  usedMs,
  withSkills,
  workspaceKey,
} from '../executions/executions.ts'
import { collectBlobs } from '../files/files.ts'
import { deleteReadingsFor } from '../inputs/inputs.ts'
import { tiers } from '../pricing/pricing.ts'
import type { Processes } from '../processes/processes.ts'
import { enterQueue, looksOf, reviewRuleOf } from '../reviews/reviews.ts'
import { answer } from './answer.ts'
import { BudgetSpent } from './budget.ts'
import { observeRun } from './observe.ts'
import type { EngineParts } from './parts.ts'
import { lookAtShadowed } from './programs/judge-program.ts'
import { bookProgram, fallBackMessage } from './programs/run-program.ts'
import { releaseOfRun } from './reserve-price.ts'
import { type Run, RunSuperseded, runOf } from './run-state.ts'
import { startWithin } from './start-within.ts'
import { warnOfUsage, writeLate } from './transcript.ts'

/** The process that runs executions, and its progress reports. */
export interface WorkerParts {
  readonly queue: Pick<Queue, 'add'>
  readonly processes: Pick<Processes, 'id' | 'findGone'>
  readonly endings: Pick<Endings, 'watch' | 'deliver' | 'wake'>
  readonly telemetry: Telemetry
  readonly log: Log
  /** See `startWithin`. */
  readonly runningPerWorkspace?: number | undefined
}

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
    await finish(parts, worker, { run, job, unwatch, ending })
  } catch (error) {
    if (error instanceof RunSuperseded || error instanceof Deferred || signal.aborted || isPassing(error, job, fence))
      throw error
    await Promise.allSettled(run.calls)
    const reason = await pauseFor(error, parts, worker, { run, job })
    if (reason === undefined) return
    const known = deadline?.isOver ? timeoutFault(execution.request.timeoutSeconds) : reason
    const ending = failure({ clock: parts.clock, log: worker.log }, run, known)
    await finish(parts, worker, { run, job, unwatch, ending })
  }
}

/** Pauses a run for what it needs, if that can be given. Else why it fails. */
async function pauseFor(
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

/** An ending with what a person should check of its answer, by the review rule of now, or of when it was held for an approval. */
async function withLooks(sql: Sql, run: Run, ending: Ending): Promise<Ending> {
  if (ending.response === null || ending.needsLook) return ending
  const { execution, warnings } = run
  const rule = await reviewRuleOf(sql, execution)
  const looks = looksOf({ ...ending, warnings, schema: execution.request.schema }, rule?.below)
  return { ...ending, ...looks, ...(rule && { reviewBelow: rule.below }) }
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

/** Writes the end of a run, its consequences, and the end of its job, in one transaction. Throws RunSuperseded when there was nothing to end. */
async function finish(
  parts: EngineParts,
  { queue, endings, telemetry, log }: WorkerParts,
  { run, job, ending, unwatch }: { run: Run; job: Job; ending: Ending; unwatch: () => void },
): Promise<void> {
  const { fence, execution } = run
  const { now } = ending
  const shadowed = await lookAtShadowed(parts, run, ending)
  warnOfUsage(run)
  // From here on only the fence decides whose end counts.
  unwatch()
  const isPlain = !shadowed && isPlainEnd(run, ending)
  const texts = await textsOf(ending)
  const write = async (tx: Sql) => {
    // Independent statements: send them together.
    const [looked] = await Promise.all([withLooks(tx, run, ending), writeLate(tx, run)])
    const [written] = await Promise.all([
      finishRun(tx, fence, { ...looked, warnings: run.warnings }, texts),
      job.completeIn(tx),
    ])
    if (!written) return undefined
    const { schema } = execution.request
    const ended = looked.reviewBelow
      ? await enterQueue(tx, { execution: written, schema, below: looked.reviewBelow, now })
      : written
    if (run.lesson) await learn(tx, run, now)
    await bookProgram({ tx, clock: parts.clock, queue, shadow: parts.programs.shadow }, { run, ending, shadowed })
    // Removed with everything else of an execution that must not be kept, below.
    if (!execution.request.caching && execution.isRetained) await deleteReadingsFor(tx, execution)
    // Another run may have died during a call.
    await releaseOfRun(tx, run, now)
    await announceEnd({ tx, queue }, ended, now)
    if (!execution.isRetained) await forgetWork(tx, { ...execution, now })
    return ended
  }
  const finished = await retryWhileUnavailable(parts, run.signal, () =>
    parts.db[isPlain ? 'together' : 'transaction'](write),
  )
  log.info(
    {
      execution: fence.id,
      status: ending.status,
      attempt: fence.attempt,
      written: finished !== undefined,
      code: ending.error?.code,
    },
    'a run ended',
  )
  if (!finished) throw new RunSuperseded('the execution has ended, or another run has it')
  endings.deliver(finished)
  if (!execution.isRetained) await collectBlobs({ db: parts.db, blobs: parts.storage.blobs }, now)
  observe(telemetry, run, { ...ending, code: ending.error?.code })
}

/** Counts what a run on the cheapest path teaches. A fork may depend on results that were edited. */
async function learn(tx: Sql, { execution, lesson }: Run, now: Date): Promise<void> {
  if (!lesson || !teaches(lesson) || execution.forkedFrom !== null) return
  const { plan, ...learned } = lesson
  await addJudged(tx, { workspaceId: execution.workspaceId, ...plan, ...learned, now })
}

const teaches = ({ judged, hasFailed }: PathLesson): boolean => judged.length > 0 || hasFailed !== null

/** Whether an end consists only of a record, its job, and a callback, so that it can share a transaction with others. */
const isPlainEnd = ({ execution, fence, fellBack, lesson }: Run, { program }: Ending): boolean =>
  !(lesson && teaches(lesson)) &&
  (program ? !program.isShadowed && !program.isCounting : !fellBack && !execution.request.skills?.length) &&
  fence.attempt === 1 &&
  execution.isRetained &&
  execution.request.caching

function observe(
  telemetry: Telemetry,
  run: Run,
  end: Pick<Ending, 'status' | 'usage' | 'now'> & { code: string | undefined },
) {
  const { execution, fence, transcript, startedAt } = run
  observeRun(telemetry, {
    ...end,
    execution,
    transcript,
    attempt: fence.attempt,
    runStartedAt: startedAt,
    endedAt: end.now,
  })
}

/** Why a run fails that could not pause for what it needs. Throws RunSuperseded if it must stop anyway, as when a person paused it. */
async function tooManyPauses({ db }: EngineParts, { fence }: Run, needed: string): Promise<Fault> {
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
async function approvedEnding(parts: EngineParts, run: Run): Promise<Ending | undefined> {
  const { approval } = run.execution
  if (approval?.waitingFor !== 'completion' || approval.decision !== 'approve') return undefined
  const held = await findHeldEnding(parts.db, run.fence)
  if (held === null) return undefined
  run.warnings.push(...held.warnings)
  return { ...held.ending, now: parts.clock.now() }
}

/** Pauses a run until a person decides. False: it cannot be paused any more, or must stop. */
async function pauseForDecision(
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
      const held = ending && { ending: await withLooks(tx, run, ending), warnings }
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
  const usage = { ...usageOf(run.transcript, error.refusal.message), refusedMicros: error.refusal.micros }
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

/** A failure to retry: sometimes for external causes, always for our own database, disk or process pool. */
function isPassing(error: unknown, job: Job, { attempt }: RunFence): boolean {
  if (isDiskFull(error)) return true
  if (!(error instanceof Fault) || !error.retryable || error.code === 'timeout') return false
  // The provider has been retried already, for as long as that makes sense.
  if (error.code.startsWith('provider_')) return false
  const isClosing = error.code === 'process_pool_closed' || error.code === 'sandbox_closed'
  // A job may come back without a run: its workspace had no room.
  const runs = Math.min(job.retries, attempt - 1)
  return runs < retriesMax || error.code.startsWith('database_') || isUnavailable(error) || isClosing
}

const internalError: ExecutionError = {
  code: 'internal',
  message: 'An internal error occurred; see the server log',
  retryable: false,
}

function failure(parts: { clock: Clock; log: Log }, run: Run, error: unknown): Ending {
  const isFault = error instanceof Fault
  if (!isFault) parts.log.error({ execution: run.fence.id, error }, 'a run failed unexpectedly')
  return {
    status: 'failed',
    response: null,
    evidence: null,
    error: isFault ? { code: error.code, message: error.message, retryable: error.retryable } : internalError,
    usage: usageOf(run.transcript, fallBackMessage(run)),
    now: parts.clock.now(),
  }
}
