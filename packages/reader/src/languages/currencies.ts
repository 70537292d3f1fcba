import { remembered } from '../layout/remembered.ts'

/** A currency found in a text. */
export interface CurrencyMatch {
  readonly start: number
  readonly end: number
  /** ISO 4217 code. */
  readonly code: string
  /** True when the text contains the code, false when it follows from a symbol or a word. */
  readonly isCode: boolean
  /** True for a code that says which dollars the `$` before its amount means: `$ 18,450.00 MXN`. */
  readonly namesDollar?: boolean
}

/** ISO 4217 codes in circulation, without funds and metals. */
const codes = new Set(
  (
    'AED AFN ALL AMD ANG AOA ARS AUD AWG AZN BAM BBD BDT BGN BHD BIF BMD BND BOB BRL BSD BTN BWP BYN BZD CAD CDF CHF CLP CNY ' +
    'COP CRC CUP CVE CZK DJF DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GNF GTQ GYD HKD HNL HRK HTG HUF IDR ILS ' +
    'INR IQD IRR ISK JMD JOD JPY KES KGS KHR KMF KPW KRW KWD KYD KZT LAK LBP LKR LRD LSL LYD MAD MDL MGA MKD MMK MNT MOP MRU ' +
    'MUR MVR MWK MXN MYR MZN NAD NGN NIO NOK NPR NZD OMR PAB PEN PGK PHP PKR PLN PYG QAR RON RSD RUB RWF SAR SBD SCR SDG SEK ' +
    'SGD SHP SLE SOS SRD SSP STN SVC SYP SZL THB TJS TMT TND TOP TRY TTD TWD TZS UAH UGX USD UYU UZS VES VND VUV WST XAF XCD ' +
    'XOF XPF YER ZAR ZMW'
  ).split(' '),
)

/** Codes that are also capitalised words, so they need an amount beside them. */
const wordCodes = new Set(['ALL', 'TOP', 'CUP', 'TRY', 'COP', 'MAD', 'LAK', 'PEN', 'GEL', 'BAM', 'SOS', 'CAD', 'RON'])

const symbols: Readonly<Record<string, string>> = {
  '€': 'EUR',
  '£': 'GBP',
  $: 'USD',
  US$: 'USD',
  A$: 'AUD',
  AU$: 'AUD',
  C$: 'CAD',
  CA$: 'CAD',
  NZ$: 'NZD',
  HK$: 'HKD',
  S$: 'SGD',
  R$: 'BRL',
  MX$: 'MXN',
  NT$: 'TWD',
  '¥': 'JPY',
  '￥': 'JPY',
  '₹': 'INR',
  Rs: 'INR',
  'Rs.': 'INR',
  '₽': 'RUB',
  '₩': 'KRW',
  '₺': 'TRY',
  '₪': 'ILS',
  '฿': 'THB',
  '₫': 'VND',
  '₱': 'PHP',
  '₦': 'NGN',
  '₴': 'UAH',
  RM: 'MYR',
  zł: 'PLN',
  Kč: 'CZK',
  Ft: 'HUF',
  'Fr.': 'CHF',
  SFr: 'CHF',
  Euro: 'EUR',
  EURO: 'EUR',
  Euros: 'EUR',
}

const symbolPattern =
  /(?<!\p{L})(?:(?:US|AU|CA|NZ|HK|MX|NT|[ACSR])\$|Rs\.?|RM|SFr|Fr\.|zł|Kč|Ft|Euros?|EURO)(?=$|[\s\d:.,()[\]/*-])|[€£$¥￥₹₽₩₺₪฿₫₱₦₴]/gu
const codePattern = /(?<![\p{L}\p{N}])[A-Z]{3}(?=$|[^\p{L}]|\p{N})|(?<=\d[.,]\d{2})[A-Z]{3}(?![\p{L}\p{N}])/gu

/** True for letters that belong to an identifier: `CVE-2024-1234`, `SEK_12`. A minus with an amount is not one of them. */
const isPartOfCode = (text: string, start: number, end: number): boolean =>
  text[start - 1] === '_' || /^(?:_|[-–]\d(?![\d.,'’]*[.,]\d{2}(?!\d)))/u.test(text.slice(end))

/** What may follow a symbol without a space: a country, a multiple. */
const symbolEnds = /^(?:US|USD|CA|CAN|CAD|AU|AUD|NZ|NZD|HK|HKD|SG|SGD|MX|MXN|bn|mn|mio|mil|tsd|mrd)(?!\p{L})/iu

/** True when a symbol begins the name of something: `$HOME`, `${name}`. */
const isPartOfName = (behind: string): boolean => /^(?:[_{]|\(\p{L}|\p{L}{2})/u.test(behind) && !symbolEnds.test(behind)

/** The currencies that a text names by code, symbol or abbreviation, from left to right. */
export const findCurrencies: (text: string) => readonly CurrencyMatch[] = remembered((text) => {
  const found: CurrencyMatch[] = []
  for (const match of text.matchAll(codePattern)) {
    if (!codes.has(match[0])) continue
    const end = match.index + match[0].length
    if (isPartOfCode(text, match.index, end)) continue
    const around = `${text.slice(Math.max(0, match.index - 2), match.index)}_${text.slice(end, end + 2)}`
    if (wordCodes.has(match[0]) && !/\d/.test(around)) continue
    found.push({ start: match.index, end, code: match[0], isCode: true })
  }
  for (const match of text.matchAll(symbolPattern)) {
    const code = symbols[match[0]]
    // A province follows a town and its postcode: `00185 Roma (RM)`.
    if (match[0] === 'RM' && /\d{5}\s+\p{L}[\p{L}\s'’]*[(-]\s?$/u.test(text.slice(0, match.index))) continue
    if (isPartOfName(text.slice(match.index + match[0].length))) continue
    if (code !== undefined) found.push({ start: match.index, end: match.index + match[0].length, code, isCode: false })
  }
  found.sort((a, b) => a.start - b.start)
  return found.flatMap((one, at) => {
    const before = found[at - 1]
    if (!one.isCode) return isNamedBy(text, one, found[at + 1]) ? [] : [one]
    const namesDollar = before !== undefined && isDollarSign(text, before) && isNamedBy(text, before, one)
    return namesDollar ? [{ ...one, namesDollar }] : [one]
  })
})

/** True for a symbol that the code behind its amount explains: `$ 18,450.00 MXN`. */
const isNamedBy = (text: string, one: CurrencyMatch, next: CurrencyMatch | undefined): boolean =>
  next?.isCode === true &&
  (next.code === one.code || (isDollarSign(text, one) && dollars.has(next.code))) &&
  /^\s?[\d.,'’ ]*\d\s?$/u.test(text.slice(one.end, next.start)) &&
  !/^\s?\d/.test(text.slice(next.end))

/** Currencies that are written with `$`. */
export const dollars = new Set('USD CAD AUD NZD MXN HKD SGD ARS CLP COP'.split(' '))

/** True for `$`, which may be any of the dollars. */
export const isDollarSign = (text: string, { start, end }: CurrencyMatch): boolean => text.slice(start, end) === '$'

/** True for a code that is no word: `total_all` is not in lek. */
export const isCurrencyCode = (text: string): boolean => codes.has(text) && !wordCodes.has(text)

/** A text without the currencies that it names. */
export const withoutCurrencies = (text: string): string =>
  findCurrencies(text).reduceRight((rest, { start, end }) => rest.slice(0, start) + rest.slice(end), text)
