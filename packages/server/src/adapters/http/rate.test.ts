import { expect, test } from 'vitest'
import { makeRateLimit, ownCounts } from './rate.ts'

function twoProcesses(perMinute: number) {
  let ms = 0
  const clock = { now: () => new Date(1_000_000 + ms), monotonicMs: () => ms }
  const shared = ownCounts()
  let asked = 0
  const counts: typeof shared = {
    take(of) {
      asked += 1
      return shared.take(of)
    },
  }
  const [one, other] = [1, 2].map(() => makeRateLimit({ clock, counts }, { name: 'test', perMinute }))
  if (!one || !other) throw new Error('there are two')
  return {
    one,
    other,
    asked: () => asked,
    pass: (by: number) => {
      ms += by
    },
  }
}

test('two processes share a small limit exactly, and a minute that starts with the first request', async () => {
  const { one, other, pass } = twoProcesses(3)
  const remaining = []
  for (const limit of [one, other, one]) {
    remaining.push((await limit.count('a')).remaining)
    pass(10_000)
  }
  expect(remaining).toEqual([2, 1, 0])
  expect(await other.count('a')).toEqual({ limit: 3, remaining: 0, resetSeconds: 30, exceeded: true })
  expect((await other.count('b')).exceeded).toBe(false)
  pass(30_000)
  expect(await other.count('a')).toMatchObject({ remaining: 2, resetSeconds: 60, exceeded: false })
})

test('a large limit is divided into shares, and a used-up one is not requested again within the minute', async () => {
  const { one, other, asked } = twoProcesses(1_000)
  const standings = await Promise.all(Array.from({ length: 1_500 }, (_, n) => (n % 2 === 0 ? one : other).count('a')))
  expect(standings.filter(({ exceeded }) => !exceeded)).toHaveLength(1_000)
  expect(asked()).toBeLessThanOrEqual(102)
  const before = asked()
  expect((await one.count('a')).exceeded).toBe(true)
  expect(asked()).toBe(before)
})
