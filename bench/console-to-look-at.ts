import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Browser, chromium } from 'playwright-core'
import { ensureConsole } from '../scripts/console.mjs'
import { startMain } from './child.ts'

/** The key of the server. */
const key = 'the-key-of-those-who-look'

/** A fresh server that has run the sample invoice, and a browser. */
export interface Shown {
  readonly url: string
  readonly key: string
  readonly browser: Browser
}

/** Starts a server on an empty folder, as `npm start` does, and a Chromium (CHROMIUM_PATH, or Debian's), calls `look`, and stops both. */
export async function withConsole(look: (shown: Shown) => Promise<void>): Promise<void> {
  ensureConsole()
  const folder = await mkdtemp(join(tmpdir(), 'skillrun-look-'))
  try {
    await using server = await startMain(folder, { SKILLRUN_API_KEY: key })
    const { url } = server
    // The sample invoice is the first execution; its total is the last line of its output.
    await server.printed(/"total": ([\d.]+)/)
    const browser = await chromium.launch({
      executablePath: process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium',
      args: ['--headless', '--no-sandbox', '--disable-gpu'],
    })
    try {
      await look({ url, key, browser })
    } finally {
      await browser.close()
    }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
