import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { silentLog } from './core/log.ts'
import { openTemporaryFolder } from './temporary-folder.ts'

let dataFolder: string
beforeEach(async () => {
  dataFolder = await mkdtemp(join(tmpdir(), 'skillrun-temporary-'))
})
afterEach(() => rm(dataFolder, { recursive: true, force: true }))

const clockAt = (ms: number) => ({ now: () => new Date(ms), monotonicMs: () => ms })
const hour = 3_600_000
const open = async (ms: number, isAlone: boolean) => {
  const folder = await openTemporaryFolder({ dataFolder, clock: clockAt(ms), log: silentLog })
  await folder.keep(isAlone)
  return folder
}
const folders = async () => (await readdir(dataFolder)).filter((name) => name.startsWith('tmp-')).length

/** A folder with an input, as a killed process leaves it. */
async function leaveBehind(): Promise<void> {
  await mkdir(join(dataFolder, 'tmp-4711', 'input-x'), { recursive: true })
  await writeFile(join(dataFolder, 'tmp-4711', 'input-x', 'bytes'), 'a secret invoice')
}

test('a process that is alone removes folders of killed ones, and nothing else', async () => {
  await leaveBehind()
  await mkdir(join(dataFolder, 'blobs'))
  const own = await open(Date.now(), true)
  expect((await readdir(dataFolder)).toSorted()).toEqual(['blobs', own.path.slice(dataFolder.length + 1)])
  await own.close()
  expect(await readdir(dataFolder)).toEqual(['blobs'])
})

test('nothing of others is removed before it is known who else uses the data folder', async () => {
  await leaveBehind()
  const own = await openTemporaryFolder({ dataFolder, clock: clockAt(Date.now()), log: silentLog })
  expect(await folders()).toBe(2)
  await own.close()
})

test('concurrent processes keep their folders, and remove one that was silent for an hour', async () => {
  const start = Date.now()
  const one = await open(start, false)
  await leaveBehind()
  const other = await open(start + hour / 2, false)
  expect(await folders()).toBe(3)
  // The first one has shown no activity since its start.
  const third = await open(start + hour * 1.25, false)
  expect((await readdir(dataFolder)).toSorted()).toEqual(
    [other.path, third.path].map((path) => path.slice(dataFolder.length + 1)).toSorted(),
  )
  await Promise.all([one, other, third].map((folder) => folder.close()))
  expect(await folders()).toBe(0)
})
