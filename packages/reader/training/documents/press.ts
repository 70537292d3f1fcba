import type PDFDocument from 'pdfkit'
import { type Day, writeDay } from './dates.ts'
import { type FontFamily, pickFontFamily } from './fonts.ts'
import { type MoneyForm, writeMoney, writeQuantity } from './money.ts'
import type { Random } from './random.ts'
import { type LabelKey, pickLabel, plainLabel, type Split } from './words/lexicon.ts'
import type { Locale } from './words/locale.ts'
import { trainWordings } from './words/train-wordings.ts'

/** How one document looks: drawn once, the same on all its pages. Lengths in points. */
export interface Style {
  readonly family: FontFamily
  readonly size: number
  readonly margin: number
  readonly accent: string
  readonly ink: string
  readonly grey: string
  /** What follows a label that stands before its value. */
  readonly suffix: string
  readonly caps: boolean
  readonly lineGap: number
}

/** All that a layout needs to draw: the page, the look, and the document's way to write words, numbers and days. */
export interface Press {
  readonly doc: InstanceType<typeof PDFDocument>
  readonly random: Random
  readonly locale: Locale
  readonly split: Split
  readonly style: Style
  /** Where a roll of paper is cut, set by the layouts that print on one; null on pages. */
  readonly roll: { cutY: number | null }
  /** The label's wording in this document (always the same), without its suffix. */
  label(key: LabelKey): string
  /** The label's plainest wording. */
  plainLabel(key: LabelKey): string
  money(cents: number): string
  /** Money without its currency. */
  bare(cents: number): string
  quantity(value: number): string
  day(day: Day): string
  /** What to print where the document states its currency in a line of its own, else null. */
  readonly currencyLine: string | null
  /** Whether anything printed so far names the currency. */
  readonly currency: { isShown: boolean }
  /** The currency's code, for layouts that state it in a place of their own. */
  currencyCode(): string
}

const ACCENTS = ['#1f4e79', '#2e7d32', '#8b1a1a', '#444444', '#0b6e75', '#5b3a8c', '#c0561f', '#000000']

export function pickStyle(random: Random, use: 'page' | 'till', split: Split): Style {
  const size = use === 'till' ? random.pick([7.5, 8, 8.5, 9]) : random.pick([8, 8.5, 9, 9.5, 10, 10.5])
  return {
    family: pickFontFamily(random, use, split),
    size,
    margin: use === 'till' ? random.int(10, 18) : random.int(34, 64),
    accent: random.pick(ACCENTS),
    ink: random.pick(['#000000', '#111111', '#222222', '#2b2b33']),
    grey: random.pick(['#555555', '#666666', '#444444']),
    suffix: random.weighted([
      [5, ':'],
      [3, ''],
      [1, ' :'],
    ]),
    caps: random.chance(0.12),
    lineGap: random.pick([1.5, 2, 2.5, 3, 4]),
  }
}

export interface PressOptions {
  readonly doc: InstanceType<typeof PDFDocument>
  readonly random: Random
  readonly locale: Locale
  /** A second language for bilingual labels. */
  readonly second: Locale | null
  readonly split: Split
  readonly style: Style
  readonly moneyForm: MoneyForm
  readonly dateForm: string
  /** Where the currency's code is stated beside the amounts' own form. */
  readonly currencyNote: 'line' | 'column' | 'total' | null
}

/** Labels that carry the currency's code for each kind of note. */
const NOTED: Readonly<Record<'column' | 'total', readonly LabelKey[]>> = {
  column: ['amount', 'receiptAmount', 'movementAmount', 'moneyIn'],
  total: ['total', 'orderTotal', 'receiptTotal', 'closing'],
}

/** Wordings with the currency in them. */
const namesEuro = /€|(?<!\p{L})EUR(?!\p{L})/u

/** Words between values, which no form doubles. */
const SINGLE: readonly LabelKey[] = ['to', 'of', 'page', 'attention']

export function createPress(options: PressOptions): Press {
  const { doc, random, locale, second, split, style, moneyForm, dateForm, currencyNote } = options
  const noted = currencyNote === null || currencyNote === 'line' ? [] : NOTED[currencyNote]
  const voice = random.fork('labels')
  const chosen = new Map<LabelKey, string>()
  const wordingOf = (from: Locale, key: LabelKey) => {
    if (split === 'train')
      return voice.pick(
        trainWordings(from, key).filter((wording) => moneyForm.code === 'EUR' || !namesEuro.test(wording)),
      )
    return pickLabel(voice, { ...from.lexicon.labels, ...from.labels }[key])
  }
  const currency = { isShown: false }
  const withNote = (key: LabelKey, text: string) => {
    if (!noted.includes(key)) return text
    currency.isShown = true
    return noteCurrency(text, moneyForm.code, currencyNote)
  }
  return {
    doc,
    random: random.fork('layout'),
    locale,
    split,
    style,
    roll: { cutY: null },
    label(key) {
      const known = chosen.get(key)
      if (known !== undefined) return known
      const first = wordingOf(locale, key)
      const other = second === null || SINGLE.includes(key) ? first : wordingOf(second, key)
      const both = other.toLowerCase() === first.toLowerCase() ? first : `${first} / ${other}`
      const cased = style.caps ? both.toUpperCase() : both
      if (moneyForm.code === 'EUR' && namesEuro.test(both)) currency.isShown = true
      const text = withNote(key, cased)
      chosen.set(key, text)
      return text
    },
    plainLabel: (key) => withNote(key, plainLabel({ ...locale.lexicon.labels, ...locale.labels }, key)),
    currency,
    get currencyLine() {
      if (currencyNote !== 'line') return null
      currency.isShown = true
      return moneyForm.code
    },
    currencyCode() {
      currency.isShown = true
      return moneyForm.code
    },
    money(cents) {
      if (moneyForm.place !== 'none') currency.isShown = true
      return writeMoney(cents, moneyForm)
    },
    bare: (cents) => writeMoney(cents, { ...moneyForm, place: 'none' }),
    quantity: (value) => writeQuantity(value, moneyForm),
    day: (day) => writeDay(day, dateForm, locale.lexicon.months),
  }
}

const noteCurrency = (text: string, code: string, note: PressOptions['currencyNote']) =>
  note === 'column' ? `${text} (${code})` : `${text} ${code}`
