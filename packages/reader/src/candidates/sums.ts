import { groupBy } from '@skillrun/core/group-by.ts'
import type { PlacedWord } from '../layout/placed-words.ts'
import type { Candidate } from '../layout/sheet.ts'
import { minorUnits, sameAmount, toleranceOf } from '../values/amounts.ts'
import { sumOfParts, taxParts, withoutPartRates, withoutTaxParts } from './tax-parts.ts'

/** The role of an amount in a document's sums. */
export type Role =
  | 'subtotal'
  | 'tax'
  | 'total'
  | 'amount_due'
  | 'rounding'
  | 'discount'
  | 'shipping'
  | 'service_charge'
  | 'tip'
  | 'cash'
  | 'change'
  | 'amount_paid'

/** All roles, in no particular order. */
export const roles: readonly Role[] = [
  'subtotal',
  'tax',
  'total',
  'amount_due',
  'rounding',
  'discount',
  'shipping',
  'service_charge',
  'tip',
  'cash',
  'change',
  'amount_paid',
]

/** Candidate amounts by role, highest score first. */
export type Ledger = ReadonlyMap<Role, readonly Candidate[]>

/** The maximum number of candidates tried per role. */
const triedMax = 4

const amountsOf = (ledger: Ledger, role: Role): number[] => {
  const values = (ledger.get(role) ?? []).flatMap(({ reading }) =>
    typeof reading.value === 'number' ? [Math.abs(reading.value)] : [],
  )
  const parts = role === 'tax' ? taxParts(ledger.get(role) ?? []) : []
  const whole = parts.length > 0 ? [Math.abs(sumOfParts(parts))] : []
  return [...new Set([...whole, ...values])].slice(0, triedMax)
}

/** All sums of the extra amounts, with both signs, since documents print them with either. */
function extrasOf(ledger: Ledger): number[] {
  const added = ['shipping', 'service_charge', 'tip'] as const
  let sums = [0]
  for (const role of added) {
    const [value] = amountsOf(ledger, role)
    if (value !== undefined) sums = [...sums, ...sums.map((sum) => sum + value)]
  }
  const [discount] = amountsOf(ledger, 'discount')
  if (discount !== undefined) sums = [...sums, ...sums.map((sum) => sum - discount)]
  const rounding = amountsOf(ledger, 'rounding').find((value) => value > 0 && value < 1)
  if (rounding !== undefined) sums = [...sums, ...sums.flatMap((sum) => [sum + rounding, sum - rounding])]
  return sums
}

/** The support for a total: it grows with each other sum of the document that gives the same amount. */
function totalSupport(total: number, ledger: Ledger, itemSum: number | null): number {
  let support = 0
  const cash = [...amountsOf(ledger, 'cash'), ...amountsOf(ledger, 'amount_paid')]
  const change = amountsOf(ledger, 'change')
  if (cash.some((given) => change.some((back) => back > 0 && sameAmount(given - back, total)))) support += 0.3
  else if (cash.some((given) => sameAmount(given, total)) && !change.some((back) => back > toleranceOf()))
    support += 0.15
  const extras = extrasOf(ledger)
  const taxes = [0, ...amountsOf(ledger, 'tax')]
  // A smaller total that tax or charges are added to is a subtotal: `Total`, `Freight`, `Grand total`.
  const smaller = amountsOf(ledger, 'total').filter((other) => other < total && !sameAmount(other, total))
  const byTax = [...amountsOf(ledger, 'subtotal'), ...smaller].some((base) =>
    taxes.some((tax) => extras.some((extra) => sameAmount(base + tax + extra, total) && (tax > 0 || extra !== 0))),
  )
  if (byTax) support += 0.25
  const rounding = amountsOf(ledger, 'rounding').find((value) => value > 0 && value < 1)
  if (rounding !== undefined) {
    const others = [...amountsOf(ledger, 'total'), ...amountsOf(ledger, 'subtotal')]
    const before = others.some((other) => !sameAmount(other, total) && sameAmount(Math.abs(other - total), rounding))
    // Of a total before and after rounding, the later one is payable; payable amounts end in 0 or 5 cents.
    if (before) support += minorUnits(total) % 5 === 0 ? 0.2 : -0.15
  }
  if (itemSum !== null && extras.some((extra) => taxes.some((tax) => sameAmount(itemSum + extra + tax, total))))
    support += 0.15
  return support
}

