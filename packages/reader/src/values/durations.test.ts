import { expect, test } from 'vitest'
import { durationOf, findDurations } from './durations.ts'

const found = (text: string): string[] =>
  findDurations(text).map(({ start, end, length, unit }) => `${text.slice(start, end)} = ${length} ${unit}`)

test.each([
  ['for a period of two (2) years from the date', 'two (2) years = 2 year'],
  ['within thirty (30) calendar days of receipt', 'thirty (30) calendar days = 30 day'],
  ['mit einer Frist von vierzehn Werktagen', 'vierzehn Werktagen = 14 day'],
  ['une durée de dix-huit mois à compter', 'dix-huit mois = 18 month'],
  ['por un plazo de tres años', 'tres años = 3 year'],
  ['entro 60 giorni', '60 giorni = 60 day'],
  ['een periode van drie maanden', 'drie maanden = 3 month'],
  ['no prazo de vinte e cinco dias', 'vinte e cinco dias = 25 day'],
  ['an 18-month term', '18-month = 18 month'],
  ['for one year', 'one year = 1 year'],
  ['a rental of 55.5 months', '55.5 months = 55.5 month'],
])('%s', (text, duration) => {
  expect(found(text)).toEqual([duration])
})

test.each([
  'on 3 May 2024 years ago',
  'two hundred days',
  'at the age of 24. Years passed',
  '12/24 months',
  'a term of twenty four months',
  '1 300 days',
  '1’300 Tage',
  'a period of 5 to 7 years',
  'one hundred twenty (120) days',
  'several years',
])('no span of time is read in: %s', (text) => {
  expect(found(text)).toEqual([])
})

test('a text is a span of time as a whole, or not', () => {
  expect(durationOf('two (2) years')).toEqual(durationOf('2 years'))
  expect(durationOf('two (2) years')).not.toEqual(durationOf('2 months'))
  expect(durationOf('2 years and more')).toBeNull()
  expect(durationOf('2 years, 3 months')).toBeNull()
})
