import type { Finding } from './assemble.ts'
import type { Fields, ListField } from './fields.ts'
import { type ReadTables, rowsByKind, rowsOfTables } from './items.ts'
import type { Sheet } from './sheet.ts'
import { rowKeys } from './table.ts'
import { linesOfTables } from './tables.ts'
import { fromTill } from './till-rows.ts'

type Rows = readonly ReadonlyMap<string, Finding>[]

/** Quantity times price may differ from the amount by what rounding loses. */
const productTolerance = 0.011
const balanceTolerance = 0.006

/** How much is read, and how much of it bears itself out: filled places, and rows that multiply out or carry a balance on. */
function worthOf(list: ListField, rows: Rows): number {
  const pointerOf = (id: string): string | undefined =>
    list.columns.find((field) => field.plan.meaning.concept?.id === id)?.pointer
  const numberIn = (row: ReadonlyMap<string, Finding> | undefined, id: string): number => {
    const value = row?.get(pointerOf(id) ?? '')?.value
    return typeof value === 'number' ? value : Number.NaN
  }
  let worth = 0
  for (const [at, row] of rows.entries()) {
    const isEmpty = numberIn(row, 'movement') === 0 || numberIn(row, 'line_amount') === 0
    worth += isEmpty ? 0 : row.size
    const [q, p, a] = ['quantity', 'unit_price', 'line_amount'].map((id) => numberIn(row, id)) as [
      number,
      number,
      number,
    ]
    if (Math.abs(q * p - a) <= Math.max(productTolerance, Math.abs(q) * 0.0051)) worth += 1
    const moved = numberIn(row, 'running_balance') - numberIn(rows[at - 1], 'running_balance')
    if (Math.abs(Math.abs(moved) - Math.abs(numberIn(row, 'movement'))) < balanceTolerance) worth += 1
  }
  return worth
}

/** Tables that were found another way take the place of others only where they hold this much more. */
const betterFactor = 1.02

/** The sheet with the tables that the lists are read from, and what was read. */
export interface Choice {
  readonly sheet: Sheet
  readonly read: ReadonlyMap<ListField, ReadTables>
}

/**
 * Chooses for each list the tables that give it the most: those found by their headings, or those found by what stands
 * under each other where these hold more.
 */
export function chooseTables(sheet: Sheet, fields: Fields, inputs: readonly string[]): Choice {
  let { tables } = sheet
  const read = new Map<ListField, ReadTables>()
  for (const list of fields.lists) {
    const headed = rowsOfTables(list, sheet, inputs)
    read.set(list, headed)
    if (list.columns.length < 2 || sheet.grids.length === 0) continue
    const till = fromTill(list, sheet, inputs)
    if (till.isProven) continue
    const found = rowsByKind(list, { ...sheet, tables: sheet.grids }, inputs)
      .map((one) => ({ ...one, worth: worthOf(list, one.rows) }))
      .toSorted((a, b) => b.worth - a.worth)[0]
    const least = Math.max(worthOf(list, headed.rows), worthOf(list, till.rows)) * betterFactor
    if (found === undefined || found.worth <= least) continue
    read.set(list, found)
    const taken = new Set(found.tables.flatMap(rowKeys))
    tables = [...tables.filter((table) => !rowKeys(table).some((key) => taken.has(key))), ...found.tables]
  }
  if (tables === sheet.tables) return { sheet, read }
  return { sheet: { ...sheet, tables, tableLines: linesOfTables(tables) }, read }
}
