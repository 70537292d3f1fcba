import { spanOfWords, type TillLine, tillWords } from '../languages/till-words.ts'
import type { Line } from '../layout/layout.ts'
import type { PlacedWord } from '../layout/placed-words.ts'
import type { Sheet } from '../layout/sheet.ts'
import type { Span } from '../layout/spans.ts'
import { type GatheredItem, gatherItems, type Placed } from './till-gather.ts'
import { withoutLeads } from './till-leads.ts'
import { readTillLine, type TillReading, withCountColumn } from './till-line.ts'

/** One bought item of a receipt whose items stand in no table with headings. */
export interface TillItem {
  readonly lines: readonly Line[]
  readonly description: Span | null
  readonly quantity: Span | null
  readonly unitPrice: Span | null
  readonly amount: Span
}

/** The items of a till and whether an amount below them is their sum. */
export interface Till {
  readonly items: readonly TillItem[]
  /** What the items add up to. */
  readonly sum: number
  readonly isProven: boolean
}

/** Labels that only stand above the items of a receipt. */
const headPattern =
  /^(?:c:(?:receipt_number|receipt_date|invoice_date|invoice_number|vendor_phone|vendor_vat|cashier|time|fax|registration_number)|b:customer)$/

/** Whether a cell of a line opens with a label that surely means one of some targets. */
const opensWith = (sheet: Sheet, line: Line, targets: RegExp): boolean =>
  line.cells.some((cell) =>
    (sheet.labels.get(cell) ?? []).some(
      (hit) => hit.startsCell && hit.targets.some((entry) => targets.test(entry.target) && entry.weight >= 0.9),
    ),
  )

const isHeadLine = (sheet: Sheet, line: Line): boolean => opensWith(sheet, line, headPattern)

/** Labels of the sums that stand below items. `Amount` may be that of an item. */
const sumPattern = /^c:(?:subtotal|tax|total|amount_due)$/

const isNamedSum = (sheet: Sheet, line: Line): boolean => sheet.sumLines.has(line) && opensWith(sheet, line, sumPattern)

/** Lines without amounts that may stand between two items. */
const gapLinesMax = 4
/** Amounts that differ by less are equal: half a cent and what adding may lose. */
const tolerance = 0.006
/** Lines below the items in which their sum is looked for. */
const sumLinesMax = 4
/** Items at the start that may be no items when only the others have a sum. */
const strayMax = 2

const equal = (a: number, b: number): boolean => Math.abs(a - b) < tolerance
const sumOf = (items: readonly GatheredItem[]): number => items.reduce((sum, item) => sum + item.amount.word.value, 0)

const spanOfNumber = (placed: Placed | null): Span | null =>
  placed === null ? null : spanOfWords(placed.reading.line, [placed.word])

function asTillItem(item: GatheredItem): TillItem[] {
  const amount = spanOfNumber(item.amount)
  if (amount === null) return []
  const { lines, name } = item
  return [
    { lines, description: name, quantity: spanOfNumber(item.quantity), unitPrice: spanOfNumber(item.price), amount },
  ]
}

/** The first line of the items: upwards from their end to the head or to a longer gap without amounts. */
function startOf(readings: readonly TillReading[], isHead: (line: Line) => boolean): number {
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
  // A line of a name alone above the first numbers belongs to them.
  const first = readings[start]
  const before = readings[start - 1]
  const isBare = first !== undefined && (first.name.length === 0 || first.amount === null)
  return isBare && before !== undefined && before.name.length > 0 && !isHead(before.line.line) ? start - 1 : start
}

interface Region {
  readonly items: readonly GatheredItem[]
  readonly isProven: boolean
}

