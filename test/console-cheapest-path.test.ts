import { describe, expect, test } from 'vitest'
import { skipsBrowser } from './support/browser.ts'
import { openTestConsole } from './support/console.ts'
import { transferOf } from './support/in-page.mjs'
import { startMockModel } from './support/mock-model.ts'
import { opened } from './support/opened.ts'

const schema = {
  type: 'object',
  properties: { reference: { type: ['string', 'null'] }, verdict: { type: ['string', 'null'] } },
  required: ['reference', 'verdict'],
}

const model = await opened(
  startMockModel({
    script: ({ text }) => ({
      text: text.includes('"reference":{')
        ? '{"reference": "WS-7101", "verdict": "pleased"}'
        : '{"verdict": "pleased"}',
      usage: { inputTokens: 1_000, outputTokens: 100 },
    }),
  }),
)
const facts = { cached_input: 200_000, context_tokens: 100_000, output_tokens_max: 1_000, takes: ['text' as const] }
const shown = await opened(
  openTestConsole({
    file: {
      providers: { mine: { kind: 'openai-compatible', base_url: model.baseUrl, fast: 'small', pro: 'large' } },
      models: {
        'mine/small': { ...facts, input: 200_000, output: 1_000_000 },
        'mine/large': { ...facts, input: 2_000_000, output: 12_000_000 },
      },
    },
  }),
)

describe.skipIf(skipsBrowser)('the cheapest path in the console', { timeout: 60_000 }, () => {
  test('is chosen by a checkbox, which changes the estimate; the execution says what answered each field, and at what cost', async () => {
    const page = await shown.page('/')
    const text = 'Weighing slip\nReference: WS-7101\n\nAfter the bags were weighed the keeper was pleased.'
    const slip = { name: 'slip.txt', base64: Buffer.from(text).toString('base64') }
    await page.locator('.drop').dispatchEvent('drop', { dataTransfer: await page.evaluateHandle(transferOf, [slip]) })
    await page.getByLabel('Prompt').fill('Read the slip')
    await page.getByRole('button', { name: 'JSON', exact: true }).click()
    await page.getByLabel('JSON Schema').fill(JSON.stringify(schema))
    const estimate = page.locator('.estimate')
    await estimate.getByText('estimated from prices').waitFor()
    const box = page.getByRole('checkbox', { name: /cheapest model that is proven/ })
    expect(await box.isChecked()).toBe(false)
    await box.check()
    await estimate
      .getByText(
        'the cheapest path, which asks mine/small in 100 % (0 % to 100 %) and mine/large in 100 % (0 % to 100 %)',
      )
      .waitFor()
    await page.getByRole('button', { name: 'Run', exact: true }).click()
    await page.getByRole('status').getByText('completed').waitFor()
    const id = new URL(page.url()).pathname.split('/').at(-1)
    const { json } = await shown.service.call('GET', `/v1/agent/executions/${id}`)
    // Its id decides whether an execution is one of those in which the large model checks what the rules answer.
    const { checked } = json.path
    expect(json).toMatchObject({
      response: { reference: 'WS-7101', verdict: 'pleased' },
      path: { fields: { '/reference': checked ? 'mine/large' : 'rules', '/verdict': 'mine/large' } },
    })
    await page
      .getByText(
        checked
          ? '2 fields by mine/large ($0.0032), to check the others'
          : '1 field by rules, 1 field by mine/large ($0.0032)',
      )
      .waitFor()
    // Unchecked, one model answers.
    await page.goto(new URL('/', page.url()).href)
    expect(await box.isChecked()).toBe(false)
    expect(shown.browser.complaints).toEqual([])
    await page.close()
  })
})
