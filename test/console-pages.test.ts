import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { madeExcel } from '../packages/reader/src/media/testing/made-office.ts'
import { skipsBrowser } from './support/browser.ts'
import { openTestConsole } from './support/console.ts'
import { invoiceLines, invoiceSchema, makePdf } from './support/documents.ts'
import { focused } from './support/in-page.mjs'
import { opened } from './support/opened.ts'

const shown = await opened(openTestConsole())

const pageCount = 64

async function execute(pages: readonly (readonly string[])[]): Promise<string> {
  const file = await shown.service.upload(await makePdf(pages), 'pages.pdf')
  const config = { prompt: 'Extract the fields of this invoice', json_schema: invoiceSchema }
  return (await shown.service.execute({ inputs: { invoice: { type: 'input_file', file_id: file.id } }, config })).id
}

/** Opens a document, and says which pages of it were asked for. */
async function openDocument(id: string): Promise<{ page: Page; asked: () => readonly number[] }> {
  const page = await shown.page()
  const asked: number[] = []
  page.on('request', (request) => {
    const number = /\/pages\/(\d+)\?width/.exec(request.url())?.[1]
    if (number !== undefined) asked.push(Number(number))
  })
  await page.goto(`/executions/${id}?correct=1`)
  await page.locator('.page img').waitFor()
  return { page, asked: () => asked }
}

