import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { keepsTheWorkshopsPromises } from '../trials/conformance.ts'
import { type Trial, trialJob } from '../trials/trial.ts'
import { childWorkshopDefaults, createChildWorkshop } from './child-workshop.ts'

keepsTheWorkshopsPromises({
  name: 'a workshop of child processes',
  killable: true,
  create: () =>
    createChildWorkshop({
      ...childWorkshopDefaults,
      childrenMax: 2,
      queueMax: 4,
      heapMb: 64,
      outputMb: 2,
      readFolders: [],
      memoryCheckMs: 10,
    }),
})

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

test('a child ends when its parent is killed, even in the midst of an endless loop', async () => {
  const parent: ChildProcess = fork(new URL('../../../../test/house/doomed-parent.ts', import.meta.url), {
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  })
  const [pid] = (await once(parent, 'message')) as [number]
  expect(isAlive(pid)).toBe(true)
  parent.kill('SIGKILL')
  await expect.poll(() => isAlive(pid), { timeout: 30_000, interval: 100 }).toBe(false)
})

test('a job whose process is asked to end by somebody else is to be tried again: its input is not blamed', async () => {
  const workshop = createChildWorkshop({ ...childWorkshopDefaults, childrenMax: 1, readFolders: [] })
  try {
    const terms = { wallMs: 60_000, memoryMb: 1_000, signal: new AbortController().signal }
    const { pid } = (await workshop.run(trialJob, { act: 'calls' }, terms)) as { pid: number }
    const failure = workshop.run(trialJob, { act: 'sleep', value: 50_000 }, terms).catch((error: unknown) => error)
    process.kill(pid, 'SIGTERM')
    expect(await failure).toMatchObject({ kind: 'unavailable', code: 'workshop_unavailable' })
  } finally {
    await workshop.close()
  }
})

test.each<[string, { settings?: object; job?: object; trial?: Trial }]>([
  ['a process that ends while it starts', { settings: { heapMb: Number.NaN } }],
  ['a process that cannot be started', { settings: { readFolders: ['\0'] } }],
  ['code that is not there', { job: { module: new URL('./no-such.job.ts', import.meta.url) } }],
  ['a package that is not there', { trial: { act: 'package', value: 'no-such-package' } }],
  ['a file that is gone', { trial: { act: 'read', value: join(tmpdir(), 'skillrun-no-such-file') } }],
])('%s is a failure of the server: the input is not blamed', async (_what, { settings, job, trial }) => {
  const readFolders = [tmpdir()]
  const workshop = createChildWorkshop({ ...childWorkshopDefaults, childrenMax: 1, readFolders, ...settings })
  try {
    const terms = { wallMs: 60_000, memoryMb: 1_000, signal: new AbortController().signal }
    const asked = () =>
      workshop.run({ ...trialJob, ...job }, trial ?? { act: 'echo', value: 1 }, terms).catch((error: unknown) => error)
    // Twice: a failed start leaves no place taken.
    for (const failure of [await asked(), await asked()] as Error[]) {
      expect(failure).toMatchObject({ kind: 'unavailable', code: 'workshop_unavailable', retryable: true })
      expect(failure.message).toContain('the input is not at fault')
      expect(failure.message).not.toMatch(/no-such|skillrun-/)
    }
  } finally {
    await workshop.close()
  }
})

test('what was compiled is kept for the next child, and no job can write there', async () => {
  const compiledFolder = await mkdtemp(join(tmpdir(), 'skillrun-compiled-'))
  const settings = { ...childWorkshopDefaults, childrenMax: 1, readFolders: [], compiledFolder }
  const workshop = createChildWorkshop(settings)
  try {
    const terms = { wallMs: 30_000, memoryMb: 1_000, signal: new AbortController().signal }
    const write = { act: 'write', value: join(compiledFolder, 'x') } as const
    const failure = await workshop.run(trialJob, write, terms).catch((error: unknown) => error)
    expect(String((failure as Error).cause)).toContain('has been restricted')
    await workshop.run(trialJob, { act: 'echo', value: 1 }, terms)
    const kept = async () => (await readdir(compiledFolder, { recursive: true })).length
    await expect.poll(kept, { timeout: 30_000, interval: 100 }).toBeGreaterThan(1)
  } finally {
    await workshop.close()
    await rm(compiledFolder, { recursive: true, force: true })
  }
})
