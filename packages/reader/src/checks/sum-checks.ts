import { addsUp, type Ledger } from '../candidates/sums.ts'
import type { Warning } from '../evidence/warnings.ts'
import type { Finding } from '../extract/assemble.ts'
import type { Field } from '../layout/sheet.ts'
import { findField } from '../schema/fields.ts'
import { toleranceOf } from '../values/amounts.ts'
import { balance, type Term } from './arithmetic.ts'

/** The single values of an answer, mutable, and why some were withdrawn. */
export interface Singles {
  readonly single: Map<string, Finding>
  readonly notes: Map<string, string>
}

type FieldOf = (id: string) => Field | undefined

export const amountIn = (found: ReadonlyMap<string, Finding>, field: Field | undefined): number | null => {
  const value = field === undefined ? undefined : found.get(field.pointer)?.value
  return typeof value === 'number' ? value : null
}

/** Equations whose signed amounts add up to zero: the sums of a document, and the balances of an account. */
const equations: readonly (readonly (readonly [id: string, sign: 1 | -1, must: boolean])[])[] = [
  [
    ['subtotal', 1, true],
    ['discount', -1, false],
    ['shipping', 1, false],
    ['service_charge', 1, false],
    ['tax', 1, false],
    ['rounding', 1, false],
    ['total', -1, true],
  ],
  [
    ['opening_balance', 1, true],
    ['total_credits', 1, true],
    ['total_debits', -1, true],
    ['closing_balance', -1, true],
  ],
]

/** Checks the sums of the documents: confirms them, or corrects one misread amount. */
export function checkSums(fieldOf: FieldOf, draft: Singles): void {
  for (const equation of equations) {
    const terms: Term[] = []
    let isWhole = true
    for (const [id, sign, must] of equation) {
      const field = fieldOf(id)
      if (amountIn(draft.single, field) !== null && field !== undefined) terms.push({ pointer: field.pointer, sign })
      else if (must) isWhole = false
    }
    if (isWhole && terms.length >= 3) balance(draft.single, terms)
  }
}

/** When a discount leaves nothing to pay, the supposed discount may be the payment, and the remainder is not the total. */
function dropSettled(fieldOf: FieldOf, draft: Singles): void {
  const [total, discount] = [fieldOf('total'), fieldOf('discount')]
  if (amountIn(draft.single, total) !== 0 || (amountIn(draft.single, discount) ?? 0) <= 0) return
  for (const field of [total, discount]) {
    if (field === undefined) continue
    draft.single.delete(field.pointer)
    draft.notes.set(field.pointer, 'The amount may be a payment or a deduction.')
  }
}

/** Upper bounds, as a share of the total, for parts that no sum confirms; larger ones are other amounts. */
const partMax: Readonly<Record<string, number>> = { discount: 0.5, shipping: 0.5, tax: 0.4, rounding: 0.1 }

/** Withdraws parts of a sum that are too large for it. */
function dropLarge(fieldOf: FieldOf, draft: Singles): void {
  const total = amountIn(draft.single, fieldOf('total'))
  if (total === null) return
  for (const [id, share] of Object.entries(partMax)) {
    const field = fieldOf(id)
    const own = field === undefined ? undefined : draft.single.get(field.pointer)
    if (field === undefined || own?.isConfirmed === true || own?.isNamed === true || typeof own?.value !== 'number')
      continue
    if (Math.abs(own.value) <= Math.abs(total) * share) continue
    draft.single.delete(field.pointer)
    draft.notes.set(field.pointer, 'The amount is too large to be part of the total.')
  }
}

/** The rounding error of a tax computed from its rate, as a share of the tax. */
const rateShare = 0.01

/** Withdraws a rate that gives the tax from no sum of the document. */
function dropRate(fieldOf: FieldOf, draft: Singles): void {
  const field = fieldOf('tax_rate')
  const of = (id: string): number | null => amountIn(draft.single, fieldOf(id))
  const [rate, tax, total, subtotal] = [amountIn(draft.single, field), of('tax'), of('total'), of('subtotal')]
  if (field === undefined || rate === null || tax === null || tax === 0) return
  const [discount, shipping] = [of('discount') ?? 0, of('shipping') ?? 0]
  const bases = [
    ...(total === null ? [] : [total - tax, total, total - tax - shipping]),
    ...(subtotal === null
      ? []
      : [subtotal, subtotal - discount, subtotal - discount + shipping, subtotal + shipping, subtotal - tax]),
  ]
  if (bases.length === 0) return
  const off = Math.max(toleranceOf(1), tax * rateShare)
  if (bases.some((base) => Math.abs((base * rate) / 100 - tax) <= off)) return
  draft.single.delete(field.pointer)
  draft.notes.set(field.pointer, 'The tax rate does not match the tax amount.')
}

/** Withdraws single amounts that other amounts contradict. */
export function dropContradictedSums(fieldOf: FieldOf, draft: Singles): void {
  dropSettled(fieldOf, draft)
  dropRate(fieldOf, draft)
  dropLarge(fieldOf, draft)
}

/** The confidence of sums that contradict each other: one of them may be another amount. */
const contradictedConfidence = 0.6

/** Printed sums that do not add up stay, with less confidence and a warning. */
export function warnOfSums(
  fields: readonly Field[],
  { single, warnings }: Pick<Singles, 'single'> & { warnings: Warning[] },
  ledger: () => Ledger,
): void {
  const named = (id: string) => findField(fields, id)
  const [subtotalField, taxField, totalField] = [named('subtotal'), named('tax'), named('total')]
  const subtotal = amountIn(single, subtotalField)
  const tax = amountIn(single, taxField)
  const total = amountIn(single, totalField)
  if (subtotal === null || tax === null || total === null || totalField === undefined) return
  if (addsUp({ subtotal, tax, total }, ledger())) return
  for (const field of [subtotalField, taxField, totalField]) {
    const finding = field && single.get(field.pointer)
    if (!field || !finding) continue
    const confidence = Math.min(finding.evidence.confidence, contradictedConfidence)
    single.set(field.pointer, { ...finding, evidence: { ...finding.evidence, confidence } })
  }
  warnings.push({
    code: 'sums_do_not_add_up',
    path: totalField.pointer,
    message: `Subtotal ${subtotal}, tax ${tax} and all other additions and deductions do not add up to the total ${total}.`,
  })
}
