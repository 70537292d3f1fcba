import { accessSync, constants } from 'node:fs'
import { type Browser, type BrowserContext, type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import { watchViolations } from './in-page.mjs'

const candidates = [
  process.env['CHROMIUM_PATH'] ?? '',
  // The same without windows: opens a page for a third of the CPU time.
  '/usr/bin/chromium-headless-shell',
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

/** Of all tests in this process; ends with it. */
let launched: Promise<Browser> | undefined

/** Opens a profile, whose addresses are relative to `baseURL`, in the browser of this process. */
export async function openBrowser(options: BrowserContextOptions & { baseURL: string }): Promise<TestBrowser> {
  launched ??= chromium.launch({
    ...(chromiumPath ? { executablePath: chromiumPath } : {}),
    args: programArguments,
  })
  const context = await (await launched).newContext(options)
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
    [Symbol.asyncDispose]: () => context.close(),
  }
}
