import type { Sql } from '../../../adapters/db/db.ts'
import { dollarsOf } from '../../../core/money.ts'
import type { ExecutionError, Step } from '../execution.ts'
import { hasEnded, type Move } from '../lifecycle.ts'
import { snakeCased } from '../snake-case.ts'
import type { Place } from '../store/execution-row.ts'
import { findMoves, type Seen } from '../store/moves.ts'
import { listStepsAfter } from '../store/steps.ts'
import type { EventRecord } from '../wire/record.ts'

/** One event of an execution, with the reader's position after it. */
export interface ExecutionEvent {
  readonly seen: Seen
  readonly record: EventRecord
}

export const nothingSeen: Seen = { moves: 0, step: 0 }

/**
 * The id of an event: how many moves and steps its reader has seen with it. Both only grow, each in order, so a client can resume from an
 * id on any server without a gap or a repetition.
 */
const eventIdOf = ({ moves, step }: Seen): string => `${moves}-${step}`

/** The position of an event id; undefined for a malformed one. */
export function parseEventId(text: string): Seen | undefined {
  const match = /^(\d{1,9})-(\d{1,9})$/.exec(text)
  return match ? { moves: Number(match[1]), step: Number(match[2]) } : undefined
}

/** The events of an execution beyond `seen`, oldest first, its end last. Undefined: no such execution. */
export async function readEvents(
  sql: Sql,
  place: Place,
  seen: Seen,
): Promise<{ readonly events: readonly ExecutionEvent[]; readonly ended: boolean } | undefined> {
  // Read moves before steps: once the end is among the moves, no step is missing.
  const found = await findMoves(sql, place)
  if (!found) return undefined
  const steps = await listStepsAfter(sql, place, seen.step)
  return {
    events: [...merged(found.moves.slice(seen.moves), steps, { seen, error: found.error })],
    ended: hasEnded(found.status),
  }
}

/** Merges moves and steps by time, each in its own order, the end last. */
function* merged(
  moves: readonly Move[],
  steps: readonly Omit<Step, 'result'>[],
  from: { seen: Seen; error: ExecutionError | null },
): Generator<ExecutionEvent> {
  let { seen } = from
  let next = 0
  const stepsWhile = function* (isEarlier: (endedMs: number) => boolean): Generator<ExecutionEvent> {
    for (let step = steps[next]; step && isEarlier(step.endedAt.getTime()); step = steps[++next]) {
      seen = { ...seen, step: step.seq }
      yield stepEvent(step, seen)
    }
  }
  for (const [index, move] of moves.entries()) {
    // A failed execution may have been resumed: the error is that of its last failure.
    const isLast = index === moves.length - 1
    const atMs = Date.parse(move.at)
    yield* stepsWhile((endedMs) => (hasEnded(move.status) ? isLast || endedMs <= atMs : endedMs < atMs))
    seen = { ...seen, moves: seen.moves + 1 }
    yield statusEvent(move, seen, isLast ? from.error : null)
  }
  yield* stepsWhile(() => true)
}

function statusEvent({ status, at, attempt }: Move, seen: Seen, error: ExecutionError | null): ExecutionEvent {
  return {
    seen,
    record: {
      id: eventIdOf(seen),
      event: 'status',
      data: { status, at, attempt, ...(error ? { error } : {}) },
    },
  }
}

function stepEvent(step: Omit<Step, 'result'>, seen: Seen): ExecutionEvent {
  const { seq, attempt, kind, name, detail } = step
  return {
    seen,
    record: {
      id: eventIdOf(seen),
      event: 'step',
      data: {
        seq,
        attempt,
        kind,
        name,
        detail: snakeCased(detail),
        cost_dollars: dollarsOf(step.costMicros),
        started_at: step.startedAt.toISOString(),
        ended_at: step.endedAt.toISOString(),
      },
    },
  }
}
