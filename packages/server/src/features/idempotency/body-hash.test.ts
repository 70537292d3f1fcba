import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { bodySha256 } from './body-hash.ts'

const hexOf = async (value: unknown) => (await bodySha256(value)).toString('hex')
const plainHexOf = (text: string) => createHash('sha256').update(text).digest('hex')

/** The same value with the names of its objects in reverse order. */
function turned(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(turned)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([name, item]) => [name, turned(item)]),
  )
}

test('two spellings of one body have the same hash', async () => {
  await fc.assert(
    fc.asyncProperty(fc.jsonValue(), async (value) => (await hexOf(value)) === (await hexOf(turned(value)))),
  )
  expect(await hexOf({ b: [1, { d: true, c: null }], a: 'é"' })).toBe(plainHexOf('{"a":"é\\"","b":[1,{"d":true}]}'))
})

test('two bodies have different hashes', async () => {
  expect(await hexOf({ a: [1] })).not.toBe(await hexOf({ a: [1, 0] }))
  expect(await hexOf({ a: [1, 2] })).not.toBe(await hexOf({ a: [2, 1] }))
  expect(await hexOf({ a: [null] })).not.toBe(await hexOf({ a: [] }))
})

test('a long text is hashed the same, however it is split', async () => {
  for (const shift of [0, 1]) {
    const text = `${'x'.repeat(shift)}${'😀"é'.repeat(100_000)}`
    expect(await hexOf({ text })).toBe(plainHexOf(JSON.stringify({ text })))
  }
})

test('deeply nested and numerous values are hashed', async () => {
  let deep: unknown = Array.from({ length: 50_000 }, (_, index) => index)
  for (let depth = 0; depth < 199; depth++) deep = [deep]
  expect(await hexOf(deep)).toBe(plainHexOf(JSON.stringify(deep)))
  const wide = Object.fromEntries(Array.from({ length: 50_000 }, (_, index) => [`name ${index}`, index]))
  expect(await hexOf(wide)).toBe(plainHexOf(JSON.stringify(wide)))
})
