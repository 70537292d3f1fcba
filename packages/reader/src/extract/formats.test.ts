import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { expect, test } from 'vitest'
import { read } from '../reader.ts'

const text = [
  'Website: www.example.org/info',
  'Shop: https://shop.example.org/a',
  'Server IP: 10.0.0.300',
  'Gateway IP: 10.0.0.1',
  'Notice period: 90 minutes',
  'Opening time: 14:05',
  'Serial: abc',
  'Rating: 4.5',
  'Score: 120',
  'Rooms: 4',
].join('\n')
const ajv = new Ajv2020()
addFormats.default(ajv)

test.each([
  ['website', { format: 'uri' }, null],
  ['shop', { format: 'uri' }, 'https://shop.example.org/a'],
  ['server_ip', { format: 'ipv4' }, null],
  ['gateway_ip', { format: 'ipv4' }, '10.0.0.1'],
  ['notice_period', { format: 'duration' }, null],
  ['notice_period', {}, '90 minutes'],
  ['serial', { format: 'uuid' }, null],
  ['notice_period', { format: 'an unknown one' }, '90 minutes'],
  ['score', { type: ['number', 'null'], maximum: 100 }, null],
  ['rating', { type: ['number', 'null'], multipleOf: 1 }, null],
  ['rating', { type: ['number', 'null'], multipleOf: 0.5 }, 4.5],
])('%s as %j is %j: a value that the schema refuses is not given', async (name, asked, wanted) => {
  const schema = { type: 'object', properties: { [name]: { type: ['string', 'null'], ...asked } } }
  const { response } = await read({ text }, { schema, fileName: 'facts.txt' })
  expect(response).toEqual({ [name]: wanted })
  expect(('format' in asked && asked.format === 'an unknown one') || ajv.validate(schema, response)).toBe(true)
})

test('the reason names the value that the schema does not allow, unless the same name has another one', async () => {
  const schema = { type: 'object', properties: { score: { type: ['integer', 'null'], maximum: 100 } } }
  const { evidence } = await read({ text }, { schema, fileName: 'facts.txt' })
  expect(evidence['/score']?.reason).toBe('The schema does not allow the value at this name: "120".')
  const { response } = await read({ text: `${text}\nScore: 12` }, { schema, fileName: 'facts.txt' })
  expect(response).toEqual({ score: 12 })
})

test('a time of JSON Schema has a zone, which is assumed and marked', async () => {
  const schema = { type: 'object', properties: { opening_time: { type: ['string', 'null'], format: 'time' } } }
  const { response, evidence } = await read({ text }, { schema, fileName: 'facts.txt' })
  expect(response).toEqual({ opening_time: '14:05:00Z' })
  expect(ajv.validate(schema, response)).toBe(true)
  expect(evidence['/opening_time']).toMatchObject({ confidence: 0.5, quote: '14:05' })
  expect(evidence['/opening_time']?.note).toContain('Z was assumed')
})
