import type { Page, Request } from 'playwright-core'
import { expect } from 'vitest'
import { ensureConsole } from '../../scripts/console.mjs'
import { openBrowser, skipsBrowser, type TestBrowser } from './browser.ts'
import { openTestService, type TestService } from './service.ts'

/** A server with a browser. */
export interface TestConsole extends AsyncDisposable {
  readonly service: TestService
  readonly browser: TestBrowser
  /** A page with the key, as after the login. */
  page(path?: string, key?: string): Promise<Page>
}

/** Requests of a page that have not ended, without event streams, which do not end. */
const requests = new WeakMap<Page, ReadonlySet<Request>>()

/** Waits until a screen shows what it loads. */
export async function settled(page: Page): Promise<void> {
  await page.getByRole('heading', { level: 1 }).first().waitFor()
  let quietLooks = 0
  const look = async () => {
    const open = requests.get(page)?.size ?? 0
    quietLooks = open + (await page.locator('[aria-busy=true], .loading').count()) === 0 ? quietLooks + 1 : 0
    return quietLooks
  }
  // One request may follow another.
  await expect.poll(look, { timeout: 30_000, interval: 50 }).toBeGreaterThan(2)
}

/** Opens a server like `openTestService`, with the console built, and a browser with the server as its base URL. */
export async function openTestConsole(options: Parameters<typeof openTestService>[0] = {}): Promise<TestConsole> {
  ensureConsole()
  const service = await openTestService(options)
  const looks = { baseURL: service.url, viewport: { width: 1280, height: 900 } }
  // Tests of a browser that is not there are skipped, the others of their file are not.
  const browser = skipsBrowser ? (undefined as never) : await openBrowser(looks)
  return {
    service,
    browser,
    async page(path = '/', key = service.key) {
      const page = await browser.page()
      const open = new Set<Request>()
      page.on('request', (request) => !request.url().endsWith('/events') && open.add(request))
      for (const end of ['requestfinished', 'requestfailed'] as const)
        page.on(end as 'requestfinished', (request) => open.delete(request))
      requests.set(page, open)
      // Stores the key as the sign-in form does. The form has its own tests; skipping it here halves the pages to load.
      await page.goto('/v1/health')
      await page.evaluate(`sessionStorage.setItem('skillrun-key', ${JSON.stringify(key)})`)
      await page.goto(path)
      return page
    },
    async [Symbol.asyncDispose]() {
      await browser?.[Symbol.asyncDispose]()
      await service[Symbol.asyncDispose]()
    },
  }
}
