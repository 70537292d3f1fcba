import { groupBy } from '@skillrun/core/group-by.ts'
import type { Finding } from '../extract/assemble.ts'
import { meaningOfWords } from '../languages/label-words.ts'
import { tokensOf } from '../layout/text.ts'
import { findField, type ListField } from '../schema/fields.ts'
import { isProduct, sameAmount, toleranceOf, toMinorUnit } from '../values/amounts.ts'

type Row = Map<string, Finding>

const numberIn = (row: Row | undefined, pointer: string | undefined): number | null => {
  const value = pointer === undefined ? undefined : row?.get(pointer)?.value
  return typeof value === 'number' ? value : null
}

/** Looks up an amount of the document by the id of its meaning. */
export type AmountOf = (id: string) => number | null

const sumTargets =
  /^c:(?:total|subtotal|tax|amount_due|amount_paid|cash|change|opening_balance|closing_balance|rounding)$/

/** Meanings of rows that are not movements. Taxes and payments are left out: an account can have them as movements. */
const balanceTargets = /^c:(?:total|subtotal|opening_balance|closing_balance)$/

function meansTarget(text: unknown, targets: RegExp): boolean {
  if (typeof text !== 'string') return false
  const words = tokensOf(text.replace(/[\d%:.,]+/gu, ' ')).map((token) => token.text)
  return (meaningOfWords(words) ?? []).some(({ target }) => targets.test(target))
}

/** Removes rows that are sums of the document and not items: rows named so, and rows after the sum of all earlier ones. */
export function dropSums(list: ListField, rows: Row[], amountOf: AmountOf): void {
  const pointerOf = (id: string) => findField(list.columns, id)?.pointer
  const name = pointerOf('description')
  const amount = pointerOf('line_amount') ?? pointerOf('movement')
  const factors = [pointerOf('quantity'), pointerOf('unit_price')]
  if (name === undefined || amount === undefined || rows.length < 2) return
  const isGoods = pointerOf('movement') === undefined
  const sums = [amountOf('total'), amountOf('subtotal')].filter((sum) => sum !== null)
  let before = 0
  const end = rows.findIndex((row, at) => {
    const own = numberIn(row, amount) ?? Number.NaN
    const isSum = at > 0 && sameAmount(before, own) && sums.some((sum) => sameAmount(sum, own))
    before += own
    return isGoods && isSum && factors.every((factor) => numberIn(row, factor) === null)
  })
  if (end > 0) rows.splice(end)
  const shipping = amountOf('shipping')
  const isOfSums = (row: Row): boolean => {
    const text = row.get(name)?.value
    const own = numberIn(row, amount)
    if (isGoods && meansTarget(text, /^c:tax$/)) return true
    if (factors.some((factor) => numberIn(row, factor) !== null)) return false
    return (
      meansTarget(text, isGoods ? sumTargets : balanceTargets) ||
      (own !== null && own === shipping && meansTarget(text, /^c:shipping$/))
    )
  }
  const kept = rows.filter((row) => !isOfSums(row))
  if (kept.length > 0) rows.splice(0, rows.length, ...kept)
}

/** Removes the first and last row of an account when they are its opening and closing balance. */
export function dropEnds(list: ListField, rows: Row[], amountOf: AmountOf): void {
  const movement = findField(list.columns, 'movement')?.pointer
  if (movement === undefined || rows.length < signedRowsMin) return
  const isEnd = (row: Row | undefined, id: string): boolean => {
    const [own, wanted] = [numberIn(row, movement), amountOf(id)]
    return own !== null && wanted !== null && wanted !== 0 && sameAmount(Math.abs(own), Math.abs(wanted))
  }
  if (isEnd(rows.at(-1), 'closing_balance')) rows.pop()
  if (isEnd(rows[0], 'opening_balance')) rows.shift()
}

/** The minimum number of rows to question their signs. */
const signedRowsMin = 3

/**
 * Withdraws the movements of an account that all have one sign, when no balance or sum confirms it and the opening and
 * closing balances contradict it: their signs were not read. Returns the indexes of the rows.
 */
export function dropUnsigned(list: ListField, rows: readonly Row[], amountOf: AmountOf): readonly number[] {
  const movement = findField(list.columns, 'movement')?.pointer
  if (movement === undefined || rows.length < signedRowsMin) return []
  const found = rows.map((row) => row.get(movement))
  const values = found.flatMap((finding) => (typeof finding?.value === 'number' ? [finding.value] : []))
  if (found.some((finding) => finding?.isConfirmed === true) || values.length < signedRowsMin) return []
  if (!values.every((value) => value > 0)) return []
  const [opening, closing] = [amountOf('opening_balance'), amountOf('closing_balance')]
  const debits = amountOf('total_debits')
  const sum = values.reduce((total, value) => total + value, 0)
  const isContradicted =
    (opening !== null && closing !== null && !sameAmount(closing - opening, sum)) ||
    (debits !== null && debits > toleranceOf())
  if (!isContradicted) return []
  return rows.flatMap((row, at) => (row.delete(movement) ? [at] : []))
}

