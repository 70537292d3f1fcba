import { expect, test } from 'vitest'
import { read } from '../reader.ts'

const schema = {
  type: 'object',
  properties: { departure: { type: ['string', 'null'], format: 'date-time' } },
}

test.each([
  ['Departure: 11 Nov 2026 17:45', true],
  ['Departure: 2026-11-11T17:45:00Z', false],
])('a time without a zone needs a look as a date-time: %s', async (text, isDoubted) => {
  const { response, evidence, completeness } = await read({ text }, { schema })
  expect(response).toEqual({ departure: '2026-11-11T17:45:00Z' })
  const { note } = evidence['/departure'] ?? {}
  expect(note).toBe(isDoubted ? 'No time zone was read with the time; Z was assumed.' : undefined)
  if (isDoubted) expect(completeness).toMatchObject({ lowConfidence: 1 })
})
