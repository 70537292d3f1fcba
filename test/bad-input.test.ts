import { deflateRawSync } from 'node:zlib'
import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { invoiceLines, invoiceSchema, makePdf } from './support/documents.ts'
import { opened } from './support/opened.ts'
import { openTestService } from './support/service.ts'

const service = await opened(openTestService())

const config = { prompt: 'Extract the fields of this invoice', json_schema: invoiceSchema }
const execute = (body: unknown) => service.call('POST', '/v1/agent/execute', { body })

async function read(bytes: Uint8Array, filename: string, more: object = {}) {
  const file = await service.upload(bytes, filename)
  return (
    await execute({
      batch: false,
      inputs: { document: { type: 'input_file', file_id: file.id } },
      config: { ...config, ...more },
    })
  ).json
}

test('a text with control characters is read with spaces instead, in a request and in a file', async () => {
  const json_schema = { type: 'object', properties: { total: { type: ['number', 'null'] } } }
  const controls = Array.from({ length: 31 }, (_, at) => String.fromCharCode(at + 1)).join('')
  for (const text of ['Invoice\u0001\nTotal:\u0002 12.50', `Invoice ${controls}\nTotal: 12.50`]) {
    const inputs = { text }
    const { json } = await execute({ batch: false, inputs, config: { prompt: 'Extract the total', json_schema } })
    expect(json).toMatchObject({ status: 'completed', response: { total: 12.5 } })
    expect(await read(Buffer.from(text), 'invoice.txt', { json_schema })).toMatchObject({ response: { total: 12.5 } })
  }
})

describe('an unreadable file fails its own execution with a message that names the slot', () => {
  test.each([
    ['of no bytes', async () => Buffer.alloc(0), 'empty.pdf', /empty|no bytes/i],
    [
      'cut in the middle',
      async () => (await makePdf([invoiceLines])).subarray(0, 700),
      'cut.pdf',
      /damaged|not.*PDF|cannot be read|could not/i,
    ],
    [
      'that only begins as a PDF',
      async () => Buffer.concat([Buffer.from('%PDF-1.7\n'), Buffer.alloc(5_000, 0x41)]),
      'fake.pdf',
      /damaged|not.*PDF|cannot be read|could not/i,
    ],
    ['with a password', () => makePdf([invoiceLines], { userPassword: 'secret' }), 'locked.pdf', /password|encrypted/i],
    [
      'of an unknown kind',
      async () => Buffer.from(Array.from({ length: 4_000 }, (_, index) => (index * 7919) % 256)),
      'noise.bin',
      /type|kind/i,
    ],
    [
      'that is a broken archive',
      async () => Buffer.concat([Buffer.from('PK\x03\x04'), deflateRawSync(Buffer.alloc(100))]),
      'photos.zip',
      /archive/,
    ],
    [
      'that is a picture cut short',
      async () =>
        (
          await sharp({ create: { width: 400, height: 400, channels: 3, background: 'white' } })
            .jpeg()
            .toBuffer()
        ).subarray(0, 200),
      'cut.jpg',
      /./,
    ],
  ])('%s', async (_name, make, filename, words) => {
    const json = await read(await make(), filename)
    expect(json.status).toBe('failed')
    expect(json.error.code).toMatch(/^[a-z_]+$/)
    expect(json.error.code).not.toBe('internal')
    expect(json.error.message).toMatch(/^inputs\.document: /)
    expect(json.error.message).toMatch(words)
    expect(json.error.message).not.toMatch(/\/tmp|\/home|node_modules|at .*:\d+:\d+/)
  })
})

describe('an unusual file is read', () => {
  const answer = { invoice_number: 'INV-2041', invoice_date: '2026-03-14', total: 144 }

  test('a PDF declared as an image', async () => {
    expect(await read(await makePdf([invoiceLines]), 'photo.jpg')).toMatchObject({
      status: 'completed',
      response: answer,
    })
  })

  test('a PDF of 500 pages with the invoice on the first', async () => {
    const pages = Array.from({ length: 499 }, (_, index) => [
      `Appendix page ${index + 2}`,
      'General terms and conditions apply.',
    ])
    const json = await read(await makePdf([invoiceLines, ...pages]), 'long.pdf')
    expect(json).toMatchObject({ status: 'completed', response: answer, usage: { elements_processed: 500 } })
  })

  test('a PDF of 1,001 pages, of which a thousand are read', async () => {
    const pages = Array.from({ length: 1_000 }, (_, index) => [`Appendix page ${index + 2}`])
    const json = await read(await makePdf([invoiceLines, ...pages]), 'longer.pdf')
    expect(json).toMatchObject({ status: 'completed', response: answer, usage: { elements_processed: 1_000 } })
    expect(json.warnings).toContainEqual({
      code: 'pages_not_read',
      path: '/inputs/document',
      message: 'Pages that were not read: 1001 (more than 1000 pages)',
    })
  })

  test('only the pages in page_indices', async () => {
    const bytes = await makePdf([['Cover letter'], invoiceLines, ['Terms']])
    expect(await read(bytes, 'three.pdf', { page_indices: [1] })).toMatchObject({
      response: answer,
      usage: { elements_processed: 1 },
    })
    expect(await read(bytes, 'three.pdf', { page_indices: [7] })).toMatchObject({
      status: 'failed',
      error: { message: expect.stringContaining('pages 0 to 2') },
    })
    expect(await read(bytes, 'three.pdf', { page_indices: [] })).toMatchObject({ usage: { elements_processed: 3 } })
  })

  test('a blank image is read, and nothing is found in it', async () => {
    const white = await sharp({ create: { width: 800, height: 1000, channels: 3, background: 'white' } })
      .png()
      .toBuffer()
    expect(await read(white, 'white.png')).toMatchObject({
      status: 'failed',
      error: { code: 'nothing_found' },
      response: { invoice_number: null, invoice_date: null, total: null },
      usage: { element_type: 'image' },
    })
  })
})

