import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { madeWord, madeZip } from '../packages/reader/src/media/testing/made-office.ts'
import { skipsBrowser } from './support/browser.ts'
import { openTestConsole, type TestConsole } from './support/console.ts'
import { makePdf } from './support/documents.ts'
import { findFaintTexts, overflow } from './support/in-page.mjs'

let shown: TestConsole
let zip: Buffer
const site = createServer((request, response) => {
  response.end(request.url === '/box.zip' ? zip : 'Total: 108.00')
})

beforeAll(async () => {
  zip = await madeZip({
    'letters/invoice.pdf': await makePdf([['Invoice number: INV-2024-77'], ['Total: 108.00']]),
    'letters/terms.docx': await madeWord(['Payment terms: 30 days']),
    'empty.txt': '',
    'note.txt': 'Thank you.',
    'bill\u202Efdp.md': 'Paid.',
  })
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve))
  shown = await openTestConsole({ env: { SKILLRUN_ALLOW_PRIVATE: place() } })
})
afterAll(async () => {
  await shown?.[Symbol.asyncDispose]()
  site.close()
})

const place = (): string => `127.0.0.1:${(site.address() as AddressInfo).port}`
const properties = { total: { type: ['number', 'null'] }, invoice_number: { type: ['string', 'null'] } }

async function execute(inputs: object, key?: string): Promise<{ id: string; status: string; response: unknown }> {
  return shown.service.execute({ inputs, config: { json_schema: { type: 'object', properties } } }, { key })
}
const asFile = async (): Promise<object> => ({
  box: { type: 'input_file', file_id: (await shown.service.upload(zip, 'box.zip')).id },
})
const asData = (): object => ({
  box: { type: 'file_url', file_url: { url: `data:application/zip;base64,${zip.toString('base64')}` } },
})
const pageOf = (id: string, input: string, rest = ''): string =>
  `/v1/agent/executions/${id}/pages/0${rest}?input=${encodeURIComponent(input)}`

describe('a page of a file in an archive', () => {
  test.each([
    ['a file of this server', asFile],
    ['data within the request', asData],
  ])('is drawn, or shown as text, where the archive is %s, for its own workspace only', async (_what, inputs) => {
    const { service } = shown
    const { id } = await execute(await inputs())
    const drawn = await fetch(service.url + pageOf(id, 'box/letters/invoice.pdf'), {
      headers: { Authorization: `Bearer ${service.key}` },
    })
    expect([drawn.status, drawn.headers.get('content-type')]).toEqual([200, 'image/png'])
    const words = await service.call('GET', pageOf(id, 'box/letters/terms.docx', '/words'))
    expect(words.json.words.map((word: { text: string }) => word.text)).toContain('days')
    const key = await service.stranger()
    expect((await service.call('GET', pageOf(id, 'box/letters/invoice.pdf'), { key })).status).toBe(404)
  })

  test('is refused with a message when it does not exist, or its archive was fetched from a URL', async () => {
    const { service } = shown
    const { id } = await execute(asData())
    const missing = await service.call('GET', pageOf(id, 'box/letters/other.pdf'))
    expect([missing.status, missing.json.detail]).toEqual([400, expect.stringContaining('no file "letters/other.pdf"')])
    expect((await service.call('GET', pageOf(id, 'chest/invoice.pdf'))).json.detail[0].loc).toEqual(['query', 'input'])
    const fetched = await execute({ box: `http://${place()}/box.zip` })
    const refused = await service.call('GET', pageOf(fetched.id, 'box/letters/invoice.pdf'))
    expect([refused.status, refused.json.detail[0].msg]).toEqual([422, expect.stringContaining('are not retained')])
  })
})

