import type { Warning } from '@skillrun/reader/evidence/warnings.ts'
import { type Execution, isOwn, type RunFence, type Step } from '../executions/executions.ts'

/** One run in progress: its fence, its transcript so far, and when it must be over. */
export interface Run {
  readonly execution: Execution
  readonly fence: RunFence
  readonly transcript: Step[]
  readonly signal: AbortSignal
  /** When this worker began. */
  readonly startedAt: Date
  /** Why a request for a program goes on as an agent, and which program it had; null until then. */
  fellBack: { readonly programId: string | null; readonly because: string } | null
  /** Steps that are recorded or begun. */
  begun: number
  /** Prices of steps that are set aside and not settled yet. */
  unsettled: number
  /** The last write of a step: each waits for the one before it, so that the transcript has no hole at any moment. */
  writing: Promise<void>
  /** Calls of programs that were begun. */
  readonly calls: Set<Promise<unknown>>
  /** Steps of the transcript that are written with what comes next. */
  unwritten: Step[]
  /** Written with the end; see `warn`. */
  readonly warnings: Warning[]
  /**
   * The transcript that this run replays: answers of models, of tools that they called and of transcribers are taken from it, and nothing is
   * written. Null: a live run.
   */
  readonly replayed: readonly Step[] | null
}

/** Thrown within a replay that needs something the recorded transcript does not have. */
export class ReplayDiverged extends Error {
  override name = 'ReplayDiverged'
}

/** Thrown within a run that has nothing more to do: its execution was paused, cancelled, or taken up by another run. */
export class RunOver extends Error {
  override name = 'RunOver'
}

/** A run that goes on from a transcript. */
export function runOf(
  execution: Execution,
  from: Pick<Run, 'fence' | 'signal' | 'startedAt'> & { transcript: readonly Step[]; replayed?: readonly Step[] },
): Run {
  return {
    execution,
    ...from,
    transcript: [...from.transcript],
    fellBack: null,
    begun: from.transcript.filter(isOwn).length,
    unsettled: 0,
    writing: Promise.resolve(),
    calls: new Set(),
    unwritten: [],
    warnings: [],
    replayed: from.replayed ?? null,
  }
}

/** Counts a call as begun until it has ended: a run that pauses waits for it, so that it is not made again. */
export function inFlight<T>(run: Pick<Run, 'calls'>, call: Promise<T>): Promise<T> {
  run.calls.add(call)
  const end = () => run.calls.delete(call)
  call.then(end, end)
  return call
}
