import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Browser, chromium } from 'playwright-core'
import { ensureConsole } from '../scripts/console.mjs'

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
  const server = spawn(process.execPath, [new URL('../packages/server/src/main.mjs', import.meta.url).pathname], {
    env: { ...process.env, PORT: '0', SKILLRUN_DATA: folder, SKILLRUN_API_KEY: key, OLLAMA_BASE_URL: 'off' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let output = ''
  server.stdout.on('data', (part) => {
    output += part
  })
  const printed = (pattern: RegExp): Promise<string> =>
    new Promise((resolve, reject) => {
      const see = () => {
        const match = pattern.exec(output)
        if (match) resolve(match[1] ?? '')
      }
      server.stdout.on('data', see)
      server.once('close', () => reject(new Error(`the server ended without printing ${pattern}`)))
      see()
    })
  try {
    const url = await printed(/Skillrun +(http:\S+)/)
    // The sample invoice is the first execution; its total is the last line of its output.
    await printed(/"total": ([\d.]+)/)
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
    server.kill('SIGTERM')
    if (server.exitCode === null && server.signalCode === null) await once(server, 'close')
    await rm(folder, { recursive: true, force: true })
  }
}
