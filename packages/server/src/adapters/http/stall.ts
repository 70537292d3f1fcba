import { Fault } from '@skillrun/core/fault.ts'

/** Watches a body, so that a client that falls silent does not hold a connection and half of what it sends for ever. */
export interface StallWatch {
  /** Aborts with the caller's reason, or with Fault `stalled` after too long a silence or too long a time in all. */
  readonly signal: AbortSignal
  /** A sign of life. */
  alive(): void
  /** The same chunks; each is a sign of life. With the last one the watch ends. */
  passing(source: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array>
  stop(): void
}

/** How long a client may be silent, and how long it may take in all where that is bounded. */
export interface StallBounds {
  readonly idleMs: number
  readonly wallMs?: number
}

/** Begins to watch. */
export function watchForStall({ idleMs, wallMs, signal }: StallBounds & { readonly signal: AbortSignal }): StallWatch {
  const stalled = new AbortController()
  const abort = (message: string) => () => stalled.abort(new Fault('stalled', 'body_stalled', message))
  const idle = setTimeout(abort(`No byte of the body came for ${Math.ceil(idleMs / 1000)} seconds`), idleMs)
  const wall =
    wallMs === undefined
      ? undefined
      : setTimeout(abort(`The body did not come whole within ${Math.ceil(wallMs / 1000)} seconds`), wallMs)
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
