import type { Finding } from '../extract/assemble.ts'
import { meantWords } from '../languages/form-words.ts'
import { meaningOfWords } from '../languages/label-words.ts'
import type { Field } from '../layout/sheet.ts'
import { tokensOf } from '../layout/text.ts'
import { findField, type ListField } from '../schema/fields.ts'
import { minorUnits, sameAmount } from '../values/amounts.ts'

export type ListRow = Map<string, Finding>

/** When this share of rows has a field, a row without it is something else. */
const usualShare = 0.6
/** The minimum number of rows to determine what is usual. */
const rowsMin = 2

const numberIn = (row: ListRow, field: Field | undefined): number | null => {
  const value = field === undefined ? undefined : row.get(field.pointer)?.value
  return typeof value === 'number' ? value : null
}

/** A sequence of amounts that detects which of them are sums of earlier ones. */
class RunningSum {
  total = 0
  count = 0
  #last = 0
  /** The running totals before each amount except the last. */
  readonly #before = new Set<number>()

  add(amount: number): void {
    if (this.count > 0) this.#before.add(minorUnits(this.#last))
    this.#last = this.total
    this.total += amount
    this.count += 1
  }

  /** True when an amount is the sum of two or more of the latest amounts. */
  endsIn(sum: number): boolean {
    return this.#before.has(minorUnits(this.total - sum))
  }
}

const sumTargets = /^c:(?:total|subtotal|amount_due)$/

/** True for a row with only an amount, or with a text that names a sum beside it. */
export function isNamedSum(row: ListRow): boolean {
  const texts = [...row.values()].flatMap(({ value }) => (typeof value === 'string' ? [value] : []))
  const names = (text: string): boolean =>
    ['total', 'subtotal'].some((sum) => meantWords(text)[0]?.meanings.has(sum)) ||
    (meaningOfWords(tokensOf(text).map((token) => token.text)) ?? []).some(({ target }) => sumTargets.test(target))
  return row.size === 1 || texts.some(names)
}

/**
 * Removes rows that only add up others: subtotals and totals without the quantity and price that other rows have, and
 * balances carried forward.
 */
export function withoutSums(rows: readonly ListRow[], list: ListField): ListRow[] {
  const fieldOf = (id: string): Field | undefined => findField(list.columns, id)
  const movement = fieldOf('movement')
  if (movement !== undefined) {
    const moving = rows.filter((row) => numberIn(row, movement) !== null)
    return withoutNamedSums(moving.length >= rows.length * usualShare ? moving : rows)
  }
  const amount = fieldOf('line_amount')
  const factors = [fieldOf('quantity'), fieldOf('unit_price')]
  if (amount === undefined) return withoutColumnSums(withoutNamedSums(rows))
  const isFull = (row: ListRow): boolean => factors.some((field) => numberIn(row, field) !== null)
  const isUsual = rows.length > rowsMin && rows.filter(isFull).length >= rows.length * usualShare
  const kept: ListRow[] = []
  const amounts = new RunningSum()
  for (const [at, row] of rows.entries()) {
    const own = numberIn(row, amount)
    if (own !== null && !isFull(row) && amounts.count >= rowsMin && amounts.endsIn(own)) {
      if (isUsual) continue
      const below = rows.slice(at + 1)
      const isSum = sameAmount(amounts.total, own) && isNamedSum(row)
      // Everything below the sum of all rows is a sum too, unless it is another section: with its own sum, or with what the sum lacks.
      if (isSum && !opensSection(below, amount) && !below.some((one) => isAsFull(one, kept) && !isAsFull(row, kept)))
        break
    }
    kept.push(row)
    if (own !== null) amounts.add(own)
  }
  return withoutColumnSums(withoutNamedSums(kept))
}

/** Whether a row has all that each of several rows has. */
export function isAsFull(row: ListRow, rows: readonly ListRow[]): boolean {
  return [...(rows[0]?.keys() ?? [])].every((pointer) => row.has(pointer) || !rows.every((one) => one.has(pointer)))
}

/** True for rows that the next named sum adds up. */
function opensSection(rows: readonly ListRow[], amount: Field): boolean {
  const end = rows.findIndex(isNamedSum)
  const numbers = rows.slice(0, Math.max(0, end)).map((row) => numberIn(row, amount) ?? 0)
  return end > 0 && sameAmount(sum(numbers), numberIn(rows[end] as ListRow, amount) ?? Number.NaN)
}

/** Removes rows whose text names a sum and that lack a column which all others have. */
function withoutNamedSums(rows: readonly ListRow[]): ListRow[] {
  const items = new Set(rows.filter((row) => row.size > 1 && !isNamedSum(row)))
  const [first] = items
  const always = [...(first?.keys() ?? [])].filter((pointer) => [...items].every((row) => row.has(pointer)))
  if (items.size < rowsMin) return [...rows]
  return rows.filter((row) => items.has(row) || row.size === 1 || always.every((pointer) => row.has(pointer)))
}

/** So many columns of so many rows must add up to take the last row for their sums. */
const sumColumnsMin = 2
const summedRowsMin = 3

/**
 * Removes a last row that adds up columns of the rows above it and has no other numbers, if its text names a sum, or else if at least two of
 * its sums are not whole: few whole numbers may add up by chance. Equal sums count once.
 */
function withoutColumnSums(all: readonly ListRow[]): ListRow[] {
  const rows = withoutSumsBelow(all)
  const above = rows.slice(0, -1)
  const last = rows.at(-1)
  if (last === undefined || above.length < summedRowsMin) return [...rows]
  const sums = [...last].flatMap(([pointer, { value }]) => {
    const numbers = numbersOf(above, pointer)
    if (typeof value !== 'number' || value === 0) return []
    return [numbers.length >= rowsMin && sameAmount(sum(numbers), value) ? value : null]
  })
  const telling = new Set(isNamedSum(last) ? sums : sums.filter((value) => !Number.isInteger(value)))
  return telling.size >= sumColumnsMin && !sums.includes(null) ? above : [...rows]
}

/**
 * Removes the last rows if they lack a column that all rows above have, and one of them adds up a column of these: what stands at and around a
 * sum, such as amounts brought forward, is no item either.
 */
function withoutSumsBelow(rows: readonly ListRow[]): ListRow[] {
  // Where the rows without a column begin, if none below has it.
  const ends = [...(rows[0]?.keys() ?? [])].map((pointer) => {
    const end = rows.findIndex((row) => !row.has(pointer))
    return rows.slice(end + 1).some((row) => row.has(pointer)) ? -1 : end
  })
  for (const end of [...new Set(ends)].toSorted((a, b) => a - b)) {
    if (end < summedRowsMin) continue
    const [body, below] = [rows.slice(0, end), rows.slice(end)]
    const isSum = ([pointer, { value }]: [string, Finding]): boolean => {
      const numbers = numbersOf(body, pointer)
      // Few whole numbers may add up by chance.
      return (
        typeof value === 'number' &&
        !Number.isInteger(value) &&
        numbers.length >= rowsMin &&
        sameAmount(sum(numbers), value)
      )
    }
    if (below.some((row) => [...row].some(isSum))) return body
  }
  return [...rows]
}

/** The numbers of a column but 0. */
const numbersOf = (rows: readonly ListRow[], pointer: string): number[] =>
  rows.flatMap((row) => {
    const value = row.get(pointer)?.value
    return typeof value === 'number' && value !== 0 ? [value] : []
  })

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0)