/** Items above a line, less those at the end or the start that the sums show to be none. */
function settleItems(items: readonly GatheredItem[], sums: readonly number[]): Region {
  const isSum = (value: number): boolean => sums.some((sum) => equal(sum, value))
  const all = sumOf(items)
  if (items.length > 0 && isSum(all)) return { items, isProven: true }
  let sum = all
  for (let count = items.length - 1; count >= 1; count--) {
    const next = items[count]
    sum -= next?.amount.word.value ?? 0
    if (next === undefined || next.isProven || !equal(next.amount.word.value, sum)) continue
    const isLastAlone = count === items.length - 1 && items[0]?.isProven === true
    if (count >= 2 || isLastAlone || isSum(sum) || isSum(all - sum))
      return { items: items.slice(0, count), isProven: true }
  }
  for (let from = 1; from <= Math.min(strayMax, items.length - 1); from++)
    if (isSum(sumOf(items.slice(from)))) return { items: items.slice(from), isProven: true }
  return { items, isProven: false }
}

/** A line that holds nothing but the code of an article. */
const isCodeAlone = ({ words }: TillLine): boolean =>
  words.length <= 2 &&
  /^(?:(?:plu|ean|sku|art\.?|ref\.?|cod\.?) )?(?:[A-Z]{1,3}-?)?\d{4,14}$/iu.test(
    words.map(({ text }) => text).join(' '),
  )

/** Where items may end when no label of a sum says it: at lines of the head that stand below amounts, and at the end of the page. */
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
 * The items of a receipt without a table: lines that end in an amount, above the first sum, with quantity and price on the
 * line itself or on a neighbour. Of several lines that may end the items the first counts whose amount they add up to; a
 * quantity with a price counts only when quantity times price is the amount.
 */
export function readTill(sheet: Sheet): Till {
  const known = tills.get(sheet) ?? findTill(sheet)
  tills.set(sheet, known)
  return known
}

const tills = new WeakMap<Sheet, Till>()

function findTill(sheet: Sheet): Till {
  const page = sheet.pages[0]
  if (page === undefined) return { items: [], sum: 0, isProven: false }
  const isHead = (line: Line): boolean => isHeadLine(sheet, line)
  const words = page.lines.map((line) => tillWords(line, sheet.conventions.numbers))
  const amounts = words.map(
    (line) => line.words.findLast((word) => word.sort === 'number' && word.decimals === 2)?.value,
  )
  const ends = page.lines.flatMap((line, at) => (at > 0 && sheet.sumLines.has(line) ? [at] : []))
  let first: Region | null = null
  for (const end of [...ends, ...endsWithoutLabel(page.lines, amounts, isHead)]) {
    const all = page.lines.slice(0, end)
    const above = all.findLastIndex((line) => isHead(line)) + 1
    const readings = withCountColumn(
      withoutLeads(words.slice(above, end).filter((line) => !isCodeAlone(line))).map(readTillLine),
    )
    const items = gatherItems(readings.slice(startOf(readings, isHead)), (line) =>
      line.cells.slice(0, 1).some((cell) => sheet.labels.has(cell)),
    )
    const sums = amounts.slice(end, end + sumLinesMax).filter((value) => value !== undefined)
    const region = settleItems(items, sums)
    // A subtotal and what is added to it make a total, as items do: they are none.
    const isOfSums = region.items.some(({ lines }) => lines.some((line) => isNamedSum(sheet, line)))
    if (region.isProven && !isOfSums) return tillOf(region)
    if (ends.length > 0 && !isOfSums) first ??= region.items.length > 0 ? region : null
  }
  return tillOf(first ?? { items: [], isProven: false })
}

const tillOf = ({ items, isProven }: Region): Till => ({
  items: items.flatMap(asTillItem),
  sum: sumOf(items),
  isProven,
})

/** Amounts of the items, where an amount below is their sum: none of them is a sum itself. */
export function wordsOfTill(sheet: Sheet): Set<PlacedWord> {
  const till = readTill(sheet)
  return new Set(till.isProven ? till.items.flatMap(({ amount }) => amount.words) : [])
}

/** On a receipt one word behind `Sold by` is a person. */
const isFirstName = (text: string): boolean => /^\p{Lu}\p{Ll}+$/u.test(text.trim())

/** Words that name no shop: those of items whose sum is known, and of lines that say who served. */
export function wordsOfItemsAndStaff(sheet: Sheet): Set<PlacedWord> {
  const till = readTill(sheet)
  const items = new Set(till.isProven ? till.items.flatMap(({ lines }) => lines) : [])
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
