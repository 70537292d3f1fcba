import type { Json } from '@skillrun/core/json.ts'
import type { LeafPlan } from '../schema/plan.ts'
import { numberOfId } from './identifiers.ts'
import type { Reading } from './readings.ts'

const numberOf = (schema: Json | undefined): number | null => (typeof schema === 'number' ? schema : null)

function withinBounds(plan: LeafPlan, value: number): boolean {
  const { schema } = plan
  const least = numberOf(schema['minimum'])
  const most = numberOf(schema['maximum'])
  const above = numberOf(schema['exclusiveMinimum'])
  const below = numberOf(schema['exclusiveMaximum'])
  return (
    (least === null || value >= least) &&
    (most === null || value <= most) &&
    (above === null || value > above) &&
    (below === null || value < below)
  )
}

function withinLength(plan: LeafPlan, value: string): boolean {
  const least = numberOf(plan.schema['minLength'])
  const most = numberOf(plan.schema['maxLength'])
  return (least === null || value.length >= least) && (most === null || value.length <= most)
}

const accepts = (plan: LeafPlan, type: string): boolean => plan.types.length === 0 || plan.types.includes(type)

function numberFor(plan: LeafPlan, value: number): number | undefined {
  if (!withinBounds(plan, value)) return undefined
  if (accepts(plan, 'number') || (accepts(plan, 'integer') && Number.isInteger(value))) return value
  return undefined
}

/** The forms that a text may take in the answer, the wanted one first. */
function textForms(plan: LeafPlan, reading: Reading): string[] {
  const { kind, asPrinted } = plan.meaning
  const normal = String(reading.value)
  const printed = reading.printed.trim()
  const isNumber = kind === 'money' || kind === 'number' || kind === 'integer' || kind === 'percent'
  if (kind === 'time') return timeForms(plan, normal)
  if (asPrinted || isNumber) return [printed, normal]
  return [normal, printed]
}

/** A time of day with or without seconds, as the format or the description asks. */
function timeForms(plan: LeafPlan, time: string): string[] {
  const { format, description } = plan.schema
  const full = time.length === 5 ? `${time}:00` : time
  if (format === 'time') return [`${full}Z`, full]
  const asksMinutes = typeof description === 'string' && /hh:mm(?!:)/i.test(description)
  return asksMinutes ? [time.slice(0, 5)] : [time, full, time.slice(0, 5)]
}

/** The value of a reading in the type that a place of the answer takes; undefined when it takes none. */
export function valueFor(plan: LeafPlan, reading: Reading): Json | undefined {
  const { value } = reading
  if (plan.choices.length > 0) return plan.choices.includes(value) ? value : undefined
  if (typeof value === 'boolean') return accepts(plan, 'boolean') ? value : undefined
  if (
    typeof value === 'number' &&
    (plan.types.length === 0 || plan.types.some((type) => type === 'number' || type === 'integer'))
  ) {
    return numberFor(plan, value)
  }
  if (accepts(plan, 'string')) {
    return textForms(plan, reading).find(
      (form) => withinLength(plan, form) && (plan.pattern === null || plan.pattern.test(form)),
    )
  }
  if (typeof value !== 'string') return undefined
  const number = plan.meaning.kind === 'id' ? numberOfId(value) : /^\d{1,15}$/.test(value) ? Number(value) : undefined
  return number === undefined ? undefined : numberFor(plan, number)
}

/** Balances and movements of accounts: debit is below zero. */
const accountConcepts = new Set(['movement', 'running_balance', 'opening_balance', 'closing_balance'])
/** Amounts that are given without a sign, whichever way they are printed. */
const unsignedConcepts = new Set([
  'discount',
  'line_discount',
  'total_debits',
  'total_credits',
  'debit',
  'credit',
  'cash',
  'change',
  'amount_paid',
])

/** The reading with the sign that the concept gives to amounts: a bank's `CR` is a plus, a shop's a minus. */
export function settle(plan: LeafPlan, reading: Reading): Reading {
  const { value, tail } = reading
  const id = plan.meaning.concept?.id
  if (typeof value !== 'number' || id === undefined) return reading
  if (unsignedConcepts.has(id)) return { ...reading, value: Math.abs(value) }
  if (!accountConcepts.has(id) || tail === undefined) return reading
  if (/^(?:CR|C|H|\+)$/iu.test(tail)) return { ...reading, value: Math.abs(value) }
  if (/^(?:DR|D|S)$/iu.test(tail)) return { ...reading, value: -Math.abs(value) }
  return reading
}

/** True when a reading can stand at a place of the answer. */
export const fits = (plan: LeafPlan, reading: Reading): boolean => valueFor(plan, reading) !== undefined
