import { answerJob, type EmbeddedAnswer } from '../../agent/embedded/answer.ts'
import { groundedAnswer } from '../../agent/grounding.ts'
import { Bug } from '../../kit/assert.ts'
import { Fault } from '../../kit/fault.ts'
import type { Json } from '../../kit/json.ts'
import { limits } from '../../kit/limits.ts'
import type { Log } from '../../kit/log.ts'
import type { Micros } from '../../kit/money.ts'
import { type Reading, readingJob } from '../../media/reading.ts'
import type { Job } from '../../seams/queue/queue.ts'
import type { Workshop } from '../../seams/workshop/workshop.ts'
import { type BringParts, withBytes } from './bring.ts'
import type { Execution, ExecutionError, ExecutionInput, Step, Usage } from './execution.ts'
import { findReading, keepReading } from './readings.ts'
import { type Ending, finishRun, insertStep, listSteps, type RunFence, returnRun, startRun } from './store.ts'
import { announceEnd } from './waiting.ts'

export interface RunParts extends BringParts {
  readonly workshop: Workshop
  readonly log: Log
  /** The fixed price of one call of a tool or engine. */
  readonly toolPrice: (name: string) => Micros
}

/** A passing failure is tried again this often before the execution fails with it. */
const retriesMax = 2

/** One run in progress: its fence, its transcript so far, and when it must be over. */
interface Run {
  readonly execution: Execution
  readonly fence: RunFence
  readonly transcript: Step[]
  readonly signal: AbortSignal
}

interface NamedReading {
  readonly input: string
  readonly reading: Reading
}

/**
 * Runs an execution to its end, or as far as this worker gets: the transcript holds what was done, and another run goes on
 * from there. Returns when the end is written (by this run or another); throws when the job is to be given out again.
 */
export async function runExecution(parts: RunParts, job: Job, signal: AbortSignal): Promise<void> {
  const { db, clock, log } = parts
  const place = { workspaceId: String(job.data['workspaceId']), id: String(job.data['id']) }
  const execution = await startRun(db, { ...place, now: clock.now() })
  if (!execution) return
  const fence = { ...place, attempt: execution.attempt }
  const seconds = execution.request.timeoutSeconds
  const deadline = seconds === null ? undefined : AbortSignal.timeout(Math.ceil(seconds * 1000))
  const run: Run = {
    execution,
    fence,
    transcript: [...(await listSteps(db, place))],
    signal: deadline ? AbortSignal.any([signal, deadline]) : signal,
  }
  let ending: Ending
  try {
    refusePoison(execution)
    ending = await answer(parts, run)
  } catch (error) {
    if (signal.aborted || isPassing(error, job)) {
      await returnRun(db, fence)
      throw error
    }
    ending = failure(parts, run, deadline?.aborted ? timeoutFault(seconds) : error)
  }
  const written = await db.transaction(async (tx) => {
    const finished = await finishRun(tx, fence, ending)
    await job.completeIn(tx)
    if (finished) await announceEnd(tx, place.id)
    return finished
  })
  log.info(
    { execution: place.id, status: ending.status, attempt: fence.attempt, written, code: ending.error?.code },
    'a run ended',
  )
}

function refusePoison(execution: Execution): void {
  if (execution.deaths < limits.workerDeathsMax) return
  throw new Fault(
    'invalid',
    'poison',
    `The worker died ${execution.deaths} times while it ran this execution; it is not tried again`,
  )
}

const timeoutFault = (seconds: number | null): Fault =>
  new Fault('timeout', 'timeout', `The execution took longer than its timeout_seconds of ${seconds}`)

const isPassing = (error: unknown, job: Job): boolean =>
  error instanceof Fault && error.retryable && error.code !== 'timeout' && job.retries < retriesMax

async function answer(parts: RunParts, run: Run): Promise<Ending> {
  const { request } = run.execution
  const readings = await readInputs(parts, run)
  const embedded = await askEmbedded(parts, run, readings)
  const violated = embedded.violations.length > 0
  const message =
    run.execution.request.programAsked && run.execution.model.startsWith('svc-agent-2')
      ? 'Ran as agent: there is no ready program for this request'
      : undefined
  return {
    status: violated ? 'failed' : 'completed',
    response: request.grounded ? groundedAnswer(embedded.answer, embedded.evidence) : embedded.answer,
    evidence: embedded.evidence,
    error: violated ? violationError(embedded) : null,
    usage: usageOf(run, readings, message),
    now: parts.clock.now(),
  }
}

/** Every input as positioned words, side by side; the first failure stops the others. */
async function readInputs(parts: RunParts, run: Run): Promise<NamedReading[]> {
  const stopped = new AbortController()
  const signal = AbortSignal.any([run.signal, stopped.signal])
  const inputs = run.execution.request.inputs.filter(
    (input) => input.source.kind !== 'text' || input.source.text.trim() !== '',
  )
  const failures: unknown[] = []
  const readings = await Promise.all(
    inputs.map(async (input) => {
      try {
        return [{ input: input.name, reading: await readInput(parts, { ...run, signal }, input) }]
      } catch (error) {
        failures.push(
          error instanceof Fault
            ? new Fault(error.kind, error.code, `inputs.${input.name}: ${error.message}`, { cause: error })
            : error,
        )
        stopped.abort(error)
        return []
      }
    }),
  )
  if (failures.length > 0) throw failures[0]
  return readings.flat()
}

