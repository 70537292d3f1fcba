import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdir, mkdtemp, readdir, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { hostname, tmpdir } from 'node:os'
import path from 'node:path'
import { systemClock } from '@skillrun/core/clock.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Blobs } from '../blobs.ts'
import { testBlobs } from '../conformance.ts'
import { openDiskBlobs } from './disk.ts'

let base = ''
let folders = 0
beforeAll(async () => {
  base = await mkdtemp(path.join(tmpdir(), 'skillrun-blobs-'))
})
afterAll(() => rm(base, { recursive: true }))

const newFolder = () => path.join(base, String(++folders))
const open = (folder: string): Promise<Blobs> => openDiskBlobs({ clock: systemClock }, folder)
const never = new AbortController().signal
const roomy = { bytesMax: 1_000_000, signal: never }

async function filesIn(folder: string): Promise<string[]> {
  const found = await readdir(folder, { recursive: true, withFileTypes: true })
  return found
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)))
}

testBlobs('blobs on disk', () => open(newFolder()))

test('stores a blob under its hash, in two levels of folders, for this user only', async () => {
  const folder = newFolder()
  const { sha256 } = await (await open(folder)).put(one(Buffer.from('hello')), { bytesMax: 5, signal: never })
  const name = sha256.toString('hex')
  const file = path.join('2c', 'f2', name)
  expect(await filesIn(folder)).toEqual([file])
  expect((await stat(path.join(folder, file))).mode & 0o777).toBe(0o600)
  for (const inside of ['.', '2c', '2c/f2', 'temporary'])
    expect((await stat(path.join(folder, inside))).mode & 0o777).toBe(0o700)
})

test('leaves no file behind when an upload is aborted, too large or stopped', async () => {
  const folder = newFolder()
  const blobs = await open(folder)
  const cut = async function* () {
    yield randomBytes(100_000)
    throw new Error('cut')
  }
  await expect(blobs.put(cut(), { bytesMax: 1_000_000, signal: never })).rejects.toThrow('cut')
  await expect(blobs.put(one(randomBytes(10)), { bytesMax: 9, signal: never })).rejects.toMatchObject({
    code: 'file_too_large',
  })
  await expect(
    blobs.put(one(randomBytes(10)), { bytesMax: 10, signal: AbortSignal.abort(new Error('stopped')) }),
  ).rejects.toThrow('stopped')
  expect(await filesIn(folder)).toEqual([])
})

test('sweeps files of dead processes at start-up, and none of live ones', async () => {
  const folder = newFolder()
  const temporary = path.join(folder, 'temporary')
  await mkdir(temporary, { recursive: true })
  const machine = hostname().replaceAll(/[^\w-]/g, '_')
  const dead = spawnSync('true').pid
  const old = new Date(systemClock.now().getTime() - 25 * 60 * 60_000)
  const names = {
    ofDead: `${machine}.${dead}.token.1`,
    ofNamesake: `${machine}.${process.pid}.token-of-an-earlier-process.1`,
    ofLiving: `${machine}.${process.ppid}.token.1`,
    elsewhereNew: 'another-machine.1.token.1',
    elsewhereOld: 'another-machine.1.token.2',
  }
  for (const name of Object.values(names)) await writeFile(path.join(temporary, name), 'half')
  await utimes(path.join(temporary, names.elsewhereOld), old, old)
  await open(folder)
  expect((await readdir(temporary)).sort()).toEqual([names.ofLiving, names.elsewhereNew].sort())
})

test("does not sweep this process's own uploads when the store is opened twice", async () => {
  const folder = newFolder()
  const blobs = await open(folder)
  const begun = Promise.withResolvers<void>()
  const goOn = Promise.withResolvers<void>()
  const slow = async function* () {
    yield Buffer.from('first ')
    begun.resolve()
    await goOn.promise
    yield Buffer.from('second')
  }
  const put = blobs.put(slow(), { bytesMax: 100, signal: never })
  await begun.promise
  const again = await open(folder)
  goOn.resolve()
  const { sha256 } = await put
  expect(await again.stat(sha256)).toEqual({ bytes: 12 })
})

test('reports a full disk, keeps nothing, and accepts the next upload that fits', async (context) => {
  const folder = newFolder()
  await mkdir(folder)
  const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=256k', 'tmpfs', folder]).status === 0
  if (!mounted) context.skip('a small disk can only be mounted by root')
  try {
    const blobs = await open(folder)
    await expect(blobs.put(one(randomBytes(400_000)), roomy)).rejects.toMatchObject({
      kind: 'unavailable',
      code: 'storage_full',
    })
    expect(await filesIn(folder)).toEqual([])
    expect((await blobs.put(one(randomBytes(100_000)), roomy)).bytes).toBe(100_000)
  } finally {
    spawnSync('umount', [folder])
  }
})

test('keeps memory flat while 300 MB are stored', async () => {
  const blobs = await open(newFolder())
  const chunk = randomBytes(64 * 1024)
  let grown = 0
  const before = process.memoryUsage().rss
  const large = async function* () {
    for (let count = 0; count < 4_800; count++) {
      yield Buffer.from(chunk)
      if (count % 100 === 0) grown = Math.max(grown, process.memoryUsage().rss - before)
    }
  }
  const { sha256, bytes } = await blobs.put(large(), { bytesMax: 400_000_000, signal: never })
  expect(bytes).toBe(4_800 * 64 * 1024)
  expect(grown).toBeLessThan(150_000_000)
  await blobs.remove(sha256)
})

async function* one(bytes: Buffer): AsyncGenerator<Buffer> {
  yield bytes
}
