import fc from 'fast-check'
import { expect, test } from 'vitest'
import { indexAt, placesOf } from './row-places.ts'

const heights = fc.array(fc.option(fc.integer({ min: 1, max: 300 }), { nil: undefined }), {
  minLength: 1,
  maxLength: 200,
})

test('rows follow each other without gaps, each with its measured height', () => {
  fc.assert(
    fc.property(heights, (list) => {
      const places = placesOf(list)
      expect(places).toHaveLength(list.length + 1)
      expect(places[0]).toBe(0)
      for (const [index, height] of list.entries()) {
        const own = (places[index + 1] ?? 0) - (places[index] ?? 0)
        if (height === undefined) expect(own).toBeGreaterThan(0)
        else expect(own).toBeCloseTo(height, 6)
      }
    }),
  )
})

test('the row at a position starts at or before it and ends after it', () => {
  fc.assert(
    fc.property(heights, fc.integer({ min: -1000, max: 60_000 }), (list, pixels) => {
      const places = placesOf(list)
      const index = indexAt(places, pixels)
      if (index > 0) expect(places[index]).toBeLessThanOrEqual(pixels)
      if (index < list.length - 1) expect(places[index + 1]).toBeGreaterThan(pixels)
    }),
  )
})
