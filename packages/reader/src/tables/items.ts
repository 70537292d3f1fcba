import { groupBy } from '@skillrun/core/group-by.ts'
import type { Finding } from '../extract/assemble.ts'
import { fieldsByTarget } from '../languages/request-book.ts'
import type { Field, Sheet } from '../layout/sheet.ts'
import { combineRows, fromReceipt } from '../receipts/receipt-rows.ts'
import { findField, type ListField } from '../schema/fields.ts'
import { carryDays } from '../statements/ledger-days.ts'
import { type ColumnMap, mapColumns } from './map-columns.ts'
import { readRow } from './read-rows.ts'
import { withoutSums } from './row-sums.ts'
import { rowKeys, type Table } from './table.ts'

const signature = (map: ColumnMap): string =>
  [...map]
    .map(([, field]) => field.id)
    .sort((a, b) => a - b)
    .join()

/** Of tables found by two methods on the same lines, the one that fits better. */
function withoutTwins<G extends { readonly table: Table; readonly score: number }>(graded: readonly G[]): G[] {
  const taken = new Set<string>()
  const kept = graded
    .toSorted((a, b) => b.score - a.score || b.table.rows.length - a.table.rows.length)
    .filter(({ table }) => {
      const keys = rowKeys(table).map((key) => `${key} ${table.part ?? 0}`)
      if (keys.some((key) => taken.has(key))) return false
      for (const key of keys) taken.add(key)
      return true
    })
  return graded.filter((one) => kept.includes(one))
}

/** Rows read from tables of one kind. */
export interface ReadTables {
  readonly rows: Map<string, Finding>[]
  readonly tables: readonly Table[]
}

interface Graded {
  readonly table: Table
  readonly map: ColumnMap
  readonly score: number
}

function gradeTables(list: ListField, sheet: Sheet): Graded[] {
  const byTarget = fieldsByTarget(list.columns)
  return sheet.tables.map((table) => ({ table, ...mapColumns(list, table, sheet, byTarget) }))
}

function readTables(list: ListField, sheet: Sheet, inputs: readonly string[], graded: readonly Graded[]): ReadTables {
  const columnsMin = Math.min(2, list.columns.length)
  const fitting = withoutTwins(graded)
  const rows = fitting.flatMap(({ table, map }) =>
    table.rows
      .map((row) => readRow(row, { list, sheet, table, map, inputs }))
      .filter((item) => item.size >= columnsMin || (item.size > 0 && map.size === 1)),
  )
  return { rows: withoutSums(rows, list), tables: fitting.map(({ table }) => table) }
}

const nothing: ReadTables = { rows: [], tables: [] }

/** Rows of the tables whose headings fit a list best, with their continuations; empty when none fits well enough. */
export function rowsOfTables(list: ListField, sheet: Sheet, inputs: readonly string[]): ReadTables {
  const graded = gradeTables(list, sheet)
  const best = graded.reduce((top, next) => (next.score > (top?.score ?? 0) ? next : top), graded[0])
  if (best === undefined || best.map.size < Math.min(2, list.columns.length)) return nothing
  const same = signature(best.map)
  return readTables(
    list,
    sheet,
    inputs,
    graded.filter(({ map }) => signature(map) === same),
  )
}

/** Rows of each kind of table, grouped by the fields of its columns. */
export function rowsByKind(list: ListField, sheet: Sheet, inputs: readonly string[]): ReadTables[] {
  const kinds = groupBy(gradeTables(list, sheet), ({ map }) => signature(map))
  return [...kinds.values()]
    .filter(([first]) => (first?.map.size ?? 0) >= Math.min(2, list.columns.length))
    .map((graded) => readTables(list, sheet, inputs, graded))
}

/** The items of a list: the rows of its tables, completed from receipt lines. */
export function itemsOf(
  list: ListField,
  { rows, tables }: ReadTables,
  { sheet, inputs }: { readonly sheet: Sheet; readonly inputs: readonly string[] },
): Map<string, Finding>[] {
  if (list.columns.length === 0) return []
  if (tables.length === 0) return fromReceipt(list, sheet, inputs).rows
  const columnOf = (id: string): Field | undefined => findField(list.columns, id)
  const day = columnOf('transaction_date')
  if (day !== undefined && columnOf('movement') !== undefined) carryDays(rows, day.pointer)
  return combineRows(rows, fromReceipt(list, sheet, inputs), list)
}
