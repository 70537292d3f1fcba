import type { Json } from '@skillrun/core/json.ts'
import type { Evidence, EvidenceStatus } from '../evidence/evidence.ts'
import type { Kind } from '../languages/concept.ts'
import type { PageLayout } from '../layout/layout.ts'
import type { PlacedWord } from '../layout/placed-words.ts'
import { isBrokenAtHyphen } from '../layout/spans.ts'
import { phraseOf, squeeze } from '../layout/text.ts'
import type { Box } from '../media/document.ts'
import type { LeafPlan } from '../schema/plan.ts'
import { sameAmount } from './amounts.ts'
import { readCombs } from './combs.ts'
import { currencyNamed } from './exact-value.ts'
import { numberOfId } from './identifiers.ts'
import { readMultiples } from './multiples.ts'
import { readNumberWords } from './number-words.ts'
import { type Conventions, type ParsedValue, readAs, statesDay, widerKind } from './parsed-values.ts'
import { readWrittenDates } from './written-dates.ts'

/** A value with the words that are claimed as its evidence. */
export interface Claim {
  readonly plan: LeafPlan
  readonly value: Json
  readonly words: readonly PlacedWord[]
  readonly page: PageLayout
  readonly confidence: number
  readonly note?: string
  /** True when the value is the sum of the amounts in the words. */
  readonly isSum?: boolean
}

/** The rectangle around some words, as fractions of the page as given. */
export function boxAround(words: readonly PlacedWord[]): Box {
  let left = 1
  let top = 1
  let right = 0
  let bottom = 0
  for (const { word } of words) {
    const [x, y, w, h] = word.box
    left = Math.min(left, x)
    top = Math.min(top, y)
    right = Math.max(right, x + w)
    bottom = Math.max(bottom, y + h)
  }
  return [left, top, Math.max(0, right - left), Math.max(0, bottom - top)]
}

/** The words as printed, separated by spaces. */
export const quoteOf = (words: readonly PlacedWord[]): string => words.map((word) => word.word.text).join(' ')

const compact = (text: string): string => (/\s/u.test(text) ? text.replace(/\s+/gu, '') : text)
const trimStops = (text: string): string => text.replace(/[.,;:!]+$/u, '')

/**
 * Checks a value against its claimed words, from the words alone: `verified`, `normalised`, `derived`, or null when
 * they do not support it.
 */
export function checkValue(
  plan: LeafPlan,
  value: Json,
  quote: string,
  conventions: Conventions,
): EvidenceStatus | null {
  const text = String(value)
  const source = squeeze(quote)
  if (source === '') return null
  if (plan.choices.length > 0 || typeof value === 'boolean') {
    return ` ${phraseOf(source)} `.includes(` ${phraseOf(text.replaceAll('_', ' '))} `) ? 'verified' : 'derived'
  }
  if (typeof value !== 'number') {
    if (source.includes(text)) return 'verified'
    if (compact(source).includes(compact(text))) return 'normalised'
  } else if (source.includes(text) || compact(source).includes(compact(text))) {
    // Digits that are part of a longer number verify nothing.
    const at = source.indexOf(text)
    if (
      at >= 0 &&
      !/\d/.test(source[at - 1] ?? '') &&
      !/[\d]/.test(source[at + text.length] ?? '') &&
      !/^[.,]\d/.test(source.slice(at + text.length))
    ) {
      return 'verified'
    }
  }
  const isNumberOfId = typeof value === 'number' && plan.meaning.kind === 'id'
  if (isNumberOfId && readAs('id', source, conventions).some((id) => numberOfId(id.printed) === value))
    return 'normalised'
  const own = isNumberOfId ? 'number' : plan.meaning.kind
  const wider = widerKind[own]
  const kind = wider !== undefined && readAs(own, source, conventions).length === 0 ? wider : own
  // One word may be a range: `3.9-4.0`.
  const ends = typeof value === 'number' ? source.split(/(?<=\d)[-–—](?=\d)/u) : []
  const ofEnds = ends.length === 2 ? ends.flatMap((end) => readAs(kind, end, conventions)) : []
  for (const reading of [...readAs(kind, source, conventions), ...readCombs(kind, source, conventions), ...ofEnds]) {
    const read = String(reading.value)
    const isTimeWithZone = kind === 'time' && text.startsWith(read) && /^(?::00)?Z$/.test(text.slice(read.length))
    if (reading.value === value || read.startsWith(text) || reading.printed === text || isTimeWithZone) {
      return reading.derived === true ? 'derived' : 'normalised'
    }
    if (
      typeof value === 'number' &&
      typeof reading.value === 'number' &&
      Math.abs(Math.abs(reading.value) - Math.abs(value)) < 1e-9
    ) {
      return 'normalised'
    }
  }
  if (kind === 'currency' && currencyNamed(trimStops(source))?.code === value) return 'derived'
  if (kind === 'date' && typeof value === 'string' && statesDay(source, value, conventions)) return 'derived'
  if (written(kind, source, conventions).some((one) => one.value === value)) return 'derived'
  const phrase = phraseOf(text)
  if (typeof value === 'string' && phrase !== '' && ` ${phraseOf(source)} `.includes(` ${phrase} `)) return 'normalised'
  return null
}

/** What a text states in words. */
function written(kind: Kind, text: string, { numbers }: Conventions): readonly ParsedValue[] {
  if (kind === 'date') return readWrittenDates(text)
  return [...readNumberWords(text), ...readMultiples(text, numbers)]
}

/** A sum is derived when each word is an amount and the amounts add up to it. */
function checkSum(value: Json, words: readonly PlacedWord[], conventions: Conventions): EvidenceStatus | null {
  const amounts = readAs('money', quoteOf(words), conventions).map((reading) => Number(reading.value))
  const sum = amounts.reduce((total, amount) => total + amount, 0)
  // A minus may precede the currency, outside the amount's words.
  return sameAmount(Math.abs(sum), Math.abs(Number(value))) ? 'derived' : null
}

const joinedNote = 'Joined from two lines, the first of which ends in a hyphen.'

/** The evidence of a claim, or null when the words do not support it. */
export function prove(claim: Claim, input: string, conventions: Conventions): Evidence | null {
  const quote = quoteOf(claim.words)
  const found = claim.isSum
    ? checkSum(claim.value, claim.words, conventions)
    : checkValue(claim.plan, claim.value, quote, conventions)
  if (found === null) return null
  const isJoined = claim.words.some((word, at) => {
    const before = claim.words[at - 1]
    return before !== undefined && isBrokenAtHyphen(before, word)
  })
  const status = isJoined ? 'derived' : found
  const note = claim.note ?? (isJoined ? joinedNote : undefined)
  return {
    status,
    input,
    ...placeOfWords(claim.words, claim.page),
    quote,
    confidence: Math.round(Math.max(0, Math.min(1, claim.confidence)) * 100) / 100,
    ...(note !== undefined && { note }),
  }
}

/** Where words are: on the page, and in the text of a document that has one. */
export function placeOfWords(
  words: readonly PlacedWord[],
  { page }: PageLayout,
): Pick<Evidence, 'page' | 'bbox' | 'span'> {
  const spans = words.flatMap(({ word }) => word.span ?? [])
  return {
    page: page.index,
    bbox: boxAround(words),
    ...(spans.length > 0 && { span: [Math.min(...spans), Math.max(...spans)] as const }),
  }
}

/** The evidence of a place without a value. */
export const unsupported = (reason: string): Evidence => ({ status: 'unsupported', confidence: 0, reason })
