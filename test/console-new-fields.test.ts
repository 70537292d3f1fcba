import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { violations } from './support/axe.ts'
import { skipsBrowser } from './support/browser.ts'
import { openTestConsole } from './support/console.ts'
import { invoiceLines, makePdf } from './support/documents.ts'
import { overflow } from './support/in-page.mjs'
import { opened } from './support/opened.ts'
import type { Answer } from './support/service.ts'

const shown = await opened(openTestConsole())

const schemaOf = (...names: readonly string[]) => ({
  type: 'object',
  properties: Object.fromEntries(
    names.map((name) => [name, { type: [name === 'total' ? 'number' : 'string', 'null'] }]),
  ),
  required: names,
})
const dialogOf = (page: Page) => page.getByRole('dialog', { name: 'Ask new fields' })

async function invoice(name: string): Promise<Answer['json']> {
  return shown.service.upload(await makePdf([invoiceLines]), name)
}
const execute = (body: object) => shown.service.execute(body)
const read = async (path: string) => (await shown.service.call('GET', path)).json
async function ended(id: string): Promise<Answer['json']> {
  const batch = () => read(`/v1/agent/batches/${id}`)
  await expect.poll(async () => (await batch()).status, { timeout: 60_000, interval: 50 }).toBe('completed')
  return batch()
}

