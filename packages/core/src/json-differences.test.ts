import { expect, test } from 'vitest'
import { differencesOf } from './json-differences.ts'

const all = 1_000

test('equal values have no differences, whatever the order of their members', async () => {
  const value = { a: [1, { b: null }], c: 'd' }
  expect(await differencesOf(value, { c: 'd', a: [1, { b: null }] }, all)).toEqual([])
})

test('each different leaf is named by its JSON Pointer, with both values', async () => {
  const left = { total: 1, rows: [{ 'a/b': 1 }, { n: 2 }], same: [], kind: {} }
  const right = { total: '1', rows: [{ 'a/b': 2 }], same: [], kind: [] }
  expect(await differencesOf(left, right, all)).toEqual([
    { path: '/total', left: 1, right: '1' },
    { path: '/rows/0/a~1b', left: 1, right: 2 },
    { path: '/rows/1', left: { n: 2 }, right: undefined },
    { path: '/kind', left: {}, right: [] },
  ])
})

test('null differs from a missing member, and members of prototypes are not read', async () => {
  expect(await differencesOf({ a: null }, {}, all)).toEqual([{ path: '/a', left: null, right: undefined }])
  const proto = JSON.parse('{"__proto__": 1, "constructor": 2}')
  expect(await differencesOf(proto, {}, all)).toEqual([
    { path: '/__proto__', left: 1, right: undefined },
    { path: '/constructor', left: 2, right: undefined },
  ])
})

test('stops at the given number of differences', async () => {
  const values = Array.from({ length: 5_000 }, (_, index) => index)
  expect(
    await differencesOf(
      values,
      values.map((value) => value + 1),
      7,
    ),
  ).toHaveLength(7)
})
