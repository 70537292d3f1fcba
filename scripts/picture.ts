// Draws docs/images/console-execution.png: the sample invoice in the console, one value lit up on its page. Needs a Chromium.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium } from 'playwright-core'
import sharp from 'sharp'
import { ensureConsole } from './console.mjs'

const key = 'the-key-of-the-picture'
const picture = new URL('../docs/images/console-execution.png', import.meta.url)
const size = { width: 1280, height: 860 }

ensureConsole()
const folder = await mkdtemp(join(tmpdir(), 'skillrun-picture-'))
const server = spawn(process.execPath, [new URL('../src/main.ts', import.meta.url).pathname], {
  env: { ...process.env, PORT: '0', SKILLRUN_DATA: folder, SKILLRUN_API_KEY: key, OLLAMA_BASE_URL: 'off' },
  stdio: ['ignore', 'pipe', 'inherit'],
})
let output = ''
server.stdout.on('data', (part) => {
  output += part
})
try {
  const url = await printed(/Skillrun +(http:\S+)/)
  // The sample invoice is the first execution, and its total the last line of what is printed of it.
  await printed(/"total": ([\d.]+)/)
  await draw(url)
} finally {
  server.kill('SIGTERM')
  await once(server, 'close')
  await rm(folder, { recursive: true, force: true })
}

function printed(pattern: RegExp): Promise<string> {
  return new Promise((resolve, reject) => {
    const look = () => {
      const match = pattern.exec(output)
      if (match) resolve(match[1] ?? '')
    }
    server.stdout.on('data', look)
    server.once('close', () => reject(new Error(`the server ended without printing ${pattern}`)))
    look()
  })
}

async function draw(url: string): Promise<void> {
  const browser = await chromium.launch({
    executablePath: process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium',
    args: ['--headless', '--no-sandbox', '--disable-gpu'],
  })
  try {
    const page = await browser.newPage({ viewport: size, colorScheme: 'light' })
    await page.goto(`${url}/executions`)
    await page.getByLabel('API key').fill(key)
    await page.keyboard.press('Enter')
    await page.getByRole('list', { name: 'Executions' }).getByRole('link').first().click()
    await page.locator('.page img').waitFor()
    await page.locator('[data-pointer="/due_date"]').hover()
    await page.locator('[data-box="/due_date"].active').waitFor()
    const bytes = await page.screenshot()
    await writeFile(picture, await sharp(bytes).png({ palette: true, colours: 256, effort: 10 }).toBuffer())
  } finally {
    await browser.close()
  }
}
