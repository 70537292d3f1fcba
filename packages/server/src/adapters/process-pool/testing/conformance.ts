import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { JobTerms } from '@skillrun/core/job.ts'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { ProcessPool } from '../process-pool.ts'
import { type Trial, trialJob } from './trial.ts'

/** An adapter under test, with a way to count what it left running. */
export interface Candidate {
  readonly name: string
  /** A process pool with two parallel jobs and four waiting ones. */
  readonly create: () => ProcessPool
  /** Whether jobs run in killable processes; if not, tests that need that are skipped. */
  readonly killable: boolean
  /** Process ids in it mean nothing outside. */
  readonly isUnnumbered?: boolean
  /** Why this machine cannot run it. */
  readonly missing?: string
}

/** The tests that every process pool passes. */
export function keepsProcessPoolPromises(candidate: Candidate): void {
  const { name, create, killable, isUnnumbered = false, missing } = candidate
  const open: ProcessPool[] = []
  const processPool = (): ProcessPool => {
    const created = create()
    open.push(created)
    return created
  }
  afterEach(async () => {
    await Promise.all(open.splice(0).map((each) => each.close()))
  })
  describe.skipIf(missing !== undefined)(missing === undefined ? name : `${name} (${missing})`, () => {
    answersAndFaults(processPool)
    ordersAndStops(processPool)
    describe.skipIf(!killable)('with children that can be killed (in process there is nothing to kill)', () => {
      outlivesItsJobs(processPool)
      handsFilesOver(processPool)
      test.skipIf(isUnnumbered)('leaves no child behind when it is closed', async () => {
        const one = processPool()
        const { pid } = (await run(one, { act: 'calls' })) as { pid: number }
        expect(process.kill(pid, 0)).toBe(true)
        await one.close()
        expect(() => process.kill(pid, 0)).toThrow('ESRCH')
      })
      keepsJobsFromHarm(processPool)
    })
  })
}

const generous = (signal = new AbortController().signal): JobTerms => ({ wallMs: 30_000, memoryMb: 1_000, signal })

const run = (processPool: ProcessPool, trial: Trial, terms: Partial<JobTerms> = {}): Promise<unknown> =>
  processPool.run(trialJob, trial, { ...generous(), ...terms })

function answersAndFaults(processPool: () => ProcessPool): void {
  test('gives back what the job returned, typed arrays and dates included', async () => {
    const value = { words: ['a', 'ü'], box: new Float64Array([0.5]), at: new Date(0), none: null }
    expect(await run(processPool(), { act: 'echo', value })).toEqual(value)
  })

  test('gives a Fault over with kind, code and message as the job threw it', async () => {
    await expect(run(processPool(), { act: 'fault' })).rejects.toMatchObject({
      name: 'Fault',
      kind: 'unsupported',
      code: 'trial_fault',
      message: 'A trial throws this Fault.',
    })
  })

  test('makes any other error a Fault that says nothing of paths and keeps the account as cause', async () => {
    const failure = await run(processPool(), { act: 'error' }).catch((error: unknown) => error)
    expect(failure).toMatchObject({ name: 'Fault', kind: 'invalid', code: 'unreadable_input' })
    expect((failure as Error).message).not.toContain('/etc')
    expect(String((failure as Error).cause)).toContain('a secret path')
  })

  test.each([['a word'], [undefined], [null], [{ kind: 'odd' }]])('bears a job that throws %o', async (value) => {
    await expect(run(processPool(), { act: 'text', value })).rejects.toMatchObject({ code: 'unreadable_input' })
  })

  test('refuses an output that cannot be copied', async () => {
    await expect(run(processPool(), { act: 'function' })).rejects.toMatchObject({ code: 'unreadable_input' })
  })
}

