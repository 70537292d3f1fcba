import { wholeCount } from '../../candidates/inferred.ts'
import type { PhraseTarget } from '../../languages/phrase-book.ts'
import type { Field, Sheet } from '../../layout/sheet.ts'
import { findField } from '../../schema/fields.ts'
import { toleranceOf } from '../../values/amounts.ts'
import { readCellAs } from '../../values/parsed-values.ts'
import type { ScoredTable } from './column-score.ts'

/** The maximum number of rows sampled. */
const rowsMax = 40
/** The minimum share of rows in which quantity × price must be the amount. */
const provenShare = 0.8
/** The minimum share of rows that a column of codes fills. */
const codesShare = 0.7

const numberAt = (table: ScoredTable, row: number, at: number, sheet: Sheet): number | null => {
  const text = table.rows[row]?.cells[at]?.text ?? ''
  if (text === '' || /%/.test(text)) return null
  const found = readCellAs('number', text, sheet.conventions)
  const value = found[0]?.value
  return found.length === 1 && typeof value === 'number' ? value : null
}

/** The numbers of each column that is numeric in most rows. */
function numericColumns(table: ScoredTable, sheet: Sheet): Map<number, (number | null)[]> {
  const count = Math.min(rowsMax, table.rows.length)
  const columns = new Map<number, (number | null)[]>()
  for (const at of table.columns.keys()) {
    const values = Array.from({ length: count }, (_, row) => numberAt(table, row, at, sheet))
    if (values.filter((value) => value !== null).length >= count * provenShare) columns.set(at, values)
  }
  return columns
}

type Values = readonly (number | null)[]

/** True when the first two multiply to the third in nearly every row, and not only because one of them is 1. */
function multiply(a: Values, b: Values, product: Values): boolean {
  let tried = 0
  let right = 0
  let telling = 0
  for (const [row, value] of product.entries()) {
    const x = a[row]
    const y = b[row]
    if (value === null || x === null || x === undefined || y === null || y === undefined) continue
    tried++
    // A price of three digits or more may be printed with two decimals.
    const slack = toleranceOf(1) + Math.abs(Math.max(x, y) < 100 ? 0 : 0.0001 * value)
    if (Math.abs(x * y - value) > slack) continue
    right++
    if (x !== 1 && y !== 1 && value !== 0) telling++
  }
  return tried > 0 && right >= tried * provenShare && telling >= Math.max(1, tried * 0.25)
}

/** Which of two factors is the quantity: by heading, else the one with more whole numbers. */
function quantityOf(pair: readonly [number, number], columns: ReadonlyMap<number, Values>, known: KnownRoles): number {
  const [a, b] = pair
  if (known.price === a || known.quantity === b) return b
  if (known.price === b || known.quantity === a) return a
  return wholeCount(columns.get(b) ?? []) > wholeCount(columns.get(a) ?? []) ? b : a
}

/** The columns whose headings say quantity and price. */
interface KnownRoles {
  readonly quantity: number | undefined
  readonly price: number | undefined
}

/**
 * Corrects which columns are quantity, price and amount, so that the first two multiply to the third, whatever the
 * headings say. Modifies `map`.
 */
export function settleProducts(
  map: Map<number, Field>,
  fields: readonly Field[],
  table: ScoredTable,
  sheet: Sheet,
): void {
  const byRole = (id: string): Field | undefined => findField(fields, id)
  const quantity = byRole('quantity')
  const price = byRole('unit_price')
  const amount = byRole('line_amount')
  if (quantity === undefined || price === undefined || amount === undefined) return
  const placeOf = (field: Field): number | undefined => [...map].find(([, other]) => other === field)?.[0]
  if ([quantity, price, amount].every((field) => placeOf(field) !== undefined)) {
    const columns = numericColumns(table, sheet)
    const [q, p, a] = [quantity, price, amount].map((field) => columns.get(placeOf(field) ?? -1))
    if (q === undefined || p === undefined || a === undefined) return
    if (multiply(q, p, a)) return
  }
  const columns = numericColumns(table, sheet)
  const places = [...columns.keys()]
  const found: [number, number, number][] = []
  for (const product of places)
    for (const a of places)
      for (const b of places)
        if (a < b && a !== product && b !== product)
          if (multiply(columns.get(a) ?? [], columns.get(b) ?? [], columns.get(product) ?? []))
            found.push([a, b, product])
  const [only] = found
  if (only === undefined || found.length > 1) return
  const [a, b, product] = only
  const quantityAt = quantityOf([a, b], columns, { quantity: placeOf(quantity), price: placeOf(price) })
  const wanted: readonly [number, Field][] = [
    [quantityAt, quantity],
    [quantityAt === a ? b : a, price],
    [product, amount],
  ]
  for (const [, field] of wanted) for (const [at, other] of [...map]) if (other === field) map.delete(at)
  for (const [at, field] of wanted) map.set(at, field)
}

const looksLikeCode = (text: string): boolean =>
  /^[\p{L}\d][\p{L}\d./_-]{3,23}$/u.test(text) && /\d{2}/.test(text) && !/^\d{1,3}(?:[.,]\d{3})*[.,]\d{2}$/.test(text)

/** Concepts of document numbers, which mean item numbers when each row has a different one. */
const numberTargets = /^c:(?:line_number|reference|\w+_number|item_code)$/

const isOther = ({ target, weight }: PhraseTarget): boolean => weight >= 0.85 && !numberTargets.test(target)

/** Assigns article codes to the only column of codes under an unknown heading, when no other column has them. */
export function settleCodes(map: Map<number, Field>, fields: readonly Field[], table: ScoredTable, sheet: Sheet): void {
  const field = findField(fields, 'item_code')
  if (field === undefined || map.size < 2 || [...map.values()].includes(field)) return
  const firstNumber = Math.min(...[...map].filter(([, other]) => other.plan.meaning.kind === 'money').map(([at]) => at))
  const spare = table.columns.flatMap((column, at) => {
    if (map.has(at) || at > firstNumber || column.heading.targets.some(isOther)) return []
    const texts = table.rows.flatMap((row) => row.cells[at]?.text ?? [])
    const codes = texts.filter(looksLikeCode)
    const isDates = texts.some((text) => readCellAs('date', text, sheet.conventions).length > 0)
    const isVaried = new Set(codes).size > codes.length / 2
    return !isDates && isVaried && codes.length >= Math.max(1, table.rows.length * codesShare) ? [at] : []
  })
  const [at] = spare
  if (spare.length === 1 && at !== undefined) map.set(at, field)
}
