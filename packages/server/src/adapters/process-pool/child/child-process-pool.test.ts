import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { temporaryFolder } from '../../../../../../test/support/temporary-folder.ts'
import { type Bubblewrap, findBubblewrap } from '../../sandbox/bubblewrap.ts'
import type { ProcessPool } from '../process-pool.ts'
import { keepsProcessPoolPromises } from '../testing/conformance.ts'
import { type Trial, trialJob } from '../testing/trial.ts'
import { childProcessPoolDefaults, createChildProcessPool } from './child-process-pool.ts'
import { compileNow } from './compile-later.ts'

const looked = await findBubblewrap({ environment: process.env, hidden: [] })
const bubblewrap = 'found' in looked ? looked.found : undefined
// Where a sandbox is required, its absence is a failure and no reason to skip.
const missing = 'missing' in looked && process.env['REQUIRE_SANDBOX'] !== '1' ? looked.missing : undefined
const alone = { ...childProcessPoolDefaults, childrenMax: 1, inputFolder: tmpdir(), bubblewrap: undefined }
const trials = { ...alone, childrenMax: 2, queueMax: 4, heapMb: 64, outputMb: 2, memoryCheckMs: 10 }

keepsProcessPoolPromises({
  name: 'a process pool of child processes',
  killable: true,
  create: () => createChildProcessPool(trials),
})

keepsProcessPoolPromises({
  name: 'a process pool of child processes in bubblewrap',
  killable: true,
  isUnnumbered: true,
  create: () => createChildProcessPool({ ...trials, bubblewrap }),
  ...(missing === undefined ? {} : { missing }),
})

describe.skipIf(missing !== undefined)(`in bubblewrap${missing === undefined ? '' : ` (${missing})`}`, () => {
  const terms = { wallMs: 60_000, memoryMb: 1_000, signal: new AbortController().signal }
  const started = (pid: number): number[] => {
    const own = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number)
    return own.flatMap((child) => [child, ...started(child)])
  }

  test('native code that a file has taken over opens no other file, unlike without a sandbox', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'skillrun-blobs-'))
    const [own, other] = [join(folder, 'own'), join(folder, 'other')]
    for (const [path, width] of [
      [own, 7],
      [other, 9],
    ] as const)
      await sharp({ create: { width, height: 1, channels: 3, background: 'red' } })
        .png()
        .toFile(path)
    const withOwn = { ...trialJob, files: ['value'] }
    const decoded = async (around: Bubblewrap | undefined) => {
      const processPool = createChildProcessPool({ ...alone, bubblewrap: around })
      try {
        const mine = await processPool.run(withOwn, { act: 'decode', value: own }, terms)
        const theirs = await processPool.run(trialJob, { act: 'decode', value: other }, terms).catch(() => 'refused')
        return [mine, theirs]
      } finally {
        await processPool.close()
      }
    }
    try {
      expect(await decoded(bubblewrap)).toEqual([7, 'refused'])
      expect(await decoded(undefined)).toEqual([7, 9])
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  })

  test('compiled code is cached for the next child, and native code that a file has taken over cannot change it', async () => {
    const compiledFolder = await mkdtemp(join(tmpdir(), 'skillrun-compiled-'))
    const settings = { ...alone, compiledFolder, bubblewrap }
    try {
      const use = async (processPool: ProcessPool) => void (await processPool.run(trialJob, { act: 'calls' }, terms))
      await compileNow(settings, use, terms.signal)
      const kept = await readdir(compiledFolder, { recursive: true })
      expect(kept.length).toBeGreaterThan(2)
      for (const [around, wrote] of [
        [bubblewrap, false],
        [undefined, true],
      ] as const) {
        const processPool = createChildProcessPool({ ...settings, bubblewrap: around })
        const paint = { act: 'paint', value: join(compiledFolder, 'poison.png') } as const
        const painted = await processPool.run(trialJob, paint, terms).then(
          () => true,
          () => false,
        )
        await processPool.close()
        expect(painted).toBe(wrote)
      }
    } finally {
      await rm(compiledFolder, { recursive: true, force: true })
    }
  })

  test('compiled code is cached once for each build', async () => {
    const compiledFolder = await mkdtemp(join(tmpdir(), 'skillrun-compiled-'))
    const build = join(compiledFolder, 'list.json')
    let uses = 0
    const compile = async (files: string): Promise<number> => {
      await writeFile(build, files)
      const use = async (): Promise<void> => {
        uses += 1
      }
      await compileNow({ ...alone, compiledFolder, bubblewrap }, use, terms.signal, [build])
      return uses
    }
    try {
      expect([
        await compile('first'),
        await compile('first'),
        await compile('second'),
        await compile('second'),
      ]).toEqual([1, 1, 2, 2])
      expect((await readdir(compiledFolder)).filter((name) => name.startsWith('done-'))).toHaveLength(1)
    } finally {
      await rm(compiledFolder, { recursive: true, force: true })
    }
  })

  test('leaves no process and no folder behind when it is closed', async () => {
    const inputFolder = await temporaryFolder('inputs')
    const processPool = createChildProcessPool({ ...alone, inputFolder, bubblewrap })
    const before = started(process.pid)
    await processPool.run(trialJob, { act: 'calls' }, terms)
    const own = started(process.pid).filter((pid) => !before.includes(pid))
    expect([own.length > 1, (await readdir(inputFolder)).length]).toEqual([true, 1])
    await processPool.close()
    await expect.poll(() => own.filter(isAlive), { timeout: 10_000 }).toEqual([])
    expect(await readdir(inputFolder)).toEqual([])
  })

  test('a child ends when its parent is killed, even in an endless loop', async () => {
    const parent = doomedParent('bubblewrap')
    await once(parent, 'message')
    const own = started(parent.pid ?? 0)
    await loops(own.at(-1) ?? 0)
    parent.kill('SIGKILL')
    await expect.poll(() => own.filter(isAlive), { timeout: 10_000 }).toEqual([])
  })

  test('a child that is terminated from outside does not blame its input', async () => {
    const processPool = createChildProcessPool({ ...alone, bubblewrap })
    const before = started(process.pid)
    await processPool.run(trialJob, { act: 'calls' }, terms)
    const innermost = started(process.pid)
      .filter((pid) => !before.includes(pid))
      .at(-1)
    const failure = processPool.run(trialJob, { act: 'sleep', value: 50_000 }, terms).catch((error: unknown) => error)
    process.kill(innermost ?? 0, 'SIGTERM')
    expect(await failure).toMatchObject({ kind: 'unavailable', code: 'process_pool_unavailable' })
    await processPool.close()
  })
})

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

