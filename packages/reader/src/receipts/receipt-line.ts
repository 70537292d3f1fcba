import { type ReceiptLine, type ReceiptWord, spanOfWords } from '../languages/receipt-words.ts'
import type { Span } from '../layout/spans.ts'
import { priceError } from '../values/amounts.ts'

/** The parts of an item on one receipt line. */
export interface ReceiptReading {
  readonly line: ReceiptLine
  /** Words of the item's name; empty when the line has none. */
  readonly name: readonly ReceiptWord[]
  readonly quantity: ReceiptWord | null
  readonly price: ReceiptWord | null
  readonly amount: ReceiptWord | null
  /** True when quantity × price is the amount. */
  readonly isProven: boolean
}

/** True when quantity × price is the amount, with the rounding of cash registers. */
export const agrees = (quantity: number, price: number, amount: number): boolean =>
  Math.abs(Math.abs(quantity * price) - Math.abs(amount)) <= Math.max(1, Math.abs(quantity)) * priceError + 1e-9

const isNoise = (word: ReceiptWord): boolean => /^(?:times|unit|currency|percent)$/.test(word.kind)
const isNumber = (word: ReceiptWord): boolean => word.kind === 'number'
const hasPriceTail = (word: ReceiptWord): boolean => word.tail.startsWith('/')
/** A number with an attached unit is usually part of a name: `1L`, `500g`. */
const isMeasure = (word: ReceiptWord): boolean => /^[a-z]/iu.test(word.tail) && !/^[x×]$/iu.test(word.tail)

/** Index of the number in the last column: only a tax class or a currency may follow. */
function amountAt(words: readonly ReceiptWord[]): number {
  for (let at = words.length - 1; at >= 0; at--) {
    const word = words[at]
    if (word === undefined) break
    if (word.kind === 'number' && word.decimals === 2)
      return hasPriceTail(word) || /^[a-z]{2}/u.test(word.tail) || words[at + 1]?.kind === 'unit' ? -1 : at
    const isBehind = word.kind === 'class' || word.kind === 'currency' || word.kind === 'percent'
    const isClassDigit = word.kind === 'number' && word.decimals === 0 && word.text.length === 1 && at > 0
    const isStar = word.kind === 'times' && word.text === '*'
    if (!isBehind && !isClassDigit && !isStar) return -1
  }
  return -1
}

interface Pair {
  readonly quantity: number
  readonly price: number
  readonly score: number
}

/** A score for a pair of quantity and price by position; 0 when impossible. */
function pairScore(words: readonly ReceiptWord[], quantity: number, price: number): number {
  const between = words.slice(Math.min(quantity, price) + 1, Math.max(quantity, price))
  const isJoined = between.every(isNoise)
  const hasTimes = between.some((word) => word.kind === 'times')
  const own = words[quantity]
  if (own === undefined) return 0
  const isLeading = quantity === 0
  const isLast = words.slice(Math.max(quantity, price) + 1).every(isNoise)
  if (isLeading && (isLast || isJoined)) return isMeasure(own) && !isJoined ? 0 : 5
  if (!isJoined) return 0
  if (isMeasure(own) && !hasTimes) return 1
  return (hasTimes ? 4 : 2) + (quantity < price ? 0.5 : 0)
}

function bestPair(words: readonly ReceiptWord[], amount: ReceiptWord): Pair | null {
  let best: Pair | null = null
  for (const [quantity, own] of words.entries())
    for (const [price, other] of words.entries()) {
      if (quantity === price || !isNumber(own) || !isNumber(other) || other.decimals < 2) continue
      if (own.value <= 0 || isMeasure(other) || hasPriceTail(own)) continue
      if (!agrees(own.value, other.value, amount.value)) continue
      const score = pairScore(words, quantity, price)
      if (score > (best?.score ?? 0)) best = { quantity, price, score }
    }
  return best
}

/** The longest run of words that can be a name, without punctuation at its ends. */
function nameOf(words: readonly ReceiptWord[]): readonly ReceiptWord[] {
  let from = 0
  let to = words.length
  const isMark = (word: ReceiptWord | undefined): boolean =>
    word !== undefined && (!/[\p{L}\p{N}]/u.test(word.text) || word.kind === 'times' || word.kind === 'currency')
  while (from < to && isMark(words[from])) from++
  while (to > from && isMark(words[to - 1])) to--
  const name = words.slice(from, to)
  const isWordy = name.some((word) => /\p{L}{2}/u.test(word.text) && !/^(?:number|currency|unit)$/.test(word.kind))
  return isWordy ? name : []
}

const empty = { name: [], quantity: null, price: null, amount: null, isProven: false } as const

const nothingBut = (words: readonly ReceiptWord[]): boolean =>
  words.every((word) => isNoise(word) || isNumber(word) || word.kind === 'class')

