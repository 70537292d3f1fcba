import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import type { Json } from '../packages/core/src/json.ts'
import { invoiceLines, invoiceSchema, makePdf } from './support/documents.ts'
import { type MockRequest, type MockTurn, startMockModel, toolThenAnswer } from './support/mock-model.ts'
import { opened } from './support/opened.ts'
import { openTestService } from './support/service.ts'
import { fileOfTwoModels } from './support/small-model.ts'
import { lookAgain, settledRecord } from './support/until.ts'

/** The model's behaviour in the current test. */
let script: (request: MockRequest, number: number) => MockTurn | Promise<MockTurn>
/** The number of model requests before the current test. */
let before = 0

// Prices for the figures below: 2, 0.20 and 12 dollars per million tokens, whole micro-dollars per token.
const model = await opened(
  startMockModel({
    script: (request, number) => script(request, number - before),
  }),
)
const service = await opened(
  openTestService({
    file: {
      ...fileOfTwoModels(model.baseUrl, { takes: ['text', 'image', 'tools'] }),
      limits: { model_attempts: 2, model_call_ms: 20_000 },
    },
  }),
)
const invoice = await service.upload(await makePdf([invoiceLines]), 'invoice.pdf')

const answer = { invoice_number: 'INV-2041', invoice_date: '2026-03-14', total: 144 }
const config = { prompt: 'Extract the fields of this invoice', json_schema: invoiceSchema }
const requests = () => model.requests.slice(before)

/** Executes with a scripted model and waits for the end. */
async function execute(following: typeof script, body: object = {}) {
  script = following
  before = model.requests.length
  const inputs = { invoice: { type: 'input_file', file_id: invoice.id } }
  return service.execute({ inputs, config, ...body })
}

const stepsOf = async (id: string) => (await service.call('GET', `/v1/agent/executions/${id}/steps`)).json
const says = (said: Json): MockTurn => ({ text: JSON.stringify(said), usage: { inputTokens: 100, outputTokens: 10 } })

