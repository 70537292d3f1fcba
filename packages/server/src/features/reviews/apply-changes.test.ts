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
