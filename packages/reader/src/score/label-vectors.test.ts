import { expect, test } from 'vitest'
import { extract } from '../extract/extract.ts'
import { readDocument } from '../media/read-document.ts'
import { cosine, labelTokens, vectorOf } from './label-vectors.ts'

const likely = (name: string, label: string): number => cosine(vectorOf.inNames(name), vectorOf.inLabels(label))

test.each([
  ['sender name', 'FROM', 'TO'],
  ['recipient name', 'TO', 'FROM'],
  ['case number', 'Geschäftszahl', 'Datum'],
  ['client company', 'Sold to', 'Ship to'],
  ['customer name', 'Bill to', 'Ship to'],
  ['job title', 'Role', 'Employer'],
  ['due date', 'Uiterste betaaldatum', 'Factuurdatum'],
  ['mileage', 'Odom.', 'Plate'],
])('of two labels that share no word with a field, %s is the likelier one', (name, right, wrong) => {
  expect(likely(name, right)).toBeGreaterThan(likely(name, wrong) + 0.1)
})

test('a text without a known word means no field', () => {
  expect(vectorOf.inLabels('xqzv 4711')).toBeNull()
  expect(cosine(null, vectorOf.inLabels('Datum'))).toBe(0)
})

test('long words are known by their beginnings and ends too', () => {
  expect(labelTokens('Brunnennummer')).toEqual(expect.arrayContaining(['brunn-', '-ummer']))
})

test('a value is found behind a label that shares no word with its field', async () => {
  const text = 'Geschäftszahl: TBS2-A-2618443\nRole: Bindery operative\nDatum: 12.03.2026\n'
  const document = await readDocument({ text })
  const string = { type: ['string', 'null'] }
  const { answer, evidence } = extract({
    documents: [{ input: 'label', document }],
    values: {},
    schema: { type: 'object', properties: { case_number: string, job_title: string } },
    risk: { maxWrongRate: 0.02, unsure: 'mark' },
  })
  expect(answer).toMatchObject({ case_number: 'TBS2-A-2618443' })
  // Given, or the likeliest candidate.
  const { job_title: given } = answer as { job_title: string | null }
  expect(given ?? evidence['/job_title']?.candidates?.[0]?.value).toBe('Bindery operative')
})
