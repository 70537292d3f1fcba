import { expect, test } from 'vitest'
import { allowedBefore, hasEnded, nextOf, type Status, usedMs } from './lifecycle.ts'

const statuses = Object.keys(nextOf) as Status[]

test('completed and failed are final, and every other state leads to an end', () => {
  expect(statuses.filter(hasEnded)).toEqual(['completed', 'failed'])
  for (const from of statuses.filter((status) => !hasEnded(status))) expect(reachable(from)).toContain('failed')
})

test('only a run completes, and the allowed previous states match the transitions', () => {
  expect(allowedBefore('completed')).toEqual(['running'])
  for (const to of statuses)
    for (const from of statuses) expect(allowedBefore(to).includes(from)).toBe(nextOf[from].includes(to))
})

test.each<[string, readonly [Status, number][], number]>([
  [
    'its first start',
    [
      ['enqueued', 0],
      ['running', 5],
    ],
    5,
  ],
  [
    'its first start, also when it was paused before',
    [
      ['enqueued', 0],
      ['paused', 1],
      ['enqueued', 3],
      ['running', 5],
    ],
    5,
  ],
  [
    'its first start, also when another process took it over',
    [
      ['running', 1],
      ['running', 3],
      ['enqueued', 4],
      ['running', 6],
    ],
    9,
  ],
  [
    'its start, without a pause and the wait after it',
    [
      ['running', 1],
      ['paused', 3],
      ['enqueued', 4],
      ['running', 8],
    ],
    4,
  ],
  [
    'its start, without two pauses between which it did not start',
    [
      ['running', 1],
      ['paused', 3],
      ['enqueued', 4],
      ['paused', 5],
      ['enqueued', 6],
      ['running', 8],
    ],
    4,
  ],
  [
    'its start after a failure',
    [
      ['running', 0],
      ['failed', 2],
      ['enqueued', 3],
      ['running', 8],
    ],
    2,
  ],
  [
    'its start after a failure, without a pause before that',
    [
      ['running', 0],
      ['failed', 2],
      ['enqueued', 3],
      ['paused', 4],
      ['enqueued', 5],
      ['running', 8],
    ],
    2,
  ],
  ['its start, and nothing while the clock is behind', [['running', 12]], 0],
])('the time of an execution counts from %s', (_, moves, seconds) => {
  const at = (second: number) => new Date(Date.UTC(2026, 10, 22, 12, 0, second))
  const made = moves.map(([status, second]) => ({ status, at: at(second).toISOString(), attempt: 1 }))
  expect(usedMs(made, at(10))).toBe(seconds * 1_000)
})

function reachable(from: Status): Status[] {
  const all = new Set<Status>()
  const pending = [from]
  for (let status = pending.pop(); status; status = pending.pop()) {
    for (const next of nextOf[status]) {
      if (all.has(next)) continue
      all.add(next)
      pending.push(next)
    }
  }
  return [...all]
}
