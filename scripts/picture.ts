// Draws docs/images/console-execution.png: the sample invoice in the console with one value highlighted on its page.
// Needs Chromium.
import { writeFile } from 'node:fs/promises'
import sharp from 'sharp'
import { type Shown, withConsole } from '../bench/console-to-look-at.ts'

const picture = new URL('../docs/images/console-execution.png', import.meta.url)
const size = { width: 1280, height: 860 }

await withConsole(draw)

async function draw({ url, key, browser }: Shown): Promise<void> {
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
}
