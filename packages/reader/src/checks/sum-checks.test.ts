import { expect, test } from 'vitest'
import type { Finding } from '../extract/assemble.ts'
import { listFields } from '../schema/fields.ts'
import { planSchema } from '../schema/plan.ts'
import { checkSums, dropContradictedSums } from './sum-checks.ts'

const number = { type: 'number' }
const { single: fields } = listFields(
  planSchema({
    type: 'object',
    properties: { subtotal: number, discount: number, shipping: number, tax_rate: number, tax: number, total: number },
  }),
)
const fieldOf = (id: string) => fields.find(({ plan }) => plan.meaning.concept?.id === id)

/** The amounts that remain; `scanned` ones were read by OCR. */
function left(amounts: Record<string, number>, scanned = false): string[] {
  const single = new Map(
    Object.entries(amounts).map(([name, value]): [string, Finding] => [
      `/${name}`,
      {
        value,
        evidence: { status: 'verified', confidence: 0.9, quote: value.toFixed(2) },
        ...(scanned && { ocrConfidence: 0.95 }),
      },
    ]),
  )
  const draft = { single, notes: new Map<string, string>() }
  checkSums(fieldOf, draft)
  dropContradictedSums(fieldOf, draft)
  return [...single.keys()].map((pointer) => pointer.slice(1))
}

test('a rate that gives the tax from no sum is withdrawn; one that does stays', () => {
  expect(left({ subtotal: 100, tax_rate: 20, tax: 20, total: 120 })).toContain('tax_rate')
  expect(left({ subtotal: 100, tax_rate: 5, tax: 20, total: 120 })).not.toContain('tax_rate')
  expect(left({ tax_rate: 20, tax: 20, total: 120 })).toContain('tax_rate')
})

test('a discount or delivery cost above half of the total is withdrawn where no sum confirms it', () => {
  expect(left({ discount: 90, total: 120 })).toEqual(['total'])
  expect(left({ subtotal: 210, discount: 90, total: 120 })).toContain('discount')
})

test('sums of a scan that do not add up stay: which of them was misread is unknown', () => {
  expect(left({ subtotal: 1000, tax: 200, total: 1240 }, true)).toEqual(['subtotal', 'tax', 'total'])
})
