import { type Clock, steadyClock } from '@skillrun/core/clock.ts'
import { expect, test } from 'vitest'

test('a steady clock starts at its floor, never goes back, keeps durations while the other is behind, and follows it forward', () => {
  let wallMs = 50_000
  let elapsedMs = 0
  const clock: Clock = { now: () => new Date(wallMs), monotonicMs: () => elapsedMs }
  const pass = (ms: number) => {
    wallMs += ms
    elapsedMs += ms
  }
  const steady = steadyClock(clock, new Date(60_000))
  const nowMs = () => steady.now().getTime()
  expect(nowMs()).toBe(60_000)
  pass(3_000)
  expect(nowMs()).toBe(63_000)
  wallMs += 20_000
  expect(nowMs()).toBe(73_000)
  wallMs -= 40_000
  pass(1_000)
  expect(nowMs()).toBe(74_000)
  wallMs += 1_000_000
  expect(nowMs()).toBe(wallMs)
})
