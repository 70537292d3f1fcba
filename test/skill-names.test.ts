import { describe, expect, test } from 'vitest'
import { type MockTurn, startMockModel } from './support/mock-model.ts'
import { opened } from './support/opened.ts'
import { openTestService } from './support/service.ts'
import { fileOfSmallModel } from './support/small-model.ts'

let turn: MockTurn

const model = await opened(startMockModel({ script: () => turn }))
const service = await opened(
  openTestService({ file: { ...fileOfSmallModel(model.baseUrl), limits: { model_attempts: 1 } } }),
)

const usage = { inputTokens: 100, outputTokens: 10 }
const says = (value: unknown): MockTurn => ({ text: JSON.stringify(value), usage })
const create = async (body: object) => {
  const { status, json } = await service.call('POST', '/v1/skills/create', { body })
  expect(status, JSON.stringify(json)).toBe(201)
  return json
}
const schema = { type: 'object', properties: { total: { type: 'number' } } }

describe('a skill from a prompt, with a language model', () => {
  test('gets name and description from the model, in a priced execution; the same prompt is sent only once', async () => {
    turn = says({ name: 'Ticket Totals', description: 'Reads the total of a\nticket.' })
    const body = { prompt: 'Take the ticket and give what it cost.', json_schema: schema }
    const made = await create(body)
    expect(made).toMatchObject({
      name: 'ticket-totals',
      description: 'Reads the total of a ticket.',
      status: 'completed',
      number: 1,
    })
    expect(model.requests.at(-1)?.text).toMatch(/Take the ticket and give what it cost[\s\S]*total\ntype +number/)
    const [execution] = (await service.call('GET', '/v1/agent/executions')).json
    expect(execution).toMatchObject({ status: 'completed', response: { name: 'Ticket Totals' } })
    expect(execution.usage.cost_dollars).toBeCloseTo((100 * 2 + 10 * 12) / 1_000_000, 9)
    const asked = model.requests.length
    turn = says({ name: 'something-else', description: 'Something else.' })
    expect(await create(body)).toMatchObject({ name: 'ticket-totals', number: 2 })
    expect(model.requests).toHaveLength(asked)
    turn = says({ name: 'ticket-totals', description: 'Another skill of that name.' })
    const other = await create({ prompt: 'Something else about tickets' })
    expect(other).toMatchObject({ name: expect.stringMatching(/^ticket-totals-[0-9a-f]{6}$/), number: 1 })
  })

  test('only asks for what is missing, and never when both are given', async () => {
    turn = says({ name: 'unwanted', description: 'By the model.' })
    expect(await create({ prompt: 'Name given', name: 'given' })).toMatchObject({
      name: 'given',
      description: 'By the model.',
    })
    expect(await create({ prompt: 'Description given', description: 'Given.' })).toMatchObject({
      name: 'unwanted',
      description: 'Given.',
    })
    const asked = model.requests.length
    await create({ prompt: 'Both given', name: 'both', description: 'Both.' })
    const bad = { prompt: 'Bad schema', json_schema: { type: 'nonsense' } }
    expect((await service.call('POST', '/v1/skills/create', { body: bad })).status).toBe(422)
    expect(model.requests).toHaveLength(asked)
  })

  test.each([
    ['an invalid name', says({ name: '../../etc', description: 'Fine.' })],
    ['a name that is too long', says({ name: 'long-'.repeat(20), description: 'Fine.' })],
    ['a name that is an id', says({ name: '0198aaaa-bbbb-7ccc-8ddd-eeeeeeeeeeee', description: 'Fine.' })],
    ['no description', says({ name: 'fine', description: ' ' })],
    ['words', { text: 'I would call it Totals.', usage } satisfies MockTurn],
    ['nothing but failures', { status: 500 } satisfies MockTurn],
    ['a refused key', { status: 401 } satisfies MockTurn],
  ])('is named by rule when the model returns %s', async (what, given) => {
    turn = given
    const made = await create({ prompt: `Extract totals for ${what.replaceAll(' ', '')}. Then stop.` })
    expect(made.name).toBe(`extract-totals-${what.replaceAll(' ', '')}`.toLowerCase())
    expect(made.description).toBe(`Extract totals for ${what.replaceAll(' ', '')}.`)
  })

  test('with the embedded engine only, a rule names it and nothing is executed', async () => {
    await using plain = await openTestService()
    const body = { prompt: 'Extract the totals of tickets. Then stop.' }
    const { json } = await plain.call('POST', '/v1/skills/create', { body })
    expect(json).toMatchObject({ name: 'extract-totals-tickets', description: 'Extract the totals of tickets.' })
    expect((await plain.call('GET', '/v1/agent/executions')).json).toEqual([])
  })
})
