import type { Warning } from '@skillrun/reader/evidence/warnings.ts'
import type { PackedDocument } from '@skillrun/reader/media/packed-document.ts'
import { type Deadline, startDeadline } from '../../core/deadline.ts'
import type { PathLesson } from '../cheapest-path/cheapest-path.ts'
import { type Execution, isOwn, type RunFence, type Step } from '../executions/executions.ts'
import type { WithheldAnswer } from '../programs/programs.ts'

/** One active run: its fence, its transcript so far, and its deadline. */
export interface Run {
  /** See `withRequest`. */
  execution: Execution
  /** The request as it was made, also while a part of it is answered. */
  readonly whole: Execution['request']
  readonly fence: RunFence
  readonly transcript: Step[]
  /** See `inHalfTheTime`. */
  signal: AbortSignal
  /** The time limit of the request, if any. */
  readonly deadline: Deadline | undefined
  /** When this worker began. */
  readonly startedAt: Date
  /** Why a request for a program runs as an agent, and the program if any, with its answer if that was withheld; null until then. */
  fellBack: {
    readonly programId: string | null
    readonly because: string
    readonly withheld?: WithheldAnswer
    /** The answer of a program that declined because the document has too many new words. */
    readonly novel?: WithheldAnswer
    /** The program must be tested again, see `Declined.isOutdated`. */
    readonly isOutdated?: boolean
  } | null
  /** The rung of the cheapest path that is asked; null: none. See `stepsOfRung`. */
  rung: string | null
  /** What the run teaches its path; null: nothing. */
  lesson: PathLesson | null
  /** Parsed documents of the base by input: fetched to read the new version, and held until both are compared. */
  readonly earlier: Map<string, PackedDocument>
  /** Recorded and started steps. */
  begun: number
  /** Reserved prices of steps that are not settled yet. */
  unsettled: number
  /** The last write of a step: each waits for the previous one, so that the transcript never has a gap. */
  writing: Promise<void>
  /** Calls that programs started. */
  readonly calls: Set<Promise<unknown>>
  /** Steps of the transcript that are written with the next one. */
  unwritten: Step[]
  /** Written with the end; see `warn`. */
  readonly warnings: Warning[]
  /**
   * The transcript that this run replays: answers of models, of tools that they called and of transcribers come from it, and nothing is
   * written. Null: a live run.
   */
  readonly replayed: readonly Step[] | null
}

/** Thrown when a replay needs something that the recorded transcript lacks. */
export class ReplayDiverged extends Error {
  override name = 'ReplayDiverged'
}

/** Thrown when a run must stop: its execution was paused, cancelled, or taken over by another run. */
export class RunSuperseded extends Error {
  override name = 'RunSuperseded'
}

/** A run that continues a transcript. */
export function runOf(
  execution: Execution,
  from: Pick<Run, 'fence' | 'signal' | 'startedAt'> & {
    transcript: readonly Step[]
    replayed?: readonly Step[]
    deadline?: Deadline | undefined
  },
): Run {
  return {
    execution,
    whole: execution.request,
    ...from,
    deadline: from.deadline,
    transcript: [...from.transcript],
    fellBack: null,
    rung: null,
    lesson: null,
    earlier: new Map(),
    begun: from.transcript.filter(isOwn).length,
    unsettled: 0,
    writing: Promise.resolve(),
    calls: new Set(),
    unwritten: [],
    warnings: [],
    replayed: from.replayed ?? null,
  }
}

/** Does a part of a run as if only `request` had been made. */
export async function withRequest<T>(run: Run, request: Execution['request'], work: () => Promise<T>): Promise<T> {
  const { execution } = run
  run.execution = { ...execution, request }
  try {
    return await work()
  } finally {
    run.execution = execution
  }
}

/** Thrown by work that did not end in its part of the time, see `inHalfTheTime`. */
export class OutOfTime extends Error {
  override name = 'OutOfTime'
}

/** Does work that the run can do without, in at most half of the time that its request leaves. Throws OutOfTime. */
export async function inHalfTheTime<T>(run: Run, work: () => Promise<T>): Promise<T> {
  const { deadline, signal } = run
  if (!deadline) return work()
  using half = startDeadline(signal, deadline.leftMs / 2)
  run.signal = half.signal
  try {
    return await work()
  } catch (error) {
    if (!half.isOver || signal.aborted) throw error
    await Promise.allSettled(run.calls)
    throw new OutOfTime('half of the time that was left is over')
  } finally {
    run.signal = signal
  }
}

/** Counts a call as active until it ends: a run that pauses waits for it, so that it is not repeated. */
export function inFlight<T>(run: Pick<Run, 'calls'>, call: Promise<T>): Promise<T> {
  run.calls.add(call)
  const end = () => run.calls.delete(call)
  call.then(end, end)
  return call
}
