import type { ReviewChange } from '@skillrun/client/openapi.ts'
import type { RowOrigins } from '@skillrun/core/list-rows.ts'
import type { Json } from '../wire.ts'

/** A row that a person adds to a list. */
export interface AddedRow {
  readonly id: number
  /** The key of the row that it follows; null: it is the first. */
  readonly after: string | null
  /** What is typed so far, by pointer within the row. */
  readonly cells: Readonly<Record<string, string>>
}

/** Changes of the rows of a list that a person has not saved. */
export interface ListDraft {
  /** The keys of the rows that they remove and, of those that a review had removed, put back. */
  readonly removed: readonly string[]
  readonly added: readonly AddedRow[]
}

/** A row of a list as it is shown. */
export type ShownRow =
  | {
      readonly kind: 'row'
      readonly key: string
      readonly value: Json
      /** In the list as it is. */
      readonly index: number
      /** Whether a saved review added it. */
      readonly isAdded: boolean
      /** Whether it is removed, but not yet saved. */
      readonly isRemoved: boolean
    }
  /** A saved review removed it; `isBack`: it is put back, but not yet saved. */
  | { readonly kind: 'gone'; readonly key: string; readonly value: Json; readonly isBack: boolean }
  /** Added, but not yet saved. */
  | { readonly kind: 'new'; readonly key: string; readonly added: AddedRow }

/** Names of the rows of a list that stay when other rows are added or removed, also by somebody else. */
export function rowKeys(items: readonly Json[], origins: RowOrigins | undefined): readonly string[] {
  const seen = new Map<string, number>()
  return items.map((item, index) => {
    const origin = origins ? origins[index] : index
    if (typeof origin === 'number') return String(origin)
    const text = JSON.stringify(item)
    const times = (seen.get(text) ?? 0) + 1
    seen.set(text, times)
    return `+${times} ${text}`
  })
}

const goneMark = 'gone '
const goneKey = (index: number): string => goneMark + index

/** How many rows a person removes, and how many they put back. */
export function removedCounts({ removed }: ListDraft): { readonly removed: number; readonly back: number } {
  const back = removed.filter((key) => key.startsWith(goneMark)).length
  return { removed: removed.length - back, back }
}

/** The rows of a list, with those that a review removed where they were, and those that a person adds. */
export function shownRows(
  items: readonly Json[],
  change: Pick<ReviewChange, 'from' | 'rows'> | undefined,
  draft: ListDraft | undefined,
): readonly ShownRow[] {
  const keys = rowKeys(items, change?.rows)
  const removed = new Set(draft?.removed)
  const rows: ShownRow[] = []
  const addAfter = (after: string | null) => {
    for (const added of draft?.added ?? [])
      if (added.after === after || (after === null && added.after !== null && !keys.includes(added.after)))
        rows.push({ kind: 'new', key: `new ${added.id}`, added })
  }
  const from = change?.rows && Array.isArray(change.from) ? (change.from as readonly Json[]) : []
  const kept = new Set(change?.rows)
  let next = 0
  const goneBefore = (end: number) => {
    for (; next < end; next += 1) {
      const key = goneKey(next)
      if (!kept.has(next)) rows.push({ kind: 'gone', key, value: from[next] ?? null, isBack: removed.has(key) })
    }
  }
  addAfter(null)
  for (const [index, value] of items.entries()) {
    const key = keys[index] ?? ''
    const origin = change?.rows?.[index]
    if (typeof origin === 'number') goneBefore(Math.min(origin, from.length))
    const isAdded = change?.rows !== undefined && typeof origin !== 'number'
    rows.push({ kind: 'row', key, value, index, isAdded, isRemoved: removed.has(key) })
    addAfter(key)
  }
  goneBefore(from.length)
  return rows
}

/** The list that a person asks for, and where its rows come from. */
export function draftedList(
  shown: readonly ShownRow[],
  valueFor: (row: ShownRow) => Json,
): { readonly value: readonly Json[]; readonly rows: RowOrigins } {
  const kept = shown.flatMap((row): [Json, number | null][] => {
    if ((row.kind === 'gone' && !row.isBack) || (row.kind === 'row' && row.isRemoved)) return []
    return [[valueFor(row), row.kind === 'row' ? row.index : null]]
  })
  return { value: kept.map(([value]) => value), rows: kept.map(([, index]) => index) }
}
