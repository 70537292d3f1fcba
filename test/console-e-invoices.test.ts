import { describe, expect, test } from 'vitest'
import { eInvoice, madeCii, madeHybridPdf } from '../packages/reader/src/media/testing/made-e-invoice.ts'
import { skipsBrowser } from './support/browser.ts'
import { openTestConsole } from './support/console.ts'
import { opened } from './support/opened.ts'

const shown = await opened(openTestConsole())

describe.skipIf(skipsBrowser)('an electronic invoice in the console', () => {
  test('shows the XML element of the value that the pointer is on, also where no page shows the value', async () => {
    const { service } = shown
    const pdf = await madeHybridPdf(['Annex to the invoice'], [{ name: 'factur-x.xml', text: madeCii(eInvoice) }])
    const { id } = await service.upload(pdf, 'invoice.pdf')
    const properties = { invoice_number: { type: 'string' }, total: { type: 'number' } }
    const body = {
      inputs: { paper: { type: 'input_file', file_id: id } },
      config: { prompt: 'Extract the fields', json_schema: { type: 'object', properties } },
    }
    const json = await service.execute(body)
    const page = await shown.page(`/executions/${json.id}`)
    const element = page.locator('.document .element')
    expect(await element.textContent()).toContain('Point at a value')
    await page.locator('[data-pointer="/total"]').hover()
    await expect.poll(() => element.textContent()).toMatch(/^\/rsm:CrossIndustryInvoice\/.*\/ram:GrandTotalAmount$/)
  })
})
