import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { skipsBrowser } from './support/browser.ts'
import { openTestConsole, type TestConsole } from './support/console.ts'
import { invoiceLines, invoiceSchema, makePdf } from './support/documents.ts'
import { overflow, transferOf } from './support/in-page.mjs'

let shown: TestConsole

beforeAll(async () => {
  if (skipsBrowser) return
  shown = await openTestConsole()
})
afterAll(async () => {
  await shown?.[Symbol.asyncDispose]()
})

describe.skipIf(skipsBrowser)('several files in the console', () => {
  test('dropped together they are run one by one, and stand in a table that can be filtered', async () => {
    const page = await shown.page()
    const invoice = Buffer.from(await makePdf([invoiceLines])).toString('base64')
    const files = [
      { name: 'first.pdf', base64: invoice },
      { name: 'second.pdf', base64: invoice },
      { name: 'broken.pdf', base64: Buffer.from('%PDF-1.7 broken').toString('base64') },
    ]
    const dataTransfer = await page.evaluateHandle(transferOf, files)
    await page.locator('.drop').dispatchEvent('drop', { dataTransfer })
    expect(await page.getByRole('radio', { name: 'One run for each file' }).isChecked()).toBe(true)
    await page.getByLabel('Prompt').fill('Extract the fields of this invoice')
    await page.getByRole('button', { name: 'JSON', exact: true }).click()
    await page.getByLabel('JSON Schema').fill(JSON.stringify(invoiceSchema))
    await page.getByRole('button', { name: 'Run 3 files' }).click()
    await page.getByRole('status').getByText('completed').waitFor()
    const rows = page.getByRole('list', { name: 'Results' }).getByRole('listitem')
    await expect.poll(() => rows.count()).toBe(3)
    await expect.poll(() => rows.nth(0).textContent()).toMatch(/^first\.pdfcompleted.*KR-2026|^first\.pdfcompleted.*\d/)
    expect(await rows.nth(2).textContent()).toContain('broken.pdffailed')
    expect(await page.evaluate(overflow)).toBe(0)
    await page.getByText('Export').click()
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'CSV' }).click(),
    ])
    expect(await readFile(await download.path(), 'utf8')).toContain('second.pdf')
    await page.getByRole('button', { name: 'Failed (1)' }).click()
    await expect.poll(() => rows.count()).toBe(1)
    await page.getByRole('link', { name: 'Batches', exact: true }).click()
    await page.getByRole('link', { name: 'first.pdf and 2 more' }).click()
    await rows.getByRole('link', { name: 'first.pdf' }).click()
    await page.getByRole('tab', { name: 'Answer' }).waitFor()
    expect(shown.browser.complaints).toEqual([])
    await page.close()
  })

  test('one run for all files is one execution', async () => {
    const page = await shown.page()
    const files = ['a.txt', 'b.txt'].map((name) => ({ name, base64: Buffer.from('Total: 5.00').toString('base64') }))
    const dataTransfer = await page.evaluateHandle(transferOf, files)
    await page.locator('.drop').dispatchEvent('drop', { dataTransfer })
    await page.getByRole('radio', { name: 'One run for all files' }).check()
    await page.getByLabel('Prompt').fill('Extract the total')
    await page.getByRole('button', { name: 'Run', exact: true }).click()
    await page.waitForURL((url) => url.pathname.startsWith('/executions/'))
    await page.close()
  })
})
