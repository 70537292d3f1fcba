import { isJsonObject, type Json, type JsonSchema, pointerStep } from '@skillrun/core/json.ts'
import { type FieldComparison, fieldOf } from '../../agent/compare-answers.ts'
import { fieldHolding } from '../../agent/programs/separate-fields.ts'

/** One requirement of the gate. */
export interface Check {
  readonly name: 'runs' | 'same_answer' | 'agreement' | 'no_literals' | 'reads_input'
  readonly passed: boolean
  /** One sentence: the observation, and the requirement. */
  readonly message: string
}

/** The results of a field on the cases. */
export interface FieldAgreement {
  /** JSON Pointer, `*` for every index of a list. */
  readonly pointer: string
  readonly agreed: number
  readonly compared: number
  /** Cases in which it was left to an agent; absent: none. */
  readonly left?: number
}

/** The gate's verdict on a program; it passes when all checks do. */
export interface GateReport {
  readonly checks: readonly Check[]
  readonly agreement: readonly FieldAgreement[]
  /** Cases that it answered, and those that it declined and left to an agent. */
  readonly cases: { readonly answered: number; readonly declined: number; readonly failed: number }
  readonly threshold: number
  /** Fields that it leaves to an agent, because they do not reach the threshold; absent: none. */
  readonly left?: readonly string[]
}

/** Default share of each field's cases with which a program must agree. */
export const thresholdDefault = 0.9
/** A program that declines more of the cases is of little use. */
export const answeredShareMin = 0.5
/** A program that leaves more of the fields to an agent saves little: the agent reads the document either way. */
export const strongShareMin = 0.5

/** Compares the fields of cases: for each, how often it agreed. All indexes of a list count as one field. */
export function agreementsOf(
  compared: readonly (readonly { readonly field: FieldComparison; readonly isLeft: boolean }[])[],
): FieldAgreement[] {
  const tallies = new Map<string, { agreed: number; compared: number; left: number }>()
  for (const { field, isLeft } of compared.flat()) {
    const name = fieldOf(field)
    const tally = tallies.get(name) ?? { agreed: 0, compared: 0, left: 0 }
    if (isLeft) tally.left += 1
    else {
      tally.compared += 1
      if (field.agrees) tally.agreed += 1
    }
    tallies.set(name, tally)
  }
  return [...tallies].map(([pointer, { left, ...tally }]) => ({ pointer, ...tally, ...(left > 0 && { left }) }))
}

/** A field is weak if it agrees too rarely, or is left to an agent too often. */
const isWeak = ({ agreed, compared, left = 0 }: FieldAgreement, threshold: number): boolean =>
  agreed < compared * threshold || compared < (compared + left) * answeredShareMin

/** The fields that a program leaves to an agent because they are weak. `separate`: fields of the schema that can be answered separately. */
export function weakFields(
  agreement: readonly FieldAgreement[],
  threshold: number,
  separate: readonly string[] | undefined,
): readonly string[] {
  const weak = agreement.filter((field) => isWeak(field, threshold))
  return (separate ?? []).filter((field) => weak.some(({ pointer }) => fieldHolding([field], pointer) !== undefined))
}

/**
 * Whether enough fields reach the threshold of agreement: all of those that are not left to an agent, and at least half of all fields.
 */
export function agreementCheck(
  fields: readonly FieldAgreement[],
  threshold: number,
  of: { readonly separate: readonly string[] | undefined; readonly left: readonly string[] } = {
    separate: undefined,
    left: [],
  },
): Check {
  const low = fields.filter((field) => isWeak(field, threshold))
  const lowFields = low.map(
    ({ pointer, agreed, compared, left = 0 }) =>
      `${pointer || 'the answer'} in ${agreed} of ${compared}${left > 0 ? ` (${left} more were left to an agent)` : ''}`,
  )
  const percent = `${Math.round(threshold * 1000) / 10} %`
  const { separate = [], left } = of
  const isLeft = low.every(({ pointer }) => fieldHolding(left, pointer) !== undefined)
  const passed = fields.length > 0 && isLeft && left.length <= separate.length * (1 - strongShareMin)
  const message =
    fields.length === 0
      ? 'There was no case to compare with'
      : low.length === 0
        ? `Every field agrees in at least ${percent} of the cases`
        : passed
          ? `These fields agree in less than ${percent} of the cases and are left to an agent: ${lowFields.join(', ')}`
          : `These fields agree in less than ${percent} of the cases: ${lowFields.join(', ')}`
  return { name: 'agreement', passed, message }
}

/** A shorter single word may be a label; a text with digits counts as an answer from this length. */
const wordLettersMin = 8
const withDigitsMin = 4
/** Smaller whole numbers and shorter fractions, as `0.02`, are as common in code as in answers; the check with changed inputs covers them. */
const tellingNumberMin = 1_000
const tellingDigitsMin = 3

/**
 * The fields whose expected answers occur in the source of a program: texts anywhere, numbers as numbers. Ignores values that the schema
 * names (a choice, a default), short words and small whole numbers.
 */
export function smuggledFields(source: string, answers: readonly Json[], schema: JsonSchema | null): string[] {
  const text = plain(source)
  const numbers = new Set(
    [...source.replaceAll(/(?<=\d)_(?=\d)/g, '').matchAll(/(?<![\w.])\d+(?:\.\d+)?(?![\w.])/g)].map(([one]) =>
      Number(one),
    ),
  )
  const named = plain(JSON.stringify(schema ?? null))
  const found = new Set<string>()
  const visit = (value: Json, pointer: string): void => {
    if (Array.isArray(value)) for (const item of value) visit(item as Json, `${pointer}/*`)
    else if (isJsonObject(value))
      for (const [name, member] of Object.entries(value)) visit(member, pointer + pointerStep(name))
    else if (typeof value === 'number' && isTelling(value) && numbers.has(Math.abs(value))) found.add(pointer)
    else if (typeof value === 'string' && isTellingText(value) && !occursIn(value, named) && occursIn(value, text))
      found.add(pointer)
  }
  for (const answer of answers) visit(answer, '')
  return [...found]
}

const plain = (text: string): string => text.normalize('NFKC').toLowerCase().replace(/\s+/gu, ' ')

const isTelling = (value: number): boolean =>
  Number.isInteger(value)
    ? Math.abs(value) >= tellingNumberMin
    : String(Math.abs(value)).replace('.', '').replace(/^0+/, '').length >= tellingDigitsMin

const isTellingText = (value: string): boolean => {
  const text = plain(value).trim()
  if (/\d/.test(text)) return text.length >= withDigitsMin
  return text.length >= wordLettersMin || (/\s/.test(text) && text.length >= withDigitsMin)
}

/** Whether a value occurs in a text, not as a part of a longer word or number. */
function occursIn(value: string, text: string): boolean {
  const wanted = plain(value).trim()
  for (let at = text.indexOf(wanted); at !== -1; at = text.indexOf(wanted, at + 1)) {
    const around = (text[at - 1] ?? ' ') + (text[at + wanted.length] ?? ' ')
    if (!/[\p{L}\p{N}]/u.test(around)) return true
  }
  return false
}
