import { describe, expect, test } from 'vitest'
import { invoiceLines, invoiceSchema, makePdf } from './support/documents.ts'
import { opened } from './support/opened.ts'
import { openTestService } from './support/service.ts'
import { until } from './support/until.ts'

const service = await opened(openTestService())
const invoice = await service.upload(await makePdf([invoiceLines]), 'invoice.pdf')

const answer = { invoice_number: 'INV-2041', invoice_date: '2026-03-14', total: 144 }
const config = { prompt: 'Extract the fields of this invoice', json_schema: invoiceSchema }
const execute = (body: unknown, options: object = {}) => service.call('POST', '/v1/agent/execute', { body, ...options })

/** Polls an execution until it has ended; every request waits for the server's reply. */
async function ended(id: string) {
  return until(async () => {
    const { json } = await service.call('GET', `/v1/agent/executions/${id}`)
    return json.status === 'completed' || json.status === 'failed' ? json : undefined
  })
}

describe('the main job', () => {
  test('an uploaded invoice, a prompt and a schema give a valid answer with evidence, usage and cost', async () => {
    const { status, json } = await execute({
      batch: false,
      inputs: { invoice: { type: 'input_file', file_id: invoice.id } },
      config,
    })
    expect(status).toBe(201)
    expect(json).toMatchObject({
      name: 'extract-fields-invoice:1',
      status: 'completed',
      execution_mode: 'agent',
      response: answer,
      error: null,
      attempts: 1,
      model: 'svc-agent-1:auto',
      model_selection: { resolved: 'embedded' },
      skills: [],
      program: null,
      session_id: null,
      usage: {
        elements_processed: 1,
        element_type: 'page',
        steps: 2,
        service_tier: 'standard',
        mode_multiplier: 1,
        cost_dollars: 0,
        standard_cost_dollars: 0,
        savings_dollars: 0,
        credits_used: 0,
        message: null,
      },
    })
    expect(json.created_at).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/)
    expect(json.completed_at >= json.created_at).toBe(true)
    const total = json.evidence['/total']
    expect(total).toMatchObject({ input: 'invoice', page: 0 })
    expect(total.quote).toContain('144.00')
    expect(['verified', 'normalised']).toContain(total.status)
    expect(total.bbox.every((part: number) => part >= 0 && part <= 1)).toBe(true)
  })

  test('a batch call answers enqueued immediately, and its record ends the same', async () => {
    const { status, json } = await execute({ inputs: { invoice: { type: 'input_file', file_id: invoice.id } }, config })
    expect(status).toBe(201)
    expect(json).toMatchObject({ status: 'enqueued', response: null, completed_at: null, evidence: null })
    expect(await ended(json.id)).toMatchObject({ status: 'completed', response: answer })
  })

  test('the transcript shows what was read and who answered', async () => {
    const { json } = await execute({
      batch: false,
      inputs: { invoice: { type: 'input_file', file_id: invoice.id } },
      config,
    })
    const steps = await service.call('GET', `/v1/agent/executions/${json.id}/steps`)
    expect(steps.json).toMatchObject([
      {
        seq: 1,
        kind: 'tool',
        name: 'document.read',
        detail: { input: 'invoice', sha256: invoice.sha256 },
        result: { media_type: 'application/pdf', page_count: 1, pages_read: 1 },
      },
      { seq: 2, kind: 'model', name: 'embedded' },
    ])
  })

  test('grounding adds the metadata properties that existing clients read', async () => {
    const { json } = await execute({
      batch: false,
      inputs: { invoice: { type: 'input_file', file_id: invoice.id } },
      config: { ...config, grounding: true },
    })
    expect(json.response.total).toBe(144)
    expect(json.response.total_metadata.bboxes[0]).toMatchObject({
      page: 0,
      bbox: { xywh: [expect.any(Number), expect.any(Number), expect.any(Number), expect.any(Number)] },
    })
    expect(['hi', 'med', 'lo']).toContain(json.response.total_metadata.confidence)
  })

  test('priority costs 1.8 times, flex half with the savings reported', async () => {
    const priced = await openTestService({ config: { file: { prices: { tools: { 'document.read': 0.01 } } } } })
    try {
      const body = (service_tier: string) => ({
        batch: false,
        inputs: { text: invoiceLines.join('\n') },
        config: { ...config, service_tier },
      })
      const usage = async (tier: string) =>
        (await priced.call('POST', '/v1/agent/execute', { body: body(tier) })).json.usage
      expect(await usage('default')).toMatchObject({
        service_tier: 'standard',
        mode_multiplier: 1,
        standard_cost_dollars: 0.01,
        cost_dollars: 0.01,
        savings_dollars: 0,
        credits_used: 1,
      })
      expect(await usage('flex')).toMatchObject({
        service_tier: 'flex',
        mode_multiplier: 0.5,
        standard_cost_dollars: 0.01,
        cost_dollars: 0.005,
        savings_dollars: 0.005,
        credits_used: 1,
      })
      expect(await usage('priority')).toMatchObject({
        service_tier: 'priority',
        mode_multiplier: 1.8,
        standard_cost_dollars: 0.01,
        cost_dollars: 0.018,
        savings_dollars: 0,
        credits_used: 2,
      })
    } finally {
      await priced[Symbol.asyncDispose]()
    }
  })
})

