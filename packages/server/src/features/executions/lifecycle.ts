import { z } from 'zod'

export const statuses = ['pending', 'enqueued', 'running', 'paused', 'completed', 'failed'] as const
export type Status = (typeof statuses)[number]

/**
 * The transitions of an execution. A run leaves neither completed nor failed; a person may resume an execution that failed for a
 * temporary reason (`isResumable`).
 */
export const nextOf: Readonly<Record<Status, readonly Status[]>> = {
  pending: ['enqueued', 'failed'],
  enqueued: ['running', 'paused', 'failed'],
  running: ['completed', 'failed', 'paused', 'enqueued'],
  paused: ['enqueued', 'failed'],
  completed: [],
  failed: [],
}

/** The states from which an execution may move to `status`. */
export const allowedBefore = (status: Status): Status[] =>
  (Object.keys(nextOf) as Status[]).filter((before) => nextOf[before].includes(status))

export const hasEnded = (status: Status): boolean => nextOf[status].length === 0

/** One status transition; all are kept, oldest first. */
export interface Move {
  readonly status: Status
  /** ISO 8601. */
  readonly at: string
  /** Runs started by then. */
  readonly attempt: number
}

/** Whether an execution that failed with this code may succeed when resumed, because the request was not at fault. */
export const isResumable = (code: string): boolean =>
  code === 'poison' || code === 'timeout' || code.startsWith('provider_')

/**
 * Milliseconds of its `timeout_seconds` that an execution has used by `now`: from its first start, or the first one after its last failure,
 * without the time from each pause to the next start. So the wait for a slot after a resumption does not count.
 */
export function usedMs(moves: readonly Move[], now: Date): number {
  let used = 0
  let since: number | undefined
  for (const { status, at } of moves.slice(moves.findLastIndex((move) => move.status === 'failed') + 1)) {
    if (status === 'running') since ??= Date.parse(at)
    if (status !== 'paused' || since === undefined) continue
    used += Math.max(0, Date.parse(at) - since)
    since = undefined
  }
  // A clock that was set back neither uses time nor adds any.
  return used + (since === undefined ? 0 : Math.max(0, now.getTime() - since))
}

export const move: z.ZodType<Move> = z.object({ status: z.enum(statuses), at: z.string(), attempt: z.number() })
