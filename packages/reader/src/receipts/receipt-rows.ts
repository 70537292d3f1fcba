import type { Finding } from '../extract/assemble.ts'
import type { Field, Sheet } from '../layout/sheet.ts'
import { findField, type ListField } from '../schema/fields.ts'
import { readFinding } from '../tables/read-rows.ts'
import { isAsFull, isNamedSum, type ListRow } from '../tables/row-sums.ts'
import { sameAmount } from '../values/amounts.ts'
import { readReceipt } from './receipt-items.ts'

/** Items of a receipt without headings, for a list that asks for purchased items. */
export function fromReceipt(list: ListField, sheet: Sheet, inputs: readonly string[]): ReceiptRows {
  const fieldOf = (...ids: string[]): Field | undefined =>
    ids.map((id) => findField(list.columns, id)).find((field) => field !== undefined)
  const fields = {
    description: fieldOf('description'),
    quantity: fieldOf('quantity'),
    unitPrice: fieldOf('unit_price'),
    amount: fieldOf('line_amount', 'movement', 'unit_price'),
  }
  if (fields.description === undefined || fields.amount === undefined) return { rows: [], isProven: false }
  const receipt = readReceipt(sheet)
  const rows = receipt.items.flatMap((item) => {
    const found = new Map<string, Finding>()
    for (const name of ['description', 'quantity', 'unitPrice', 'amount'] as const) {
      const field = fields[name]
      const span = item[name]
      if (field === undefined || span === null || found.has(field.pointer)) continue
      const finding = readFinding(field, span, { sheet, page: item.lines[0]?.page, inputs })
      if (finding !== null) found.set(field.pointer, finding)
    }
    return found.size >= 2 ? [found] : []
  })
  return { rows, isProven: receipt.isProven && rows.length === receipt.items.length }
}

/** Items parsed from receipt lines. */
export interface ReceiptRows {
  readonly rows: Map<string, Finding>[]
  /** True when an amount below the items is their sum. */
  readonly isProven: boolean
}

/**
 * Combines table items with items parsed from the same lines as a receipt, when an amount of the document confirms the
 * sum of the latter.
 */
export function combineRows(
  items: Map<string, Finding>[],
  receipt: ReceiptRows,
  list: ListField,
): Map<string, Finding>[] {
  const amount = findField(list.columns, 'line_amount')?.pointer
  if (amount === undefined || !receipt.isProven) return items
  const amountsOf = (rows: readonly Map<string, Finding>[]) => rows.map((row) => row.get(amount)?.value)
  const own = amountsOf(items)
  const others = amountsOf(receipt.rows)
  // Rows after those that add up to an amount below are sums and counts, unless quantity × price is their amount, or they are like those.
  const isSame = others.length > 0 && others.every((value, at) => value === own[at])
  const [first, below] = [items.slice(0, others.length), items.slice(others.length)]
  if (isSame && !below.some((item) => multipliesOut([item], list) || isLike(item, first)))
    return receipt.rows.map((row, at) => joinRow(items[at] ?? new Map(), row, list))
  const sum = (values: readonly unknown[]) =>
    values.reduce<number>((total, value) => total + (typeof value === 'number' ? value : Number.NaN), 0)
  const isRicher = fieldsIn(items) > fieldsIn(receipt.rows)
  const isKept =
    sameAmount(sum(own), sum(others)) || own.length > others.length || isRicher || multipliesOut(items, list)
  return isKept ? items : receipt.rows
}

/** A sum has a name and an amount. */
const ofSumMax = 2

/** Whether a row is an item like several others, which have more than a sum has. */
const isLike = (row: ListRow, rows: readonly ListRow[]): boolean =>
  rows.every(({ size }) => size > ofSumMax) && row.size > ofSumMax && isAsFull(row, rows) && !isNamedSum(row)

/** The number of fields of the fullest row. */
export const fieldsIn = (rows: readonly ReadonlyMap<string, Finding>[]): number =>
  rows.reduce((most, { size }) => Math.max(most, size), 0)

/** The minimum share of rows with quantity × price = amount to trust the table's columns. */
const tableShare = 0.6

/** True when the rows of a table multiply out, so they are no receipt lines. */
export function multipliesOut(items: readonly ReadonlyMap<string, Finding>[], list: ListField): boolean {
  const numberIn = (item: ReadonlyMap<string, Finding>, id: string): number => {
    const column = findField(list.columns, id)
    const value = column === undefined ? undefined : item.get(column.pointer)?.value
    return typeof value === 'number' ? value : Number.NaN
  }
  const right = items.filter((item) => {
    const amount = numberIn(item, 'line_amount')
    return (
      Math.abs(numberIn(item, 'quantity') * numberIn(item, 'unit_price') - amount) < 0.011 + Math.abs(amount) * 1e-4
    )
  })
  return right.length > 0 && right.length >= items.length * tableShare
}

/** A row with more fields was read by its columns: its text does not extend over them. */
const fewFields = 3

/** A table row plus missing fields and longer texts from the receipt parser. A quantity must multiply out. */
function joinRow(
  item: Map<string, Finding>,
  other: ReadonlyMap<string, Finding>,
  list: ListField,
): Map<string, Finding> {
  const row = new Map(item)
  const unproven = findField(list.columns, 'quantity')?.pointer
  for (const [pointer, finding] of other) {
    if (pointer === unproven && !multipliesOut([other], list)) continue
    const own = item.get(pointer)?.value
    const goesOn =
      item.size <= fewFields &&
      typeof own === 'string' &&
      typeof finding.value === 'string' &&
      finding.value.startsWith(`${own} `)
    if (own === undefined || goesOn) row.set(pointer, finding)
  }
  return row
}
