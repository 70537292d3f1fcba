import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { evenContrast } from './contrast.ts'
import type { Grey } from './grey.ts'
import { type Blob, blobsOf, inkThreshold, lettersOf } from './ink.ts'
import { areLying, skewOf } from './skew.ts'

/** An image of `size` × `size` with the given rectangles in ink. */
function picture(
  size: number,
  rectangles: readonly Omit<Blob, 'area'>[],
  ink = 0,
  paper: (x: number) => number = () => 255,
): Grey {
  const pixels = Uint8Array.from({ length: size * size }, (_, at) => paper(at % size))
  for (const { left, top, right, bottom } of rectangles) {
    for (let y = top; y < bottom; y += 1) {
      for (let x = left; x < right; x += 1) pixels[y * size + x] = ink + paper(x) - 255 > 0 ? ink + paper(x) - 255 : ink
    }
  }
  return { width: size, height: size, pixels }
}

/** Lines of letters of 8 × 12 pixels, 10 between letters and 30 between lines, skewed by some degrees. */
function page(leanDegrees: number): Blob[] {
  const slope = Math.tan((leanDegrees * Math.PI) / 180)
  return Array.from({ length: 20 * 40 }, (_, index) => {
    const left = 50 + (index % 40) * 10
    const bottom = Math.round(100 + Math.floor(index / 40) * 30 + left * slope)
    return { left, right: left + 8, top: bottom - 12, bottom, area: 60 }
  })
}

describe('components of ink', () => {
  test('are found completely, with bounds and area', () => {
    // Two strokes that touch only at a corner, and a separate one.
    const shapes = [
      { left: 2, top: 2, right: 5, bottom: 5 },
      { left: 5, top: 5, right: 8, bottom: 8 },
      { left: 12, top: 2, right: 14, bottom: 10 },
    ]
    const found = blobsOf(picture(20, shapes), 128)
    expect(found).toEqual([
      { left: 2, top: 2, right: 8, bottom: 8, area: 18 },
      { left: 12, top: 2, right: 14, bottom: 10, area: 16 },
    ])
  })

  test('merge where a later row connects them', () => {
    const cup = [
      { left: 2, top: 2, right: 3, bottom: 8 },
      { left: 9, top: 2, right: 10, bottom: 8 },
      { left: 2, top: 8, right: 10, bottom: 9 },
    ]
    expect(blobsOf(picture(16, cup), 128)).toEqual([{ left: 2, top: 2, right: 10, bottom: 9, area: 20 }])
  })

  test('cover all ink and no paper, in any arrangement', () => {
    fc.assert(
      fc.property(fc.array(fc.boolean(), { minLength: 100, maxLength: 100 }), (cells) => {
        const grey = { width: 10, height: 10, pixels: Uint8Array.from(cells, (ink) => (ink ? 0 : 255)) }
        const area = blobsOf(grey, 128).reduce((sum, blob) => sum + blob.area, 0)
        expect(area).toBe(cells.filter(Boolean).length)
      }),
    )
  })

  test('are letters when they have the size of most others', () => {
    const blobs = [
      ...page(0),
      { left: 0, top: 0, right: 1, bottom: 1, area: 1 },
      { left: 0, top: 0, right: 900, bottom: 3, area: 2700 },
    ]
    const { letters, letterHeight } = lettersOf(blobs, { width: 1000, height: 1000, pixels: new Uint8Array() })
    expect(letters).toHaveLength(800)
    expect(letterHeight).toBe(12)
  })
})

describe('lines of letters', () => {
  // Over lines of 400 pixels, a fifth of a degree is less than one and a half pixels.
  test('have their skew measured to a fifth of a degree', () => {
    fc.assert(
      fc.property(fc.integer({ min: -1000, max: 1000 }), (hundredths) => {
        expect(Math.abs(skewOf(page(hundredths / 100), 12) - hundredths / 100)).toBeLessThan(0.2)
      }),
      { numRuns: 20 },
    )
  })

  test('are vertical when letters follow each other vertically, and not otherwise', () => {
    const lying = page(1).map(({ left, top, right, bottom, area }) => ({
      left: top,
      top: left,
      right: bottom,
      bottom: right,
      area,
    }))
    expect(areLying(page(1), 12)).toBe(false)
    expect(areLying(lying, 12)).toBe(true)
  })

  test('have neither skew nor direction when there are too few letters', () => {
    expect(skewOf(page(5).slice(0, 5), 12)).toBe(0)
    expect(areLying(page(0).slice(0, 5), 12)).toBe(false)
  })
})

describe('contrast', () => {
  const letters = Array.from({ length: 30 }, (_, index) => ({
    left: 10 + (index % 6) * 30,
    right: 16 + (index % 6) * 30,
    top: 10 + Math.floor(index / 6) * 40,
    bottom: 30 + Math.floor(index / 6) * 40,
  }))

  test('becomes even under a shadow, so that one threshold separates ink from paper', () => {
    const shaded = picture(200, letters, 165, (x) => 255 - x * 0.7)
    const even = evenContrast(shaded)
    expect(blobsOf(even, inkThreshold(even)).filter((blob) => blob.area > 50)).toHaveLength(30)
    expect(blobsOf(shaded, inkThreshold(shaded)).filter((blob) => blob.area > 50 && blob.area < 500)).not.toHaveLength(
      30,
    )
  })

  test('is not stretched on an empty page: paper grain is not ink', () => {
    const grain = {
      width: 100,
      height: 100,
      pixels: Uint8Array.from({ length: 10_000 }, (_, at) => 230 + ((at * 7919) % 9)),
    }
    expect(Math.min(...evenContrast(grain).pixels)).toBeGreaterThan(150)
  })
})
