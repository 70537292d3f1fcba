import { limits } from '../../core/limits.ts'

/** The result of an attempt, for the schedule. */
export interface TriedOnce {
  /** Attempts so far, including this one. */
  readonly tries: number
  /** Since the start of the first attempt. */
  readonly elapsedMs: number
  /** The receiver's Retry-After. */
  readonly retryAfterMs: number | undefined
}

/** Pauses after the first attempt, the second …: after the last, there are no more attempts. */
export type Pauses = readonly number[]

/** Random change of each pause, as a share, so that callbacks that failed together do not return together. */
export const jitterShare = 0.1

/**
 * Milliseconds until the next attempt, or undefined after the last. Never before the receiver's Retry-After, never later than
 * `limits.callbackWindowMs` after the first attempt: longer pauses are cut to that. `random` is from [0, 1).
 */
export function nextPauseMs(pauses: Pauses, tried: TriedOnce, random: number): number | undefined {
  const planned = pauses[tried.tries - 1]
  // A clock that was set back lengthens the window by at most that much.
  const leftMs = limits.callbackWindowMs - Math.max(0, tried.elapsedMs)
  if (planned === undefined || leftMs <= 0) return undefined
  const jittered = planned * (1 + jitterShare * (2 * random - 1))
  return Math.round(Math.min(Math.max(jittered, tried.retryAfterMs ?? 0), leftMs))
}

/** Milliseconds in a Retry-After header: seconds or a date (RFC 9110 section 10.2.3). Undefined: unreadable. */
export function readRetryAfter(header: string | undefined, now: Date): number | undefined {
  const text = header?.trim() ?? ''
  if (/^\d{1,12}$/.test(text)) return Number(text) * 1000
  // Only date forms have letters; Date.parse would read other numbers as years.
  const at = /^[A-Z][a-z]{2}/.test(text) ? Date.parse(text) : Number.NaN
  return Number.isNaN(at) ? undefined : Math.max(0, at - now.getTime())
}
