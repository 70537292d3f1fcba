import { findCurrencies } from '../languages/currencies.ts'
import { remembered } from '../layout/remembered.ts'

/** The decimal mark. */
export type NumberStyle = 'point' | 'comma'

/** A number found in a text. */
export interface NumberMatch {
  readonly start: number
  readonly end: number
  readonly value: number
  /** The number of digits after the decimal mark. */
  readonly decimals: number
  /** True when a percent sign follows. */
  readonly percent: boolean
  /** True when the only mark precedes three final digits, so that it may be a decimal mark or a thousands separator. */
  readonly open: boolean
  /** Letters or a sign after the digits that give the direction of the amount: `CR`, `DR`, `S`, `H`, `-` … */
  readonly tail: string
  /** Digits and marks only, as printed. */
  readonly printed: string
}

const digits = String.raw`\d{1,2}(?:,\d{2})+,\d{3}(?!\d)(?:\.\d{1,4}(?!\d))?|(?!0\d{0,2}[ \u00a0\u202f])\d{1,3}(?:[ \u00a0\u202f'’.,]\d{3})+(?!\d)(?:[.,]\d{1,4}(?!\d))?|\d+(?:[.,]\d+)?|(?<![\d\p{L}])[.,]\d{2}(?!\d)`
const numberPattern = new RegExp(
  `(?<![\\p{L}\\d])(?<open>\\()?\\s?(?<sign>[-–−+])?\\s?(?<mark>[\\p{Sc}]\\s?[-–−]?)?(?<digits>${digits})(?<dash>[.,][-–—]{1,2}(?!\\d))?(?<tail>\\s?[-–−+](?!\\s?[\\d\\p{L}])|\\s?(?:CR|DR|Cr|Dr|[CDSH])(?![\\p{L}\\d]))?\\s?(?<close>\\))?(?<percent>\\s?%)?`,
  'gu',
)

const touchingCurrency =
  /(?<!\p{L})(?:RM|EUR|USD|GBP|CHF|MYR|SGD|INR|AUD|CAD|NZD|SEK|NOK|DKK|PLN|CZK|HUF|JPY|BRL|MXN|ZAR|Rs\.?|Fr\.|kr\.?)(?=[-–]?\.?\d)|(?<!\p{L})R(?=\d{1,3}(?:[ ,]\d{3})*[.,]\d{2}(?!\d))/gu

/** Words that multiply the number before them: `12 million`. */
const multiples =
  /^\s?(?:thousand|million|billion|trillion|dozen|hundred|tausend|tsd|millionen|mio|milliarden|mrd|mille|milliers|millions|milliards|mil|miles de|mill[oó]n|millones|mila|milioni|miliardi|duizend|miljoen|miljard|milh[oõ]es|bilh[oõ]es)(?![\p{L}\d])/iu

/** Abbreviated multiples and hundredths, unless the letter is a tax class: an amount with a tax class has two decimals, `12.50 B`. */
const shortMultiples =
  /^(?:\s?(?:bn|mn)(?![\p{L}\d])|[kKMB](?![\p{L}\d])|\s?[kKmM]\s?(?:\p{Sc}|EUR|USD|GBP|CHF)(?!\s?\d)|\s?[¢])/u

interface Parts {
  readonly whole: string
  readonly fraction: string
  readonly open: boolean
}

