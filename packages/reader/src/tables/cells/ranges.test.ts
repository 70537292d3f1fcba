import type { JsonSchema } from '@skillrun/core/json.ts'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { read } from '../../reader.ts'

const number = { type: ['number', 'null'] }
const day = { type: ['string', 'null'], format: 'date' }
const text = { type: ['string', 'null'] }

const rowsOf = async (lines: readonly string[], properties: { [name: string]: JsonSchema }) => {
  const schema = { type: 'object', properties: { rows: { type: 'array', items: { type: 'object', properties } } } }
  const { response, evidence } = await read({ text: `${lines.join('\n')}\n` }, { schema, fileName: 'lab.txt' })
  return { rows: (response as { rows: unknown[] }).rows, evidence }
}

const low = fc.integer({ min: 1, max: 500 }).map((tenths) => tenths / 10)
const range = fc.record({ low, more: low })
const marks = fc.constantFrom(' - ', ' – ', '-', ' to ', ' bis ')

test('a field for an end of a range gets this end, and a field for a number none', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(range, { minLength: 3, maxLength: 5 }), marks, async (ranges, mark) => {
      const lines = ranges.map(({ low, more }, at) =>
        [
          `Substance ${'ABCDE'[at]}`.padEnd(16),
          String(at + 7.5).padEnd(10),
          `${low.toFixed(1)}${mark}${(low + more).toFixed(1)}`,
        ].join(''),
      )
      const of = (name: string, wanted: string) =>
        rowsOf([`Test            Result    ${name}`, ...lines], { test: text, result: number, [wanted]: number })
      const highs = await of('Reference range', 'reference_high')
      expect(highs.rows).toEqual(
        ranges.map(({ low, more }, at) => ({
          test: `Substance ${'ABCDE'[at]}`,
          result: at + 7.5,
          reference_high: Number((low + more).toFixed(1)),
        })),
      )
      const lows = await of('Reference min', 'reference_min')
      expect(lows.rows).toEqual(
        ranges.map(({ low }, at) => ({ test: `Substance ${'ABCDE'[at]}`, result: at + 7.5, reference_min: low })),
      )
      const both = await rowsOf(['Test            Result    Reference range', ...lines], {
        ...{ test: text, result: number, reference_low: number, reference_high: number },
      })
      expect(both.rows).toEqual(
        ranges.map(({ low, more }, at) => ({
          ...{ test: `Substance ${'ABCDE'[at]}`, result: at + 7.5, reference_low: low },
          reference_high: Number((low + more).toFixed(1)),
        })),
      )
      const plain = await of('Reference', 'reference')
      expect(plain.rows).toEqual(
        ranges.map((_, at) => ({ test: `Substance ${'ABCDE'[at]}`, result: at + 7.5, reference: null })),
      )
    }),
    { numRuns: 25 },
  )
})

test('an end with a column of its own is read from there', async () => {
  const lines = [
    'Test        Result    Low    High',
    'Glucose     5.1       3.5    6.0',
    'Ferritin    7.2       4.5    9.0',
  ]
  const { rows } = await rowsOf(lines, { test: text, result: number, low: number, high: number })
  expect(rows).toEqual([
    { test: 'Glucose', result: 5.1, low: 3.5, high: 6 },
    { test: 'Ferritin', result: 7.2, low: 4.5, high: 9 },
  ])
})

test('days are such ends too, and have hyphens of their own', async () => {
  const lines = [
    'Person        Period                     Booked',
    'Ada Lindt     03.05.2025 - 09.05.2025    2025-04-02',
    'Bo Berg       12.05.2025 - 30.05.2025    2025-04-14',
  ]
  const { rows } = await rowsOf(lines, { person: text, period_end: day, booked: day })
  expect(rows).toEqual([
    { person: 'Ada Lindt', period_end: '2025-05-09', booked: '2025-04-02' },
    { person: 'Bo Berg', period_end: '2025-05-30', booked: '2025-04-14' },
  ])
})

test('a number with a sign that makes it a bound needs a look, unless a bound is asked for', async () => {
  const lines = [
    'Test        Result    Maximum',
    'Glucose     5.10      <6.00',
    'CRP         <0.01     < 5.00',
    'PSA         ≥ 200     4.00',
  ]
  const { rows, evidence } = await rowsOf(lines, { test: text, result: number, maximum: number })
  expect(rows).toEqual([
    { test: 'Glucose', result: 5.1, maximum: 6 },
    { test: 'CRP', result: 0.01, maximum: 5 },
    { test: 'PSA', result: 200, maximum: 4 },
  ])
  expect(evidence['/rows/1/result']).toMatchObject({
    confidence: 0.5,
    note: 'The document has "<0.01": a bound, not the number itself.',
  })
  expect(evidence['/rows/2/result']).toMatchObject({ confidence: 0.5, quote: '≥ 200' })
  expect(evidence['/rows/0/maximum']?.confidence).toBeGreaterThan(0.5)
  const single = await read(
    { text: 'CRP: < 0.01 mg/l\nNext: A -> 5\n' },
    { schema: { type: 'object', properties: { crp: number, next: number } } },
  )
  expect(single.evidence['/crp']).toMatchObject({ confidence: 0.5, quote: '< 0.01' })
})
