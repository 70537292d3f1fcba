import { expect, test } from 'vitest'
import { thresholdDefault, thresholdOf } from './threshold.ts'

const settings = [
  { skill_name: null, below: 0.9, max_wrong_rate: null, add_cases: false },
  { skill_name: 'invoices', below: 0.95, max_wrong_rate: null, add_cases: true },
]

test('the threshold is that of the request, else of its skill, else of the workspace', () => {
  const skills = [{ name: 'invoices' }]
  expect(thresholdOf({ config: { review: { below: 0.5 } }, skills }, settings)).toBe(0.5)
  expect(thresholdOf({ config: {}, skills }, settings)).toBe(0.95)
  expect(thresholdOf({ skills: [{ name: 'letters' }] }, settings)).toBe(0.9)
  expect(thresholdOf({ skills }, [])).toBe(thresholdDefault)
})