const doomedParent = (...args: string[]): ChildProcess =>
  fork(new URL('../../../../../../test/support/doomed-parent.ts', import.meta.url), args, {
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  })

/** Waits until a process is at work. */
async function loops(pid: number): Promise<void> {
  const hundredths = (): number => {
    const fields = readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ').at(-1)?.split(' ') ?? []
    return Number(fields[11]) + Number(fields[12])
  }
  const before = hundredths()
  await expect.poll(() => hundredths() - before, { timeout: 30_000 }).toBeGreaterThan(20)
}

test('a child ends when its parent is killed, even in an endless loop', async () => {
  const parent = doomedParent()
  const [pid] = (await once(parent, 'message')) as [number]
  await loops(pid)
  parent.kill('SIGKILL')
  await expect.poll(() => isAlive(pid), { timeout: 30_000, interval: 100 }).toBe(false)
})

test('a job that is terminated from outside is retryable: its input is not blamed', async () => {
  const processPool = createChildProcessPool(alone)
  try {
    const terms = { wallMs: 60_000, memoryMb: 1_000, signal: new AbortController().signal }
    const { pid } = (await processPool.run(trialJob, { act: 'calls' }, terms)) as { pid: number }
    const failure = processPool.run(trialJob, { act: 'sleep', value: 50_000 }, terms).catch((error: unknown) => error)
    process.kill(pid, 'SIGTERM')
    expect(await failure).toMatchObject({ kind: 'unavailable', code: 'process_pool_unavailable' })
  } finally {
    await processPool.close()
  }
})