async function readInput(parts: RunParts, run: Run, input: ExecutionInput): Promise<Reading> {
  const { db, clock, workshop } = parts
  const { workspaceId } = run.fence
  const { caching, pageIndices } = run.execution.request
  const variant = pageIndices ? `pages ${pageIndices.join(',')}` : 'all pages'
  const startedAt = clock.now()
  return withBytes(parts, { workspaceId, input, signal: run.signal }, async ({ path, sha256, bytes }) => {
    const kept = caching ? await findReading(db, { workspaceId, sha256, variant }) : undefined
    const terms = { wallMs: limits.readWallMs, memoryMb: limits.readMemoryMb, signal: run.signal }
    const reading = kept ?? (await workshop.run(readingJob, { path, ...(pageIndices ? { pageIndices } : {}) }, terms))
    if (!kept && caching) await keepReading(db, { workspaceId, sha256, variant, reading, now: clock.now() })
    const { packed: _packed, ...result } = reading
    await record(parts, run, {
      kind: 'tool',
      name: 'document.read',
      detail: { input: input.name, bytes, sha256: sha256.toString('hex'), pages: variant },
      result: { ...result, cached: kept !== undefined },
      startedAt,
    })
    return reading
  })
}

/** Asks the embedded engine once: an answer that the transcript already holds is not asked for again. */
async function askEmbedded(parts: RunParts, run: Run, readings: readonly NamedReading[]): Promise<EmbeddedAnswer> {
  const recorded = run.transcript.find((step) => step.kind === 'model')
  if (recorded) return recorded.result as unknown as EmbeddedAnswer
  const { values, schema, prompt } = run.execution.request
  const startedAt = parts.clock.now()
  const documents = readings.map(({ input, reading }) => ({ input, packed: reading.packed }))
  const terms = { wallMs: limits.extractWallMs, memoryMb: limits.extractMemoryMb, signal: run.signal }
  const answered = await parts.workshop
    .run(answerJob, { documents, values, schema, prompt }, terms)
    .catch(blameTheEngine)
  await record(parts, run, {
    kind: 'model',
    name: 'embedded',
    detail: { inputs: readings.map((one) => one.input) },
    result: answered as unknown as Json,
    startedAt,
  })
  return answered
}

/** Readings are our own and sound: an engine that fails on them without a word of its own has a bug. */
function blameTheEngine(error: unknown): never {
  if (error instanceof Fault && error.code === 'unreadable_input')
    throw new Bug('the embedded engine failed', { cause: error.cause })
  throw error
}

/** Writes a step before it is used. A run that has lost its lease ends here. A tool call that is there already stays. */
async function record(
  parts: RunParts,
  run: Run,
  step: Pick<Step, 'kind' | 'name' | 'detail' | 'result' | 'startedAt'>,
): Promise<void> {
  if (run.transcript.some((earlier) => earlier.name === step.name && isSameCall(earlier.detail, step.detail))) return
  const full: Step = {
    ...step,
    seq: run.transcript.length + 1,
    attempt: run.fence.attempt,
    costMicros: parts.toolPrice(step.name),
    endedAt: parts.clock.now(),
  }
  run.transcript.push(full)
  if (!(await insertStep(parts.db, run.fence, full)))
    throw new Fault('unavailable', 'lease_lost', 'Another worker has taken this execution up')
}

const isSameCall = (left: Json, right: Json): boolean => JSON.stringify(left) === JSON.stringify(right)

function violationError({ violations }: EmbeddedAnswer): ExecutionError {
  const told = violations.map(({ pointer, message }) => `${pointer || 'the answer'} ${message}`).join('; ')
  return {
    code: 'schema_violation',
    message: `The answer does not hold against the schema: ${told}. What was found is kept in response; let a field be null or leave it out of required where it may be missing`,
    retryable: false,
  }
}

const internalError: ExecutionError = {
  code: 'internal',
  message: 'Something went wrong on our side; the log of the server holds the cause',
  retryable: false,
}

function failure(parts: RunParts, run: Run, error: unknown): Ending {
  const isFault = error instanceof Fault
  if (!isFault) parts.log.error({ execution: run.fence.id, error }, 'a run met a bug')
  return {
    status: 'failed',
    response: null,
    evidence: null,
    error: isFault ? { code: error.code, message: error.message, retryable: error.retryable } : internalError,
    usage: usageOf(run, [], undefined),
    now: parts.clock.now(),
  }
}

function usageOf(run: Run, readings: readonly NamedReading[], message: string | undefined): Usage {
  const onlyImages = readings.length > 0 && readings.every(({ reading }) => reading.mediaType.startsWith('image/'))
  return {
    ...(readings.length === 0
      ? {}
      : {
          elementsProcessed: readings.reduce((sum, { reading }) => sum + reading.pagesRead, 0),
          elementType: onlyImages ? 'image' : 'page',
        }),
    steps: run.transcript.length,
    standardMicros: run.transcript.reduce((sum, step) => sum + step.costMicros, 0),
    ...(message === undefined ? {} : { message }),
  }
}
