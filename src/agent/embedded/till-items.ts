import type { Line } from './layout.ts'
import { findNumbers, type NumberMatch } from './numbers.ts'
import type { Sheet } from './sheet.ts'
import { type Span, spanFrom, spanOfCells, spanUntil } from './spans.ts'

/** One bought item of a receipt whose items stand in no table with headings. */
export interface TillItem {
  readonly lines: readonly Line[]
  readonly description: Span | null
  readonly quantity: Span | null
  readonly unitPrice: Span | null
  readonly amount: Span
}

interface Parsed {
  readonly line: Line
  readonly span: Span
  readonly text: Span | null
  readonly quantity: Piece | null
  readonly price: Piece | null
  readonly amount: Piece | null
}

interface Piece {
  readonly span: Span
  readonly value: number
}

/** Amounts of a till agree within a cent for each unit that was rounded. */
const centTolerance = 0.011

const agrees = (quantity: number, price: number, amount: number): boolean =>
  Math.abs(quantity * price - Math.abs(amount)) <= Math.max(centTolerance, Math.abs(quantity) * 0.0051)

function pieceOf(span: Span, match: NumberMatch): Piece {
  return { span: spanUntil(spanFrom(span, match.start), match.end - match.start), value: match.value }
}

/** A code of tax class behind an amount: `4.50 A`, `4.50 T`, `4.50*`. */
const classPattern = /^\s*(?:[A-Z]{1,2}\d?|\*|#)?\s*$/
const timesPattern =
  /^\s*(?:x|×|\*|@|a|à|pcs?|pc|stk|st|un|ud|uds|pz|ea|kg|l|nr)?\.?\s*(?:x|×|\*|@|a|à)?\s*(?:[\p{Sc}]|RM|CHF|EUR|USD)?\s*$/iu

/** Parts a line into description, quantity, price and amount. */
function parse(line: Line, sheet: Sheet): Parsed {
  const span = spanOfCells(line.cells)
  const { text } = span
  const numbers = findNumbers(text, sheet.conventions.numbers).filter((match) => !match.percent)
  const last = numbers.at(-1)
  const none: Parsed = { line, span, text: span, quantity: null, price: null, amount: null }
  if (last === undefined || last.decimals !== 2 || !classPattern.test(text.slice(last.end))) return none
  const amount = pieceOf(span, last)
  const price = numbers.at(-2)
  const leading = numbers[0]
  const startsWithPrice = /^\s*@\s*$/u.test(text.slice(0, last.start).replace(/[\p{Sc}]/gu, ''))
  if (startsWithPrice) return { ...none, text: null, price: amount }
  // `2 x 1.54` alone: quantity and price of a neighbouring line.
  if (
    numbers.length === 2 &&
    price !== undefined &&
    price === leading &&
    timesPattern.test(text.slice(price.end, last.start)) &&
    /^\s*$/.test(text.slice(0, price.start))
  ) {
    const isTimes = /[x×*@]/iu.test(text.slice(price.end, last.start))
    if (isTimes) return { ...none, text: null, quantity: pieceOf(span, price), price: amount }
  }
  const pricePiece = price !== undefined && price.decimals >= 2 ? pieceOf(span, price) : null
  const count = numbers.at(-3)
  if (
    pricePiece !== null &&
    price !== undefined &&
    count !== undefined &&
    agrees(count.value, pricePiece.value, amount.value)
  ) {
    const isLeading = count === leading && /^\s*$/.test(text.slice(0, count.start))
    const description = isLeading
      ? spanUntil(spanFrom(span, afterTimes(text, count.end)), price.start - afterTimes(text, count.end))
      : spanUntil(span, count.start)
    const between = text.slice(count.end, price.start)
    if (isLeading || timesPattern.test(between)) {
      return { line, span, text: named(description), quantity: pieceOf(span, count), price: pricePiece, amount }
    }
  }
  if (
    leading !== undefined &&
    leading !== last &&
    leading.decimals === 0 &&
    /^\s*$/.test(text.slice(0, leading.start)) &&
    leading.value < 1000
  ) {
    const start = afterTimes(text, leading.end)
    const end =
      pricePiece !== null && agrees(leading.value, pricePiece.value, amount.value)
        ? (price?.start ?? last.start)
        : last.start
    const description = spanUntil(spanFrom(span, start), end - start)
    return {
      line,
      span,
      text: named(description),
      quantity: pieceOf(span, leading),
      price: end === last.start ? null : pricePiece,
      amount,
    }
  }
  return { line, span, text: named(spanUntil(span, last.start)), quantity: null, price: null, amount }
}

/** The place behind a quantity and its sign of multiplication. */
const afterTimes = (text: string, from: number): number =>
  from + (/^\s*(?:[x×*@]\s+)?\s*/iu.exec(text.slice(from))?.[0].length ?? 0)

/** The span when it holds a name, without currency marks at its end. */
function named(span: Span): Span | null {
  const clean = span.text.replace(/[\s:.\p{Sc}*-]+$/u, '').replace(/\s+(?:RM|EUR|USD|GBP|CHF)$/u, '')
  return /\p{L}{2}/u.test(clean) ? spanUntil(span, clean.length) : null
}

/** The quantity in front of a name is one only when price and amount bear it out; else it belongs to the name. */
function settleLeading(item: Parsed, price: Piece | null): Parsed {
  if (item.quantity === null || item.price !== null || item.amount === null) return item
  if (price !== null && agrees(item.quantity.value, price.value, item.amount.value)) return { ...item, price }
  return item
}

/** Items in the lines between the head of a receipt and its sums. */
function gather(lines: readonly Parsed[]): TillItem[] {
  const items: TillItem[] = []
  let pending: Parsed | null = null
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at]
    const next = lines[at + 1]
    if (line === undefined) continue
    if (line.amount === null) {
      pending = line
      continue
    }
    let item = line
    const used: Line[] = [line.line]
    const isRate = (other: Parsed | null | undefined): other is Parsed & { price: Piece } =>
      other !== null && other !== undefined && other.amount === null && other.price !== null
    if (item.text === null) {
      // Numbers alone: the name stands on the line before.
      if (pending !== null && pending.price === null && pending.text !== null) {
        used.unshift(pending.line)
        item = { ...item, text: pending.text }
      } else {
        pending = null
        continue
      }
    } else if (
      item.price === null &&
      isRate(pending) &&
      pending.quantity !== null &&
      agrees(pending.quantity.value, pending.price.value, line.amount.value)
    ) {
      used.unshift(pending.line)
      item = { ...item, quantity: pending.quantity, price: pending.price, text: withLeading(item) }
    } else if (item.price === null && isRate(next)) {
      const quantity = next.quantity ?? item.quantity
      if (quantity !== null && agrees(quantity.value, next.price.value, line.amount.value)) {
        used.push(next.line)
        item = settleLeading(
          { ...item, quantity, text: next.quantity === null ? item.text : withLeading(item) },
          next.price,
        )
        at++
      }
    }
    pending = null
    items.push({
      lines: used,
      description: item.text,
      quantity: item.quantity?.span ?? null,
      unitPrice: item.price?.span ?? null,
      amount: (item.amount ?? line.amount).span,
    })
  }
  return items
}