describe('an execution answered by a model', () => {
  test('is not one whose prompt consists of tool calls: these run by themselves, and the record says so', async () => {
    const call = 'document.search({"query": "INV-2041"})'
    const record = await execute(() => says('asked'), { config: { prompt: call } })
    expect(record).toMatchObject({
      status: 'completed',
      response: { count: 1 },
      model_selection: { resolved: 'embedded', reason: expect.stringContaining('tool calls') },
      usage: { cost_dollars: 0 },
    })
    expect(requests()).toEqual([])
    // A model may know what is meant by a call of a tool that the request does not have.
    for (const config of [{ prompt: call, tool_names: ['core.date'] }, { prompt: `Explain ${call}` }]) {
      expect(await execute(() => says('asked'), { config })).toMatchObject({
        response: expect.stringContaining('asked'),
      })
      expect(requests()).toHaveLength(1)
    }
  })

  test('with missing fields reports them, and an answer of nulls is accepted from a model', async () => {
    const partly = await execute(() => says({ invoice_number: 'INV-2041', invoice_date: null, total: null }))
    expect(partly).toMatchObject({
      status: 'completed',
      completeness: { asked: 3, found: 1, not_found: 2 },
      usage: { message: 'Found 1 of 3 fields; not found: /invoice_date, /total' },
    })
    expect(partly.warnings.map(({ code, path }: { code: string; path: string }) => [code, path])).toEqual([
      ['not_found', '/invoice_date'],
      ['not_found', '/total'],
    ])
    const none = await execute(() => says({ invoice_number: null, invoice_date: null, total: null }))
    expect(none).toMatchObject({ status: 'completed', completeness: { asked: 3, found: 0 } })
  })

  test('reads, calls a tool and answers; its record has the engine, the cost to the micro-dollar, and the evidence', async () => {
    const record = await execute(({ results }) =>
      results.length === 0
        ? {
            toolCalls: [
              { name: 'document_search', input: { query: 'total' } },
              { name: 'core_calculate', input: { formulas: ['120.00 + 24.00'] } },
            ],
            usage: { inputTokens: 1_000, cachedInputTokens: 0, outputTokens: 60, reasoningTokens: 40 },
          }
        : { text: JSON.stringify(answer), usage: { inputTokens: 1_200, cachedInputTokens: 1_000, outputTokens: 30 } },
    )
    expect(record).toMatchObject({
      status: 'completed',
      response: answer,
      error: null,
      model: 'svc-agent-1:auto',
      model_selection: {
        requested: 'svc-agent-1:auto',
        resolved: 'mine/small',
        chosen_by: 'default',
        reason: expect.stringContaining('chose fast'),
      },
      usage: { steps: 5, elements_processed: 1, element_type: 'page', message: null },
    })
    // 1000·2 + 60·12, then 200·2 + 1000·0.2 + 30·12.
    const micros = 2_720 + 960
    expect(record.usage).toMatchObject({
      standard_cost_dollars: micros / 1e6,
      cost_dollars: micros / 1e6,
      credits_used: 1,
    })
    expect(record.evidence['/total']).toMatchObject({ status: 'normalised', input: 'invoice', page: 0 })
    expect(record.evidence['/invoice_number']).toMatchObject({ status: 'verified', quote: 'INV-2041' })
    const steps = await stepsOf(record.id)
    expect(
      steps.map(({ kind, name, cost_dollars }: { kind: string; name: string; cost_dollars: number }) => [
        kind,
        name,
        cost_dollars,
      ]),
    ).toEqual(
      expect.arrayContaining([
        ['tool', 'document.read', 0],
        ['model', 'mine/small', 0.002_72],
        ['tool', 'document.search', 0],
        ['tool', 'core.calculate', 0],
        ['model', 'mine/small', 0.000_96],
      ]),
    )
    expect(steps.find((step: { name: string }) => step.name === 'core.calculate').result.output).toEqual({
      values: ['144'],
    })
    expect(steps.find((step: { kind: string }) => step.kind === 'model').result).toMatchObject({
      tool_calls: [{ name: 'document_search', input: { query: 'total' } }, {}],
      usage: { input_tokens: 1_000, cached_input_tokens: 0, output_tokens: 60, reasoning_tokens: 40 },
    })
    const events = await service.call('GET', `/v1/agent/executions/${record.id}/events`, {
      headers: { Accept: 'application/json' },
    })
    expect(JSON.stringify([steps, events.json])).not.toMatch(/"[a-z]+[A-Z]\w*":/)
    const second = requests()[1]
    expect(second?.results).toHaveLength(2)
    expect(second?.results[0]).toContain('Total: EUR 144.00')
  })

  test('sends tools, document and question in an order suited to prefix caches, identically each time', async () => {
    await execute(() => says(answer))
    const [first] = requests()
    await execute(() => says(answer))
    expect(requests()[0]?.body).toEqual(first?.body)
    const { text, tools, body } = first as MockRequest
    expect(tools).toEqual(tools.toSorted())
    expect(text.indexOf('[page 1 of 1]')).toBeLessThan(text.indexOf('Extract the fields'))
    for (const line of invoiceLines) expect(text).toContain(line)
    expect(body['response_format']).toMatchObject({ type: 'json_schema' })
    expect(body['max_tokens'] ?? body['max_completion_tokens']).toBe(1_000)
  })

  test('an answer that is not JSON gets an explanation', async () => {
    const record = await execute(() => ({ text: 'The total is 144' }))
    expect(record.error.code).toBe('schema_violation')
    expect(record.error.message).toContain(
      "The model's last answer is not valid against the schema: the answer is not valid JSON. response has it",
    )
  })

  test("an answer that violates the schema is returned twice with the validator's messages, then fails with the last one kept", async () => {
    const record = await execute(({ corrections }) => says({ ...answer, total: `attempt ${corrections}` }))
    expect(record).toMatchObject({
      status: 'failed',
      response: { total: 'attempt 2' },
      error: { code: 'schema_violation', retryable: false, message: expect.stringContaining('/total') },
    })
    expect(requests()).toHaveLength(3)
    expect(requests()[1]?.text).toContain('/total: must be number')
    const mended = await execute(({ corrections }) => (corrections === 0 ? { text: 'Sorry: none' } : says(answer)))
    expect(mended).toMatchObject({ status: 'completed', response: answer })
  })

  test("an integer beyond JSON's safe range is returned to be written as text, and no rounded one is accepted", async () => {
    const json_schema = { type: 'object', properties: { id: { type: ['string', 'integer'] } } }
    const wish = { config: { ...config, json_schema } }
    const mended = await execute(
      ({ corrections }) => ({ text: corrections === 0 ? '{"id": 9007199254740993}' : '{"id": "9007199254740993"}' }),
      wish,
    )
    expect(mended).toMatchObject({ status: 'completed', response: { id: '9007199254740993' } })
    expect(requests()[1]?.text).toContain('9007199254740993, which JSON parsers round')
    const stubborn = await execute(() => ({ text: '{"id": 12345678901234567890}' }), wish)
    expect(stubborn).toMatchObject({ status: 'failed', error: { code: 'schema_violation' } })
    const large = await execute(() => ({ text: '{"id": 9007199254740992}' }), wish)
    expect(large).toMatchObject({ status: 'completed', response: { id: 2 ** 53 } })
  })

  test("evidence is the server’s: a model's claims about its answer are dropped, and false quotations are reported", async () => {
    const claimed = { confidence: 'hi', bboxes: [{ page: 0, content: '999', bbox: { xywh: [0, 0, 1, 1] } }] }
    const open = { type: 'object', properties: { total: { type: 'number' } } }
    const asked = { ...config, json_schema: open, grounding: true }
    const record = await execute(
      () => says({ total: 999, total_metadata: claimed, lines: [{ sum: 144, sum_metadata: 1 }] }),
      {
        config: asked,
      },
    )
    expect(record.response.total_metadata).toEqual({ confidence: 'lo', bboxes: [] })
    expect(record.response.lines[0].sum_metadata.bboxes).toHaveLength(1)
    expect(Object.keys(record.evidence)).toEqual(['/total', '/lines/0/sum'])
    const named = { ...open, properties: { ...open.properties, total_metadata: { type: 'object' } } }
    const own = await execute(() => says({ total: 999, total_metadata: claimed }), {
      config: { ...asked, json_schema: named },
    })
    expect(own.response.total_metadata.confidence).toBe('hi')
    const told = await execute(
      () => ({ text: 'It is the invoice INV-2041, and it says: "Total due 9,999.00 in cash".' }),
      {
        config: { prompt: 'What does it say?', grounding: true },
      },
    )
    expect(told.evidence).toEqual({
      '': { status: 'unsupported', confidence: 0, note: expect.stringContaining('in cash') },
    })
    expect(told.usage.message).toBe('1 of 1 values were not found in the inputs: the answer; see evidence')
  })

  test('values that are not in the input are flagged', async () => {
    const record = await execute(() => says({ ...answer, invoice_number: 'INV-9999', total: 145 }))
    expect(record).toMatchObject({ status: 'completed', response: { invoice_number: 'INV-9999' } })
    expect(record.usage.message).toBe(
      '2 of 3 values were not found in the inputs: /invoice_number, /total; see evidence',
    )
    expect(record.evidence['/invoice_number']).toMatchObject({ status: 'unsupported', confidence: 0 })
    expect(record.evidence['/invoice_date'].status).toBe('verified')
  })

  test('an answer of a model is not held to max_wrong_rate, and the record says so', async () => {
    const record = await execute(() => says(answer), { config: { ...config, max_wrong_rate: 0.02 } })
    expect(record).toMatchObject({ status: 'completed', completeness: { max_wrong_rate: null } })
    expect(record.warnings).toContainEqual(expect.objectContaining({ code: 'wrong_rate_not_promised' }))
    const { warnings } = await execute(() => says(answer))
    expect(warnings).not.toContainEqual(expect.objectContaining({ code: 'wrong_rate_not_promised' }))
  })

  test('without a schema the answer is the text', async () => {
    const record = await execute(() => ({ text: 'It is an invoice over 144 euros.' }), {
      config: { prompt: 'What is this?' },
    })
    expect(record).toMatchObject({ status: 'completed', response: 'It is an invoice over 144 euros.', evidence: null })
  })

  test("a refusal is a failure with the model's words", async () => {
    const record = await execute(() => ({ text: 'I will not read this.', finish: 'refusal' }))
    expect(record).toMatchObject({
      status: 'failed',
      error: { code: 'refused', message: expect.stringContaining('I will not') },
    })
  })

  test('an image is shown to the model together with its text', async () => {
    const page = { create: { width: 900, height: 300, channels: 3 as const, background: 'white' } }
    const words = Buffer.from(
      '<svg width="900" height="300"><text x="40" y="160" font-size="80">Total 144.00</text></svg>',
    )
    const png = await sharp(page)
      .composite([{ input: words }])
      .png()
      .toBuffer()
    const record = await execute(() => says({ ...answer, invoice_number: null, invoice_date: null }), {
      inputs: { photo: { type: 'image_url', image_url: { url: `data:image/png;base64,${png.toString('base64')}` } } },
    })
    expect(record).toMatchObject({ status: 'completed', usage: { element_type: 'image' } })
    const [request] = requests()
    expect(request?.pictures).toHaveLength(1)
    const [, data = ''] = request?.pictures[0]?.split(',') ?? []
    expect(await sharp(Buffer.from(data, 'base64')).metadata()).toMatchObject({
      format: 'jpeg',
      width: 900,
      height: 300,
    })
    expect((await stepsOf(record.id)).map((step: { name: string }) => step.name)).toContain('document.draw')
  })
})

