import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { skipsBrowser } from './support/browser.ts'
import { openTestConsole } from './support/console.ts'
import { invoiceLines, invoiceSchema, makePdf } from './support/documents.ts'
import { fillSession, lefts, typedAtOnce } from './support/in-page.mjs'
import { opened } from './support/opened.ts'

const shown = await opened(openTestConsole())

async function execute(config: object = {}, fileId?: string): Promise<string> {
  const id = fileId ?? (await shown.service.upload(await makePdf([invoiceLines]), 'invoice.pdf')).id
  return (
    await shown.service.execute({
      inputs: { invoice: { type: 'input_file', file_id: id } },
      config: { prompt: 'Extract the fields of this invoice', json_schema: invoiceSchema, ...config },
    })
  ).id
}

const text = { type: ['string', 'null'] }
const lineItem = { type: 'object', properties: { description: text, amount: { type: ['number', 'null'] } } }
const letter =
  'Invoice No: 17\nTotal: EUR 12.50\n\nDescription  Qty  Amount\nHammer       2    20.00\nNails        1    5.50\n'
const threeRows = `${letter}Saw          1    9.00\n`

/** An execution of a letter with a table of two rows. */
async function executeLetter(content = letter): Promise<string> {
  const file = await shown.service.upload(Buffer.from(content), 'letter.txt')
  const properties = { total: { type: 'number' }, line_items: { type: 'array', items: lineItem } }
  return execute({ json_schema: { type: 'object', properties } }, file.id)
}

const read = async (id: string) => (await shown.service.call('GET', `/v1/agent/executions/${id}`)).json

/** Drags a box on the page around a place, given as in evidence. */
async function drawBox(page: Page, [left, top, w, h]: readonly [number, number, number, number]): Promise<void> {
  const { x = 0, y = 0, width = 0, height = 0 } = (await page.locator('.page img').boundingBox()) ?? {}
  await page.mouse.move(x + width * (left - 0.005), y + height * (top - 0.003))
  await page.mouse.down()
  await page.mouse.move(x + width * (left + w + 0.005), y + height * (top + h + 0.003), { steps: 3 })
  await page.mouse.up()
}

