import { once } from 'node:events'
import { expect, test } from 'vitest'
import { type Bounds, causeOfDeath, collect, startGroup, supervise } from './child-process.ts'

const shell = (script: string) => startGroup(['/bin/sh', '-c', script], { stdio: ['ignore', 'pipe', 'ignore'] })
const bounds = (more: Partial<Bounds> = {}): Bounds => ({
  wallMs: 60_000,
  overWall: () => 'too long',
  signal: new AbortController().signal,
  ...more,
})

test.each([
  ['exit 3', 'itself'],
  ['kill -SEGV $$', 'itself'],
  ['kill -TERM $$', 'outside'],
  ['kill -INT $$', 'outside'],
  ['kill -HUP $$', 'outside'],
  ['kill -KILL $$', 'memory'],
  ['kill -ABRT $$', 'memory'],
  ['kill -XCPU $$', 'cpu'],
  // A program within another ends it with 128 + signal.
  ['exit 143', 'outside'],
  ['exit 137', 'memory'],
] as const)('the end of `%s` is attributed to %s', async (script, cause) => {
  const [code, signal] = await once(shell(script), 'close')
  expect(causeOfDeath(code, signal)).toBe(cause)
})

test('a child ends at the first bound that it passes, with all that it has started, and the error says which', async () => {
  const aborting = new AbortController()
  const passed: readonly [unknown, Partial<Bounds>][] = [
    ['too long', { wallMs: 1 }],
    ['too large', { check: () => 'too large', checkMs: 1 }],
    ['aborted', { signal: aborting.signal }],
  ]
  aborting.abort('aborted')
  for (const [error, more] of passed) {
    const child = shell('sleep 600 & sleep 600')
    await expect(supervise(child, bounds(more), () => undefined)).rejects.toBe(error)
    // The pipe closes when the last process that holds it is gone.
    await once(child, 'close')
    expect(child.signalCode).toBe('SIGKILL')
  }
})

test('output is collected up to its bound, and what lies beyond ends the child', async () => {
  const child = shell('printf 12345; printf 67890; sleep 600')
  const supervised = supervise(child, bounds(), ({ stop }) => {
    collect(child.stdout, 6, () => stop('too much'))
    return undefined
  })
  await expect(supervised).rejects.toBe('too much')
  const short = shell('printf 12345')
  const stdout = collect(short.stdout, 5)
  await once(short, 'close')
  expect(stdout().toString()).toBe('12345')
})
