import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { skipsBrowser } from './support/browser.ts'
import { openTestConsole, type TestConsole } from './support/console.ts'
import { startHearing } from './support/hearing.ts'
import { findFaintTexts, overflow } from './support/in-page.mjs'
import { hasFfmpeg, madeSound } from './support/made-media.ts'

const text = { type: ['string', 'null'] }
const schema = { type: 'object', properties: { title: text, order_number: text, due_date: text } }

describe.skipIf(skipsBrowser || !(await hasFfmpeg()))('audio in the console', { timeout: 60_000 }, () => {
  let shown: TestConsole
  let hearing: Awaited<ReturnType<typeof startHearing>>
  let execution: string
  beforeAll(async () => {
    hearing = await startHearing([
      { start: 1.5, end: 3, text: 'Order number: PO-7731' },
      { start: 4, end: 5.5, text: 'Due date: 2026-04-02' },
    ])
    shown = await openTestConsole({
      config: {
        providers: [{ name: 'ears', kind: 'openai-compatible', baseUrl: hearing.baseUrl }],
        file: {
          routes: { 'svc-agent-1:auto': 'embedded' },
          transcription: { model: 'ears/whisper', micros_per_minute: 6_000 },
        },
      },
    })
    const { id } = await shown.service.upload(await madeSound(6, 'A call'), 'call.mp3')
    const json = await shown.service.execute({
      inputs: { call: { type: 'input_file', file_id: id } },
      config: { prompt: 'Extract the fields', json_schema: schema },
    })
    expect(json.response).toEqual({ title: 'A call', order_number: 'PO-7731', due_date: '2026-04-02' })
    execution = json.id
  })
  afterAll(async () => {
    await shown?.[Symbol.asyncDispose]()
    hearing?.close()
  })

  const openSound = async () => {
    const page = await shown.page(`/executions/${execution}`)
    const sound = page.locator('audio')
    await expect
      .poll(() => sound.evaluate((one) => (one as unknown as { duration: number }).duration))
      .toBeCloseTo(6, 0)
    const second = () => sound.evaluate((one) => (one as unknown as { currentTime: number }).currentTime)
    return { page, second, mark: page.locator('[data-time="/order_number"]') }
  }

  test('speech has its marker from first to last second, and a title that is not spoken has none', async () => {
    const { page } = await openSound()
    const marks = page.getByRole('region', { name: 'Found at' }).getByRole('button')
    expect(await marks.evaluateAll((all) => all.map((one) => one.ariaLabel))).toEqual([
      'Order number, 0:01.5 to 0:03',
      'Due date, 0:04 to 0:05.5',
    ])
    await page.close()
  })

  test('a value highlights its marker, a marker its value, and both seek the player, by keyboard too', async () => {
    const { page, second, mark } = await openSound()
    const value = page.locator('[data-pointer="/order_number"]')
    await value.hover()
    await expect.poll(() => mark.getAttribute('class')).toContain('active')
    await page.getByText('0:01.5 to 0:03').waitFor()
    await page.getByRole('heading', { level: 1 }).hover()
    await expect.poll(() => mark.getAttribute('class')).not.toContain('active')
    await mark.hover()
    await expect.poll(() => value.getAttribute('class')).toContain('active')
    await page.getByRole('heading', { level: 1 }).hover()
    await page.locator('[data-pointer="/due_date"]').getByRole('button').click()
    await expect.poll(second).toBeCloseTo(4, 1)
    await mark.focus()
    await expect.poll(() => value.getAttribute('class')).toContain('active')
    await page.keyboard.press('Enter')
    await expect.poll(second).toBeCloseTo(1.5, 1)
    expect(shown.browser.complaints).toEqual([])
    await page.close()
  })

  test.each(['light', 'dark'] as const)('in %s colours it is readable, on a telephone too', async (colorScheme) => {
    const { page, mark } = await openSound()
    await page.emulateMedia({ colorScheme })
    await mark.hover()
    expect(await page.evaluate(findFaintTexts, 4.5)).toEqual([])
    await page.setViewportSize({ width: 380, height: 800 })
    expect(await page.evaluate(overflow)).toBe(0)
    await page.close()
  })
})
