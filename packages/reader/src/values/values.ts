import type { Json } from '@skillrun/core/json.ts'
import { fullFormats } from 'ajv-formats/dist/formats.js'
import type { LeafPlan } from '../schema/plan.ts'
import { numberOfId } from './identifiers.ts'
import type { ParsedValue } from './parsed-values.ts'

const numberOf = (schema: Json | undefined): number | null => (typeof schema === 'number' ? schema : null)

function withinBounds(plan: LeafPlan, value: number): boolean {
  const { schema } = plan
  const least = numberOf(schema['minimum'])
  const most = numberOf(schema['maximum'])
  const above = numberOf(schema['exclusiveMinimum'])
  const below = numberOf(schema['exclusiveMaximum'])
  const step = numberOf(schema['multipleOf'])
  return (
    (step === null || Number.isInteger(value / step)) &&
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

/** True unless the `format` of the schema, as the final check of an answer knows it, is another one. */
function hasFormat({ schema }: LeafPlan, value: string | number): boolean {
  const name = schema['format']
  const format =
    typeof name === 'string' && Object.hasOwn(fullFormats, name) ? fullFormats[name as keyof typeof fullFormats] : true
  const check = typeof format === 'object' && 'validate' in format ? format : { validate: format }
  if (('type' in check ? check.type : 'string') !== typeof value) return true
  const { validate } = check
  if (validate instanceof RegExp) return validate.test(String(value))
  return typeof validate !== 'function' || (validate as (one: string | number) => boolean)(value)
}

const accepts = (plan: LeafPlan, type: string): boolean => plan.types.length === 0 || plan.types.includes(type)

function numberFor(plan: LeafPlan, value: number): number | undefined {
  if (!withinBounds(plan, value) || !hasFormat(plan, value)) return undefined
  if (accepts(plan, 'number') || (accepts(plan, 'integer') && Number.isInteger(value))) return value
  return undefined
}

/** The possible forms of a text in the answer, preferred form first. */
function textForms(plan: LeafPlan, reading: ParsedValue): string[] {
  const { kind, asPrinted } = plan.meaning
  const normal = String(reading.value)
  const printed = reading.printed.trim()
  const isNumber = kind === 'money' || kind === 'number' || kind === 'integer' || kind === 'percent'
  if (kind === 'time') return timeForms(plan, normal)
  if (asPrinted || isNumber) return [printed, normal]
  return [normal, printed]
}

/** A time of day with or without seconds, depending on format and description. */
function timeForms(plan: LeafPlan, time: string): string[] {
  const { format, description } = plan.schema
  const full = time.length === 5 ? `${time}:00` : time
  const asksMinutes = typeof description === 'string' && /hh:mm(?!:)/i.test(description)
  // A span of time: `30 days`.
  if (!/^\d{1,2}:\d{2}/.test(time)) return format === 'time' || asksMinutes ? [] : [time]
  if (format === 'time') return [`${full}Z`, full]
  return asksMinutes ? [time.slice(0, 5)] : [time, full, time.slice(0, 5)]
}

/** The value of a reading in a type that the schema allows; undefined when it allows none. */
export function valueFor(plan: LeafPlan, reading: ParsedValue): Json | undefined {
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
      (form) => withinLength(plan, form) && hasFormat(plan, form) && (plan.pattern === null || plan.pattern.test(form)),
    )
  }
  if (typeof value !== 'string') return undefined
  const number = plan.meaning.kind === 'id' ? numberOfId(value) : /^\d{1,15}$/.test(value) ? Number(value) : undefined
  return number === undefined ? undefined : numberFor(plan, number)
}

/** Account balances and movements: debits are negative. */
const accountConcepts = new Set(['movement', 'running_balance', 'opening_balance', 'closing_balance'])
/** Amounts without a sign in the answer, however they are printed. */
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

/**
 * The reading with the sign that its concept requires: a bank's `CR` is positive, a shop's negative. `keepsSigns`: an amount that is given
 * without a sign elsewhere keeps it.
 */
export function settle(plan: LeafPlan, reading: ParsedValue, keepsSigns = false): ParsedValue {
  const { value, tail } = reading
  const id = plan.meaning.concept?.id
  if (typeof value !== 'number' || id === undefined) return reading
  if (unsignedConcepts.has(id)) return keepsSigns ? reading : { ...reading, value: Math.abs(value) }
  if (!accountConcepts.has(id) || tail === undefined) return reading
  if (/^(?:CR|C|H|\+)$/iu.test(tail)) return { ...reading, value: Math.abs(value) }
  if (/^(?:DR|D|S)$/iu.test(tail)) return { ...reading, value: -Math.abs(value) }
  return reading
}

/** True when the schema allows a reading's value. */
export const fits = (plan: LeafPlan, reading: ParsedValue): boolean => valueFor(plan, reading) !== undefined