describe('routes and tools', () => {
  test('a level names its model, large requests go to pro by the rule, and the list shows the engine', async () => {
    const pro = await execute(() => says(answer), { model: 'svc-agent-1:pro' })
    expect(pro.model).toBe('svc-agent-1:pro')
    expect(pro.model_selection).toEqual({
      requested: 'svc-agent-1:pro',
      resolved: 'mine/large',
      chosen_by: 'request',
      reason: null,
    })
    const wide = {
      type: 'object',
      properties: Object.fromEntries(Array.from({ length: 41 }, (_, n) => [`field_${n}`, { type: 'string' }])),
    }
    const large = await execute(() => says({}), { config: { ...config, json_schema: wide } })
    expect(large.model_selection).toMatchObject({
      resolved: 'mine/large',
      reason: expect.stringContaining('41 schema properties'),
    })
    const { json } = await service.call('GET', '/v1/models')
    expect(json).toContainEqual({ model: 'svc-agent-1:fast', domain: 'agent', engine: 'mine/small' })
    expect(json).toContainEqual({ model: 'svc-agent-2', domain: 'agent', engine: 'mine/small or mine/large' })
  })

  test('a variant without a provider says what to set', async () => {
    const { status, json } = await service.call('POST', '/v1/agent/execute', {
      body: { inputs: { a: 'b' }, model: 'svc-agent-2:gpt-5.5' },
    })
    expect(status).toBe(422)
    expect(json.detail[0].msg).toContain('OPENAI_API_KEY')
  })

  test('only the requested tools are offered', async () => {
    await execute(() => says(answer), { config: { ...config, tool_names: ['core.date'] } })
    expect(requests()[0]?.tools).toEqual(['core_date', 'core_recall'])
    await execute(() => says(answer), { toolsets: ['core'] })
    expect(requests()[0]?.tools).toEqual([
      'core_calculate',
      'core_date',
      'core_query',
      'core_read',
      'core_recall',
      'core_write',
    ])
    await execute(() => says(answer), { config: { ...config, tool_names: [] } })
    expect(requests()[0]?.tools).toEqual([])
  })

  test('a failing tool reports to the model, and the run continues', async () => {
    const record = await execute(({ results }) =>
      results.length === 0
        ? {
            toolCalls: [
              { name: 'document_read', input: { pages: [7] } },
              { name: 'rm', input: {} },
            ],
          }
        : says(answer),
    )
    expect(record.status).toBe('completed')
    expect(requests()[1]?.results[0]).toContain('Page 7 is not available')
    expect(requests()[1]?.results[1]).toContain('There is no tool rm')
  })

  test('max_steps limits turns and calls together', async () => {
    const record = await execute(() => ({ toolCalls: [{ name: 'core_date', input: { operation: 'today' } }] }), {
      config: { ...config, max_steps: 8 },
    })
    expect(record).toMatchObject({ status: 'failed', error: { code: 'max_steps' }, usage: { steps: 8 } })
  })

  test('64 steps are one run', async () => {
    const record = await execute(({ results }) =>
      results.length < 31 ? { toolCalls: [{ name: 'core_date', input: { operation: 'today' } }] } : says(answer),
    )
    expect(record).toMatchObject({ status: 'completed', usage: { steps: 64 } })
    expect(requests()).toHaveLength(32)
  })
})

