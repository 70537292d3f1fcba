import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { skipsBrowser } from './support/browser.ts'
import { openTestConsole, type TestConsole } from './support/console.ts'
import { invoiceLines, invoiceSchema, makePdf } from './support/documents.ts'
import { overflow, scrollToEnd, transferOf } from './support/in-page.mjs'

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

  test('a value of the table leads to its place on the page of its execution', async () => {
    const batch = await makeBatch({ json_schema: invoiceSchema })
    const page = await shown.page(`/batches/${batch}`)
    const cell = page.getByRole('list', { name: 'Results' }).getByRole('link', { name: '144' })
    await cell.focus()
    await page.keyboard.press('Enter')
    await page.waitForURL((url) => url.searchParams.get('field') === '/total')
    await expect.poll(() => page.locator('[data-pointer="/total"]').getAttribute('class')).toContain('active')
    await expect.poll(() => page.locator('[data-box="/total"]').getAttribute('class')).toContain('active')
    await page.close()
  })

  test('values are marked below the confidence that the batch asks to be reviewed', async () => {
    const marked = async (below: number) => {
      const page = await shown.page(`/batches/${await makeBatch({ json_schema: invoiceSchema, review: { below } })}`)
      await page.getByRole('list', { name: 'Results' }).getByText('INV-2041').waitFor()
      await page.waitForLoadState('networkidle')
      const texts = await page.locator('.result-row .unseen').allTextContents()
      await page.close()
      return texts.length
    }
    expect([await marked(1), await marked(0)]).toEqual([3, 0])
  })

  test('ten thousand rows scroll with few of them rendered, from first to last', async () => {
    const { db } = shown.service.database
    const batch = await makeBatch({ json_schema: invoiceSchema })
    const columns = `workspace_id, batch_id, state, attempt, file_name, execution_id, lowest_confidence, ended_at`
    await db.query(
      `insert into batch_items (number, ${columns}) select n, ${columns} from batch_items, generate_series(1, 9999) n where batch_id = $1`,
      [batch],
    )
    await db.query('update batches set total = 10000 where id = $1', [batch])
    const page = await shown.page(`/batches/${batch}`)
    const list = page.getByRole('list', { name: 'Results' })
    await list.getByRole('listitem').first().waitFor()
    const scrolled = await page.evaluate(scrollToEnd, '.results ol')
    expect(scrolled.most).toBeLessThan(80)
    expect([scrolled.size, scrolled.position]).toEqual([10_000, 10_000])
    expect(shown.browser.complaints).toEqual([])
    await page.close()
  })
})

/** A completed batch of one invoice. */
async function makeBatch(config: object): Promise<string> {
  const { service } = shown
  const file = await service.upload(await makePdf([invoiceLines]), 'invoice.pdf')
  const body = { items: [{ file_id: file.id }], service_tier: 'standard', config: { prompt: 'Extract', ...config } }
  const { json } = await service.call('POST', '/v1/agent/batches', { body })
  let { status } = json
  while (status !== 'completed') ({ status } = (await service.call('GET', `/v1/agent/batches/${json.id}`)).json)
  return json.id
}
