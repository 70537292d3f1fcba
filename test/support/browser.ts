import { accessSync, constants } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type BrowserContext, type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import { watchViolations } from './in-page.mjs'

const candidates = [
  process.env['CHROMIUM_PATH'] ?? '',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
]

/** The path of a Chromium on this machine, or undefined. */
const chromiumPath = candidates.find((path) => {
  try {
    accessSync(path, constants.X_OK)
    return path !== ''
  } catch {
    return false
  }
})

/** True when browser tests are skipped: there is no Chromium, and it is not required. */
export const skipsBrowser = chromiumPath === undefined && process.env['REQUIRE_BROWSER'] !== '1'
if (skipsBrowser) console.log('Browser tests are skipped: there is no Chromium here (apt-get install chromium).')

/** A browser with a separate profile that records complaints of pages. */
export interface TestBrowser extends AsyncDisposable {
  readonly context: BrowserContext
  /** Script errors, and violations of the pages' content security policy. */
  readonly complaints: string[]
  page(): Promise<Page>
}

const programArguments = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

/** Opens a browser whose addresses are relative to `baseURL`. */
export async function openBrowser(options: BrowserContextOptions & { baseURL: string }): Promise<TestBrowser> {
  const profile = await mkdtemp(join(tmpdir(), 'skillrun-browser-'))
  const context = await chromium.launchPersistentContext(profile, {
    ...(chromiumPath ? { executablePath: chromiumPath } : {}),
    args: programArguments,
    ...options,
  })
  // Only a page that hangs reaches it: no verdict depends on how busy the machine is.
  context.setDefaultTimeout(120_000)
  const complaints: string[] = []
  await context.exposeFunction('complain', (text: string) => complaints.push(text))
  await context.addInitScript(watchViolations)
  return {
    context,
    complaints,
    async page() {
      const page = await context.newPage()
      page.on('pageerror', (error) => complaints.push(String(error)))
      return page
    },
    async [Symbol.asyncDispose]() {
      try {
        await context.close()
      } finally {
        // Its processes may still write for a moment.
        await rm(profile, { recursive: true, force: true, maxRetries: 10 })
      }
    },
  }
}