describe.skipIf(skipsBrowser)('pages of a document', () => {
  test('a page is opened by its number, and pages are turned by keys while a value is typed', async () => {
    const pages = Array.from({ length: pageCount }, (_, n) => [`Page ${n + 1} of the annex`])
    const { page, asked } = await openDocument(await execute([invoiceLines, ...pages.slice(1)]))
    const field = page.getByLabel(`Page of ${pageCount}`)
    await page.locator('[data-pointer="/total"]').getByRole('button').click()
    const typed = page.getByLabel('Total', { exact: true })
    await typed.fill('12')
    await page.keyboard.press('Alt+PageDown')
    await expect.poll(() => field.inputValue()).toBe('2')
    await page.keyboard.press('Alt+PageUp')
    await expect.poll(() => field.inputValue()).toBe('1')
    expect(await typed.inputValue()).toBe('12')
    await page.keyboard.press('Escape')
    await page.keyboard.press('g')
    await page.keyboard.type('47')
    await page.keyboard.press('Enter')
    await expect.poll(() => asked().at(-1)).toBe(46)
    // The page itself has the focus, so that the arrow keys go on from it.
    await page.keyboard.press('ArrowRight')
    await expect.poll(() => field.inputValue()).toBe('48')
    await field.fill('900')
    await page.keyboard.press('Enter')
    await expect.poll(() => field.inputValue()).toBe(String(pageCount))
    await field.fill('5')
    await page.keyboard.press('Escape')
    expect(await field.inputValue()).toBe(String(pageCount))
    expect(shown.browser.complaints).toEqual([])
    await page.close()
  })

  test.each([
    ['rests on', 1_000],
    ['has just come to', 0],
  ])('a page that was turned stays while the pointer %s a value of another page', async (_how, ms) => {
    const { page } = await openDocument(await execute([invoiceLines, ['Page 2 of the annex'], ['Page 3 of the annex']]))
    await page.clock.install()
    const field = page.getByLabel('Page of 3')
    await page.locator('[data-pointer="/total"]').hover()
    await page.clock.runFor(ms)
    await page.keyboard.press('Alt+PageDown')
    await expect.poll(() => field.inputValue()).toBe('2')
    await page.clock.runFor(1_000)
    expect(await field.inputValue()).toBe('2')
    await page.close()
  })

  test('a page number that is typed stays while the pointer moves over the values', async () => {
    const { page } = await openDocument(await execute([invoiceLines, ['Annex'], ['Annex']]))
    const field = page.getByLabel('Page of 3')
    await field.press('3')
    const typed = await field.inputValue()
    await page.locator('[data-pointer="/invoice_number"]').getByRole('button').hover()
    await page.locator('[data-box="/invoice_number"].active').waitFor()
    expect([typed, await field.inputValue()]).toEqual([expect.stringContaining('3'), typed])
    await page.close()
  })

  test('arrow keys scroll a sheet that is wider than its place, and do not turn its pages', async () => {
    const columns = Array.from({ length: 8 }, (_, n) => `Column ${n} of a sheet with long titles`)
    const file = await shown.service.upload(await madeExcel({ Items: [columns], Notes: [['Paid']] }), 'wide.xlsx')
    const config = { prompt: 'Extract the fields of this invoice', json_schema: invoiceSchema }
    const inputs = { table: { type: 'input_file', file_id: file.id } }
    const page = await shown.page(`/executions/${(await shown.service.execute({ inputs, config })).id}`)
    await page.locator('.grid-source').waitFor()
    await page.getByRole('region', { name: 'Page', exact: true }).focus()
    await page.keyboard.press('Tab')
    await page.keyboard.press('ArrowRight')
    const offset = () => page.locator('.text-source').evaluate((one: { scrollLeft: number }) => one.scrollLeft)
    await expect.poll(offset).toBeGreaterThan(0)
    expect(await page.getByLabel('Page of 2').inputValue()).toBe('1')
    await page.close()
  })

  test('the button of the last page keeps the focus, and a turned page is seen from its top', async () => {
    const long = Array.from({ length: 60 }, (_, n) => `Line ${n}`)
    const { page } = await openDocument(await execute([long, long]))
    const place = page.getByRole('region', { name: 'Page', exact: true })
    await place.press('End')
    await expect.poll(() => place.evaluate((one: { scrollTop: number }) => one.scrollTop)).toBeGreaterThan(0)
    await page.getByRole('button', { name: 'next page' }).focus()
    await page.keyboard.press('Enter')
    await expect.poll(() => page.getByLabel('Page of 2').inputValue()).toBe('2')
    expect((await page.evaluate(focused)).text).toContain('next page')
    expect(await place.evaluate((one: { scrollTop: number }) => one.scrollTop)).toBe(0)
    await page.close()
  })

  test.each([1, 2, 3])(
    'a page that lies on its side is turned by %i quarters with its marks, and a box drawn on it brings its text',
    async (turns) => {
      const id = await execute([invoiceLines])
      const { page } = await openDocument(id)
      const { evidence } = (await shown.service.call('GET', `/v1/agent/executions/${id}`)).json
      const { bbox, quote } = evidence['/invoice_number']
      const sheet = page.locator('.page')
      await page.locator('[data-pointer="/total"]').getByRole('button').click()
      await page.getByRole('region', { name: 'Page', exact: true }).focus()
      // Back is the shorter way to three quarters.
      for (let n = 0; n < (turns === 3 ? 1 : turns); n += 1) await page.keyboard.press(turns === 3 ? 'Shift+R' : 'r')
      const whole = (await sheet.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 }
      expect(whole.width > whole.height).toBe(turns % 2 === 1)
      let centre = [bbox[0] + bbox[2] / 2, bbox[1] + bbox[3] / 2]
      for (let n = 0; n < turns; n += 1) centre = [1 - (centre[1] ?? 0), centre[0] ?? 0]
      const [x, y] = [whole.x + (centre[0] ?? 0) * whole.width, whole.y + (centre[1] ?? 0) * whole.height]
      const mark = (await page.locator('[data-box="/invoice_number"]').boundingBox()) ?? whole
      expect(Math.abs(mark.x + mark.width / 2 - x)).toBeLessThan(2)
      expect(Math.abs(mark.y + mark.height / 2 - y)).toBeLessThan(2)
      await page.mouse.move(mark.x - 3, mark.y - 2)
      await page.mouse.down()
      await page.mouse.move(mark.x + mark.width + 3, mark.y + mark.height + 2, { steps: 3 })
      await page.mouse.up()
      await expect.poll(() => page.getByLabel('Total', { exact: true }).inputValue()).toBe(quote)
      // The rows of the answer are where they were: R in the document is no R in the answer.
      expect(await page.getByText('Not saved').count()).toBe(0)
      await page.close()
    },
  )
})
