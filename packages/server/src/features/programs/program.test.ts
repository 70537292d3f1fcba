import type { Json } from '@skillrun/core/json.ts'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { hashOf } from '../../core/json-hash.ts'
import { type ProgramStatus, programStatusesBefore, programTransitions, shapeOf } from './program.ts'

test('only what is compiled or waits for the gate becomes ready, and only what is ready is demoted', () => {
  expect(programStatusesBefore('ready')).toEqual(['compiling', 'candidate'])
  expect(programStatusesBefore('demoted')).toEqual(['ready'])
  for (const end of ['rejected', 'demoted'] satisfies ProgramStatus[]) expect(programTransitions[end]).toEqual([])
})

test('the shape lists slots and their kinds, whatever their order and number of items', () => {
  const receipt = { name: 'receipt', mediaType: 'image/png' }
  expect(shapeOf([receipt], { note: 'x', copies: 2 })).toEqual({ copies: 'number', note: 'string', receipt: 'image' })
  const pages = (count: number) =>
    Array.from({ length: count }, (_, n) => ({ name: `pages/${n}`, mediaType: 'application/pdf' }))
  expect(shapeOf(pages(3), {})).toEqual(shapeOf(pages(1), {}))
  expect(shapeOf([receipt], {})).not.toEqual(shapeOf([{ ...receipt, mediaType: 'application/pdf' }], {}))
  expect(shapeOf([receipt], {})).not.toEqual(shapeOf([{ ...receipt, name: 'bill' }], {}))
  expect(hashOf(shapeOf([receipt], { a: 1, b: 'x' }))).toBe(hashOf(shapeOf([receipt], { b: 'y', a: 2 })))
})

test('the hash of a value does not depend on the order of its names, and differs for other values', () => {
  const turned = (value: Json): Json =>
    Array.isArray(value)
      ? value.map((item: Json) => turned(item))
      : typeof value === 'object' && value !== null
        ? Object.fromEntries(
            Object.entries(value)
              .toReversed()
              .map(([name, member]) => [name, turned(member as Json)]),
          )
        : value
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      expect(hashOf(turned(value as Json))).toBe(hashOf(value as Json))
      expect(hashOf([value as Json])).not.toBe(hashOf(value as Json))
    }),
  )
  expect(hashOf({ type: 'object' })).not.toBe(hashOf({ type: 'string' }))
  expect(hashOf([1, 2])).not.toBe(hashOf([2, 1]))
})
