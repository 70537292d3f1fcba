import { expect, test } from 'vitest'
import { readMultiples } from './multiples.ts'

test.each([
  ['for 412 million kroner', 'point', 412_000_000],
  ['reported at R 6,8 million', 'comma', 6_800_000],
  ['ein Darlehen über 1,25 Mio. Euro', 'comma', 1_250_000],
  ['un contrat de 3 milliards', 'comma', 3_000_000_000],
  ['oltre 40 mila euro', 'comma', 40_000],
] as const)('%s', (text, style, value) => {
  expect(readMultiples(text, style)).toMatchObject([{ value, derived: true }])
})

test('a number counts only as a whole and before a word that multiplies it', () => {
  expect(readMultiples('412 millimetres and 3 miles', 'point')).toEqual([])
  expect(readMultiples('no. 4.412.300 million', 'point')).toEqual([])
})

test.each([
  '-5 million',
  'EUR -412 million',
  '(5 million)',
  '12 345 thousand',
  '2-3 million',
  '2/3 million',
  '- € 5 million',
])('a number with a sign or with other digits before it is left out: %s', (text) => {
  expect(readMultiples(text, 'point')).toEqual([])
})