/** Removes article codes that are row numbers: short, digits only, each larger than the one before. */
export function dropRowNumbers(list: ListField, rows: readonly Row[]): void {
  const code = findField(list.columns, 'item_code')?.pointer
  if (code === undefined) return
  const texts = rows.flatMap((row) => row.get(code)?.value ?? []).map(String)
  const isShort = texts.length > 0 && texts.every((text) => /^0*\d{1,3}$/.test(text))
  const rising = texts.slice(1).filter((text, at) => Number(text) > Number(texts[at]))
  if (!isShort || rising.length < (texts.length - 1) * 0.75) return
  if (texts.length === 1 && Number(texts[0]) !== 1 && Number(texts[0]) !== 10) return
  for (const row of rows) row.delete(code)
}

/** The minimum share of codes that start with the same word for it to be a label. */
const labelShare = 0.3

/** Removes a common label word from the codes of a list: `REF 157197`. */
export function dropCodeLabels(list: ListField, rows: readonly Row[]): void {
  const code = findField(list.columns, 'item_code')?.pointer
  if (code === undefined) return
  const parts = rows.flatMap((row) => {
    const finding = row.get(code)
    const match = /^([\p{L}.]{2,}):?\s+(\S*\d\S*)$/u.exec(String(finding?.value ?? ''))
    return finding === undefined || match === null ? [] : [{ row, finding, label: match[1], rest: match[2] ?? '' }]
  })
  const byLabel = groupBy(parts, ({ label }) => label)
  const isLabelled = [...byLabel.values()].some((own) => own.length >= 2 && own.length >= rows.length * labelShare)
  if (isLabelled) for (const { row, finding, rest } of parts) row.set(code, { ...finding, value: rest })
}

/** Withdraws quantities of OCR pages that do not multiply out although price and amount are there. */
export function dropUnconfirmedQuantities(list: ListField, rows: readonly Row[]): void {
  const pointerOf = (id: string) => findField(list.columns, id)?.pointer
  const [quantity, price, amount] = [pointerOf('quantity'), pointerOf('unit_price'), pointerOf('line_amount')]
  if (quantity === undefined || price === undefined || amount === undefined) return
  const open = rows.filter((row) => {
    const finding = row.get(quantity)
    if (finding?.ocrConfidence === undefined || finding.isConfirmed === true) return false
    return numberIn(row, price) !== null && numberIn(row, amount) !== null
  })
  // When hardly any row multiplies out, there is a discount between price and amount.
  if (open.length > rows.length * 0.5) return
  for (const row of open) row.delete(quantity)
}

/** The minimum and maximum of amount ÷ (quantity × price), from a row discount to added tax. */
const shareMin = 0.45
const shareMax = 1.3
/** Ratios that differ by less are the same tax or discount. */
const shareTolerance = 0.006

/** A row whose amount is not its quantity times its price. */
export interface InconsistentRow {
  readonly row: Row
  /** One sentence that says what does not add up. */
  readonly message: string
}

/** The confidence of contradictory figures in a row: one of them may belong elsewhere. */
const contradictedConfidence = 0.6

/**
 * Finds the rows whose amount is not quantity × price, unless other rows differ by the same ratio, as with a tax or
 * discount. Printed figures stay, with less confidence. On OCR pages, a quantity and price that cannot give the amount
 * are withdrawn, as is a quantity that was read from the price.
 */
export function checkRowProducts(list: ListField, rows: readonly Row[]): InconsistentRow[] {
  const pointerOf = (id: string) => findField(list.columns, id)?.pointer
  const [quantity, price, amount] = [pointerOf('quantity'), pointerOf('unit_price'), pointerOf('line_amount')]
  if (quantity === undefined || price === undefined || amount === undefined) return []
  const pointers = [quantity, price, amount]
  const shares = rows.flatMap((row) => {
    const [q, p, a] = pointers.map((pointer) => numberIn(row, pointer))
    if (row.get(quantity)?.isConfirmed === true || q == null || p == null || a == null || q * p === 0) return []
    return isProduct(q, p, a) ? [] : [{ row, q, p, a, share: a / (q * p) }]
  })
  const odd: InconsistentRow[] = []
  for (const { row, q, p, a, share } of shares) {
    const isAlone = !shares.some((other) => other.row !== row && Math.abs(other.share - share) < shareTolerance)
    const isPossible = share >= shareMin && share <= (isAlone && shares.length > 1 ? 1 : shareMax)
    const isSamePrint = q === p && quotesSamePlace(row, quantity, price)
    if (isSamePrint) row.delete(quantity)
    else if (isAlone || !isPossible) odd.push({ row, message: contradiction(q, p, a) })
    if (isSamePrint || isPossible) continue
    if (pointers.some((pointer) => row.get(pointer)?.ocrConfidence !== undefined)) {
      row.delete(price)
      row.delete(quantity)
      continue
    }
    for (const pointer of pointers) {
      const finding = row.get(pointer)
      if (finding === undefined) continue
      const confidence = Math.min(finding.evidence.confidence, contradictedConfidence)
      row.set(pointer, { ...finding, evidence: { ...finding.evidence, confidence } })
    }
  }
  return odd
}

const contradiction = (quantity: number, price: number, amount: number): string =>
  `Quantity ${quantity} times unit price ${price} is ${toMinorUnit(quantity * price)}, but the amount of the row is ${amount}.`

/** True when two values of a row were read from the same words. */
function quotesSamePlace(row: Row, one: string, other: string): boolean {
  const [left, right] = [row.get(one)?.evidence, row.get(other)?.evidence]
  return left?.quote === right?.quote && String(left?.bbox) === String(right?.bbox)
}
