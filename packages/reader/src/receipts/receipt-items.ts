import { type ReceiptLine, receiptWords, spanOfWords } from '../languages/receipt-words.ts'
import type { Line } from '../layout/layout.ts'
import type { PlacedWord } from '../layout/placed-words.ts'
import type { Sheet } from '../layout/sheet.ts'
import type { Span } from '../layout/spans.ts'
import { sameAmount } from '../values/amounts.ts'
import { type GatheredItem, gatherItems, type Placed } from './gather-items.ts'
import { withoutLeads } from './item-counters.ts'
import { type ReceiptReading, readReceiptLine, withCountColumn } from './receipt-line.ts'

/** An item of a receipt without table headings. */
export interface PurchasedItem {
  readonly lines: readonly Line[]
  readonly description: Span | null
  readonly quantity: Span | null
  readonly unitPrice: Span | null
  readonly amount: Span
}

/** The items of a receipt and whether an amount below them is their sum. */
export interface Receipt {
  readonly items: readonly PurchasedItem[]
  /** The sum of the items. */
  readonly sum: number
  readonly isProven: boolean
}

/** Labels that appear only above the items of a receipt. */
const headPattern =
  /^(?:c:(?:receipt_number|receipt_date|invoice_date|invoice_number|vendor_phone|vendor_vat|cashier|time|fax|registration_number)|b:customer)$/

/** True when the first cell of a line surely is a label of one of the targets. */
const opensWith = (sheet: Sheet, line: Line, targets: RegExp): boolean =>
  line.cells.some((cell) =>
    (sheet.labels.get(cell) ?? []).some(
      (hit) => hit.startsCell && hit.targets.some((entry) => targets.test(entry.target) && entry.weight >= 0.9),
    ),
  )

const isHeadLine = (sheet: Sheet, line: Line): boolean => opensWith(sheet, line, headPattern)

/** Labels of sums below items. `Amount` is excluded, as it may belong to an item. */
const sumPattern = /^c:(?:subtotal|tax|total|amount_due)$/

const isNamedSum = (sheet: Sheet, line: Line): boolean => sheet.sumLines.has(line) && opensWith(sheet, line, sumPattern)

/** The maximum number of lines without amounts between two items. */
const gapLinesMax = 4
/** The number of lines below the items that are searched for their sum. */
const sumLinesMax = 4
/** The maximum number of leading rows to discard when only the remaining items have a sum. */
const strayMax = 2

const sumOf = (items: readonly GatheredItem[]): number => items.reduce((sum, item) => sum + item.amount.word.value, 0)

const spanOfNumber = (placed: Placed | null): Span | null =>
  placed === null ? null : spanOfWords(placed.reading.line, [placed.word])

function asPurchasedItem(item: GatheredItem): PurchasedItem[] {
  const amount = spanOfNumber(item.amount)
  if (amount === null) return []
  const { lines, name } = item
  return [
    { lines, description: name, quantity: spanOfNumber(item.quantity), unitPrice: spanOfNumber(item.price), amount },
  ]
}

/** The first line of the items: upwards from their end to the header or to a long gap without amounts. */
function startOf(readings: readonly ReceiptReading[], isHead: (line: Line) => boolean): number {
  let start = readings.length
  let gap = 0
  for (let at = readings.length - 1; at >= 0; at--) {
    const reading = readings[at]
    if (reading === undefined || isHead(reading.line.line)) break
    const isPart = reading.amount !== null || reading.price !== null || reading.quantity !== null
    gap = isPart ? 0 : gap + 1
    if (gap > gapLinesMax) break
    if (gap === 0) start = at
  }
  // A line with only a name above the first numbers belongs to them.
  const first = readings[start]
  const before = readings[start - 1]
  const isBare = first !== undefined && (first.name.length === 0 || first.amount === null)
  return isBare && before !== undefined && before.name.length > 0 && !isHead(before.line.line) ? start - 1 : start
}

interface Region {
  readonly items: readonly GatheredItem[]
  readonly isProven: boolean
}

/** The items above a line, without those at either end that the sums exclude. */
function settleItems(items: readonly GatheredItem[], sums: readonly number[]): Region {
  const isSum = (value: number): boolean => sums.some((sum) => sameAmount(sum, value))
  const all = sumOf(items)
  if (items.length > 0 && isSum(all)) return { items, isProven: true }
  let sum = all
  for (let count = items.length - 1; count >= 1; count--) {
    const next = items[count]
    sum -= next?.amount.word.value ?? 0
    if (next === undefined || next.isProven || !sameAmount(next.amount.word.value, sum)) continue
    const isLastAlone = count === items.length - 1 && items[0]?.isProven === true
    if (count >= 2 || isLastAlone || isSum(sum) || isSum(all - sum))
      return { items: items.slice(0, count), isProven: true }
  }
  for (let from = 1; from <= Math.min(strayMax, items.length - 1); from++)
    if (isSum(sumOf(items.slice(from)))) return { items: items.slice(from), isProven: true }
  return { items, isProven: false }
}

