import { type ReceiptWord, spanOfWords } from '../languages/receipt-words.ts'
import type { Line } from '../layout/layout.ts'
import { type Span, spanOf } from '../layout/spans.ts'
import { agrees, nameSpan, type ReceiptReading } from './receipt-line.ts'

/** One item of a receipt, as words of its lines. */
export interface GatheredItem {
  readonly lines: readonly Line[]
  readonly name: Span
  readonly quantity: Placed | null
  readonly price: Placed | null
  readonly amount: Placed
  /** True when quantity × price is the amount. */
  readonly isProven: boolean
}

/** A number and its line. */
export interface Placed {
  readonly word: ReceiptWord
  readonly reading: ReceiptReading
}

const placed = (reading: ReceiptReading, word: ReceiptWord | null): Placed | null =>
  word === null ? null : { word, reading }

const isRate = (reading: ReceiptReading | undefined): reading is ReceiptReading =>
  reading !== undefined && reading.amount === null && (reading.price !== null || reading.quantity !== null)

const isText = (reading: ReceiptReading): boolean =>
  reading.amount === null && reading.price === null && reading.quantity === null

/** A price alone on a line is parsed as an amount without a name; next to an item it may be the item's unit price. */
function asRate(reading: ReceiptReading | undefined): ReceiptReading | undefined {
  const isLone = reading?.amount != null && reading.line.words.length === 1
  return reading !== undefined && isLone ? { ...reading, amount: null, price: reading.amount } : reading
}

/** True when a rate belongs to an item: quantity × price is the amount, with the quantity of either. */
function isRateOf(rate: ReceiptReading, item: ReceiptReading | undefined): boolean {
  if (item === undefined || item.amount === null || item.isProven || rate.price === null) return false
  const quantity = rate.quantity ?? item.quantity
  return quantity !== null && agrees(quantity.value, rate.price.value, item.amount.value)
}

/** True when rates are above their items, judging by the rates that fit only one neighbour. */
function standAbove(readings: readonly ReceiptReading[]): boolean {
  let above = 0
  let below = 0
  for (const [at, rate] of readings.entries()) {
    if (!isRate(rate)) continue
    const isBelow = isRateOf(rate, readings[at - 1])
    const isAbove = isRateOf(rate, readings[at + 1])
    if (isBelow && !isAbove) below++
    if (isAbove && !isBelow) above++
  }
  return above > below
}

/** True when the first word of the lower line would not have fitted on the upper one, so the lower line continues the name. */
function wraps(upper: ReceiptReading, lower: ReceiptReading, right: number): boolean {
  const last = upper.name.at(-1)
  const { words } = lower.line
  const [first] = words
  const start = upper.name[0]
  if (last === undefined || first === undefined || start === undefined || lower.amount !== null) return false
  const { line } = upper.line
  const { line: next } = lower.line
  if (next.index !== line.index + 1 || next.y0 - line.y0 > line.height * lineStepHeights) return false
  if (Math.abs(first.x0 - start.x0) > line.height) return false
  if (words.some((word) => /\d{4}/.test(word.text))) return false
  const edge = Math.min(right, upper.line.words.find((word) => word.start > last.start)?.x0 ?? right)
  return last.x1 + (first.x1 - first.x0) + line.height * spaceHeights > edge - line.height * spaceHeights
}

/** The maximum distance between lines of one paragraph, top to top, in text heights. */
const lineStepHeights = 2.2
/** The width of a space in text heights. */
const spaceHeights = 0.4

function joined(first: Span, second: Span): Span {
  return spanOf(
    [...first.words, ...second.words],
    [...first.cells, ...second.cells],
    -Math.min(0, first.starts[0] ?? 0),
  )
}

/** A name including the number in front of it, if that number is not a quantity. */
function wholeName(reading: ReceiptReading): ReceiptReading {
  const { quantity, name, line } = reading
  const last = name.at(-1)
  if (quantity === null || last === undefined || reading.isProven) return reading
  return {
    ...reading,
    quantity: null,
    name: line.words.slice(line.words.indexOf(quantity), line.words.indexOf(last) + 1),
  }
}

interface Open {
  name: ReceiptReading | null
  rates: ReceiptReading[]
}

/** An item printed as labelled lines: `* DIESEL`, `Volume 50.58 l`, `Price 1.77 /l`, `Amount 89.53`. */
function measured(open: Open, amount: ReceiptWord): { quantity: Placed; price: Placed } | null {
  const quantity = open.rates.find((rate) => rate.quantity !== null)
  const price = open.rates.find((rate) => rate.price !== null)
  if (quantity === undefined || price === undefined || quantity.quantity === null || price.price === null) return null
  if (!agrees(quantity.quantity.value, price.price.value, amount.value)) return null
  return { quantity: { reading: quantity, word: quantity.quantity }, price: { reading: price, word: price.price } }
}

