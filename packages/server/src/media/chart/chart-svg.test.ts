import fc from 'fast-check'
import { expect, test } from 'vitest'
import { axisOf, chartSvg } from './chart-svg.ts'

const values = fc.array(fc.double({ min: -1e12, max: 1e12, noNaN: true }), { minLength: 1, maxLength: 20 })

test('an axis includes zero and all values, in a limited number of steps of 1, 2 or 5', () => {
  fc.assert(
    fc.property(values, (some) => {
      const { low, high, step } = axisOf(some)
      const slack = step * 1e-6
      for (const value of [0, ...some]) {
        expect(value).toBeGreaterThanOrEqual(low - slack)
        expect(value).toBeLessThanOrEqual(high + slack)
      }
      expect((high - low) / step).toBeLessThanOrEqual(12)
      expect(['1', '2', '5']).toContain(step.toExponential(0)[0])
    }),
  )
})

test('names and labels are text in the drawing, never markup', () => {
  const svg = chartSvg({
    type: 'bar',
    title: '</text><script>',
    labels: ['<a>'],
    series: [{ name: '"&', values: [1] }],
    unit: '<b>',
  })
  expect(svg).not.toMatch(/<script|<a>|<b>/)
})