describe('schemas', () => {
  const inputs = { text: invoiceLines.join('\n') }

  test('with 1,000 fields are answered, with null for those without support', async () => {
    const properties = Object.fromEntries(
      Array.from({ length: 999 }, (_, index) => [`field_${index}`, { type: ['string', 'null'] }]),
    )
    const json_schema = { type: 'object', properties: { ...properties, invoice_number: { type: ['string', 'null'] } } }
    const json = await service.execute({ inputs, config: { ...config, json_schema } })
    expect([json.status, Object.keys(json.response).length, json.response.invoice_number]).toEqual([
      'completed',
      1_000,
      'INV-2041',
    ])
  })

  test('with recursive $ref are resolved', async () => {
    const json_schema = {
      type: 'object',
      properties: { total: { $ref: '#/$defs/money' } },
      $defs: { money: { type: ['number', 'null'] } },
    }
    const json = await service.execute({ inputs, config: { ...config, json_schema } })
    expect(json).toMatchObject({ status: 'completed', response: { total: 144 } })
  })

  test('with circular references, or endless patterns, affect nobody else', async () => {
    const circle = {
      type: 'object',
      properties: { node: { $ref: '#/$defs/node' } },
      $defs: { node: { type: 'object', properties: { next: { $ref: '#/$defs/node' }, name: { type: 'string' } } } },
    }
    const endless = {
      type: 'object',
      properties: { invoice_number: { type: ['string', 'null'], pattern: '^(([A-Z0-9-])+)+\\$$' } },
    }
    for (const json_schema of [circle, endless]) {
      const answer = await service.call('POST', '/v1/agent/execute', {
        body: { batch: false, inputs, config: { ...config, json_schema } },
      })
      expect([201, 422]).toContain(answer.status)
      if (answer.status === 201) expect(['completed', 'failed']).toContain(answer.json.status)
    }
    expect((await service.call('GET', '/v1/health')).status).toBe(200)
  })

  test('with more than 5,000 properties are refused', async () => {
    const json_schema = {
      properties: Object.fromEntries(Array.from({ length: 5_001 }, (_, index) => [`f${index}`, {}])),
    }
    expect(await execute({ inputs, config: { json_schema } })).toMatchObject({
      status: 422,
      json: { detail: [{ loc: ['body', 'config', 'json_schema'], msg: expect.stringContaining('5000') }] },
    })
  })
})

test('an unknown file id is a 404 that names the slot, and nothing is recorded', async () => {
  const before = (await service.call('GET', '/v1/agent/executions?limit=1000')).json.length
  for (const file_id of ['11111111-1111-4111-8111-111111111111', 'not-an-id']) {
    const { status, json } = await execute({ inputs: { pages: [{ type: 'input_file', file_id }] }, config })
    expect([status, json.detail]).toEqual([404, expect.stringMatching(/^inputs\.pages\/0: .*no file/)])
  }
  expect((await service.call('GET', '/v1/agent/executions?limit=1000')).json.length).toBe(before)
})

test('a request with two keys is refused', async () => {
  const { request } = await import('node:http')
  const status = await new Promise((resolve, reject) => {
    const call = request(
      `${service.url}/v1/health`,
      {
        headers: [
          ['Host', 'localhost'],
          ['Authorization', `Bearer ${service.key}`],
          ['Authorization', 'Bearer another-key-altogether'],
        ].flat() as unknown as Record<string, string>,
      },
      (reply) => {
        reply.resume()
        resolve(reply.statusCode)
      },
    )
    call.on('error', reject)
    call.end()
  })
  expect(status).toBe(401)
})
