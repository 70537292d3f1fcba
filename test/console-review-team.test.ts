import { describe, expect, test } from 'vitest'
import { skipsBrowser } from './support/browser.ts'
import { openTestConsole } from './support/console.ts'
import { opened } from './support/opened.ts'

const shown = await opened(openTestConsole())

const makeKey = async (name: string): Promise<string> =>
  (await shown.service.call('POST', '/v1/keys', { body: { name, scopes: ['read', 'review'] } })).json.key

async function waiting(): Promise<string> {
  const { id } = await shown.service.execute({
    inputs: { letter: 'Total: EUR 12.50' },
    config: {
      prompt: 'Extract the total',
      json_schema: { type: 'object', properties: { total: { type: ['number', 'null'] } } },
      review: { below: 1 },
    },
  })
  return id
}

const item = async (id: string) => (await shown.service.call('GET', `/v1/reviews/${id}`)).json

const finish = (id: string) => shown.service.call('POST', `/v1/agent/executions/${id}/review`, { body: { done: true } })

describe.skipIf(skipsBrowser)('reviewers of one queue', () => {
  test('who opens an entry of the queue holds it, others see that at once, and who stops gives it back', async () => {
    const id = await waiting()
    const ann = await shown.page('/review', await makeKey('Ann'))
    await ann.getByRole('list', { name: 'Waiting for a review' }).getByRole('link').click()
    await ann.getByRole('button', { name: 'Finish, and review the next' }).waitFor()
    await expect.poll(async () => (await item(id)).claim?.by.name).toBe('Ann')
    expect(await ann.getByRole('link', { name: 'Correct' }).count()).toBe(0)
    const ben = await shown.page('/review', await makeKey('Ben'))
    await ben.getByRole('list', { name: 'Waiting for a review' }).getByRole('link', { name: 'claimed by Ann' }).click()
    await ben.getByRole('status').getByText('Ann is reviewing this execution').waitFor()
    await ben.getByText(/^Ann is reviewing this execution until \d+:\d\d [AP]M, in 1[45] minutes\.$/).waitFor()
    // What would be refused is not offered.
    for (const name of ['Finish, and review the next', 'Leave it to others', 'Stop correcting'])
      expect(await ben.getByRole('button', { name }).count()).toBe(0)
    expect(await ben.locator('.value.editable').count()).toBe(0)
    await ann.getByRole('button', { name: 'Stop correcting' }).click()
    await expect.poll(async () => (await item(id)).claim).toBeNull()
    await ben.getByRole('button', { name: 'Review it' }).click()
    await expect.poll(async () => (await item(id)).claim?.by.name).toBe('Ben')
    expect(await ben.getByText('Ann is reviewing').count()).toBe(0)
    await ben.getByRole('button', { name: 'Finish, and review the next' }).click()
    await ben.getByRole('button', { name: 'Finish all the same' }).click()
    await ben.getByText('Nothing waits for a review').waitFor()
    expect(shown.browser.complaints).toEqual([])
    await ann.close()
    await ben.close()
  })

  test('a claim that reaches the server late does not outlive its release', async () => {
    const id = await waiting()
    const page = await shown.page('/')
    const claims: (() => Promise<void>)[] = []
    await page.route('**/claim', (route) => void claims.push(() => route.continue()))
    await page.goto(`/executions/${id}?correct=1`)
    await expect.poll(() => claims.length).toBe(1)
    const released = page.waitForResponse('**/release')
    await page.getByRole('button', { name: 'Stop correcting' }).click()
    await page.getByRole('link', { name: 'Correct' }).waitFor()
    await claims[0]?.()
    expect((await released).status()).toBe(200)
    expect((await item(id)).claim).toBeNull()
    await finish(id)
    await page.close()
  })

  test('a claim is renewed while its reviewer works, and lapses while they do not', async () => {
    const id = await waiting()
    const page = await shown.page('/')
    await page.clock.install()
    let claims = 0
    await page.route('**/claim', async (route) => {
      claims += 1
      await route.continue()
    })
    await page.goto(`/executions/${id}?correct=1`)
    await expect.poll(() => claims).toBe(1)
    await page.locator('[data-pointer="/total"]').getByRole('button').click()
    await page.keyboard.type('13')
    await page.clock.runFor('05:01')
    await expect.poll(() => claims).toBe(2)
    await page.clock.runFor('30:00')
    await page.keyboard.type('5')
    await page.clock.runFor('05:01')
    await expect.poll(() => claims).toBe(3)
    await finish(id)
    await page.close()
  })
})
