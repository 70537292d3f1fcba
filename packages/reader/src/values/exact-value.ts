import { findCurrencies } from '../languages/currencies.ts'
import { phraseOf, squeeze } from '../layout/text.ts'
import type { LeafPlan } from '../schema/plan.ts'
import { type DateOrder, findDates, findTime, isAmbiguous } from './dates.ts'
import { findEmails } from './identifiers.ts'
import { findNumbers, type NumberStyle } from './numbers.ts'
import { type Conventions, type ParsedValue, readAs } from './parsed-values.ts'
import { settle } from './values.ts'

/** Date and number conventions that texts show; null or unsure where they show none. */
export interface Shown {
  readonly dates: { readonly order: DateOrder; readonly sure: boolean }
  /** Null when nothing shows the decimal mark. */
  readonly numbers: NumberStyle | null
}

/** Longer texts are not a single number, date or enum value. */
const charactersMax = 100

/** Currencies in words, as in sentences. */
const spoken: readonly (readonly [pattern: RegExp, code: string | null])[] = [
  [/^(?:euros?|eur)$/iu, 'EUR'],
  [/^(?:us |u\.s\. )dollars?$/iu, 'USD'],
  [/^(?:british pounds?|pounds? sterling)$/iu, 'GBP'],
  [/^(?:swiss francs?|schweizer franken)$/iu, 'CHF'],
  // Several countries use these names.
  [/^(?:dollars?|pounds?|francs?|franken|pesos?|kronor|kroner|yen|rupees?)$/iu, null],
]

/** The currency that a text names exactly: its code, or null when several countries use the name. */
export function currencyNamed(text: string): { readonly code: string | null } | undefined {
  const known = spoken.find(([pattern]) => pattern.test(text))
  if (known !== undefined) return { code: known[1] }
  const [match, ...more] = findCurrencies(text)
  const isAll = match !== undefined && more.length === 0 && match.start === 0 && match.end === text.length
  return isAll ? { code: match.code } : undefined
}

const percentWords = /^(?:%|percent|per cent|prozent|pour ?cents?|por ciento|por cento|per cento|procent)$/iu

/** The number of a text that otherwise contains only a currency, or a unit that `isUnit` accepts. */
function readFigure(plan: LeafPlan, text: string, shown: Shown, isUnit: (text: string) => boolean): ParsedValue | null {
  if (findDates(text).length > 0) return null
  const [match, ...more] = findNumbers(text, shown.numbers ?? 'point')
  if (match === undefined || more.length > 0 || (match.open && shown.numbers === null)) return null
  const { start, end, value, printed, tail } = match
  const rest = squeeze(`${text.slice(0, start)} ${text.slice(end)}`)
  const isPercent = match.percent || percentWords.test(rest)
  if (plan.meaning.kind === 'percent') {
    // A rate without a percent sign may be a fraction of one.
    const isRate = isPercent || value >= 1
    // Other words may doubt the rate, or give another meaning to it: `at most 19 %`.
    if (!isRate || !(rest === '' || percentWords.test(rest)) || value < 0 || value > 100) return null
  } else if (isPercent || !(rest === '' || currencyNamed(rest) !== undefined || isUnit(rest))) return null
  const reading = { start, end, value, printed, fit: 1, tail }
  const settled = settle(plan, reading)
  // Letters after an amount give its direction in account fields; elsewhere they may mean anything.
  return /\p{L}/u.test(tail) && settled === reading ? null : settled
}

/** The date, or date and time, that a text is exactly. */
function readMoment(kind: 'date' | 'datetime', text: string, shown: Shown): ParsedValue | null {
  const [date, ...more] = findDates(text)
  if (date === undefined || more.length > 0 || date.start > 0) return null
  // Dates with points always start with the day (Unicode CLDR has no other order).
  const order = shown.dates.sure ? shown.dates.order : 'day-first'
  if (isAmbiguous(date) && !shown.dates.sure && !/^\d{1,2}\.\d/.test(text)) return null
  const rest = text.slice(date.end)
  const time = findTime(rest)
  const after = time === undefined ? rest : rest.slice(time.end)
  if (time === undefined ? kind === 'datetime' || rest.trim() !== '' : !/^[T,\s]*$/u.test(rest.slice(0, time.start)))
    return null
  // An offset is a part of a moment, and may change the day of a date.
  const zone = /^(?:[.,]\d{1,9})?\s?(Z|[+-]\d{2}:?\d{2})?$/u.exec(after)
  if (zone === null) return null
  const hasOffset = zone[1] !== undefined && zone[1] !== 'Z'
  if (hasOffset && kind === 'date') return null
  const [reading] = readAs(kind, text, { ...conventionsFrom(shown), dates: { order, sure: true } })
  // What looks like an offset may be the end of a period: `10:05-07:00`.
  if (reading === undefined || (hasOffset && String(reading.value).endsWith('Z'))) return null
  return { ...reading, end: text.length, printed: text }
}

const conventionsFrom = (shown: Shown): Conventions => ({
  dates: shown.dates,
  numbers: shown.numbers ?? 'point',
  numbersSure: shown.numbers !== null,
  period: null,
  day: null,
})

const covers = (reading: ParsedValue | undefined, text: string): ParsedValue | null =>
  reading !== undefined && reading.start === 0 && reading.end === text.length ? reading : null

/**
 * The value of a field when a text is exactly that: a number with or without its currency, a date, a time, yes or no,
 * an enum value, a code. Null for all other text, and for ambiguous text: `03/04/2026` and `1,234` when nothing shows
 * the convention. `isUnit` accepts texts that may follow a number.
 */
export function readExactValue(
  plan: LeafPlan,
  source: string,
  shown: Shown,
  isUnit: (text: string) => boolean = () => false,
): ParsedValue | null {
  const text = source.trim()
  if (text === '' || text.length > charactersMax) return null
  if (plan.choices.length > 0) return readChoice(plan, text)
  const { kind } = plan.meaning
  switch (kind) {
    case 'money':
    case 'number':
    case 'integer':
    case 'percent':
      return readFigure(plan, text, shown, isUnit)
    case 'date':
    case 'datetime':
      return readMoment(kind, text, shown)
    case 'email':
      return covers(findEmails(text).map((match) => ({ ...match, printed: text, fit: 1 }))[0], text)
    case 'currency': {
      const code = currencyNamed(text)?.code ?? null
      return code === null ? null : { start: 0, end: text.length, value: code, printed: text, fit: 1, derived: true }
    }
    case 'boolean':
    case 'time':
    case 'id':
      return covers(readAs(kind, text, conventionsFrom(shown))[0], text)
    default:
      return null
  }
}

function readChoice(plan: LeafPlan, text: string): ParsedValue | null {
  const phrase = phraseOf(text)
  const named = plan.choices.filter(
    (choice) =>
      (typeof choice === 'string' || typeof choice === 'number') &&
      phraseOf(String(choice).replaceAll('_', ' ')) === phrase,
  )
  const [value] = named
  if (named.length !== 1 || (typeof value !== 'string' && typeof value !== 'number')) return null
  return { start: 0, end: text.length, value, printed: text, fit: 1 }
}