describe('every kind of input', () => {
  const text = invoiceLines.join('\n')
  const dataUrl = `data:text/plain;base64,${Buffer.from(text).toString('base64')}`
  test.each([
    ['a text item', { note: { type: 'text', text } }],
    ['a bare text', { email: text }],
    [
      'HTML',
      {
        email: `<html><body><table>${invoiceLines.map((line) => `<tr><td>${line}</td></tr>`).join('')}</table></body></html>`,
      },
    ],
    ['a data URL as a file_url', { file: { type: 'file_url', file_url: { url: dataUrl } } }],
    ['a bare data URL', { file: dataUrl }],
    ['a data URL with white space', { file: `${dataUrl.replace(';', '; ').replace(/(?<=,.{76})/, '\n')}\n` }],
    ['an array of items', { files: [{ type: 'text', text }] }],
    ['an object of URLs', { urls: { first: dataUrl } }],
    ['an input_file with a file_url', { file: { type: 'input_file', file_url: { url: dataUrl } } }],
    ['a text beside plain JSON', { note: { type: 'text', text }, options: { locale: 'en' }, count: 3, nothing: null }],
  ])('%s is read', async (_name, inputs) => {
    const { status, json } = await execute({ batch: false, inputs, config })
    expect([status, json.status, json.usage.message]).toEqual([201, 'completed', null])
    expect(json.response).toEqual(answer)
  })

  test('texts of plain JSON are parsed as the field types, and an ambiguous one is null', async () => {
    const items = [{ Description: 'Chair', Amount: 'EUR 9.00' }]
    const inputs = { order: { Total: 'EUR 9.00', 'Due date': '12 March 2026', Paid: 'yes', Discount: '1,234', items } }
    const item = { type: 'object', properties: { description: { type: 'string' }, amount: { type: 'number' } } }
    const properties = {
      total: { type: 'number' },
      due_date: { type: 'string', format: 'date' },
      paid: { type: 'boolean' },
      discount: { type: ['number', 'null'] },
      items: { type: 'array', items: item },
    }
    const json_schema = { type: 'object', properties, required: Object.keys(properties) }
    const { json } = await execute({ batch: false, inputs, config: { json_schema } })
    const single = { total: 9, due_date: '2026-03-12', paid: true, discount: null }
    expect(json.response).toEqual({ ...single, items: [{ description: 'Chair', amount: 9 }] })
    expect(json.evidence['/total']).toMatchObject({ status: 'normalised', input: 'order', quote: 'EUR 9.00' })
  })

  test('a sentence that states a value is answered, with its words as evidence', async () => {
    const inputs = { mail: 'Dear Bob,\nthank you. The total is 99 euros.' }
    const json_schema = { type: 'object', properties: { total: { type: 'number' } }, required: ['total'] }
    const { json } = await execute({ batch: false, inputs, config: { json_schema } })
    expect(json.response).toEqual({ total: 99 })
    expect(json.evidence['/total']).toMatchObject({ status: 'verified', input: 'mail', quote: '99' })
  })

  test("this server's own public_url is read from the store", async () => {
    const { json } = await execute({ batch: false, inputs: { file: invoice.public_url }, config })
    expect(json).toMatchObject({ status: 'completed', response: answer })
  })

  test.each([
    [
      'a private address',
      { file: { type: 'file_url', file_url: { url: 'http://127.0.0.1:1/x.pdf' } } },
      'url_forbidden',
    ],
    ['data that is not base64', { file: 'data:application/pdf;base64,%%%' }, 'bad_data_url'],
    [
      'a video',
      {
        clip: {
          type: 'video_url',
          video_url: {
            url: `data:video/mp4;base64,${Buffer.from('\0\0\0\x20ftypisom\0\0\x02\0isomiso2avc1mp41').toString('base64')}`,
          },
        },
      },
      // The code on a machine without ffmpeg.
      /^(unreadable_media|needs_ffmpeg)$/,
    ],
  ])('%s fails with a message that names the slot', async (_name, inputs, code) => {
    const { status, json } = await execute({ batch: false, inputs, config })
    expect([status, json.status]).toEqual([201, 'failed'])
    expect(json.error.code).toMatch(code)
    expect(json.error.message).toContain(`inputs.${Object.keys(inputs)[0]}`)
    expect(json.usage.message).toBe(json.error.message)
    expect(json.response).toBe(null)
  })
})

