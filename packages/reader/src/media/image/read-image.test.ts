import { systemClock } from '@skillrun/core/clock.ts'
import { afterEach, beforeAll, expect, test, vi } from 'vitest'
import { readLimits } from '../limits.ts'
import { madeInvoice, madePdf, picturedPdf } from '../testing/made.ts'
import { greyOf } from './decode.ts'
import type { Grey } from './grey.ts'
import { readPageImage } from './read-image.ts'
import { metered, type Recogniser } from './tesseract.ts'

let poor: Grey
let other: Grey

beforeAll(async () => {
  // Small and blurred, so that its first reading is unsure and needs further passes.
  poor = await greyOf((await picturedPdf(await madeInvoice(), 70)).blur(0.8))
  other = await greyOf(await picturedPdf(await madeInvoice(), 150))
})

afterEach(() => {
  vi.restoreAllMocks()
})

const read = (picture: Grey, ocrPagePixels = readLimits.ocrPagePixels) =>
  readPageImage(async () => picture, { limits: { ocrPagePixels } })

test('an unsure page gives the same words however slowly time passes, and whatever was read before', async () => {
  const first = await read(poor)
  await read(other)
  let ms = 0
  vi.spyOn(systemClock, 'monotonicMs').mockImplementation(() => {
    ms += 60_000
    return ms
  })
  expect(await read(poor)).toEqual(first)
})

test('an unsure page gets further passes while its pixel budget lasts', async () => {
  const whole = await read(poor)
  const once = await read(poor, 1)
  expect(once.words.length).toBeGreaterThan(0)
  expect(once.words).not.toEqual(whole.words)
})

test('pixels are counted over all passes, and a started pass is finished', async () => {
  const recogniser: Recogniser = { recognise: async () => [] }
  const counted = metered(recogniser, 25)
  const picture = { width: 5, height: 4, pixels: new Uint8Array(20) }
  expect(counted.hasPixelsLeft()).toBe(true)
  await counted.recognise({ picture, mode: 3, language: 'eng' })
  expect(counted.hasPixelsLeft()).toBe(true)
  expect(await counted.recognise({ picture, mode: 3, language: 'eng' })).toEqual([])
  expect(counted.hasPixelsLeft()).toBe(false)
})

test('a table of figures upside down is turned, although its figures read as other figures', async () => {
  const rows = ['168.90 19.60 1,608.91', '96.00 8.18 186.69', '60.00 0.68 98.90', '806.00 66.88 9,869.16']
  const more = ['809.60 160.11 908.69', '196.19 6.80 1,198.60', '9,101.06 18,606.11 9,686.88']
  const table = await madePdf((document) => {
    document.font('Helvetica').fontSize(11)
    const names = ['Paid', 'Owed', 'Night', 'Total', 'Tax', 'Fund', 'Net pay']
    for (const [y, name] of names.entries())
      for (const [x, text] of [name, ...([...rows, ...more][y] ?? '').split(' ')].entries())
        document.text(text, 60 + x * 110, 60 + y * 20, { lineBreak: false })
  })
  const { turnedDegrees, words } = await read(await greyOf((await picturedPdf(table, 150)).rotate(180)))
  expect(turnedDegrees).toBe(180)
  expect(words.map(({ text }) => text)).toContain('18,606.11')
})