/** Splits the digits at the decimal mark; `style` decides ambiguous cases. */
function partDigits(text: string, style: NumberStyle, dash: string | undefined): Parts | null {
  const compact = text.replace(/[ \u00a0\u202f'’]/gu, '')
  const marks = compact.replace(/\d/g, '')
  const plain = { whole: compact.replace(/[.,]/g, ''), fraction: '', open: false }
  // A dash instead of decimals, as in `1.234,-`: the mark in front of it is the decimal mark, all others separate
  // thousands.
  if (dash !== undefined)
    return marks.includes(dash[0] ?? '') || !/^\d+$|^\d{1,3}(?:[.,]\d{3})+$/.test(compact) ? null : plain
  if (marks === '') return plain
  const last = marks.at(-1) ?? ''
  const place = compact.lastIndexOf(last)
  const after = compact.length - place - 1
  const decimal: Parts = {
    whole: compact.slice(0, place).replace(/[.,]/g, ''),
    fraction: compact.slice(place + 1),
    open: false,
  }
  // With two kinds of marks, the last is the decimal mark. A repeated mark separates thousands, in India also groups of
  // two.
  if (marks.length > 1) {
    if (marks[0] !== last) return decimal
    if (/^\d{1,2}(?:,\d{2})+,\d{3}$/.test(compact)) return plain
    return after === 3 ? plain : /^\d{1,3}(?:[.,]\d{3})+[.,]\d{2}$/.test(compact) ? decimal : null
  }
  if (after !== 3) return decimal
  if (place === 0 || compact.startsWith('0') || place > 3) return decimal
  const isDecimalMark = last === (style === 'point' ? '.' : ',')
  return { ...(isDecimalMark ? decimal : plain), open: true }
}

/** True when a text ends with a minus and the letters of a currency: `-EUR`. After a word or a number the minus is a dash. */
function isSignedCurrency(before: string): boolean {
  const [, sign, code] = /(?<![\p{L}\d]\s{0,2})([-–−])\s?(\p{L}{1,3}\.?)\s?$/u.exec(before) ?? []
  return sign !== undefined && code !== undefined && findCurrencies(code).some(({ start }) => start === 0)
}

/** True when a text is exactly one currency, or empty. */
function isCurrencyAlone(text: string): boolean {
  const trimmed = text.trim()
  return trimmed === '' || findCurrencies(trimmed).some(({ start, end }) => start === 0 && end === trimmed.length)
}

/** True for a count in brackets that repeats the word before it: `fourteen (14) days`. */
const isRemark = (before: string, digits: string, after: string): boolean =>
  /^\d{1,3}$/.test(digits) && /\p{L}\s?\(\s?$/u.test(before.slice(-4)) && /^\)\s+\p{L}{2}/u.test(after)

/** True when brackets contain exactly a number and its currency: `(EUR 5.00)`. */
function isInBrackets(before: string, after: string): boolean {
  const [, left] = /\(([^()\d]{0,6})$/u.exec(before) ?? []
  const [, right] = /^([^()\d]{0,6})\)/u.exec(after) ?? []
  return left !== undefined && right !== undefined && isCurrencyAlone(left) && isCurrencyAlone(right)
}

/** True for a minus between a number and its currency: `5.00- EUR`. In front of another amount it is a dash. */
function isSignedBehind(after: string): boolean {
  const [, name] = /^\s?[-–−]\s?(\p{Sc}|\p{L}{1,4}\.?)(?![\p{L}\d]|\s?\d)/u.exec(after) ?? []
  return name !== undefined && isCurrencyAlone(name)
}

/** Characters in front of a number that are looked at. */
const besideMax = 40

function numbersOf(source: string, style: NumberStyle): NumberMatch[] {
  if (!/\d/.test(source)) return []
  // A currency may touch its amount: `RM15.50`. Replace it with blanks to keep all offsets.
  const text = source.replace(touchingCurrency, (code) => ' '.repeat(code.length))
  const found: NumberMatch[] = []
  for (const match of text.matchAll(numberPattern)) {
    const groups = match.groups ?? {}
    const raw = groups['digits'] ?? ''
    const start = match.index + match[0].indexOf(raw)
    const rest = text.slice(start + raw.length)
    const before = text.slice(Math.max(0, start - besideMax), start)
    // Runs such as 12/03, 10:30, 1-2-3, A-12 or 192.168.1.1 are not numbers.
    if (/^(?:[/:]\d|[.,]\d|[-–]\d|\p{L}{1,2}\d|['’]\d)/u.test(rest) || /(?:\d[/:.,-]|\p{L}[-/.])$/u.test(before))
      continue
    if (multiples.test(rest) || (shortMultiples.test(rest) && !/[.,]\d{2}$/.test(raw))) continue
    // `.5`: the digits in front of the mark were left out.
    if (/(?:^|[\s\p{Sc}:])[.,]$/u.test(before)) continue
    const parts = partDigits(raw, style, groups['dash'])
    if (parts === null || parts.whole.length > 15) continue
    const bracketed = groups['open'] !== undefined && groups['close'] !== undefined
    const tail = (groups['tail'] ?? '').trim()
    const [left, right] = [source.slice(Math.max(0, start - besideMax), start), source.slice(start + raw.length)]
    const minus =
      /[-–−]/u.test(`${groups['sign'] ?? ''}${groups['mark'] ?? ''}`) || isSignedCurrency(left) || isSignedBehind(right)
    const isBetweenBrackets = (bracketed || isInBrackets(left, right)) && !isRemark(left, raw, right)
    const negative = isBetweenBrackets || minus || /^(?:[-–−]|CR|Cr)$/u.test(tail)
    const magnitude = Number(`${parts.whole}.${parts.fraction || '0'}`)
    found.push({
      start:
        groups['close'] !== undefined && !bracketed
          ? start
          : match.index + (match[0].length - match[0].trimStart().length),
      end: match.index + match[0].trimEnd().length,
      value: negative && magnitude !== 0 ? -magnitude : magnitude,
      decimals: parts.fraction.length,
      percent: groups['percent'] !== undefined,
      open: parts.open,
      tail,
      printed: raw,
    })
  }
  return found
}

const withPoint = remembered((text) => numbersOf(text, 'point'))
const withComma = remembered((text) => numbersOf(text, 'comma'))

/**
 * The numbers of a text from left to right: thousands separated by `, . ' ` or a space, either decimal mark, signs
 * before and after, brackets and `CR` as minus, a percent sign. Digits of words, dates, times and ids are not numbers.
 */
export const findNumbers = (text: string, style: NumberStyle): readonly NumberMatch[] =>
  isDisguised(text) ? [] : style === 'point' ? withPoint(text) : withComma(text)

/** True for a text that does not show the numbers that it has: with an override of direction, or accents on digits and marks. */
const isDisguised = (text: string): boolean => /[\u202d\u202e]|[\d.,][\u0300-\u036f]/u.test(text)

/**
 * The decimal mark shown by amounts with two decimals, and by dashes instead of decimals: `1.234,-`. Without these, a
 * mark in front of three digits of an amount separates thousands, so the other one is the decimal mark. Null when
 * nothing shows it, or the evidence conflicts.
 */
export function shownNumberStyle(texts: Iterable<string>): NumberStyle | null {
  let point = 0
  let comma = 0
  let thousandsPoint = 0
  let thousandsComma = 0
  for (const text of texts) {
    if (!/\d/.test(text)) continue
    point += text.match(/(?<![\d.,/])\d[\d,' ]{0,40}\.(?:\d{2}(?![\d.,/-])|[-–—]{1,2}(?!\d))/g)?.length ?? 0
    comma += text.match(/(?<![\d.,/])\d[\d.' ]{0,40},(?:\d{2}(?![\d.,/-])|[-–—]{1,2}(?!\d))/g)?.length ?? 0
    if (!/\d[.,]\d{3}(?!\d)/.test(text) || findCurrencies(text).length === 0) continue
    thousandsPoint += text.match(/(?<![\d.,/])[1-9]\d{0,2}\.\d{3}(?![\d.,/-])/g)?.length ?? 0
    thousandsComma += text.match(/(?<![\d.,/])[1-9]\d{0,2},\d{3}(?![\d.,/-])/g)?.length ?? 0
  }
  if (comma !== point) return comma > point ? 'comma' : 'point'
  if (comma > 0 || thousandsPoint === thousandsComma) return null
  return thousandsPoint > thousandsComma ? 'comma' : 'point'
}

/** The decimal mark that a single printed number shows; null when ambiguous. */
function markShown(number: string): NumberStyle | null {
  const marks = number.replace(/\d/gu, '')
  const last = marks.at(-1)
  if (last === undefined) return null
  const own: NumberStyle = last === ',' ? 'comma' : 'point'
  if (marks.length > 1 && marks[0] === last)
    return /^\d{1,3}(?:[.,]\d{3})+$/u.test(number) ? (own === 'comma' ? 'point' : 'comma') : null
  if (marks.length > 1) return own
  return /^[1-9]\d{0,2}[.,]\d{3}$/u.test(number) ? null : own
}

const lettersMax = 4

/**
 * The decimal mark that the numbers of one column show, with any number of decimals. Null when nothing shows it, or the
 * evidence conflicts.
 */
export function columnNumberStyle(texts: Iterable<string>): NumberStyle | null {
  const shown = new Set<NumberStyle>()
  for (const text of texts) {
    // More letters than a currency or unit has are words, which may contain a version or section number.
    if (text.replace(/\P{L}/gu, '').length > lettersMax) continue
    for (const [number] of text.matchAll(/(?<![\d.,/:])\d[\d.,]*\d(?![\d.,/:])/gu)) {
      const style = markShown(number)
      if (style !== null) shown.add(style)
    }
  }
  const [style] = shown
  return shown.size === 1 && style !== undefined ? style : null
}
