import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { skipsBrowser } from './support/browser.ts'
import { openTestConsole } from './support/console.ts'
import { focused } from './support/in-page.mjs'
import { opened } from './support/opened.ts'

const shown = await opened(openTestConsole())

const text = { type: ['string', 'null'] }
const number = { type: ['number', 'null'] }
const rows = (fields: object) => ({ type: 'array', items: { type: 'object', properties: fields } })
const letter =
  'Invoice No: 17\nTotal: EUR 12.50\n\nDescription  Qty  Amount\nHammer       2    20.00\nNails        1    5.50\n'
const fields = {
  invoice_number: text,
  total: number,
  line_items: rows({ description: text, amount: number }),
  penalties: rows({ reason: text }),
}

async function execute(content = letter, { properties = fields as object, review = {} } = {}): Promise<string> {
  const file = await shown.service.upload(Buffer.from(content), 'letter.txt')
  const inputs = { invoice: { type: 'input_file', file_id: file.id } }
  const config = { prompt: 'Extract the fields', json_schema: { type: 'object', properties }, ...review }
  return (await shown.service.execute({ inputs, config })).id
}

const read = async (id: string) => (await shown.service.call('GET', `/v1/agent/executions/${id}`)).json

async function correct(id: string): Promise<{ page: Page; value: (pointer: string) => ReturnType<Page['locator']> }> {
  const page = await shown.page(`/executions/${id}?correct=1`)
  const value = (pointer: string) => page.locator(`[data-pointer="${pointer}"]`).getByRole('button')
  await value('/total').waitFor()
  return { page, value }
}

const pointer = async (page: Page): Promise<string> => (await page.evaluate(focused)).pointer
const label = async (page: Page): Promise<string> => (await page.evaluate(focused)).text

async function finish(id: string): Promise<void> {
  await shown.service.call('POST', `/v1/agent/executions/${id}/review`, { body: { done: true } })
}

