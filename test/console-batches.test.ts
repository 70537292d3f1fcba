import { readFile } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import { violations } from './support/axe.ts'
import { skipsBrowser } from './support/browser.ts'
import { openTestConsole } from './support/console.ts'
import { invoiceLines, invoiceSchema, makePdf } from './support/documents.ts'
import { overflow, scrollToEnd, transferOf } from './support/in-page.mjs'
import { opened } from './support/opened.ts'
import { openReceiver } from './support/receiver.ts'
import { lookAgain } from './support/until.ts'

const receiver = await opened(openReceiver())
const shown = await opened(openTestConsole({ env: { SKILLRUN_ALLOW_PRIVATE: `127.0.0.1:${receiver.port}` } }))

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
    // Before the first value there is a table already, with its head in one line.
    const head = page.locator('.result-head > span')
    await head.first().waitFor()
    const [left, right] = [await head.first().boundingBox(), await head.last().boundingBox()]
    expect(
      Math.abs((left?.y ?? 0) + (left?.height ?? 0) / 2 - (right?.y ?? 0) - (right?.height ?? 0) / 2),
    ).toBeLessThan(2)
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
    // Those that are not sure enough for 2 % wrong ones stay marked.
    expect([await marked(1), await marked(0)]).toEqual([3, 2])
  })

  test('what its receiver was sent is listed with the replies, and can be sent again', async () => {
    receiver.on('/batch', (response, count) => response.writeHead(count === 1 ? 410 : 204).end())
    const batch = await makeBatch({ json_schema: invoiceSchema }, { callback_url: receiver.url('/batch') })
    await receiver.got('/batch', 1)
    const page = await shown.page(`/batches/${batch}`)
    await page.locator('summary', { hasText: 'Callbacks' }).click()
    const card = page.getByRole('region', { name: 'Callbacks' })
    await card.getByText('batch.completed').waitFor()
    await card.getByText(/^410 /).waitFor()
    expect(await violations(page)).toEqual([])
    await card.getByRole('button', { name: 'Send again' }).focus()
    await page.keyboard.press('Enter')
    await card.getByText('delivered', { exact: true }).waitFor()
    expect(await card.getByRole('row').count()).toBe(3)
    const [first, second] = receiver.at('/batch')
    expect(second?.body.equals(first?.body ?? Buffer.alloc(0))).toBe(true)
    expect(shown.browser.complaints).toEqual([])
    await page.close()
  })

  test('a table that loads more slowly than its batch changes is shown all the same', async () => {
    const batch = await makeBatch({ json_schema: invoiceSchema })
    const page = await shown.page()
    let changes = 0
    const waiting = new Set<() => void>()
    // Every look at the batch finds another document ended.
    await page.route(`**/v1/agent/batches/${batch}`, async (route) => {
      const record = await (await route.fetch()).json()
      changes += 1
      const counts = { ...record.counts, completed: changes, enqueued: 1_000 - changes }
      await route.fulfill({ json: { ...record, status: 'running', total: 1_000, counts } })
      for (const go of waiting) go()
    })
    // The items arrive after the batch has changed twice more.
    await page.route(`**/v1/agent/batches/${batch}/items*`, async (route) => {
      const wanted = changes + 2
      await new Promise<void>((go) => {
        const look = () => {
          if (changes < wanted) return
          waiting.delete(look)
          go()
        }
        waiting.add(look)
      })
      await route.continue()
    })
    await page.goto(`/batches/${batch}`)
    await page.getByRole('list', { name: 'Results' }).getByRole('link', { name: '144' }).waitFor()
    await page.unrouteAll({ behavior: 'ignoreErrors' })
    await page.close()
  })

  test('on a narrow screen the name of a document stays in view while its fields scroll', async () => {
    const name =
      'a scan of the third floor, second cupboard, of which nobody knows any more who made it (final) (2).pdf'
    // Cells that need a look say so in words that are not seen.
    const batch = await makeBatch({ json_schema: invoiceSchema, review: { below: 1 } }, { name }, name)
    const page = await shown.page(`/batches/${batch}`)
    await page.setViewportSize({ width: 390, height: 844 })
    const link = page.getByRole('list', { name: 'Results' }).getByRole('link', { name })
    const before = await link.boundingBox()
    await page.locator('.results').evaluate((one) => one.scrollTo(1000, 0))
    expect(await page.locator('.results').evaluate((one) => one.scrollLeft)).toBeGreaterThan(50)
    // The frame of the table, one pixel wide, scrolls away.
    expect(before?.x ?? 0).toBeLessThanOrEqual(((await link.boundingBox())?.x ?? 0) + 1)
    expect(await link.getAttribute('title')).toBe(name)
    expect(await page.evaluate(overflow)).toBe(0)
    await page.close()
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
async function makeBatch(config: object, rest: object = {}, name = 'invoice.pdf'): Promise<string> {
  const { service } = shown
  const file = await service.upload(await makePdf([invoiceLines]), name)
  const body = {
    items: [{ file_id: file.id }],
    service_tier: 'standard',
    config: { prompt: 'Extract', ...config },
    ...rest,
  }
  const { json } = await service.call('POST', '/v1/agent/batches', { body })
  let { status } = json
  while (status !== 'completed') {
    ;({ status } = (await service.call('GET', `/v1/agent/batches/${json.id}`)).json)
    await lookAgain()
  }
  return json.id
}
