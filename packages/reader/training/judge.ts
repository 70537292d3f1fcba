import { durationOf } from '../src/values/durations.ts'

/** The verdict on one field of an answer. `extra`: a value where the truth is null. */
export type Verdict = 'right' | 'missing' | 'wrong' | 'extra' | 'empty'

/** The kind of a field decides which values are equal. */
type FieldKind = 'number' | 'date' | 'time' | 'id' | 'name' | 'text'

export interface FieldTruth {
  /** Property names joined by `/`, without row numbers: `line_items/description`. */
  readonly field: string
  readonly value: unknown
  /** Alternative correct values. */
  readonly accepted: readonly string[]
  /** True when the words were read by OCR. */
  readonly recognised: boolean
}

/**
 * Compares one leaf. Numbers must agree to the cent, dates and times as ISO, identifiers in every character except
 * spaces and case, names and texts in letters and digits. In long texts (addresses, descriptions) read by OCR, one
 * wrong character in twelve is accepted. Spans of time may be in words or figures.
 */
export function judge(truth: FieldTruth, answer: unknown): Verdict {
  const given = answer === undefined || answer === '' ? null : answer
  if (truth.value === null) return given === null ? 'empty' : 'extra'
  if (given === null) return 'missing'
  return [truth.value, ...truth.accepted].some((value) => agrees(truth, value, given)) ? 'right' : 'wrong'
}

function agrees(truth: FieldTruth, value: unknown, given: unknown): boolean {
  const kind = kindOf(truth.field, value)
  if (typeof value === 'string' && isSameDuration(value, String(given))) return true
  switch (kind) {
    case 'number':
      return typeof given === 'number' && Math.abs(given - Number(value)) < 0.005
    case 'date':
      return String(given).slice(0, 10) === value
    case 'time':
      return String(given).slice(0, 5) === value
    case 'id':
      return squeeze(String(given)) === squeeze(String(value))
    case 'name':
      return words(String(given)) === words(String(value))
    case 'text': {
      const [expected, found] = [words(String(value)), words(String(given))]
      if (expected === found) return true
      const errorsMax = truth.recognised ? Math.floor(expected.length / 12) : 0
      return errorsMax > 0 && distance(expected, found, errorsMax) <= errorsMax
    }
  }
}

/** `2 years` and `two (2) years`. */
function isSameDuration(one: string, other: string): boolean {
  const [a, b] = [durationOf(one), durationOf(other)]
  return a !== null && b !== null && a.length === b.length && a.unit === b.unit
}

function kindOf(field: string, value: unknown): FieldKind {
  if (typeof value === 'number') return 'number'
  const last = field.split('/').at(-1) ?? field
  if (/(^|_)date$|^period_/.test(last)) return 'date'
  if (last === 'time') return 'time'
  if (/address|description/.test(last)) return 'text'
  if (/name|holder|terms|company/.test(last)) return 'name'
  return 'id'
}

const squeeze = (text: string) => text.replace(/\s/g, '').toLowerCase()

/** The words of a text in lower case, letters and digits only. */
const words = (text: string) =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '')
    .join(' ')

/** Levenshtein distance, or some value above `max` when it exceeds `max`. */
export function distance(a: string, b: string, max: number): number {
  if (Math.abs(a.length - b.length) > max) return max + 1
  let row = Array.from({ length: b.length + 1 }, (_, n) => n)
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i]
    for (let j = 1; j <= b.length; j += 1) {
      const change = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1)
      next.push(Math.min(change, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1))
    }
    row = next
  }
  return row[b.length] ?? 0
}
