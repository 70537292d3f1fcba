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
