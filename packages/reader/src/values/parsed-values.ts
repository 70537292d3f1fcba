import type { Json } from '@skillrun/core/json.ts'
import type { Kind } from '../languages/concept.ts'
import { findCurrencies } from '../languages/currencies.ts'
import { isNo, isYes } from '../languages/yes-and-no.ts'
import { zoneBehind } from '../languages/zones.ts'
import { keptBy, rememberedIn } from '../layout/remembered.ts'
import { fold, phraseOf, squeeze, trimMarks } from '../layout/text.ts'
import { type DateOrder, type Day, findDates, findTime, findTimes, isAmbiguous, isoDay, readDay } from './dates.ts'
import { findEmails, findIbans, findIdentifier, findPhones, findUrls, findVatNumbers } from './identifiers.ts'
import { findNumbers, type NumberMatch, type NumberStyle } from './numbers.ts'
import { dayNear, dayWithin, findNamedDays, findPartialDay, findPeriods, type Period } from './periods.ts'
import { optionsIn, wordsAndBoxes } from './ticks.ts'

/** The date and number conventions of a document. */
export interface Conventions {
  readonly dates: { readonly order: DateOrder; readonly sure: boolean }
  readonly numbers: NumberStyle
  /** False where no number shows the decimal mark: the language of the document decides. */
  readonly numbersSure: boolean
  /** The period for dates without a year; null when unknown. */
  readonly period: Period | null
  /** The first full date of the year that most of them have, of the latest such year: the day of a letter; null without a date. */
  readonly day: Day | null
  /** True for a column that has amounts with and without a minus: debits and discounts, whose sign is otherwise dropped, then keep it. */
  readonly keepsSigns?: boolean
}

/** One way to parse a text as a value. */
export interface ParsedValue {
  /** Offsets `[start, end)` of the text that states the value. */
  readonly start: number
  readonly end: number
  /** The value in normal form. */
  readonly value: string | number | boolean
  /** The value as printed. */
  readonly printed: string
  /** How well the text fits the kind, 0 to 1. */
  readonly fit: number
  /** True when the value follows from the text by a convention and is not printed there. */
  readonly derived?: boolean
  /** Letters or a sign after an amount that give its direction. */
  readonly tail?: string
}

const longTextMax = 240
const nameMax = 90

function readDates(text: string, conventions: Conventions): ParsedValue[] {
  const full = findDates(text)
  return full.flatMap((match) => {
    const day = readDay(match, conventions.dates.order)
    if (day === null) return []
    const unsure = isAmbiguous(match) && !conventions.dates.sure
    const { start, end } = match
    return [{ start, end, value: isoDay(day), printed: text.slice(start, end), fit: unsure ? 0.8 : 1 }]
  })
}

/** A date without a year at the start of a text, placed in the document's period. */
function readPartialDate(text: string, conventions: Conventions): ParsedValue[] {
  if (conventions.period === null || findDates(text).length > 0) return []
  const partial = findPartialDay(text, conventions.dates.order)
  const day = partial === null ? null : dayWithin(partial, conventions.period)
  if (partial === null || day === null) return []
  const { start, end } = partial
  return [{ start, end, value: isoDay(day), printed: text.slice(start, end), fit: 0.8, derived: true }]
}

/** The dates of running text that omit their year: those nearest to the day of the document. */
export function readNamedDays(text: string, { day: near }: Conventions): ParsedValue[] {
  if (near === null) return []
  return findNamedDays(text).flatMap((partial) => {
    const day = dayNear(partial, near)
    const { start, end } = partial
    return day === null
      ? []
      : [{ start, end, value: isoDay(day), printed: text.slice(start, end), fit: 0.5, derived: true }]
  })
}

/** Parses the text of a table cell, where a date may omit its year. */
export function readCellAs(kind: Kind, text: string, conventions: Conventions): readonly ParsedValue[] {
  const readings = readAs(kind, text, conventions)
  return readings.length === 0 && kind === 'date' ? readPartialDate(text, conventions) : readings
}

/** How else a column's cell is read if it does not fit the field's kind: a `tax` column may hold amounts, an `index` column decimals. */
export const widerKind: Partial<Readonly<Record<Kind, Kind>>> = { percent: 'money', integer: 'number' }

