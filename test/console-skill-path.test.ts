import { beforeAll, describe, expect, test } from 'vitest'
import { violations } from './support/axe.ts'
import { skipsBrowser } from './support/browser.ts'
import { openTestConsole } from './support/console.ts'
import { makePdf } from './support/documents.ts'
import { focused, overflow } from './support/in-page.mjs'
import { opened } from './support/opened.ts'
import { lookAgain } from './support/until.ts'

const schema = {
  type: 'object',
  properties: { invoice_number: { type: ['string', 'null'] }, total: { type: ['number', 'null'] } },
}

const shown = await opened(openTestConsole())
/** Executions of four invoices of one batch; people corrected the first and reviewed the second. */
let ids: readonly string[]
let batch: string

beforeAll(async () => {
  if (skipsBrowser) return
  const { service } = shown
  const items = []
  for (const n of [1, 2, 3, 4]) {
    const lines = ['Kestrel Coffee Roasters', `Invoice number: KR-${n}`, `Total: ${n}08.00`]
    items.push({ file_id: (await service.upload(await makePdf([lines]), `invoice-${n}.pdf`)).id })
  }
  const body = { name: 'March', items, config: { prompt: 'Read the invoice', json_schema: schema } }
  const made = await service.call('POST', '/v1/agent/batches', { body: { ...body, service_tier: 'standard' } })
  batch = made.json.id
  const at = `/v1/agent/batches/${batch}`
  let { status } = made.json
  while (status !== 'completed') {
    ;({ status } = (await service.call('GET', at)).json)
    await lookAgain()
  }
  const { json } = await service.call('GET', `${at}/items`)
  ids = json.map(({ id }: { id: string }) => id)
  const changes = [{ path: '/total', value: 77.5 }]
  await service.call('POST', `/v1/agent/executions/${ids[0]}/review`, { body: { changes, done: true } })
  await service.call('POST', `/v1/agent/executions/${ids[1]}/review`, { body: { done: true } })
})

describe.skipIf(skipsBrowser)('a skill from a run', () => {
  test('takes the prompt, the schema and the corrected answer of an execution', async () => {
    const page = await shown.page(`/executions/${ids[0]}`)
    await page.getByRole('link', { name: 'Create skill' }).click()
    await page.getByLabel('Instructions').waitFor()
    expect(await page.getByLabel('Instructions').inputValue()).toBe('Read the invoice')
    expect(await page.getByRole('textbox', { name: 'Name', exact: true }).nth(1).inputValue()).toBe('total')
    expect(await page.getByRole('checkbox', { name: /invoice|document/i }).isChecked()).toBe(true)
    await page.getByLabel(/^Name \(/).fill('one-invoice')
    await page.getByRole('button', { name: 'Create skill' }).click()
    await page.getByRole('heading', { name: 'one-invoice', level: 1 }).waitFor()
    const id = new URL(page.url()).pathname.split('/').at(-1)
    const { json } = await shown.service.call('GET', `/v1/skills/${id}/cases`)
    expect(json.map(({ response }: { response: unknown }) => response)).toEqual([
      { invoice_number: 'KR-1', total: 77.5 },
    ])
    await page.close()
  })

  test('takes the reviewed documents of a batch as cases, is evaluated and compiled, and shows the figures of each step', async () => {
    const { service, browser } = shown
    const page = await shown.page(`/batches/${batch}`)
    await page.getByRole('link', { name: 'Create skill' }).click()
    const choices = page.getByRole('group', { name: /^Test cases/ }).getByRole('checkbox')
    await expect.poll(() => choices.count()).toBe(4)
    const areChosen = () =>
      choices.evaluateAll((list) => list.map((one) => (one as unknown as { checked: boolean }).checked))
    expect(await areChosen()).toEqual([true, true, false, false])
    expect(await violations(page)).toEqual([])
    await page.getByRole('button', { name: 'All (4)' }).click()
    await choices.first().focus()
    await page.keyboard.press('Space')
    expect(await areChosen()).toEqual([false, true, true, true])
    await page.setViewportSize({ width: 390, height: 844 })
    expect(await page.evaluate(overflow)).toBe(0)
    await page.getByLabel(/^Name \(/).fill('march-invoices')
    await page.getByRole('button', { name: 'Create skill' }).click()
    const evaluation = page.getByRole('region', { name: 'Evaluation' })
    await evaluation.waitFor()
    expect(await page.getByRole('region', { name: 'Test cases' }).textContent()).toContain('3 known answers')
    expect(await page.locator('[aria-current=step]').textContent()).toContain('Evaluation')
    expect(await page.evaluate(overflow)).toBe(0)
    expect(await violations(page)).toEqual([])
    await page.setViewportSize({ width: 1280, height: 900 })
    const evaluate = page.getByRole('button', { name: 'Evaluate' })
    await evaluate.focus()
    expect(await page.evaluate(focused)).toMatchObject({ text: 'Evaluate' })
    // An evaluation costs something: a second press begins no second one.
    await page.keyboard.press('Enter')
    await page.keyboard.press('Enter')
    await evaluation.getByText('of fields agree with the test cases').waitFor({ timeout: 120_000 })
    expect(await evaluation.textContent()).toMatch(/100\.0 %.*Cases3/)
    await page.getByRole('button', { name: 'Compile', exact: true }).click()
    const program = page.getByRole('region', { name: 'Program' })
    await program.getByText('runs answered').waitFor({ timeout: 120_000 })
    expect(await program.textContent()).toMatch(/Checks passed(\d+) of \1/)
    expect(await violations(page)).toEqual([])
    await page.getByRole('button', { name: 'Run with this skill' }).click()
    const brought = page.getByRole('region', { name: 'Schema of march-invoices' })
    await brought.getByText('Invoice number').waitFor()
    expect(await violations(page)).toEqual([])
    await brought.getByRole('button', { name: 'Change for this run' }).click()
    await expect.poll(() => page.getByRole('textbox', { name: 'Name', exact: true }).count()).toBe(2)
    expect(await brought.count()).toBe(0)
    const { json } = await service.call('GET', '/v1/skills?grouped=true')
    expect(json.map(({ name }: { name: string }) => name)).toContain('march-invoices')
    const { id } = json.find(({ name }: { name: string }) => name === 'march-invoices')
    expect((await service.call('GET', `/v1/skills/${id}/evaluations`)).json).toHaveLength(1)
    expect(browser.complaints).toEqual([])
    await page.close()
  })

  test('a workspace without skills is offered the ready-made ones, which come with their test cases', async () => {
    const { service, browser } = shown
    const page = await shown.page('/skills', await service.stranger())
    await page.getByRole('heading', { name: 'No skills yet' }).waitFor()
    expect(await page.getByRole('region', { name: 'Ready-made skills' }).getByRole('listitem').count()).toBe(3)
    expect(await violations(page)).toEqual([])
    await page.setViewportSize({ width: 390, height: 844 })
    expect(await page.evaluate(overflow)).toBe(0)
    await page.getByRole('button', { name: 'Add receipt-extraction' }).click()
    await page.getByRole('heading', { name: 'receipt-extraction', level: 1 }).waitFor()
    await page.getByRole('region', { name: 'Test cases' }).getByText('in the bundle').waitFor()
    await page.goto('/skills')
    await expect.poll(() => page.getByRole('button', { name: /^Add / }).count()).toBe(2)
    expect(browser.complaints).toEqual([])
    await page.close()
  })
})