/** The amounts of an answer, as printed. */
export interface PrintedSums {
  readonly subtotal: number
  readonly tax: number
  readonly total: number
}

/**
 * True when the subtotal plus tax plus any combination of the document's extras gives the total. The tax may be
 * included in the subtotal.
 */
export function addsUp({ subtotal, tax, total }: PrintedSums, ledger: Ledger): boolean {
  const [base, sum] = [Math.abs(subtotal), Math.abs(total)]
  return extrasOf(ledger).some((extra) => [0, Math.abs(tax)].some((part) => sameAmount(base + part + extra, sum, 2)))
}

function subtotalSupport(base: number, ledger: Ledger, itemSum: number | null): number {
  const totals = [...amountsOf(ledger, 'total'), ...amountsOf(ledger, 'amount_due')]
  const extras = extrasOf(ledger)
  const taxes = [0, ...amountsOf(ledger, 'tax')]
  const adds = totals.some((total) =>
    taxes.some((tax) => extras.some((extra) => sameAmount(base + tax + extra, total) && (tax > 0 || extra !== 0))),
  )
  return (adds ? 0.25 : 0) + (itemSum !== null && sameAmount(itemSum, base) ? 0.15 : 0)
}

function taxSupport(tax: number, ledger: Ledger): number {
  const totals = [...amountsOf(ledger, 'total'), ...amountsOf(ledger, 'amount_due')]
  const extras = extrasOf(ledger)
  const adds = amountsOf(ledger, 'subtotal').some((base) =>
    totals.some((total) => extras.some((extra) => sameAmount(base + tax + extra, total))),
  )
  return adds ? 0.25 : 0
}

/** True for a tax, a discount or a delivery cost that exceeds the total. */
function isPartOverTotal({ field, reading }: Candidate, ledger: Ledger): boolean {
  const id = field.plan.meaning.concept?.id ?? ''
  if (!/^(?:tax|discount|shipping|tip|service_charge)$/.test(id) || typeof reading.value !== 'number') return false
  const totals = [...amountsOf(ledger, 'total'), ...amountsOf(ledger, 'subtotal')]
  return totals.length > 0 && Math.abs(reading.value) > Math.max(...totals) + toleranceOf()
}

const withoutParts = (candidates: readonly Candidate[], ledger: Ledger): Candidate[] =>
  withoutTaxParts(withoutPartRates(candidates, ledger.get('tax') ?? []), (tax) => taxSupport(Math.abs(tax), ledger) > 0)

/** The words of values that are only parts of what a field asks for, such as the taxes at several rates, by the field's pointer. */
export function wordsOfParts(
  candidates: readonly Candidate[],
  ledger: Ledger,
): ReadonlyMap<string, ReadonlySet<PlacedWord>> {
  const whole = new Set(withoutParts(candidates, ledger))
  const parts = candidates.filter((candidate) => !whole.has(candidate))
  return new Map(
    [...groupBy(parts, ({ field }) => field.pointer)].map(([pointer, of]) => [
      pointer,
      new Set(of.flatMap(({ words }) => words)),
    ]),
  )
}

/**
 * Reweighs amounts by arithmetic: subtotal, tax and extras add up to the total; cash minus change is the total; items
 * add up to the subtotal or total. Confirmed amounts gain score; amounts that contradict a better candidate of their
 * role lose score.
 */
export function weighSums(candidates: readonly Candidate[], ledger: Ledger, itemSum: number | null): Candidate[] {
  const supportOf = (candidate: Candidate): number => {
    const { value } = candidate.reading
    const id = candidate.field.plan.meaning.concept?.id
    if (typeof value !== 'number') return 0
    if (id === 'total' || id === 'amount_due') return totalSupport(Math.abs(value), ledger, itemSum)
    if (id === 'subtotal') return subtotalSupport(Math.abs(value), ledger, itemSum)
    return id === 'tax' ? taxSupport(Math.abs(value), ledger) : 0
  }
  return withoutParts(candidates, ledger).map((candidate) => {
    if (isPartOverTotal(candidate, ledger)) return { ...candidate, score: candidate.score * 0.4 }
    const support = supportOf(candidate)
    return support === 0
      ? candidate
      : { ...candidate, score: Math.min(0.99 + support / 100, candidate.score + support) }
  })
}
