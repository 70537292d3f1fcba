import type { FaultKind } from '@skillrun/core/fault.ts'

/** The one table from kinds of failure to HTTP statuses. */
export const statusOf: Readonly<Record<FaultKind, number>> = {
  invalid: 400,
  unauthenticated: 401,
  forbidden: 403,
  missing: 404,
  conflict: 409,
  too_large: 413,
  unsupported: 415,
  limited: 429,
  stalled: 408,
  upstream: 502,
  timeout: 504,
  unavailable: 503,
}

/** What a caller is told of a mistake of ours: nothing that helps an attacker, and how to find it in the log. */
export const bugSentence = 'Something went wrong on our side; the X-Request-Id header of this reply finds it in the log'

/** Seconds after which a refused caller may try again, for 429 and 503. */
export const retryAfterSeconds = 1
