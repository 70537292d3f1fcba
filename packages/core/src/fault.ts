/** Kinds of expected failures. Only the HTTP adapter maps them to statuses. */
export type FaultKind =
  | 'invalid'
  | 'unauthenticated'
  | 'forbidden'
  | 'missing'
  | 'conflict'
  | 'too_large'
  | 'unsupported'
  | 'limited'
  | 'stalled'
  | 'upstream'
  | 'timeout'
  | 'unavailable'

/**
 * An expected failure with a message that may be shown to the caller.
 *
 * `code` is stable and meant for programs (`needs_model`, `unknown_file`). `message` says what is wrong, where, and what is
 * allowed; it contains no path, SQL, secret or document content.
 */
export class Fault extends Error {
  override name = 'Fault'
  readonly kind: FaultKind
  readonly code: string

  constructor(kind: FaultKind, code: string, message: string, options?: ErrorOptions) {
    super(message, options)
    this.kind = kind
    this.code = code
  }

  /** Whether a retry may succeed without any change. */
  get retryable(): boolean {
    return this.kind === 'limited' || this.kind === 'upstream' || this.kind === 'timeout' || this.kind === 'unavailable'
  }
}