describe.skipIf(skipsBrowser)('an archive in the console', () => {
  test.each([
    ['a file of this server', asFile],
    ['data within the request', asData],
  ])('as %s lists its files, and shows what was found on their pages', async (_what, inputs) => {
    const { browser } = shown
    const { id } = await execute(await inputs())
    const page = await shown.page(`/executions/${id}`)
    // The document opens where the answer's evidence is.
    await page.locator('[data-box="/total"]').waitFor()
    expect(await page.getByLabel('Input').inputValue()).toBe('box/letters/invoice.pdf')
    await page.getByLabel('Input').selectOption('box')
    const files = page.getByRole('list', { name: 'Files of the archive' }).getByRole('listitem')
    expect(await files.allTextContents()).toEqual([
      expect.stringMatching(/^letters\/invoice\.pdfapplication\/pdf · [\d.]+ kB$/),
      expect.stringContaining('letters/terms.docx'),
      expect.stringContaining('note.txttext/plain · 10 B'),
      expect.stringContaining('bill⟨U+202E⟩fdp.md'),
      'empty.txtnot read: it is empty',
    ])
    // Bidirectional control characters are made visible in every name.
    expect(await page.getByLabel('Input').locator('option').allTextContents()).toContain('box/bill⟨U+202E⟩fdp.md')
    expect(await page.evaluate(findFaintTexts, 4.5)).toEqual([])
    await page.setViewportSize({ width: 380, height: 800 })
    expect(await page.evaluate(overflow)).toBe(0)
    await page.getByRole('button', { name: 'letters/terms.docx' }).click()
    await expect.poll(() => page.locator('.text-source').textContent()).toContain('Payment terms: 30 days')
    expect(browser.complaints).toEqual([])
    await page.close()
  })

  test('an email shows its text below its attachments, and the page of one where a value was found', async () => {
    const { browser } = shown
    const invoice = await makePdf([['Thank you.'], ['Invoice number: INV-2024-77', 'Total: 108.00']])
    const attached = (name: string, bytes: Buffer) => [
      '--edge',
      `Content-Disposition: attachment; filename="${name}"`,
      'Content-Type: application/octet-stream',
      'Content-Transfer-Encoding: base64',
      '',
      ...(bytes.toString('base64').match(/.{1,76}/g) ?? []),
    ]
    const lines = [
      ...['From: a@example.com', 'Subject: Your invoice', 'MIME-Version: 1.0'],
      ...['Content-Type: multipart/mixed; boundary=edge', '', '--edge', 'Content-Type: text/plain', ''],
      'Please pay soon.',
      ...attached('bills.zip', await madeZip({ 'march.pdf': invoice })),
      ...attached('empty.txt', Buffer.alloc(0)),
      '--edge--',
    ]
    const { id: file_id } = await shown.service.upload(Buffer.from(lines.join('\r\n')), 'mail.eml')
    const { id } = await execute({ mail: { type: 'input_file', file_id } })
    const page = await shown.page(`/executions/${id}`)
    await page.locator('[data-box="/total"]').waitFor()
    expect(await page.getByLabel('Input').inputValue()).toBe('mail/bills.zip/march.pdf')
    expect(await page.getByLabel('Page of 2').inputValue()).toBe('2')
    await page.getByLabel('Input').selectOption('mail')
    const files = page.getByRole('list', { name: 'Attachments of the email' }).getByRole('listitem')
    expect(await files.allTextContents()).toEqual([
      expect.stringMatching(/^bills\.ziparchive · [\d.]+ kB$/),
      'empty.txtnot read: it is empty',
    ])
    await expect.poll(() => page.locator('.text-source').textContent()).toContain('Please pay soon.')
    expect(await page.evaluate(findFaintTexts, 4.5)).toEqual([])
    await page.getByRole('button', { name: 'bills.zip' }).click()
    await page.getByRole('button', { name: 'march.pdf' }).waitFor()
    expect(browser.complaints).toEqual([])
    await page.close()
  })

  test('an input that was fetched shows that its file is not stored', async () => {
    const { id } = await execute({ box: `http://${place()}/box.zip` })
    const page = await shown.page(`/executions/${id}`)
    await expect
      .poll(() => page.getByRole('region', { name: 'Document' }).textContent())
      .toContain('the fetched file is not kept, only what was read in it')
    const other = await execute({ note: `http://${place()}/note.txt` })
    await page.goto(`/executions/${other.id}`)
    await expect
      .poll(() => page.getByRole('region', { name: 'Document' }).textContent())
      .toContain('the fetched file is not kept, only what was read in it')
    await page.close()
  })
})
