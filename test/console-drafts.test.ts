import type { Page, Route } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { skipsBrowser } from './support/browser.ts'
import { openTestConsole } from './support/console.ts'
import { opened } from './support/opened.ts'

const shown = await opened(openTestConsole())

const makeKey = async (name: string): Promise<{ id: string; key: string }> =>
  (await shown.service.call('POST', '/v1/keys', { body: { name, scopes: ['read', 'review'] } })).json

async function signIn(page: Page, key: string): Promise<void> {
  await page.getByLabel('API key').fill(key)
  await page.keyboard.press('Enter')
  await page.locator('[data-pointer="/total"]').getByRole('button').waitFor()
}

const total = (page: Page) => page.getByLabel('Total', { exact: true })

/** A page on which Ann has typed 4711 and not saved it. */
async function typedByAnn(key: string): Promise<Page> {
  const { id } = await shown.service.execute({
    inputs: { letter: 'Total: EUR 12.50' },
    config: { prompt: 'Extract the total', json_schema: { type: 'object', properties: { total: { type: 'number' } } } },
  })
  const page = await shown.page(`/executions/${id}?correct=1`, key)
  await page.locator('[data-pointer="/total"]').getByRole('button').click()
  await total(page).fill('4711')
  await expect.poll(() => page.evaluate(`sessionStorage.getItem('skillrun-review-draft')`)).toContain('4711')
  return page
}

/** The server no longer accepts the key of the page. */
async function refuseKey(page: Page): Promise<void> {
  const refuse = (route: Route) => route.fulfill({ status: 401, json: { detail: 'The key was revoked' } })
  await page.route('**/review', refuse)
  await page.locator('[data-pointer="/total"]').getByRole('button').click()
  await page.getByRole('button', { name: 'Not in the document' }).click()
  await page.getByRole('alert').getByText('The key was revoked').waitFor()
  await page.unroute('**/review', refuse)
}

describe.skipIf(skipsBrowser)('what a person typed and did not save', () => {
  test('is theirs again under a new key of their name, and gone for anybody else', async () => {
    const [ann, renewed, ben] = [await makeKey('Ann Lee'), await makeKey('Ann Lee'), await makeKey('Ben')]
    const page = await typedByAnn(ann.key)
    await refuseKey(page)
    await signIn(page, renewed.key)
    await expect.poll(() => total(page).inputValue()).toBe('4711')
    await refuseKey(page)
    await signIn(page, ben.key)
    await page.getByText('Choose a value to correct it').waitFor()
    await expect.poll(() => page.evaluate(`sessionStorage.getItem('skillrun-review-draft')`)).toBeNull()
    await page.close()
  })

  test('is not given to the next person by an answer that comes late', async () => {
    const [ann, ben] = [await makeKey('Ann'), await makeKey('Ben')]
    const page = await typedByAnn(ann.key)
    await refuseKey(page)
    const asked: Record<string, Route> = {}
    await page.route('**/v1/me', (route) => {
      asked[route.request().headers()['authorization'] ?? ''] = route
    })
    const answer = async (key: string) => {
      const route = asked[`Bearer ${key}`]
      // A page that has given up on the answer does not take it.
      await route?.fulfill({ response: await route.fetch() }).catch(() => undefined)
    }
    await signIn(page, ann.key)
    await refuseKey(page)
    await signIn(page, ben.key)
    await expect.poll(() => Object.keys(asked).length).toBe(2)
    await answer(ann.key)
    await page.locator('[data-pointer="/total"]').getByRole('button').click()
    expect(await total(page).inputValue()).toBe('12.5')
    await answer(ben.key)
    await expect.poll(() => page.evaluate(`sessionStorage.getItem('skillrun-review-draft')`)).toBeNull()
    expect(await total(page).inputValue()).toBe('12.5')
    await page.close()
  })
})
