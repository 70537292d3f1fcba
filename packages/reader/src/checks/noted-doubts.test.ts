import { expect, test } from 'vitest'
import { read } from '../reader.ts'

const schema = {
  type: 'object',
  properties: { departure: { type: ['string', 'null'], format: 'date-time' } },
}

test.each([
  ['Departure: 11 Nov 2026 17:45', true],
  ['Departure: 2026-11-11T17:45:00Z', false],
  ['Departure: 2026-11-11 17:45 UTC', false],
  ['Departure: 11 Nov 2026 5:45 PM UTC', false],
])('a time without a zone needs a look as a date-time: %s', async (text, isDoubted) => {
  const { response, evidence, completeness } = await read({ text }, { schema })
  expect(response).toEqual({ departure: '2026-11-11T17:45:00Z' })
  const { note } = evidence['/departure'] ?? {}
  expect(note).toBe(isDoubted ? 'The time is given as printed; Z was assumed, whatever its zone.' : undefined)
  if (isDoubted) expect(completeness).toMatchObject({ lowConfidence: 1 })
})
