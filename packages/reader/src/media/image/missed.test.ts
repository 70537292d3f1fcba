import { describe, expect, test } from 'vitest'
import type { Blob } from './ink.ts'
import { linePieces, placesOf, readMissed } from './missed.ts'
import { ocrResultOf } from './ocr-result.ts'
import type { Look, Recogniser } from './tesseract.ts'

const letter = (left: number, top: number): Blob => ({ left, top, right: left + 12, bottom: top + 20, area: 120 })

describe('letters outside all words', () => {
  test('are grouped into parts of lines, split at gaps', () => {
    const pieces = linePieces([letter(85, 10), letter(10, 10), letter(25, 12), letter(10, 50)], 20)
    expect(pieces).toEqual([
      { left: 10, top: 10, right: 37, bottom: 32 },
      { left: 10, top: 50, right: 22, bottom: 70 },
      { left: 85, top: 10, right: 97, bottom: 30 },
    ])
  })

  test('are ignored when they are as low as a dash', () => {
    expect(linePieces([{ left: 10, top: 10, right: 40, bottom: 15, area: 150 }], 20)).toEqual([])
  })

  test('are read as separate lines, with positions on the page', async () => {
    const picture = { width: 400, height: 200, pixels: new Uint8Array(400 * 200).fill(255) }
    for (const left of [20, 40, 300]) {
      for (let y = 50; y < 70; y += 1) picture.pixels.fill(0, y * 400 + left, y * 400 + left + 12)
    }
    const prepared = {
      picture,
      turn: { quarters: 0, leanDegrees: 0 } as const,
      boxOf: (box: { left: number; top: number; right: number; bottom: number }) =>
        [box.left / 400, box.top / 200, (box.right - box.left) / 400, (box.bottom - box.top) / 200] as const,
    }
    const looks: Look[] = []
    // A recogniser that returns one word where the ink of its image is.
    const recogniser: Recogniser = {
      recognise: async (look) => {
        looks.push(look)
        const space = 12
        const { width, height } = look.picture
        const box = { left: space, top: space, right: width - space, bottom: height - space }
        return [{ text: '7', confidence: 90, ...box }]
      },
    }
    const known = ocrResultOf([{ text: 'ab', box: [20 / 400, 50 / 200, 32 / 400, 20 / 200], confidence: 0.9 }])
    const seen = placesOf(prepared)
    const { words } = await readMissed(recogniser, { prepared, reading: known, seen, language: 'eng' })
    expect(words).toEqual([{ text: '7', box: [300 / 400, 50 / 200, 12 / 400, 20 / 200], confidence: 0.9 }])
    expect(looks.map(({ picture: { width, height }, mode }) => ({ width, height, mode }))).toEqual([
      { width: 36, height: 44, mode: 7 },
    ])
  })
})
