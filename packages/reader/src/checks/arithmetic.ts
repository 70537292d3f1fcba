import type { Json } from '@skillrun/core/json.ts'
import type { Finding } from '../extract/assemble.ts'
import { isProduct, minorUnits, sameAmount, toMinorUnit } from '../values/amounts.ts'
import { mayBePrintOf } from '../values/misprints.ts'

/** A finding whose value other amounts of the documents confirm. */
const confirmed = (finding: Finding): Finding => ({ ...finding, isConfirmed: true })

/** A finding whose misread value was corrected from other values. */
function corrected(finding: Finding, value: Json, note: string): Finding {
  return { ...finding, value, isConfirmed: true, evidence: { ...finding.evidence, status: 'derived', note } }
}

const isScanned = (finding: Finding | undefined): boolean => finding?.ocrConfidence !== undefined

const amountOf = (finding: Finding | undefined): number | null =>
  typeof finding?.value === 'number' ? finding.value : null

/** One term of an equation: a place in the answer and the sign of its amount. */
export interface Term {
  readonly pointer: string
  readonly sign: 1 | -1
}

/**
 * Checks an equation: the signed amounts plus `rest` should be zero. If so, all of them are confirmed. If not, and
 * exactly one of them can be a misreading of the amount required, that one is corrected. Modifies `findings`.
 */
export function balance(findings: Map<string, Finding>, terms: readonly Term[], rest = 0): void {
  const parts = terms.map(({ pointer, sign }) => {
    const finding = findings.get(pointer)
    return { pointer, sign, finding, value: amountOf(finding) }
  })
  if (parts.length < 2 || parts.some(({ value }) => value === null)) return
  const sum = parts.reduce((total, { sign, value }) => total + sign * (value ?? 0), rest)
  if (sameAmount(sum, 0)) {
    for (const { pointer, finding } of parts) if (finding !== undefined) findings.set(pointer, confirmed(finding))
    return
  }
  const fixes = parts.flatMap(({ pointer, sign, finding, value }) => {
    if (finding === undefined || !isScanned(finding) || finding.isConfirmed === true || value === null) return []
    const wanted = toMinorUnit(value - sign * sum)
    return wanted > 0 && mayBePrintOf(finding.evidence.quote ?? '', wanted) ? [{ pointer, finding, wanted }] : []
  })
  const [fix] = fixes
  if (fix === undefined || fixes.length > 1) return
  for (const { pointer, finding } of parts) if (finding !== undefined) findings.set(pointer, confirmed(finding))
  findings.set(
    fix.pointer,
    corrected(fix.finding, fix.wanted, 'The print is unclear; the other amounts require this one.'),
  )
}

/** JSON Pointers of the columns of an account's rows. */
export interface LedgerColumns {
  readonly amount: string
  readonly balance: string
}

/** The balances before and after all rows, where known. */
export interface LedgerEnds {
  readonly opening: number | null
  readonly closing: number | null
}

type Row = Map<string, Finding>

/** The minimum share of rows that must agree with their balances before the others are corrected by them. */
const linkedShare = 0.4
const linkedMin = 2

function links(rows: readonly Row[], columns: LedgerColumns, opening: number | null): boolean[] {
  return rows.map((row, at) => {
    const before = at === 0 ? opening : amountOf(rows[at - 1]?.get(columns.balance))
    const amount = amountOf(row.get(columns.amount))
    const after = amountOf(row.get(columns.balance))
    return before !== null && amount !== null && after !== null && sameAmount(before + amount, after)
  })
}

const isTurned = (rows: readonly Row[], columns: LedgerColumns): boolean => {
  const turned = rows.toReversed()
  const count = (list: readonly Row[]): number => links(list, columns, null).filter(Boolean).length
  return count(turned) > count(rows)
}

/** Checks each movement against the balances around it: confirms it, flips its sign, or corrects one misread amount. */
export function checkBalances(given: readonly Row[], columns: LedgerColumns, ends: LedgerEnds): void {
  const turned = isTurned(given, columns)
  const rows = turned ? given.toReversed() : given
  const opening = turned ? null : ends.opening
  const isSure = new Set<number>()
  const absolute = rows.map((row, at) => {
    const before = at === 0 ? opening : amountOf(rows[at - 1]?.get(columns.balance))
    const amount = amountOf(row.get(columns.amount))
    const after = amountOf(row.get(columns.balance))
    return (
      before !== null && amount !== null && after !== null && sameAmount(Math.abs(after - before), Math.abs(amount))
    )
  })
  const count = absolute.filter(Boolean).length
  if (count < linkedMin || count < rows.length * linkedShare) return
  for (let at = 0; at < rows.length; at++) {
    const row = rows[at]
    const before = at === 0 ? opening : amountOf(rows[at - 1]?.get(columns.balance))
    const amount = row?.get(columns.amount)
    const after = row?.get(columns.balance)
    if (row === undefined || before === null) continue
    checkRow(row, columns, {
      before,
      amount,
      after,
      isBeforeSure: at === 0 || isSure.has(at - 1),
      next: absolute[at + 1] === true,
    })
    const now = amountOf(row.get(columns.balance))
    const moved = amountOf(row.get(columns.amount))
    if (now !== null && moved !== null && sameAmount(before + moved, now)) isSure.add(at)
    else if (absolute[at + 1] === true) isSure.add(at)
  }
}

interface RowFacts {
  readonly before: number
  readonly amount: Finding | undefined
  readonly after: Finding | undefined
  readonly isBeforeSure: boolean
  /** True when the next row agrees with this row's balance. */
  readonly next: boolean
}

const turnedNote = 'The balances before and after show whether the amount is a debit or a credit.'
const mendedNote = 'The print is unclear; the balances before and after require this amount.'

