import fc from 'fast-check'
import { expect, test } from 'vitest'
import disagreements from '../../agent/programs/disagreements.job.ts'
import { mustGo, recentMax, shadowDefaults, shareNow, withOutcome } from './shadow.ts'

const settings = shadowDefaults

test('two disagreements in a row end a program, one among agreements does not', () => {
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

test('every run is shadowed at first and after a disagreement, the share of the setting otherwise, none when it is off', () => {
  const agreed = [false, false, false]
  expect(shareNow({ runs: 0, recent: [] }, settings)).toBe(1)
  expect(shareNow({ runs: 50, recent: agreed }, settings)).toBe(settings.share)
  expect(shareNow({ runs: 50, recent: [...agreed, true, false] }, settings)).toBe(1)
  expect(shareNow({ runs: 0, recent: [] }, { ...settings, share: 0 })).toBe(0)
})

test('an agent that found nothing says nothing against a value; another value does, and so does one the program lacks', () => {
  expect(disagreements({ agent: { total: null }, program: { total: 5 } })).toEqual([])
  expect(disagreements({ agent: { total: 6, date: '2026-03-14' }, program: { total: 5, date: '2026-03-14' } })).toEqual(
    ['/total'],
  )
  expect(disagreements({ agent: { total: 6 }, program: { total: null } })).toEqual(['/total'])
})