describe('a provider that fails', () => {
  test('temporarily is retried', async () => {
    const record = await execute((_request, number) =>
      number === 1 ? { status: 429, headers: { 'Retry-After': '0' } } : says(answer),
    )
    expect(record).toMatchObject({ status: 'completed', response: answer })
    expect(requests()).toHaveLength(2)
  })

  test('permanently fails the execution with a message, as retryable', async () => {
    const record = await execute(() => ({ status: 503, headers: { 'Retry-After-Ms': '0' } }))
    expect(record).toMatchObject({
      status: 'failed',
      response: null,
      error: { code: 'provider_failed', retryable: true, message: 'The model provider mine failed (503)' },
    })
    expect(requests()).toHaveLength(2)
  })

  test('by refusing the key or the request is not retried', async () => {
    const record = await execute(() => ({ status: 401 }))
    expect(record.error).toMatchObject({
      code: 'provider_refused',
      retryable: false,
      message: expect.stringContaining('key'),
    })
    expect(requests()).toHaveLength(1)
  })

  test('with invalid replies fails with a message', async () => {
    const record = await execute(() => ({ status: 200, body: { hello: 'world' } }))
    expect(record.error).toMatchObject({ code: 'provider_failed', message: expect.stringContaining('invalid reply') })
  })
})

