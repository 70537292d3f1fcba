import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { skipsBrowser } from './support/browser.ts'
import { openTestConsole, type TestConsole } from './support/console.ts'
import { findFaintTexts } from './support/in-page.mjs'
import { type MockModel, startMockModel } from './support/mock-model.ts'
import { fileOfSmallModel } from './support/small-model.ts'

let shown: TestConsole
let model: MockModel
let skill: { id: string }

beforeAll(async () => {
  if (skipsBrowser) return
  model = await startMockModel({
    script: ({ text, results, tools }) => {
      if (text.includes('Improve the instructions of a skill'))
        return {
          text: JSON.stringify({ instructions: 'Read the order, and nothing else.', summary: 'Says what counts.' }),
        }
      if (results.length === 0 && tools.includes('skills_read'))
        return { toolCalls: [{ name: 'skills_read', input: {} }] }
      const [, order = ''] = /This is order (\w+)/.exec(text) ?? []
      return { text: JSON.stringify({ order: results.join().includes('nothing else') ? order : 'wrong' }) }
    },
  })
  shown = await openTestConsole({ file: fileOfSmallModel(model.baseUrl) })
  const { service } = shown
  const schema = { type: 'object', properties: { order: { type: 'string' } }, required: ['order'] }
  const body = { name: 'orders', description: 'Reads orders.', prompt: 'Read it.', json_schema: schema }
  skill = (await service.call('POST', '/v1/skills/create', { body })).json
  const cases = Array.from({ length: 30 }, (_, at) => ({
    inputs: { text: `This is order A${at}` },
    response: { order: `A${at}` },
  }))
  expect((await service.call('POST', `/v1/skills/${skill.id}/cases`, { body: { cases } })).status).toBe(201)
})
afterAll(async () => {
  await shown?.[Symbol.asyncDispose]()
  await model?.[Symbol.asyncDispose]()
})

describe.skipIf(skipsBrowser)('the improvements of a skill in the console', () => {
  test('are started on the page, which shows progress, figures, the changed instructions and the published version', async () => {
    const page = await shown.page(`/skills/${skill.id}?tab=improvements`)
    await page.getByText('Not improved yet.').waitFor()
    await page.getByLabel('Proposals').fill('2')
    await page.getByRole('button', { name: 'Improve the instructions' }).click()
    const card = page.getByRole('region', { name: 'Improvement of version 1' })
    await card.getByText('completed', { exact: true }).waitFor({ timeout: 120_000 })
    await card.getByText(/0.0 % → 100.0 %/).waitFor()
    await card.getByText('Says what counts.').first().waitFor()
    expect(await card.locator('.diff .removed').first().textContent()).toContain('Read it.')
    expect(await card.locator('.diff .added').first().textContent()).toContain('Read the order, and nothing else.')
    expect(await card.textContent()).toContain('duplicate')
    expect(await page.evaluate(findFaintTexts, 4.5)).toEqual([])
    await card.getByRole('link', { name: 'Open the version' }).click()
    await page.getByText(', the latest').waitFor()
    expect(page.url()).not.toContain(skill.id)
    expect(shown.browser.complaints).toEqual([])
    await page.close()
  })

  test('are refused with the reason', async () => {
    const page = await shown.page(`/skills/${skill.id}?tab=improvements`)
    await page.getByText('Only the latest version can be improved.').waitFor()
    expect(await page.getByRole('button', { name: 'Improve the instructions' }).isDisabled()).toBe(true)
    await page.close()
  })
})
