import { expect, test } from 'vitest'
import { repeat } from './repeat.ts'

const hour = 3_600_000
const atHours = (ms: number) => ms / hour

/** Repeats work on a clock that moves only while it is waited for, until `endHours`; returns the hours at which it was done. */
async function hoursOf(how: {
  last?: number
  endHours: number
  work?: (hours: number) => void
  takesHours?: number
}): Promise<{ done: number[]; failed: unknown[]; next: number[] }> {
  let ms = 0
  const done: number[] = []
  const failed: unknown[] = []
  const next: number[] = []
  const stopped = new Error('stopped')
  const repeating = repeat({
    everyMs: 24 * hour,
    clock: { now: () => new Date(ms), monotonicMs: () => ms },
    async pause(byMs) {
      ms += byMs
      if (ms >= how.endHours * hour) throw stopped
    },
    findLast: async () => (how.last === undefined ? undefined : new Date(how.last * hour)),
    async work() {
      const began = atHours(ms)
      ms += (how.takesHours ?? 0) * hour
      how.work?.(began)
      done.push(began)
    },
    onNext: (due) => next.push(atHours(due.getTime())),
    onFailure: (error) => failed.push(error),
  })
  await expect(repeating).rejects.toBe(stopped)
  return { done, failed, next }
}

test('work that was never done is done at once, and then at the same time of each day, however long it takes', async () => {
  expect(await hoursOf({ endHours: 73, takesHours: 2 })).toEqual({
    done: [0, 24, 48, 72],
    failed: [],
    next: [24, 48, 72, 96],
  })
})

test('after a restart the next is due a day after the last, at once when that has passed, and in a day when the last is in the future', async () => {
  expect((await hoursOf({ last: -20, endHours: 30 })).done).toEqual([4, 28])
  expect((await hoursOf({ last: -100, endHours: 30 })).done).toEqual([0, 24])
  expect((await hoursOf({ last: 1_000, endHours: 30 })).done).toEqual([24])
})

test('a failure is told and tried again after ten minutes; a first one ends it', async () => {
  let failures = 2
  const work = (hours: number) => {
    if (hours >= 24 && failures-- > 0) throw new Error(`at ${hours}`)
  }
  const { done, failed } = await hoursOf({ endHours: 60, work })
  expect(done).toEqual([0, 24 + 1 / 3, 48 + 1 / 3])
  expect(failed).toHaveLength(2)
  const first = repeat({
    everyMs: hour,
    clock: { now: () => new Date(0), monotonicMs: () => 0 },
    pause: async () => undefined,
    findLast: async () => undefined,
    work: () => Promise.reject(new Error('no such place')),
    onNext: () => undefined,
    onFailure: () => undefined,
  })
  await expect(first).rejects.toThrow('no such place')
})