describe('an input is not blamed for', () => {
  const terms = { wallMs: 60_000, memoryMb: 1_000, signal: new AbortController().signal }

  const inOneChild = async (work: (processPool: ProcessPool) => Promise<unknown>): Promise<unknown> => {
    const processPool = createChildProcessPool({ ...alone, keptMemoryMb: 2_000 })
    try {
      return await work(processPool)
    } finally {
      await processPool.close()
    }
  }

  test('the time in which the server was stalled', async () => {
    const answer = await inOneChild(async (processPool) => {
      await processPool.run(trialJob, { act: 'calls' }, terms)
      const answered = processPool.run(trialJob, { act: 'echo', value: 5 }, { ...terms, wallMs: 1_500 })
      // The job is running when this thread stalls for longer than the job's limit.
      await new Promise(setImmediate)
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 3_000)
      return await answered
    })
    expect(answer).toBe(5)
  })

  test('memory that earlier jobs left in the child', async () => {
    const pids = await inOneChild(async (processPool) => {
      const first = (await processPool.run(trialJob, { act: 'calls' }, terms)) as { pid: number }
      await processPool.run(trialJob, { act: 'resident', value: 25 }, terms)
      await processPool.run(trialJob, { act: 'sleep', value: 200 }, { ...terms, memoryMb: 300 })
      const last = (await processPool.run(trialJob, { act: 'calls' }, terms)) as { pid: number }
      return [first.pid, last.pid]
    })
    expect(new Set(pids as number[]).size).toBe(1)
  })

  test('an error that an earlier job left in the child', async () => {
    const answer = await inOneChild(async (processPool) => {
      await processPool.run(trialJob, { act: 'leave' }, terms)
      return await processPool.run(trialJob, { act: 'echo', value: 6 }, terms)
    })
    expect(answer).toBe(6)
  })
})

test.each<[string, { settings?: object; job?: object; trial?: Trial }]>([
  ['a process that ends while it starts', { settings: { heapMb: Number.NaN } }],
  ['a process that cannot be started', { settings: { inputFolder: '\0' } }],
  ['code that is not there', { job: { module: new URL('./no-such.job.ts', import.meta.url) } }],
  ['a package that is not there', { trial: { act: 'package', value: 'no-such-package' } }],
  [
    'a file that is gone',
    { job: { files: ['value'] }, trial: { act: 'read', value: join(tmpdir(), 'skillrun-no-such-file') } },
  ],
])('%s is a failure of the server: the input is not blamed', async (_what, { settings, job, trial }) => {
  const processPool = createChildProcessPool({ ...alone, ...settings })
  try {
    const terms = { wallMs: 60_000, memoryMb: 1_000, signal: new AbortController().signal }
    const asked = () =>
      processPool
        .run({ ...trialJob, ...job }, trial ?? { act: 'echo', value: 1 }, terms)
        .catch((error: unknown) => error)
    // Twice: a failed start must free its slot.
    for (const failure of [await asked(), await asked()] as Error[]) {
      expect(failure).toMatchObject({ kind: 'unavailable', code: 'process_pool_unavailable', retryable: true })
      expect(failure.message).toContain('the input is not at fault')
      expect(failure.message).not.toMatch(/no-such|skillrun-/)
    }
  } finally {
    await processPool.close()
  }
})

test('compiled code is cached for the next child, and no job can write there', async () => {
  const compiledFolder = await mkdtemp(join(tmpdir(), 'skillrun-compiled-'))
  const processPool = createChildProcessPool({ ...alone, compiledFolder })
  try {
    const terms = { wallMs: 30_000, memoryMb: 1_000, signal: new AbortController().signal }
    const write = { act: 'write', value: join(compiledFolder, 'x') } as const
    const failure = await processPool.run(trialJob, write, terms).catch((error: unknown) => error)
    expect(String((failure as Error).cause)).toContain('has been restricted')
    await processPool.run(trialJob, { act: 'echo', value: 1 }, terms)
    const kept = async () => (await readdir(compiledFolder, { recursive: true })).length
    await expect.poll(kept, { timeout: 30_000, interval: 100 }).toBeGreaterThan(1)
  } finally {
    await processPool.close()
    await rm(compiledFolder, { recursive: true, force: true })
  }
})
