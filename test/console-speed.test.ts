import { beforeAll, describe, expect, test } from 'vitest'
import { skipsBrowser } from './support/browser.ts'
import { openTestConsole, settled } from './support/console.ts'
import { invoiceLines, invoiceSchema, makePdf } from './support/documents.ts'
import { layoutShift, watchShifts } from './support/in-page.mjs'
import { opened } from './support/opened.ts'
import { lookAgain } from './support/until.ts'

const shown = await opened(openTestConsole())
let execution: string
let batch: string

beforeAll(async () => {
  if (skipsBrowser) return
  const { service } = shown
  const file = await service.upload(await makePdf([invoiceLines]), 'invoice.pdf')
  const config = { prompt: 'Extract the fields of this invoice', json_schema: invoiceSchema, review: { below: 1 } }
  const { json } = await service.call('POST', '/v1/agent/batches', {
    body: { items: [{ file_id: file.id }, { file_id: file.id }], service_tier: 'standard', config },
  })
  batch = `/batches/${json.id}`
  let { status } = json
  while (status !== 'completed') {
    ;({ status } = (await service.call('GET', `/v1/agent${batch}`)).json)
    await lookAgain()
  }
  const [one] = (await service.call('GET', `/v1/agent${batch}/items`)).json
  execution = `/executions/${one.execution_id}`
  // The review queue has figures, and one execution waits in it.
  await service.call('POST', `/v1/agent${execution}/review`, {
    body: { changes: [{ path: '/total', kind: 'confirmed' }], done: true },
  })
})

describe.skipIf(skipsBrowser)('a screen that loads', () => {
  test.each([
    [1440, 900],
    [1024, 768],
    [390, 844],
  ])('moves nothing that is shown already, in %i × %i', async (width, height) => {
    const page = await shown.page()
    await page.addInitScript(watchShifts)
    await page.setViewportSize({ width, height })
    const all = ['/', '/executions', '/batches', '/review', '/files', '/skills', '/usage', '/keys', '/users', '/queues']
    const shifts: [string, number, unknown][] = []
    for (const path of [
      execution,
      `${execution}?view=steps`,
      batch,
      ...all,
      '/settings',
      '/audit',
      '/tools',
      '/agents',
    ]) {
      await page.goto(path)
      await settled(page)
      const { sum, sources } = await page.evaluate(layoutShift)
      shifts.push([path, sum, sources])
    }
    expect(shifts.filter(([, sum]) => sum > 0.02)).toEqual([])
    await page.close()
  })

  test('requests the page of a document while it waits for the rest', async () => {
    const page = await shown.page()
    const { promise: isRequested, resolve } = Promise.withResolvers<void>()
    page.on('request', (request) => /\/pages\/0\?/.test(request.url()) && resolve())
    // The steps come after the page only: a screen that waited for them would never have requested it.
    await page.route(/\/steps$/, async (route) => {
      await isRequested
      await route.continue()
    })
    await page.goto(execution)
    await page.locator('.page img').waitFor()
    expect(
      await page.evaluate(
        `performance.getEntriesByType('resource').filter(({ name }) => /pages\\/0/.test(name)).length`,
      ),
    ).toBe(1)
    await page.close()
  })
})
