import { layoutDocument, type PageLayout } from '../layout/layout.ts'
import type { PlacedWord } from '../layout/placed-words.ts'
import { fold, namePhrase } from '../layout/text.ts'
import type { Box, ReadDocument } from '../media/document.ts'
import { conventionsOf } from '../values/conventions.ts'
import { type Conventions, readAs } from '../values/parsed-values.ts'
import { boxAround, quoteOf } from '../values/verify.ts'

/** Where a value was found. */
export interface Found {
  readonly input: string
  readonly page: number
  readonly box: Box
  readonly span?: readonly [start: number, end: number]
  readonly quote: string
  /** The value is there verbatim, not in another form. */
  readonly exact: boolean
  /** The number is there with the opposite sign. */
  readonly otherSign: boolean
  readonly wordConfidence: number
}

/** Inputs prepared for searching. */
export interface Source {
  readonly pages: readonly SourcePage[]
  /** All words of the inputs, folded. */
  readonly words: ReadonlySet<string>
  readonly fold: (text: string) => string
}

interface SourcePage {
  readonly input: string
  readonly layout: PageLayout
  /** Those of its document. They are found when a number or a date is looked for. */
  readonly conventions: Conventions
  readonly words: readonly PlacedWord[]
  /** The folded lines, to compare labels; and the line index of each word. */
  readonly lines: readonly string[]
  readonly lineOf: readonly number[]
  /** Letters and digits of all words in one string, and the word index of each character. */
  readonly compact: string
  readonly wordAt: readonly number[]
  numbers: readonly ParsedValue[] | undefined
  dates: readonly ParsedValue[] | undefined
}

/** A number or date expressed by a range of words. */
interface ParsedValue {
  readonly value: string | number
  readonly first: number
  readonly last: number
}

/** Letters and digits only, folded. */
const compactOf = (text: string): string => fold(text).replaceAll(/[^\p{L}\p{N}]+/gu, '')

/** The maximum number of occurrences examined per value. */
const placesMax = 200
/** The maximum number of words in a date or number: `14 March 2026`, `1 234 567,00 EUR`. */
const windowWords = 4

/** Prepares documents for `findValue`. */
export function sourceOf(documents: readonly { readonly input: string; readonly document: ReadDocument }[]): Source {
  const pages = documents.flatMap(({ input, document }, number) => {
    const layouts = layoutDocument(document, number)
    const conventions = once(() => conventionsOf(layouts).conventions)
    return layouts.map((layout) => pageOf(input, layout, conventions))
  })
  const words = once(() => new Set(pages.flatMap((page) => page.words.map(({ word }) => compactOf(word.text)))))
  return {
    pages,
    get words() {
      return words()
    },
    fold: compactOf,
  }
}

function once<Result extends object>(make: () => Result): () => Result {
  let made: Result | undefined
  return () => {
    made ??= make()
    return made
  }
}

function pageOf(input: string, layout: PageLayout, conventions: () => Conventions): SourcePage {
  const words: PlacedWord[] = []
  const lines: string[] = []
  const lineOf: number[] = []
  const wordAt: number[] = []
  let compact = ''
  for (const line of layout.lines) {
    const lineWords = line.cells.flatMap((cell) => cell.words)
    const number = lines.push(fold(quoteOf(lineWords))) - 1
    for (const placed of lineWords) {
      const letters = compactOf(placed.word.text)
      for (let index = 0; index < letters.length; index += 1) wordAt.push(words.length)
      compact += letters
      words.push(placed)
      lineOf.push(number)
    }
  }
  return {
    ...{ input, layout, words, lines, lineOf, compact, wordAt, numbers: undefined, dates: undefined },
    get conventions() {
      return conventions()
    },
  }
}

/**
 * The place of a value in the inputs, or undefined. Of several places, prefers one whose line (or the line above) names
 * the field, else the first. Finds numbers and dates in any printed form. `isWanted` leaves places out.
 */