/** True when a text states a date as one end of a period or without a year. */
export function statesDay(text: string, day: string, conventions: Conventions): boolean {
  const { order } = conventions.dates
  return (
    findPeriods(text, order).some(({ period }) => isoDay(period.start) === day || isoDay(period.end) === day) ||
    [...readPartialDate(text, conventions), ...readNamedDays(text, conventions)].some(({ value }) => value === day)
  )
}

/** How far behind a date its time is looked for, and the zone of that. */
const timeCharactersMax = 24
const momentCharactersMax = 40

function readDateTimes(text: string, conventions: Conventions): ParsedValue[] {
  return readDates(text, conventions).map((date) => {
    const behind = text.slice(date.end, date.end + momentCharactersMax)
    const time = findTime(behind.slice(0, timeCharactersMax))
    if (time === undefined) return { ...date, value: `${date.value}T00:00:00Z`, fit: date.fit * 0.8, derived: true }
    const zone = zoneBehind(behind, time.end)
    const end = date.end + (zone?.end ?? time.end)
    return {
      ...date,
      end,
      value: `${date.value}T${time.value}${zone?.offset ?? 'Z'}`,
      printed: text.slice(date.start, end),
    }
  })
}

function readMoney(text: string, conventions: Conventions): ParsedValue[] {
  const taken = findDates(text)
  return (
    findNumbers(text, conventions.numbers)
      // Seven or more digits without separators are an identifier, not an amount.
      .filter((match) => !/^\d{7,}$/.test(match.printed))
      .filter((match) => !match.percent && !taken.some((date) => date.start < match.end && match.start < date.end))
      .map((match) => {
        const around = text.slice(Math.max(0, match.start - 5), match.end + 4)
        const marked = findCurrencies(around).length > 0
        const fit =
          match.decimals === 2 ? 1 : marked ? 0.9 : match.decimals > 2 ? 0.5 : match.decimals === 0 ? 0.55 : 0.7
        return { start: match.start, end: match.end, value: match.value, printed: match.printed, fit, tail: match.tail }
      })
  )
}

/** True for a number such as `1.287` in a document that does not show which mark separates decimals. */
const isGuessed = ({ open }: NumberMatch, { numbersSure }: Conventions): boolean => open && !numbersSure

function readNumbers(text: string, conventions: Conventions): ParsedValue[] {
  return findNumbers(text, conventions.numbers).map((match) => ({
    start: match.start,
    end: match.end,
    value: match.value,
    printed: match.printed,
    fit: match.percent ? 0.6 : isGuessed(match, conventions) ? 0.7 : 0.9,
  }))
}

function readPercents(text: string, conventions: Conventions): ParsedValue[] {
  return findNumbers(text, conventions.numbers)
    .filter(({ percent, value }) => percent || (value >= 0 && value <= 100))
    .map((match) => ({
      start: match.start,
      end: match.end,
      value: match.value,
      printed: match.printed,
      fit: match.percent ? 1 : 0.4,
    }))
}

/** What follows a name and is not part of it: `Acme Ltd (134874)`, `FAUVEL Loris – agrément 042D1276`. */
const extras = /\s*\(\d{5,}\)$|(?<=^[^\d]*\p{L}[^\d]*)\s[–—|-]\s(?:\p{L}[\p{L}.º°]*\s){1,3}(?=\S*\d{3})\S{5,}.*$/u
/** The day of what a code names: `V-7741 du 15/05/2025`. */
const dayOfCode = /^(?=\S*\d)(\S{3,})\s(?:\p{Ll}{2,4}|dated)\s/u
/** What a code means: `214 (twin room)`. */
const explained = /^(\S*\d\S*)\s\(\p{L}[^()]*\)$/u

/** A code in front of a name, and what is said of somebody: `0812 – J. Priego`, `D. Tillman (dependent)`, `Harrow & Finch, 4 Bath Street`. */
const aroundName = /^\d[\d./-]*\s[–—-]\s(?=\p{L})|\s\(\p{Ll}[^()]*\)$|,\s\d+\p{L}?\s\p{L}.*$/gu

function withoutExtras(text: string): string {
  const code = dayOfCode.exec(text)
  if (code?.[1] !== undefined && findDates(text.slice(code[0].length))[0]?.start === 0) return code[1]
  return (explained.exec(text)?.[1] ?? text).replace(extras, '')
}

