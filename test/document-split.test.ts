import { describe, expect, test } from 'vitest'
import { madePdf } from '../packages/reader/src/media/testing/made.ts'
import { invoiceLines, invoiceSchema, makePdf } from './support/documents.ts'
import { opened } from './support/opened.ts'
import { openTestService } from './support/service.ts'
import { stagedBlock } from './support/staged.ts'

const service = await opened(openTestService())

const other = invoiceLines.map((line) => line.replace('INV-2041', 'INV-3377').replace('144.00', '99.00'))
const letter = [
  'Linden Housing Ltd',
  'Date: 3 May 2025',
  'Dear tenant,',
  'the lift is checked in May.',
  'Yours faithfully,',
]
const packet = () => makePdf([invoiceLines, letter, other])

async function execute(bytes: Buffer, config: object, filename = 'packet.pdf') {
  const { id } = await service.upload(bytes, filename)
  return service.execute({ inputs: { file: { type: 'input_file', file_id: id } }, config })
}

const call = (input: object) => ({ prompt: `document.split(${JSON.stringify(input)})` })

describe('a packet of documents', () => {
  test('is split by a call of document.split, without a language model, into PDFs that hold the pages of each', async () => {
    const record = await execute(await packet(), call({ kinds: ['invoice', 'letter'] }))
    expect([record.status, record.error]).toEqual(['completed', null])
    const { documents, notes } = record.response
    expect(notes).toEqual([])
    expect(documents.map((one: Record<string, unknown>) => [one['first_page'], one['last_page'], one['kind']])).toEqual(
      [
        [1, 1, 'invoice'],
        [2, 2, 'letter'],
        [3, 3, 'invoice'],
      ],
    )
    for (const { confidence, kind_confidence: ofKind } of documents) {
      expect(confidence).toBeGreaterThan(0.5)
      expect(ofKind).toBeGreaterThan(0.3)
    }
    const query = new URLSearchParams({ object_id: documents[2].id, execution_id: record.id })
    const file = await fetch(`${service.url}/v1/artifacts?${query}`, {
      headers: { Authorization: `Bearer ${service.key}` },
    })
    expect(file.headers.get('content-type')).toBe('application/pdf')
    const part = await execute(Buffer.from(await file.arrayBuffer()), { json_schema: invoiceSchema }, 'part.pdf')
    expect(part.response.invoice_number).toBe('INV-3377')
  })

  test('answers the schema of the document with the pages and the kind of each document', async () => {
    const schema = JSON.parse(await stagedBlock('docs/READER.md', '{'))
    const { response } = await execute(await packet(), { json_schema: schema })
    expect(response.documents).toMatchObject([
      { kind: 'invoice', first_page: 1, last_page: 1 },
      { kind: null, first_page: 2, last_page: 2 },
      { kind: 'invoice', first_page: 3, last_page: 3 },
    ])
  })

  test('answers a schema whose list is marked with x-documents, with the fields of each document', async () => {
    const schema = {
      type: 'object',
      properties: {
        documents: {
          type: 'array',
          'x-documents': true,
          items: {
            type: 'object',
            properties: {
              kind: { type: ['string', 'null'], enum: ['invoice', 'letter', null] },
              first_page: { type: 'integer' },
              last_page: { type: 'integer' },
              invoice_number: { type: ['string', 'null'] },
            },
            required: ['kind', 'first_page', 'last_page', 'invoice_number'],
          },
        },
      },
      required: ['documents'],
    }
    const record = await execute(await packet(), { json_schema: schema })
    expect([record.status, record.error]).toEqual(['completed', null])
    expect(record.response.documents).toEqual([
      { kind: 'invoice', first_page: 1, last_page: 1, invoice_number: 'INV-2041' },
      { kind: 'letter', first_page: 2, last_page: 2, invoice_number: null },
      { kind: 'invoice', first_page: 3, last_page: 3, invoice_number: 'INV-3377' },
    ])
    expect(record.evidence['/documents/2/invoice_number']).toMatchObject({ page: 2 })
    expect(record.completeness).toMatchObject({ listed: [{ path: '/documents', returned: 3 }] })
  })

  test('that needs a password, or has no pages to split, is answered in a sentence', async () => {
    const locked = await madePdf((document) => document.text('secret'), { userPassword: 'secret' })
    expect((await execute(locked, call({}))).error.code).toBe('encrypted_document')
    const text = await execute(Buffer.from('Invoice number: 1\n'), call({}), 'note.txt')
    expect(text.response).toMatchObject({
      documents: [{ first_page: 1, last_page: 1, id: null }],
      notes: ['No files were saved: only a PDF can be split into files.'],
    })
  })
})