function checkRow(row: Row, columns: LedgerColumns, facts: RowFacts): void {
  const { before, amount, after } = facts
  const moved = amountOf(amount)
  const now = amountOf(after)
  if (amount === undefined || after === undefined || moved === null || now === null) return
  const wanted = toMinorUnit(now - before)
  if (sameAmount(moved, wanted)) {
    row.set(columns.amount, confirmed(amount))
    row.set(columns.balance, confirmed(after))
  } else if (sameAmount(moved, -wanted)) {
    row.set(columns.amount, corrected(amount, wanted, turnedNote))
    row.set(columns.balance, confirmed(after))
  } else if (isScanned(amount) && facts.next && mayBePrintOf(amount.evidence.quote ?? '', wanted)) {
    row.set(columns.amount, corrected(amount, wanted, mendedNote))
    row.set(columns.balance, confirmed(after))
  } else if (facts.next) {
    // The next movement continues from this balance, so the balance was not misread.
    row.set(columns.balance, confirmed(after))
  } else if (isScanned(after) && facts.isBeforeSure) {
    for (const step of [moved, -moved]) {
      const right = toMinorUnit(before + step)
      if (!mayBePrintOf(after.evidence.quote ?? '', right)) continue
      row.set(
        columns.balance,
        corrected(after, right, 'The print is unclear; the balance before and the amount require this balance.'),
      )
      row.set(columns.amount, step === moved ? confirmed(amount) : corrected(amount, step, turnedNote))
      return
    }
  }
}

/** Checks the sum of all movements against the opening and closing balance, where rows have no balance. */
export function checkSum(rows: readonly Row[], amount: string, ends: LedgerEnds): void {
  const { opening, closing } = ends
  if (opening === null || closing === null || rows.length === 0) return
  const found = rows.map((row) => row.get(amount))
  const values = found.map(amountOf)
  if (values.some((value) => value === null)) return
  const lack = toMinorUnit(closing - opening - values.reduce<number>((sum, value) => sum + (value ?? 0), 0))
  const settle = (): void =>
    rows.forEach((row) => {
      const own = row.get(amount)
      if (own !== undefined) row.set(amount, confirmed(own))
    })
  if (sameAmount(lack, 0)) {
    settle()
    return
  }
  const fixes = rows.flatMap((row, at) => {
    const own = found[at]
    const value = values[at]
    if (own === undefined || value === null || value === undefined || !isScanned(own)) return []
    const wanted = toMinorUnit(value + lack)
    return mayBePrintOf(own.evidence.quote ?? '', wanted) ? [{ row, own, wanted }] : []
  })
  const [fix] = fixes
  if (fix === undefined) turnSigns(rows, amount, lack)
  if (fix === undefined || fixes.length > 1) return
  settle()
  fix.row.set(
    amount,
    corrected(fix.own, fix.wanted, 'The print is unclear; the opening and closing balances require this amount.'),
  )
}

/** The maximum number of amounts with a possibly lost minus; every combination of them is tried. */
const turnedMax = 16

/** Negates amounts that lost their minus when exactly one combination gives the closing balance. */
function turnSigns(rows: readonly Row[], amount: string, lack: number): void {
  const able = rows.flatMap((row) => {
    const own = row.get(amount)
    const value = amountOf(own)
    return own !== undefined && value !== null && value > 0 && isScanned(own) ? [{ row, own, value }] : []
  })
  if (able.length === 0 || able.length > turnedMax || lack >= 0) return
  const wanted = minorUnits(-lack)
  let found: number | null = null
  for (let choice = 1; choice < 2 ** able.length; choice++) {
    let sum = 0
    for (const [at, { value }] of able.entries()) if ((choice & (1 << at)) !== 0) sum += Math.round(value * 200)
    if (sum !== wanted) continue
    if (found !== null) return
    found = choice
  }
  if (found === null) return
  for (const row of rows) {
    const own = row.get(amount)
    if (own !== undefined) row.set(amount, confirmed(own))
  }
  for (const [at, { row, own, value }] of able.entries())
    if ((found & (1 << at)) !== 0)
      row.set(
        amount,
        corrected(own, -value, 'The opening and closing balances show whether the amount is a debit or a credit.'),
      )
}

/** JSON Pointers of the columns of an item table. */
export interface ItemColumns {
  readonly quantity: string
  readonly price: string
  readonly amount: string
}

/** Confirms rows in which quantity × price is the amount, and corrects one misread value of the three. */
export function checkItems(rows: readonly Row[], columns: ItemColumns): void {
  for (const row of rows) {
    const [quantity, price, amount] = [columns.quantity, columns.price, columns.amount].map((name) => row.get(name))
    const [q, p, a] = [amountOf(quantity), amountOf(price), amountOf(amount)]
    if (quantity === undefined || price === undefined || amount === undefined || q === null || p === null || a === null)
      continue
    const settle = (): void => {
      row.set(columns.quantity, confirmed(quantity))
      row.set(columns.price, confirmed(price))
      row.set(columns.amount, confirmed(amount))
    }
    if (isProduct(q, p, a)) {
      settle()
      continue
    }
    const options: [string, Finding, number][] = [[columns.amount, amount, toMinorUnit(q * p)]]
    if (q !== 0 && isProduct(q, toMinorUnit(a / q), a)) options.push([columns.price, price, toMinorUnit(a / q)])
    const fixes = options.filter(
      ([, own, wanted]) => isScanned(own) && wanted !== 0 && mayBePrintOf(own.evidence.quote ?? '', wanted),
    )
    const [fix] = fixes
    if (fix === undefined || fixes.length > 1) continue
    settle()
    row.set(fix[0], corrected(fix[1], fix[2], 'The print is unclear; quantity times price requires this amount.'))
  }
}
