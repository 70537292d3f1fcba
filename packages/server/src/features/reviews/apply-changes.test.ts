import type { RowsChange } from '@skillrun/core/list-rows.ts'
import { expect, test } from 'vitest'
import { mergedChanges } from './apply-changes.ts'

const corrected = (path: string, rows?: readonly (number | null)[]): RowsChange => ({ path, kind: 'corrected', rows })

test.each(['/of/items', '/of', ''])(
  'no row of a list is one of the response once %j was replaced without rows',
  (path) => {
    const edits = [corrected(path), corrected('/of/items', [1])]
    const merged = mergedChanges({ of: { items: ['A', 'B', 'C'] } }, { of: { items: ['C'] } }, edits)
    expect(merged.at(-1)).toMatchObject({ path: '/of/items', to: ['C'], rows: [null] })
  },
)

test('rows of a list that were corrected stay so when the list, or what holds it, is confirmed', () => {
  const [response, reviewed] = [{ of: { items: ['A', 'B'] } }, { of: { items: ['B'] } }]
  const list = { path: '/of/items', from: ['A', 'B'], to: ['B'], kind: 'corrected', rows: [1] }
  const confirmed = (path: string) =>
    mergedChanges(response, reviewed, [corrected('/of/items', [1]), { path, kind: 'confirmed' }])
  expect(confirmed('/of/items')).toEqual([list])
  expect(confirmed('/of')).toEqual([list, { path: '/of', from: response.of, to: reviewed.of, kind: 'confirmed' }])
})

test('of a long list that was replaced as a whole, the rows that are new are soon told from those that were put back', () => {
  const items = Array.from({ length: 15_000 }, (_, at) => ({ at }))
  const others = items.map(({ at }) => ({ at: at % 2 === 0 ? at : -at }))
  const edits = [
    { ...corrected('', [0]), to: items.slice(0, 1) },
    { ...corrected(''), rows: items.map(() => null), to: others },
  ]
  const [merged] = mergedChanges(items, others, edits)
  expect(merged?.rows?.slice(0, 5)).toEqual([0, null, 2, null, 4])
})

test('a row is put back once, also in a list whose other rows have changed places', () => {
  const [response, reviewed] = [
    ['X', 'B', 'A', 'D'],
    ['A', 'D', 'B', 'A'],
  ]
  const edits = [
    { ...corrected('', [1, 3]), to: ['B', 'D'] },
    { ...corrected('', [null, 1, 0, null]), to: reviewed },
  ]
  expect(mergedChanges(response, reviewed, edits)).toMatchObject([{ rows: [2, 3, 1, null] }])
})
