import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { skipsBrowser } from './support/browser.ts'
import { openTestConsole } from './support/console.ts'
import { makePdf } from './support/documents.ts'
import { transferOf } from './support/in-page.mjs'
import { opened } from './support/opened.ts'
import { readWorkbook } from './support/workbook.ts'

const schema = {
  type: 'object',
  properties: {
    invoice_number: { type: ['string', 'null'] },
    invoice_date: { type: ['string', 'null'], format: 'date' },
    total: { type: ['number', 'null'] },
  },
  required: ['invoice_number', 'invoice_date', 'total'],
}

const day = (n: number): string => String(1 + (n % 28)).padStart(2, '0')
const amount = (n: number): string => (100 + n * 7.25).toFixed(2)

/** Layouts of two suppliers that say what each value is. */
const clear = [
  (n: number) => [
    'Kestrel Coffee Roasters Ltd',
    'INVOICE',
    `Invoice No: KR-${1000 + n * 13}`,
    `Invoice Date: 2026-03-${day(n)}`,
    `Total: GBP ${amount(n)}`,
  ],
  (n: number) => [
    'Northwind Paper Ltd.',
    'Invoice',
    `Invoice Date: 2026-03-${day(n)}`,
    `Invoice No: NW-${7000 + n * 17}`,
    'Terms: 30 days net',
    `Total: GBP ${amount(n)}`,
  ],
]
/** Layouts with two numbers, neither of which is called the invoice's. The reader gives one of the first two as unsure, and none in the others. */
const unclear = [
  (n: number) => ['Harbour Supplies', 'Invoice', `Document: HS-${4000 + n}`, `Order: AB-${70 + n}`],
  (n: number) => ['Harbour Supplies', 'Invoice', `Document number: HS-${4000 + n}`, `File number: C-${7700 + n}`],
  (n: number) => ['Harbour Supplies', 'Invoice', `Winch: ${40 + n}`, `Bay: ${60 + n}`],
  (n: number) => ['Harbour Supplies', 'Invoice', `Berth: ${10 + n}`, `Crane: ${60 + n}`],
].map((head) => (n: number) => [...head(n), `Invoice Date: 2026-03-${day(n)}`, `Total: GBP ${amount(n)}`])

/** Twenty documents from number `first` on; of the first twenty, four are unclear. */
const documents = (first: number): readonly (readonly string[])[] =>
  Array.from({ length: 20 }, (_, index) => {
    const n = first + index
    const layout = index < 16 ? clear[index % 2] : unclear[index - 16]
    return layout?.(n) ?? []
  })

const shown = await opened(openTestConsole())

/** Drops documents on the Run screen. */
async function drop(page: Page, name: string, pages: readonly (readonly string[])[]): Promise<void> {
  const files = await Promise.all(
    pages.map(async (lines, index) => ({
      name: `${name}-${String(index + 1).padStart(2, '0')}.pdf`,
      base64: Buffer.from(await makePdf([lines])).toString('base64'),
    })),
  )
  await page.locator('.drop').dispatchEvent('drop', { dataTransfer: await page.evaluateHandle(transferOf, files) })
}

const ended = (page: Page) => page.getByRole('status').getByText('completed').waitFor({ timeout: 120_000 })
const rowsOf = (page: Page) => page.getByRole('list', { name: 'Results' }).getByRole('listitem')

