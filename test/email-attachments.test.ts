import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import sharp from 'sharp'
import { afterAll, describe, expect, test } from 'vitest'
import { madeInvoice, picturedPdf } from '../packages/reader/src/media/testing/made.ts'
import { invoiceLines, invoiceSchema, makePdf } from './support/documents.ts'
import { startMockModel } from './support/mock-model.ts'
import { opened } from './support/opened.ts'
import { openTestService } from './support/service.ts'
import { zipOf } from './support/zips.ts'

const model = await opened(
  startMockModel({
    script: () => ({ text: '{"invoice_number":"INV-2041","invoice_date":"2026-03-14","total":144}' }),
  }),
)
const site = createServer((_request, response) => {
  response.end(mail)
})
await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve))
afterAll(() => {
  site.close()
})
const place = `127.0.0.1:${(site.address() as AddressInfo).port}`
const service = await opened(
  openTestService({
    env: { SKILLRUN_ALLOW_PRIVATE: place },
    config: {
      providers: [{ name: 'mock', kind: 'openai-compatible', baseUrl: model.baseUrl }],
      file: {
        routes: { 'svc-agent-1:fast': 'mock/one', 'svc-agent-1:auto': 'embedded' },
        models: { 'mock/one': { takes: ['text', 'image', 'tools'] } },
      },
    },
  }),
)

interface Part {
  readonly bytes: Buffer | string
  /** Absent: none is stated. */
  readonly name?: string
  readonly type?: string
  readonly headers?: readonly string[]
}

/** An email with a text in HTML and these parts. */
function mailOf(parts: readonly Part[], html = '<p>Dear Sir or Madam, please find our invoice attached.</p>'): Buffer {
  const written = parts.flatMap(({ bytes, name, type = 'application/octet-stream', headers = [] }) => [
    '--edge',
    `Content-Type: ${type}`,
    ...(name === undefined ? [] : [`Content-Disposition: attachment; filename="${name}"`]),
    'Content-Transfer-Encoding: base64',
    ...headers,
    '',
    ...(Buffer.from(bytes)
      .toString('base64')
      .match(/.{1,76}/g) ?? []),
  ])
  return Buffer.from(
    [
      'From: Northwind <billing@example.com>',
      'To: customer@example.com',
      'Date: Mon, 16 Mar 2026 08:30:00 +0100',
      'Subject: Your invoice',
      'MIME-Version: 1.0',
      'Content-Type: multipart/mixed; boundary=edge',
      '',
      '--edge',
      'Content-Type: text/html; charset=utf-8',
      '',
      html,
      ...written,
      '--edge--',
      '',
    ].join('\r\n'),
  )
}

const invoice = await makePdf([['Thank you for your order.'], invoiceLines])
const answer = { invoice_number: 'INV-2041', invoice_date: '2026-03-14', total: 144 }
const logo = await sharp({ create: { width: 120, height: 40, channels: 3, background: 'navy' } })
  .png()
  .toBuffer()
const logoPart = { bytes: logo, name: 'logo.png', type: 'image/png', headers: ['Content-ID: <logo@example.com>'] }
const withLogo = '<p>Please find our invoice attached.</p><img src="cid:logo@example.com">'
const mail = mailOf([{ bytes: invoice, name: 'invoice.pdf', type: 'application/pdf' }, logoPart], withLogo)

const uploaded = async (bytes: Buffer, name = 'mail.eml') => ({
  type: 'input_file',
  file_id: (await service.upload(bytes, name)).id,
})
const inline = (bytes: Buffer) => ({
  type: 'file_url',
  file_url: { url: `data:message/rfc822;base64,${bytes.toString('base64')}` },
})
const execute = (item: object | string, config: object = {}, more: object = {}) =>
  service.execute({ inputs: { mail: item }, config: { json_schema: invoiceSchema, ...config }, ...more })
const readIn = async (id: string): Promise<string[]> => {
  const { json } = await service.call('GET', `/v1/agent/executions/${id}/steps`)
  return json.flatMap((step: { name: string; detail: { input: string } }) =>
    step.name === 'document.read' ? [step.detail.input] : [],
  )
}
const codesOf = (record: { warnings: { code: string }[] }) => record.warnings.map(({ code }) => code)