export function findValue(
  source: Source,
  value: string | number | boolean,
  name: string,
  isWanted: (found: Found) => boolean = () => true,
): Found | undefined {
  const labels = namePhrase(name)
    .split(' ')
    .filter((word) => word.length > 2)
  let best: { found: Found; score: number } | undefined
  let seen = 0
  for (const page of source.pages) {
    for (const place of placesOf(page, value)) {
      const { otherSign = false } = place
      if (seen++ >= placesMax) break
      const exact = !otherSign && isExact(page, place, value)
      const score = labelScore(page, place.first, labels) + (exact ? 0.5 : 0) - (otherSign ? 2 : 0)
      if (best && score <= best.score) continue
      const found = foundAt(page, place, exact)
      if (isWanted(found)) best = { found, score }
    }
  }
  return best?.found
}

type Place = Pick<ParsedValue, 'first' | 'last'> & { readonly otherSign?: boolean }

function placesOf(page: SourcePage, value: string | number | boolean): readonly Place[] {
  if (typeof value === 'number') return numberPlaces(page, value)
  if (typeof value === 'boolean') return []
  const places = textPlaces(page, compactOf(value)).flatMap((place) => asNumber(page, place, value))
  if (places.length > 0) return places
  const [, day, time] = /^(\d{4}-\d\d-\d\d)(?:[T ](.*))?$/.exec(value) ?? []
  if (day !== undefined)
    return time === undefined || saysTime(page, time)
      ? datesOf(page).filter((reading) => String(reading.value).startsWith(day))
      : []
  // An amount that the schema requests as text.
  return /^-?\d+(?:\.\d+)?$/.test(value) ? numberPlaces(page, Number(value)) : []
}

/**
 * Whether the places of a text on a page are the same whatever the conventions of its document: it is no number and no date in any of them, so that
 * only its letters and digits count.
 */
export const hasPlainPlaces = (text: string): boolean =>
  !/\d/.test(text) ||
  (!/^\d{4}-\d\d-\d\d(?:[T ]|$)/.test(text) &&
    numberStyles.every((numbers) => numbersRead(text, { ...plainConventions, numbers }).length === 0))

const numberStyles = ['point', 'comma'] as const
const plainConventions: Conventions = {
  dates: { order: 'day-first', sure: true },
  numbers: 'point',
  numbersSure: true,
  period: null,
  day: null,
}

const numbersRead = (text: string, conventions: Conventions): number[] =>
  [...readAs('number', text, conventions), ...readAs('money', text, conventions)].flatMap((one) =>
    typeof one.value === 'number' ? [one.value] : [],
  )

