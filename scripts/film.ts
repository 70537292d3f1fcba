// Draws docs/images/console.gif: the sample invoice is dropped, read, and its values show where they stand. Needs Chromium.
import { readFile, writeFile } from 'node:fs/promises'
import sharp from 'sharp'
import { type Shown, withConsole } from '../bench/console-to-look-at.ts'
import { transferOf } from '../test/support/in-page.mjs'

const target = new URL('../docs/images/console.gif', import.meta.url)
const invoice = new URL('../samples/invoice.pdf', import.meta.url)
const width = 960
/** The values that are pointed at, in the order of the page. */
const pointers = ['/supplier_name', '/invoice_number', '/due_date', '/subtotal', '/total']

await withConsole(film)

async function film({ url, key, browser }: Shown): Promise<void> {
  const page = await browser.newPage({
    viewport: { width: 1280, height: 800 },
    colorScheme: 'light',
    locale: 'en-GB',
    reducedMotion: 'reduce',
  })
  const pictures: Buffer[] = []
  const delays: number[] = []
  const show = async (delayMs: number) => {
    const bytes = await page.screenshot({ animations: 'disabled' })
    pictures.push(await sharp(bytes).resize({ width }).png().toBuffer())
    delays.push(delayMs)
  }

  await page.goto(`${url}/health`)
  await page.getByLabel('API key').fill(key)
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Health', exact: true }).waitFor()
  await page.goto(`${url}/`)
  await page.getByRole('button', { name: 'Invoice' }).click()
  await show(1_500)
  const file = { name: 'invoice.pdf', base64: (await readFile(invoice)).toString('base64') }
  const dataTransfer = await page.evaluateHandle(transferOf, [file])
  await page.locator('.drop').dispatchEvent('dragover', { dataTransfer })
  await show(500)
  await page.locator('.drop').dispatchEvent('drop', { dataTransfer })
  await page.getByText('invoice.pdf').first().waitFor()
  const run = page.getByRole('button', { name: 'Run', exact: true })
  await run.focus()
  await show(1_200)
  await run.click()
  await page.locator('.page img').waitFor()
  await page.locator('[data-pointer="/total"]').waitFor()
  await show(1_500)
  for (const pointer of pointers) {
    await page.locator(`[data-pointer="${pointer}"]`).hover()
    await page.locator(`[data-box="${pointer}"].active`).waitFor()
    await show(1_300)
  }
  const gif = sharp(pictures, { join: { animated: true } }).gif({
    delay: delays,
    loop: 0,
    colours: 96,
    effort: 10,
    interFrameMaxError: 4,
  })
  await writeFile(target, await gif.toBuffer())
}
