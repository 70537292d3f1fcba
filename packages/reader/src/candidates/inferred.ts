import type { Cell, Line } from '../layout/layout.ts'
import type { Header, Heading } from '../tables/headers.ts'
import type { Column, TableSearch } from '../tables/table.ts'
import { isProduct, sameAmount } from '../values/amounts.ts'
import { findNumbers } from '../values/numbers.ts'
import { type Conventions, readCellAs } from '../values/parsed-values.ts'

/** Maximum number of rows sampled to infer the meaning of an unknown heading. */
const rowsMax = 40
const rowsMin = 2
/** The share of sampled rows that must agree. */
const agreeShare = 0.7
/** The weight of a meaning inferred from content alone. */
const inferredWeight = 0.8
/** Amounts are in one column when their right edges differ by less than this many text heights. */
const edgeHeights = 1

const amountPattern =
  /^[^\p{L}\d]*(?:\p{L}{1,3}\s?)?[-–−(]?\s?\d[\d.,' \u00a0]*[.,]\d{2}\)?\s?(?:\p{Sc}|[A-Z]{1,3}|[-–−+*])?$/u

const isAmount = (text: string): boolean => amountPattern.test(text)
const isText = (cell: Cell): boolean => (cell.text.match(/\p{L}/gu)?.length ?? 0) >= 3

/** True when rows of text that end in an amount, aligned in one column, follow a header that is mostly unknown. */
export function rowsFollow(header: Header, below: readonly Line[]): boolean {
  const last = header.headings.at(-1)
  if (last === undefined || header.headings.length < 2) return false
  let rows = 0
  let edge: number | null = null
  for (const line of below.slice(0, rowsMin * 3)) {
    const end = line.cells.at(-1)
    if (end === undefined || line.cells.length < 2 || !isAmount(end.text) || !line.cells.some(isText)) continue
    const slack = edgeHeights * line.height
    if (Math.min(end.x1, last.x1) < Math.max(end.x0, last.x0) - slack) return false
    if (edge !== null && Math.abs(end.x1 - edge) > slack) return false
    edge = end.x1
    rows++
  }
  return rows >= rowsMin
}

export function numbersOf(column: Column, lines: readonly Line[], conventions: Conventions): (number | null)[] {
  return lines.map((line) => {
    const words = line.cells
      .flatMap((cell) => cell.words)
      .filter((word) => (word.x0 + word.x1) / 2 >= column.left && (word.x0 + word.x1) / 2 < column.right)
    const text = words.map((word) => word.word.text).join(' ')
    const [first, second] = findNumbers(text, conventions.numbers)
    return first === undefined || second !== undefined || /\p{L}{4}/u.test(text) ? null : first.value
  })
}

/** How many values are whole numbers. */
export const wholeCount = (values: readonly (number | null)[]): number =>
  values.filter((value) => value !== null && Number.isInteger(value)).length

/** Orders two factors as quantity, price: by their headings, else the one with more whole numbers is the quantity. */
function quantityFirst(
  [a, b]: readonly [number, number],
  values: readonly (readonly (number | null)[])[],
  headings: readonly Heading[],
): [number, number] {
  const weightOf = (at: number, target: string): number =>
    Math.max(0, ...(headings[at]?.targets ?? []).map((entry) => (entry.target === target ? entry.weight : 0)))
  const priceLike = (at: number): number => weightOf(at, 'c:unit_price') - weightOf(at, 'c:quantity')
  if (priceLike(a) !== priceLike(b)) return priceLike(a) > priceLike(b) ? [b, a] : [a, b]
  return wholeCount(values[b] ?? []) > wholeCount(values[a] ?? []) ? [b, a] : [a, b]
}

interface Factors {
  readonly q: number
  readonly p: number
  readonly a: number
  /** The share of the product that remains after the row's discount. */
  readonly left: number
}

const isDiscounted = ({ q, p, a, left }: Factors): boolean => isProduct(q, p * left, a)

/** True when all amounts are the products times one constant factor, as with net prices and gross amounts. */
function isScaled(rows: readonly Factors[]): boolean {
  if (rows.length < scaledRowsMin) return false
  const ratios = rows.map(({ q, p, a }) => a / (q * p)).toSorted((x, y) => x - y)
  const middle = ratios[ratios.length >> 1] ?? 0
  const near = rows.filter(({ q, p, a }) => Math.abs(q * p * middle - a) <= Math.max(0.021, Math.abs(q) * 0.011))
  return middle > 0.7 && middle < 1.35 && near.length >= rows.length * scaledShare
}

/** The minimum number, and share, of rows that must show the same factor between product and amount. */
const scaledRowsMin = 3
const scaledShare = 0.9

/**
 * Finds columns whose product is a third column in most rows: quantity, price and amount. `percents` are columns of
 * rates, one of which may be the discount of each row.
 */
export function productOf(
  values: readonly (readonly (number | null)[])[],
  headings: readonly Heading[],
  percents: readonly (readonly (number | null)[])[] = [],
): [number, number, number] | null {
  const rates = [[], ...percents]
  for (let amount = values.length - 1; amount >= 2; amount--) {
    for (let price = amount - 1; price >= 1; price--) {
      for (let quantity = price - 1; quantity >= 0; quantity--) {
        for (const rate of rates) {
          const rows = (values[amount] ?? []).flatMap((a, at) => {
            const q = values[quantity]?.[at]
            const p = values[price]?.[at]
            return a === null || q == null || p == null ? [] : [{ q, p, a, left: 1 - (rate[at] ?? 0) / 100 }]
          })
          const right = rows.filter(isDiscounted)
          const isTelling = rows.some(({ q }) => q !== 1)
          const holds = right.length >= rows.length * agreeShare || isScaled(rows)
          if (rows.length >= rowsMin && isTelling && holds)
            return [...quantityFirst([quantity, price], values, headings), amount]
        }
      }
    }
  }
  return null
}

/** True when nearly every non-empty cell of a column is a date. */
function holdsDates(column: Column, lines: readonly Line[], conventions: Conventions): boolean {
  const texts = lines
    .map((line) => line.cells.filter((cell) => cell.x0 < column.right && cell.x1 > column.left))
    .filter((cells) => cells.length === 1)
    .flatMap((cells) => cells.map((cell) => cell.text))
  const dated = texts.filter((text) => {
    const reading = readCellAs('date', text, conventions)[0]
    return reading !== undefined && reading.end - reading.start > text.length * 0.7
  })
  return texts.length >= rowsMin && dated.length >= texts.length * agreeShare
}

/** The minimum number of rows to detect a running balance. */
const balanceRowsMin = 3

interface Steps {
  /** Index of the balance column. */
  readonly balance: number
  /** For each column: how often its number was subtracted from the balance, and how often it was added. */
  readonly sides: readonly { readonly debits: number; readonly credits: number }[]
}

/** Finds the column whose number changes from row to row by a number in the same row: the running balance of an account. */
export function balanceIn(values: readonly (readonly (number | null)[])[]): Steps | null {
  for (let balance = values.length - 1; balance >= 1; balance--) {
    const own = values[balance] ?? []
    const sides = values.map(() => ({ debits: 0, credits: 0 }))
    let steps = 0
    let right = 0
    for (let at = 1; at < own.length; at++) {
      const before = own[at - 1]
      const after = own[at]
      if (before == null || after == null) continue
      steps++
      const moved = after - before
      const from = values.findIndex(
        (column, index) => index !== balance && sameAmount(Math.abs(column[at] ?? Number.NaN), Math.abs(moved)),
      )
      const side = sides[from]
      if (side === undefined) continue
      right++
      if (moved < 0) side.debits++
      else side.credits++
    }
    if (steps + 1 >= balanceRowsMin && right >= steps * agreeShare) return { balance, sides }
  }
  return null
}

/** The meanings of an account's columns: balance, debits and credits. */
export function accountMeans(steps: Steps): Map<number, string[]> {
  const means = new Map<number, string[]>([[steps.balance, ['c:running_balance']]])
  const moving = [...steps.sides.keys()].filter((at) => {
    const side = steps.sides[at]
    return side !== undefined && side.debits + side.credits > 0
  })
  for (const at of moving) {
    const { debits, credits } = steps.sides[at] ?? { debits: 0, credits: 0 }
    const isOne = moving.length === 1
    means.set(
      at,
      isOne ? ['c:movement', 'c:line_amount'] : credits === 0 ? ['c:debit'] : debits === 0 ? ['c:credit'] : [],
    )
  }
  return means
}

/**
 * Adds meanings for unknown headings, inferred from the cells below: quantity × price = amount, an amount at the end of
 * each row is the row's amount, and the text of a row is its description.
 */
export function withInferred(
  header: Header,
  columns: readonly Column[],
  body: { readonly lines: readonly Line[]; readonly search: TableSearch },
): Header {
  const { conventions, kindUnder } = body.search
  const isKnown = (heading: Heading): boolean =>
    kindUnder(heading) !== null && heading.targets.some((entry) => entry.weight >= 0.5)
  if (header.headings.every(isKnown)) return header
  const lines = body.lines.filter((line) => line.cells.length >= 2).slice(0, rowsMax)
  const values = columns.map((column) => numbersOf(column, lines, conventions))
  const steps = balanceIn(values)
  const means = steps === null ? new Map<number, string[]>() : accountMeans(steps)
  const product = steps === null ? productOf(values, header.headings) : null
  if (product !== null) {
    means.set(product[0], ['c:quantity'])
    means.set(product[1], ['c:unit_price'])
    means.set(product[2], ['c:line_amount', 'c:movement'])
  }
  const has = (target: string): boolean =>
    [...means.values()].some((targets) => targets.includes(target)) ||
    header.headings.some((heading) => heading.targets.some((entry) => entry.target === target && entry.weight >= 0.6))
  const last = columns.length - 1
  const ends = lines.filter((line) => isAmount(line.cells.at(-1)?.text ?? '')).length
  const days = columns.findIndex(
    (column, at) => !means.has(at) && holdsDates(column, lines, conventions) && lines.length >= rowsMin,
  )
  if (days >= 0 && !has('c:transaction_date')) means.set(days, ['c:transaction_date'])
  const isAccount = ['c:movement', 'c:debit', 'c:credit'].some(has)
  if (
    !has('c:line_amount') &&
    !isAccount &&
    !means.has(last) &&
    lines.length >= rowsMin &&
    ends >= lines.length * agreeShare
  )
    means.set(last, ['c:line_amount', 'c:movement'])
  const wordy = columns.map((column) =>
    lines.reduce(
      (sum, line) =>
        sum +
        line.cells
          .filter((cell) => cell.x0 < column.right && cell.x1 > column.left)
          .reduce((letters, cell) => letters + (cell.text.match(/\p{L}/gu)?.length ?? 0), 0),
      0,
    ),
  )
  const widest = wordy.indexOf(Math.max(...wordy))
  if (!has('c:description') && !means.has(widest) && (wordy[widest] ?? 0) >= lines.length * 3)
    means.set(widest, ['c:description'])
  const headings = header.headings.map((heading, at) => {
    const own = means.get(at)
    if (own === undefined || isKnown(heading)) return heading
    return { ...heading, targets: own.map((target) => ({ target, weight: inferredWeight })) }
  })
  return { ...header, headings }
}
