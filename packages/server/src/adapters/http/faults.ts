import type { FaultKind } from '@skillrun/core/fault.ts'

/** HTTP statuses by kind of Fault. */
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

/** The reply to an internal error: no details, but the way to find them in the log. */
export const bugSentence = 'Internal error; search the log for the X-Request-Id header of this reply'

/** Default Retry-After of 429 and 503, in seconds. */
export const retryAfterSeconds = 1