describe('the attachments of an email', () => {
  const bare = mailOf([{ bytes: invoiceLines.join('\n'), name: 'invoice.pdf', type: 'application/pdf' }])

  test.each([
    ['an uploaded file', () => uploaded(mail)],
    ['an uploaded file without a telling name', () => uploaded(mail, 'mail')],
    ['data within the request', async () => inline(mail)],
    ['a text', async () => mail.toString()],
  ])('are read where it is %s, and evidence names attachment and page', async (_how, item) => {
    const record = await execute((await item()) as object)
    expect([record.status, record.error, record.response]).toEqual(['completed', null, answer])
    const page = { input: 'mail/invoice.pdf', page: 1 }
    expect(record.evidence).toMatchObject({
      '/invoice_number': { ...page, quote: 'INV-2041' },
      '/invoice_date': { ...page, quote: '2026-03-14' },
      '/total': { ...page, quote: '144.00' },
    })
    expect(record.usage).toMatchObject({ elements_processed: 3, element_type: 'page' })
    expect(await readIn(record.id)).toEqual(['mail/invoice.pdf', 'mail'])
    expect(record.warnings).toEqual([])
    const drawnAt = `/v1/agent/executions/${record.id}/pages/1?input=mail%2Finvoice.pdf`
    const drawn = await fetch(service.url + drawnAt, { headers: { Authorization: `Bearer ${service.key}` } })
    expect([drawn.status, drawn.headers.get('content-type')]).toEqual([200, 'image/png'])
  })

  test('are read of an email that is fetched from a URL', async () => {
    const record = await execute(`http://${place}/mail.eml`)
    expect([record.response, record.evidence['/total'].input]).toEqual([answer, 'mail/invoice.pdf'])
    expect(record.warnings).toEqual([])
    const replay = await service.call('POST', `/v1/agent/executions/${record.id}/replay`)
    expect(replay.json).toMatchObject({ equal: true })
  })

  test('are found again by a run that goes on after the email was opened', async () => {
    const record = await execute(await uploaded(mail), { prompt: 'Extract' }, { model: 'svc-agent-1:fast' })
    for (const from_step of [2, 3, 4]) {
      const body = { batch: false, from_step }
      const { status, json } = await service.call('POST', `/v1/agent/executions/${record.id}/fork`, { body })
      expect([status, json.status, json.response]).toEqual([201, 'completed', answer])
      expect(json.evidence).toEqual(record.evidence)
      expect((await readIn(json.id)).toSorted()).toEqual(['mail', 'mail/invoice.pdf'])
    }
  })

  test('of a short email within the request are read, whatever type they claim', async () => {
    expect(bare.length).toBeLessThan(32 * 1024)
    for (const item of [inline(bare), bare.toString()]) {
      const record = await execute(item)
      expect([record.response, record.evidence['/total'].input]).toEqual([answer, 'mail/invoice.pdf'])
    }
  })

  test('are read if they are scans; images within the text are not, and the record says so without a warning', async () => {
    const scan = await (await picturedPdf(await madeInvoice(), 150)).png().toBuffer()
    const bytes = mailOf([{ bytes: scan, name: 'scan.png', type: 'image/png' }, logoPart], withLogo)
    const record = await execute(await uploaded(bytes))
    expect(record.response).toMatchObject({ invoice_number: 'INV-2024-0815', total: 621 })
    expect(record.evidence['/invoice_number']).toMatchObject({ input: 'mail/scan.png', page: 0 })
    expect(await readIn(record.id)).toEqual(['mail/scan.png', 'mail'])
    expect(record.usage.message).toContain('mail/logo.png: it is an image within the text of the email')
    expect(codesOf(record)).not.toContain('attachments_not_read')
  })

  test('that cannot be read are warned of by name, and the rest is read', async () => {
    const bytes = mailOf([
      { bytes: '%PDF-1.7 and nothing behind it', name: 'broken.pdf', type: 'application/pdf' },
      { bytes: '', name: 'empty.txt' },
      {
        bytes: Buffer.from([0x7f, 0x45, 0x4c, 0x46, 2, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 3, 0, 62, 0]),
        name: 'tool.bin',
      },
      { bytes: invoice, name: 'invoice.pdf', type: 'application/pdf' },
    ])
    const record = await execute(await uploaded(bytes))
    expect([record.status, record.response]).toEqual(['completed', answer])
    const message = 'Attachments that were not read: broken.pdf, tool.bin, empty.txt'
    expect(record.warnings).toEqual([{ code: 'attachments_not_read', path: '/inputs/mail', message }])
    expect(record.usage.message).toContain('mail/broken.pdf: ')
    expect(record.usage.message).toContain('mail/empty.txt: it is empty')
  })

  test('have names without folders, and names of their own', async () => {
    const text = (bytes: string, name: string) => ({ bytes, name, type: 'text/plain' })
    const bytes = mailOf([
      text('One', '../../etc/passwd'),
      text('Two', 'C:\\\\bills\\\\a.txt'),
      text('Three', 'a.txt'),
      text(invoiceLines.join('\n'), '/a.txt'),
      { bytes: 'Four', type: 'text/csv' },
    ])
    const record = await execute(await uploaded(bytes))
    expect(record.response).toEqual(answer)
    expect(record.evidence['/total'].input).toBe('mail/a (3).txt')
    expect(await readIn(record.id)).toEqual([
      'mail/passwd',
      'mail/a.txt',
      'mail/a (2).txt',
      'mail/a (3).txt',
      'mail/unnamed (text/csv)',
      'mail',
    ])
  })

  test('are read in emails and archives that are attached, and in emails of archives', async () => {
    const inner = mailOf([{ bytes: invoice, name: 'invoice.pdf' }])
    const cases: [Buffer, string][] = [
      [mailOf([{ bytes: inner, name: 'inner.eml' }]), 'mail/inner.eml/invoice.pdf'],
      [mailOf([{ bytes: zipOf({ 'bills/a.pdf': invoice }), name: 'box.zip' }]), 'mail/box.zip/bills/a.pdf'],
      [zipOf({ 'inbox/one.eml': inner }), 'mail/inbox/one.eml/invoice.pdf'],
    ]
    for (const [bytes, input] of cases) {
      const record = await execute(await uploaded(bytes, 'input.bin'))
      expect([record.response, record.evidence['/total'].input]).toEqual([answer, input])
      expect(codesOf(record)).not.toContain('attachments_not_read')
      const page = `/v1/agent/executions/${record.id}/pages/1/words?input=${encodeURIComponent(input)}`
      const { json } = await service.call('GET', page)
      expect(json.words.map((word: { text: string }) => word.text)).toContain('INV-2041')
    }
  })

  test('of forwarded emails and of mailboxes are read, and the texts of these once', async () => {
    const inner = mailOf([{ bytes: invoice, name: 'invoice.pdf' }]).toString()
    const forwarded = [
      'From: a@example.com',
      'Subject: Fwd',
      'MIME-Version: 1.0',
      'Content-Type: message/rfc822',
      '',
      inner,
    ].join('\r\n')
    const mailbox = [1, 2].map(() => `From a@example.com Mon Mar 16 08:30:00 2026\r\n${inner}\r\n`).join('')
    for (const [text, files] of [
      [forwarded, ['mail/invoice.pdf', 'mail']],
      [mailbox, ['mail/invoice.pdf', 'mail/invoice (2).pdf', 'mail']],
    ] as const) {
      const record = await execute(await uploaded(Buffer.from(text)))
      expect(record.response).toEqual(answer)
      expect(await readIn(record.id)).toEqual(files)
    }
  })

  test('are at most 200, and emails in emails are opened to a depth of three', async () => {
    const notes = Array.from({ length: 202 }, (_, at) => ({
      bytes: `Note ${at}`,
      name: `${at}.txt`,
      type: 'text/plain',
    }))
    const record = await execute(await uploaded(mailOf([{ bytes: invoice, name: 'invoice.pdf' }, ...notes])))
    expect([record.status, record.response]).toEqual(['completed', answer])
    expect((await readIn(record.id)).length).toBe(201)
    expect(record.warnings).toEqual([
      { code: 'attachments_not_read', path: '/inputs/mail', message: 'Attachments that were not read: 3 more' },
    ])
    const deep = (depth: number): Buffer =>
      mailOf([depth === 0 ? { bytes: invoice, name: 'invoice.pdf' } : { bytes: deep(depth - 1), name: `${depth}.eml` }])
    const [three, four] = [await execute(await uploaded(deep(2))), await execute(await uploaded(deep(3)))]
    expect(three.response).toEqual(answer)
    expect(four.response.invoice_number).toBeNull()
    const path = '/inputs/mail~13.eml~12.eml~11.eml'
    const message = 'Attachments that were not read: invoice.pdf'
    expect(four.warnings).toContainEqual({ code: 'attachments_not_read', path, message })
  })

  test('that hold many archives of many files do not multiply: those beyond 200 files are warned of', async () => {
    const box = zipOf(Object.fromEntries(Array.from({ length: 90 }, (_, at) => [`${at}.txt`, `Note ${at}`])))
    const parts = Array.from({ length: 3 }, (_, at) => ({ bytes: box, name: `${at}.zip` }))
    const record = await execute(await uploaded(mailOf([...parts, { bytes: invoice, name: 'invoice.pdf' }])))
    expect(record.response).toEqual(answer)
    expect((await readIn(record.id)).length).toBe(1 + 90 * 2 + 1)
    const message = 'Attachments that were not read: 2.zip'
    expect(record.warnings).toContainEqual({ code: 'attachments_not_read', path: '/inputs/mail', message })
    expect(record.usage.message).toContain('mail/2.zip: With its 90 files there are more than 200 in the input')
  })

  test('are shown to a language model before the email', async () => {
    const record = await execute(await uploaded(mail), { prompt: 'Extract' }, { model: 'svc-agent-1:fast' })
    expect([record.status, record.response]).toEqual(['completed', answer])
    expect(record.evidence['/total']).toMatchObject({ input: 'mail/invoice.pdf', page: 1 })
    const asked = model.requests.at(-1)?.text ?? ''
    const [first, second] = ['<input name="mail/invoice.pdf"', '<input name="mail"'].map((one) => asked.indexOf(one))
    expect(first).toBeGreaterThan(-1)
    expect(second).toBeGreaterThan(first ?? 0)
  })

  test('are one source with their email: values of both are no warning, those of two attachments are', async () => {
    const properties = { subject: { type: 'string' }, invoice_number: { type: 'string' }, iban: { type: 'string' } }
    const config = { json_schema: { type: 'object', properties } }
    const record = await execute(await uploaded(mail), config)
    expect(record.evidence['/subject'].input).toBe('mail')
    expect(record.evidence['/invoice_number'].input).toBe('mail/invoice.pdf')
    expect(codesOf(record)).not.toContain('several_inputs')
    const bank = { bytes: 'IBAN: DE89 3704 0044 0532 0130 00', name: 'bank.txt', type: 'text/plain' }
    const both = await execute(await uploaded(mailOf([{ bytes: invoice, name: 'invoice.pdf' }, bank])), config)
    const warning = both.warnings.find(({ code }: { code: string }) => code === 'several_inputs')
    expect(warning.message).toContain('the inputs "mail/invoice.pdf", "mail/bank.txt".')
  })

  test('give what the email could give, too, such as a date', async () => {
    const bytes = await makePdf([['Northwind Paper Ltd.', 'Invoice', 'Date: 2026-03-14', 'Total: EUR 144.00']])
    const json_schema = { type: 'object', properties: { date: { type: 'string', format: 'date' } } }
    const record = await execute(await uploaded(mailOf([{ bytes, name: 'invoice.pdf' }])), { json_schema })
    expect([record.response, record.evidence['/date'].input]).toEqual([{ date: '2026-03-14' }, 'mail/invoice.pdf'])
  })

  test('are read alike in a replay, and for a request based on the execution', async () => {
    const record = await execute(await uploaded(mail))
    const replay = await service.call('POST', `/v1/agent/executions/${record.id}/replay`)
    expect(replay.json).toMatchObject({ equal: true })
    const delta = await execute(await uploaded(mail), { base_execution: record.id })
    expect([delta.response, delta.warnings]).toEqual([record.response, record.warnings])
    expect(delta.evidence).toEqual(record.evidence)
  })

  test('do not make an archive of a batch', async () => {
    const { id } = await service.upload(mail, 'mail.eml')
    const body = { zip_file_id: id, config: { json_schema: invoiceSchema } }
    const { status, json } = await service.call('POST', '/v1/agent/batches', { body })
    expect([status, json.detail[0].msg]).toEqual([422, 'The file is not a zip, tar or gzip archive'])
  })
})
