import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { skipsBrowser } from './support/browser.ts'
import { openTestConsole, type TestConsole } from './support/console.ts'
import { findFaintTexts, overflow } from './support/in-page.mjs'
import { hasFfmpeg, madeFilm } from './support/made-media.ts'

const filmSchema = {
  type: 'object',
  properties: {
    title: { type: ['string', 'null'] },
    invoice_number: { type: ['string', 'null'] },
    order_number: { type: ['string', 'null'] },
    due_date: { type: ['string', 'null'] },
  },
}

describe.skipIf(skipsBrowser || !(await hasFfmpeg()))('video and audio in the console', { timeout: 60_000 }, () => {
  let shown: TestConsole
  let execution: string
  beforeAll(async () => {
    shown = await openTestConsole()
    const film = await madeFilm(['Invoice number: INV-4711', 'Thank you', 'Due date: 2026-04-02'], {
      form: 'webm',
      subtitles: '1\n00:00:02,500 --> 00:00:03,500\nOrder number: PO-7731\n',
    })
    const { id } = await shown.service.upload(film, 'talk.webm')
    const json = await shown.service.execute({
      inputs: { talk: { type: 'input_file', file_id: id } },
      config: { prompt: 'Extract the fields', json_schema: filmSchema },
    })
    expect(json.response).toMatchObject({ invoice_number: 'INV-4711', order_number: 'PO-7731' })
    // The video has three frames in all: one taken in between has the time at which it is shown.
    expect(json.evidence['/due_date'].seconds[0]).toBeCloseTo(4, 1)
    execution = json.id
  })
  afterAll(() => shown?.[Symbol.asyncDispose]())

  const openFilm = async () => {
    const page = await shown.page(`/executions/${execution}`)
    const film = page.locator('video')
    await expect.poll(() => film.evaluate((one) => (one as unknown as { duration: number }).duration)).toBeCloseTo(6, 0)
    const second = () => film.evaluate((one) => (one as unknown as { currentTime: number }).currentTime)
    const mark = (pointer: string) => page.locator(`[data-time="${pointer}"]`)
    return { page, second, mark }
  }

  test('values have markers on the timeline, if they have a time', async () => {
    const { page, mark } = await openFilm()
    const line = page.getByRole('region', { name: 'Found at' })
    expect(await line.getByRole('button').evaluateAll((all) => all.map((one) => one.ariaLabel))).toEqual([
      'Invoice number, at 0:00',
      'Order number, 0:02.5 to 0:03.5',
      'Due date, at 0:04',
    ])
    // 2.5 of 6 seconds, and one second long.
    const [whole, part] = [await line.locator('.time-rows').boundingBox(), await mark('/order_number').boundingBox()]
    expect(((part?.x ?? 0) - (whole?.x ?? 0)) / (whole?.width ?? 1)).toBeCloseTo(0.417, 1)
    expect((part?.width ?? 0) / (whole?.width ?? 1)).toBeCloseTo(0.167, 1)
    // A video has no pages to turn.
    expect(await page.getByRole('button', { name: 'next page' }).count()).toBe(0)
    await page.close()
  })

  test('a focused value highlights its marker, and a marker its value, by pointer and by keyboard', async () => {
    const { page, mark } = await openFilm()
    const value = page.locator('[data-pointer="/order_number"]')
    await value.hover()
    await expect.poll(() => mark('/order_number').getAttribute('class')).toContain('active')
    expect(await mark('/invoice_number').getAttribute('class')).not.toContain('active')
    await page.getByText('0:02.5 to 0:03.5').waitFor()
    await page.getByRole('heading', { level: 1 }).hover()
    await expect.poll(() => mark('/order_number').getAttribute('class')).not.toContain('active')
    await mark('/invoice_number').hover()
    await expect.poll(() => page.locator('[data-pointer="/invoice_number"]').getAttribute('class')).toContain('active')
    await page.getByRole('heading', { level: 1 }).hover()
    await mark('/invoice_number').focus()
    await page.keyboard.press('Tab')
    await expect.poll(() => value.getAttribute('class')).toContain('active')
    await page.close()
  })

  test('a click on a marker or its value seeks the player, and frames the place in the image', async () => {
    const { page, mark, second } = await openFilm()
    await mark('/order_number').click()
    await expect.poll(second).toBeCloseTo(2.5, 1)
    await page.locator('[data-pointer="/invoice_number"]').getByRole('button').click()
    await expect.poll(second).toBe(0)
    const [frame, film] = [
      await page.locator('[data-box="/invoice_number"]').boundingBox(),
      await page.locator('video').boundingBox(),
    ]
    // The words are in the centre of the card.
    const middle = ((frame?.y ?? 0) + (frame?.height ?? 0) / 2 - (film?.y ?? 0)) / (film?.height ?? 1)
    expect(middle).toBeGreaterThan(0.4)
    expect(middle).toBeLessThan(0.6)
    await mark('/order_number').focus()
    await page.keyboard.press('Enter')
    await expect.poll(second).toBeCloseTo(2.5, 1)
    expect(shown.browser.complaints).toEqual([])
    await page.close()
  })

  test.each(['light', 'dark'] as const)('in %s colours it is readable, on a telephone too', async (colorScheme) => {
    const { page, mark } = await openFilm()
    await page.emulateMedia({ colorScheme })
    await mark('/order_number').hover()
    expect(await page.evaluate(findFaintTexts, 4.5)).toEqual([])
    await page.setViewportSize({ width: 380, height: 800 })
    expect(await page.evaluate(overflow)).toBe(0)
    await page.close()
  })
})
