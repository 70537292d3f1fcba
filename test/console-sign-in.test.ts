import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { skipsBrowser } from './support/browser.ts'
import { openTestConsole, type TestConsole } from './support/console.ts'

let desk: TestConsole
const password = 'correct horse battery staple'
beforeAll(async () => {
  if (skipsBrowser) return
  desk = await openTestConsole({
    env: { SKILLRUN_ADMIN_EMAIL: 'boss@example.com', SKILLRUN_ADMIN_PASSWORD: password },
  })
})
afterAll(() => desk?.[Symbol.asyncDispose]())

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
    await page.getByRole('link', { name: 'Keys' }).click()
    await page.getByRole('alert').getByText('sign in again').waitFor()
  })
})
