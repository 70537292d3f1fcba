import type { Clock } from '@skillrun/core/clock.ts'
import { Fault } from '@skillrun/core/fault.ts'
import type { Sql } from '../../../adapters/db/db.ts'
import { retryWhileUnavailable } from '../../../adapters/db/retry-while-unavailable.ts'
import type { Job } from '../../../adapters/queue/queue.ts'
import type { Log } from '../../../core/log.ts'
import { addJudged, type PathLesson } from '../../cheapest-path/cheapest-path.ts'
import {
  announceEnd,
  type Ending,
  type ExecutionError,
  finishRun,
  forgetWork,
  textsOf,
  usageOf,
} from '../../executions/executions.ts'
import { collectBlobs } from '../../files/files.ts'
import { deleteParsedDocumentsFor } from '../../inputs/inputs.ts'
import { enterQueue, looksOf, reviewRuleOf } from '../../reviews/reviews.ts'
import type { EngineParts, WorkerParts } from '../parts.ts'
import { bookProgram } from '../programs/book-program.ts'
import { judgeProgramAnswer } from '../programs/judge-program.ts'
import { fallBackMessage } from '../programs/run-program.ts'
import { releaseOfRun } from '../reserve-price.ts'
import { type Run, RunSuperseded } from '../run-state.ts'
import { warnOfUsage, writeLate } from '../transcript.ts'
import { observeRun } from './observe-run.ts'

/**
 * Writes the end of a run, what follows from it (review, callback, judgement of a program, released reservations) and the end of its job, in
 * one transaction. Throws RunSuperseded if the execution had ended or another run has it.
 */
export async function writeEnd(
  parts: EngineParts,
  { queue, endings, telemetry, log }: WorkerParts,
  { run, job, ending, unwatch }: { run: Run; job: Job; ending: Ending; unwatch: () => void },
): Promise<void> {
  const { fence, execution } = run
  const { now } = ending
  const shadowed = await judgeProgramAnswer(parts, run, ending)
  warnOfUsage(run)
  // From here on only the fence decides whose end counts.
  unwatch()
  const isPlain = !shadowed && isPlainEnd(run, ending)
  const texts = await textsOf(ending)
  const write = async (tx: Sql) => {
    // Independent statements: send them together.
    const [checked] = await Promise.all([withNeedsLook(tx, run, ending), writeLate(tx, run)])
    const [written] = await Promise.all([
      finishRun(tx, fence, { ...checked, warnings: run.warnings }, texts),
      job.completeIn(tx),
    ])
    if (!written) return undefined
    const { schema } = execution.request
    const ended = checked.reviewBelow
      ? await enterQueue(tx, { execution: written, schema, below: checked.reviewBelow, now })
      : written
    if (run.lesson) await learn(tx, run, now)
    await bookProgram({ tx, clock: parts.clock, queue, shadow: parts.programs.shadow }, { run, ending, shadowed })
    // Removed with everything else of an execution that must not be kept, below.
    if (!execution.request.caching && execution.isRetained) await deleteParsedDocumentsFor(tx, execution)
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
  observeRun(telemetry, run, ending)
}

/** Counts what a run on the cheapest path teaches, except a fork: its results may have been edited. */
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

/** The ending with the values that a person should check, by the current review rule; unchanged if it has them from when it was held for an approval. */
export async function withNeedsLook(sql: Sql, run: Run, ending: Ending): Promise<Ending> {
  if (ending.response === null || ending.needsLook) return ending
  const { execution, warnings } = run
  const rule = await reviewRuleOf(sql, execution)
  const toCheck = looksOf({ ...ending, warnings, schema: execution.request.schema }, rule?.below)
  return { ...ending, ...toCheck, ...(rule && { reviewBelow: rule.below }) }
}

const internalError: ExecutionError = {
  code: 'internal',
  message: 'An internal error occurred; see the server log',
  retryable: false,
}

/** The ending of a run that failed with this error. */
export function failedEnding(parts: { clock: Clock; log: Log }, run: Run, error: unknown): Ending {
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
