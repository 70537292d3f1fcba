import { isCurrencyCode } from '../languages/currencies.ts'
import { isWordOfForms } from '../languages/form-words.ts'
import { isUnit } from '../languages/units.ts'

/** A recognised part of a text: IBANs in normal form, all else as printed. */
export interface TextMatch {
  readonly start: number
  readonly end: number
  readonly value: string
}

const emailPattern = /[\p{L}\p{N}._%+-]{1,64}@[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)*\.\p{L}{2,24}/gu
const urlPattern =
  /(?:https?:\/\/|www\.)[^\s<>"')\]]+|(?<![@\p{L}\p{N}.-])[\p{L}\p{N}-]{2,}(?:\.[\p{L}\p{N}-]+)*\.(?:com|org|net|io|eu|de|fr|es|it|nl|pt|co\.uk|be|at|ch|com\.my|my|info|biz|shop)(?:\/[^\s<>"')\]]*)?(?![\p{L}\p{N}@])/giu
const phonePattern = /(?<![\p{L}\d/.,-])(?:\+|00)?\(?\+?\d[\d\s()./–-]{5,22}\d(?![\d\p{L}])/gu
const ibanPattern = /(?<![\p{L}\d])[A-Z]{2}\s?[\dOQISZB]{2}(?:\s?[A-Z0-9]){11,30}(?![A-Z0-9])/gu
const vatPattern =
  /(?<![\p{L}\d])(?:AT\s?U\s?\d{8}|CHE[-\s.]?\d{3}[.\s]?\d{3}[.\s]?\d{3}(?:\s?(?:MWST|TVA|IVA))?|(?:BE|BG|CY|CZ|DE|DK|EE|EL|ES|FI|FR|GB|HR|HU|IE|IT|LT|LU|LV|MT|NL|PL|PT|RO|SE|SI|SK|XI)[\s-]?[A-Z0-9](?:[\s.-]?[A-Z0-9]){6,11})(?![\p{L}\d])/gu

function collect(text: string, pattern: RegExp, read: (piece: string) => string | null): TextMatch[] {
  const found: TextMatch[] = []
  for (const match of text.matchAll(pattern)) {
    const value = read(match[0])
    if (value !== null) found.push({ start: match.index, end: match.index + match[0].length, value })
  }
  return found
}

export const findEmails = (text: string): TextMatch[] =>
  text.includes('@') ? collect(text, emailPattern, (piece) => piece.replace(/^[.]+/, '')) : []

/** The web addresses of a text, with or without a scheme, as printed. */
export const findUrls = (text: string): TextMatch[] =>
  text.includes('.') ? collect(text, urlPattern, (piece) => piece.replace(/[.,;:]+$/, '')) : []

/** The phone numbers of a text as printed: 7 to 15 digits (ITU-T E.164). */
export const findPhones = (text: string): TextMatch[] =>
  collect(text, phonePattern, (piece) => {
    const count = piece.replace(/\D/g, '').length
    if (count < 7 || count > 15 || /^\d{4}-\d{2}-\d{2}$/.test(piece) || /\d{1,2}[./]\d{1,2}[./]\d{4}/.test(piece))
      return null
    if (/\d\.\d{2}$/.test(piece)) return null
    // Exclude postcodes of Brazil and Portugal, and registration numbers of Brazilian companies.
    if (/^(?:\d{4,5}-\d{3}|\d{2}\.?\d{3}\.?\d{3}\/\d{4}-\d{2})$/.test(piece.trim())) return null
    return piece.trim()
  })

/** IBAN lengths by country, from the ISO 13616 registry. For other countries only the check digits are verified. */
const ibanLengths: Readonly<Record<string, number>> = {
  AD: 24,
  AE: 23,
  AT: 20,
  BE: 16,
  BG: 22,
  CH: 21,
  CY: 28,
  CZ: 24,
  DE: 22,
  DK: 18,
  EE: 20,
  ES: 24,
  FI: 18,
  FR: 27,
  GB: 22,
  GI: 23,
  GR: 27,
  HR: 21,
  HU: 28,
  IE: 22,
  IS: 26,
  IT: 27,
  LI: 21,
  LT: 20,
  LU: 20,
  LV: 21,
  MC: 27,
  MT: 31,
  NL: 18,
  NO: 15,
  PL: 28,
  PT: 25,
  RO: 24,
  SA: 24,
  SE: 24,
  SI: 19,
  SK: 24,
  SM: 27,
  TR: 26,
}

/** Verifies the check digits of an IBAN (ISO 13616, modulus 97). Spaces are allowed. */
export function isIban(text: string): boolean {
  const compact = text.replace(/\s/g, '').toUpperCase()
  if (!/^[A-Z]{2}\d{2}[A-Z0-9]{11,30}$/.test(compact)) return false
  const length = ibanLengths[compact.slice(0, 2)]
  if (length !== undefined && compact.length !== length) return false
  let rest = 0
  for (const letter of compact.slice(4) + compact.slice(0, 4)) {
    const value = Number.parseInt(letter, 36)
    rest = (value > 9 ? rest * 100 + value : rest * 10 + value) % 97
  }
  return rest === 1
}

/** Letters that OCR confuses with digits. */
const digitForLetter: Readonly<Record<string, string>> = { O: '0', Q: '0', I: '1', Z: '2', S: '5', B: '8' }
/** A text with fewer digits is capitalised words. */
const figuresOfIbanMin = 8

/**
 * The IBAN of a text, with misread letters among its check digits corrected and a letter duplicated next to its digit
 * removed; null if the piece is not an IBAN.
 */
function readIban(piece: string): string | null {
  const compact = piece.replace(/\s/g, '')
  if (isIban(compact)) return compact
  if (compact.replace(/\D/g, '').length < figuresOfIbanMin) return null
  const rest = compact.slice(2)
  const asFigures = [...rest.slice(0, 2)].map((sign) => digitForLetter[sign] ?? sign).join('')
  const settled = [asFigures + rest.slice(2), rest.replace(/^([OQISZB])(?=\d\d)/, '')].map(
    (end) => compact.slice(0, 2) + end,
  )
  return settled.find(isIban) ?? null
}

/** The IBANs of a text with valid check digits, without spaces and trailing capitalised words. */
export const findIbans = (text: string): TextMatch[] => ibansBy(readIban, text)

/**
 * Texts with the letters, the figures and the length of a country's IBANs, whose check digits are wrong: misprinted, or made up as in a sample.
 */
export const findMisprintedIbans = (text: string): TextMatch[] => ibansBy(readMisprinted, text)

function readMisprinted(piece: string): string | null {
  const compact = piece.replace(/\s/g, '')
  const isLike = /^[A-Z]{2}\d\d/.test(piece) && compact.length === ibanLengths[compact.slice(0, 2)]
  return isLike && compact.replace(/\D/g, '').length >= figuresOfIbanMin && !isIban(compact) ? compact : null
}

function ibansBy(read: (piece: string) => string | null, text: string): TextMatch[] {
  const found: TextMatch[] = []
  const pattern = new RegExp(ibanPattern)
  for (let match = pattern.exec(text); match !== null; match = pattern.exec(text)) {
    const start = match.index
    let piece = match[0]
    let value = read(piece)
    while (value === null && piece !== '') {
      piece = piece.replace(/\s*\S*$/u, '')
      value = read(piece)
    }
    if (value !== null) found.push({ start, end: start + piece.length, value })
    // The pattern may have taken the beginning of another one for the end of this.
    pattern.lastIndex = start + Math.max(1, piece.length)
  }
  return found
}

const ibanStart = /^[A-Z]{2}\d{2}(?:\s?[A-Z0-9]{4}){3,}/

/** The start of an IBAN looks like a VAT number. */
const withoutIbanStarts = (text: string, found: readonly TextMatch[]): TextMatch[] =>
  found.filter((match) => !ibanStart.test(text.slice(match.start)))

/** Letters after the prefix: no country has more, and a text with more has a word. */
const vatLettersMax = 3

function readVatNumber(piece: string): string | null {
  const own = piece.replace(/^[A-Z]{2,3}|(?:MWST|TVA|IVA)$/g, '')
  const isShort = own.replace(/[^A-Z]/g, '').length <= vatLettersMax
  return isShort && piece.replace(/\D/g, '').length >= 6 && !isIban(piece) ? piece.trim() : null
}

/** The VAT numbers of a text with a country prefix, as printed. */
export const findVatNumbers = (text: string): TextMatch[] =>
  withoutIbanStarts(text, collect(text, vatPattern, readVatNumber))

/** A comma belongs to an identifier only as a separator between groups of three digits. */
const idToken = /^[#№]?[\p{L}\p{N}](?:[\p{L}\p{N}./_\\&+*-]|(?<=\d),(?=\d{3}(?!\d)))*$/u

/** The value of an identifier of digits, with or without groups of three. */
export function numberOfId(text: string): number | undefined {
  const digits = /^\d{1,3}(?:[.,'’]\d{3})+$/u.test(text) ? text.replace(/\D/gu, '') : text
  return /^\d{1,15}$/.test(digits) ? Number(digits) : undefined
}

interface Token {
  readonly text: string
  readonly start: number
}

const group = String.raw`(?:(?=\p{Lu}*\d)[\p{Lu}\d]+|\p{Lu}{1,3})(?:[./-][\p{Lu}\d]+)*`
const groups = new RegExp(
  String.raw`(?<![\p{L}\p{N}])(?<![\p{N}][.,/-])${group}(?: (?:/ )?${group}){1,7}(?![\p{L}\p{N}]|[.,/-]\p{N})`,
  'gu',
)
const codeDigitsMin = 3
/** Two numbers in a row are one code only if they are long. */
const pairDigitsMin = 9
const codeLettersMax = 40

/** The codes of a text that are written in groups of capitals and figures: `QQ 12 34 56 C`, `BOR-HE 418`, `800 214 663`. */
export function findSpacedCodes(text: string): TextMatch[] {
  if (!/\d/.test(text) || !text.includes(' ')) return []
  return [...text.matchAll(groups)].flatMap((match): TextMatch[] => {
    const parts = match[0].split(' ')
    // A label in front and a unit or currency behind are no parts of it.
    const isPlain = (part: string | undefined): part is string => part !== undefined && !/\d/.test(part)
    let start = match.index
    while (isPlain(parts[0]) && (isWordOfForms(parts[0]) || parts[0] === '/')) start += (parts.shift() ?? '').length + 1
    while (isPlain(parts.at(-1)) && (isUnit(parts.at(-1) ?? '') || isCurrencyCode(parts.at(-1) ?? ''))) parts.pop()
    const value = parts.join(' ')
    const digits = value.replace(/\D/g, '').length
    const isPair = parts.length === 2 && /^[\d ]+$/.test(value)
    const digitsMin = isPair ? pairDigitsMin : /\p{Lu}\d|\d\p{Lu}/u.test(value) ? 1 : codeDigitsMin
    return parts.length < 2 || digits < digitsMin || value.length > codeLettersMax
      ? []
      : [{ start, end: start + value.length, value }]
  })
}

/**
 * The first identifier of a text: a token with a digit, joined with adjacent short parts that belong to it (`INV 2023
 * 001`, `A-12 / 7`). Plain words are not identifiers.
 */
export function findIdentifier(text: string): TextMatch | null {
  const tokens = [...text.matchAll(/\S+/g)].map((match) => ({ text: match[0], start: match.index }))
  const at = tokens.findIndex((token) => /\d/.test(token.text))
  const middle = tokens[at]
  if (middle === undefined || at > 2) return null
  const [spaced] = findSpacedCodes(text)
  if (spaced !== undefined && spaced.start <= middle.start && /^\s*(?:[,;(|–].*)?$/su.test(text.slice(spaced.end)))
    return spaced
  const clean = middle.text.replace(/^[:#.(]+|[.,;:)]+$/g, '')
  const first = clean !== '' && idToken.test(clean) ? firstPart(tokens, at) : null
  if (first === null) return null
  const own = middle.start + middle.text.indexOf(clean)
  const last = tokens[lastPart(tokens, at, clean)]
  const start = first < at ? (tokens[first]?.start ?? 0) : own
  const end = last === undefined || last === middle ? own + clean.length : last.start + last.text.length
  return { start, end, value: text.slice(start, end) }
}

/** The place of the token that the identifier begins with: a prefix of capitals, or its own. Null: the words before it are no label. */
function firstPart(tokens: readonly Token[], at: number): number | null {
  const before = tokens[at - 1]?.text ?? ''
  if (at === 1 && /^[A-Z]{1,5}[-/.]?$/.test(before)) return 0
  return at === 0 || /^(?:no|nr|n|num|:|#|-)[.:°º]?$/iu.test(before) ? at : null
}

/** The place of the token that it ends with: groups of digits belong to it only when nothing else follows them. */
function lastPart(tokens: readonly Token[], at: number, clean: string): number {
  let last = at
  while (/^(?:\d{1,6}|[/-])$/.test(tokens[last + 1]?.text ?? '') && last - at < 4 && /^[\d A-Z/-]*$/.test(clean)) last++
  return last < tokens.length - 1 ? at : last
}
