import { Fault } from '@skillrun/core/fault.ts'
import { limits } from '../../core/limits.ts'
import type { Place } from '../executions/executions.ts'
import { cancelTurn, followTurn, type TurnParts, type TurnState } from './turn.ts'

/** A turn while it is followed: pieces of its text, an empty one after each silence, and its state at the end. */
export type Following = AsyncGenerator<string, TurnState | undefined>

/** A turn that its client waits for. */
export interface FollowedTurn {
  readonly following: Following
  /** Whether the wait ended because the server is stopping. */
  readonly isStopping: () => boolean
  /** Whether the turn goes on without a client that waits. */
  readonly goesOn: boolean
}

/**
 * Follows a turn for its client. Unless it `goesOn`, because the client can ask for the reply again, it is cancelled when the client
 * disconnects or `waitMs` have passed.
 */
export function awaitTurn(
  parts: TurnParts,
  place: Place,
  terms: { waitMs: number; signal: AbortSignal; goesOn?: boolean },
): FollowedTurn {
  const { signal, goesOn = false } = terms
  const waiting = new AbortController()
  const timer = setTimeout(() => waiting.abort(), terms.waitMs)
  timer.unref()
  const either = AbortSignal.any([signal, waiting.signal])
  const following = cleared(followTurn(parts, place, { silenceMs: limits.eventHeartbeatMs, signal: either }), () => {
    clearTimeout(timer)
    // When the server stops, another process continues the turn.
    if (!goesOn && (waiting.signal.aborted || isGone(signal))) void cancelTurn(parts, place)
  })
  return { following, isStopping: () => signal.aborted && !isGone(signal), goesOn }
}

const isGone = ({ aborted, reason }: AbortSignal): boolean =>
  aborted && reason instanceof Fault && reason.code === 'client_gone'

/** Follows a turn and calls back when that ends, however it ends. */
async function* cleared(following: Following, clear: () => void): Following {
  try {
    return yield* following
  } finally {
    clear()
  }
}

/** Reads a turn to its end. */
export async function endOfTurn(following: Following): Promise<TurnState | undefined> {
  let next = await following.next()
  while (!next.done) next = await following.next()
  return next.value
}

/** The value of a promise, or undefined after `ms`. */
export async function within<T>(promise: Promise<T>, ms: number): Promise<T | undefined> {
  const { promise: late, resolve } = Promise.withResolvers<undefined>()
  const timer = setTimeout(() => resolve(undefined), ms)
  return Promise.race([promise, late]).finally(() => clearTimeout(timer))
}
