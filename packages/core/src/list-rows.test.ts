import { expect, test } from 'vitest'
import { atCorrectedPlaces, correctedPlaces, originalPlace, originsOf } from './list-rows.ts'

// Row 1 was removed, and one added before the last.
const changes = [{ path: '/a~1b', kind: 'corrected', rows: [0, 2, null, 3] }] as const
const places = [
  ['/total', '/total'],
  ['/a~1b', '/a~1b'],
  ['/a~1b/0/sum', '/a~1b/0/sum'],
  ['/a~1b/2/sum', '/a~1b/1/sum'],
  ['/a~1b/3', '/a~1b/3'],
] as const

test.each(places)('the value at %s is at %s of the corrected answer, and the other way round', (before, now) => {
  expect(correctedPlaces(changes)(before)).toBe(now)
  expect(originalPlace(originsOf(changes), now)).toBe(before)
})

test('a removed row is nowhere in the corrected answer, and an added one nowhere in the one before', () => {
  expect(correctedPlaces(changes)('/a~1b/1/sum')).toBeUndefined()
  expect(originalPlace(originsOf(changes), '/a~1b/2/sum')).toBeUndefined()
  expect(originalPlace(originsOf(changes), '/a~1b/4/sum')).toBeUndefined()
})

test('a list in a row moves with it', () => {
  const nested = [...changes, { path: '/a~1b/2/parts', kind: 'corrected', rows: [1] }] as const
  expect(correctedPlaces(nested)('/a~1b/2/parts/1/x')).toBe('/a~1b/1/parts/0/x')
  expect(originalPlace(originsOf(nested), '/a~1b/1/parts/0/x')).toBe('/a~1b/2/parts/1/x')
})

test('what is known of a value moves with it, and goes with its row or the whole that was replaced', () => {
  const known = { '/total': 1, '/a~1b/1/sum': 2, '/a~1b/2/sum': 3, '/vendor/name': 4 }
  expect(atCorrectedPlaces(known, [])).toBe(known)
  expect(
    atCorrectedPlaces(known, [
      ...changes,
      { path: '/vendor', kind: 'corrected' },
      { path: '/total', kind: 'corrected' },
    ]),
  ).toEqual({ '/total': 1, '/a~1b/1/sum': 3 })
})
