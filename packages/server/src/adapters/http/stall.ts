import { Fault } from '@skillrun/core/fault.ts'
import { follow } from '../../core/deadline.ts'

/** Timeouts of a request body: a silent client must not hold a connection and a partial body forever. */
export interface StallWatch {
  /** Aborts with the caller's reason, or with Fault `stalled` when a timeout expires. */
  readonly signal: AbortSignal
  /** Restarts the idle timeout. */
  alive(): void
  /** Passes the chunks through; each restarts the idle timeout. The timeouts end with the last one. */
  passing(source: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array>
  stop(): void
}

/** `idleMs`: the longest pause between chunks. `wallMs`: the total time; absent: unlimited. */
export interface StallBounds {
  readonly idleMs: number
  readonly wallMs?: number
}

export function watchForStall({ idleMs, wallMs, signal }: StallBounds & { readonly signal: AbortSignal }): StallWatch {
  const stalled = new AbortController()
  const abort = (message: string) => () => stalled.abort(new Fault('stalled', 'body_stalled', message))
  const idle = setTimeout(abort(`The body sent no data for ${Math.ceil(idleMs / 1000)} seconds`), idleMs)
  const wall =
    wallMs === undefined
      ? undefined
      : setTimeout(abort(`The body did not arrive completely within ${Math.ceil(wallMs / 1000)} seconds`), wallMs)
  const unfollow = follow(signal, stalled)
  const clearTimers = () => {
    clearTimeout(idle)
    clearTimeout(wall)
  }
  return {
    signal: stalled.signal,
    alive: () => void idle.refresh(),
    async *passing(source) {
      try {
        for await (const chunk of source) {
          idle.refresh()
          yield chunk
        }
      } finally {
        // The caller's signal counts until `stop`: the bytes may still have to be stored.
        clearTimers()
      }
    },
    stop() {
      clearTimers()
      unfollow()
    },
  }
}
