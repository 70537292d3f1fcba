// Draws docs/images/*.png: the screens of the console with the sample invoice and a batch, in light and dark colours, and a page of the
// documentation site (npm run docs). film.ts draws the moving one.
// Needs Chromium. With names, such as `docs-site`, only these.
import { readFile, writeFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import sharp from 'sharp'
import { type Shown, withConsole } from '../bench/console-to-look-at.ts'

const wanted = process.argv.slice(2)
const folder = new URL('../docs/images/', import.meta.url)
const samples = new URL('../samples/', import.meta.url)
const batchSize = 12
const desk = { width: 1440, height: 900 }
const tablet = { width: 1024, height: 768 }
const phone = { width: 390, height: 844 }

interface Picture {
  readonly name: string
  readonly path: string
  readonly size?: { readonly width: number; readonly height: number }
  readonly colours?: 'light' | 'dark'
  /** What is done on the screen before the picture is taken. */
  readonly prepare: (page: Page) => Promise<unknown>
}

const documentOf = (page: Page): Promise<void> => page.locator('.page img').waitFor()

const picturesOf = ({ execution, batch }: { execution: string; batch: string }): readonly Picture[] => [
  {
    name: 'console-execution',
    path: execution,
    async prepare(page) {
      await documentOf(page)
      await page.locator('[data-pointer="/due_date"]').hover()
      await page.locator('[data-box="/due_date"].active').waitFor()
    },
  },
  { name: 'console-execution-dark', path: execution, colours: 'dark', prepare: documentOf },
  { name: 'console-execution-phone', path: execution, size: phone, prepare: documentOf },
  {
    name: 'console-correct',
    path: `${execution}?correct=1`,
    async prepare(page) {
      await documentOf(page)
      await page.locator('[data-pointer="/due_date"]').getByRole('button').click()
      await page.getByRole('form').waitFor()
    },
  },
  {
    name: 'console-steps',
    path: `${execution}?view=steps`,
    size: tablet,
    prepare: documentOf,
  },
  { name: 'console-batch', path: batch, prepare: (page) => page.getByText('completed').nth(2).waitFor() },
  {
    name: 'console-executions',
    path: '/executions',
    prepare: (page) => page.locator('.execution-row').first().waitFor(),
  },
  {
    name: 'console-run',
    path: '/',
    size: tablet,
    prepare: (page) => page.getByRole('button', { name: 'Invoice' }).click(),
  },
  { name: 'console-skills', path: '/skills', prepare: (page) => page.getByText('New skill').waitFor() },
  {
    name: 'docs-site',
    path: '/docs/concepts.html',
    prepare: (page) => page.getByAltText('A request enters a queue').waitFor(),
  },
  {
    name: 'console-palette',
    path: '/usage',
    colours: 'dark',
    size: tablet,
    async prepare(page) {
      await page.getByRole('heading', { name: 'Usage', level: 1 }).waitFor()
      await page.keyboard.press('Control+k')
      await page.getByRole('dialog').waitFor()
    },
  },
]

await withConsole(draw)

async function draw({ url, key, browser }: Shown): Promise<void> {
  const call = async (path: string, init: RequestInit = {}) => {
    const response = await fetch(url + path, { ...init, headers: { ...init.headers, Authorization: `Bearer ${key}` } })
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`)
    // biome-ignore lint/suspicious/noExplicitAny: what each route answers is used at once.
    return (await response.json()) as any
  }
  const [first] = await call('/v1/agent/executions')
  const batch = await makeBatch(call)
  for (const { name, path, size = desk, colours = 'light', prepare } of picturesOf({
    execution: `/executions/${first.id}`,
    batch: `/batches/${batch}`,
  })) {
    if (wanted.length > 0 && !wanted.includes(name)) continue
    const page = await browser.newPage({ viewport: size, colorScheme: colours, locale: 'en-GB' })
    await page.goto(`${url}/health`)
    await page.getByLabel('API key').fill(key)
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Health', exact: true }).waitFor()
    await page.goto(url + path)
    await prepare(page)
    const bytes = await page.screenshot({ animations: 'disabled' })
    const picture = await sharp(bytes).png({ palette: true, colours: 128, effort: 10 }).toBuffer()
    await writeFile(new URL(`${name}.png`, folder), picture)
    await page.context().close()
  }
}

/** A batch of the sample invoice under different names. Gives its id once it has ended. */
async function makeBatch(call: (path: string, init?: RequestInit) => Promise<{ id: string; status: string }>) {
  const invoice = await readFile(new URL('invoice.pdf', samples))
  const schema = JSON.parse(await readFile(new URL('invoice.schema.json', samples), 'utf8'))
  const items = []
  for (let n = 1; n <= batchSize; n++) {
    const body = new FormData()
    body.append('file', new Blob([invoice], { type: 'application/pdf' }), `invoice-${String(n).padStart(2, '0')}.pdf`)
    items.push({ file_id: (await call('/v1/files', { method: 'POST', body })).id })
  }
  const { id } = await call('/v1/agent/batches', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({
      name: 'March invoices',
      service_tier: 'standard',
      items,
      config: { prompt: 'Extract the invoice', json_schema: schema },
    }),
  })
  for (;;) {
    const { status } = await call(`/v1/agent/batches/${id}`)
    if (status === 'completed') return id
    await new Promise((next) => setTimeout(next, 500))
  }
}