function ordersAndStops(processPool: () => ProcessPool): void {
  test('works again after a job that failed', async () => {
    const one = processPool()
    await expect(run(one, { act: 'error' })).rejects.toThrow()
    expect(await run(one, { act: 'echo', value: 1 })).toBe(1)
  })

  test('answers many jobs at once, each with its own answer', async () => {
    const one = processPool()
    const values = await Promise.all([1, 2, 3, 4, 5, 6].map((value) => run(one, { act: 'echo', value })))
    expect(values).toEqual([1, 2, 3, 4, 5, 6])
  })

  test('stops a job that takes too long', async () => {
    await expect(run(processPool(), { act: 'sleep', value: 60_000 }, { wallMs: 50 })).rejects.toMatchObject({
      kind: 'too_large',
      code: 'input_too_costly',
      message: expect.stringContaining('0.05 seconds'),
    })
  })

  test('does not begin what is aborted already', async () => {
    await expect(
      run(processPool(), { act: 'echo' }, { signal: AbortSignal.abort(new Error('no more')) }),
    ).rejects.toThrow('no more')
  })

  test('ends a running job with the reason of its abort', async () => {
    const control = new AbortController()
    const one = processPool()
    const running = run(one, { act: 'sleep', value: 60_000 }, { signal: control.signal })
    control.abort(new Error('changed my mind'))
    await expect(running).rejects.toThrow('changed my mind')
    expect(await run(one, { act: 'echo', value: 2 })).toBe(2)
  })

  test('ends running work and takes no more after it is closed', async () => {
    const one = processPool()
    const running = run(one, { act: 'sleep', value: 60_000 })
    const ended = expect(running).rejects.toMatchObject({ kind: 'unavailable', code: 'process_pool_closed' })
    await one.close()
    await ended
    await expect(run(one, { act: 'echo' })).rejects.toMatchObject({ code: 'process_pool_closed' })
  })
}

function outlivesItsJobs(processPool: () => ProcessPool): void {
  test('kills an endless loop', async () => {
    await expect(run(processPool(), { act: 'loop' }, { wallMs: 200 })).rejects.toMatchObject({
      code: 'input_too_costly',
    })
  })

  test('kills a job whose memory outside the heap grows over its limit', async () => {
    const trial: Trial = { act: 'resident', value: 128 }
    await expect(run(processPool(), trial, { memoryMb: 300 })).rejects.toMatchObject({
      code: 'input_too_costly',
      message: expect.stringContaining('300 MB of memory'),
    })
  })

  test('survives a job that fills its heap', async () => {
    await expect(run(processPool(), { act: 'heap' })).rejects.toMatchObject({ code: 'input_too_costly' })
  })

  test.each<Trial>([{ act: 'exit' }, { act: 'later' }])('survives a job that ends its process: $act', async (trial) => {
    const one = processPool()
    await expect(run(one, trial)).rejects.toMatchObject({ code: 'unreadable_input' })
    expect(await run(one, { act: 'echo', value: 3 })).toBe(3)
  })

  test('refuses an output that is too large', async () => {
    await expect(run(processPool(), { act: 'output', value: 3 * 1024 * 1024 })).rejects.toMatchObject({
      code: 'input_too_costly',
      message: expect.stringContaining('2 MB of output'),
    })
  })

  test('refuses what exceeds the queue, and forgets what is aborted in it', async () => {
    const one = processPool()
    const control = new AbortController()
    const long = { signal: control.signal }
    const started = Array.from({ length: 6 }, () => run(one, { act: 'sleep', value: 60_000 }, long))
    const ended = Promise.allSettled(started)
    await expect(run(one, { act: 'echo' })).rejects.toMatchObject({ kind: 'unavailable', code: 'process_pool_full' })
    control.abort(new Error('enough'))
    for (const each of await ended) expect(each).toMatchObject({ status: 'rejected', reason: { message: 'enough' } })
    expect(await run(one, { act: 'echo', value: 4 })).toBe(4)
  })

  test('lets nobody wait for the long jobs of another group, nor urgent and quick jobs for any', async () => {
    const one = processPool()
    const control = new AbortController()
    const sleep = { act: 'sleep', value: 60_000 } as const
    const long = { share: { group: 'long', rank: 1 }, signal: control.signal }
    const ended = Promise.allSettled([1, 2, 3, 4].map(() => run(one, sleep, long)))
    const echo = { act: 'echo', value: 5 } as const
    expect(await run(one, echo, { share: { group: 'other', rank: 1 } })).toBe(5)
    expect(await run(one, echo, { share: { group: 'long', rank: 0 } })).toBe(5)
    expect(await one.run({ ...trialJob, isQuick: true }, echo, { ...generous(), ...long })).toBe(5)
    control.abort(new Error('enough'))
    await ended
  })

  test('keeps a child warm between jobs and replaces it after a failure', async () => {
    const one = processPool()
    expect(await run(one, { act: 'calls' })).toMatchObject({ calls: 1 })
    expect(await run(one, { act: 'calls' })).toMatchObject({ calls: 2 })
    await expect(run(one, { act: 'fault' })).rejects.toThrow()
    expect(await run(one, { act: 'calls' })).toMatchObject({ calls: 4 })
    await expect(run(one, { act: 'error' })).rejects.toThrow()
    expect(await run(one, { act: 'calls' })).toMatchObject({ calls: 1 })
  })
}

