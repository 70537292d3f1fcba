import type { Sql } from '../../../adapters/db/db.ts'
import { dollarsOf } from '../../../core/money.ts'
import { type ExecutionError, hasEnded, type Move, type Step } from '../execution.ts'
import { snakeCased } from '../snake-case.ts'
import type { Place } from '../store/execution-row.ts'
import { findMoves, type Seen } from '../store/moves.ts'
import { listStepsAfter } from '../store/steps.ts'
import type { EventRecord } from '../wire.ts'

/** One thing that happened to an execution, and how far a reader is who has seen it. */
export interface ExecutionEvent {
  readonly seen: Seen
  readonly record: EventRecord
}

export const nothingSeen: Seen = { moves: 0, step: 0 }

/**
 * The id of an event: how many moves and steps a reader has seen with it. Both only ever grow, and each in order, so that
 * whoever goes on from an id misses nothing and is told nothing twice, on whatever server.
 */
const eventIdOf = ({ moves, step }: Seen): string => `${moves}-${step}`

/** What the reader of an event id has seen; undefined for a text that is none. */
export function parseEventId(text: string): Seen | undefined {
  const match = /^(\d{1,9})-(\d{1,9})$/.exec(text)
  return match ? { moves: Number(match[1]), step: Number(match[2]) } : undefined
}

/**
 * What happened to an execution beyond `seen`, oldest first; the end is the last of all. Undefined: there is no such
 * execution.
 */
export async function readEvents(
  sql: Sql,
  place: Place,
  seen: Seen,
): Promise<{ readonly events: readonly ExecutionEvent[]; readonly ended: boolean } | undefined> {
  // Moves before steps: once the end is among the moves, no step is missing.
  const found = await findMoves(sql, place)
  if (!found) return undefined
  const steps = await listStepsAfter(sql, place, seen.step)
  return {
    events: [...merged(found.moves.slice(seen.moves), steps, { seen, error: found.error })],
    ended: hasEnded(found.status),
  }
}

/** Moves and steps in one order: each in its own, side by side by their time, the end last. */
function* merged(
  moves: readonly Move[],
  steps: readonly Omit<Step, 'result'>[],
  from: { seen: Seen; error: ExecutionError | null },
): Generator<ExecutionEvent> {
  let { seen } = from
  let next = 0
  const stepsUntil = function* (atMs: number): Generator<ExecutionEvent> {
    for (let step = steps[next]; step && step.endedAt.getTime() < atMs; step = steps[++next]) {
      seen = { ...seen, step: step.seq }
      yield stepEvent(step, seen)
    }
  }
  for (const [index, move] of moves.entries()) {
    // One that failed may have gone on.
    const isEnd = hasEnded(move.status) && index === moves.length - 1
    yield* stepsUntil(isEnd ? Number.POSITIVE_INFINITY : Date.parse(move.at) + Number(hasEnded(move.status)))
    seen = { ...seen, moves: seen.moves + 1 }
    yield statusEvent(move, seen, from.error)
  }
  yield* stepsUntil(Number.POSITIVE_INFINITY)
}

function statusEvent({ status, at, attempt }: Move, seen: Seen, error: ExecutionError | null): ExecutionEvent {
  return {
    seen,
    record: {
      id: eventIdOf(seen),
      event: 'status',
      data: { status, at, attempt, ...(status === 'failed' && error ? { error } : {}) },
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