/** The name of an item with the number in front of it, when that number is no quantity. */
const withLeading = (item: Parsed): Span | null => {
  const [first] = item.span.words
  if (item.quantity === null || item.text === null || first === undefined) return item.text
  const end = item.text.words.at(-1)
  const count = end === undefined ? 0 : item.span.words.indexOf(end) + 1
  return count === 0
    ? item.text
    : spanUntil(item.span, (item.span.starts[count - 1] ?? 0) + (end?.word.text.length ?? 0))
}

/** Lines without amounts that may stand between two items. */
const gapLinesMax = 4

/**
 * The items of a receipt without a table: lines that end in an amount, above the first sum, with quantity and price on the
 * line itself or on a neighbour. A quantity counts only when quantity times price is the amount.
 */
export function tillItems(sheet: Sheet, isSum: (line: Line) => boolean, isHead: (line: Line) => boolean): TillItem[] {
  const page = sheet.pages[0]
  if (page === undefined) return []
  const end = page.lines.findIndex(isSum)
  if (end <= 0) return []
  const parsed = page.lines
    .slice(0, end)
    .map((line) =>
      isHead(line)
        ? { line, span: spanOfCells(line.cells), text: null, quantity: null, price: null, amount: null }
        : parse(line, sheet),
    )
  let start = parsed.length
  let gap = 0
  for (let at = parsed.length - 1; at >= 0; at--) {
    const line = parsed[at]
    if (line === undefined || isHead(line.line)) break
    gap = line.amount === null && line.price === null ? gap + 1 : 0
    if (gap > gapLinesMax) break
    if (gap === 0) start = at
  }
  // A line of a name alone above the first numbers belongs to them.
  const first = parsed[start]
  const before = parsed[start - 1]
  const from =
    first !== undefined && first.amount !== null && first.text === null && before?.text != null ? start - 1 : start
  return gather(parsed.slice(from))
}
