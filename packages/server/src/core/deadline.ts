/** A time limit on work that may be aborted as well. End it when the work is done. */
export interface Deadline extends Disposable {
  /** Aborts with the reason of the outer signal, or with a `TimeoutError` when the time is over. */
  readonly signal: AbortSignal
  readonly isOver: boolean
  /** The time left, not below 0. */
  readonly leftMs: number
}

/**
 * Starts a time limit of `ms` on top of `outer`. `AbortSignal.timeout` and `AbortSignal.any` cannot be ended: their timers and signals
 * outlive the work.
 */
export function startDeadline(outer: AbortSignal, ms: number): Deadline {
  const controller = new AbortController()
  const unfollow = follow(outer, controller)
  let isOver = false
  const endsAt = performance.now() + ms
  const timer = setTimeout(() => {
    isOver = true
    controller.abort(new DOMException('The operation was aborted due to timeout', 'TimeoutError'))
  }, ms).unref()
  return {
    signal: controller.signal,
    get isOver() {
      return isOver
    },
    get leftMs() {
      return Math.max(0, endsAt - performance.now())
    },
    [Symbol.dispose]() {
      clearTimeout(timer)
      unfollow()
    },
  }
}

/** Aborts `controller` when `signal` aborts, until the returned function is called. */
export function follow(signal: AbortSignal, controller: AbortController): () => void {
  const abort = () => controller.abort(signal.reason)
  if (signal.aborted) abort()
  else signal.addEventListener('abort', abort, { once: true })
  return () => signal.removeEventListener('abort', abort)
}
