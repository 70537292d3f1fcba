import type { Finding } from './assemble.ts'
import type { ListField } from './fields.ts'
import { carryDays } from './ledger-days.ts'
import { type ColumnMap, mapColumns } from './map-columns.ts'
import { readRow } from './read-rows.ts'
import { fieldsByTarget } from './request-book.ts'
import { withoutSums } from './row-sums.ts'
import type { Field, Sheet } from './sheet.ts'
import { rowKeys, type Table } from './table.ts'
import { bornOut, fromTill } from './till-rows.ts'

const signature = (map: ColumnMap): string =>
  [...map]
    .map(([, field]) => field.id)
    .sort((a, b) => a - b)
    .join()

/** Of tables found in two ways on the same lines the one that fits better. */
function withoutTwins<G extends { readonly table: Table; readonly score: number }>(graded: readonly G[]): G[] {
  const taken = new Set<string>()
  const kept = graded
    .toSorted((a, b) => b.score - a.score || b.table.rows.length - a.table.rows.length)
    .filter(({ table }) => {
      const keys = rowKeys(table)
      if (keys.some((key) => taken.has(key))) return false
      for (const key of keys) taken.add(key)
      return true
    })
  return graded.filter((one) => kept.includes(one))
}

/** Rows of the tables whose headings fit a list best, and of their continuations; none where too little fits. */
export function rowsOfTables(
  list: ListField,
  sheet: Sheet,
  inputs: readonly string[],
): { readonly rows: Map<string, Finding>[]; readonly tables: readonly Table[] } {
  const byTarget = fieldsByTarget(list.columns)
  const graded = sheet.tables.map((table) => ({ table, ...mapColumns(list, table, sheet, byTarget) }))
  const best = graded.reduce((top, next) => (next.score > (top?.score ?? 0) ? next : top), graded[0])
  const columnsMin = Math.min(2, list.columns.length)
  if (best === undefined || best.map.size < columnsMin) return { rows: [], tables: [] }
  const same = signature(best.map)
  const fitting = withoutTwins(graded.filter(({ map }) => signature(map) === same))
  const rows = fitting.flatMap(({ table, map }) =>
    table.rows
      .map((row) => readRow(row, { list, sheet, table, map, inputs }))
      .filter((item) => item.size >= columnsMin || (item.size > 0 && map.size === 1)),
  )
  return { rows: withoutSums(rows, list), tables: fitting.map(({ table }) => table) }
}

/** The items of a list: the rows of the table whose headings fit it best, and of its continuations. */
export function itemsOf(list: ListField, sheet: Sheet, inputs: readonly string[]): Map<string, Finding>[] {
  if (list.columns.length === 0) return []
  const { rows, tables } = rowsOfTables(list, sheet, inputs)
  if (tables.length === 0) return fromTill(list, sheet, inputs).rows
  const columnOf = (id: string): Field | undefined =>
    list.columns.find((column) => column.plan.meaning.concept?.id === id)
  const day = columnOf('transaction_date')
  if (day !== undefined && columnOf('movement') !== undefined) carryDays(rows, day.pointer)
  return bornOut(rows, fromTill(list, sheet, inputs), list)
}
