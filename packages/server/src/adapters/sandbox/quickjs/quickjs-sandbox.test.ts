import { fork } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { systemClock } from '@skillrun/core/clock.ts'
import { expect, test, vi } from 'vitest'
import { findBubblewrap } from '../bubblewrap.ts'
import { keepsTheSandboxesPromises } from '../testing/conformance.ts'
import { programOf } from '../testing/hostile-programs.ts'
import { createQuickjsSandbox, quickjsSandboxDefaults } from './quickjs-sandbox.ts'

const looked = await findBubblewrap({ environment: process.env, hidden: [] })
const missing = 'missing' in looked ? looked.missing : undefined
const bubblewrap = 'found' in looked ? looked.found : undefined
const create = (more: object = {}) =>
  createQuickjsSandbox({
    ...quickjsSandboxDefaults,
    childrenMax: 2,
    clock: systemClock,
    bubblewrap: undefined,
    ...more,
  })

keepsTheSandboxesPromises({ name: 'a sandbox of child processes', isApart: true, create })

// Where a sandbox is required, its absence is a failure and not a reason to skip.
const isRequired = process.env['REQUIRE_SANDBOX'] === '1'

keepsTheSandboxesPromises({
  name: 'a sandbox of child processes in bubblewrap',
  isApart: true,
  create: () => create({ bubblewrap }),
  ...(missing === undefined || isRequired ? {} : { missing }),
})

test.runIf(isRequired)('bubblewrap can create sandboxes on this machine', () => {
  expect(missing).toBeUndefined()
})

const limits = {
  wallMs: 40_000,
  cpuMs: 10_000,
  memoryMb: 48,
  outputBytesMax: 10_000,
  hostCallsMax: 1,
  consoleBytesMax: 100,
}
const plain = { source: programOf('return 1'), input: null, host: {}, limits, nowMs: 0 }

test.skipIf(bubblewrap === undefined)('runs where a sandbox has no /proc, as in most containers', async () => {
  const sandbox = create({ bubblewrap: { ...bubblewrap, hasProc: false } })
  const { value } = await sandbox.run({ ...plain, signal: new AbortController().signal })
  await sandbox.close()
  expect(value).toBe(1)
})

test('runs nothing when no child can be started', async () => {
  const sandbox = create({ bubblewrap: { path: '/nowhere/bwrap', system: [], masked: { folders: [], files: [] } } })
  const signal = new AbortController().signal
  await expect(sandbox.run({ ...plain, signal })).rejects.toMatchObject({
    kind: 'unavailable',
    code: 'sandbox_unavailable',
  })
  await sandbox.close()
})

test('an answer that crosses the end of its program does not end the next program of the same process', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const sandbox = create({ childrenMax: 1 })
  const signal = new AbortController().signal
  const both = Promise.withResolvers<number>()
  const crossing = {
    'trial.first': () => both.promise,
    'trial.second': async () => {
      setImmediate(() => both.resolve(1))
      return await both.promise
    },
  }
  try {
    const unlimited = { ...limits, hostCallsMax: 2 }
    // Both answers are sent together; the program ends at the first and never reads the second.
    const source = programOf('const one = tools.trial.first(); tools.trial.second(); await one; return 1')
    expect((await sandbox.run({ ...plain, source, host: crossing, limits: unlimited, signal })).value).toBe(1)
    const asked = Promise.withResolvers<void>()
    const answer = Promise.withResolvers<number>()
    const wait = async () => {
      asked.resolve()
      return await answer.promise
    }
    const next = sandbox.run({
      ...plain,
      source: programOf('return await tools.trial.wait()'),
      host: { 'trial.wait': wait },
      limits: { ...limits, wallMs: 3_600_000 },
      signal,
    })
    await asked.promise
    // Longer than the first program's time limit.
    await vi.advanceTimersByTimeAsync(600_000)
    answer.resolve(2)
    expect((await next).value).toBe(2)
  } finally {
    vi.useRealTimers()
    await sandbox.close()
  }
})

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

test.runIf(process.platform === 'linux').each(missing === undefined ? ['plain', 'bubblewrap'] : ['plain'])(
  'no process outlives a parent that is killed in the midst of a program (%s)',
  async (wall) => {
    const parent = fork(new URL('../../../../../../test/support/doomed-sandbox.ts', import.meta.url), [wall], {
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    })
    const [pids] = (await once(parent, 'message')) as [number[]]
    expect(pids.map(isAlive)).not.toContain(false)
    parent.kill('SIGKILL')
    await expect.poll(() => pids.some(isAlive), { timeout: 30_000, interval: 100 }).toBe(false)
  },
)

/** Live children of this process. */
const children = (): readonly string[] =>
  readFileSync(`/proc/${process.pid}/task/${process.pid}/children`, 'utf8').split(' ').filter(Boolean)

test.runIf(process.platform === 'linux')(
  'a process that is asked to end from outside is no fault of its program',
  async () => {
    const before = children()
    const sandbox = create()
    const stop = async () => {
      for (const pid of children()) if (!before.includes(pid)) process.kill(Number(pid), 'SIGTERM')
      return null
    }
    const run = { ...plain, source: programOf('return await tools.trial.stop()'), host: { 'trial.stop': stop } }
    const failure = sandbox.run({ ...run, signal: new AbortController().signal })
    await expect(failure).rejects.toMatchObject({ kind: 'unavailable', code: 'sandbox_unavailable', retryable: true })
    await sandbox.close()
  },
)

test.runIf(process.platform === 'linux')('leaves no process behind when it is closed', async () => {
  const before = children()
  const added = () => children().filter((pid) => !before.includes(pid))
  const sandbox = create()
  const signal = new AbortController().signal
  expect((await sandbox.run({ ...plain, signal })).value).toBe(1)
  expect(added()).toHaveLength(1)
  await sandbox.close()
  expect(added()).toEqual([])
})
