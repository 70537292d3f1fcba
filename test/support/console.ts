import type { Page } from 'playwright-core'
import { ensureConsole } from '../../scripts/console.mjs'
import { openBrowser, type TestBrowser } from './browser.ts'
import { openTestHouse, type TestHouse } from './house.ts'

/** A house with a browser before it. */
export interface TestConsole extends AsyncDisposable {
  readonly house: TestHouse
  readonly browser: TestBrowser
  /** A page that is past the question for the key. */
  page(path?: string, key?: string): Promise<Page>
}

/** Opens a house as `openTestHouse` does, with the console built, and a browser whose addresses are the house's. */
export async function openTestConsole(options: Parameters<typeof openTestHouse>[0] = {}): Promise<TestConsole> {
  ensureConsole()
  const house = await openTestHouse(options)
  const browser = await openBrowser({ baseURL: house.url, viewport: { width: 1280, height: 900 } })
  return {
    house,
    browser,
    async page(path = '/', key = house.key) {
      const page = await browser.page()
      await page.goto('/health')
      await page.getByLabel('API key').fill(key)
      await page.keyboard.press('Enter')
      await page.getByRole('heading', { name: 'Health', exact: true }).waitFor()
      await page.goto(path)
      return page
    },
    async [Symbol.asyncDispose]() {
      await browser[Symbol.asyncDispose]()
      await house[Symbol.asyncDispose]()
    },
  }
}
