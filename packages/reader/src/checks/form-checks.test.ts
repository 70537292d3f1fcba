import type { Json } from '@skillrun/core/json.ts'
import { expect, test } from 'vitest'
import type { Finding } from '../extract/assemble.ts'
import { listFields } from '../schema/fields.ts'
import { planSchema } from '../schema/plan.ts'
import { formObjection } from './form-checks.ts'

const text = { type: 'string' }
const fields = listFields(
  planSchema({
    type: 'object',
    properties: {
      vendor: { type: 'object', properties: { name: text, address: text } },
      payment_terms: text,
      invoice_number: text,
      total: { type: 'number' },
      items: { type: 'array', items: { type: 'object', properties: { description: text, sku: text } } },
    },
  }),
).all

const doubt = (pointer: string, value: Json, more: Partial<Finding> = {}, confidence = 0.9): string | null => {
  const field = fields.find((one) => one.pointer === pointer)
  if (field === undefined) throw new TypeError(`no field ${pointer}`)
  return formObjection(field, { value, evidence: { status: 'verified', confidence }, ...more })
}

test.each([
  'Ordinato presso',
  'Bill to / Sold to',
  'Università di',
  'Spett.',
  'Main Shop · 12 High Street · Leeds LS1 4AB',
])('the name of a company is not taken from "%s"', (name) => expect(doubt('/vendor/name', name)).not.toBeNull())

test.each(['Acme Tools plc', 'Müller & Söhne', 'Plomberie Perrin inc.', 'Officine Caruso S.p.A.', 'IKEA'])(
  '"%s" is a name of a firm',
  (name) => expect(doubt('/vendor/name', name)).toBeNull(),
)

test('the page count is not a document number', () => {
  expect(doubt('/invoice_number', '10f')).not.toBeNull()
  expect(doubt('/invoice_number', '1of2')).not.toBeNull()
  expect(doubt('/invoice_number', '100F')).toBeNull()
  expect(doubt('/invoice_number', '10F-22')).toBeNull()
})

test('an address that continues with a label or an unrelated number is dropped', () => {
  expect(doubt('/vendor/address', '12 High Street Leeds LS1 4AB')).toBeNull()
  expect(doubt('/vendor/address', '108 Main Street Leeds LS1 4AB VAT no: 701275857')).not.toBeNull()
  expect(doubt('/vendor/address', 'Via Nassa 59 6900 Lugano 3329')).not.toBeNull()
})

test('an item name that contains an amount is dropped, as is a code that is a sentence, an amount or a rate', () => {
  expect(doubt('/description', 'Network cable Cat 6, 10 m')).toBeNull()
  expect(doubt('/description', 'Consulting 13 117,99 20')).not.toBeNull()
  expect(doubt('/description', 'mar Compra tarjeta')).not.toBeNull()
  expect(doubt('/description', 'Rent 18 Apr 2019')).not.toBeNull()
  expect(doubt('/sku', 'MS-5173')).toBeNull()
  for (const code of ['1 First aid kit, 50 persons', '€5.654,98', '21%']) expect(doubt('/sku', code)).not.toBeNull()
})

test('a document number is not taken from a phone number or a tax number', () => {
  for (const number of ['INV-2024-001', '310301', 'P8963664', '20/24-17'])
    expect(doubt('/invoice_number', number)).toBeNull()
  for (const number of ['01 55 50 43 06', 'CHE-268.871.430', '1'])
    expect(doubt('/invoice_number', number)).not.toBeNull()
})

test('terms that continue beyond the words that were read are dropped', () => {
  expect(doubt('/payment_terms', '14 days from invoice')).toBeNull()
  expect(doubt('/payment_terms', '14 days from invoice', { isCutOff: true })).not.toBeNull()
})

test('an amount with little support is dropped unless other amounts confirm it', () => {
  expect(doubt('/total', 12.5)).toBeNull()
  expect(doubt('/total', 12.5, {}, 0.6)).not.toBeNull()
  expect(doubt('/total', 12.5, { isConfirmed: true }, 0.6)).toBeNull()
})