const linesOf = (readings: readonly (ReceiptReading | null)[]): Line[] => [
  ...new Set(readings.flatMap((reading) => (reading === null ? [] : [reading.line.line]))),
]

/**
 * Combines parsed receipt lines into items: names, rates and amounts of neighbouring lines join where quantity × price
 * is the amount, and a line of numbers alone takes the name above it.
 */
export function gatherItems(readings: readonly ReceiptReading[], isLabel: (line: Line) => boolean): GatheredItem[] {
  const items: GatheredItem[] = []
  const above = standAbove(readings)
  const right = Math.max(0, ...readings.flatMap(({ name, amount }) => (amount === null ? [] : (name.at(-1)?.x1 ?? 0))))
  let open: Open = { name: null, rates: [] }
  for (let at = 0; at < readings.length; at++) {
    const reading = readings[at]
    if (reading === undefined) continue
    if (isText(reading)) {
      const last = items.at(-1)
      const before = readings[at - 1]
      const isNext = isBare(readings[at + 1])
      if (
        !isNext &&
        before !== undefined &&
        before.amount !== null &&
        last !== undefined &&
        wraps(before, reading, right)
      ) {
        const more = spanOfWords(
          reading.line,
          reading.line.words.map((word) => ({ ...word, end: word.wordEnd })),
        )
        if (more !== null)
          items[items.length - 1] = {
            ...last,
            name: joined(last.name, more),
            lines: [...last.lines, reading.line.line],
          }
        continue
      }
      if (reading.name.length > 0) open = { name: reading, rates: [] }
      continue
    }
    if (reading.amount === null) {
      if (isRate(reading)) open.rates.push(reading)
      continue
    }
    const { item, used } = itemAt(readings, at, { open, above, isLabel })
    if (item !== null) items.push(item)
    open = { name: null, rates: [] }
    at += used
  }
  return items
}

const isBare = (reading: ReceiptReading | undefined): boolean =>
  reading !== undefined && reading.name.length === 0 && (reading.amount !== null || isRate(reading))

interface Around {
  readonly open: Open
  readonly above: boolean
  readonly isLabel: (line: Line) => boolean
}

function itemAt(
  readings: readonly ReceiptReading[],
  at: number,
  { open, above, isLabel }: Around,
): { item: GatheredItem | null; used: number } {
  const none = { item: null, used: 0 }
  const reading = readings[at]
  if (reading === undefined || reading.amount === null) return none
  const amount: Placed = { reading, word: reading.amount }
  const group = measured(open, reading.amount)
  const isForm = open.rates.some((rate) => rate.line.words.some((word) => word.kind === 'name'))
  const isNamed =
    reading.name.length > 0 && !(group !== null && open.name !== null && (isForm || isLabel(reading.line.line)))
  const named = isNamed ? reading : open.name
  const after = asRate(readings[at + 1])
  const before = open.rates.at(-1)
  if (named === null) return none
  if (reading.isProven || (group !== null && (above || !isNamed || !isRateOf(after ?? reading, reading)))) {
    const own = group ?? { quantity: placed(reading, reading.quantity), price: placed(reading, reading.price) }
    const used = reading.isProven
      ? { quantity: placed(reading, reading.quantity), price: placed(reading, reading.price) }
      : own
    const name = nameSpan(reading.isProven || !isNamed ? named : wholeName(named))
    const lines = linesOf([named, used.quantity?.reading ?? null, used.price?.reading ?? null, reading])
    return { item: name === null ? null : { lines, name, ...used, amount, isProven: true }, used: 0 }
  }
  const rate = [above ? before : after, above ? after : before].find(
    (other) => isRate(other) && isRateOf(other, reading),
  )
  if (rate !== undefined) {
    const quantity = placed(rate, rate.quantity) ?? placed(reading, reading.quantity)
    const name = nameSpan(rate.quantity === null || !isNamed ? named : wholeName(named))
    const lines = linesOf([named, reading, rate])
    const item =
      name === null ? null : { lines, name, quantity, price: placed(rate, rate.price), amount, isProven: true }
    return { item, used: rate === after ? 1 : 0 }
  }
  const name = nameSpan(named)
  const loose = { quantity: placed(reading, reading.quantity), price: placed(reading, reading.price) }
  return {
    item: name === null ? null : { lines: linesOf([named, reading]), name, ...loose, amount, isProven: false },
    used: 0,
  }
}
