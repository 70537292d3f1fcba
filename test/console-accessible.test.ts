import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { createClient } from '../packages/client/src/skillrun.ts'
import { violations } from './support/axe.ts'
import { skipsBrowser } from './support/browser.ts'
import { openTestConsole, settled } from './support/console.ts'
import { invoiceLines, invoiceSchema, makePdf } from './support/documents.ts'
import { endWalk, focused, keepEveryTenth, overflow, startWalk, stepOfWalk } from './support/in-page.mjs'
import { opened } from './support/opened.ts'
import { lookAgain } from './support/until.ts'

const shown = await opened(openTestConsole())
let execution: string
let batch: string
let skill: string

beforeAll(async () => {
  if (skipsBrowser) return
  const file = await shown.service.upload(await makePdf([invoiceLines]), 'invoice.pdf')
  const config = { prompt: 'Extract the fields of this invoice', json_schema: invoiceSchema, review: { below: 1 } }
  const { call } = shown.service
  const made = await call('POST', '/v1/agent/execute', {
    body: { batch: false, inputs: { invoice: { type: 'input_file', file_id: file.id } }, config },
  })
  execution = `/executions/${made.json.id}`
  const items = [{ file_id: file.id }]
  const many = await call('POST', '/v1/agent/batches', { body: { items, service_tier: 'standard', config } })
  batch = `/batches/${many.json.id}`
  let { status } = many.json
  while (status !== 'completed') {
    ;({ status } = (await call('GET', `/v1/agent${batch}`)).json)
    await lookAgain()
  }
  const client = createClient({ url: shown.service.url, key: shown.service.key })
  const text = '---\nname: totals\ndescription: Reads totals\nmetadata:\n  task: extract\n---\nRead the total.\n'
  const folder = { 'SKILL.md': text, 'schema.json': JSON.stringify(invoiceSchema) }
  const created = await client.skills.create({ name: 'totals', description: 'Reads totals', folder })
  skill = `/skills/${created.id}`
})

const screens = () => [
  '/',
  '/executions',
  '/batches',
  batch,
  '/review',
  ...['answer', 'steps', 'request', 'cost', 'proof', 'json'].map((view) => `${execution}?view=${view}`),
  `${execution}?correct=1`,
  '/skills',
  '/skills/new',
  skill,
  '/files',
  '/usage',
  '/keys',
  '/users',
  '/health',
  '/docs/api',
]

/** Opens a screen and waits until it shows what it loads. */
async function open(page: Page, path: string): Promise<void> {
  await page.goto(path)
  await settled(page)
}

describe.skipIf(skipsBrowser)('the console for everybody', () => {
  test('axe finds no violation of WCAG 2.2 AA on any screen, nor in the menus and the command palette', async () => {
    const page = await shown.page()
    for (const path of screens()) {
      await open(page, path)
      if (path === '/docs/api') {
        // What a rule finds by comparing an element with all others takes 15 seconds here. The articles are all made alike.
        expect(await violations(page, ['color-contrast', 'target-size'])).toEqual([])
        expect(await page.evaluate(keepEveryTenth, 'article.endpoint')).toBeGreaterThan(20)
      }
      expect([path, await violations(page)]).toEqual([path, []])
    }
    await page.goto(execution)
    await page.getByText('Legend').click()
    expect(await violations(page)).toEqual([])
    await page.keyboard.press('Control+k')
    await page.getByRole('dialog', { name: 'Go to' }).waitFor()
    expect(await violations(page)).toEqual([])
    await page.close()
  })

  test('the Tab key reaches everything on each screen, in view and with a focus ring', {
    timeout: 240_000,
  }, async () => {
    const page = await shown.page()
    const faults: string[] = []
    // The pages of the operators are checked by axe in their own test.
    for (const path of [...screens(), '/queues', '/settings', '/audit', '/agents', '/sessions', '/chat', '/tools']) {
      if (path === '/docs/api') continue
      await open(page, path)
      const many = await page.evaluate(startWalk)
      expect(many).toBeGreaterThan(20)
      for (let n = 0; n < many + 3; n += 1) {
        await page.keyboard.press('Tab')
        await page.evaluate(stepOfWalk)
      }
      faults.push(...(await page.evaluate(endWalk)).map((fault) => `${path}: ${fault}`))
    }
    expect(faults).toEqual([])
    await page.close()
  })

  test('the command palette goes to a screen by a part of its name, and Escape closes it', async () => {
    const page = await shown.page(execution)
    await page.getByRole('tab', { name: 'Answer' }).waitFor()
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox', { name: 'Screen' }).fill('usa')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Usage', exact: true }).waitFor()
    await page.keyboard.press('Control+k')
    const dialog = page.getByRole('dialog', { name: 'Go to' })
    await dialog.waitFor()
    await page.keyboard.press('Escape')
    await expect.poll(() => dialog.count()).toBe(0)
    await page.close()
  })

  test('arrows move between the parts of an execution, and a link leads to each part', async () => {
    const page = await shown.page(execution)
    await page.getByRole('tab', { name: 'Answer' }).focus()
    await page.keyboard.press('ArrowRight')
    expect(await page.evaluate(focused)).toMatchObject({ text: 'Steps' })
    await page.getByRole('region', { name: 'Steps' }).waitFor()
    await page.reload()
    await page.getByRole('region', { name: 'Steps' }).waitFor()
    await page.close()
  })

  test('document and answer fill the window and scroll alone', async () => {
    const page = await shown.page(execution)
    await page.locator('.page img').waitFor()
    for (const [width, height] of [
      [1440, 900],
      [1024, 768],
    ] as const) {
      await page.setViewportSize({ width, height })
      const answer = await page.getByRole('tabpanel').boundingBox()
      const paper = await page.getByRole('region', { name: 'Page' }).boundingBox()
      expect((answer?.y ?? 0) + (answer?.height ?? 0)).toBe(height)
      expect((paper?.y ?? 0) + (paper?.height ?? 0)).toBe(height)
      expect(paper?.x).toBeLessThan(answer?.x ?? 0)
      expect(await page.evaluate('document.documentElement.scrollHeight')).toBe(height)
      expect(await page.evaluate(overflow)).toBe(0)
    }
    await page.close()
  })

  test('a chosen theme stays in this browser and wins over the operating system', async () => {
    const page = await shown.page('/health')
    await page.emulateMedia({ colorScheme: 'light' })
    const ground = () => page.evaluate('getComputedStyle(document.documentElement).backgroundColor')
    const light = await ground()
    await page.getByRole('button', { name: 'dark' }).click()
    const dark = await ground()
    expect(dark).not.toBe(light)
    await page.reload()
    await page.getByRole('button', { name: 'dark', pressed: true }).waitFor()
    expect(await ground()).toBe(dark)
    await page.getByRole('button', { name: 'system' }).click()
    expect(await ground()).toBe(light)
    expect(shown.browser.complaints).toEqual([])
    await page.close()
  })
})
