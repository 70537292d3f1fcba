import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { madeExcel, madeWord } from '../packages/reader/src/media/testing/made-office.ts'
import { skipsBrowser } from './support/browser.ts'
import { openTestConsole } from './support/console.ts'
import { makePdf } from './support/documents.ts'
import { findFaintTexts, overflow } from './support/in-page.mjs'
import { opened } from './support/opened.ts'

const shown = await opened(openTestConsole())

const invoice = ['Invoice number: INV-2024-77', 'Total: 108.00', '<img src=x onerror="document.title=`hacked`">'].map(
  (line) => line.replaceAll('<', '&lt;'),
)

const svgOf = (text: string): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="900" height="300"><rect width="900" height="300" fill="white"/><text x="60" y="160" font-family="sans-serif" font-size="48">${text}</text></svg>`

const scanOf = (text: string): Promise<Buffer> =>
  sharp(Buffer.from(svgOf(text)))
    .tiff()
    .toBuffer()

describe('the words of a page', () => {
  test('of an office file are on a grid, with boxes as in evidence, for keys that may read the file', async () => {
    const { service } = shown
    const { id } = await service.upload(await madeWord(invoice), 'letter.docx')
    const { status, json } = await service.call('GET', `/v1/files/${id}/pages/0/words`)
    expect([status, json.page_count, json.left_out]).toEqual([200, 1, 0])
    expect(json.words.map((word: { text: string }) => word.text)).toContain('INV-2024-77')
    const [first] = json.words
    expect(first.bbox[2]).toBeCloseTo('Invoice'.length / json.columns)
    const key = await service.stranger()
    expect((await service.call('GET', `/v1/files/${id}/pages/0/words`, { key })).status).toBe(404)
    expect((await service.call('GET', `/v1/files/${id}/pages/1/words`)).json.detail[0].loc).toEqual(['path', 'page'])
  })

  test('of any other file are refused with a message', async () => {
    const { id } = await shown.service.upload(Buffer.from('Total: 5.00'), 'note.txt')
    const { status, json } = await shown.service.call('GET', `/v1/files/${id}/pages/0/words`)
    expect([status, json.detail]).toEqual([400, expect.stringContaining('office files, books, PDF files and images')])
  })
})

describe.skipIf(skipsBrowser)('an office file in the console', () => {
  test.each(['light', 'dark'] as const)(
    'in %s colours is read beside the answer, lit up both ways',
    async (colorScheme) => {
      const { service, browser } = shown
      const { id } = await service.upload(await madeWord(invoice), 'letter.docx')
      const properties = { total: { type: ['number', 'null'] }, invoice_number: { type: ['string', 'null'] } }
      const body = {
        batch: false,
        inputs: { paper: { type: 'input_file', file_id: id } },
        config: { prompt: 'Extract the fields', json_schema: { type: 'object', properties } },
      }
      const json = await service.execute(body)
      const page = await shown.page(`/executions/${json.id}`)
      await page.emulateMedia({ colorScheme })
      const mark = page.locator('mark[data-box="/invoice_number"]')
      const value = page.locator('[data-pointer="/invoice_number"]')
      expect(await mark.textContent()).toBe('INV-2024-77')
      await value.hover()
      await expect.poll(() => mark.getAttribute('class')).toContain('active')
      await page.getByRole('heading', { level: 1 }).hover()
      await mark.hover()
      await expect.poll(() => value.getAttribute('class')).toContain('active')
      expect(await page.locator('.text-source').textContent()).toContain('<img src=x')
      expect(await page.evaluate(findFaintTexts, 4.5)).toEqual([])
      await page.setViewportSize({ width: 380, height: 800 })
      expect(await page.evaluate(overflow)).toBe(0)
      expect(browser.complaints).toEqual([])
      await page.close()
    },
  )

  test.each([
    [
      'a PDF',
      'application/pdf;base64',
      () => makePdf([['Invoice number: INV-2024-77'], ['Total: 108.00']]),
      '[data-box="/total"]',
    ],
    ['a Word file', 'application/octet-stream;base64', () => madeWord(invoice), 'mark[data-box="/total"]'],
    ['a TIFF', 'image/tiff;base64', () => scanOf('Total: 108.00'), '[data-box="/total"]'],
    ['an SVG', 'image/svg+xml;base64', async () => svgOf('Total: 108.00'), '[data-box="/total"]'],
    ['a text', 'text/plain; base64 ', async () => 'Größe: 5\nTotal: 108.00', 'mark[data-box="/total"]'],
    ['a text without base64', 'text/plain', async () => 'Cups, plates, Total: 108.00', 'mark[data-box="/total"]'],
    [
      'an email',
      'message/rfc822;base64',
      () => 'From: a@example.com\nContent-Transfer-Encoding: base64\nSubject: Bill\n\nVG90YWw6IDEwOC4wMA==\n',
      'mark[data-box="/total"]',
    ],
  ])('%s sent inline is displayed like a file', async (_what, head, made, box) => {
    const { service, browser } = shown
    const bytes = Buffer.from(await made())
    const url = `data:${head},${head.includes('base64') ? bytes.toString('base64') : bytes}`
    const body = {
      batch: false,
      inputs: { 'a/b': { type: 'file_url', file_url: { url } } },
      config: {
        prompt: 'Extract the total',
        json_schema: { type: 'object', properties: { total: { type: ['number', 'null'] } } },
      },
    }
    const json = await service.execute(body)
    expect([json.error, json.response]).toEqual([null, { total: 108 }])
    const page = await shown.page(`/executions/${json.id}`)
    const value = page.locator('[data-pointer="/total"]')
    await value.hover()
    await expect.poll(() => page.locator(box).getAttribute('class')).toContain('active')
    expect(
      await page.evaluate('[...document.images].filter((one) => one.complete && one.naturalWidth === 0).length'),
    ).toBe(0)
    expect(browser.complaints).toEqual([])
    const key = await service.stranger()
    const path = `/v1/agent/executions/${json.id}/pages/0`
    const look = (query: string, how: object = {}) => fetch(service.url + path + query, how)
    const as = (key: string) => ({ headers: { Authorization: `Bearer ${key}` } })
    expect((await look('?input=a%2Fb', as(key))).status).toBe(404)
    expect((await look('?input=other', as(service.key))).status).toBe(422)
    expect((await look('?input=a%2Fb')).status).toBe(401)
    await page.close()
  })

  test.each([
    ['UTF-16', (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le')],
    ['Windows-1252', (text: string) => Buffer.from(text, 'latin1')],
  ])('a text file in %s is shown as it was read, with its values marked', async (_encoding, bytesOf) => {
    const { service } = shown
    const text = 'Müller & Söhne\nTotal: 108.00\n'
    const file = await service.upload(bytesOf(text), 'invoice.txt')
    const config = {
      prompt: 'Extract the total',
      json_schema: { type: 'object', properties: { total: { type: ['number', 'null'] } } },
    }
    const { id } = await service.execute({ inputs: { invoice: { type: 'input_file', file_id: file.id } }, config })
    expect((await service.call('GET', `/v1/files/${file.id}`)).json.content_type).toBe('text/plain')
    const page = await shown.page(`/executions/${id}`)
    expect(await page.locator('mark[data-box="/total"]').textContent()).toBe('108.00')
    expect(await page.locator('.text-source').textContent()).toBe(text)
    await page.close()
  })

  test('the sheets of a workbook are turned like pages', async () => {
    const { service } = shown
    const workbook = await madeExcel({
      Items: [
        ['Item', 'Price'],
        ['Teapot', 48],
      ],
      Notes: [['Paid', 'on Monday']],
    })
    const { id } = await service.upload(workbook, 'items.xlsx')
    const body = {
      inputs: { items: { type: 'input_file', file_id: id } },
      config: {
        prompt: 'Extract the price',
        json_schema: { type: 'object', properties: { price: { type: ['number', 'null'] } } },
      },
    }
    const json = await service.execute(body)
    const page = await shown.page(`/executions/${json.id}`)
    await page.getByText('Teapot').waitFor()
    await page.getByRole('button', { name: 'next page' }).click()
    await page.getByText('on Monday').waitFor()
    await page.close()
  })
})