function readWhole(text: string, kind: 'text' | 'name' | 'address'): ParsedValue[] {
  const whole = squeeze(trimMarks(text))
  if (whole.length > longTextMax) return []
  const named = kind === 'name' ? whole.replace(aroundName, '') : whole
  const clean = kind === 'address' ? whole : withoutExtras(named)
  if (clean === '' || !/[\p{L}\p{N}]/u.test(clean)) return []
  const start = Math.max(0, text.indexOf(clean.slice(0, 8)))
  const letters = clean.match(/\p{L}/gu)?.length ?? 0
  if (kind === 'name' && (letters < 2 || clean.length > nameMax || findDates(whole).length > 0)) return []
  const fit = kind === 'name' ? (/\d/.test(clean) ? 0.5 : 0.8) : 0.7
  const end = clean === whole ? text.trimEnd().length : start + clean.length
  return [{ start, end, value: clean, printed: clean, fit }]
}

const found = (
  matches: readonly { start: number; end: number; value: string }[],
  text: string,
  fit: number,
): ParsedValue[] => matches.map((match) => ({ ...match, printed: text.slice(match.start, match.end), fit }))

function readIds(text: string): ParsedValue[] {
  const match = findIdentifier(text)
  if (match === null) return []
  const isDate = findDates(text).some((date) => date.start <= match.start && date.end >= match.end)
  const isAmount = /^\d+[.,]\d{2}$/.test(match.value)
  return found([match], text, isDate || isAmount ? 0.2 : match.value.length < 2 ? 0.5 : 0.9)
}

function readVat(text: string): ParsedValue[] {
  const marked = found(findVatNumbers(text), text, 1)
  if (marked.length > 0) return marked
  const match = /^[^\p{L}\p{N}]*([A-Z]{0,4}[-\s]?\d[\dA-Z./ -]{5,18}[\dA-Z])(?![\p{L}\p{N}])/u.exec(text)
  const value = (match?.[1] ?? '').replace(/^(?:ID|NO|NR)[.:]?\s*(?=\d)/i, '').trim()
  if (match === null || value.replace(/\D/g, '').length < 7) return []
  const start = text.indexOf(value)
  return [{ start, end: start + value.length, value, printed: value, fit: 0.85 }]
}

function readCurrency(text: string): ParsedValue[] {
  return findCurrencies(text).map((match) => ({
    start: match.start,
    end: match.end,
    value: match.code,
    printed: text.slice(match.start, match.end),
    fit: match.isCode ? 1 : 0.9,
    derived: !match.isCode,
  }))
}

const answerOf = (word: string): boolean | null => (isYes(word) ? true : isNo(word) ? false : null)

/** Yes or no. In a form that prints both words, the ticked one; none when neither or both are ticked. */
function readBoolean(text: string): ParsedValue[] {
  const words = wordsAndBoxes(text).map(({ start, printed, isTicked }) => ({
    start,
    printed,
    value: isTicked ?? answerOf(printed.toLowerCase()),
    isBox: isTicked !== null,
  }))
  const [first] = words
  const said = words.filter(({ value, isBox }) => value !== null && !isBox)
  const isForm = said.some(({ value }) => value) && said.some(({ value }) => !value)
  const { boxes, options } = optionsIn(text)
  // A box with other words is theirs.
  if (!isForm && (boxes > 1 || (boxes > 0 && words.some(({ value }) => value === null)))) return []
  const isChosen = (at: number): boolean =>
    options.some(({ start, end, isTicked }) => isTicked && start <= at && at < end)
  const chosen =
    isForm || (first?.isBox && said.length > 0 && said[0] === words[1])
      ? said.filter(({ start }) => isChosen(start))
      : [first]
  const [one] = chosen
  if (chosen.length !== 1 || !one || one.value === null) return []
  return [{ start: one.start, end: one.start + one.printed.length, value: one.value, printed: one.printed, fit: 0.9 }]
}

/** `HH:MM`, with seconds when printed. */
const readTimes = (text: string): ParsedValue[] => timesIn(text).filter(({ fit }) => fit === 1)

/** What may be a number or a duration as well as a time. */
export const readDoubtfulTimes = (text: string): ParsedValue[] => timesIn(text).filter(({ fit }) => fit < 1)

