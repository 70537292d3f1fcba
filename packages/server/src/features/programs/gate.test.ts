import fc from 'fast-check'
import { expect, test } from 'vitest'
import { compareAnswers } from '../../agent/compare-answers.ts'
import { separateFields } from '../../agent/programs/separate-fields.ts'
import { agreementCheck, agreementsOf, smuggledFields, weakFields } from './gate.ts'

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

test('names in the schema, short words, small integers and short fractions are no smuggled answers', () => {
  const answers = [{ status: 'paid in full', currency: 'EUR', kind: 'invoice', copies: 12, iron: 0.02 }]
  const source = "status = 'paid in full'; currency ?? 'EUR'; says('invoice'); lead(12); rate = 0.02"
  expect(smuggledFields(source, answers, schema)).toEqual([])
  expect(smuggledFields('iron = 0.025', [{ iron: 0.025 }], schema)).toEqual([])
  expect(smuggledFields('iron = 1.25', [{ iron: 1.25 }], schema)).toEqual(['/iron'])
  expect(smuggledFields('iron = 1.25', [{ 'iron/kg': [1.25] }], schema)).toEqual(['/iron~1kg/*'])
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
    compareAnswers(known, known).fields.map((field) => ({ field, isLeft: false })),
    compareAnswers(known, { total: 6, items: [{ price: 1 }, { price: 2 }] }).fields.map((field) => ({
      field,
      isLeft: false,
    })),
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

test('a field whose name is a number is not hidden by others that are always right', () => {
  const properties = Object.fromEntries(Array.from({ length: 20 }, (_, n) => [String(n), { type: 'string' }]))
  const form = { type: 'object', properties, additionalProperties: false }
  const known = Object.fromEntries(Object.keys(properties).map((name) => [name, `value ${name}`]))
  const { fields } = compareAnswers(known, { ...known, '7': 'wrong' })
  const agreement = agreementsOf([fields.map((field) => ({ field, isLeft: false }))])
  expect(agreementCheck(agreement, 0.9)).toMatchObject({
    passed: false,
    message: expect.stringContaining('/7 in 0 of 1'),
  })
  expect(weakFields(agreement, 0.9, separateFields(form))).toEqual(['/7'])
})

test('a weak field is left to an agent if the others suffice: weak is what agrees too rarely, or is left too often', () => {
  const strong = { pointer: '/number', agreed: 15, compared: 15 }
  const wrong = { pointer: '/items/*/price', agreed: 13, compared: 15 }
  const silent = { pointer: '/total', agreed: 7, compared: 7, left: 8 }
  const separate = ['/number', '/items', '/total', '/note']
  const left = weakFields([strong, wrong, silent], 0.9, separate)
  expect(left).toEqual(['/items', '/total'])
  expect(agreementCheck([strong, wrong, silent], 0.9, { separate, left })).toMatchObject({
    passed: true,
    message: expect.stringContaining('left to an agent: /items/*/price in 13 of 15, /total in 7 of 7 (8 more'),
  })
  // Half of the fields must remain, and a field that cannot be answered separately is no part.
  expect(agreementCheck([strong, wrong, silent], 0.9, { separate: separate.slice(0, 3), left }).passed).toBe(false)
  expect(weakFields([wrong], 0.9, undefined)).toEqual([])
  expect(agreementCheck([strong, wrong], 0.9, { separate: undefined, left: [] }).passed).toBe(false)
  expect(weakFields([{ ...silent, left: 7 }], 0.9, separate)).toEqual([])
})