describe('budgets', () => {
  test('a run at its limit pauses with its work kept, says why, and continues with a new limit', async () => {
    const search: MockTurn = {
      toolCalls: [{ name: 'document_search', input: { query: 'total' } }],
      usage: { inputTokens: 1_000, outputTokens: 500 },
    }
    // The first turn costs 0.008 dollars; the rest is enough for the input of the next turn but not for a reply.
    const record = await execute(({ results }) => (results.length === 0 ? search : says(answer)), {
      config: { ...config, max_cost_dollars: 0.017 },
    })
    expect(record).toMatchObject({ status: 'paused', response: null, completed_at: null })
    expect(record.usage.message).toContain('max_cost_dollars of $0.017')
    expect(requests()).toHaveLength(1)
    const still = await service.call('POST', `/v1/agent/executions/${record.id}/resume`)
    expect(still).toMatchObject({ status: 409, json: { detail: expect.stringContaining('max_cost_dollars of $') } })
    expect(await settled(record.id)).toMatchObject({ status: 'paused' })
    expect(requests()).toHaveLength(1)
    const resumed = await service.call('POST', `/v1/agent/executions/${record.id}/resume`, {
      body: { max_cost_dollars: 0.05 },
    })
    expect(resumed.status).toBe(200)
    const ended = await settled(record.id)
    expect(ended).toMatchObject({ status: 'completed', response: answer })
    expect(ended.usage.standard_cost_dollars).toBe((1_000 * 2 + 500 * 12 + 100 * 2 + 10 * 12) / 1e6)
    expect(requests()).toHaveLength(2)
    expect(await ledger(record.id)).toEqual({ reserved: expect.any(Number), settled: 8_320, open: 0, committed: 8_320 })
  })

  test('a budget below the worst case of a call caps the reply and does not stop the run', async () => {
    const record = await execute(() => says(answer), { config: { ...config, max_cost_dollars: 0.014 } })
    expect(record).toMatchObject({ status: 'completed', response: answer })
    expect(record.usage.cost_dollars).toBe((100 * 2 + 10 * 12) / 1e6)
    const [{ max_tokens }] = requests().map(({ body }) => body as { max_tokens: number }) as [{ max_tokens: number }]
    expect(max_tokens).toBeGreaterThanOrEqual(256)
    expect(max_tokens).toBeLessThan(1_000)
    // No more than the budget was ever reserved.
    const { reserved, open } = (await ledger(record.id)) as { reserved: number; open: number }
    expect(reserved).toBeLessThanOrEqual(14_000)
    expect(reserved).toBeGreaterThan(14_000 - 12 * 2)
    expect(open).toBe(0)
  })

  test('a reply that was cut off by its cap is not repeated with the same budget: the run pauses and says so', async () => {
    const long: MockTurn = {
      text: '{"invoice_number": "INV-',
      finish: 'length',
      usage: { inputTokens: 100, outputTokens: 300 },
    }
    const record = await execute((_request, number) => (number === 1 ? long : says(answer)), {
      config: { ...config, max_cost_dollars: 0.014 },
    })
    expect(record.status).toBe('paused')
    expect(record.usage.message).toMatch(/^The last reply was cut off after \d+ tokens, the most that the budget/)
    expect(requests()).toHaveLength(1)
    await service.call('POST', `/v1/agent/executions/${record.id}/resume`, { body: { max_cost_dollars: 0.05 } })
    expect(await settled(record.id)).toMatchObject({ status: 'completed', response: answer })
    expect(requests()).toHaveLength(2)
  })

  test("a key's daily budget caps replies in the same way", async () => {
    const { key } = (await service.call('POST', '/v1/keys', { body: { budget_dollars_per_day: 0.014 } })).json
    script = () => says(answer)
    before = model.requests.length
    const record = await service.execute(
      { inputs: { invoice: { type: 'input_file', file_id: invoice.id } }, config },
      { key },
    )
    expect(record).toMatchObject({ status: 'completed', response: answer })
  })

  test('flex and priority settle the recorded cost, to the micro-dollar', async () => {
    for (const [tier, dollars] of [
      ['flex', 0.000_16],
      ['priority', 0.000_576],
    ] as const) {
      const record = await execute(() => says(answer), { config: { ...config, service_tier: tier } })
      expect(record.usage).toMatchObject({ standard_cost_dollars: 0.000_32, cost_dollars: dollars })
      expect((await ledger(record.id)).settled).toBe(Math.round(dollars * 1e6))
    }
  })

  test('a failed call is refunded', async () => {
    const record = await execute(() => ({ status: 401 }))
    expect(await ledger(record.id)).toMatchObject({ settled: 0, open: 0, committed: 0 })
  })
})

