import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { violations } from './support/axe.ts'
import { skipsBrowser } from './support/browser.ts'
import { openTestConsole } from './support/console.ts'
import { openIdentityProvider } from './support/identity-provider.ts'
import { transferOf } from './support/in-page.mjs'
import { opened } from './support/opened.ts'

const password = 'correct horse battery staple'
const desk = await opened(
  openTestConsole({
    env: { SKILLRUN_ADMIN_EMAIL: 'boss@example.com', SKILLRUN_ADMIN_PASSWORD: password },
  }),
)

async function signInByKey(page: Page, key: string): Promise<void> {
  await page.getByRole('button', { name: 'Use an API key' }).click()
  await page.getByLabel('API key').fill(key)
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Sign out', exact: true }).waitFor()
}

describe.skipIf(skipsBrowser)('the console', () => {
  test('an admin signs in, adds a user, who chooses a password, works under their name and signs out', async () => {
    const boss = await desk.browser.page()
    await boss.goto('/users')
    await boss.getByLabel('Email address').fill('boss@example.com')
    await boss.getByLabel('Password').fill('not the password')
    await boss.keyboard.press('Enter')
    await boss.getByRole('alert').getByText('is not right').waitFor()
    await boss.getByLabel('Password').fill(password)
    await boss.keyboard.press('Enter')
    await boss.getByRole('heading', { name: 'Users', exact: true }).waitFor()
    await boss.getByLabel('Email address').fill('ann@example.com')
    await boss.getByLabel('Name (optional)').fill('Ann Lee')
    await boss.getByRole('button', { name: 'Add user' }).click()
    const first = await boss.locator('.made-key code').textContent()
    await boss.getByText('ann@example.com · never signed in').waitFor()

    const ann = await desk.browser.page()
    await ann.context().clearCookies()
    await ann.goto('/keys')
    await ann.getByLabel('Email address').fill('ann@example.com')
    await ann.getByLabel('Password').fill(first ?? '')
    await ann.getByRole('button', { name: 'Sign in' }).click()
    await ann.getByRole('heading', { name: 'Choose a password' }).waitFor()
    await ann.getByLabel('Current password').fill(first ?? '')
    await ann.getByLabel(/New password/).fill('a password of Ann')
    await ann.getByRole('button', { name: 'Change password' }).click()
    await ann.getByText('needs a role with the scope admin').waitFor()
    // The session is the browser's: it holds after the page was loaded again, and in another tab.
    await ann.goto('/account')
    await ann.getByRole('heading', { name: 'Ann Lee' }).waitFor()
    await ann.getByText('ann@example.com · reviewer in main').waitFor()
    // No script can read it.
    expect(await ann.evaluate('document.cookie')).toBe('')
    expect(await ann.evaluate('JSON.stringify([{ ...localStorage }, { ...sessionStorage }])')).toBe('[{},{}]')
    await ann.getByRole('button', { name: 'Sign out', exact: true }).click()
    await ann.getByLabel('Email address').waitFor()
    await ann.goto('/account')
    await ann.getByLabel('Email address').waitFor()
  })

  test('a key still opens the console, and a session that ended asks for the sign-in', async () => {
    const page = await desk.browser.page()
    await page.context().clearCookies()
    await page.goto('/users')
    await page.getByRole('button', { name: 'Use an API key' }).click()
    await page.getByLabel('API key').fill(desk.service.key)
    await page.keyboard.press('Enter')
    await page.getByText('boss@example.com ·').waitFor()
    await page.getByRole('button', { name: 'Sign out', exact: true }).click()
    await page.getByLabel('Email address').fill('boss@example.com')
    await page.getByLabel('Password').fill(password)
    await page.keyboard.press('Enter')
    await page.getByText('boss@example.com ·').waitFor()
    await desk.service.database.db.query('delete from user_sessions')
    const over = page.getByRole('alert').getByText('sign in again')
    // The estimate of the prompt may have found out before.
    await page.getByRole('link', { name: 'Keys' }).or(over).click()
    await over.waitFor()
  })

  test('who signs out leaves nothing of a request that was not sent to the next person', async () => {
    const page = await desk.page('/')
    await page.getByLabel('Prompt').fill('Extract the salaries')
    await page.getByRole('button', { name: 'Sign out', exact: true }).click()
    await signInByKey(page, await desk.service.stranger())
    expect(await page.getByLabel('Prompt').inputValue()).toBe('')
    await page.close()
  })

  test('who signs out during an upload leaves nothing of it behind', async () => {
    const page = await desk.page('/')
    const file = { name: 'salaries.txt', base64: Buffer.from('Total: EUR 7.25').toString('base64') }
    const dataTransfer = await page.evaluateHandle(transferOf, [file])
    await page.locator('.drop').dispatchEvent('drop', { dataTransfer })
    const isAsked = page.waitForRequest('**/v1/files')
    await page.route('**/v1/files', () => undefined)
    await page.getByRole('button', { name: 'Run', exact: true }).click()
    await isAsked
    await page.getByRole('button', { name: 'Sign out', exact: true }).click()
    await signInByKey(page, desk.service.key)
    await page.getByLabel('Prompt').waitFor()
    expect(await page.getByText('salaries.txt').count()).toBe(0)
    await page.close()
  })

  test('who signs out while a stored file is looked up does not leave it to the next person', async () => {
    const { id } = await desk.service.upload(Buffer.from('Total: 5.00'), 'salaries.txt')
    const page = await desk.page('/health')
    const held = Promise.withResolvers<void>()
    const passed = Promise.withResolvers<void>()
    await page.route(`**/v1/files/${id}`, async (route) => {
      await held.promise
      await route.continue().catch(() => undefined)
      passed.resolve()
    })
    const isAsked = page.waitForRequest(`**/v1/files/${id}`)
    await page.goto(`/?file=${id}`)
    await isAsked
    await page.getByRole('button', { name: 'Sign out', exact: true }).click()
    await signInByKey(page, await desk.service.stranger())
    held.resolve()
    await passed.promise
    await page.getByRole('link', { name: 'Files', exact: true }).click()
    await page.getByRole('heading', { name: 'Files' }).waitFor()
    await page.getByRole('link', { name: 'Run', exact: true }).click()
    await page.getByLabel('Prompt').waitFor()
    expect(await page.getByText('salaries.txt').count()).toBe(0)
    await page.close()
  })

  test('who signs in after the session of somebody else ended sees nothing of their request', async () => {
    const page = await desk.browser.page()
    await page.context().clearCookies()
    await page.goto('/')
    await page.getByLabel('Email address').fill('boss@example.com')
    await page.getByLabel('Password').fill(password)
    await page.keyboard.press('Enter')
    await page.getByLabel('Prompt').fill('Extract the salaries')
    await desk.service.database.db.query('delete from user_sessions')
    const over = page.getByRole('alert').getByText('sign in again')
    // The estimate of the prompt may have found out before.
    await page.getByRole('link', { name: 'Keys' }).or(over).click()
    await over.waitFor()
    await signInByKey(page, desk.service.key)
    await page.getByRole('link', { name: 'Run', exact: true }).click()
    expect(await page.getByLabel('Prompt').inputValue()).toBe('')
    await page.close()
  })

  test('a correction that was typed when the session ended is there for the same person, and for nobody else', async () => {
    const { service } = desk
    const properties = { total: { type: 'number' }, items: { type: 'array', items: { type: 'string' } } }
    const { id } = await service.execute({
      inputs: { letter: 'Total: EUR 12.50' },
      config: { prompt: 'Extract the fields', json_schema: { type: 'object', properties } },
    })
    const page = await desk.browser.page()
    await page.context().clearCookies()
    await page.goto(`/executions/${id}?correct=1`)
    const signIn = async () => {
      await page.getByLabel('Email address').fill('boss@example.com')
      await page.getByLabel('Password').fill(password)
      await page.keyboard.press('Enter')
    }
    const end = async () => {
      await service.database.db.query('delete from user_sessions')
      await page.keyboard.press('Enter')
      await page.getByRole('alert').getByText('sign in again').waitFor()
    }
    const total = page.getByLabel('Total', { exact: true })
    await signIn()
    await page.getByRole('button', { name: 'Add a row' }).click()
    await page.keyboard.type('Saw')
    await page.locator('[data-pointer="/total"]').getByRole('button').click()
    await total.fill('4711')
    await end()
    await signIn()
    await expect.poll(() => total.inputValue()).toBe('4711')
    expect(await page.getByLabel('Value of the added row').inputValue()).toBe('Saw')
    await total.press('Enter')
    const read = async () => (await service.call('GET', `/v1/agent/executions/${id}`)).json
    await expect.poll(async () => (await read()).reviewed_response?.total).toBe(4711)
    await page.locator('[data-pointer="/total"]').getByRole('button').click()
    await total.fill('0815')
    await end()
    await page.getByRole('button', { name: 'Use an API key' }).click()
    await page.getByLabel('API key').fill(service.key)
    await page.keyboard.press('Enter')
    // The person who was signed in holds the review.
    await page.getByText('boss@example.com is reviewing this execution').waitFor()
    await page.locator('[data-pointer="/total"]').getByText('4,711.00').waitFor()
    expect(await total.count()).toBe(0)
    expect(await page.getByLabel('Value of the added row').count()).toBe(0)
    expect(await page.evaluate('JSON.stringify({ ...sessionStorage })')).not.toMatch(/0815|Saw/)
    await page.close()
  })

  test('a sign-out that does not reach the server says that the session goes on', async () => {
    const page = await desk.browser.page()
    await page.context().clearCookies()
    await page.goto('/account')
    await page.getByLabel('Email address').fill('boss@example.com')
    await page.getByLabel('Password').fill(password)
    await page.keyboard.press('Enter')
    await page.getByText('boss@example.com ·').waitFor()
    await page.route('**/v1/sign-out', (route) => route.abort())
    await page.getByRole('button', { name: 'Sign out', exact: true }).click()
    await page.getByRole('alert').getByText('You are still signed in').waitFor()
    await page.unroute('**/v1/sign-out')
    await page.reload()
    await page.getByRole('button', { name: 'Sign out', exact: true }).click()
    await page.getByLabel('Email address').waitFor()
    expect(await page.getByText('You are still signed in').count()).toBe(0)
    await page.close()
  })

  test('a person signs in with the provider, lands where they wanted to, and signs out of both', async () => {
    await using provider = await openIdentityProvider()
    await using other = await openTestConsole({
      env: {
        SKILLRUN_OIDC_ISSUER: provider.issuer,
        SKILLRUN_OIDC_CLIENT_ID: provider.clientId,
        SKILLRUN_OIDC_CLIENT_SECRET: provider.clientSecret,
        SKILLRUN_OIDC_NAME: 'Works Directory',
        SKILLRUN_OIDC_NEW_USERS: 'add',
      },
    })
    provider.register(other.service.url)
    provider.people.set('ann', { email: 'ann@example.com', email_verified: true, name: 'Ann Lee' })
    provider.signingIn = 'ann'
    const page = await other.browser.page()
    await page.goto('/account')
    const button = page.getByRole('link', { name: 'Sign in with Works Directory' })
    await button.waitFor()
    expect(await page.getByLabel('Password').count()).toBe(0)
    for (const [width, height] of [
      [1440, 900],
      [1024, 768],
      [390, 844],
    ] as const) {
      await page.setViewportSize({ width, height })
      expect(await violations(page)).toEqual([])
      expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true)
    }
    await page.setViewportSize({ width: 1280, height: 900 })
    await button.focus()
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Ann Lee' }).waitFor()
    expect(new URL(page.url()).pathname).toBe('/account')
    await page.getByText('ann@example.com · viewer in main').waitFor()
    expect(await page.getByRole('heading', { name: 'Password' }).count()).toBe(0)
    await page.getByRole('button', { name: 'Sign out', exact: true }).click()
    await page.getByRole('link', { name: 'Sign out of Works Directory' }).click()
    await page.waitForURL(`${provider.issuer}/**`)
    // Somebody who gives up comes to a page that leads back.
    provider.signingIn = null
    await page.context().clearCookies()
    await page.goto('/')
    await button.click()
    await page.getByRole('heading', { name: 'You are not signed in' }).waitFor()
    expect(await violations(page)).toEqual([])
    await page.getByRole('link', { name: 'Other ways to sign in' }).click()
    await button.waitFor()
    await page.getByRole('button', { name: 'Use an API key' }).click()
    await page.getByLabel('API key').waitFor()
  })
})
