import { describe, expect, test } from 'vitest'
import { opened } from './support/opened.ts'
import { openTestService } from './support/service.ts'

const service = await opened(openTestService())

const letter = 'Invoice No: INV-17\nTotal: EUR 12.50'
const text = { type: ['string', 'null'] }
const number = { type: ['number', 'null'] }

const execute = (properties: object, { input = letter, ...more }: { input?: string; required?: string[] } = {}) =>
  service.execute({
    inputs: { mail: input },
    config: { prompt: 'Extract the fields', json_schema: { type: 'object', properties, ...more } },
  })

describe('a record reports how much of the request was found', () => {
  test('missing values are counted, named in warnings with reasons, and summarised in one sentence', async () => {
    const record = await execute({ invoice_number: text, total: number, iban: text, due_date: text })
    expect(record).toMatchObject({
      status: 'completed',
      response: { invoice_number: 'INV-17', total: 12.5, iban: null, due_date: null },
      completeness: { asked: 4, found: 2, not_found: 2, low_confidence: 0, max_wrong_rate: 0.02, listed: [] },
      usage: { message: 'Found 2 of 4 fields; not found: /iban, /due_date' },
    })
    expect(record.warnings).toEqual(
      ['/iban', '/due_date'].map((path) => ({
        code: 'not_found',
        path,
        message: 'Nothing in the input supports a value.',
      })),
    )
    const read = await service.call('GET', `/v1/agent/executions/${record.id}`)
    expect(read.json).toEqual(record)
  })

  test('a complete answer has no warning and no message', async () => {
    expect(await execute({ invoice_number: text, total: number })).toMatchObject({
      completeness: { asked: 2, found: 2, not_found: 0 },
      warnings: [],
      usage: { message: null },
    })
  })

  test('a column of a list counts once, and the list reports its number of items', async () => {
    const row = { type: 'object', properties: { description: text, amount: number, weight: number } }
    const record = await execute(
      { line_items: { type: 'array', items: row } },
      { input: 'Description  Qty  Amount\nHammer       2    20.00\nNails        1    5.50\n' },
    )
    expect(record).toMatchObject({
      status: 'completed',
      completeness: {
        asked: 3,
        found: 2,
        not_found: 1,
        listed: [{ path: '/line_items', returned: 2, expected: null }],
      },
      usage: { message: 'Found 2 of 3 fields; not found: /line_items/weight' },
    })
  })

  test('without a schema there is no completeness', async () => {
    const json = await service.execute({ inputs: { mail: letter }, config: { prompt: 'Extract the text' } })
    expect(json).toMatchObject({ status: 'completed', completeness: null, warnings: [] })
  })
})

describe('an answer without any value is a failure', () => {
  test.each([
    ['fields that may be null', { iban: text, due_date: text }, {}],
    ['fields that are required', { iban: { type: 'string' } }, { required: ['iban'] }],
    ['a list', { codes: { type: 'array', items: { type: 'string' } } }, { required: ['codes'] }],
    ['an object without fields', { anything: { type: 'object' } }, {}],
  ])('%s', async (_name, properties, more) => {
    const record = await execute(properties, { input: 'Dear Sir or Madam', ...more })
    expect(record).toMatchObject({
      status: 'failed',
      error: { code: 'nothing_found', retryable: false },
      completeness: { found: 0 },
    })
    expect(record.completeness.not_found).toBe(record.completeness.asked)
    expect(record.completeness.asked).toBeGreaterThan(0)
    expect(record.usage.message).toContain('language model')
  })
})

describe('unknown fields of a request', () => {
  test('are accepted, and named in warnings and in the message with the probable field, from the first reply on', async () => {
    const sent = {
      batch: true,
      inputs: { mail: { type: 'text', text: letter, txt: 'x' } },
      input: { file: 'x' },
      prompt: 'Extract the total',
      config: {
        prompt: 'Extract the total',
        jsonSchema: { type: 'object' },
        json_schema: { type: 'object', properties: { total: number } },
        orchestration_mode: true,
      },
      metadata: { anything: 'goes' },
      nothing: null,
    }
    const { status, json } = await service.call('POST', '/v1/agent/execute', { body: sent })
    expect(status).toBe(201)
    expect(json.warnings.map(({ code, path }: { code: string; path: string }) => [code, path])).toEqual([
      ['ignored_field', '/input'],
      ['ignored_field', '/prompt'],
      ['ignored_field', '/config/jsonSchema'],
      ['ignored_field', '/inputs/mail/txt'],
    ])
    expect(json.usage.message).toBe(
      'The server ignored the unknown field "input"; did you mean "inputs"? (and 3 more: see warnings)',
    )
    expect(json.warnings[1].message).toContain('did you mean "config.prompt"?')
    const again = await service.call('POST', `/v1/agent/executions/${json.id}/rerun`, {
      body: { batch: false, cofnig: {} },
    })
    expect(again.json).toMatchObject({
      status: 'completed',
      response: { total: 12.5 },
      warnings: [{ code: 'ignored_field', path: '/cofnig' }],
    })
  })

  test('of a skill entry are named with their location', async () => {
    await service.call('POST', '/v1/skills/create', {
      body: { name: 'reads', description: 'Reads', prompt: 'Read the text' },
    })
    const json = await service.execute({
      inputs: { mail: letter },
      config: { skills: [{ skill_id: 'reads', skillVersion: 1 }] },
    })
    expect(json).toMatchObject({
      status: 'completed',
      warnings: [{ code: 'ignored_field', path: '/config/skills/0/skillVersion' }],
    })
    expect(json.usage.message).toContain('"config.skills.skill_version"')
  })
})
