import fc from 'fast-check'
import { expect, test } from 'vitest'
import { largeJsonb } from './large-json.ts'

test('is identical to JSON.stringify', async () => {
  await fc.assert(
    fc.asyncProperty(fc.dictionary(fc.string(), fc.jsonValue()), async (value) => {
      expect(await largeJsonb(value)).toBe(JSON.stringify(value))
    }),
  )
  const long = [`${'\n'.repeat(131_071)}😀${'é'.repeat(200_000)}`, { ['n'.repeat(200_000)]: '\ud800'.repeat(200_000) }]
  expect(await largeJsonb(long)).toBe(JSON.stringify(long))
  const odd = { a: undefined, b: [undefined, new Date(0)], c: new Date(0), d: { e: undefined, f: 1 }, g: null }
  expect(await largeJsonb(odd)).toBe(JSON.stringify(odd))
})

test.each([
  ['one large member and the next', { texts: ['x', 'y', 'z'].map((one) => one.repeat(200_000)), small: [1, 2, 3] }],
  ['the pieces of one long text', { texts: ['x'.repeat(600_000)] }],
  ['many small values, however deep', [[[Array.from({ length: 200_000 }, () => 0)]]]],
])('yields to other work between %s', async (_what, value) => {
  let turns = 0
  let isDone = false
  const count = () => {
    turns++
    if (!isDone) setImmediate(count)
  }
  setImmediate(count)
  await largeJsonb(value)
  isDone = true
  expect(turns).toBeGreaterThanOrEqual(3)
})
