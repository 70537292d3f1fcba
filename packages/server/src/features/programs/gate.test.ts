import fc from 'fast-check'
import { expect, test } from 'vitest'
import { compareAnswers } from '../../agent/compare-answers.ts'
import { agreementCheck, agreementsOf, smuggledFields } from './gate.ts'

const schema = { type: 'object', properties: { status: { enum: ['paid in full', 'open'] } } }

test('an answer of a case in the text of a program is found, in any case and number format', () => {
  const answers = [{ seller: 'Nordwind GmbH', total: 1420.5, count: 12_500, date: '2026-03-14' }]
  const found = (source: string) => smuggledFields(source, answers, null)
  expect(found("return { seller: 'NORDWIND  GmbH' }")).toEqual(['/seller'])
  expect(found('return { total: 1420.50 }')).toEqual(['/total'])
  expect(found('const count = 12_500')).toEqual(['/count'])
  expect(found('// 2026-03-14')).toEqual(['/date'])
  expect(found("firstMarked(amounts, ['says total'])")).toEqual([])
  expect(found('x = 14205; y = 2026; z = 112500')).toEqual([])
})

test('names in the schema, short words and small integers are no smuggled answers', () => {
  const answers = [{ status: 'paid in full', currency: 'EUR', kind: 'invoice', copies: 12 }]
  expect(
    smuggledFields("status = 'paid in full'; currency ?? 'EUR'; says('invoice'); lead(12)", answers, schema),
  ).toEqual([])
})

test('any significant text answer is found when the source contains it, and only then', () => {
  const answer = fc.stringMatching(/^[a-z]{4,9} [a-z]{4,9}$/)
  fc.assert(
    fc.property(answer, (value) => {
      expect(smuggledFields(`return '${value.toUpperCase()}'`, [{ name: value }], null)).toEqual(['/name'])
      expect(smuggledFields('return amounts.at(-1)', [{ name: value }], null)).toEqual([])
    }),
  )
})

test('agreement is counted field by field, list positions together, and one field below the threshold fails', () => {
  const known = { total: 5, items: [{ price: 1 }, { price: 2 }] }
  const compared = [
    compareAnswers(known, known).fields,
    compareAnswers(known, { total: 6, items: [{ price: 1 }, { price: 2 }] }).fields,
  ]
  const fields = agreementsOf(compared)
  expect(fields).toEqual([
    { pointer: '/total', agreed: 1, compared: 2 },
    { pointer: '/items/*/price', agreed: 4, compared: 4 },
  ])
  expect(agreementCheck(fields, 0.9).passed).toBe(false)
  expect(agreementCheck(fields, 0.5).passed).toBe(true)
  expect(agreementCheck([], 0.5).passed).toBe(false)
})
