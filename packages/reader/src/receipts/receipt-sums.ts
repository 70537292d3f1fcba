import type { Role } from '../candidates/sums.ts'
import { type ReceiptWord, receiptWords } from '../languages/receipt-words.ts'
import type { Line, PageLayout } from '../layout/layout.ts'
import type { PlacedWord } from '../layout/placed-words.ts'
import { type Candidate, type Field, type Sheet, wordConfidence } from '../layout/sheet.ts'
import { type Span, wordsWithin } from '../layout/spans.ts'
import { sameAmount, toleranceOf } from '../values/amounts.ts'
import { findNumbers, type NumberStyle } from '../values/numbers.ts'
import type { ParsedValue } from '../values/parsed-values.ts'
import { fits } from '../values/values.ts'
import { readReceipt } from './receipt-items.ts'
import { taxRows } from './receipt-taxes.ts'

/** A line below the items: a label and one amount. */
export interface SumLine {
  readonly line: Line
  readonly span: Span
  readonly word: ReceiptWord
  readonly value: number
  /** A percentage printed on the line. */
  readonly rate: number | null
  /** The roles that the line's label allows. */
  readonly roles: ReadonlySet<string>
}

/** The maximum rounding of a cash total. */
const roundingMax = 0.05
/** The maximum number of lines between the sum of the items and the total. */
const addedMax = 5
/** The maximum number of lines between the total and the payment. */
const paidWithinMax = 8
/** The score of an amount that two others confirm. */
const provenScore = 0.985
/** The maximum and minimum share of a sales tax in its base. */
const taxShareMax = 0.3
const taxShareMin = 0.005

const labelWeight = 0.7

function rolesOf(sheet: Sheet, line: Line): Set<string> {
  return new Set(
    line.cells.flatMap((cell) =>
      (sheet.labels.get(cell) ?? []).flatMap((hit) =>
        hit.startsCell
          ? hit.targets.flatMap(({ target, weight }) =>
              weight >= labelWeight && target.startsWith('c:') ? [target.slice(2)] : [],
            )
          : [],
      ),
    ),
  )
}

/** An amount including sign, brackets and thousands groups in adjacent words. */
function asPrinted(word: ReceiptWord, { line, span }: Pick<SumLine, 'line' | 'span'>, style: NumberStyle): ReceiptWord {
  const cell = line.cells[word.cell]
  const [first] = cell?.words ?? []
  const from = (first && span.starts[span.words.indexOf(first)]) ?? 0
  const [start, end] = [word.start - from, word.end - from]
  const whole = findNumbers(cell?.text ?? '', style).find((number) => number.start <= start && number.end >= end)
  return whole === undefined
    ? word
    : { ...word, start: from + whole.start, end: from + whole.end, value: whole.value, text: whole.printed }
}

/** Lines with a single amount at the end, from the top of a page. */
function sumLines(sheet: Sheet, page: PageLayout): SumLine[] {
  return page.lines.flatMap((line) => {
    const { span, words } = receiptWords(line, sheet.conventions.numbers)
    const amounts = words.filter((word) => word.kind === 'number' && word.decimals === 2)
    const [word] = amounts
    const rest = word === undefined ? [] : words.slice(words.indexOf(word) + 1)
    const isEnd = rest.every((other) => other.kind === 'currency' || other.kind === 'class' || other.kind === 'times')
    const isLabelled = words.some(
      (other) => other.kind === 'name' || other.kind === 'currency' || other.kind === 'class',
    )
    if (word === undefined || amounts.length !== 1 || !isEnd || !isLabelled) return []
    const percent = /(\d+(?:[.,]\d+)?)\s?%/.exec(span.text)?.[1]
    const rate = percent === undefined ? null : Number(percent.replace(',', '.'))
    const whole = page.page.source === 'ocr' ? word : asPrinted(word, { line, span }, sheet.conventions.numbers)
    return [{ line, span, word: whole, value: whole.value, rate, roles: rolesOf(sheet, line) }]
  })
}

/** The roles of the amounts below the items, as far as arithmetic determines them. */
export type ReceiptSums = Map<Role, SumLine>

const isAny = (line: SumLine, ...roles: string[]): boolean => roles.some((role) => line.roles.has(role))

