import type { Finding } from '../extract/assemble.ts'
import { findField, type ListField } from '../schema/fields.ts'
import { toleranceOf } from '../values/amounts.ts'

type Row = Map<string, Finding>

const pointerOf = (list: ListField, id: string): string | undefined => findField(list.columns, id)?.pointer

const quoteOf = (finding: Finding | undefined): string => finding?.evidence.quote ?? ''

/** A plus or minus, or letters for debit or credit, in front of or after an amount. */
const signPattern = /[-–−+]|(?:CR|DR|[DCHSA])\.?\s*$/u

/** When this many movements, and this share of all, have a sign, every movement has one. */
const signedMin = 4
const signedShare = 0.6

/**
 * Withdraws the movements of an OCR account that have no sign where nearly all others, credits included, have one: the
 * sign was not recognised. Movements that balances confirm stay. Returns the indexes of the rows.
 */
export function dropSignless(list: ListField, rows: readonly Row[]): readonly number[] {
  const movement = pointerOf(list, 'movement')
  if (movement === undefined) return []
  const found = rows.flatMap((row, at) => {
    const finding = row.get(movement)
    return typeof finding?.value === 'number'
      ? [{ row, at, finding, isSigned: signPattern.test(quoteOf(finding)) }]
      : []
  })
  const signed = found.filter(({ isSigned }) => isSigned)
  const isBothWays = signed.some(({ finding }) => Number(finding.value) > 0)
  if (signed.length < signedMin || signed.length < found.length * signedShare || !isBothWays) return []
  const lost = found.filter(
    ({ finding, isSigned }) => !isSigned && finding.ocrConfidence !== undefined && finding.isConfirmed !== true,
  )
  for (const { row } of lost) row.delete(movement)
  return lost.map(({ at }) => at)
}

const countMax = 999
/** The minimum number, and share, of rows whose amount is a whole multiple of the supposed quantity for it to be a price. */
const multiplesMin = 3
const multiplesShare = 0.8

const isPrintedLikeMoney = (finding: Finding): boolean => /\d[.,]\s?\d{2}(?!\d)/.test(quoteOf(finding))

/** amount ÷ value when that is a whole number, else 0. */
function timesOf(value: unknown, amount: unknown): number {
  if (typeof value !== 'number' || typeof amount !== 'number' || value <= 0) return 0
  const times = Math.round(amount / value)
  const isWhole = times <= countMax && Math.abs(times * value - amount) < toleranceOf() * times
  return isWhole ? times : 0
}

/**
 * On OCR pages, moves prices that were read as quantities back to the price column. OCR often misses single digits
 * between columns. A supposed quantity that is printed like money, in a row without a price, is the price when other
 * quantities of the list are whole numbers or nearly all amounts are whole multiples of it.
 */
export function restorePrices(list: ListField, rows: readonly Row[]): void {
  const [quantity, price, amount] = ['quantity', 'unit_price', 'line_amount'].map((id) => pointerOf(list, id))
  if (quantity === undefined || price === undefined || amount === undefined) return
  const isWhole = rows.some((row) => {
    const count = row.get(quantity)
    return count?.isConfirmed === true && Number.isInteger(count.value) && /^\D*\d+\D*$/.test(quoteOf(count))
  })
  const doubtful = rows.flatMap((row) => {
    const count = row.get(quantity)
    if (count?.ocrConfidence === undefined || count.isConfirmed === true || row.has(price)) return []
    return isPrintedLikeMoney(count) ? [{ row, count, times: timesOf(count.value, row.get(amount)?.value) }] : []
  })
  const full = doubtful.filter(({ row }) => row.has(amount))
  const multiples = full.filter(({ times }) => times > 0)
  const areMultiples =
    multiples.length >= multiplesMin &&
    multiples.length >= full.length * multiplesShare &&
    multiples.some(({ times }) => times > 1)
  if (!isWhole && !areMultiples) return
  for (const { row, count, times } of doubtful) {
    row.delete(quantity)
    if (times > 0) row.set(price, count)
  }
}

/** A rate after a name: `Consulting 19%`. */
const rateBehind = /^(?<name>.*\p{L}.*?)\s+(?<rate>\d{1,2}(?:[.,]\d{1,2})?)\s?%$/u
const ratesMin = 2
const ratesShare = 0.5
const differentRatesShare = 0.5

/**
 * Removes tax rates from the end of names in an OCR list, where most names have one and there are few different rates:
 * the rate belongs to the next column. Many different rates belong to the goods: `Milk 3.5%`, `Cream 30%`.
 */
export function dropRates(list: ListField, rows: readonly Row[]): void {
  const name = pointerOf(list, 'description')
  if (name === undefined) return
  const named = rows.flatMap((row) => {
    const finding = row.get(name)
    return typeof finding?.value === 'string' ? [{ row, finding, found: rateBehind.exec(finding.value)?.groups }] : []
  })
  const rated = named.filter(({ finding, found }) => finding.ocrConfidence !== undefined && found !== undefined)
  if (rated.length < ratesMin || rated.length < named.length * ratesShare) return
  const rates = new Set(rated.map(({ found }) => found?.['rate']))
  if (rates.size > rated.length * differentRatesShare) return
  for (const { row, finding, found } of rated) row.set(name, { ...finding, value: found?.['name'] ?? finding.value })
}
