import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Readable } from 'node:stream'
import { systemClock as clock } from '@skillrun/core/clock.ts'
import { Fault } from '@skillrun/core/fault.ts'
import { newRandomId } from '@skillrun/core/ids.ts'
import type { Blobs } from '../blobs.ts'
import { takeIn } from '../intake.ts'

/** Blobs in the memory of this process, for tests. */
export function memoryBlobs(): Blobs {
  const kept = new Map<string, { bytes: Buffer; at: Date }>()
  const id = newRandomId()
  const nameOf = (sha256: Uint8Array) => Buffer.from(sha256).toString('hex')
  const load = (sha256: Uint8Array) => {
    const found = kept.get(nameOf(sha256))
    if (!found) throw new Fault('missing', 'unknown_blob', 'The content of this file is not in the store')
    return found.bytes
  }
  return {
    identity: async () => id,
    async put(source, bounds) {
      const chunks: Buffer[] = []
      const stored = await takeIn(source, bounds, async (chunk) => chunks.push(Buffer.from(chunk)))
      kept.set(nameOf(stored.sha256), { bytes: Buffer.concat(chunks), at: clock.now() })
      return stored
    },
    async open(sha256, range) {
      const bytes = load(sha256)
      return Readable.from(chunksOf(range ? bytes.subarray(range.start, range.end + 1) : bytes))
    },
    async stat(sha256) {
      const found = kept.get(nameOf(sha256))
      return found ? { bytes: found.bytes.length } : undefined
    },
    async localPath(sha256, use) {
      const bytes = load(sha256)
      const folder = await mkdtemp(path.join(tmpdir(), 'skillrun-blob-'))
      try {
        const file = path.join(folder, 'blob')
        await writeFile(file, bytes, { mode: 0o600 })
        return await use(file)
      } finally {
        await rm(folder, { recursive: true, force: true })
      }
    },
    async remove(sha256) {
      kept.delete(nameOf(sha256))
    },
    async *namesBefore(moment) {
      for (const [name, { at }] of kept) if (at < moment) yield Buffer.from(name, 'hex')
    },
    dropUnfinished: async () => undefined,
  }
}

function* chunksOf(bytes: Buffer): Generator<Buffer> {
  const chunkBytes = 64 * 1024
  for (let at = 0; at < bytes.length; at += chunkBytes) yield bytes.subarray(at, at + chunkBytes)
}
