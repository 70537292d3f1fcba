import { describe, expect, test } from 'vitest'
import { madeZip } from '../packages/reader/src/media/testing/made-office.ts'
import { startMockModel } from './support/mock-model.ts'
import { opened } from './support/opened.ts'
import { openTestService } from './support/service.ts'

const model = await opened(startMockModel({ script: () => ({ text: '{"customer_name":"José Ibáñez"}' }) }))
const service = await opened(
  openTestService({
    config: {
      providers: [{ name: 'mock', kind: 'openai-compatible', baseUrl: model.baseUrl }],
      file: {
        routes: { 'svc-agent-1:fast': 'mock/one', 'svc-agent-1:auto': 'embedded' },
        models: { 'mock/one': { takes: ['text', 'tools'] } },
      },
    },
  }),
)

const text = (format?: string) => ({ type: ['string', 'null'], ...(format && { format }) })
const schema = {
  type: 'object',
  properties: {
    customer_name: text(),
    invoice_number: text(),
    total: { type: ['number', 'null'] },
    items: {
      type: 'array',
      items: {
        type: 'object',
        properties: {
          description: text(),
          quantity: { type: ['number', 'null'] },
          amount: { type: ['number', 'null'] },
        },
      },
    },
  },
}

const head = (...more: readonly string[]) => [
  'Return-Path: <billing@example.com>',
  'From: =?utf-8?Q?K=C3=B6nig?= <billing@example.com>',
  'To: customer@example.com',
  'Date: Sat, 14 Mar 2026 23:30:00 -0500',
  'Subject: =?utf-8?B?SWhyZSBSZWNobnVuZw==?=',
  'MIME-Version: 1.0',
  ...more,
]
const written = Buffer.from(
  [
    ...head('Content-Type: text/plain; charset=iso-8859-1', 'Content-Transfer-Encoding: quoted-printable', ''),
    'Customer name: Jos=E9 Ib=E1=',
    '=F1ez',
    'Invoice number: INV-2024-77',
    'Total: =A3108.00',
  ].join('\r\n'),
)

const cells = (row: readonly string[]) => `<tr>${row.map((cell) => `<td>${cell}</td>`).join('')}</tr>`
const html = `<style>td { color: red }</style><p>Customer name: Jos&eacute; Ibáñez</p><p>Invoice number: INV-2024-77</p><table>${[
  ['Description', 'Quantity', 'Unit price', 'Amount'],
  ['Teapot', '2', '24.00', '48.00'],
  ['Kettle', '1', '60.00', '60.00'],
  ['', '', 'Total', '108.00'],
]
  .map(cells)
  .join('')}</table>`
const laidOut = Buffer.from(
  [
    ...head('Content-Type: multipart/mixed; boundary=edge', '', '--edge', 'Content-Type: text/html; charset=utf-8'),
    'Content-Transfer-Encoding: base64',
    '',
    ...(Buffer.from(html)
      .toString('base64')
      .match(/.{1,76}/g) ?? []),
    '--edge',
    'Content-Type: application/pdf',
    'Content-Disposition: attachment; filename=invoice.pdf',
    'Content-Transfer-Encoding: base64',
    '',
    'JVBERi0xLjQK',
    '--edge--',
  ].join('\r\n'),
)

const extract = async (item: object, json_schema: object = schema, more: object = {}) =>
  await service.execute({ inputs: { mail: item }, config: { prompt: 'Extract the fields', json_schema }, ...more })
const uploaded = async (bytes: Buffer, name: string) => ({
  type: 'input_file',
  file_id: (await service.upload(bytes, name)).id,
})