const timesIn = (text: string): ParsedValue[] =>
  findTimes(text).map((time) => {
    const printed = text.slice(time.start, time.end)
    const hasSeconds = printed.split(':').length > 2
    return { ...time, value: hasSeconds ? time.value : time.value.slice(0, 5), printed }
  })

/** Words that negate or restrict the word after them: `not paid`, `no longer open`, `to be paid`. */
const denials =
  "not|never|isn['’]t|cannot|can['’]t|won['’]t|nicht|nie|kein\\p{L}*|pas|jamais|no|non|niet|geen|não|nunca"
const fillers =
  'yet|longer|more|fully|completely|entirely|been|be|really|mehr|ganz|vollständig|encore|entièrement|aún|todavía|completamente|ancora|più|meer|nog|volledig|ainda|mais'
const partly =
  'partly|partially|half|hardly|almost|to be|will be|teilweise|partiellement|en partie|parcialmente|parzialmente|deels|gedeeltelijk'
const negationPattern = new RegExp(
  `(?<!\\p{L})(?:(?:${denials})\\s+(?:(?:${fillers})\\s+){0,2}|(?:${partly})\\s+)$`,
  'iu',
)

/** The enum values that a text names, longest first. */
export function readChoices(text: string, choices: readonly Json[]): ParsedValue[] {
  const readings: ParsedValue[] = []
  const folded = ` ${phraseOf(text)} `
  const { boxes, options } = optionsIn(text)
  for (const choice of choices) {
    if (typeof choice !== 'string' && typeof choice !== 'number') continue
    const phrase = phraseOf(String(choice).replaceAll('_', ' '))
    if (phrase === '' || !folded.includes(` ${phrase} `)) continue
    const at = fold(text).indexOf(fold(String(choice).replaceAll('_', ' ')))
    const start = Math.max(0, at)
    const end = at < 0 ? text.length : at + String(choice).length
    if (negationPattern.test(text.slice(0, start))) continue
    if (boxes > 0 && !options.some((one) => one.isTicked && one.start <= start && end <= one.end)) continue
    const exact = folded.trim() === phrase
    readings.push({ start, end, value: choice, printed: text.slice(start, end), fit: exact ? 1 : 0.8 })
  }
  return readings.sort((a, b) => String(b.value).length - String(a.value).length)
}

/** Tables, labels, checks and the score all read the same cells. */
const readings = keptBy((kind: Kind) =>
  rememberedIn((text, conventions: Conventions) =>
    /^(?:money|number|integer|percent)$/.test(kind) && /[<>≤≥]/.test(text)
      ? parsedAs(kind, text, conventions).map((reading) => withSign(text, reading))
      : parsedAs(kind, text, conventions),
  ),
)

/** Signs that make a number a bound: `<0.01`, `≥ 5`. Not arrows. */
const boundSign = /(?<![-=<>])[<>≤≥]=?\s?$/u

/** A number together with the sign in front of it that makes it a bound. */
function withSign(text: string, reading: ParsedValue): ParsedValue {
  const sign = boundSign.exec(text.slice(Math.max(0, reading.start - 4), reading.start))?.[0] ?? ''
  return { ...reading, start: reading.start - sign.length }
}

/** All ways to parse a text as a kind of value: best fit first, then by position. */
export const readAs = (kind: Kind, text: string, conventions: Conventions): readonly ParsedValue[] =>
  readings(kind)(text, conventions)

function parsedAs(kind: Kind, text: string, conventions: Conventions): ParsedValue[] {
  switch (kind) {
    case 'date':
      return readDates(text, conventions)
    case 'datetime':
      return readDateTimes(text, conventions)
    case 'time':
      return readTimes(text)
    case 'money':
      return readMoney(text, conventions)
    case 'number':
      return readNumbers(text, conventions)
    case 'integer':
      return readNumbers(text, conventions).filter((reading) => Number.isInteger(reading.value))
    case 'percent':
      return readPercents(text, conventions)
    case 'id':
      return readIds(text)
    case 'email':
      return found(findEmails(text), text, 1)
    case 'phone':
      return found(findPhones(text), text, 0.9)
    case 'url':
      return found(findUrls(text), text, 0.95)
    case 'iban':
      return found(findIbans(text), text, 1)
    case 'vat':
      return readVat(text)
    case 'currency':
      return readCurrency(text)
    case 'boolean':
      return readBoolean(text)
    case 'enum':
      return []
    default:
      return readWhole(text, kind)
  }
}
