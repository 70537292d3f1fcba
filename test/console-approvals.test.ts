import { describe, expect, test } from 'vitest'
import { skipsBrowser } from './support/browser.ts'
import { openTestConsole } from './support/console.ts'
import { opened } from './support/opened.ts'

const shown = await opened(openTestConsole())

async function execute(requireApproval: unknown, config: object): Promise<string> {
  const body = {
    inputs: { mail: 'Total: 12.50' },
    config: { ...config, require_approval: requireApproval },
  }
  return (await shown.service.execute(body)).id
}
const read = async (id: string) => (await shown.service.call('GET', `/v1/agent/executions/${id}`)).json

describe.skipIf(skipsBrowser)('approvals in the console', () => {
  test('a waiting execution is found by a filter, shows its answer and who may decide, and is approved', async () => {
    const schema = { type: 'object', properties: { total: { type: 'number' } } }
    const id = await execute('completion', { json_schema: schema })
    const page = await shown.page('/executions?approval=needed')
    await page.locator(`a[href="/executions/${id}"]`).first().click()
    await page.getByText('The completion needs an approval.').waitFor()
    await page.getByText(/^Can decide: /).waitFor()
    expect(await page.getByText('12.5').count()).toBeGreaterThan(0)
    expect(await page.getByRole('button', { name: 'Resume' }).count()).toBe(0)
    await page.getByLabel('Comment').fill('Looks right')
    await page.getByRole('button', { name: 'Approve' }).click()
    await page.getByText(/The completion was approved by .*: Looks right/).waitFor()
    await expect.poll(async () => (await read(id)).status).toBe('completed')
  })

  test('a waiting tool call shows its input, and is rejected', async () => {
    const prompt = 'document.search({"input": "mail", "query": "12.50"})'
    const id = await execute({ tools: ['document.search'] }, { prompt })
    const page = await shown.page(`/executions/${id}`)
    await page.getByText('The call of document.search needs an approval.').waitFor()
    await page.getByText('"query": "12.50"').waitFor()
    await page.getByRole('button', { name: 'Reject' }).click()
    await page.getByText(/The call of document.search was rejected by /).waitFor()
    expect(await read(id)).toMatchObject({ status: 'failed', error: { code: 'rejected' } })
  })
})