describe('an email', () => {
  test('in quoted-printable gives its values, with evidence that quotes the decoded text', async () => {
    const json = await extract(await uploaded(written, 'mail.eml'))
    const answer = { customer_name: 'José Ibáñez', invoice_number: 'INV-2024-77', total: 108, items: [] }
    expect([json.status, json.response]).toEqual(['completed', answer])
    expect(json.evidence['/customer_name']).toMatchObject({ status: 'verified', page: 0, quote: 'José Ibáñez' })
    expect(json.evidence['/total']).toMatchObject({ quote: '£108.00' })
    expect(json.evidence['/total'].span).toBeUndefined()
    expect(json.warnings.map(({ code }: { code: string }) => code)).not.toContain('attachments_not_read')
  })

  test('in HTML in base64 gives its values and the rows of its table, and says that its attachment was not read', async () => {
    const json = await extract(await uploaded(laidOut, 'mail.eml'))
    expect([json.status, json.response]).toEqual([
      'completed',
      {
        customer_name: 'José Ibáñez',
        invoice_number: 'INV-2024-77',
        total: 108,
        items: [
          { description: 'Teapot', quantity: 2, amount: 48 },
          { description: 'Kettle', quantity: 1, amount: 60 },
        ],
      },
    ])
    const message = 'Attachments that were not read: invoice.pdf'
    expect(json.warnings).toContainEqual({ code: 'attachments_not_read', path: '/inputs/mail', message })
  })

  test('gives its headers, with the day that the sender saw', async () => {
    const properties = { subject: text(), from: text(), date: text('date') }
    const json = await extract(await uploaded(written, 'mail.eml'), { type: 'object', properties })
    expect(json.response).toEqual({
      subject: 'Ihre Rechnung',
      from: expect.stringContaining('König'),
      date: '2026-03-14',
    })
    expect(json.evidence['/date'].quote).toContain('14 Mar 2026')
  })

  test.each([
    ['without a telling name', () => uploaded(written, 'mail')],
    [
      'in a request',
      async () => ({ type: 'file_url', file_url: { url: `data:message/rfc822;base64,${written.toString('base64')}` } }),
    ],
    ['as a text', async () => written.toString('latin1')],
  ])('%s is read alike', async (_how, given) => {
    const json = await extract((await given()) as object)
    expect(json.response).toMatchObject({ customer_name: 'José Ibáñez', total: 108 })
  })

  test('in an archive is read like one beside it', async () => {
    const json = await extract(
      await uploaded(await madeZip({ 'inbox/one.eml': written.toString('latin1') }), 'inbox.zip'),
    )
    expect(json.response).toMatchObject({ customer_name: 'José Ibáñez', total: 108 })
    expect(json.evidence['/total']).toMatchObject({ input: 'mail/inbox/one.eml' })
  })

  test('is decoded for a language model', async () => {
    const json = await extract(await uploaded(laidOut, 'mail.eml'), schema, { model: 'svc-agent-1:fast' })
    expect(json.evidence['/customer_name']).toMatchObject({ status: 'verified', quote: 'José Ibáñez' })
    const asked = model.requests.at(-1)?.text ?? ''
    expect(asked).toContain('From: König <billing@example.com>')
    expect(asked).toContain('Teapot  2  24.00  48.00')
    expect(asked).toContain('Attachment: invoice.pdf')
    expect(asked).not.toContain('Content-Transfer-Encoding')
  })

  test('has its words on a page for the console, whatever recognised it', async () => {
    const declared = Buffer.from('From: Ada\nSubject: Total\nContent-Transfer-Encoding: base64\n\nVG90YWw6IDEy\n')
    for (const [bytes, word] of [
      [written, '£108.00'],
      [declared, '12'],
    ] as const) {
      const { id } = await service.upload(bytes, 'mail.eml')
      const { status, json } = await service.call('GET', `/v1/files/${id}/pages/0/words`)
      expect(status).toBe(200)
      expect(json.words.map((one: { text: string }) => one.text)).toContain(word)
    }
  })

  test('that is damaged fails with a message that says why', async () => {
    const bytes = Buffer.from(laidOut.toString('latin1').replaceAll('\r\n--edge', '\r\n--lost'))
    const json = await extract(await uploaded(bytes, 'mail.eml'))
    expect([json.status, json.error.code]).toEqual(['failed', 'unreadable_document'])
    expect(json.error.message).toMatch(/^inputs\.mail: The email is damaged: the boundary between its parts/)
  })
})
