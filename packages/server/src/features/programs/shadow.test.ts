import type { Json } from '@skillrun/core/json.ts'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { compareAnswers } from '../../agent/compare-answers.ts'
import { mustGo, recentMax, shadowDefaults, shareNow, withOutcome, wrongFields } from './shadow.ts'

const settings = shadowDefaults

test('two disagreements in a row demote a program, one among agreements does not', () => {
  expect(mustGo([true, true], settings)).toBe(true)
  expect(mustGo([...Array(18).fill(false), true, true], settings)).toBe(true)
  expect(mustGo([...Array(10).fill(false), true, ...Array(9).fill(false)], settings)).toBe(false)
  expect(mustGo([], settings)).toBe(false)
})

test('a further disagreement never saves a program, and a program that always agrees stays', () => {
  fc.assert(
    fc.property(fc.array(fc.boolean(), { maxLength: recentMax - 1 }), (recent) => {
      if (mustGo(recent, settings)) expect(mustGo(withOutcome(recent, true), settings)).toBe(true)
      expect(
        mustGo(
          recent.map(() => false),
          settings,
        ),
      ).toBe(false)
    }),
  )
})

test('every run is shadowed at first, the configured share otherwise, none when it is off', () => {
  expect(shareNow(0, settings)).toBe(1)
  expect(shareNow(50, settings)).toBe(settings.share)
  expect(shareNow(0, { ...settings, share: 0 })).toBe(0)
})

test('a different value, and one that the program lacks, disagree; null disagrees when a person states it, not when an agent returns it', () => {
  const wrong = (right: Json, given: Json, by: 'agent' | 'person') => wrongFields(compareAnswers(right, given), by)
  for (const by of ['agent', 'person'] as const) {
    expect(wrong({ total: 6, date: '2026-03-14' }, { total: 5, date: '2026-03-14' }, by)).toEqual(['/total'])
    expect(wrong({ total: 6 }, { total: null }, by)).toEqual(['/total'])
  }
  expect(wrong({ total: null }, { total: 5 }, 'agent')).toEqual([])
  expect(wrong({ total: null }, { total: 5 }, 'person')).toEqual(['/total'])
  expect(wrong({ total: 6 }, { total: 6, parts: ['x'] }, 'agent')).toEqual([])
  expect(wrong({ total: 6 }, { total: 6, parts: ['x'] }, 'person')).toEqual(['/parts/0'])
})