describe.skipIf(skipsBrowser)('new fields in the console', () => {
  test('a batch is asked for a field that its schema lacked, and its other values stay as people left them', async () => {
    const { service } = shown
    const files = [await invoice('first.pdf'), await invoice('second.pdf')]
    const { json } = await service.call('POST', '/v1/agent/batches', {
      body: {
        name: 'May',
        items: [...files.map(({ id }) => ({ file_id: id })), { inputs: { mail: 'x' }, file_name: 'nothing to find' }],
        config: { prompt: 'Extract the fields of this invoice', json_schema: schemaOf('total') },
      },
    })
    await ended(json.id)
    const items = await read(`/v1/agent/batches/${json.id}/items`)
    // A corrected value shows that it was kept and not read again.
    const corrected = await service.call('POST', `/v1/agent/executions/${items[0].execution_id}/review`, {
      body: { changes: [{ path: '/total', value: 150 }], done: true },
    })
    expect(corrected.status, JSON.stringify(corrected.json)).toBeLessThan(300)
    const before = await Promise.all(
      items.slice(0, 2).map(({ execution_id }: Answer['json']) => read(`/v1/agent/executions/${execution_id}`)),
    )
    const page = await shown.page(`/batches/${json.id}`)
    await page.getByRole('button', { name: 'Ask new fields…' }).click()
    const dialog = dialogOf(page)
    await dialog.getByText('2 executions will be asked').waitFor()
    await dialog.getByText('Left out: 1 execution not completed').waitFor()
    const start = dialog.getByRole('button', { name: 'Ask 2 executions' })
    await dialog.getByLabel('Name').fill('total')
    await dialog.getByText('asked for total already').waitFor()
    expect(await start.isDisabled()).toBe(true)
    await dialog.getByLabel('Name').fill('invoice_number')
    await dialog.getByLabel('Description of invoice_number').fill('Number of the invoice')
    await dialog.getByText(/Estimated cost \$?[\d.]+.*no model is asked/).waitFor()
    expect(await violations(page)).toEqual([])
    for (const [width, height] of [
      [1440, 900],
      [390, 844],
    ] as const) {
      await page.setViewportSize({ width, height })
      expect(await page.evaluate(overflow)).toBe(0)
      const box = await start.boundingBox()
      expect((box?.x ?? 0) + (box?.width ?? width)).toBeLessThanOrEqual(width)
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme })
        const folder = process.env['NEW_FIELDS_PICTURES']
        if (folder) await page.screenshot({ path: `${folder}/${width}-${colorScheme}.png` })
      }
    }
    await start.click()
    await page.getByRole('heading', { name: 'New fields: invoice_number (May)' }).waitFor()
    const id = new URL(page.url()).pathname.split('/').at(-1) ?? ''
    expect(id).not.toBe(json.id)
    await ended(id)
    await page.getByRole('list', { name: 'Results' }).getByText('INV-2041').first().waitFor()
    const after = await read(`/v1/agent/batches/${id}/items`)
    expect(after.map(({ response }: Answer['json']) => response)).toEqual([
      { total: 150, invoice_number: 'INV-2041' },
      { total: 144, invoice_number: 'INV-2041' },
    ])
    for (const [at, base] of before.entries()) {
      expect(after[at].base_execution).toBe(base.id)
      expect(await read(`/v1/agent/executions/${base.id}`)).toEqual(base)
    }
    expect(shown.browser.complaints).toEqual([])
    await page.close()
  })

  test('a batch whose schema its skill gives is asked too, and keeps what people corrected', async () => {
    const { service } = shown
    const of = {
      name: 'totals',
      description: 'Reads totals.',
      prompt: 'Read the total',
      json_schema: schemaOf('total'),
    }
    const skill = await service.call('POST', '/v1/skills/create', { body: of })
    const { json } = await service.call('POST', '/v1/agent/batches', {
      body: {
        items: [{ file_id: (await invoice('of-skill.pdf')).id }],
        config: { skills: [{ type: 'skill_reference', skill_id: skill.json.id }] },
      },
    })
    await ended(json.id)
    const [item] = await read(`/v1/agent/batches/${json.id}/items`)
    const changes = [{ path: '/total', value: 150 }]
    await service.call('POST', `/v1/agent/executions/${item.execution_id}/review`, { body: { changes, done: true } })
    const page = await shown.page(`/batches/${json.id}`)
    await page.getByRole('button', { name: 'Ask new fields…' }).click()
    await dialogOf(page).getByLabel('Name').fill('invoice_number')
    await dialogOf(page).getByLabel('Description of invoice_number').fill('Number of the invoice')
    await dialogOf(page).getByRole('button', { name: 'Ask 1 execution' }).click()
    await page.getByRole('heading', { name: 'New fields: invoice_number' }).waitFor()
    const id = new URL(page.url()).pathname.split('/').at(-1) ?? ''
    await ended(id)
    const [asked] = await read(`/v1/agent/batches/${id}/items`)
    expect(asked.response).toEqual({ total: 150, invoice_number: 'INV-2041' })
    await page.close()
  })

  test('selected executions are asked where they can be, and the dialog says why others cannot', async () => {
    const { service } = shown
    const run = async (schema: object, more: object = {}) =>
      execute({ inputs: { mail: 'Total: 5.00' }, config: { prompt: 'Read', json_schema: schema }, ...more })
    const [one, other] = [await run(schemaOf('total')), await run(schemaOf('total', 'sender'))]
    const gone = await run(schemaOf('total'), { metadata: { allow_retention: false } })
    const page = await shown.page('/executions')
    const boxes = page.getByRole('list', { name: 'Executions, newest first' })
    const choose = async (...ids: readonly string[]) => {
      await page.reload()
      for (const id of ids)
        await boxes
          .locator('.execution-row', { has: page.locator(`a[href$="${id}"]`) })
          .getByRole('checkbox')
          .check()
      await page.getByRole('button', { name: 'Ask new fields…' }).click()
      return dialogOf(page)
    }
    await (await choose(one.id, other.id)).getByText('different schemas').waitFor()
    await (await choose(gone.id)).getByText('1 execution whose content is not retained').waitFor()
    const dialog = await choose(one.id, gone.id)
    await dialog.getByText('Left out: 1 execution whose content is not retained').waitFor()
    await dialog.getByLabel('Name').fill('sender')
    const asking = page.waitForRequest(
      (request) => request.method() === 'POST' && new URL(request.url()).pathname === '/v1/agent/batches',
    )
    await dialog.getByRole('button', { name: 'Ask 1 execution' }).click()
    await page.getByRole('heading', { name: 'New fields: sender' }).waitFor()
    const id = new URL(page.url()).pathname.split('/').at(-1) ?? ''
    // A start that is repeated after a lost reply finds the batch that it began.
    const sent = await asking
    const headers = { 'Idempotency-Key': (await sent.headerValue('idempotency-key')) ?? '' }
    const again = await service.call('POST', '/v1/agent/batches', { headers, body: sent.postData() ?? '' })
    expect(again.json, JSON.stringify(again.json)).toMatchObject({ id })
    await ended(id)
    expect(await read(`/v1/agent/batches/${id}/items`)).toMatchObject([
      { base_execution: one.id, response: { total: 5 } },
    ])
    // Who may only read is not offered it.
    const { json: reader } = await service.call('POST', '/v1/keys', { body: { name: 'reader', scopes: ['read'] } })
    const reading = await shown.page(`/batches/${id}`, reader.key)
    await reading.getByRole('list', { name: 'Results' }).getByRole('listitem').first().waitFor()
    await reading.waitForLoadState('networkidle')
    expect(await reading.getByRole('button', { name: 'Create skill' }).or(reading.getByText('Export')).count()).toBe(1)
    expect(await reading.getByRole('button', { name: 'Ask new fields…' }).count()).toBe(0)
    await page.close()
    await reading.close()
  })
})