describe.skipIf(skipsBrowser)('correcting in the console', () => {
  test('a value is corrected, another declared absent; the answer of the run stays, and the correction is marked', async () => {
    const id = await execute()
    const before = await read(id)
    const page = await shown.page(`/executions/${id}`)
    await page.getByRole('link', { name: 'Correct' }).click()
    const total = page.locator('[data-pointer="/total"]')
    await total.getByRole('button').click()
    const form = page.getByRole('form', { name: 'Correct Total' })
    await form.getByLabel('Total').fill('1.234,50')
    await page.keyboard.press('Enter')
    await expect.poll(() => total.locator('.proof').textContent()).toContain('corrected this value')
    await page.locator('[data-pointer="/invoice_number"]').getByRole('button').click()
    await page.getByRole('button', { name: 'Not in the document' }).click()
    await expect.poll(async () => (await read(id)).review.version).toBe(2)
    await page.getByRole('button', { name: 'Finish the review' }).click()
    await page.getByRole('button', { name: 'Finish all the same' }).click()
    await page.getByText(/^reviewed by /).waitFor()
    const after = await read(id)
    expect(after.response).toEqual(before.response)
    expect(after.reviewed_response.total).toBe(1234.5)
    expect(after.reviewed_response.invoice_number ?? null).toBeNull()
    expect(after.review.changes.map(({ kind }: { kind: string }) => kind)).toEqual(['corrected', 'absent'])
    expect(shown.browser.complaints).toEqual([])
    await page.close()
  })

  test('a value of another type is refused with the reason, and a box drawn on the page brings its text, and is saved with the correction', async () => {
    const id = await execute()
    const page = await shown.page(`/executions/${id}?correct=1`)
    await page.locator('.page img').waitFor()
    await page.locator('[data-pointer="/total"]').getByRole('button').click()
    await page.getByLabel('Total', { exact: true }).fill('twelve')
    await page.keyboard.press('Enter')
    await page.getByText('“twelve” is not a number.').waitFor()
    const { bbox, quote } = (await read(id)).evidence['/invoice_number']
    await drawBox(page, bbox)
    await page.locator('.box.drawn').waitFor()
    await expect.poll(() => page.getByLabel('Total', { exact: true }).inputValue()).toBe(quote)
    await page.getByLabel('Total', { exact: true }).fill('12')
    await page.keyboard.press('Enter')
    await expect.poll(async () => (await read(id)).reviewed_response?.total).toBe(12)
    const { json } = await shown.service.call('GET', `/v1/agent/executions/${id}/reviews`)
    expect(json[0].changes[0]).toMatchObject({ path: '/total', kind: 'corrected', input: 'invoice', page: 0 })
    expect(json[0].changes[0].bbox[0]).toBeCloseTo(bbox[0] - 0.005, 2)
    await shown.service.call('POST', `/v1/agent/executions/${id}/review`, { body: { done: true } })
    await page.close()
  })

  test('what is typed as soon as the field is there stays, and another value starts anew', async () => {
    const page = await shown.page(`/executions/${await execute()}?correct=1`)
    await page.locator('[data-pointer="/total"]').getByRole('button').waitFor()
    const typed = await page.evaluate(typedAtOnce, { button: '[data-pointer="/total"] button', text: '12' })
    expect(typed).toBe('12')
    await page.locator('[data-pointer="/invoice_number"]').getByRole('button').click()
    await expect.poll(() => page.getByLabel('Invoice number', { exact: true }).inputValue()).toContain('INV')
    await page.close()
  })

  /** The review of an execution whose invoice number was left out, and its likeliest candidate. */
  async function withLeftOut(document: string) {
    const lines = ['Harbour Supplies', 'Invoice', `Document: ${document}`, 'Job: J-79', 'Invoice Date: 2026-03-20']
    const file = await shown.service.upload(await makePdf([[...lines, 'Total: GBP 237.75']]), `${document}.pdf`)
    const properties = { invoice_number: { type: ['string', 'null'] }, total: { type: ['number', 'null'] } }
    const json_schema = { type: 'object', properties }
    const id = await execute({ json_schema, review: { below: 0.92 }, max_wrong_rate: 0.02 }, file.id)
    const [candidate] = (await read(id)).evidence['/invoice_number'].candidates
    const page = await shown.page(`/executions/${id}?correct=1`)
    await page.locator('.page img').waitFor()
    const form = page.getByRole('form', { name: 'Correct Invoice number' })
    const saved = async () => (await read(id)).reviewed_response?.invoice_number
    return { id, page, form, candidate, likeliest: form.getByRole('button', { name: candidate.value }), saved }
  }

  test('one key goes to the next value that needs a look, and a candidate is taken by one click', async () => {
    const { id, page, candidate, likeliest, saved } = await withLeftOut('HS-4019')
    // As with Caps Lock.
    await page.keyboard.press('N')
    await likeliest.click()
    await expect.poll(saved).toBe(candidate.value)
    await shown.service.call('POST', `/v1/agent/executions/${id}/review`, { body: { done: true } })
    await page.close()
  })

  test('Enter takes the likeliest of a value that was left out, and never says that the document has none', async () => {
    const { id, page, form, candidate, likeliest, saved } = await withLeftOut('HS-4020')
    const isFocused = () => likeliest.evaluate((one) => one.matches(':focus'))
    await page.keyboard.press('n')
    await expect.poll(isFocused).toBe(true)
    // In the empty field, it only goes to the likeliest.
    await form.getByRole('textbox').press('Enter')
    await expect.poll(isFocused).toBe(true)
    expect(await saved()).toBe(undefined)
    await page.keyboard.press('Enter')
    await expect.poll(saved).toBe(candidate.value)
    await shown.service.call('POST', `/v1/agent/executions/${id}/review`, { body: { done: true } })
    await page.close()
  })

  test('a box drawn on a scan brings the text that OCR finds in it', async () => {
    const { service } = shown
    const paper = await service.upload(await makePdf([invoiceLines]), 'invoice.pdf')
    const drawn = await fetch(`${service.url}/v1/files/${paper.id}/pages/0?width=1600`, {
      headers: { Authorization: `Bearer ${service.key}` },
    })
    const scan = await service.upload(new Uint8Array(await drawn.arrayBuffer()), 'scan.png')
    const id = await execute({}, scan.id)
    const page = await shown.page(`/executions/${id}?correct=1`)
    await page.locator('.page img').waitFor()
    await page.locator('[data-pointer="/total"]').getByRole('button').click()
    const { bbox, quote } = (await read(id)).evidence['/invoice_number']
    await drawBox(page, bbox)
    await expect.poll(() => page.getByLabel('Total', { exact: true }).inputValue(), { timeout: 30_000 }).toBe(quote)
    await service.call('POST', `/v1/agent/executions/${id}/review`, { body: { done: true } })
    await page.close()
  })

  test('values need a look below the confidence of the request, else of the workspace', async () => {
    const { service } = shown
    const set = (below: number | null) => service.call('PUT', '/v1/reviews/settings', { body: { below } })
    const looks = async (id: string) => {
      const page = await shown.page(`/executions/${id}`)
      await page.locator('[data-pointer="/total"] .proof').waitFor()
      await page.waitForLoadState('networkidle')
      const marks = await page.locator('.proof.look').count()
      await page.close()
      return marks
    }
    // All values are sure enough for this rate.
    const max_wrong_rate = 0.1
    const unruled = await execute({ max_wrong_rate })
    await set(1)
    const [asked, unasked] = [await execute({ review: { below: 0 }, max_wrong_rate }), await execute()]
    await set(null)
    // What ended keeps the rule that it ended under, as it does in the review queue.
    expect([await looks(unruled), await looks(asked), await looks(unasked)]).toEqual([0, 0, 3])
    for (const id of [unasked, unruled])
      expect((await read(id)).needs_look).toEqual(id === unasked ? [...Object.keys((await read(id)).evidence)] : [])
    await service.call('POST', `/v1/agent/executions/${unasked}/review`, {
      body: { changes: [{ path: '/total', kind: 'confirmed' }] },
    })
    expect(await looks(unasked)).toBe(2)
    await service.call('POST', `/v1/agent/executions/${unasked}/review`, { body: { done: true } })
    expect(await looks(unasked)).toBe(0)
  })

  test('the queue shows what waits, however many reviews were finished before', async () => {
    const page = await shown.page()
    const asked: (string | null)[] = []
    await page.route(/\/v1\/reviews\?/, async (route) => {
      const { searchParams } = new URL(route.request().url())
      asked.push(searchParams.get('status'))
      await route.continue()
    })
    const id = await execute({ review: { below: 1 } })
    await page.goto('/review')
    await page.getByRole('list', { name: 'Waiting for a review' }).getByRole('listitem').waitFor()
    // The finished ones are older, and would fill the list.
    expect(new Set(asked)).toEqual(new Set(['needed', 'claimed']))
    await shown.service.call('POST', `/v1/agent/executions/${id}/review`, { body: { done: true } })
    await page.close()
  })

  test('a number that the document did not give is typed as the schema of a skill says', async () => {
    const shape = { type: 'object', properties: { weight: { type: ['number', 'null'] } }, required: ['weight'] }
    const made = await shown.service.call('POST', '/v1/skills/create', {
      body: { name: 'weights', prompt: 'Read the weight', json_schema: shape },
    })
    expect(made.status).toBe(201)
    const id = await execute({ json_schema: null, skills: [{ skill_id: 'weights' }] })
    expect((await read(id)).response).toEqual({ weight: null })
    const page = await shown.page(`/executions/${id}?correct=1`)
    await page.locator('[data-pointer="/weight"]').getByRole('button').click()
    await page.getByLabel('Weight', { exact: true }).fill('−12,50')
    await page.keyboard.press('Enter')
    await expect.poll(async () => (await read(id)).reviewed_response?.weight).toBe(-12.5)
    await shown.service.call('POST', `/v1/agent/executions/${id}/review`, { body: { done: true } })
    await page.close()
  })

  test('a text of several lines keeps them when a part of it is corrected', async () => {
    const address = '12 Dock Road\nBristol\nBS1 6XN'
    const properties = { invoice_number: { type: ['string', 'null'] } }
    const id = await execute({ json_schema: { type: 'object', properties } })
    const body = { changes: [{ path: '/invoice_number', value: address }] }
    await shown.service.call('POST', `/v1/agent/executions/${id}/review`, { body })
    const page = await shown.page(`/executions/${id}?correct=1`)
    await page.locator('[data-pointer="/invoice_number"]').getByRole('button').click()
    const field = page.getByLabel('Invoice number', { exact: true })
    await field.press('Control+Home')
    await field.press('Delete')
    await field.press('Enter')
    await expect.poll(async () => (await read(id)).reviewed_response.invoice_number).toBe(address.slice(1))
    await shown.service.call('POST', `/v1/agent/executions/${id}/review`, { body: { done: true } })
    await page.close()
  })

  test('what needs a look is shown wherever it is in a long list', async () => {
    const rows = Array.from({ length: 230 }, (_, n) => `SKU-${1000 + n},${n + 1}`)
    const file = await shown.service.upload(Buffer.from(['sku,quantity', ...rows].join('\n')), 'parts.csv')
    const item = { type: 'object', properties: { quantity: { type: 'number' } } }
    const json_schema = { type: 'object', properties: { items: { type: 'array', items: item } } }
    const id = await execute({ json_schema, review: { below: 1 } }, file.id)
    const last = '/items/229/quantity'
    const looks: string[] = (await read(id)).needs_look
    const changes = looks.filter((path) => path !== last).map((path) => ({ path, kind: 'confirmed' }))
    await shown.service.call('POST', `/v1/agent/executions/${id}/review`, { body: { changes } })
    const page = await shown.page(`/executions/${id}?correct=1`)
    await page.getByRole('button', { name: 'Needs a look (1)' }).click()
    await page.locator(`[data-pointer="${last}"]`).getByRole('button', { name: '230' }).click()
    await page.getByRole('form', { name: /quantity/i }).waitFor()
    await shown.service.call('POST', `/v1/agent/executions/${id}/review`, { body: { done: true } })
    await page.close()
  })

  test('every row of a long list can be seen, a page at a time', async () => {
    const rows = Array.from({ length: 3200 }, (_, n) => `SKU-${1000 + n},${n + 1}`)
    const file = await shown.service.upload(Buffer.from(['sku,quantity', ...rows].join('\n')), 'parts.csv')
    const item = { type: 'object', properties: { sku: text, quantity: { type: 'number' } } }
    const json_schema = { type: 'object', properties: { items: { type: 'array', items: item } } }
    const id = await execute({ json_schema }, file.id)
    const page = await shown.page(`/executions/${id}?correct=1`)
    const value = (row: number) => page.locator(`[data-pointer="/items/${row}/quantity"]`)
    await page.getByText('1–200 of 3200').waitFor()
    await page.getByRole('button', { name: 'Next page' }).press('Enter')
    await value(200).getByText('201').waitFor()
    expect(await page.locator('tbody tr').count()).toBe(200)
    await page.getByLabel('Go to row').fill('3199')
    await page.keyboard.press('Enter')
    await value(3199).getByText('3200').waitFor()
    await page.getByText('3001–3200 of 3200').waitFor()
    // A value that is asked for is shown wherever it is, and so is a row that is added.
    await page.goto(`/executions/${id}?correct=1&field=/items/777/quantity`)
    await value(777).getByText('778').waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Add a row' }).click()
    await page.getByText('3201–3201 of 3201').waitFor()
    await page.keyboard.type('SKU-0')
    expect(await page.getByLabel('SKU of the added row').inputValue()).toBe('SKU-0')
    await page.close()
  })

  test('a row that the reader invented is removed and one that it missed is added, with the keyboard alone', async () => {
    const id = await executeLetter()
    const page = await shown.page(`/executions/${id}?correct=1`)
    const value = (pointer: string) => page.locator(`[data-pointer="${pointer}"]`).getByRole('button')
    await page.getByRole('button', { name: 'Remove row 1' }).click()
    await page.getByText('Not saved: Line items: 1 row removed').waitFor()
    await page.getByRole('button', { name: 'Keep row 1' }).click()
    expect(await page.getByText('Not saved').count()).toBe(0)
    await value('/line_items/0/description').focus()
    await page.keyboard.press('r')
    await page.getByRole('row', { name: 'removed Keep row 1 Hammer' }).waitFor()
    await value('/line_items/1/amount').focus()
    await page.keyboard.press('a')
    await page.keyboard.type('Saw')
    await page.keyboard.press('Tab')
    await page.keyboard.type('many')
    await page.keyboard.press('Enter')
    await page.getByText('Amount: “many” is not a number.').waitFor()
    await page.getByLabel('Amount of the added row').fill('12,50')
    await page.keyboard.press('Enter')
    await expect.poll(async () => (await read(id)).review.version).toBe(1)
    const { review, response, reviewed_response: reviewed, evidence } = await read(id)
    expect(reviewed.line_items).toEqual([response.line_items[1], { description: 'Saw', amount: 12.5 }])
    expect(review.changes).toMatchObject([{ path: '/line_items', kind: 'corrected', rows: [1, null] }])
    // What was removed and added stays plain to see, and the row that stays shows its own place in the document.
    await page.getByRole('row', { name: 'removed Hammer' }).waitFor()
    await page.getByRole('row', { name: 'added Remove row 2 Saw' }).waitFor()
    expect(await page.locator('[data-pointer="/line_items/1/amount"]').getAttribute('data-proof')).toBeNull()
    await value('/line_items/0/amount').click()
    const { quote } = evidence['/line_items/1/amount']
    expect(await page.locator('.text-source .active').textContent()).toBe(quote)
    expect(quote).toContain('5.50')
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Finish the review' }).click()
    await page.getByText(/^reviewed by /).waitFor()
    expect(shown.browser.complaints).toEqual([])
    await page.close()
  })

  test('a list of which the reader found nothing takes rows', async () => {
    const id = await executeLetter('Total: EUR 12.50')
    const page = await shown.page(`/executions/${id}?correct=1`)
    await page.getByRole('button', { name: 'Add a row' }).click()
    await page.getByLabel('Description of the added row').fill('Saw')
    await page.getByRole('button', { name: 'Remove the added row' }).click()
    await page.keyboard.press('Enter')
    await page.keyboard.type('Axe')
    await page.getByRole('button', { name: 'Save the rows' }).click()
    await expect
      .poll(async () => (await read(id)).reviewed_response?.line_items)
      .toEqual([{ description: 'Axe', amount: null }])
    await shown.service.call('POST', `/v1/agent/executions/${id}/review`, { body: { done: true } })
    await page.close()
  })

  test('a correction stays with its row when another is removed', async () => {
    const id = await executeLetter(threeRows)
    const page = await shown.page(`/executions/${id}?correct=1`)
    const [, nails, saw] = (await read(id)).response.line_items
    const amount = page.getByRole('form', { name: /^Correct/ }).getByRole('textbox')
    await page.locator('[data-pointer="/line_items/1/amount"]').getByRole('button').click()
    await amount.fill('7')
    await page.getByRole('button', { name: 'Remove row 1' }).click()
    await page.getByRole('button', { name: 'Save the rows' }).click()
    await page.getByRole('row', { name: 'removed Hammer' }).waitFor()
    await amount.press('Enter')
    await expect.poll(async () => (await read(id)).reviewed_response.line_items).toEqual([{ ...nails, amount: 7 }, saw])
    await shown.service.call('POST', `/v1/agent/executions/${id}/review`, { body: { done: true } })
    await page.close()
  })

  test.each([true, false])(
    'when somebody else removes rows, a correction is saved in its own or in none: its row stays: %s',
    async (stays) => {
      const id = await executeLetter(threeRows)
      const page = await shown.page(`/executions/${id}?correct=1`)
      const [hammer, nails, saw] = (await read(id)).response.line_items
      const amount = page.getByRole('form', { name: /^Correct/ }).getByRole('textbox')
      await page.locator('[data-pointer="/line_items/1/amount"]').getByRole('button').click()
      await amount.fill('7')
      const changes = [{ path: '/line_items', value: stays ? [nails, saw] : [hammer, saw] }]
      await shown.service.call('POST', `/v1/agent/executions/${id}/review`, { body: { changes } })
      await amount.press('Enter')
      await page.getByRole('row', { name: `removed ${stays ? 'Hammer' : 'Nails'}` }).waitFor()
      if (stays) await amount.press('Enter')
      else await page.getByText('The row of the selected value was removed. Not saved: 7').waitFor()
      await expect
        .poll(async () => (await read(id)).reviewed_response.line_items)
        .toEqual(stays ? [{ ...nails, amount: 7 }, saw] : [hammer, saw])
      await expect.poll(() => amount.count()).toBe(0)
      await shown.service.call('POST', `/v1/agent/executions/${id}/review`, { body: { done: true } })
      await page.close()
    },
  )

  test('a value is not saved while the answer is older than the last save', async () => {
    const id = await executeLetter(threeRows)
    const page = await shown.page(`/executions/${id}?correct=1`)
    const [, nails, saw] = (await read(id)).response.line_items
    await page.getByRole('button', { name: 'Remove row 1' }).click()
    const shows = Promise.withResolvers<void>()
    await page.route(`**/v1/agent/executions/${id}`, async (route) => {
      await shows.promise
      await route.continue()
    })
    await page.getByRole('button', { name: 'Save the rows' }).click()
    await page.getByRole('button', { name: 'Finish the review' }).waitFor()
    await page.locator('[data-pointer="/line_items/1/amount"]').getByRole('button').click()
    const amount = page.getByRole('form', { name: /^Correct/ }).getByRole('textbox')
    await amount.fill('7')
    await amount.press('Enter')
    await page.getByText('does not show your last save yet').waitFor()
    shows.resolve()
    await page.getByRole('row', { name: 'removed Hammer' }).waitFor()
    await amount.press('Enter')
    await expect
      .poll(async () => (await read(id)).reviewed_response?.line_items)
      .toEqual([{ ...nails, amount: 7 }, saw])
    await shown.service.call('POST', `/v1/agent/executions/${id}/review`, { body: { done: true } })
    await page.close()
  })

  test('a double click saves once, and a row that is typed while others are being saved stays', async () => {
    const id = await executeLetter()
    const page = await shown.page(`/executions/${id}?correct=1`)
    let saves = 0
    let goes = Promise.withResolvers<void>()
    await page.route(`**/v1/agent/executions/${id}/review`, async (route) => {
      saves += 1
      await goes.promise
      await route.continue()
    })
    await page.locator('[data-pointer="/total"]').getByRole('button').click()
    await page.getByRole('button', { name: 'Right as it is' }).dblclick()
    goes.resolve()
    await page.getByText('confirmed this value').waitFor({ state: 'attached' })
    expect(saves).toBe(1)
    goes = Promise.withResolvers<void>()
    await page.getByRole('button', { name: 'Add a row' }).click()
    await page.keyboard.type('Saw')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Add a row' }).click()
    await page.keyboard.type('Axe')
    goes.resolve()
    await page.getByRole('row', { name: 'added Remove row 3 Saw' }).waitFor()
    await page.getByText('Not saved: Line items: 1 row added').waitFor()
    expect(await page.getByLabel('Description of the added row').inputValue()).toBe('Axe')
    await page.keyboard.press('Enter')
    await expect.poll(async () => (await read(id)).reviewed_response?.line_items.length).toBe(4)
    expect(saves).toBe(3)
    await shown.service.call('POST', `/v1/agent/executions/${id}/review`, { body: { done: true } })
    await page.close()
  })

  test('rows are changed in a browser that has no room to keep them', async () => {
    const page = await shown.page(`/executions/${await executeLetter()}?correct=1`)
    await page.getByRole('button', { name: 'Remove row 1' }).waitFor()
    await page.evaluate(fillSession)
    await page.getByRole('button', { name: 'Remove row 1' }).click()
    await page.getByText('Not saved: Line items: 1 row removed').waitFor()
    await page.close()
  })

  test('rows that are not saved stay while another execution is corrected', async () => {
    const [first, second] = [await executeLetter(), await executeLetter()]
    const page = await shown.page(`/executions/${first}?correct=1`)
    await page.getByRole('button', { name: 'Remove row 1' }).click()
    const unsaved = page.getByText('Not saved: Line items: 1 row removed')
    await unsaved.waitFor()
    await page.goto(`/executions/${second}?correct=1`)
    await page.getByRole('button', { name: 'Remove row 2' }).click()
    await unsaved.waitFor()
    await page.goto(`/executions/${first}?correct=1`)
    await page.getByRole('button', { name: 'Keep row 1' }).waitFor()
    await page.close()
  })

  test('the queue gives out one execution after another, and an empty queue says so', async () => {
    const ids = [await execute({ review: { below: 1 } }), await execute({ review: { below: 1 } })]
    const page = await shown.page('/review')
    await expect
      .poll(() => page.getByRole('list', { name: 'Waiting for a review' }).getByRole('listitem').count())
      .toBe(2)
    await page.getByRole('button', { name: 'Review the next' }).click()
    for (const id of ids) {
      await page.waitForURL((url) => url.pathname === `/executions/${id}`)
      await page.getByRole('button', { name: 'Finish, and review the next' }).click()
      await page.getByRole('button', { name: 'Finish all the same' }).click()
    }
    await page.getByText('Nothing waits for a review').waitFor()
    expect((await read(ids[1] ?? '')).review.status).toBe('done')
    expect(shown.browser.complaints).toEqual([])
    await page.close()
  })

  test('who saves after somebody else sees the other review, keeps what is typed, and can save it on top', async () => {
    const id = await execute()
    const page = await shown.page(`/executions/${id}?correct=1`)
    await page.locator('[data-pointer="/total"]').getByRole('button').click()
    await page.getByLabel('Total', { exact: true }).fill('12')
    const changes = [{ path: '/invoice_number', value: 'OTHER-7' }]
    await shown.service.call('POST', `/v1/agent/executions/${id}/review`, { body: { changes } })
    await page.keyboard.press('Enter')
    await page.getByText('somebody else has saved one').waitFor()
    await page.locator('[data-pointer="/invoice_number"]').getByText('OTHER-7').waitFor()
    await page.keyboard.press('Enter')
    await expect
      .poll(async () => (await read(id)).reviewed_response)
      .toMatchObject({ total: 12, invoice_number: 'OTHER-7' })
    await shown.service.call('POST', `/v1/agent/executions/${id}/review`, { body: { done: true } })
    await page.close()
  })

  test('a review is finished as its person saw it: what somebody else saved is shown first', async () => {
    const id = await execute()
    const page = await shown.page(`/executions/${id}?correct=1`)
    await page.locator('[data-pointer="/total"]').getByRole('button').click()
    await page.getByLabel('Total', { exact: true }).fill('12')
    await page.keyboard.press('Enter')
    const finish = page.getByRole('button', { name: 'Finish the review' })
    await finish.waitFor()
    const changes = [{ path: '/invoice_number', value: 'OTHER-7' }]
    await shown.service.call('POST', `/v1/agent/executions/${id}/review`, { body: { changes } })
    await finish.click()
    await page.getByRole('button', { name: 'Finish all the same' }).click()
    const others = page.getByRole('status', { name: 'Saved by others' })
    await others.getByText(/^Invoice number: .* → OTHER-7$/).waitFor()
    await page.locator('[data-pointer="/invoice_number"]').getByText('OTHER-7').waitFor()
    expect((await read(id)).review).toMatchObject({ status: 'needed', version: 2 })
    await finish.click()
    await page.getByRole('button', { name: 'Finish all the same' }).click()
    await page.getByText(/^reviewed by /).waitFor()
    expect((await read(id)).review.status).toBe('done')
    await page.close()
  })

  test('rows that are not saved stay when somebody else saved others', async () => {
    const id = await executeLetter()
    const page = await shown.page(`/executions/${id}?correct=1`)
    await page.getByRole('button', { name: 'Remove row 2' }).click()
    await page.getByRole('button', { name: 'Add a row' }).click()
    await page.keyboard.type('Saw')
    const { response } = await read(id)
    const [hammer, nails] = response.line_items
    const changes = [{ path: '/line_items', value: [nails] }]
    await shown.service.call('POST', `/v1/agent/executions/${id}/review`, { body: { changes } })
    await page.keyboard.press('Enter')
    await page.getByText('Line items: 1 row removed, 0 rows added').waitFor()
    await page.getByRole('row', { name: 'removed Hammer' }).waitFor()
    await page.getByRole('row', { name: 'to be removed Keep row 1 Nails' }).waitFor()
    await page.getByRole('button', { name: 'Save the rows' }).click()
    const saw = { description: 'Saw', amount: null }
    await expect.poll(async () => (await read(id)).reviewed_response.line_items).toEqual([saw])
    expect((await read(id)).review.changes).toMatchObject([
      { path: '/line_items', from: [hammer, nails], rows: [null] },
    ])
    await shown.service.call('POST', `/v1/agent/executions/${id}/review`, { body: { done: true } })
    await page.close()
  })

  test('right-to-left text stands as in its document, and keeps what is beside it in order', async () => {
    const text = 'חשבונית מס 2041\nסה"כ: 1,234.50 ₪\nTotal: 1234.50'
    const file = await shown.service.upload(Buffer.from(text), 'invoice.txt')
    const properties = { total: { type: ['number', 'null'] }, note: { type: ['string', 'null'] } }
    const id = await execute({ json_schema: { type: 'object', properties }, review: { below: 1 } }, file.id)
    const page = await shown.page(`/executions/${id}`)
    await page.locator('.text-source').waitFor()
    // Reading from the right, the sign of the currency comes last.
    const [sign = 0, first = 0] = await page.evaluate(lefts, { selector: '.text-source', characters: '₪ס' })
    expect(sign).toBeLessThan(first)
    const [{ value }] = (await read(id)).evidence['/note'].candidates
    expect(await page.locator('[data-pointer="/note"] bdi').first().textContent()).toBe(value)
    await shown.service.call('POST', `/v1/agent/executions/${id}/review`, { body: { done: true } })
    await page.close()
  })

  test('a text that has not come yet is shown as loading, not as empty', async () => {
    const file = await shown.service.upload(Buffer.from('Total: 12.50'), 'late.txt')
    const id = await execute({}, file.id)
    const page = await shown.page('/executions')
    const [asked, come] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    await page.route(`**/v1/files/${file.id}/content`, async (route) => {
      asked.resolve()
      await come.promise
      await route.continue()
    })
    await page.goto(new URL(`/executions/${id}`, page.url()).href)
    await asked.promise
    expect(await page.locator('.text-source').count()).toBe(0)
    await page.locator('.page.loading').waitFor()
    come.resolve()
    await page.locator('.text-source', { hasText: 'Total: 12.50' }).waitFor()
    await page.close()
  })

  test('a claim that has lapsed does not stop its reviewer while nobody else has the document', async () => {
    const id = await execute({ review: { below: 1 } })
    const page = await shown.page('/review')
    await page.getByRole('button', { name: 'Review the next' }).click()
    await page.waitForURL((url) => url.pathname === `/executions/${id}`)
    await shown.service.database.db.query("update review_items set claimed_until = claimed_at where status = 'needed'")
    await page.locator('[data-pointer="/total"]').getByRole('button').click()
    await page.getByLabel('Total', { exact: true }).fill('12.50')
    await page.keyboard.press('Enter')
    await expect.poll(async () => (await read(id)).reviewed_response?.total).toBe(12.5)
    await page.getByRole('button', { name: 'Finish, and review the next' }).click()
    await page.getByRole('button', { name: 'Finish all the same' }).click()
    await page.getByText('Nothing waits for a review').waitFor()
    await page.close()
  })

  test('a queue that is longer than its list says where the others are', async () => {
    const { service } = shown
    const { key } = (await service.call('POST', '/v1/keys', { body: { workspace: 'many', scopes: ['admin'] } })).json
    const json_schema = { type: 'object', properties: { total: { type: ['number', 'null'] } } }
    const config = { prompt: 'Extract the total', json_schema, review: { below: 1 } }
    const items = Array.from({ length: 201 }, (_, n) => ({ inputs: { text: `Total: ${n + 1}.50` } }))
    await service.call('POST', '/v1/agent/batches', { key, body: { items, config } })
    const counted = async () => (await service.call('GET', '/v1/reviews/statistics', { key })).json.waiting
    await expect.poll(counted, { timeout: 120_000 }).toBe(201)
    const page = await shown.page('/review', key)
    await page.getByRole('link', { name: 'the list of executions' }).click()
    await page.waitForURL((url) => url.pathname + url.search === '/executions?review=needed')
    await page.close()
  })
})
