import { expect, test } from 'vitest'
import { allowedBefore, hasEnded, nextOf, type Status } from './execution.ts'

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
