import { readdir, readFile } from 'node:fs/promises'
import { gzipSync } from 'node:zlib'
import type { BrowserContext, Page } from 'playwright-core'
import { invoiceLines, invoiceSchema, makePdf } from '../test/support/documents.ts'
import { type Shown, withConsole } from './console-to-look-at.ts'

/**
 * The console in Chromium: the size and time of the first load, the time until an execution shows the page of a PDF that
 * was never drawn before, and the frame times when a list of 10,000 executions scrolls. The rows are copies of one real record that the browser supplies, so that only the page is measured.
 *
 *     node bench/console.ts
 *
 * Prints kilobytes, milliseconds, and the times between frames while 600 frames scroll. The floor is an empty page that
 * scrolls the same distance.
 */
const rowsCount = 10_000

await withConsole(async (shown) => {
  console.log(JSON.stringify(await measure(shown), null, 2))
})

async function measure({ url, key, browser }: Shown) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 } })
  const firstLoads = []
  for (let round = 0; round < 5; round++) firstLoads.push(await firstLoad(browser.newContext(), url))
  const page = await openList(context, { url, key })
  return {
    script_kilobytes: await scriptKilobytes(),
    first_load_ms: firstLoads.toSorted((a, b) => a - b),
    first_page_ms: await firstPages(await browser.newContext(), { url, key }),
    scroll_slow: await scroll(page, 120),
    scroll_fast: await scroll(page, 1_200),
    floor: await floor(context),
  }
}

/** Compressed size by chunk. */
async function scriptKilobytes(): Promise<Record<string, number>> {
  const assets = new URL('../packages/console/dist/assets/', import.meta.url)
  const names = (await readdir(assets)).filter((name) => name.endsWith('.js'))
  const sizes = names.map(async (name) => {
    const bytes = gzipSync(await readFile(new URL(name, assets))).length
    return [name.slice(0, -'-XXXXXXXX.js'.length), Math.round(bytes / 100) / 10] as const
  })
  return Object.fromEntries(await Promise.all(sizes))
}

/** Milliseconds from the first request to the prompt for the key, with an empty cache. */
async function firstLoad(opening: Promise<BrowserContext>, url: string): Promise<number> {
  const context = await opening
  const page = await context.newPage()
  await page.goto(url)
  await page.getByLabel('API key').waitFor()
  const ms = await page.evaluate(
    `performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? performance.now()`,
  )
  await context.close()
  return Math.round(Number(ms))
}

/** Milliseconds from the request of an execution's screen to the drawn page of its document, which is another one each time. */
async function firstPages(context: BrowserContext, { url, key }: { url: string; key: string }): Promise<number[]> {
  const page = await signedIn(context, { url, key })
  const call = async (path: string, body: string | FormData, type?: string) => {
    const headers = { Authorization: `Bearer ${key}`, ...(type ? { 'Content-Type': type } : {}) }
    return (await (await fetch(url + path, { method: 'POST', headers, body })).json()) as { id: string }
  }
  const times: number[] = []
  for (let round = 0; round < 7; round++) {
    const form = new FormData()
    const bytes = await makePdf([[...invoiceLines, `Copy ${round}`]])
    form.append('file', new Blob([new Uint8Array(bytes)]), `invoice-${round}.pdf`)
    const { id: file_id } = await call('/v1/files', form)
    const body = {
      batch: false,
      inputs: { invoice: { type: 'input_file', file_id } },
      config: { prompt: 'Extract the fields of this invoice', json_schema: invoiceSchema },
    }
    const { id } = await call('/v1/agent/execute', JSON.stringify(body), 'application/json')
    await page.goto(`${url}/executions/${id}`)
    await page.locator('.page img').waitFor()
    times.push(
      Math.round(
        Number(await page.evaluate(`document.querySelector('.page img').decode().then(() => performance.now())`)),
      ),
    )
  }
  return times.toSorted((a, b) => a - b)
}

async function signedIn(context: BrowserContext, { url, key }: { url: string; key: string }): Promise<Page> {
  const page = await context.newPage()
  await page.goto(`${url}/health`)
  await page.getByLabel('API key').fill(key)
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Health', exact: true }).waitFor()
  return page
}

async function openList(context: BrowserContext, { url, key }: { url: string; key: string }): Promise<Page> {
  const page = await signedIn(context, { url, key })
  const reply = await fetch(`${url}/v1/agent/executions`, { headers: { Authorization: `Bearer ${key}` } })
  const [record] = (await reply.json()) as object[]
  await page.route('**/v1/agent/executions?*', (route) => {
    const { searchParams } = new URL(route.request().url())
    const [from, limit] = [Number(searchParams.get('cursor') ?? 0), Number(searchParams.get('limit'))]
    const end = Math.min(rowsCount, from + limit)
    const rows = Array.from({ length: end - from }, (_, index) => ({ ...record, id: `row-${from + index}` }))
    const link = `</v1/agent/executions?limit=${limit}&cursor=${end}>; rel="next"`
    return route.fulfill({ json: rows, headers: end < rowsCount ? { link } : {} })
  })
  await page.goto(`${url}/executions`)
  await page.locator('ol.executions li').first().waitFor()
  await page.evaluate(`(async () => {
    const list = document.querySelector('ol.executions')
    while (list.lastElementChild.getAttribute('aria-setsize') !== '${rowsCount}') {
      window.scrollTo(0, document.documentElement.scrollHeight)
      await new Promise((next) => requestAnimationFrame(next))
    }
  })()`)
  return page
}

/** An empty page as tall as the list. */
async function floor(context: BrowserContext) {
  const page = await context.newPage()
  await page.setContent('<ol class="executions" style="height: 700000px"><li></li></ol>')
  return scroll(page, 1_200)
}

function scroll(page: Page, pixels: number): Promise<unknown> {
  return page.evaluate(`(async () => {
    const list = document.querySelector('ol.executions')
    const frame = () => new Promise((next) => requestAnimationFrame(next))
    const times = []
    let rows = 0
    window.scrollTo(0, 0)
    await frame()
    let before = await frame()
    for (let n = 0; n < 600; n++) {
      window.scrollBy(0, ${pixels})
      const now = await frame()
      times.push(Math.round(10 * (now - before)) / 10)
      before = now
      rows = Math.max(rows, list.children.length)
    }
    times.sort((a, b) => a - b)
    const at = (share) => times[Math.floor(share * (times.length - 1))]
    return { frames: times.length, p50_ms: at(0.5), p95_ms: at(0.95), p99_ms: at(0.99), max_ms: at(1), rows_drawn_at_most: rows }
  })()`)
}
