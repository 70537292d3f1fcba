/** What kind of expected failure a Fault is. The HTTP seam alone knows which status each kind has. */
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
 * An expected failure, said in one sentence that may be shown to the caller.
 *
 * `code` is a stable word for programs (`needs_model`, `unknown_file`); `message` says what was wrong, where, and what
 * is allowed, and holds no path, SQL, secret or content of a document.
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

  /** Whether the same work may succeed later without anybody changing it. */
  get retryable(): boolean {
    return this.kind === 'limited' || this.kind === 'upstream' || this.kind === 'timeout' || this.kind === 'unavailable'
  }
}
