import { deepStrictEqual } from 'node:assert/strict'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseJsonInTurns } from './parse-json.ts'

const filler = (label: string) => Array.from({ length: 9_000 }, (_, n) => ({ label, n }))
/** Larger than what is parsed in one go, whatever its content. */
const padded = fc
  .tuple(fc.jsonValue(), fc.jsonValue(), fc.string())
  .map(([before, after, text]) => [
    { [text]: before, list: filler(text), after, __proto__: null },
    [before, filler(`"${text}\\`), [filler('[{'), after]],
    { ['"}'.repeat(70_000)]: before, text: `\\"${text}`.repeat(40_000), last: after },
  ])

test('returns what JSON.parse returns, for compact and spaced texts', async () => {
  await fc.assert(
    fc.asyncProperty(fc.oneof(fc.jsonValue(), padded), fc.constantFrom(undefined, 1), async (value, indent) => {
      const text = JSON.stringify(value, null, indent)
      // `toEqual` takes seconds for values of this size.
      deepStrictEqual(await parseJsonInTurns(text), JSON.parse(text))
    }),
    { numRuns: 15 },
  )
})

test('keeps empty containers, the order of names, and names that objects inherit', async () => {
  const large = `"x":${JSON.stringify(filler('x'))}`
  for (const text of [
    `{${large},"a":[],"b":{},"c":[ ],"z":1,"2":2}`,
    `[${JSON.stringify(filler('x'))},[],{}, [ ] ]`,
    `{"__proto__":{"a":1},${large},"constructor":2}`,
    `  { ${large} , "a" : [ 1 , 2 ] }  `,
    ` [ ${' '.repeat(200_000)} ] `,
    `{"a":1,"a":2,${large},"a":3}`,
  ]) {
    const value = await parseJsonInTurns(text)
    expect(JSON.stringify(value)).toBe(JSON.stringify(JSON.parse(text)))
    expect(Object.getPrototypeOf(value)).toBe(Object.getPrototypeOf(JSON.parse(text)))
  }
})

test('refuses what JSON.parse refuses', async () => {
  const text = JSON.stringify({ a: filler('x'), b: [filler('y'), 'text'], c: 1 })
  const marks = fc.constantFrom(',', ':', '"', '[', ']', '{', '}', '\\', ' ', 'x', '1')
  await fc.assert(
    fc.asyncProperty(fc.nat(text.length), marks, fc.boolean(), async (at, mark, isKept) => {
      const broken = text.slice(0, at) + mark + text.slice(isKept ? at : at + 1)
      const parsed = await parseJsonInTurns(broken).then(JSON.stringify, () => 'refused')
      let expected = 'refused'
      try {
        expected = JSON.stringify(JSON.parse(broken))
      } catch {
        // Refused as expected.
      }
      expect(parsed === expected).toBe(true)
    }),
    { numRuns: 20 },
  )
  for (const broken of [
    `${text}]`,
    `${text} 1`,
    text.slice(0, -1),
    `[${text},]`,
    `[,${text}]`,
    `{${text}}`,
    `[${text}}`,
  ])
    await expect(parseJsonInTurns(broken), broken.slice(-20)).rejects.toThrow(SyntaxError)
})

test.each([
  ['many small members', filler('x')],
  ['one deep in another', { a: { b: [{ c: filler('x') }] } }],
  ['names without end', Object.fromEntries(filler('x').map(({ n }) => [`name ${n}`, 'x'.repeat(20)]))],
])('yields to other work while it parses %s', async (_what, value) => {
  const text = JSON.stringify([value, value, value])
  let turns = 0
  let isDone = false
  const count = () => {
    turns++
    if (!isDone) setImmediate(count)
  }
  setImmediate(count)
  deepStrictEqual(await parseJsonInTurns(text), [value, value, value])
  isDone = true
  expect(turns).toBeGreaterThanOrEqual(Math.floor(text.length / (256 * 1024)) + 3)
})
