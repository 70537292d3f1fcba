import type { Finding } from '../extract/assemble.ts'
import { isWordsOfLabels } from '../languages/label-words.ts'
import type { PageLayout } from '../layout/layout.ts'
import type { PlacedWord } from '../layout/placed-words.ts'
import type { Field } from '../layout/sheet.ts'
import { tokensOf } from '../layout/text.ts'
import { addressScore, hasLegalForm, hasTown } from '../values/addresses.ts'
import { breaksOff, textBehind } from './name-checks.ts'

const idOf = (field: Field): string => field.plan.meaning.concept?.id ?? ''

/** Phone numbers and tax numbers, which are not document numbers. */
const notNumber = /^\+?\d+(?:[ .-]\d{2,4}){2,}$|^(?:CHE|[A-Z]{2,3})[- ]?\d{3}[. ]?\d{3}[. ]?\d{3}$/u

/** A page number with the page count: `1of 3`, or `10f` where OCR read the o as a zero. */
const pageOf = /^\d{1,3}\s?(?:[oO0]f|OF)\s?\d{0,3}$/u

/** The attention line of a letter. */
const attention = /^(?:at(?:t|tn|te)\b|z\.? ?hd|t\.? ?a\.? ?v|[aà] l[’']att|all[’']att|ao? c\/|c\/o)/iu

/** The minimum number of digits of a phone number. */
const phoneDigitsMin = 7

/** An amount with less confidence that no sum confirms is wrong as often as right. */
const amountConfidenceMin = 0.7

