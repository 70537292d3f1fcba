import { createHash, randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { buffer } from 'node:stream/consumers'
import { describe, expect, test } from 'vitest'
import { type Blobs, headBytes } from './blobs.ts'

const never = new AbortController().signal
const roomy = { bytesMax: 10_000_000, signal: never }
const md5Of = (bytes: Uint8Array) => createHash('md5').update(bytes).digest()
const sha256Of = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest()

async function* inChunks(bytes: Buffer, chunkBytes = 1000): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += chunkBytes) yield bytes.subarray(at, at + chunkBytes)
}

/** The tests that every store passes. `make` creates a new, empty store. */
export function testBlobs(name: string, make: () => Promise<Blobs>): void {
  describe(name, () => {
    test('returns what was put, with its hashes, length and head', async () => {
      const blobs = await make()
      for (const length of [0, 1, headBytes - 1, headBytes, headBytes + 1, 300_001]) {
        const bytes = randomBytes(length)
        const stored = await blobs.put(inChunks(bytes), roomy)
        expect(stored).toEqual({
          sha256: sha256Of(bytes),
          md5: md5Of(bytes),
          bytes: length,
          head: bytes.subarray(0, headBytes),
        })
        expect(await buffer(await blobs.open(stored.sha256))).toEqual(bytes)
        expect(await blobs.stat(stored.sha256)).toEqual({ bytes: length })
      }
    })

    test('has a stable id, which is not listed as a blob', async () => {
      const [one, other] = [await make(), await make()]
      const id = await one.identity()
      expect(id).toMatch(/^[0-9a-f-]{36}$/)
      expect([await one.identity(), await one.identity()]).toEqual([id, id])
      expect(await other.identity()).not.toBe(id)
      for await (const name of one.namesBefore(new Date(Date.now() + 60_000))) expect(name).toBeUndefined()
    })

    test('opens a range with both ends included', async () => {
      const blobs = await make()
      const bytes = randomBytes(100_000)
      const { sha256 } = await blobs.put(inChunks(bytes), roomy)
      for (const [start, end] of [
        [0, 0],
        [0, 99_999],
        [70_000, 70_000],
        [1, 99_998],
      ] as const) {
        expect(await buffer(await blobs.open(sha256, { start, end }))).toEqual(bytes.subarray(start, end + 1))
      }
    })

    test('accepts the same bytes any number of times, also concurrently, and removes them once', async () => {
      const blobs = await make()
      const bytes = randomBytes(50_000)
      const stored = await Promise.all([1, 2, 3, 4].map(() => blobs.put(inChunks(bytes), roomy)))
      for (const one of stored) expect(one.sha256).toEqual(sha256Of(bytes))
      expect(await buffer(await blobs.open(sha256Of(bytes)))).toEqual(bytes)
      await blobs.remove(sha256Of(bytes))
      expect(await blobs.stat(sha256Of(bytes))).toBeUndefined()
      await blobs.remove(sha256Of(bytes))
    })

    test('reports bytes that it does not have as missing', async () => {
      const blobs = await make()
      const absent = sha256Of(Buffer.from('never put'))
      expect(await blobs.stat(absent)).toBeUndefined()
      await expect(blobs.open(absent)).rejects.toMatchObject({ kind: 'missing', code: 'unknown_blob' })
      await expect(blobs.localPath(absent, async () => 'used')).rejects.toMatchObject({
        kind: 'missing',
        code: 'unknown_blob',
      })
    })

    test('accepts exactly bytesMax bytes and stores nothing of one byte more', async () => {
      const blobs = await make()
      const bytes = randomBytes(20_000)
      await expect(blobs.put(inChunks(bytes), { bytesMax: 19_999, signal: never })).rejects.toMatchObject({
        kind: 'too_large',
        code: 'file_too_large',
      })
      expect(await blobs.stat(sha256Of(bytes))).toBeUndefined()
      await blobs.put(inChunks(bytes), { bytesMax: 20_000, signal: never })
      expect(await blobs.stat(sha256Of(bytes))).toEqual({ bytes: 20_000 })
    })

    test('stores nothing of a source that fails, and rethrows its error', async () => {
      const blobs = await make()
      const bytes = randomBytes(5_000)
      const source = async function* () {
        yield bytes
        throw new Error('the source broke off')
      }
      await expect(blobs.put(source(), roomy)).rejects.toThrow('the source broke off')
      expect(await blobs.stat(sha256Of(bytes))).toBeUndefined()
    })

    test('rejects with the reason of its signal while the source is silent', async () => {
      const blobs = await make()
      const stop = new AbortController()
      const asked = Promise.withResolvers<void>()
      const source = async function* () {
        yield randomBytes(10)
        asked.resolve()
        await new Promise(() => undefined)
      }
      const put = blobs.put(source(), { bytesMax: 1000, signal: stop.signal })
      await asked.promise
      stop.abort(new Error('the client went away'))
      await expect(put).rejects.toThrow('the client went away')
      await expect(blobs.put(source(), { bytesMax: 1000, signal: stop.signal })).rejects.toThrow('the client went away')
    })

    test('closes a source that it does not read to the end', async () => {
      const blobs = await make()
      let closed = false
      const source = async function* () {
        try {
          while (true) yield randomBytes(600)
        } finally {
          closed = true
        }
      }
      await expect(blobs.put(source(), { bytesMax: 1000, signal: never })).rejects.toMatchObject({ kind: 'too_large' })
      expect(closed).toBe(true)
    })

    test('gives the bytes as a local file while they are used', async () => {
      const blobs = await make()
      const bytes = randomBytes(30_000)
      const { sha256 } = await blobs.put(inChunks(bytes), roomy)
      expect(await blobs.localPath(sha256, (file) => readFile(file))).toEqual(bytes)
      await expect(blobs.localPath(sha256, () => Promise.reject(new Error('the user failed')))).rejects.toThrow(
        'the user failed',
      )
    })

    test('lists the blobs last put before a moment, and no others', async () => {
      const blobs = await make()
      const bytes = [1, 2, 3].map(() => randomBytes(1_000))
      for (const one of bytes) await blobs.put(inChunks(one), roomy)
      const removed = sha256Of(bytes[2] ?? Buffer.of())
      await blobs.remove(removed)
      const namesBefore = async (ms: number) => {
        const names: string[] = []
        for await (const name of blobs.namesBefore(new Date(Date.now() + ms))) names.push(name.toString('hex'))
        return names
      }
      const kept = bytes.slice(0, 2).map((one) => sha256Of(one).toString('hex'))
      // S3 has a resolution of one second.
      const named = await namesBefore(2_000)
      expect(named).toEqual(expect.arrayContaining(kept))
      expect(named).not.toContain(removed.toString('hex'))
      expect(await namesBefore(-60_000)).toEqual([])
      await blobs.dropUnfinished(new Date(Date.now() + 2_000))
      for (const one of bytes.slice(0, 2)) expect(await blobs.stat(sha256Of(one))).toEqual({ bytes: 1_000 })
    })

    test('lets a reader finish when the bytes are removed', async () => {
      const blobs = await make()
      const bytes = randomBytes(2_000_000)
      const { sha256 } = await blobs.put(inChunks(bytes), roomy)
      const reading = await blobs.open(sha256)
      await blobs.remove(sha256)
      expect(await buffer(reading)).toEqual(bytes)
    })
  })
}
