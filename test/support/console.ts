import type { Page } from 'playwright-core'
import { ensureConsole } from '../../scripts/console.mjs'
import { openBrowser, type TestBrowser } from './browser.ts'
import { openTestService, type TestService } from './service.ts'

/** A server with a browser. */
export interface TestConsole extends AsyncDisposable {
  readonly service: TestService
  readonly browser: TestBrowser
  /** A page after the login. */
  page(path?: string, key?: string): Promise<Page>
}

/** Opens a server like `openTestService`, with the console built, and a browser with the server as its base URL. */
export async function openTestConsole(options: Parameters<typeof openTestService>[0] = {}): Promise<TestConsole> {
  ensureConsole()
  const service = await openTestService(options)
  const browser = await openBrowser({ baseURL: service.url, viewport: { width: 1280, height: 900 } })
  return {
    service,
    browser,
    async page(path = '/', key = service.key) {
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
      await service[Symbol.asyncDispose]()
    },
  }
}