/** An amount of money at the end of a text or among numbers: `13 117,99`. */
const amountInText = /(?:^|\s)[€£$]?\d{1,3}(?:[.,' ]?\d{3})*[.,]\d\d(?=\s*$|\s+[\d€£$])/u

/** A month or year in front of the description of a movement: `mar Compra`. */
const monthBefore = /^(?:\p{Ll}{3,4}\.?|(?:19|20)\d\d) \p{Lu}/u

/** True for text that is not a code: more than two words, or two with a dictionary word. */
function isSentence(text: string): boolean {
  const words = text.trim().split(/\s+/u)
  const plain = words.filter((word) => /^\p{L}{4,}$/u.test(word) && !/^\p{Lu}+$/u.test(word))
  return words.length > 3 || (words.length > 1 && plain.length > 0)
}

/** A name that ends in a function word is a label or a sentence: `Ordinato presso`, `Spett.`. */
const endsSmall = /(?:^|\s)(?!mbh|mbb|e\.? ?k|e\.? ?v|d\.? ?o\.? ?o|a\.? ?s\b|s\.? ?r)\p{Ll}[\p{Ll}’']{2,}[.:]?$/u

/** A name followed by an address on the same line: `Lodge Ltd · 216 Queensway · Wellington 6061`. */
const nameAndPlace =
  /\s[·|•–—-]\s.*(?:\d|\s[·|•–—-]\s)|\s[·|•–—-]\s(?:via|viale|rua|rue|calle|av\.?|avenida|piazza|corso|largo)\s/iu

/** True for a text that consists of label words, or has such a part next to a slash. */
const isLabel = (text: string): boolean =>
  text.split(/\s\/\s/u).some((part) => isWordsOfLabels(tokensOf(part).map((token) => token.text)))

/** A date with its year at the end of a text. */
const dayBehind = /\s\d{1,2}(?:[./-]\d{1,2}[./-]\d{2,4}|\.?\s\p{L}{3,9}\.?\s\d{4})$/u

/** True for an address followed by a column title or an unrelated number. */
function endsOdd(text: string): boolean {
  if (/\p{L}\s?:(?:\s|$)/u.test(text)) return true
  const [, rest] = /^(.*\p{L})\s\d{3,}$/u.exec(text) ?? []
  return rest !== undefined && hasTown(rest)
}

const separator = /\s[·|•]\s/u

/** Why the form of a name without a label makes it implausible, or null. */
function unnamedObjection(text: string): string | null {
  if (endsSmall.test(text) && !/^\p{Ll}/u.test(text) && !hasLegalForm(text))
    return 'The text may be a label, not a name.'
  if (/^\p{Ll}/u.test(text) && text === text.toLowerCase() && /\s/u.test(text)) return 'The text may be a sentence.'
  if (/^(?:\p{Ll}+|\p{Lu}\p{Ll}{1,3})$/u.test(text)) return 'The text is too short to be sure that it is a name.'
  return null
}

function partyObjection(id: string, text: string, isNamed: boolean): string | null {
  if (/_name$/.test(id) && id !== 'contact_name') {
    const unnamed = isNamed ? null : unnamedObjection(text)
    if (unnamed !== null) return unnamed
    if (/\p{Ll}\.$/u.test(text) && !/\s/u.test(text)) return 'The text may be a label, not a name.'
    if (/(?:^|\s)(?:BIC|IBAN|SWIFT)(?:\s|$)/u.test(text)) return 'The text contains a label.'
    if (attention.test(text)) return 'The text is an attention line, not a name.'
    if (isLabel(text)) return 'The text may be a label, not a name.'
    if (nameAndPlace.test(text)) return 'The text contains more than a name.'
    if (/\d/.test(text) && !hasLegalForm(text) && addressScore(text) >= 0.5) return 'The text may be an address.'
    if (/,.*\d|\d.*,/u.test(text) && addressScore(text) >= 0.5) return 'The text contains more than a name.'
    if (breaksOff(text)) return 'The text seems to be cut off.'
  }
  if (/_address$/.test(id) && separator.test(text) && text.split(separator).filter(hasTown).length > 1)
    return 'The text contains two addresses.'
  if (/_address$/.test(id) && endsOdd(text)) return 'The text contains more than an address.'
  return null
}

/** How values of some kinds continue where their end was missed. */
const goingOn: readonly (readonly [what: RegExp, next: RegExp])[] = [[/^payment_terms$/, /^\p{Ll}/u]]

/** True when the text after a value continues it. */
export function isCut(field: Field, words: readonly PlacedWord[], page: PageLayout): boolean {
  const tests = goingOn.filter(([what]) => what.test(idOf(field)))
  if (tests.length === 0) return false
  const behind = textBehind(words, page)
  return tests.some(([, next]) => next.test(behind))
}

/** Why the form of a value makes it implausible, on any kind of page; null when it does not. */
export function formObjection(field: Field, finding: Finding): string | null {
  const { value, evidence, isConfirmed, isCutOff, isNamed = false } = finding
  const id = idOf(field)
  const { kind } = field.plan.meaning
  if (
    kind === 'money' &&
    isConfirmed !== true &&
    !isNamed &&
    evidence.status !== 'derived' &&
    evidence.confidence < amountConfidenceMin
  )
    return 'There is too little evidence for the amount.'
  if (typeof value !== 'string') return null
  if (id === 'item_code') {
    if (amountInText.test(value) && /[€£$]/u.test(value)) return 'The text is an amount.'
    if (/^\d[\d.,]*\s?%$/.test(value)) return 'The text is a rate.'
    if (/^\p{Ll}{1,4}\.? \S*\d/u.test(value)) return 'The text contains a unit.'
    if (isSentence(value) && !isNamed) return 'The text is not a code.'
  }
  if (id === 'description') {
    if (amountInText.test(value)) return 'The text contains an amount.'
    if (monthBefore.test(value)) return 'The text contains part of a date.'
    if (dayBehind.test(value)) return 'The text contains a date.'
  }
  if (/^(?:payment_terms|incoterm)$/.test(id)) {
    if (!/\p{L}{3}/u.test(value)) return 'The text contains no word.'
    if (/\p{Lu}{5,}/u.test(value) && /\p{Ll}{3,}/u.test(value)) return 'The text contains a label.'
    if (/^\p{L}+\.$/u.test(value)) return 'The text may be a label.'
    if (/^\p{Ll}+$/u.test(value) && !isNamed) return 'The beginning of the text seems to be missing.'
    if (/^www\.|@/u.test(value)) return 'The text is a web or email address.'
  }
  if (
    /^(?:invoice|order|purchase_order)_number$/.test(id) &&
    (notNumber.test(value) || (value.length === 1 && !isNamed))
  )
    return 'The text may be another number.'
  if (kind === 'id' && pageOf.test(value)) return 'The text is a page number.'
  if (kind === 'phone' && value.replace(/\D/g, '').length < phoneDigitsMin) return 'The number seems to be cut off.'
  if (isCutOff === true && id !== 'description') return 'The text continues after it.'
  return partyObjection(id, value, isNamed)
}
