import { expect, test } from 'vitest'
import { readWrittenDates } from './written-dates.ts'

test.each([
  ['made this twenty-eighth day of July, 2024, between', '2024-07-28'],
  ['on the nineteenth day of September, two thousand and twenty-four.', '2024-09-19'],
  ['am ersten Mai zweitausendvierundzwanzig', '2024-05-01'],
  ['le premier juin deux mille vingt-quatre', '2024-06-01'],
  ['a veintiuno de enero de dos mil veinticinco. Vistos', '2025-01-21'],
  ['on the twenty first day of March 2025 between', '2025-03-21'],
  ['addì dodici marzo duemilaventicinque', '2025-03-12'],
  ['op twaalf maart tweeduizend vijfentwintig, te Gent', '2025-03-12'],
  ['Aos onze dias do mês de junho de dois mil e vinte e cinco, em Braga', '2025-06-11'],
])('%s', (text, day) => {
  expect(readWrittenDates(text).map(({ value }) => value)).toEqual([day])
})

test.each([
  'on 12 May 2025',
  'the thirtieth day of February, 2024',
  'two of them left in March',
  'the third day of rest, 2024',
  'made this 31 December two thousand twenty five',
  'le trois mars deux mille vingt cinq',
  'vier und zwanzig März 2025',
  'one hundred third day of March 2025',
])('no date in words is read in: %s', (text) => {
  expect(readWrittenDates(text)).toEqual([])
})