describe.skipIf(skipsBrowser)('a day in the back office', () => {
  test('twenty PDFs are read, the four doubtful values found, two corrected, the table exported, and a skill of them compiled that answers most of the next twenty', {
    timeout: 600_000,
  }, async () => {
    const { service, browser } = shown
    // What is less sure than the plainest invoices is for a person.
    await service.call('PUT', '/v1/reviews/settings', { body: { below: 0.975 } })
    const page = await shown.page('/')
    page.setDefaultTimeout(60_000)

    await drop(page, 'march', documents(1))
    // However many files there are, what is left to do stays in view.
    await page.getByRole('button', { name: 'Run 20 files' }).waitFor()
    expect((await page.getByLabel('Prompt').boundingBox())?.y).toBeLessThan(700)
    await page.getByLabel('Prompt').fill('Read the invoice')
    await page.getByRole('button', { name: 'JSON', exact: true }).click()
    await page.getByLabel('JSON Schema').fill(JSON.stringify(schema))
    await page.getByRole('button', { name: 'Run 20 files' }).click()
    await ended(page)
    await expect.poll(() => rowsOf(page).count()).toBe(20)
    const batch = new URL(page.url()).pathname

    await page.getByRole('button', { name: 'Needs a look' }).click()
    await expect.poll(() => rowsOf(page).count()).toBe(4)
    expect(await page.locator('.cell.warn').count()).toBe(4)
    expect(await page.getByTitle('Left out, with likely values to choose from').count()).toBe(2)
    for (const [index, right] of ['AB-87', 'C-7718'].entries()) {
      await page.goto(`${batch}?filter=look`)
      await page.locator('.cell.warn, .cell.bad').first().click()
      await page.getByRole('link', { name: 'Correct' }).click()
      await page.locator('[data-pointer="/invoice_number"]').getByRole('button').click()
      await page.getByRole('form', { name: 'Correct Invoice number' }).getByLabel('Invoice number').fill(right)
      await page.keyboard.press('Enter')
      await expect
        .poll(() => page.locator('[data-pointer="/invoice_number"] .proof').textContent())
        .toContain('corrected this value')
      await page.getByRole('button', { name: 'Finish the review' }).click()
      await page.getByText(/^reviewed by /).waitFor()
      await page.getByRole('link', { name: 'Back to the batch' }).click()
      await rowsOf(page).getByRole('link', { name: right }).waitFor()
      // Somebody has looked at it.
      expect(await rowsOf(page).getByRole('link', { name: right }).getAttribute('class')).not.toMatch(/warn|bad/)
      await page.goto(`${batch}?filter=look`)
      await expect.poll(() => rowsOf(page).count()).toBe(3 - index)
    }

    await page.goto(batch)
    await page.getByText('Export').click()
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Excel workbook' }).click(),
    ])
    const [sheet] = await readWorkbook(await readFile(await download.path()))
    const cells = sheet?.rows.slice(17, 19).map((row) => row.slice(0, 5).map((cell) => [cell?.type, cell?.text]))
    expect(cells).toEqual([
      [
        ['inlineStr', 'march-17.pdf'],
        ['inlineStr', 'completed'],
        ['inlineStr', 'AB-87'],
        ['n', '46099'],
        ['n', '223.25'],
      ],
      [
        ['inlineStr', 'march-18.pdf'],
        ['inlineStr', 'completed'],
        ['inlineStr', 'C-7718'],
        ['n', '46100'],
        ['n', '230.5'],
      ],
    ])

    await page.getByRole('link', { name: 'Create skill' }).click()
    await page.getByLabel(/^Name \(/).fill('supplier-invoices')
    await page.getByRole('button', { name: 'All (20)' }).click()
    await page.getByRole('button', { name: 'Create skill' }).click()
    await page.getByRole('region', { name: 'Test cases' }).getByText('known answers').waitFor()
    await page.getByRole('button', { name: 'Evaluate' }).click()
    const evaluation = page.getByRole('region', { name: 'Evaluation' })
    await evaluation.getByText('of fields agree with the test cases').waitFor({ timeout: 180_000 })
    expect(await evaluation.textContent()).toMatch(/9\d\.\d %.*Cases20/)
    await page.getByRole('button', { name: 'Compile', exact: true }).click()
    const program = page.getByRole('region', { name: 'Program' })
    await program.getByText('runs answered').waitFor({ timeout: 180_000 })
    expect(await program.textContent()).toMatch(/Checks passed(\d+) of \1/)
    const skill = page.url()

    await page.getByRole('button', { name: 'Run with this skill' }).click()
    await page.getByRole('checkbox', { name: /program of the skill/, checked: true }).waitFor()
    await drop(page, 'april', documents(101))
    await page.getByRole('button', { name: 'Run 20 files' }).click()
    await ended(page)
    const next = new URL(page.url()).pathname.split('/').at(-1)
    const { json } = await service.call('GET', `/v1/agent/executions?batch_id=${next}&limit=100`)
    const answered = json.filter((one: { program: unknown }) => one.program !== null).length
    expect(answered).toBeGreaterThan(10)
    await page.goto(skill)
    await expect.poll(() => program.textContent()).toContain(`${answered} runs answered`)
    expect(browser.complaints).toEqual([])
    await page.close()
  })
})