/** Files of this machine that a job gets, and files that it does not get. */
function handsFilesOver(processPool: () => ProcessPool): void {
  let folder: string
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'skillrun-process-pool-'))
    await writeFile(join(folder, 'own'), 'own')
    await writeFile(join(folder, 'other'), 'other')
  })
  afterAll(() => rm(folder, { recursive: true, force: true }))
  const withFiles = { ...trialJob, files: ['value'] }

  test('gives a job the files that its input names, and the next one in the same process none of them', async () => {
    const one = processPool()
    const own = join(folder, 'own')
    expect(await one.run(withFiles, { act: 'read', value: own }, generous())).toBe('own')
    const both = [own, join(folder, 'other')]
    const [first, second] = (await one.run(withFiles, { act: 'echo', value: both }, generous())) as [string, string]
    expect([dirname(first) === dirname(second), first === own]).toEqual([true, false])
    expect(await one.run(withFiles, { act: 'list', value: own }, generous())).toEqual([expect.any(String)])
    const failure = await run(one, { act: 'read', value: second }).catch((error: unknown) => error)
    expect((failure as Error).cause).toMatchObject({ message: expect.stringContaining('no such file') })
    expect(await readFile(own, 'utf8')).toBe('own')
  })

  test('reports a missing file as a failure of the server', async () => {
    const gone = { act: 'read', value: join(folder, 'gone') } as const
    const failure = await processPool()
      .run(withFiles, gone, generous())
      .catch((error: unknown) => error)
    expect(failure).toMatchObject({ kind: 'unavailable', code: 'process_pool_unavailable' })
  })

  test('lets no job read a file that it was not given', async () => {
    const other = { act: 'read', value: join(folder, 'other') } as const
    const failure = await run(processPool(), other).catch((error: unknown) => error)
    expect(String((failure as Error).cause)).toContain('has been restricted')
  })
}

function keepsJobsFromHarm(processPool: () => ProcessPool): void {
  test('hands no secret of ours to its jobs', async () => {
    process.env['TRIAL_API_KEY'] = 'secret'
    try {
      const names = (await run(processPool(), { act: 'environment' })) as string[]
      expect(names).not.toContain('TRIAL_API_KEY')
      expect(names.filter((name) => /KEY|TOKEN|SECRET|DATABASE|PATH|HOME/.test(name))).toEqual([])
    } finally {
      delete process.env['TRIAL_API_KEY']
    }
  })

  test.each<Trial>([{ act: 'read', value: '/etc/hosts' }, { act: 'write', value: 'trial.txt' }, { act: 'spawn' }])(
    'lets no job $act outside of what it needs',
    async (trial) => {
      const failure = await run(processPool(), trial).catch((error: unknown) => error)
      expect(failure).toMatchObject({ code: 'unreadable_input' })
      expect(String((failure as Error).cause)).toContain('has been restricted')
    },
  )
}
