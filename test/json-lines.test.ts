import { expect, test } from 'vitest'
import { opened } from './support/opened.ts'
import { openTestService } from './support/service.ts'

const service = await opened(openTestService())

const people = {
  type: 'array',
  items: { type: 'object', properties: { name: { type: ['string', 'null'] }, total: { type: ['number', 'null'] } } },
}
const lines = '{"name":"Bob","total":5}\n{"total":7.5,"name":"Ada \\u00c5"}\n{"name":"Eve","total":null}\n'

const extract = async (file: object, properties: object) =>
  await service.execute({
    inputs: { file },
    config: { prompt: 'Extract the fields', json_schema: { type: 'object', properties } },
  })
const uploaded = async (text: string, name: string) => ({
  type: 'input_file',
  file_id: (await service.upload(Buffer.from(text), name)).id,
})
const inline = (text: string, type: string) => ({
  type: 'file_url',
  file_url: { url: `data:${type};base64,${Buffer.from(text).toString('base64')}` },
})

test.each([
  ['as a file', () => uploaded(lines, 'people.jsonl')],
  ['as a file with another name', () => uploaded(lines, 'people.log')],
  ['in a request', async () => inline(lines, 'application/x-ndjson')],
])('JSON Lines %s give a row for each line, with evidence in the file', async (_how, given) => {
  const json = await extract(await given(), { people })
  expect([json.status, json.response]).toEqual([
    'completed',
    {
      people: [
        { name: 'Bob', total: 5 },
        { name: 'Ada Å', total: 7.5 },
        { name: 'Eve', total: null },
      ],
    },
  ])
  const { span, quote } = json.evidence['/people/0/name']
  expect([quote, lines.slice(...(span as [number, number]))]).toEqual(['Bob', 'Bob'])
})

test.each([
  ['a file by its name', () => uploaded('{"name":"Bob","total":5', 'one.json'), 'line 1, column 24'],
  ['JSON Lines by their name', () => uploaded(`${lines}{"name":"Joe"`, 'people.ndjson'), 'line 4, column 14'],
  ['a text by its type', async () => inline('{"name": Bob}', 'application/json'), 'line 1, column 10'],
])('%s that should be JSON and is damaged fails with the place', async (_what, given, place) => {
  const json = await extract(await given(), { name: { type: ['string', 'null'] } })
  expect([json.status, json.error.code]).toEqual(['failed', 'unreadable_document'])
  expect(json.error.message).toContain(`inputs.file: The JSON is damaged at ${place}`)
})
