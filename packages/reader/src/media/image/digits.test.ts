import { describe, expect, test } from 'vitest'
import type { Box } from '../document.ts'
import { correctDigits } from './digits.ts'
import type { SeenWord } from './ocr-result.ts'
import { prepare } from './prepare.ts'

const width = 200
const height = 60
/** The first and last row of the digits, and the distance between them. */
const [head, foot, step] = [10, 34, 16]

type Ink = (x: number, y: number) => boolean

const quarters = [-0.375, -0.125, 0.125, 0.375]

/** An image with antialiased ink where any of the shapes is. */
const drawn = (...shapes: Ink[]) => {
  const pixels = new Uint8Array(width * height).fill(255)
  for (let y = 0; y < height; y += 1)
    for (let x = 0; x < width; x += 1) {
      const spots = quarters.flatMap((down) => quarters.map((across) => [x + across, y + down] as const))
      const inked = spots.filter((spot) => shapes.some((shape) => shape(...spot))).length
      pixels[y * width + x] = 255 - (255 * inked) / spots.length
    }
  return { width, height, pixels }
}

const block =
  (left: number, top: number, right: number, bottom: number): Ink =>
  (x, y) =>
    x >= left - 0.5 && x < right - 0.5 && y >= top - 0.5 && y < bottom - 0.5

const ring =
  (middle: number, centre: number, high: number): Ink =>
  (x, y) => {
    const [across, down] = [(x - middle) / 7, (y - centre) / high]
    const distance = Math.hypot(across, down)
    return distance <= 1 && distance > 0.6
  }

const plainFigure = (n: number): Ink => block(20 + n * step, head, 31 + n * step, foot)
/** A zero with a slash. */
const zero = (n: number): Ink => {
  const outside = ring(26 + n * step, 22, 12)
  return (x, y) => outside(x, y) || (Math.abs(x - 26 - n * step + (y - 22) * 0.5) < 2 && Math.abs(y - 22) < 8)
}
const eight = (n: number): Ink => {
  const [upper, lower] = [ring(26 + n * step, 16, 6.5), ring(26 + n * step, 28, 6.5)]
  return (x, y) => upper(x, y) || lower(x, y)
}

const pixelsOf = ([x, y, w, h]: Box) => ({
  left: x * width,
  top: y * height,
  right: (x + w) * width,
  bottom: (y + h) * height,
})
const seen = (text: string, [left, right, top = head, bottom = foot]: readonly number[]): SeenWord => ({
  text,
  box: [(left ?? 0) / width, top / height, ((right ?? 0) - (left ?? 0)) / width, (bottom - top) / height],
  confidence: 0.9,
})

/** The corrected text of a word at the given x range. */
const settled = (text: string, picture: ReturnType<typeof drawn>, across: readonly number[]): string | undefined =>
  correctDigits([seen(text, across)], { picture, pixelsOf })[0]?.text

const four: [number, number] = [20, 20 + 3 * step + 11]
const figures = [0, 1, 2, 3].map(plainFigure)

describe('a number in which OCR missed a mark', () => {
  test('gets a point where a small piece of ink is on the baseline', () => {
    const point = block(48, 30, 51, 34)
    expect(settled('2199', drawn(...figures, point), four)).toBe('21.99')
  })

  test('gets a comma where that piece extends below the baseline', () => {
    const comma = block(48, 30, 51, 38)
    expect(settled('2199', drawn(...figures, comma), four)).toBe('21,99')
  })

  test('gets it even where two digits touch', () => {
    const point = block(48, 30, 51, 34)
    const touch = block(31, 20, 36, 22)
    expect(settled('2199', drawn(...figures, touch, point), four)).toBe('21.99')
  })

  test('is unchanged where there is no ink between its digits, or not on the baseline', () => {
    expect(settled('2199', drawn(...figures), four)).toBe('2199')
    expect(settled('2199', drawn(...figures, block(48, 12, 51, 16)), four)).toBe('2199')
    expect(settled('2199', drawn(...figures, block(48, 33, 49, 34)), four)).toBe('2199')
  })

  test('is unchanged where the bottom of a digit separates only at the darkest threshold', () => {
    const worn = drawn(...figures, block(48, 30, 51, 34))
    const faint = (left: number, right: number, y: number) => worn.pixels.fill(100, y * width + left, y * width + right)
    for (let y = 26; y < 34; y += 1) {
      faint(8, 20, y)
      faint(31, 36, y)
      faint(47, 48, y)
    }
    expect(settled('2199', worn, [8, 79])).toBe('2199')
  })

  test('is unchanged when it is a date or a number with parts', () => {
    const marked = drawn(...figures, block(48, 30, 51, 34), block(84, 20, 90, 23), plainFigure(5), plainFigure(6))
    expect(settled('2021-08', marked, [20, 127])).toBe('2021-08')
  })

  test('is unchanged when its shapes do not match its text', () => {
    const point = block(48, 30, 51, 34)
    expect(settled('219', drawn(...figures, point), four)).toBe('219')
    expect(settled('2.199', drawn(...figures, point), four)).toBe('2.199')
  })
})

describe('a slashed zero', () => {
  test('is not an eight, as it has no waist', () => {
    expect(settled('5880', drawn(plainFigure(0), zero(1), eight(2), zero(3)), four)).toBe('5080')
  })

  test('has the width of one digit: touching eights have no waist either', () => {
    const wide: Ink = (x, y) => Math.hypot((x - 66) / 14, (y - 22) / 12) <= 1
    expect(settled('508', drawn(plainFigure(0), zero(1), wide), [20, 80])).toBe('508')
  })

  test('is detected only where the zeros of the page are slashed', () => {
    const hollow = ring(26 + 3 * step, 22, 12)
    expect(settled('5880', drawn(plainFigure(0), zero(1), eight(2), hollow), four)).toBe('5880')
  })
})

test('a stroke after a number is a litre sign; a rule next to it or higher than it is not', () => {
  const texts = (...words: SeenWord[]) => correctDigits(words, { picture: drawn(), pixelsOf }).map(({ text }) => text)
  expect(texts(seen('10', [20, 44]), seen('|', [52, 54]))).toEqual(['10', 'l'])
  expect(texts(seen('10', [20, 44]), seen('|', [80, 82]))).toEqual(['10', '|'])
  expect(texts(seen('10', [20, 44]), seen('|', [52, 54, 0, 44]))).toEqual(['10', '|'])
  expect(texts(seen('Total', [20, 44]), seen('|', [52, 54]))).toEqual(['Total', '|'])
})

describe('a position on a prepared image', () => {
  test.each([0, 1, 2, 3] as const)(
    'is found again from its place on the page, turned by %i quarters',
    async (quarters) => {
      const letters = Array.from({ length: 60 }, (_, n) => {
        const [left, top] = [40 + (n % 12) * 20, 60 + Math.floor(n / 12) * 40 + (n % 12)]
        return { left, top, right: left + 10, bottom: top + 16, area: 100 }
      })
      const even = { width: 320, height: 300, pixels: new Uint8Array(320 * 300).fill(255) }
      const { boxOf, pixelsOf } = await prepare(
        { even, letters, letterHeight: 16, lying: false },
        { quarters, letterHeightWanted: 22 },
      )
      const again = pixelsOf(boxOf({ left: 100, top: 120, right: 160, bottom: 140 }))
      expect([again.left, again.top, again.right, again.bottom].map(Math.round)).toEqual([100, 120, 160, 140])
    },
  )
})
