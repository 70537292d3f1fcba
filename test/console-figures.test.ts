import { readdir, readFile } from 'node:fs/promises'
import { gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { skipsBrowser } from './support/browser.ts'
import { openTestConsole } from './support/console.ts'
import { paintedColours, scrollToEnd } from './support/in-page.mjs'
import { opened } from './support/opened.ts'
import { openReceiver } from './support/receiver.ts'

const prices = { prices: { tools: { 'document.read': 0.01 } } }
const total = { inputs: { text: 'Total: 5.00' }, config: { prompt: 'Extract the total' } }

const receiver = await opened(openReceiver())
const shown = await opened(
  openTestConsole({
    env: { SKILLRUN_ALLOW_PRIVATE: `127.0.0.1:${receiver.port}` },
    config: { file: prices },
  }),
)
const { service, browser } = shown

const openConsole = (path?: string, key?: string) => shown.page(path, key)

const execute = (body: object) => service.execute(body)

describe.skipIf(skipsBrowser)('the console', () => {
  test('usage shows sums, a chart with its figures, and any grouping', async () => {
    for (const service_tier of ['standard', 'flex', 'flex', 'priority'])
      await execute({ ...total, config: { ...total.config, service_tier } })
    const page = await openConsole('/usage')
    const facts = page.getByRole('region', { name: 'Summary' })
    await facts.waitFor()
    expect(await facts.textContent()).toContain('Executions4')
    expect(await facts.textContent()).toContain('Cost$0.038')
    expect(await facts.textContent()).toContain('Saved with flex$0.01')
    await page.locator('figure canvas').first().waitFor()
    const cost = page.getByRole('figure').filter({ hasText: 'Cost' }).first()
    await cost.getByText('Show as a table').click()
    expect(await cost.getByRole('row').last().textContent()).toMatch(/\$0\.018|\$0\.01/)
    const sums = page.getByRole('region', { name: 'Totals by tier' })
    expect(await sums.getByRole('row').nth(1).textContent()).toBe('flex2$0.01$0.0100')
    await page.getByLabel('Grouped by').selectOption('key')
    await page.getByRole('region', { name: 'Totals by key' }).getByText('…').first().waitFor()
    await page.getByRole('combobox', { name: 'Period' }).selectOption('7 days')
    await expect.poll(() => new URL(page.url()).search).toBe('?by=key&days=7')
    expect(browser.complaints).toEqual([])
    await page.close()
  })

  test('charts are drawn in the colours of the theme', async () => {
    await execute(total)
    const page = await openConsole('/usage')
    const painted = () => page.evaluate(paintedColours, '.chart canvas')
    await page.getByRole('button', { name: 'light' }).click()
    await expect.poll(painted).toContain('31,92,153')
    await page.getByRole('button', { name: 'dark' }).click()
    await expect.poll(painted).toContain('143,192,240')
    expect(await painted()).not.toContain('31,92,153')
    expect(await painted()).not.toContain('0,0,0')
    await page.getByRole('button', { name: 'system' }).click()
    await page.close()
  })

  test('the attempts of a callback are listed with their replies, and it can be redelivered', async () => {
    receiver.on('/hook', (response, count) => response.writeHead(count === 1 ? 410 : 204).end())
    const { id } = await execute({ ...total, callback_url: receiver.url('/hook') })
    await receiver.got('/hook', 1)
    const page = await openConsole(`/executions/${id}?view=callbacks`)
    const card = page.getByRole('region', { name: 'Callbacks' })
    await card.getByText('failed', { exact: true }).waitFor()
    await card.getByText(/^410 /).waitFor()
    await card.getByRole('button', { name: 'Send again' }).click()
    await card.getByText('delivered', { exact: true }).waitFor()
    expect(await card.getByRole('row').count()).toBe(3)
    expect(receiver.at('/hook')).toHaveLength(2)
    await page.close()
  })

  test('an estimate is shown first, and the changed request keeps the rest of its body', async () => {
    const { id } = await execute({ ...total, metadata: { session_id: 'kept' } })
    const page = await openConsole(`/executions/${id}`)
    await page.getByRole('button', { name: 'Change and run' }).click()
    await page.getByText(/^About \$0\.0/).waitFor()
    await page.getByLabel('Tier').selectOption('priority')
    await page.getByText(/^About \$0\.018/).waitFor()
    await page.getByRole('button', { name: 'Run', exact: true }).click()
    await page.getByText('session kept').waitFor()
    await page.getByRole('tab', { name: 'Cost' }).click()
    await page.getByText('priority × 1.8').waitFor()
    await page.close()
  })

  test('a dropped file and a prompt are enough for an estimate', async () => {
    const page = await openConsole('/')
    await page
      .locator('#run-chooser')
      .setInputFiles({ name: 'a.txt', mimeType: 'text/plain', buffer: Buffer.from('Total: 1') })
    await page.getByLabel('Prompt').fill('Extract the total')
    await page.getByText(/^About \$0/).waitFor()
    await page.close()
  })

  test('a stored file alone is not estimated: it has no task yet', async () => {
    const file = await service.upload(Buffer.from('Total: 1'), 'a.txt')
    const page = await openConsole(`/?file=${file.id}`)
    const estimates: number[] = []
    page.on('response', (reply) => {
      if (reply.url().endsWith('/v1/agent/estimate')) estimates.push(reply.status())
    })
    await page.getByText('a.txt').waitFor()
    await page.clock.install()
    await page.getByLabel('Tier').selectOption('priority')
    await page.clock.runFor(5_000)
    await page.getByLabel('Prompt').fill('Extract the total')
    await page.clock.runFor(5_000)
    await page.getByText(/^About \$0/).waitFor()
    expect(estimates).toEqual([200])
    await page.close()
  })

  test("audio and video files play, in ranges and under the page's policy", async () => {
    const file = await service.upload(wave(), 'tone.wav')
    const body = { inputs: { tone: { type: 'input_file', file_id: file.id } }, config: { prompt: 'Extract the total' } }
    const { json } = await service.call('POST', '/v1/agent/execute', { body })
    const page = await openConsole(`/executions/${json.id}`)
    const player = page.locator('audio')
    await player.waitFor()
    await expect
      .poll(() => player.evaluate((one) => (one as unknown as { duration: number }).duration))
      .toBeCloseTo(1, 1)
    expect(browser.complaints).toEqual([])
    await page.close()
  })

  test('ten thousand executions scroll with few rows rendered, from first to last', async () => {
    const { id } = await execute({ ...total, metadata: { session_id: 'many' } })
    await service.database.db.query('create unlogged table copies as select * from executions where id = $1', [id])
    await service.database.db.query(
      `do $$ declare names text; begin
         select string_agg(quote_ident(column_name), ',') into names from information_schema.columns
          where table_name = 'executions' and column_name not in ('id', 'created_at', 'client_id');
         execute format('insert into executions (id, created_at, %s) select gen_random_uuid(), created_at - n * interval ''1 second'', %s from copies, generate_series(1, 9999) n', names, names);
       end $$`,
      [],
    )
    const page = await openConsole('/executions?session_id=many')
    const rows = page.getByRole('list', { name: 'Executions' }).getByRole('listitem')
    await rows.first().waitFor()
    const scrolled = await page.evaluate(scrollToEnd, 'ol.executions')
    expect(scrolled.most).toBeLessThan(60)
    expect(scrolled.size).toBe(10_000)
    expect(scrolled.position).toBe(10_000)
    await page.close()
  })

  test('the API reference shows every route of openapi.json without a key, and can be searched', async () => {
    const page = await browser.page()
    await page.goto('/docs/api')
    const { json } = await service.call('GET', '/openapi.json')
    const operations = Object.values(json.paths as Record<string, object>).flatMap((path) => Object.keys(path))
    await expect.poll(() => page.locator('article[aria-label*=" /"]').count()).toBe(operations.length)
    await page.getByLabel('Find').fill('execute agent')
    await expect.poll(() => page.locator('article').count()).toBeLessThan(operations.length / 5)
    const card = page.getByRole('article', { name: 'POST /v1/agent/execute' })
    await card.getByText('curl example').click()
    expect(await card.locator('pre').textContent()).toContain(`curl -X POST '${service.url}/v1/agent/execute'`)
    await page.getByLabel('Find').fill('')
    await page.goto('/docs/api#getUsage')
    await expect
      .poll(() =>
        page.getByRole('article', { name: 'GET /v1/usage' }).evaluate((one) => one.getBoundingClientRect().top),
      )
      .toBeLessThan(100)
    expect(browser.complaints).toEqual([])
    await page.close()
  })

  test('the first load is at most 60 kB of compressed script; charts and other screens load on demand', async () => {
    const folder = new URL('../packages/console/dist/', import.meta.url)
    const html = await readFile(new URL('index.html', folder), 'utf8')
    const names = [...html.matchAll(/assets\/[^"]+\.js/g)].map(([name]) => name)
    const sizes = await Promise.all(names.map(async (name) => gzipSync(await readFile(new URL(name, folder))).length))
    expect(names.length).toBeGreaterThan(0)
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(60_000)
    expect((await readdir(new URL('assets/', folder))).filter((name) => /^usage-screen.*js$/.test(name))).toHaveLength(
      1,
    )
    expect(html).not.toContain('usage-screen')
  })
})

/** One second of silence: PCM, 8,000 samples of a byte (RIFF WAVE). */
function wave(): Uint8Array {
  const samples = 8_000
  const head = Buffer.alloc(44)
  head.write('RIFF', 0)
  head.writeUInt32LE(36 + samples, 4)
  head.write('WAVEfmt ', 8)
  head.writeUInt32LE(16, 16)
  head.writeUInt16LE(1, 20)
  head.writeUInt16LE(1, 22)
  head.writeUInt32LE(samples, 24)
  head.writeUInt32LE(samples, 28)
  head.writeUInt16LE(1, 32)
  head.writeUInt16LE(8, 34)
  head.write('data', 36)
  head.writeUInt32LE(samples, 40)
  return Buffer.concat([head, Buffer.alloc(samples, 128)])
}
