import type { Json } from '@skillrun/core/json.ts'
import { expect, test } from 'vitest'
import { compareAnswers } from '../../agent/compare-answers.ts'
import { wrongFields } from './judgement.ts'
import { shadowDefaults, shareNow } from './shadow-share.ts'

const settings = shadowDefaults

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