describe('continuing', () => {
  test('a paused run does not repeat recorded calls', async () => {
    const searching = Promise.withResolvers<void>()
    const held = Promise.withResolvers<void>()
    script = async ({ results }) => {
      if (results.length > 0) return says(answer)
      searching.resolve()
      await held.promise
      return { toolCalls: [{ name: 'document_search', input: { query: 'total' } }], usage: { inputTokens: 10 } }
    }
    before = model.requests.length
    const inputs = { invoice: { type: 'input_file', file_id: invoice.id } }
    const { json } = await service.call('POST', '/v1/agent/execute', { body: { inputs, config } })
    await searching.promise
    const paused = (await service.call('POST', `/v1/agent/executions/${json.id}/pause`)).json.status
    held.resolve()
    expect(paused).toBe('paused')
    await recorded(json.id, 2)
    expect((await service.call('POST', `/v1/agent/executions/${json.id}/resume`)).json.status).toBe('enqueued')
    expect(await settled(json.id)).toMatchObject({ status: 'completed', response: answer })
    expect(requests()).toHaveLength(2)
    expect((await ledger(json.id)).open).toBe(0)
  })

  test('an answer of tens of thousands of small objects is returned completely, with evidence up to its limit', async () => {
    const items = Array.from({ length: 30_000 }, (_, n) => ({ id: n, name: `item ${n}` }))
    const item = { type: 'object', properties: { id: { type: 'integer' }, name: { type: 'string' } } }
    const json_schema = { type: 'object', properties: { items: { type: 'array', items: item } } }
    const large = { config: { prompt: 'List the items', json_schema } }
    const record = await execute(() => ({ text: JSON.stringify({ items }) }), large)
    expect([record.status, record.error]).toEqual(['completed', null])
    expect(record.response).toEqual({ items })
    expect(Object.keys(record.evidence)).toHaveLength(50_000)
    expect(record.warnings).toContainEqual({
      code: 'evidence_truncated',
      path: '/items/25000/id',
      message: 'The answer has 60000 values; evidence is kept for the first 50000',
    })
    expect((await service.call('GET', `/v1/agent/executions/${record.id}`)).json).toEqual(record)
    const wrong = { ...json_schema, properties: { items: { type: 'array', items: { type: 'string' } } } }
    const violated = await execute(() => ({ text: JSON.stringify({ items }) }), {
      config: { prompt: 'List the items', json_schema: wrong },
    })
    expect(violated).toMatchObject({ status: 'failed', error: { code: 'schema_violation' } })
    expect(violated.response).toEqual({ items })
  })

  test("the benchmarks' mock calls a tool, then answers", async () => {
    const record = await execute(toolThenAnswer(answer))
    expect(record).toMatchObject({ status: 'completed', response: answer, usage: { steps: 4 } })
  })
})

/** The record once it has ended or paused. */
const settled = (id: string) => settledRecord(service, id)

/** Waits until this many steps are recorded. */
async function recorded(id: string, count: number): Promise<void> {
  while ((await stepsOf(id)).length < count) await lookAgain()
}

/** The sums of an execution's ledger, in micro-dollars. */
async function ledger(id: string) {
  const rows = await service.database.db.query<{ kind: string; micros: number }>(
    'select kind, sum(micros)::bigint as micros from ledger where execution_id = $1 group by kind',
    [id],
  )
  const of = (kind: string): number => rows.find((row) => row.kind === kind)?.micros ?? 0
  const [execution] = await service.database.db.query<{ committed: number }>(
    'select committed_micros as committed from executions where id = $1',
    [id],
  )
  return {
    reserved: of('reserve'),
    settled: of('settle'),
    open: of('reserve') - of('settle') - of('release'),
    committed: execution?.committed,
  }
}
