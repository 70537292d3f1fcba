import { expect, test } from 'vitest'
import { invoiceLines, invoiceSchema, makePdf } from './support/documents.ts'
import { opened } from './support/opened.ts'
import { openTestService } from './support/service.ts'

const service = await opened(openTestService())
const invoice = await service.upload(await makePdf([invoiceLines]), 'invoice.pdf')

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

test('the default is 0.02, and null turns it off', async () => {
  const { json } = await execute({})
  expect(json).toMatchObject({ status: 'completed', response: { invoice_number: 'INV-2041', total: 144 } })
  expect(json.completeness).toMatchObject({ max_wrong_rate: 0.02, calibration: expect.any(String) })
  const { json: all } = await execute({ max_wrong_rate: null })
  expect(all).toMatchObject({ response: { total: 144 }, completeness: { max_wrong_rate: null, calibration: null } })
})

/** The issuer of this text is likely, but not so likely that two of a hundred would be wrong. */
const unsure = 'Harbour\n1 Quay Road, Hull\n\nInvoice number INV-7\nInvoice date: 5 May 2026\nWidgets 4.00\n12.00'

const ofText = async (type: unknown, config: object = {}) => {
  const json_schema = {
    type: 'object',
    required: ['vendor', 'invoice_date'],
    properties: { vendor: { type }, invoice_date: { type, format: 'date' } },
  }
  return (await execute({ json_schema, ...config }, { note: unsure })).json
}

test('by default a value that is not sure enough is given with its probability, and marked', async () => {
  const { response, evidence, completeness, warnings } = await ofText(['string', 'null'])
  expect(response).toEqual({ vendor: 'Harbour', invoice_date: '2026-05-05' })
  const { confidence, note } = evidence['/vendor']
  expect(note).toContain(`probability is ${confidence}; at most 2 % wrong values need`)
  expect(evidence['/invoice_date'].note).toBeUndefined()
  expect(completeness).toMatchObject({ found: 2, low_confidence: 1, max_wrong_rate: 0.02 })
  expect(warnings).toEqual([])
})

test('a share that was asked for withholds such a value, and null does not weigh it', async () => {
  const held = await ofText(['string', 'null'], { max_wrong_rate: 0.02 })
  expect(held.response).toEqual({ vendor: null, invoice_date: '2026-05-05' })
  expect(held.evidence['/vendor']).toMatchObject({
    reason: expect.stringContaining('at most 2 %'),
  })
  expect(held.evidence['/vendor'].candidates[0]).toMatchObject({ value: 'Harbour' })
  expect(held.completeness).toMatchObject({ found: 1, not_found: 1, low_confidence: 0 })
  const all = await ofText(['string', 'null'], { max_wrong_rate: null })
  expect(all.response).toEqual({ vendor: 'Harbour', invoice_date: '2026-05-05' })
  expect(all.evidence['/vendor'].note).toBeUndefined()
})

test('where the schema requires a value, it is given with its probability and a warning', async () => {
  const { status, response, evidence, warnings, completeness } = await ofText('string', { max_wrong_rate: 0.02 })
  expect({ status, response }).toEqual({
    status: 'completed',
    response: { vendor: 'Harbour', invoice_date: '2026-05-05' },
  })
  const { confidence } = evidence['/vendor']
  expect(warnings).toEqual([
    { code: 'value_unsure', path: '/vendor', message: expect.stringContaining(`probability is ${confidence};`) },
  ])
  expect(completeness).toMatchObject({ found: 2, low_confidence: 1 })
})

test('an answer of which all likely values are withheld is completed, for a person to review', async () => {
  const json_schema = { type: 'object', properties: { vendor: { type: ['string', 'null'] } } }
  const { json } = await execute({ json_schema, max_wrong_rate: 0.02 }, { note: unsure })
  expect(json).toMatchObject({
    status: 'completed',
    response: { vendor: null },
    completeness: { found: 0, max_wrong_rate: 0.02 },
    warnings: [{ code: 'not_found', path: '/vendor', message: expect.stringContaining('Harbour') }],
  })
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
  expect([
    await rerun({}),
    await rerun({ config: { max_wrong_rate: 0.2 } }),
    await rerun({ config: { max_wrong_rate: null } }),
  ]).toEqual([0.1, 0.2, null])
})