/** Quantity and price alone on a line: `2 x 1.54`, `38,44 l  1,38 EUR/l`, `@ 2.43`. */
function readRate(line: ReceiptLine): ReceiptReading | null {
  const { words } = line
  if (!nothingBut(words)) return null
  const numbers = words.filter(isNumber)
  const [first, second] = numbers
  if (first === undefined || numbers.length > 2) return null
  const hasTimes = words.some((word) => word.kind === 'times')
  const isPriced = (word: ReceiptWord): boolean =>
    hasPriceTail(word) || words.slice(words.indexOf(word) + 1).some((other) => /\//.test(other.text))
  if (second === undefined) {
    const isPrice = first.decimals >= 2 && (words[0]?.kind === 'times' || isPriced(first))
    return isPrice ? { ...empty, line, price: first } : null
  }
  const hasUnit = words.some((word) => word.kind === 'unit') || isMeasure(first) || hasPriceTail(second)
  if (!hasTimes && !hasUnit) return null
  const isTurned = first.decimals === 2 && (second.decimals === 0 || hasPriceTail(first))
  const [quantity, price] = isTurned ? [second, first] : [first, second]
  return price.decimals >= 2 ? { ...empty, line, quantity, price } : null
}

/** A measure or unit price with its own label: `Volume  50.58 l`, `PPU  1.77 /l`. */
function readMeasure(line: ReceiptLine): ReceiptReading | null {
  const { words } = line
  const numbers = words.filter(isNumber)
  const [only] = numbers
  if (only === undefined || numbers.length > 1) return null
  const behind = words.slice(words.indexOf(only) + 1)
  if (behind.some((word) => word.kind === 'name')) return null
  const isPrice = hasPriceTail(only) || behind.some((word) => word.kind === 'unit' && word.text.includes('/'))
  if (isPrice && only.decimals >= 2) return { ...empty, line, price: only }
  const isQuantity = behind.some((word) => word.kind === 'unit') || (isMeasure(only) && only.decimals > 0)
  return isQuantity && only.cell > 0 ? { ...empty, line, quantity: only } : null
}

/** Parses a receipt line into name, quantity, price and amount, using arithmetic and position. */
export function readReceiptLine(line: ReceiptLine): ReceiptReading {
  const rate = readRate(line) ?? readMeasure(line)
  if (rate !== null) return rate
  const { words } = line
  const at = amountAt(words)
  const amount = words[at]
  if (amount === undefined) return { ...empty, line, name: nameOf(words) }
  const left = words.slice(0, at)
  const pair = bestPair(left, amount)
  if (pair !== null) {
    const quantity = left[pair.quantity] ?? null
    const price = left[pair.price] ?? null
    const [low, high] = [Math.min(pair.quantity, pair.price), Math.max(pair.quantity, pair.price)]
    const between = nameOf(left.slice(low + 1, high))
    const before = nameOf(left.slice(0, low))
    const behind = nameOf(left.slice(high + 1))
    const name = [between, before, behind].find((part) => part.length > 0) ?? []
    return { line, name, quantity, price, amount, isProven: true }
  }
  return readLoose(line, left, amount)
}

/** The largest number in front of a name that is taken for a quantity. */
const looseQuantityMax = 999

const isCount = (word: ReceiptWord): boolean =>
  isNumber(word) &&
  word.decimals === 0 &&
  word.value > 0 &&
  word.value <= looseQuantityMax &&
  (word.tail === '' || /^[x×]$/iu.test(word.tail))

/** The minimum number of right-aligned counts that make a quantity column. */
const columnMin = 2
/** The maximum difference between right edges in one column, in text heights. */
const edgeHeights = 0.4

/** Where all names end in numbers with a common right edge, moves these numbers to the quantity. */
export function withCountColumn(readings: readonly ReceiptReading[]): readonly ReceiptReading[] {
  const named = readings.filter(({ name, amount }) => name.length > 0 && amount !== null)
  const last = named.map(({ name }) => name.at(-1))
  const edge = last[0]?.x1 ?? 0
  const isColumn =
    named.length >= columnMin &&
    named.every(({ quantity, price }) => quantity === null && price === null) &&
    named.every(({ name, line }, at) => {
      const word = last[at]
      const height = line.line.height * edgeHeights
      return name.length > 1 && word !== undefined && isCount(word) && Math.abs(word.x1 - edge) < height
    })
  if (!isColumn) return readings
  return readings.map((reading) =>
    named.includes(reading)
      ? { ...reading, name: nameOf(reading.name.slice(0, -1)), quantity: reading.name.at(-1) ?? null }
      : reading,
  )
}

/** A line without a confirmed product: an optional leading quantity and an optional price in its own column. */
function readLoose(line: ReceiptLine, words: readonly ReceiptWord[], amount: ReceiptWord): ReceiptReading {
  let left = words
  let price: ReceiptWord | null = null
  const priceAt = left.findLastIndex((word) => isNumber(word))
  const last = left[priceAt]
  const isPrice =
    last !== undefined &&
    last.decimals === 2 &&
    left.slice(priceAt + 1).every(isNoise) &&
    (last.cell > 0 || left[priceAt - 1]?.kind === 'times' || Math.abs(last.value) === Math.abs(amount.value))
  if (isPrice) {
    price = last
    left = left.slice(0, priceAt)
  }
  const behind = left.at(-1)
  if (
    price === null &&
    behind !== undefined &&
    isCount(behind) &&
    behind.cell > 0 &&
    left.at(-2)?.cell !== behind.cell
  ) {
    const name = nameOf(left.slice(0, -1))
    if (name.length > 0) return { line, name, quantity: behind, price, amount, isProven: false }
  }
  const [first, second] = left
  const isQuantity = first !== undefined && isCount(first)
  if (isQuantity && price === null) {
    const name = nameOf(left.slice(second?.kind === 'times' ? 2 : 1))
    if (name.length > 0) return { line, name, quantity: first, price: null, amount, isProven: false }
  }
  return {
    line,
    name: nameOf(left),
    quantity: null,
    price: isPrice && isQuantity ? null : price,
    amount,
    isProven: false,
  }
}

/** The name as printed, or null. */
export const nameSpan = (reading: ReceiptReading): Span | null =>
  spanOfWords(
    reading.line,
    reading.name.map((word) => ({ ...word, end: word.wordEnd })),
  )
