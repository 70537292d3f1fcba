import fc from 'fast-check'
import { expect, test } from 'vitest'
import { inputsOf, readInputArgument } from './inputs.ts'
import { pages } from './options.ts'
import { renderTable } from './render.ts'
import { pollDelayMs } from './wait.ts'

const nowhere = (path: string) => `/nowhere-at-all/${path}`

test('an input is a file or a URL, with an optional slot name before an equals sign', () => {
  expect(readInputArgument('a.pdf', nowhere)).toEqual({ slot: undefined, source: { kind: 'file', path: 'a.pdf' } })
  expect(readInputArgument('order=a.pdf', nowhere)).toEqual({ slot: 'order', source: { kind: 'file', path: 'a.pdf' } })
  expect(readInputArgument('HTTPS://x.example/?a=b', nowhere)).toEqual({
    slot: undefined,
    source: { kind: 'url', url: 'HTTPS://x.example/?a=b' },
  })
  expect(readInputArgument('web=http://x.example/?a=b', nowhere)).toEqual({
    slot: 'web',
    source: { kind: 'url', url: 'http://x.example/?a=b' },
  })
  expect(readInputArgument('./folder/a=b.pdf', nowhere)).toEqual({
    slot: undefined,
    source: { kind: 'file', path: './folder/a=b.pdf' },
  })
})

test('a file whose name contains an equals sign is used if it exists', () => {
  const here = () => new URL(import.meta.url).pathname
  expect(readInputArgument('a=b.pdf', here)).toEqual({ slot: undefined, source: { kind: 'file', path: 'a=b.pdf' } })
})

test('every item is in exactly one slot, in order, and not in a list if it is the only one', () => {
  const named = fc.record({
    slot: fc.option(fc.constantFrom('file', 'files', 'order'), { nil: undefined }),
    item: fc.record({ id: fc.integer() }),
  })
  fc.assert(
    fc.property(fc.array(named, { maxLength: 8 }), (items) => {
      const inputs = inputsOf(items, [])
      const unnamed = items.filter(({ slot }) => slot === undefined).length
      const expected = new Map<string, unknown[]>()
      for (const { slot, item } of items) {
        const name = slot ?? (unnamed === 1 ? 'file' : 'files')
        expected.set(name, [...(expected.get(name) ?? []), item])
      }
      expect(new Set(Object.keys(inputs))).toEqual(new Set(expected.keys()))
      for (const [name, held] of expected) expect(inputs[name]).toEqual(held.length === 1 ? held[0] : held)
    }),
  )
})

test('polling intervals grow to one second', () => {
  fc.assert(
    fc.property(fc.nat({ max: 10_000 }), (looks) => {
      expect(pollDelayMs(looks)).toBeGreaterThanOrEqual(50)
      expect(pollDelayMs(looks + 1)).toBeGreaterThanOrEqual(pollDelayMs(looks))
      expect(pollDelayMs(looks)).toBeLessThanOrEqual(1_000)
    }),
  )
  expect(pollDelayMs(20)).toBe(1_000)
})

test('pages are numbers and ranges from 0, without duplicates', () => {
  expect(pages('0, 2-4,3')).toEqual([0, 2, 3, 4])
  for (const text of ['', 'a', '-1', '3-1', '1,', '0-999999', '1.5']) expect(() => pages(text)).toThrow()
})

test('control sequences in untrusted text are removed, and a row fits the terminal', () => {
  expect(renderTable(['NAME'], [['a\u001b[31mb\nc']])).toBe('NAME\na [31mb c\n')
  expect(renderTable(['A', 'B'], [['1', 'abcdefgh']], 6)).toBe('A  B\n1  ab…\n')
})
