import { expect, test } from 'vitest'
import { limits } from '../../../core/limits.ts'
import { createSilenceWatch, type QuietJob } from './silence-watch.ts'

const job = (beat: string, own: Partial<QuietJob> = {}): QuietJob => ({
  id: 'a',
  retryCount: 0,
  beat,
  isOverdue: true,
  ...own,
})
const { sweepMs, leaseMs } = limits
const namesOf = (jobs: readonly QuietJob[]) => jobs.map(({ id }) => id)

test('a lease has lapsed when its heartbeat is overdue and nothing new was seen for half a lease', () => {
  const watch = createSilenceWatch()
  const found: boolean[] = []
  for (let ms = 0; ms <= leaseMs; ms += sweepMs) found.push(watch.look([job('1')], ms).length === 1)
  expect(found).toEqual([false, false, true, true, true])
})

test("a heartbeat that is not overdue by the database's clock keeps its lease", () => {
  const watch = createSilenceWatch()
  for (let ms = 0; ms <= 10 * leaseMs; ms += sweepMs)
    expect(watch.look([job('1', { isOverdue: false })], ms)).toEqual([])
})

test('a process that writes late heartbeats keeps its lease, and so does the next attempt of a job', () => {
  const watch = createSilenceWatch()
  for (let ms = 0; ms <= leaseMs; ms += sweepMs) {
    expect(watch.look([job(String(ms)), job('1', { id: 'b', retryCount: ms })], ms)).toEqual([])
  }
})

test('an outage of the database is no silence', () => {
  const watch = createSilenceWatch()
  watch.look([job('1')], 0)
  watch.look([job('1')], sweepMs)
  watch.lost()
  expect(watch.look([job('1')], 2 * sweepMs)).toEqual([])
  expect(watch.look([job('1')], 3 * sweepMs)).toEqual([])
  expect(namesOf(watch.look([job('1')], 4 * sweepMs))).toEqual(['a'])
})

test('a process that was itself stalled gives all others time for a heartbeat', () => {
  const watch = createSilenceWatch()
  watch.look([job('1')], 0)
  watch.look([job('1')], sweepMs)
  expect(watch.look([job('1')], 10 * leaseMs)).toEqual([])
  expect(watch.look([job('2')], 10 * leaseMs + sweepMs)).toEqual([])
})

test("a jump of the database's clock costs no live process its lease", () => {
  const watch = createSilenceWatch()
  watch.look([], 0)
  // Two hours on, all heartbeats are overdue at once; live processes write theirs within a second.
  expect(watch.look([job('1'), job('1', { id: 'b' })], sweepMs)).toEqual([])
  expect(watch.look([job('1')], 2 * sweepMs)).toEqual([])
  expect(namesOf(watch.look([job('1')], 3 * sweepMs))).toEqual(['a'])
})