/** A line with nothing but an article code. */
const isCodeAlone = ({ words }: ReceiptLine): boolean =>
  words.length <= 2 &&
  /^(?:(?:plu|ean|sku|art\.?|ref\.?|cod\.?) )?(?:[A-Z]{1,3}-?)?\d{4,14}$/iu.test(
    words.map(({ text }) => text).join(' '),
  )

/** Possible ends of the items when no sum is labelled: header lines that are below amounts, and the end of the page. */
function endsWithoutLabel(
  lines: readonly Line[],
  amounts: readonly (number | undefined)[],
  isHead: (line: Line) => boolean,
): number[] {
  const feet = lines.flatMap((line, at) =>
    isHead(line) && amounts.slice(0, at).filter(isAmount).length > 1 ? [at] : [],
  )
  return [...feet, lines.length]
}

const isAmount = (amount: number | undefined): boolean => amount !== undefined

/**
 * The items of a receipt without a table: lines that end in an amount, above the first sum, with quantity and price on
 * the same or an adjacent line. Of several possible ends, the first whose amount is the sum of the items wins. Quantity
 * and price are kept only when their product is the amount.
 */
export function readReceipt(sheet: Sheet): Receipt {
  const known = receipts.get(sheet) ?? findReceipt(sheet)
  receipts.set(sheet, known)
  return known
}

const receipts = new WeakMap<Sheet, Receipt>()

function findReceipt(sheet: Sheet): Receipt {
  const page = sheet.pages[0]
  if (page === undefined) return { items: [], sum: 0, isProven: false }
  const isHead = (line: Line): boolean => isHeadLine(sheet, line)
  const words = page.lines.map((line) => receiptWords(line, sheet.conventions.numbers))
  const amounts = words.map(
    (line) => line.words.findLast((word) => word.kind === 'number' && word.decimals === 2)?.value,
  )
  const ends = page.lines.flatMap((line, at) => (at > 0 && sheet.sumLines.has(line) ? [at] : []))
  let first: Region | null = null
  for (const end of [...ends, ...endsWithoutLabel(page.lines, amounts, isHead)]) {
    const all = page.lines.slice(0, end)
    const above = all.findLastIndex((line) => isHead(line)) + 1
    const readings = withCountColumn(
      withoutLeads(words.slice(above, end).filter((line) => !isCodeAlone(line))).map(readReceiptLine),
    )
    const items = gatherItems(readings.slice(startOf(readings, isHead)), (line) =>
      line.cells.slice(0, 1).some((cell) => sheet.labels.has(cell)),
    )
    const sums = amounts.slice(end, end + sumLinesMax).filter((value) => value !== undefined)
    const region = settleItems(items, sums)
    // A subtotal and its additions make a total just as items do, but are not items.
    const isOfSums = region.items.some(({ lines }) => lines.some((line) => isNamedSum(sheet, line)))
    if (region.isProven && !isOfSums) return receiptOf(region)
    if (ends.length > 0 && !isOfSums) first ??= region.items.length > 0 ? region : null
  }
  return receiptOf(first ?? { items: [], isProven: false })
}

const receiptOf = ({ items, isProven }: Region): Receipt => ({
  items: items.flatMap(asPurchasedItem),
  sum: sumOf(items),
  isProven,
})

/** Words of the item amounts when an amount below is their sum: none of them is itself a sum. */
export function wordsOfReceiptItems(sheet: Sheet): Set<PlacedWord> {
  const receipt = readReceipt(sheet)
  return new Set(receipt.isProven ? receipt.items.flatMap(({ amount }) => amount.words) : [])
}

/** On a receipt, a single word after `Sold by` is a person. */
const isFirstName = (text: string): boolean => /^\p{Lu}\p{Ll}+$/u.test(text.trim())

/** Words that are no shop name: items whose sum is confirmed, and lines that name the cashier. */
export function wordsOfItemsAndStaff(sheet: Sheet): Set<PlacedWord> {
  const receipt = readReceipt(sheet)
  const items = new Set(receipt.isProven ? receipt.items.flatMap(({ lines }) => lines) : [])
  const isStaff = (line: Line): boolean =>
    line.cells.some((cell) =>
      (sheet.labels.get(cell) ?? []).some(
        (hit) =>
          hit.startsCell &&
          hit.targets.some(
            ({ target, weight }) =>
              weight >= 0.9 && (target === 'c:cashier' || (target === 'b:vendor' && isFirstName(hit.rest.text))),
          ),
      ),
    )
  const lines = (sheet.pages[0]?.lines ?? []).filter((line) => items.has(line) || isStaff(line))
  return new Set(lines.flatMap((line) => line.cells.flatMap((cell) => cell.words)))
}
