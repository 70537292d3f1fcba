import { groupBy } from '@skillrun/core/group-by.ts'
import type { Finding } from '../extract/assemble.ts'
import type { Field, Sheet } from '../layout/sheet.ts'
import { combineRows, fromReceipt } from '../receipts/receipt-rows.ts'
import { findField, type ListField } from '../schema/fields.ts'
import { rounded } from '../score/model.ts'
import { carryDays } from '../statements/ledger-days.ts'
import { otherEnd } from './cells/ranges.ts'
import { type MappedColumns, mapColumns } from './columns/map-columns.ts'
import { isNumberOrDate, rowsWithValues } from './columns/rows-with-values.ts'
import { carryGroups, type ReadRow } from './named-groups.ts'
import { readRow } from './read-rows.ts'
import { withoutSums } from './row-sums.ts'
import { likenessOfSheet, nameOfSheet } from './sheet-names.ts'
import { rowKeys, type Table } from './table.ts'

const signature = (map: MappedColumns['map']): string =>
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
  /** The rows of tables that these were read of. */
  readonly read: readonly ReadRow[]
  readonly tables: readonly Table[]
  /** How likely the values of each column are those of its field, by pointer. */
  readonly sure: ReadonlyMap<string, number>
  /** Why columns that resemble a field are not its own, by pointer. */
  readonly refused: ReadonlyMap<string, string>
}

interface Graded extends MappedColumns {
  readonly table: Table
}

const headingsOf = ({ columns }: Table): string => columns.map(({ heading }) => heading.text).join('\n')

/** Tables with the same headings, such as those of several pages, have the same columns. */
function gradeTables(list: ListField, sheet: Sheet): Graded[] {
  const mapped = new Map(
    [...groupBy(sheet.tables, headingsOf)].map(([texts, [first, ...others]]) => {
      const rows = [first, ...others].flatMap((table) => table?.rows ?? [])
      return [texts, mapColumns(list, { columns: first?.columns ?? [], rows }, sheet)]
    }),
  )
  const graded = sheet.tables.map((table) => ({ table, ...(mapped.get(headingsOf(table)) as MappedColumns) }))
  return ofNamedSheets(list, graded)
}

const columnsMinOf = ({ columns }: ListField): number => Math.min(2, columns.length)

/** Whether enough columns are those of a list. One that is like a field's, but in another currency, speaks for the table too. */
const isOfList = (list: ListField, { map, refused }: MappedColumns): boolean =>
  map.size > 0 && map.size + refused.size >= columnsMinOf(list)

/** Without the tables of sheets that have other headings than those of the sheets that are named like the list. */
function ofNamedSheets(list: ListField, graded: readonly Graded[]): Graded[] {
  const named = graded.filter((one) => isOfList(list, one) && nameOfSheet(one.table.page))
  const likeness = new Map(named.map(({ table }) => [table, likenessOfSheet(list, table.page)]))
  const most = Math.max(...likeness.values())
  if (!(most >= namedMin)) return [...graded]
  const own = new Set([...likeness].flatMap(([table, alike]) => (alike === most ? [headingsOf(table)] : [])))
  return graded.filter(({ table }) => !nameOfSheet(table.page) || own.has(headingsOf(table)))
}

/** From this agreement on, the name of a sheet names the list. */
const namedMin = 0.5
/** A column of a sheet that is less likely than this share of the likeliest is another, and so is its sheet. */
const alikeColumnShare = 0.85

/** True for a table that is not of a sheet, and for one each of whose columns is about as likely as that of the likeliest. */
const isOfSameList = ({ table, sure }: Graded, best: Graded | undefined): boolean =>
  !table.page.page.isTabular ||
  [...sure].every(([field, probability]) => probability >= (best?.sure.get(field) ?? 0) * alikeColumnShare)

/** A table that is less likely than this share of the likeliest with the same columns is another. */
const alikeShare = 0.7

function readTables(list: ListField, sheet: Sheet, inputs: readonly string[], all: readonly Graded[]): ReadTables {
  const columnsMin = columnsMinOf(list)
  const [best] = all.toSorted((a, b) => b.score - a.score)
  const fitting = withoutTwins(
    all.filter((one) => one.score >= (best?.score ?? 0) * alikeShare && isOfSameList(one, best)),
  )
  const read = fitting.flatMap(({ table, map }) =>
    rowsWithValues(table.rows, map, sheet)
      .map((row): ReadRow => ({ row, map, item: readRow(row, { list, sheet, table, map, inputs }) }))
      .filter(
        ({ item }) => item.size >= columnsMin || (item.size > 0 && (map.size === 1 || item.has(leadOf(map) ?? ''))),
      ),
  )
  const sure = new Map<string, number>()
  for (const graded of fitting)
    for (const [field, probability] of graded.sure) {
      const other = otherEnd(list.columns, field)
      for (const { pointer } of other && !graded.sure.has(other) ? [field, other] : [field])
        sure.set(pointer, Math.max(probability, sure.get(pointer) ?? 0))
    }
  const refused = new Map(
    fitting.flatMap((one) => [...one.refused].map(([{ pointer }, why]) => [pointer, why] as const)),
  )
  const doubted = read.map((one) => ({
    ...one,
    item: new Map([...one.item].map(([at, finding]) => [at, asSureAs(finding, sure.get(at))])),
  }))
  const rows = withoutSums(
    doubted.map(({ item }) => item),
    list,
  )
  const kept = new Set(rows)
  const own = doubted.filter(({ item }) => kept.has(item))
  return { rows, read: own, tables: fitting.map(({ table }) => table), sure, refused }
}

/** A value is no more likely than its column. */
const asSureAs = (finding: Finding, probability = 1): Finding => ({
  ...finding,
  evidence: { ...finding.evidence, confidence: Math.min(finding.evidence.confidence, rounded(probability)) },
})

/** The field of the first column with numbers or dates, if no other column is before it: a row may have nothing else. */
function leadOf(map: MappedColumns['map']): string | undefined {
  const field = map.get(Math.min(...map.keys()))
  return field && isNumberOrDate(field) ? field.pointer : undefined
}

export const noTables: ReadTables = { rows: [], read: [], tables: [], sure: new Map(), refused: new Map() }

/** Rows of the tables whose headings fit a list best, with their continuations; empty when none fits well enough. */
export function rowsOfTables(list: ListField, sheet: Sheet, inputs: readonly string[]): ReadTables {
  const graded = gradeTables(list, sheet)
  const best = graded.reduce((top, next) => (next.score > (top?.score ?? 0) ? next : top), graded[0])
  if (best === undefined || !isOfList(list, best)) return noTables
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
    .filter(([first]) => first !== undefined && isOfList(list, first))
    .map((graded) => readTables(list, sheet, inputs, graded))
}

/** The items of a list: the rows of its tables, completed from receipt lines. */
export function itemsOf(
  list: ListField,
  { rows, read, tables }: ReadTables,
  { sheet, inputs }: { readonly sheet: Sheet; readonly inputs: readonly string[] },
): Map<string, Finding>[] {
  if (list.columns.length === 0) return []
  if (tables.length === 0) return fromReceipt(list, sheet, inputs).rows
  carryGroups(read)
  const columnOf = (id: string): Field | undefined => findField(list.columns, id)
  const day = columnOf('transaction_date')
  if (day !== undefined && columnOf('movement') !== undefined) carryDays(rows, day.pointer)
  return combineRows(rows, fromReceipt(list, sheet, inputs), list)
}
