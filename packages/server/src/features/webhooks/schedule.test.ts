import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { limits } from '../../core/limits.ts'
import { jitterShare, nextPauseMs, readRetryAfter } from './schedule.ts'

const pauses = limits.callbackPausesMs
const dayMs = 24 * 3_600_000
const share = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true })
/** The random values of one attempt: its jitter, its duration, and the receiver's Retry-After. */
const tryOf = (retryAfterMs: fc.Arbitrary<number | undefined>) =>
  fc.record({ random: share, durationMs: fc.integer({ min: 0, max: limits.callbackWallMs }), retryAfterMs })
type Draw = { random: number; durationMs: number; retryAfterMs: number | undefined }

/** Fails every attempt and returns the delays between them, and the time from the first attempt's start to the last one's. */
function run(draws: readonly Draw[]): { paused: number[]; totalMs: number } {
  const paused: number[] = []
  let elapsedMs = 0
  for (const [index, { random, durationMs, retryAfterMs }] of draws.entries()) {
    const startedMs = elapsedMs
    elapsedMs += durationMs
    const pause = nextPauseMs(pauses, { tries: index + 1, elapsedMs, retryAfterMs }, random)
    if (pause === undefined) return { paused, totalMs: startedMs }
    paused.push(pause)
    elapsedMs += pause
  }
  throw new Error('the schedule has no end')
}
const draws = (retryAfterMs: fc.Arbitrary<number | undefined>) =>
  fc.array(tryOf(retryAfterMs), { minLength: 40, maxLength: 40 })

describe('the schedule of a receiver that never acknowledges', () => {
  test('has at least ten attempts, each delay within its jitter, and ends after 72 hours', () => {
    fc.assert(
      fc.property(draws(fc.constant(undefined)), (drawn) => {
        const { paused, totalMs } = run(drawn)
        expect(paused.length + 1).toBeGreaterThanOrEqual(10)
        for (const [index, pause] of paused.entries()) {
          const planned = pauses[index] as number
          expect(pause).toBeLessThanOrEqual(planned * (1 + jitterShare) + 1)
          if (index < paused.length - 1) expect(pause).toBeGreaterThanOrEqual(planned * (1 - jitterShare) - 1)
        }
        expect(totalMs).toBeLessThanOrEqual(3 * dayMs)
        expect(totalMs).toBeGreaterThan(2 * dayMs)
      }),
    )
  })

  test('waits as long as the receiver asks, but not beyond the 72 hours', () => {
    fc.assert(
      fc.property(draws(fc.option(fc.integer({ min: 0, max: 10 * dayMs }), { nil: undefined })), (drawn) => {
        const { paused, totalMs } = run(drawn)
        let elapsedMs = 0
        for (const [index, pause] of paused.entries()) {
          elapsedMs += drawn[index]?.durationMs ?? 0
          const left = 3 * dayMs - elapsedMs
          expect(pause).toBeGreaterThanOrEqual(Math.min(drawn[index]?.retryAfterMs ?? 0, left) - 1)
          elapsedMs += pause
        }
        expect(totalMs).toBeLessThanOrEqual(3 * dayMs)
      }),
    )
  })

  test('is 5 s, 30 s, 2 min, 10 min, 30 min, 2 h, 6 h, 12 h and then a day, in the middle of the jitter', () => {
    const { paused, totalMs } = run(Array(40).fill({ random: 0.5, durationMs: 0, retryAfterMs: undefined }))
    expect(paused.map((pause) => pause / 1000)).toEqual([
      5, 30, 120, 600, 1800, 7200, 21_600, 43_200, 86_400, 86_400, 11_845,
    ])
    expect(totalMs).toBe(3 * dayMs)
  })

  test('is not extended by a clock that was set back', () => {
    expect(nextPauseMs(pauses, { tries: 9, elapsedMs: -dayMs, retryAfterMs: 10 * dayMs }, 0.5)).toBe(3 * dayMs)
  })
})

describe('Retry-After', () => {
  const now = new Date('2026-11-21T10:00:00Z')
  test.each([
    ['120', 120_000],
    [' 0 ', 0],
    ['Sat, 21 Nov 2026 10:01:30 GMT', 90_000],
    ['Sat, 21 Nov 2026 09:00:00 GMT', 0],
    ['-5', undefined],
    ['1.5', undefined],
    ['soon', undefined],
    ['', undefined],
    [undefined, undefined],
  ])('%j is %j ms', (header, expected) => {
    expect(readRetryAfter(header, now)).toBe(expected)
  })
})
