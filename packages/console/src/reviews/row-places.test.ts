import { expect, test } from 'vitest'
import type { Execution } from '../wire.ts'
import { rowChanges } from './row-changes.ts'
import { rowPlaces } from './row-places.ts'

const parts = (...names: string[]) => ({ parts: names })
const change = (rows: (number | null)[]) => ({ path: '/rows', kind: 'corrected', rows })

const reviewed = (now: object | null, changes: readonly object[]) =>
  ({
    response: { rows: [parts('a'), parts('b'), parts('c')], maker: null },
    reviewed_response: now,
    review: { changes },
  }) as unknown as Pick<Execution, 'response' | 'reviewed_response' | 'review'>

const before = reviewed({ rows: [parts('b'), parts('new'), parts('c')], maker: null }, [change([1, null, 2])])
const after = reviewed({ rows: [parts('new'), parts('c')], maker: null }, [change([null, 2])])

test('the name of a place finds it after rows are removed, and finds nothing when its own row is', () => {
  const [first, second] = [rowPlaces(before), rowPlaces(after)]
  const moved = (pointer: string) => second.placeOf(first.nameOf(pointer))
  expect(['/rows/0/parts/0', '/rows/1/parts/0', '/rows/2/parts/0', '/rows', '/maker/name', ''].map(moved)).toEqual([
    ...[undefined, '/rows/0/parts/0', '/rows/1/parts/0', '/rows', '/maker/name', ''],
  ])
  expect(first.nameOf('/rows/2/parts/0')).toBe('/rows/2/parts/0')
  const emptied = rowPlaces(reviewed({ rows: null }, []))
  expect(emptied.placeOf('/rows/1')).toBeUndefined()
})

test('rows of a list in an added row are saved there, and in no other when that row is gone', () => {
  const name = rowPlaces(before).nameOf('/rows/1/parts')
  const draft = { [name]: { removed: ['0'], added: [] } }
  expect(rowChanges(after, draft, undefined)).toMatchObject([{ path: '/rows/0/parts', value: [] }])
  const gone = reviewed({ rows: [parts('b'), parts('c')], maker: null }, [change([1, 2])])
  expect(rowChanges(gone, draft, undefined)).toEqual([])
})
