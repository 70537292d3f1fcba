import { Fault } from '@skillrun/core/fault.ts'

/** Timeouts of a request body: a silent client must not hold a connection and a partial body forever. */
export interface StallWatch {
  /** Aborts with the caller's reason, or with Fault `stalled` when a timeout expires. */
  readonly signal: AbortSignal
  /** Restarts the idle timeout. */
  alive(): void
  /** Passes the chunks through; each restarts the idle timeout. Ends the watch after the last one. */
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
  const stop = () => {
    clearTimeout(idle)
    clearTimeout(wall)
  }
  return {
    signal: AbortSignal.any([signal, stalled.signal]),
    alive: () => void idle.refresh(),
    async *passing(source) {
      try {
        for await (const chunk of source) {
          idle.refresh()
          yield chunk
        }
      } finally {
        stop()
      }
    },
    stop,
  }
}
