import { Fault } from '../../kit/fault.ts'

/** Watches an upload, so that a client that falls silent does not hold a connection and half a file for ever. */
export interface StallWatch {
  /** Aborts with the caller's reason, or with Fault `invalid` (`upload_stalled`) after `idleMs` of silence. */
  readonly signal: AbortSignal
  /** The same chunks; each is a sign of life. With the last one the watch ends. */
  passing(source: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array>
  stop(): void
}

/** Begins to watch. */
export function watchForStall(bounds: { readonly idleMs: number; readonly signal: AbortSignal }): StallWatch {
  const stalled = new AbortController()
  const seconds = Math.ceil(bounds.idleMs / 1000)
  const stall = () =>
    stalled.abort(new Fault('invalid', 'upload_stalled', `No byte of the upload came for ${seconds} seconds`))
  const timer = setTimeout(stall, bounds.idleMs)
  return {
    signal: AbortSignal.any([bounds.signal, stalled.signal]),
    async *passing(source) {
      try {
        for await (const chunk of source) {
          timer.refresh()
          yield chunk
        }
      } finally {
        clearTimeout(timer)
      }
    },
    stop: () => clearTimeout(timer),
  }
}