describe('requests that cannot be answered', () => {
  test('a prompt that needs a language model fails immediately with advice', async () => {
    const { json } = await execute({
      batch: false,
      inputs: { file: { type: 'input_file', file_id: invoice.id } },
      config: { prompt: 'Summarise this invoice in two sentences' },
    })
    expect(json).toMatchObject({ status: 'failed', error: { code: 'needs_model', retryable: false } })
  })

  test('a missing required field ends as schema_violation with the rest kept', async () => {
    const json_schema = {
      type: 'object',
      properties: { invoice_number: { type: 'string' }, iban: { type: 'string' } },
      required: ['invoice_number', 'iban'],
    }
    const { json } = await execute({
      batch: false,
      inputs: { file: { type: 'input_file', file_id: invoice.id } },
      config: { ...config, json_schema },
    })
    expect(json).toMatchObject({
      status: 'failed',
      error: { code: 'schema_violation' },
      response: { invoice_number: 'INV-2041', iban: null },
      evidence: { '/iban': { status: 'unsupported' } },
    })
    expect(json.error.message).toContain('/iban')
  })

  test('lists without results are empty and not absent, at every depth, unless the schema forbids it', async () => {
    const texts = { type: 'array', items: { type: 'string' } }
    const rows = { type: 'array', items: { type: 'object', properties: { sku: { type: 'string' }, tags: texts } } }
    const properties = {
      total: { type: ['number', 'null'] },
      line_items: rows,
      serial_numbers: texts,
      remarks: { ...texts, type: ['array', 'null'] },
      signatures: { ...texts, minItems: 1 },
    }
    const { json } = await execute({
      batch: false,
      inputs: { receipt: 'Total: EUR 12.50' },
      config: { prompt: 'Extract the fields', json_schema: { type: 'object', properties } },
    })
    expect(json).toMatchObject({ status: 'completed', error: null })
    expect(json.response).toEqual({ total: 12.5, line_items: [], serial_numbers: [], remarks: null })
    for (const list of [json.warnings, json.skills]) expect(Array.isArray(list)).toBe(true)
  })

  test('without a schema the answer is the text, tables and facts of the document', async () => {
    const { json } = await execute({
      batch: false,
      inputs: { file: { type: 'input_file', file_id: invoice.id } },
      config: { prompt: 'Read the text and the tables' },
    })
    expect(json.status).toBe('completed')
    expect(json.response.text).toContain('INV-2041')
    expect(Object.values(json.response.facts)).toContain('INV-2041')
  })
})

describe('clients that need an object as response', () => {
  const body = {
    batch: false,
    inputs: { kind: { type: 'text', text: 'INVOICE\nInvoice No: 7' } },
    config: {
      json_schema: { type: 'string', enum: ['invoice', 'receipt'], description: 'Kind of document' },
      prompt: 'Classify the document',
    },
  }
  test.each([
    [{}, 'invoice'],
    [{ 'X-Client-Id': 'python-sdk-0.6.2' }, { result: 'invoice' }],
    [{ 'X-Response-Shape': 'object' }, { result: 'invoice' }],
  ])('with the headers %j get %j', async (headers, response) => {
    expect((await execute(body, { headers })).json).toMatchObject({ status: 'completed', response })
  })
})

