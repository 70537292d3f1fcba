import { assert } from '@skillrun/core/assert.ts'
import type PDFDocument from 'pdfkit'
import { type Day, writeDay } from './dates.ts'
import { type FontFamily, pickFontFamily } from './fonts.ts'
import { type MoneyForm, writeMoney, writeQuantity } from './money.ts'
import type { Random } from './random.ts'
import type { Locale, Split } from './words.ts'

/** The style of a document, chosen once for all its pages. Lengths in points. */
export interface Style {
  readonly family: FontFamily
  readonly size: number
  readonly margin: number
  readonly accent: string
  readonly ink: string
  readonly grey: string
  /** The text after a label in front of its value. */
  readonly suffix: string
  readonly caps: boolean
  readonly lineGap: number
}

/** What a layout draws on: the PDF, its style, and the document's way to write words, numbers and dates. */
export interface Canvas {
  readonly doc: InstanceType<typeof PDFDocument>
  readonly random: Random
  readonly locale: Locale
  readonly style: Style
  /** The cutting position of a receipt roll, set by its layout; null on pages. */
  readonly roll: { cutY: number | null }
  /** The wording of a label without its suffix, constant throughout the document. */
  label(key: string): string
  /** The plainest wording of a label, for documents that print something else with a similar name. */
  plainLabel(key: string): string
  /** Entries of a list that no schema asks for. */
  printed(key: string): readonly string[]
  money(cents: number): string
  /** Money without its currency. */
  bare(cents: number): string
  quantity(value: number): string
  day(day: Day): string
  /** What to print when the document states its currency on its own line, else null. */
  readonly currencyLine: string | null
  /** Whether the currency has been printed so far. */
  readonly currency: { isShown: boolean }
  /** The currency's code, for layouts that print it in a separate place. */
  currencyCode(): string
}

const ACCENTS = ['#1f4e79', '#2e7d32', '#8b1a1a', '#444444', '#0b6e75', '#5b3a8c', '#c0561f', '#000000']

export function pickStyle(random: Random, paper: 'page' | 'roll', split: Split): Style {
  const size = paper === 'roll' ? random.pick([7.5, 8, 8.5, 9]) : random.pick([8, 8.5, 9, 9.5, 10, 10.5])
  return {
    family: pickFontFamily(random, paper, split),
    size,
    margin: paper === 'roll' ? random.int(10, 18) : random.int(34, 64),
    accent: random.pick(ACCENTS),
    ink: random.pick(['#000000', '#111111', '#222222', '#2b2b33']),
    grey: random.pick(['#555555', '#666666', '#444444']),
    suffix: random.weighted([5, ':'], [3, ''], [1, ' :']),
    caps: random.chance(0.12),
    lineGap: random.pick([1.5, 2, 2.5, 3, 4]),
  }
}

export interface CanvasOptions {
  readonly doc: InstanceType<typeof PDFDocument>
  readonly random: Random
  readonly locale: Locale
  /** A second language for bilingual labels. */
  readonly second: Locale | null
  readonly style: Style
  readonly moneyForm: MoneyForm
  readonly dateForm: string
  /** Where the currency's code is printed in addition to the amounts. */
  readonly currencyNote: 'line' | 'column' | 'total' | null
}

/** Labels that include the currency's code, by kind of note. */
const NOTED: Readonly<Record<'column' | 'total', readonly string[]>> = {
  column: ['amount', 'receiptAmount', 'movementAmount', 'moneyIn'],
  total: ['total', 'orderTotal', 'receiptTotal', 'closing'],
}

/** Wordings that contain the currency. */
const namesEuro = /€|(?<!\p{L})EUR(?!\p{L})/u

/** Words between values, which are never bilingual. */
const SINGLE: readonly string[] = ['to', 'of', 'page', 'attention']

export function createCanvas(options: CanvasOptions): Canvas {
  const { doc, random, locale, second, style, moneyForm, dateForm, currencyNote } = options
  const noted = currencyNote === null || currencyNote === 'line' ? [] : NOTED[currencyNote]
  const voice = random.fork('labels')
  const chosen = new Map<string, string>()
  const wordingOf = ({ id, labels, ownLabels }: Locale, key: string) => {
    const own = ownLabels[key]
    const wordings = own !== undefined && voice.chance(0.5) ? own : labels[key]
    assert(wordings !== undefined, `${id} has no wording of ${key}`)
    return voice.pick(wordings.filter((wording) => moneyForm.code === 'EUR' || !namesEuro.test(wording)))
  }
  const currency = { isShown: false }
  const withNote = (key: string, text: string) => {
    if (!noted.includes(key)) return text
    currency.isShown = true
    return currencyNote === 'column' ? `${text} (${moneyForm.code})` : `${text} ${moneyForm.code}`
  }
  return {
    doc,
    random: random.fork('layout'),
    locale,
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
    plainLabel: (key) => withNote(key, locale.labels[key]?.[0] ?? key),
    printed(key) {
      const list = locale.printed[key]
      assert(list !== undefined, `${locale.id} prints no ${key}`)
      return list
    },
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
    day: (day) => writeDay(day, dateForm, locale),
  }
}
