import fc from 'fast-check'
import { expect, test } from 'vitest'
import { largeJsonb } from './large-json.ts'

test('is what JSON.stringify writes', async () => {
  await fc.assert(
    fc.asyncProperty(fc.dictionary(fc.string(), fc.jsonValue()), async (value) => {
      expect(await largeJsonb(value)).toBe(JSON.stringify(value))
    }),
  )
  const odd = { a: undefined, b: [undefined, new Date(0)], c: new Date(0), d: { e: undefined, f: 1 }, g: null }
  expect(await largeJsonb(odd)).toBe(JSON.stringify(odd))
})

test('serves others between one large member and the next', async () => {
  const text = 'x'.repeat(200_000)
  let turns = 0
  let isDone = false
  const count = () => {
    turns++
    if (!isDone) setImmediate(count)
  }
  setImmediate(count)
  await largeJsonb({ texts: [text, text, text], small: [1, 2, 3] })
  isDone = true
  expect(turns).toBeGreaterThanOrEqual(2)
})
