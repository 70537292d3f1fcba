import { createHash } from 'node:crypto'
import { fileTooLarge, headBytes, type StoredBlob } from './blobs.ts'
import { youngBuffers } from './young-buffers.ts'

/**
 * Reads `source` to its end and passes each chunk to `write`; returns the facts about the content. Hashes a chunk while it
 * is being written. Throws as documented at `Blobs.put`, after closing the source.
 */
export async function takeIn(
  source: AsyncIterable<Uint8Array>,
  bounds: { readonly bytesMax: number; readonly signal: AbortSignal },
  write: (chunk: Uint8Array) => Promise<unknown>,
): Promise<StoredBlob> {
  const { bytesMax, signal } = bounds
  const sha256 = createHash('sha256')
  const md5 = createHash('md5')
  const head: Uint8Array[] = []
  const passed = youngBuffers()
  let bytes = 0
  for await (const chunk of untilAborted(source, signal)) {
    if (bytes < headBytes) head.push(Uint8Array.from(chunk.subarray(0, headBytes - bytes)))
    bytes += chunk.length
    if (bytes > bytesMax) throw fileTooLarge(bytesMax)
    const written = write(chunk)
    sha256.update(chunk)
    md5.update(chunk)
    await written
    passed(chunk.length)
  }
  return { sha256: sha256.digest(), md5: md5.digest(), bytes, head: Buffer.concat(head) }
}

/** The same chunks, but throws the signal's reason at once when `signal` aborts, even if the source is silent. */
async function* untilAborted(source: AsyncIterable<Uint8Array>, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  signal.throwIfAborted()
  let interrupt: (reason: unknown) => void = () => undefined
  const abort = () => interrupt(signal.reason)
  signal.addEventListener('abort', abort, { once: true })
  const chunks = source[Symbol.asyncIterator]()
  let ended = false
  try {
    while (true) {
      // Not Promise.race with one long-lived promise: that would keep every chunk in memory until the end.
      const next = await new Promise<IteratorResult<Uint8Array>>((resolve, reject) => {
        interrupt = reject
        chunks.next().then(resolve, reject)
      })
      ended = next.done === true
      if (next.done) return
      yield next.value
      signal.throwIfAborted()
    }
  } finally {
    signal.removeEventListener('abort', abort)
    // Not awaited: a generator that hangs in its own await would never return.
    if (!ended) void Promise.resolve(chunks.return?.()).catch(() => undefined)
  }
}
