import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { invertBands } from './bands.ts'
import { evenContrast } from './contrast.ts'
import { greyOf } from './decode.ts'
import type { Grey } from './grey.ts'
import { blobsOf, inkThreshold } from './ink.ts'
import { eraseRules } from './rules.ts'
import { eraseSeparators } from './separators.ts'

const look = { letterHeight: 20, threshold: 128 }

/** A white page of 600 × 300 pixels with the given SVG shapes. */
async function drawn(shapes: string): Promise<Grey> {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="600" height="300"><rect width="600" height="300" fill="#fff"/>${shapes}</svg>`
  return await greyOf(sharp(Buffer.from(svg)))
}

const letters = (y: number, fill: string): string =>
  Array.from(
    { length: 12 },
    (_, index) => `<path d="M${60 + index * 30} ${y}v20h14v-20h-4v16h-6v-16z" fill="${fill}"/>`,
  ).join('')
const inkOf = ({ pixels }: Grey): number => pixels.filter((value) => value < look.threshold).length
const blobsIn = (picture: Grey): number => blobsOf(picture, look.threshold).filter(({ area }) => area > 20).length

describe('rules', () => {
  const table = `<path d="M20 30H580M20 80H580M20 130H580M20 30V130M200 30V130M580 30V130" stroke="#000" stroke-width="3"/>`

  test('of a table are erased, and its letters stay', async () => {
    const ruled = await drawn(table + letters(45, '#000'))
    const plain = await drawn(letters(45, '#000'))
    const erased = eraseRules(ruled, look)
    expect(inkOf(ruled)).toBeGreaterThan(2 * inkOf(plain))
    expect(inkOf(erased)).toBe(inkOf(plain))
    expect(blobsIn(erased)).toBe(12)
  })

  test('are erased when slightly skewed', async () => {
    const leaning = await drawn('<path d="M20 100L580 102" stroke="#000" stroke-width="2"/>')
    expect(inkOf(leaning)).toBeGreaterThan(500)
    expect(inkOf(eraseRules(leaning, look))).toBe(0)
  })

  test('are erased without the strokes of letters that cross them', async () => {
    const crossed = await drawn(
      `<path d="M20 100H580" stroke="#000" stroke-width="2"/><path d="M100 85v30M300 85v30" stroke="#000" stroke-width="4"/>`,
    )
    const plain = await drawn('<path d="M100 85v30M300 85v30" stroke="#000" stroke-width="4"/>')
    expect(inkOf(eraseRules(crossed, look))).toBe(inkOf(plain))
  })

  test('are not dashes, stems or letters of a heading', async () => {
    const marks = await drawn(`<path d="M20 20h30v4h-30zM100 10h8v70h-8z"/>${letters(150, '#000')}`)
    expect(Buffer.compare(eraseRules(marks, look).pixels, marks.pixels)).toBe(0)
  })

  test('are not the feet of letters that have merged', async () => {
    const feet = Array.from(
      { length: 10 },
      (_, index) => `M${50 + index * 30} 60h30v4h-30zM${58 + index * 30} 30h10v30h-10z`,
    )
    const heading = await drawn(`<path d="${feet.join('')}"/>`)
    expect(Buffer.compare(eraseRules(heading, look).pixels, heading.pixels)).toBe(0)
  })
})

describe('separators', () => {
  const row = (sign: string, count: number): string =>
    Array.from({ length: count }, (_, index) => `<g transform="translate(${20 + index * 16} 100)">${sign}</g>`).join('')

  test.each([
    ['asterisks', '<path d="M4 0h4v10h-4zM1 3h10v4h-10z"/>'],
    ['hyphens', '<path d="M0 4h10v3h-10z"/>'],
    ['dots', '<path d="M0 7h4v4h-4z"/>'],
    ['equals signs', '<path d="M0 2h10v3h-10zM0 8h10v3h-10z"/>'],
  ])('of %s are erased, and letters above and below stay', async (_, sign) => {
    const separated = await drawn(letters(60, '#000') + row(sign, 30) + letters(140, '#000'))
    const plain = await drawn(letters(60, '#000') + letters(140, '#000'))
    expect(inkOf(eraseSeparators(separated, look))).toBe(inkOf(plain))
  })

  test('are not digits, and not just a few characters', async () => {
    const zeros = await drawn(row('<path d="M0 0h10v20h-10zM3 3v14h4v-14z" fill-rule="evenodd"/>', 20))
    const few = await drawn(row('<path d="M0 4h10v3h-10z"/>', 5))
    expect(eraseSeparators(zeros, look)).toBe(zeros)
    expect(eraseSeparators(few, look)).toBe(few)
  })
})

describe('dark bands', () => {
  test('become light, and light letters in them dark', async () => {
    const dark = await drawn(`<rect x="20" y="30" width="560" height="50" fill="#222"/>${letters(45, '#fff')}`)
    const plain = await drawn(letters(45, '#000'))
    expect(blobsIn(dark)).toBe(1)
    const light = invertBands(dark, look)
    expect(blobsIn(light)).toBe(12)
    expect(Math.abs(inkOf(light) - inkOf(plain))).toBeLessThan(inkOf(plain) / 20)
  })

  test('are not bold letters, bars without letters or letters on grey', async () => {
    const bold = Array.from({ length: 12 }, (_, index) => `<path d="M${60 + index * 30} 30h26v30h-26v-12h6v-6h-6z"/>`)
    const shapes = [
      bold.join(''),
      '<rect x="20" y="30" width="560" height="50"/>',
      `<rect x="20" y="30" width="560" height="50" fill="#ccc"/>${letters(45, '#000')}`,
    ]
    for (const shape of shapes) {
      const picture = await drawn(shape)
      expect(invertBands(picture, look)).toBe(picture)
    }
  })
})

describe('grain', () => {
  /** Paper of brightness 215 with grain of the given standard deviation: the sum of twelve uniform numbers is nearly normal. */
  async function grainy(shapes: string, deviation: number): Promise<Grey> {
    const { width, height, pixels } = await drawn(shapes)
    let state = 1
    const next = (): number => {
      state = (state * 48271) % 2147483647
      return state / 2147483647
    }
    const normal = (): number => Array.from({ length: 12 }, next).reduce((sum, value) => sum + value, -6)
    return {
      width,
      height,
      pixels: pixels.map((value) => Math.max(0, Math.min(255, value * 0.84 + deviation * normal()))),
    }
  }

  test.each([5, 15])(
    'of standard deviation %i on empty paper is no ink, and letters beside it are',
    async (deviation) => {
      const even = evenContrast(await grainy(letters(45, '#000'), deviation))
      const found = blobsOf(even, inkThreshold(even))
      expect(found.filter(({ area }) => area > 20)).toHaveLength(12)
      expect(found.length).toBeLessThan(60)
    },
  )
})