/** Drops a place whose letters and digits match when both sides are numbers with different values: 13,043.4 and 1,304.34. */
function asNumber(page: SourcePage, place: Place, value: string): readonly Place[] {
  const quote = quoteOf(page.words.slice(place.first, place.last + 1))
  if (quote.includes(value) && !/^\s*[-+(]|-\s*$/.test(quote)) return [place]
  if (!/[-.,]/.test(quote + value)) return [place]
  const read = (text: string): number[] => numbersRead(text, page.conventions)
  const said = read(quote)
  const plain = /^-?\d+(?:\.\d+)?$/.test(value) ? [Number(value)] : []
  const given = [...plain, ...read(value)]
  if (said.length === 0 || given.length === 0) return [place]
  if (given.some((one) => said.some((other) => isSame(other, one)))) return [place]
  return given.some((one) => said.some((other) => isSame(other, -one))) ? [{ ...place, otherSign: true }] : []
}

function numberPlaces(page: SourcePage, value: number): readonly Place[] {
  const numbers = numbersOf(page)
  const same = numbers.filter((reading) => isSame(reading.value, value))
  return same.length > 0
    ? same
    : numbers.filter((reading) => isSame(reading.value, -value)).map((place) => ({ ...place, otherSign: true }))
}

const isSame = (left: string | number, right: number): boolean =>
  typeof left === 'number' && Math.abs(left - right) < 1e-9

/** True when a page states a time of day. Midnight also stands for a date without a time. */
function saysTime(page: SourcePage, time: string): boolean {
  const [, hour = '', minute = ''] = /^(\d\d):(\d\d)(?::\d\d(?:\.\d+)?)?\s?(?:Z|[+-]\d\d:?\d\d)?$/i.exec(time) ?? []
  if (hour === '') return false
  const half = String(Number(hour) % 12 || 12)
  const said = [hour, String(Number(hour)), half].flatMap((one) => [`${one}:${minute}`, `${one}.${minute}`])
  return `${hour}${minute}` === '0000' || page.lines.some((line) => said.some((one) => line.includes(one)))
}

/** Places where the letters and digits are whole words. */
function textPlaces(page: SourcePage, needle: string): Place[] {
  if (needle === '') return []
  const places: Place[] = []
  for (let at = page.compact.indexOf(needle); at >= 0; at = page.compact.indexOf(needle, at + 1)) {
    const end = at + needle.length - 1
    const first = page.wordAt[at] ?? 0
    const last = page.wordAt[end] ?? first
    const beginsWord = page.wordAt[at - 1] !== first
    const endsWord = page.wordAt[end + 1] !== last
    // Inside a word, only where the word has parts: `INV-2041/A`, `Total:144`.
    if ((beginsWord && endsWord) || isWordPart(page, first, needle)) places.push({ first, last })
    if (places.length >= placesMax) break
  }
  return places
}

function isWordPart(page: SourcePage, at: number, needle: string): boolean {
  const parts = fold(page.words[at]?.word.text ?? '').split(/[^\p{L}\p{N}]+/gu)
  return parts.some((_part, from) => {
    let joined = ''
    return parts.slice(from).some((part) => {
      joined += part
      return joined === needle
    })
  })
}

function numbersOf(page: SourcePage): readonly ParsedValue[] {
  page.numbers ??= windowsOf(page, (text) =>
    [...readAs('number', text, page.conventions), ...readAs('money', text, page.conventions)].map(({ value }) => value),
  )
  return page.numbers
}

function datesOf(page: SourcePage): readonly ParsedValue[] {
  page.dates ??= windowsOf(page, (text) => readAs('date', text, page.conventions).map(({ value }) => value))
  return page.dates
}

/** The readings of consecutive words of one line, shortest first. */
function windowsOf(page: SourcePage, read: (text: string) => readonly (string | number | boolean)[]): ParsedValue[] {
  const readings: ParsedValue[] = []
  for (let length = 1; length <= windowWords; length += 1) {
    for (let first = 0; first + length <= page.words.length; first += 1) {
      const last = first + length - 1
      if (page.lineOf[first] !== page.lineOf[last]) continue
      const text = quoteOf(page.words.slice(first, last + 1))
      if (!/\d/.test(text)) continue
      for (const value of read(text)) if (typeof value !== 'boolean') readings.push({ value, first, last })
    }
  }
  return readings
}

function isExact(page: SourcePage, { first, last }: Place, value: string | number | boolean): boolean {
  const quote = quoteOf(page.words.slice(first, last + 1))
  const text = String(value)
  const at = quote.indexOf(text)
  if (at < 0) return false
  if (typeof value !== 'number') return true
  // Digits that are part of a longer number do not count.
  return !/[\d.,]/.test(quote[at - 1] ?? '') && !/^(?:\d|[.,]\d)/.test(quote.slice(at + text.length))
}

/** How well the line of a word, or the line above, names the field: the share of the name's words in it. */
function labelScore(page: SourcePage, first: number, labels: readonly string[]): number {
  if (labels.length === 0) return 0
  const line = page.lineOf[first] ?? 0
  const own = page.lines[line] ?? ''
  const above = page.lines[line - 1] ?? ''
  const share = (line: string): number => labels.filter((label) => line.includes(label)).length / labels.length
  return Math.max(share(own), share(above) * 0.5)
}

function foundAt(page: SourcePage, { first, last, otherSign = false }: Place, exact: boolean): Found {
  const words = page.words.slice(first, last + 1)
  const spans = words.flatMap(({ word }) => (word.span ? [word.span] : []))
  return {
    input: page.input,
    page: page.layout.page.index,
    box: boxAround(words),
    ...(spans.length === 0
      ? {}
      : { span: [Math.min(...spans.map(([start]) => start)), Math.max(...spans.map(([, end]) => end))] as const }),
    quote: quoteOf(words),
    exact,
    otherSign,
    wordConfidence: words.reduce((least, { word }) => Math.min(least, word.confidence), 1),
  }
}
