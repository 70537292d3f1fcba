import { collectGarbage } from '../../core/collect-garbage.ts'

/** Bytes between two collections: a few hundred chunks of 64 KiB. */
const everyBytes = 16 * 1024 * 1024

/**
 * Triggers garbage collection of the chunks of a stream. V8 counts memory outside its heap but only collects it at 64 MiB,
 * so a stream of short-lived buffers grows the process by that much, and so does each concurrent stream. Collecting the
 * young generation every 16 MiB takes about a millisecond each time. Call the returned function with the bytes of each chunk.
 */
export function youngBuffers(): (bytes: number) => void {
  let since = 0
  return (bytes) => {
    since += bytes
    if (since < everyBytes) return
    since = 0
    collectGarbage('minor')
  }
}