describe('idempotency', () => {
  test('the same id and body return the first execution, another body 409, another workspace its own', async () => {
    const id = '7f6f0a52-6a26-4a0b-9d0b-3b1c5ce0a111'
    const body = { id, inputs: { text: 'Total: 5.00' }, config }
    const first = await execute(body)
    expect([first.status, first.json.id]).toEqual([201, id])
    expect((await execute(body)).json.id).toBe(id)
    expect(await execute({ ...body, inputs: { text: 'Total: 6.00' } })).toMatchObject({
      status: 409,
      json: { detail: expect.stringContaining('a different body') },
    })
    const stranger = await execute({ ...body, inputs: { text: 'Total: 6.00' } }, { key: await service.stranger() })
    expect([stranger.status, stranger.json.id]).toEqual([201, id])
  })

  test('fifty concurrent calls with one key create one execution', async () => {
    const body = { inputs: { text: 'Total: 5.00' }, config: { prompt: 'Extract the total of this receipt' } }
    const calls = await Promise.all(
      Array.from({ length: 50 }, () => execute(body, { headers: { 'Idempotency-Key': 'fifty' } })),
    )
    expect(new Set(calls.map((call) => call.status))).toEqual(new Set([201]))
    expect(new Set(calls.map((call) => call.json.id)).size).toBe(1)
    const rows = await service.database.db.query("select 1 from executions where request->>'prompt' = $1", [
      body.config.prompt,
    ])
    expect(rows.length).toBe(1)
  })
})

describe('independence of requests', () => {
  test("a schema belongs to its request: the same prompt without one returns the document's contents", async () => {
    const prompt = 'Extract the fields from the slip'
    const inputs = { text: 'Invoice No: 9' }
    const first = await execute({ batch: false, inputs, config: { prompt, json_schema: invoiceSchema } })
    const second = await execute({ batch: false, inputs, config: { prompt } })
    expect([first.json.name, second.json.name]).toEqual(['extract-fields-slip:1', 'extract-fields-slip:1'])
    expect(second.json).toMatchObject({ status: 'completed', response: { text: 'Invoice No: 9' } })
  })

  test('an accepted id is answered again after its file was deleted, in upper or lower case', async () => {
    const file = await service.upload(Buffer.from('Invoice No: 11'), 'gone.txt')
    const id = '0A6B1C2D-3E4F-4A5B-8C6D-7E8F9A0B1C2D'
    const body = { id, inputs: { file: { type: 'input_file', file_id: file.id } }, config }
    const first = await execute(body)
    expect([first.status, first.json.id]).toEqual([201, id.toLowerCase()])
    await service.call('DELETE', `/v1/files/${file.id}`)
    expect((await execute(body)).json.id).toBe(id.toLowerCase())
    expect((await execute({ ...body, id: id.toLowerCase() })).status).toBe(409)
  })
})

describe('metadata', () => {
  const inputs = { text: 'Total: 5.00' }

  test('is read in both spellings, and unknown fields are kept as extra', async () => {
    const metadata = {
      sessionId: 'camel',
      allowTraining: false,
      environment: 'prod',
      dataset: 'd1',
      extra: { subset: 's' },
    }
    const { json } = await execute({ inputs, config, metadata })
    expect(json.session_id).toBe('camel')
    const rows = await service.database.db.query("select request->'metadata' as kept from executions where id = $1", [
      json.id,
    ])
    expect(rows[0]).toEqual({
      kept: { session_id: 'camel', allow_training: false, environment: 'prod', extra: { subset: 's', dataset: 'd1' } },
    })
  })

  test('of a wrong type is refused', async () => {
    expect(await execute({ inputs, config, metadata: { allowRetention: 'nope' } })).toMatchObject({
      status: 422,
      json: { detail: [{ loc: ['body', 'metadata', 'allowRetention'] }] },
    })
  })
})