describe.skipIf(skipsBrowser)('a review by keyboard', () => {
  test('the keys A and R act on the row and the list that have the focus, not on the selected value', async () => {
    const id = await execute()
    const { page, value } = await correct(id)
    await value('/line_items/0/amount').click()
    await page.locator('[data-list="/penalties"] > .acts').getByRole('button').focus()
    await page.keyboard.press('r')
    expect(await page.getByText('Not saved').count()).toBe(0)
    await page.keyboard.press('a')
    await page.getByText('Not saved: Penalties: 1 row added').waitFor()
    await page.keyboard.type('late')
    // On an added row A adds another after it, and R takes it back.
    const drop = page.getByRole('button', { name: 'Remove the added row' })
    await drop.focus()
    await page.keyboard.press('a')
    await page.keyboard.type('later')
    await page.getByText('Not saved: Penalties: 2 rows added').waitFor()
    await drop.first().focus()
    await page.keyboard.press('r')
    await page.getByText('Not saved: Penalties: 1 row added').waitFor()
    expect(await page.getByLabel('Reason of the added row').inputValue()).toBe('later')
    await page.getByRole('button', { name: 'Discard' }).click()
    await value('/line_items/1/amount').focus()
    await page.keyboard.press('r')
    await page.getByRole('row', { name: 'to be removed Keep row 2 Nails' }).waitFor()
    await page.close()
  })

  test('the focus is at the value or row after it was saved, closed or discarded', async () => {
    const id = await execute()
    const { page, value } = await correct(id)
    await value('/total').click()
    await page.keyboard.press('Escape')
    expect(await pointer(page)).toBe('/total')
    await page.keyboard.press('Enter')
    await page.getByLabel('Total', { exact: true }).fill('13')
    await page.keyboard.press('Enter')
    await value('/total').getByText('13').waitFor()
    expect(await pointer(page)).toBe('/total')
    await value('/line_items/0/description').focus()
    await page.keyboard.press('r')
    await page.getByRole('button', { name: 'Discard' }).press('Enter')
    await expect.poll(() => pointer(page)).toBe('/line_items/0/description')
    await value('/line_items/1/description').focus()
    await page.keyboard.press('a')
    await page.keyboard.type('Saw')
    await value('/line_items/0/description').focus()
    await page.getByRole('button', { name: 'Save the rows' }).press('Enter')
    await page.getByRole('row', { name: 'added Remove row 3 Saw' }).waitFor()
    expect(await pointer(page)).toBe('/line_items/0/description')
    // Without its row it is where rows are added.
    await page.keyboard.press('r')
    await page.getByRole('button', { name: 'Save the rows' }).press('Enter')
    await page.getByRole('row', { name: 'removed Hammer' }).waitFor()
    expect(await label(page)).toContain('Add a row')
    await finish(id)
    await page.close()
  })

  test('a saved value leads to the next that needs a look, and the last one to the end of the review', async () => {
    const id = await execute(letter, {
      review: { review: { below: 1 } },
      properties: { invoice_number: text, total: number },
    })
    expect((await read(id)).needs_look).toHaveLength(2)
    const { page } = await correct(id)
    await page.keyboard.press('n')
    await page.getByRole('form', { name: 'Correct Invoice number' }).waitFor()
    await page.keyboard.down('Enter')
    const last = page.getByRole('form', { name: 'Correct Total' })
    await last.waitFor()
    // Held down, the key says nothing of a value that nobody has seen.
    await page.keyboard.down('Enter')
    await page.keyboard.up('Enter')
    await last.getByLabel('Total').fill('13')
    await page.keyboard.press('Enter')
    await expect.poll(() => label(page)).toBe('Finish the review')
    await page.keyboard.press('Enter')
    await expect.poll(async () => (await read(id)).review.status).toBe('done')
    expect((await read(id)).review.changes.map(({ kind }: { kind: string }) => kind)).toEqual([
      'confirmed',
      'corrected',
    ])
    await page.close()
  })

  test('the key N only goes to values: a letter is no text until the person asks to type, with F2, a digit or a click', async () => {
    const id = await execute(letter, {
      review: { review: { below: 1 } },
      properties: { invoice_number: text, total: number },
    })
    const { page, value } = await correct(id)
    const [first, second] = ['Invoice number', 'Total'].map((name) =>
      page.getByRole('form', { name: `Correct ${name}` }),
    )
    await page.keyboard.press('n')
    await first?.waitFor()
    await page.keyboard.press('n')
    await second?.waitFor()
    await page.keyboard.press('Shift+N')
    await first?.waitFor()
    await page.keyboard.press('Enter')
    await second?.waitFor()
    expect((await read(id)).review.changes).toEqual([
      { path: '/invoice_number', from: '17', to: '17', kind: 'confirmed' },
    ])
    await page.keyboard.type('13')
    expect(await page.getByLabel('Total', { exact: true }).inputValue()).toBe('13')
    await page.getByText('Before: 12.5').waitFor()
    await page.keyboard.press('Escape')
    await value('/total').focus()
    await page.keyboard.press('n')
    await page.keyboard.press('F2')
    await page.keyboard.type('n')
    expect(await page.getByLabel('Total', { exact: true }).inputValue()).toBe('n')
    await page.getByRole('button', { name: 'Take back' }).click()
    expect(await page.getByLabel('Total', { exact: true }).inputValue()).toBe('12.5')
    await finish(id)
    await page.close()
  })

  test('a correction shows what the answer was, and is taken back, also after it was saved', async () => {
    const id = await execute()
    const { page, value } = await correct(id)
    const changes = async () => (await read(id)).review.changes
    await value('/invoice_number').click()
    await page.keyboard.type('n')
    await page.keyboard.press('Enter')
    await page.getByText('Saved: Invoice number: 17 → n').waitFor()
    await page.keyboard.press('Control+z')
    await expect.poll(changes).toEqual([{ path: '/invoice_number', from: '17', to: '17', kind: 'confirmed' }])
    await value('/invoice_number').getByText('17', { exact: true }).waitFor()
    // The value is shown again, as it is now: Enter would confirm it.
    expect(await label(page)).toContain('Right as it is')
    await page.getByRole('form').getByRole('button', { name: 'Not in the document' }).click()
    await value('/invoice_number').getByText('not found').click()
    await page.getByText('The answer was: 17').waitFor()
    await page.getByRole('button', { name: 'Take back', exact: true }).click()
    await expect.poll(changes).toMatchObject([{ to: '17', kind: 'confirmed' }])
    await finish(id)
    await page.close()
  })

  test('who takes a correction back before the answer shows it has it taken back once it does', async () => {
    const id = await execute()
    const { page, value } = await correct(id)
    const shows = Promise.withResolvers<void>()
    await value('/total').click()
    await page.keyboard.type('13')
    await page.route(`**/executions/${id}`, async (route) => shows.promise.then(() => route.continue()))
    await page.keyboard.press('Enter')
    await page.getByText('Saved: Total: 12.5 → 13').waitFor()
    await page.keyboard.press('Control+z')
    // Twice is once.
    await page.getByRole('button', { name: 'Take it back' }).click()
    await value('/total').getByText('12.5').waitFor()
    shows.resolve()
    await expect.poll(async () => (await read(id)).review.changes).toMatchObject([{ path: '/total', to: 12.5 }])
    expect(await page.getByText('Save again').count()).toBe(0)
    expect((await shown.service.call('GET', `/v1/agent/executions/${id}/reviews`)).json).toHaveLength(2)
    await finish(id)
    await page.close()
  })

  test('a review with values that still need a look ends only when its person says so', async () => {
    const id = await execute(letter, {
      review: { review: { below: 1 } },
      properties: { invoice_number: text, total: number },
    })
    const { page } = await correct(id)
    const end = page.getByRole('button', { name: 'Finish the review' })
    await end.click()
    await page.getByText('2 values still need a look.').waitFor()
    await page.keyboard.press('Escape')
    await end.click()
    await page.getByRole('button', { name: 'Show the next' }).click()
    await page.getByRole('form', { name: 'Correct Invoice number' }).waitFor()
    await page.keyboard.press('Enter')
    await page.getByRole('form', { name: 'Correct Total' }).waitFor()
    await end.click()
    await page.getByText('One value still needs a look.').waitFor()
    expect((await read(id)).review).toMatchObject({ status: 'needed', version: 1 })
    await page.keyboard.press('Enter')
    await expect.poll(async () => (await read(id)).review.status).toBe('done')
    await page.close()
  })

  test('one key says that all of a row is right, and leads to the next row', async () => {
    const id = await execute(letter, {
      review: { review: { below: 1 } },
      properties: { total: number, line_items: fields.line_items },
    })
    expect((await read(id)).needs_look.slice(1)).toEqual(
      [0, 1].flatMap((row) => ['description', 'amount'].map((name) => `/line_items/${row}/${name}`)),
    )
    const { page, value } = await correct(id)
    await value('/line_items/0/amount').click()
    await page.getByRole('button', { name: 'Whole row right' }).waitFor()
    await page.keyboard.press('Control+Enter')
    await page.getByRole('form', { name: 'Correct Line items · 2 · Description' }).waitFor()
    expect((await read(id)).needs_look).toEqual(['/total', '/line_items/1/description', '/line_items/1/amount'])
    // With another value in the field, it says nothing of the row.
    await page.getByLabel('Line items · 2 · Description', { exact: true }).fill('Tacks')
    expect(await page.getByRole('button', { name: 'Whole row right' }).count()).toBe(0)
    await finish(id)
    await page.close()
  })

  test('a removed row that was saved is put back, with its evidence', async () => {
    const id = await execute()
    const { page, value } = await correct(id)
    const { response } = await read(id)
    await value('/line_items/0/description').focus()
    await page.keyboard.press('r')
    await page.getByRole('button', { name: 'Save the rows' }).click()
    await page.getByRole('button', { name: 'Put back the removed row' }).focus()
    await page.keyboard.press('r')
    await page.getByText('Not saved: Line items: 1 row put back').waitFor()
    await page.getByRole('button', { name: 'Save the rows' }).click()
    await expect.poll(async () => (await read(id)).reviewed_response.line_items).toEqual(response.line_items)
    expect((await read(id)).review.changes).toMatchObject([{ path: '/line_items', rows: [0, 1] }])
    await page.locator('[data-pointer="/line_items/0/amount"][data-proof]').waitFor()
    expect(await page.locator('.row-removed, .row-added').count()).toBe(0)
    await finish(id)
    await page.close()
  })

  test('a number is read as the document writes its numbers, and shown before it is saved', async () => {
    const id = await execute('Rechnung Nr. 17\nSumme: 1.250,50 EUR\n', {
      properties: { total: number, sum: number, rows: rows({ price: number }) },
    })
    const { page, value } = await correct(id)
    await shown.service.call('POST', `/v1/agent/executions/${id}/review`, {
      body: { changes: [{ path: '/sum', value: 0.125 }] },
    })
    await page.reload()
    await value('/sum').click()
    // As this document would write it; as it stands it is no other number.
    expect(await page.getByLabel('Sum', { exact: true }).inputValue()).toBe('0,125')
    await page.getByLabel('Sum', { exact: true }).fill('1.234')
    await page.getByText('= 1 234', { exact: true }).waitFor()
    await page.keyboard.press('Enter')
    await expect.poll(async () => (await read(id)).reviewed_response.sum).toBe(1234)
    await finish(id)
    await page.close()
  })

  test('a day can be typed as the document writes its dates, and anything else is refused with an explanation', async () => {
    const day = { ...text, format: 'date' }
    const id = await execute('Invoice No: 17\nInvoice date: 11/21/2026\nTotal: USD 12.50\n', {
      properties: { invoice_date: day, due_date: day, total: number },
    })
    expect((await read(id)).response.invoice_date).toBe('2026-11-21')
    const { page, value } = await correct(id)
    await value('/due_date').click()
    const due = page.getByLabel('Due date', { exact: true })
    await due.fill('31.02.2026')
    await page.keyboard.press('Enter')
    await page.getByText('“31.02.2026” is not a day of the calendar.').waitFor()
    await due.fill('12/4/26')
    await page.getByText('= December 4, 2026', { exact: true }).waitFor()
    await page.keyboard.press('Enter')
    await expect.poll(async () => (await read(id)).reviewed_response?.due_date).toBe('2026-12-04')
    await finish(id)
    await page.close()
  })

  test('a number that can be two is asked for where the document does not say how it writes numbers', async () => {
    const id = await execute('Invoice No: 17\n', {
      properties: { invoice_number: text, total: number, rows: rows({ price: number }) },
    })
    const { page, value } = await correct(id)
    await value('/total').click()
    await page.getByLabel('Total', { exact: true }).fill('1.234')
    await page.keyboard.press('Enter')
    await page.getByText('could be two different numbers').waitFor()
    expect((await read(id)).review.version).toBe(0)
    await page.getByRole('button', { name: '1 234', exact: true }).click()
    await expect.poll(async () => (await read(id)).reviewed_response?.total).toBe(1234)
    await page.getByRole('button', { name: 'Add a row' }).click()
    await page.keyboard.type('2.345')
    await page.getByText('= 2.345 or 2 345').waitFor()
    await page.keyboard.press('Enter')
    await page.getByText('“2.345” could be 2.3450 or 2345. Write the one you mean.').waitFor()
    await page.getByLabel('Price of the added row').fill('1 234,50')
    await page.getByText('= 1 234.5', { exact: true }).waitFor()
    await page.keyboard.press('Enter')
    await expect.poll(async () => (await read(id)).reviewed_response.rows).toEqual([{ price: 1234.5 }])
    await finish(id)
    await page.close()
  })
})
