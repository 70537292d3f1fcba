import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isProduct, minorUnits, sameAmount, toMinorUnit } from './amounts.ts'

const cents = fc.integer({ min: -1_000_000_000, max: 1_000_000_000 })

describe('two amounts', () => {
  test('agree exactly when they differ by no more minor units than may come from rounding', () => {
    fc.assert(
      fc.property(cents, fc.integer({ min: 0, max: 4 }), fc.constantFrom(0.5, 1, 2), (a, off, units) => {
        expect(sameAmount(a / 100, (a + off) / 100, units)).toBe(off <= units)
        expect(sameAmount((a + off) / 100, a / 100, units)).toBe(off <= units)
      }),
    )
  })

  test('agree in whatever order their parts are added', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: -10_000_000, max: 10_000_000 }), { maxLength: 200 }), (parts) => {
        const sum = (list: readonly number[]) => list.reduce((all, part) => all + part / 100, 0)
        expect(sameAmount(sum(parts), sum(parts.toReversed()))).toBe(true)
        expect(toMinorUnit(sum(parts))).toBe(parts.reduce((all, part) => all + part, 0) / 100 + 0)
      }),
    )
  })
})

test('an amount in minor units survives the way to currency units and back', () => {
  fc.assert(fc.property(cents, (value) => minorUnits(value / 100) === value))
})

test('a product agrees with its printed amount however its price was rounded, and no longer when it is two units off', () => {
  const quantity = fc.integer({ min: 1, max: 500 })
  const price = fc.integer({ min: 1, max: 10_000_000 }).map((thousandths) => thousandths / 1_000)
  fc.assert(
    fc.property(quantity, price, (many, each) => {
      const amount = toMinorUnit(many * each)
      expect(isProduct(many, each, amount)).toBe(true)
      expect(isProduct(many, toMinorUnit(each), amount)).toBe(true)
      expect(isProduct(1, amount, amount + 0.02)).toBe(false)
    }),
    // The price is rounded up, the amount down.
    { examples: [[21, 6685.825]] },
  )
})
