import { afterAll, beforeAll, expect, test } from 'vitest'
import type { JsonSchema } from '../packages/core/src/json.ts'
import { openTestHouse, type TestHouse } from './support/house.ts'

let house: TestHouse
beforeAll(async () => {
  house = await openTestHouse()
})
afterAll(() => house[Symbol.asyncDispose]())

const amount = { type: ['number', 'null'] }

async function recordOf(document: string, properties: JsonSchema) {
  const json_schema = { type: 'object', properties }
  const body = { batch: false, inputs: { document }, config: { prompt: 'Extract the fields', json_schema } }
  return (await house.call('POST', '/v1/agent/execute', { body })).json
}

const sums = { subtotal: amount, discount: amount, tax: amount, total: amount }

test.each([
  ['-$131.00', '$'],
  ['$131.00', '$'],
  ['($131.00)', '$'],
  ['\u2212131.00', ''],
])('a discount of %s is read beside the sums that it is a part of', async (discount, sign) => {
  const document = [
    `Subtotal: ${sign}1,131.00`,
    `Discount: ${discount}`,
    `Tax: ${sign}200.00`,
    `Total: ${sign}1,200.00`,
  ].join('\n')
  const record = await recordOf(document, sums)
  expect(record.response).toEqual({ subtotal: 1131, discount: 131, tax: 200, total: 1200 })
  expect(record.warnings ?? []).toEqual([])
})

test('sums that do not add up are reported as they are printed, with a warning', async () => {
  const record = await recordOf('Subtotal: $1,131.00\nDiscount: -$131.00\nTax: $200.00\nTotal: $1,300.00', sums)
  expect(record.response).toEqual({ subtotal: 1131, discount: 131, tax: 200, total: 1300 })
  expect(record.warnings).toEqual([
    {
      code: 'sums_do_not_add_up',
      path: '/total',
      message: 'Subtotal 1131, tax 200 and what else is added or taken off do not make the total 1300.',
    },
  ])
  expect(record.evidence['/total']).toMatchObject({ confidence: 0.6 })
})