/** Words for payment in cash and by card, as printed on receipts. */
const cashWords =
  /(?<!\p{L}|ec[- ])(?:cash|bar|bargeld|contant\p{L}*|esp[eè]ces|efectivo|met[aá]lico|contado|num[eé]r[aá]rio|dinheiro|tendered)(?!\p{L})/iu
const cardWords =
  /(?<!\p{L})(?:visa|master ?card|maestro|amex|american express|v ?pay|girocard|bancomat|bancontact|twint|paypal|pin|cb|ec|mb ?way|multibanco|credit|debit|kredit|\p{L}*card|\p{L}*karte|carte|tarjeta|carta|cart[aã]o|\p{L}*pas)(?!\p{L})/iu

const isPayment = (line: SumLine): boolean =>
  isAny(line, 'cash', 'change', 'amount_paid', 'payment_method') ||
  cashWords.test(line.span.text) ||
  cardWords.test(line.span.text)
const isTotal = (line: SumLine): boolean => isAny(line, 'total', 'amount_due')

/** The total as the sum of the items and the lines in between: tax, rounding, a discount. */
function addedTotal(lines: readonly SumLine[]): { at: number; added: SumLine[] } | null {
  const [base] = lines
  if (base === undefined) return null
  for (let at = 2; at <= Math.min(lines.length - 1, addedMax + 1); at++) {
    const total = lines[at]
    const added = lines.slice(1, at).filter((line) => !(sameAmount(line.value, base.value) && !isAny(line, 'tax')))
    if (total === undefined || added.length === 0 || isPayment(total)) return null
    const sum = added.reduce((value, line) => value + line.value, base.value)
    if (sameAmount(sum, total.value) && !sameAmount(total.value, base.value)) return { at, added }
    const [only] = added
    const isTurned = only !== undefined && added.length === 1 && Math.abs(only.value) <= roundingMax
    if (isTurned && sameAmount(base.value - only.value, total.value)) return { at, added }
  }
  return null
}

function assignAdded(sums: ReceiptSums, added: readonly SumLine[], base: number): void {
  const open = added.filter((line) => {
    if (Math.abs(line.value) <= roundingMax && !isAny(line, 'tax') && line.rate === null) {
      sums.set('rounding', line)
      return false
    }
    return !isAny(line, 'discount', 'shipping', 'tip', 'service_charge', 'deposit')
  })
  const [only] = open
  const share = (only?.value ?? 0) / base
  if (only !== undefined && open.length === 1 && share >= taxShareMin && share <= taxShareMax) sums.set('tax', only)
}

/** Cash and change after a total: cash minus change is the total. */
function payment(lines: readonly SumLine[], total: number): { cash: SumLine; change: SumLine } | null {
  const near = lines.slice(0, paidWithinMax)
  for (const [at, cash] of near.entries())
    for (const change of near.slice(at + 1, at + 3)) {
      const isBack = change.value !== 0 || isAny(change, 'change')
      if (isBack && sameAmount(cash.value - Math.abs(change.value), total) && cash.value > toleranceOf())
        return { cash, change }
    }
  return null
}

/** The tax included in a total, when the rate on its line confirms it. */
function includedTax(lines: readonly SumLine[], total: number): SumLine | null {
  const fitting = lines.filter(
    ({ rate, value }) => rate !== null && rate > 0 && value > 0 && sameAmount((total * rate) / (100 + rate), value, 2),
  )
  const [first] = fitting
  return first !== undefined && fitting.every(({ value }) => sameAmount(value, first.value)) ? first : null
}

/**
 * Determines the roles of amounts below the items by arithmetic, whatever their labels say. Of two equal amounts,
 * labels decide which is the subtotal.
 */
function solveSums(lines: readonly SumLine[], itemSum: number | null): ReceiptSums {
  const sums: ReceiptSums = new Map()
  const from = itemSum === null ? -1 : lines.findIndex(({ value }) => sameAmount(value, itemSum))
  const [base, ...rest] = from < 0 ? [] : lines.slice(from)
  if (base === undefined) return sums
  const added = addedTotal([base, ...rest])
  let totalAt = from
  if (added !== null) {
    totalAt = from + added.at
    sums.set('subtotal', base)
    assignAdded(sums, added.added, base.value)
  } else {
    const second = repeated([base, ...rest])
    if (second !== null) {
      sums.set('subtotal', base)
      totalAt = lines.indexOf(second)
    }
  }
  const total = lines[totalAt]
  if (total === undefined) return sums
  sums.set('total', total)
  const below = lines.slice(totalAt + 1)
  const paid = payment(below, total.value)
  const exact = below.find((line) => sameAmount(line.value, total.value) && cashWords.test(line.span.text))
  if (paid !== null) sums.set('cash', paid.cash).set('change', paid.change)
  else if (exact !== undefined && !below.some((line) => isAny(line, 'change'))) sums.set('cash', exact)
  const tax = sums.has('tax') ? null : includedTax(lines.slice(from), total.value)
  if (tax !== null) sums.set('tax', tax)
  return sums
}

