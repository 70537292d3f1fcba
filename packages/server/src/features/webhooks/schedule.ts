import { limits } from '../../core/limits.ts'

/** How a try went, as far as the schedule asks. */
export interface TriedOnce {
  /** Tries so far, this one included. */
  readonly tries: number
  /** From the begin of the first try. */
  readonly elapsedMs: number
  /** What the receiver asked for. */
  readonly retryAfterMs: number | undefined
}

/** The pause after the first try, the second …: when they are used up, no more tries follow. */
export type Pauses = readonly number[]

/** Each pause is longer or shorter by up to this share, so that callbacks that failed together do not come back together. */
export const jitterShare = 0.1

/**
 * Milliseconds until the next try, or undefined when this was the last. Never before the receiver wants it, never later
 * than `limits.callbackWindowMs` after the first try: a pause that goes beyond ends there. `random` is from [0, 1).
 */
export function nextPauseMs(pauses: Pauses, tried: TriedOnce, random: number): number | undefined {
  const planned = pauses[tried.tries - 1]
  // A clock that was set back does not lengthen the window by more than it was set back.
  const leftMs = limits.callbackWindowMs - Math.max(0, tried.elapsedMs)
  if (planned === undefined || leftMs <= 0) return undefined
  const jittered = planned * (1 + jitterShare * (2 * random - 1))
  return Math.round(Math.min(Math.max(jittered, tried.retryAfterMs ?? 0), leftMs))
}

/** Milliseconds that a Retry-After header asks for: seconds or a date (RFC 9110 section 10.2.3). Undefined: nothing readable. */
export function readRetryAfter(header: string | undefined, now: Date): number | undefined {
  const text = header?.trim() ?? ''
  if (/^\d{1,12}$/.test(text)) return Number(text) * 1000
  // Only the forms of a date have letters; Date.parse would take other numbers for years.
  const at = /^[A-Z][a-z]{2}/.test(text) ? Date.parse(text) : Number.NaN
  return Number.isNaN(at) ? undefined : Math.max(0, at - now.getTime())
}
