import type { JsonSchema } from '@skillrun/core/json.ts'
import { expect, test } from 'vitest'
import { type LeafPlan, planSchema } from '../schema/plan.ts'
import type { Conventions } from './parsed-values.ts'
import { checkValue } from './verify.ts'

const conventions: Conventions = {
  dates: { order: 'day-first', sure: true },
  numbers: 'comma',
  numbersSure: true,
  period: null,
  day: null,
}

function leaf(name: string, schema: JsonSchema): LeafPlan {
  const plan = planSchema({ type: 'object', properties: { [name]: schema } })
  const place = plan.type === 'object' ? plan.properties[0]?.plan : undefined
  if (place?.type !== 'leaf') throw new Error('not a leaf')
  return place
}

test('the check re-reads the quoted words and trusts no claim', () => {
  const total = leaf('total', { type: 'number' })
  expect(checkValue(total, 1234.5, '€ 1.234,50', conventions)).toBe('normalised')
  expect(checkValue(total, 42, '42', conventions)).toBe('verified')
  expect(checkValue(total, 1234.5, '1.243,50', conventions)).toBeNull()
  expect(checkValue(total, 12, '512', conventions)).toBeNull()
  const due = leaf('due_date', { type: 'string', format: 'date' })
  expect(checkValue(due, '2024-04-02', '02.04.2024', conventions)).toBe('normalised')
  expect(checkValue(due, '2024-02-04', '02.04.2024', conventions)).toBeNull()
  const name = leaf('customer_name', { type: 'string' })
  expect(checkValue(name, 'Jane Roe', 'Jane  Roe', conventions)).toBe('verified')
  expect(checkValue(name, 'Jane Doe', 'Jane Roe', conventions)).toBeNull()
  const currency = leaf('currency', { type: 'string' })
  expect(checkValue(currency, 'EUR', '€', conventions)).toBe('derived')
})
