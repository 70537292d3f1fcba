import { afterAll, beforeAll, expect, test } from 'vitest'
import { invoiceLines, invoiceSchema, makePdf } from './support/documents.ts'
import { openTestService, type TestService } from './support/service.ts'

let service: TestService
let invoice: { id: string }

beforeAll(async () => {
  service = await openTestService()
  invoice = await service.upload(await makePdf([invoiceLines]), 'invoice.pdf')
})
afterAll(() => service[Symbol.asyncDispose]())

const execute = (config: object, inputs: object = { invoice: { type: 'input_file', file_id: invoice.id } }) =>
  service.call('POST', '/v1/agent/execute', {
    body: { batch: false, inputs, config: { prompt: 'Extract the fields', json_schema: invoiceSchema, ...config } },
  })

test('an answer is held to the share of wrong values that was asked for, and the record says how', async () => {
  const { json } = await execute({ max_wrong_rate: 0.1 })
  expect(json).toMatchObject({ status: 'completed', response: { invoice_number: 'INV-2041', total: 144 } })
  expect(json.completeness).toMatchObject({
    max_wrong_rate: 0.1,
    calibration: expect.stringMatching(/\d+ of \d+ answers/),
  })
  const read = await service.call('GET', `/v1/agent/executions/${json.id}`)
  expect(read.json).toEqual(json)
})

test('without one nothing is promised', async () => {
  const { json } = await execute({})
  expect(json.completeness).toMatchObject({ max_wrong_rate: null, calibration: null })
})

test('what is not sure enough is null with its likeliest values', async () => {
  const text = 'Minutes\nParts 4711 and 4712 were shown\n20.00 or 30.00 were named'
  const { json } = await execute({ max_wrong_rate: 0.005 }, { letter: text })
  const { candidates, reason } = json.evidence['/total']
  expect(candidates.length).toBeGreaterThan(0)
  expect(candidates.length).toBeLessThanOrEqual(3)
  expect(candidates[0]).toMatchObject({
    value: expect.any(Number),
    confidence: expect.any(Number),
    input: 'letter',
    page: 0,
    bbox: expect.any(Array),
    quote: expect.any(String),
  })
  expect(reason).toContain('probability')
})

test.each([0, 0.004, 0.21, 2, '0.02'])('a share of %s is refused with its bounds', async (rate) => {
  const { status, json } = await execute({ max_wrong_rate: rate })
  expect(status).toBe(422)
  expect(JSON.stringify(json.detail)).toContain('max_wrong_rate')
})

test('a rerun keeps the share, and may set another', async () => {
  const { json: first } = await execute({ max_wrong_rate: 0.1 })
  const rerun = async (body: object) => {
    const { json } = await service.call('POST', `/v1/agent/executions/${first.id}/rerun`, {
      body: { batch: false, ...body },
    })
    return json.completeness.max_wrong_rate
  }
  expect([await rerun({}), await rerun({ config: { max_wrong_rate: 0.2 } })]).toEqual([0.1, 0.2])
})
