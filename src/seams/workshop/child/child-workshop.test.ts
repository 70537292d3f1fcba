import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { expect, test } from 'vitest'
import { keepsTheWorkshopsPromises } from '../trials/conformance.ts'
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
