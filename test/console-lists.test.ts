import { readFile } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import { skipsBrowser } from './support/browser.ts'
import { openTestConsole } from './support/console.ts'
import { invoiceLines, invoiceSchema, makePdf } from './support/documents.ts'
import { opened } from './support/opened.ts'

const shown = await opened(openTestConsole())

async function execute(filename: string): Promise<string> {
  const file = await shown.service.upload(await makePdf([invoiceLines]), filename)
  return (
    await shown.service.execute({
      inputs: { invoice: { type: 'input_file', file_id: file.id } },
      config: { prompt: 'Extract the fields of this invoice', json_schema: invoiceSchema },
    })
  ).id
}

describe.skipIf(skipsBrowser)('the list of executions', () => {
  test('finds a run by its file, shows what was found in it, exports what is selected, and keeps a filter', async () => {
    const wanted = await execute('kestrel-march.pdf')
    const other = await execute('other-paper.pdf')
    const page = await shown.page('/executions')
    await page.locator(`a[href="/executions/${other}"]`).waitFor()
    const search = page.getByLabel('Search')
    // A space typed before a pause is still there afterwards.
    await search.fill('KESTREL ')
    await page.waitForURL(/q=KESTREL$/)
    await search.pressSequentially('march')
    expect(await search.inputValue()).toBe('KESTREL march')
    await search.fill('')
    await page.locator(`a[href="/executions/${other}"]`).waitFor()
    await search.fill('KESTREL-march')
    await expect.poll(() => page.locator(`a[href="/executions/${other}"]`).count()).toBe(0)
    const row = page.getByRole('list', { name: 'Executions' }).getByRole('listitem')
    expect(await row.textContent()).toMatch(/kestrel-march\.pdf.*completed\d+\/\d+\d+ %/)

    await page.getByRole('checkbox', { name: 'Select kestrel-march.pdf' }).check()
    const bar = page.getByRole('region', { name: 'Selection' })
    await bar.getByText('Export').click()
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      bar.getByRole('button', { name: 'Table as CSV' }).click(),
    ])
    const lines = (await readFile(await download.path(), 'utf8')).trim().split('\r\n')
    expect(lines[0]).toContain('id,files,agent,status,created_at,')
    expect(lines.slice(1).map((line) => line.slice(0, 54))).toEqual([`${wanted},kestrel-march.pdf`.slice(0, 54)])

    await page.getByText('Saved filters').click()
    await page.getByLabel('Name of the filter').fill('March')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.goto('/executions')
    await page.getByText('Saved filters').click()
    await page.getByRole('link', { name: 'March', exact: true }).click()
    await expect.poll(() => new URL(page.url()).searchParams.get('q')).toBe('KESTREL-march')
    const list = async () => (await shown.service.call('GET', '/v1/agent/executions/filters')).json
    expect(await list()).toMatchObject([{ name: 'March', query: { q: 'KESTREL-march' } }])

    await page.evaluate(() =>
      localStorage.setItem(
        'skillrun-filters',
        JSON.stringify([
          { name: 'March', search: '?q=KESTREL-march' },
          { name: 'March', search: '?q=march' },
          { name: 'Of a past version', search: '?colour=red' },
        ]),
      ),
    )
    await page.goto('/executions')
    await page.getByText('Saved filters').click()
    await page.getByRole('link', { name: 'March (2)', exact: true }).waitFor()
    expect(await list()).toMatchObject([{ name: 'March' }, { name: 'March (2)', query: { q: 'march' } }])
    await expect.poll(() => page.evaluate(() => localStorage.getItem('skillrun-filters'))).toBe(null)
    await page.getByRole('button', { name: 'Delete the filter March (2)' }).click()
    await expect.poll(list).toMatchObject([{ name: 'March' }])
    expect(shown.browser.complaints).toEqual([])
    await page.close()
  })

  test('runs of evaluations stand apart from work', async () => {
    const id = await execute('of-a-case.pdf')
    await shown.service.database.db.query('update executions set evaluation_id = gen_random_uuid() where id = $1', [id])
    const page = await shown.page('/executions')
    await page.getByRole('list', { name: 'Executions' }).waitFor()
    expect(await page.locator(`a[href="/executions/${id}"]`).count()).toBe(0)
    await page.getByRole('link', { name: 'Evaluations' }).click()
    await page.locator(`a[href="/executions/${id}"]`).waitFor()
    await page.getByRole('link', { name: 'Program checks' }).click()
    await page.getByText('No program has been checked').waitFor()
    await page.close()
  })

  test('the lists of executions and of results go on by themselves after a request that failed', async () => {
    const { service } = shown
    const { key } = (await service.call('POST', '/v1/keys', { body: { workspace: 'long', scopes: ['admin'] } })).json
    const json_schema = { type: 'object', properties: { total: { type: ['number', 'null'] } } }
    const items = Array.from({ length: 60 }, (_, n) => ({ inputs: { text: `Total: ${n + 1}.50` } }))
    const body = { items, config: { prompt: 'Extract the total', json_schema } }
    const batch = (await service.call('POST', '/v1/agent/batches', { key, body })).json
    const read = async () => (await service.call('GET', `/v1/agent/batches/${batch.id}`, { key })).json
    await expect.poll(async () => (await read()).status, { timeout: 120_000 }).toBe('completed')
    const page = await shown.page('/health', key)
    const refused = new Set<string>()
    await page.route(/cursor=|\/items\?/, async (route) => {
      const { pathname } = new URL(route.request().url())
      if (refused.has(pathname)) return route.continue()
      refused.add(pathname)
      return route.fulfill({ status: 503, json: { detail: 'The database is not available' } })
    })
    await page.goto('/executions')
    const list = page.getByRole('list', { name: 'Executions' })
    await expect.poll(() => list.getByRole('listitem').first().getAttribute('aria-setsize')).toBe('60')
    await page.goto(`/batches/${batch.id}`)
    await page.locator('.result-row').nth(5).waitFor()
    expect(refused.size).toBe(2)
    // Only the page that failed is asked for again.
    const asked: string[] = []
    await page.route(/\/items\?/, (route) => {
      const url = route.request().url()
      asked.push(url.includes('cursor=') ? 'next' : 'first')
      return asked.length === 2
        ? route.fulfill({ status: 503, json: { detail: 'The database is not available' } })
        : route.continue({ url: url.replace(/limit=\d+/, 'limit=25') })
    })
    await page.reload()
    const results = page.getByRole('list', { name: 'Results' })
    await expect.poll(() => results.getByRole('listitem').first().getAttribute('aria-setsize')).toBe('60')
    expect(asked).toEqual(['first', 'next', 'next', 'next'])
    await page.close()
  })
})