/** The total that repeats the subtotal above it; null when the first of two equal amounts may be the total and the other the payment. */
function repeated([base, ...rest]: readonly SumLine[]): SumLine | null {
  if (base === undefined) return null
  const [next] = rest
  const again = rest.slice(0, addedMax).filter((line) => sameAmount(line.value, base.value) && !isPayment(line))
  const named = again.find(isTotal)
  if (isTotal(base) && !isAny(base, 'subtotal')) {
    // Of two adjacent totals, the first precedes additions.
    return named !== undefined && named === next && named.line.index === base.line.index + 1 ? named : null
  }
  if (named !== undefined) return named
  if (isAny(base, 'subtotal')) return again[0] ?? null
  const paid = rest.slice(1).some((line) => isPayment(line) && line.value >= base.value - toleranceOf())
  return paid && next !== undefined && again[0] === next && next.roles.size === 0 && next.rate === null ? next : null
}

/** Fields that are only requested for receipts. */
const receiptRoles = ['cash', 'change', 'rounding', 'receipt_number', 'cashier']

/** Candidates for the sums of a receipt, from the arithmetic of the lines below its items. */
export function receiptSumCandidates(sheet: Sheet, fields: readonly Field[], itemSum: number | null): Candidate[] {
  const wanted = new Map(fields.map((field) => [field.plan.meaning.concept?.id ?? '', field]))
  const [page] = sheet.pages
  if (page === undefined || !wanted.has('total') || !receiptRoles.some((role) => wanted.has(role))) return []
  const receipt = readReceipt(sheet)
  const below = Math.max(-1, ...receipt.items.flatMap(({ lines }) => lines.map((line) => line.index)))
  const lines = sumLines(sheet, page).filter(({ line }) => !receipt.isProven || line.index > below)
  const sums = solveSums(lines, receipt.isProven ? receipt.sum : itemSum)
  const tax = sums.has('tax') ? null : taxOfTable(sheet, page, lines)
  return [...sums, ...(tax === null ? [] : [['tax', tax] as const])].flatMap(([role, sum]) => {
    const field = wanted.get(role)
    return field === undefined ? [] : candidateOf(field, sum, page)
  })
}

/** The tax of a tax table: that of its only row, or the amount that equals the sum of its rows. */
function taxOfTable(sheet: Sheet, page: PageLayout, lines: readonly SumLine[]): Printed | null {
  const rows = taxRows(sheet, page)
  const [only] = rows
  if (only === undefined) return null
  const sum = rows.reduce((total, { tax }) => total + tax.value, 0)
  const printed = lines.find(({ value }) => sameAmount(value, sum))
  if (printed !== undefined) return printed
  return rows.length === 1 ? { span: only.span, word: only.tax } : null
}

/** Words of a table with several taxes: each is a part of the tax, none the whole. */
export function wordsOfTaxes(sheet: Sheet): Set<PlacedWord> {
  const [page] = sheet.pages
  const rows = page === undefined ? [] : taxRows(sheet, page)
  return new Set(rows.length < 2 ? [] : rows.flatMap(({ span }) => span.words))
}

type Printed = Pick<SumLine, 'span' | 'word'>

function candidateOf(field: Field, { span, word }: Printed, page: PageLayout): Candidate[] {
  const reading: ParsedValue = { start: word.start, end: word.end, value: word.value, printed: word.text, fit: 1 }
  if (!fits(field.plan, reading)) return []
  const words = wordsWithin(span, word.start, word.end)
  const score = provenScore * (0.6 + 0.4 * wordConfidence(words))
  return [{ field, reading, words, page, label: [], relation: 'sum', score }]
}
