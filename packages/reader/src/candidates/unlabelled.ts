import { dollars, findCurrencies } from '../languages/currencies.ts'
import { measureAt, measureNamed } from '../languages/units.ts'
import type { PageLayout } from '../layout/layout.ts'
import type { PlacedWord } from '../layout/placed-words.ts'
import { type Candidate, type Field, type Sheet, wordConfidence } from '../layout/sheet.ts'
import { type Span, spanOfCell, spanOfCells, wordsWithin } from '../layout/spans.ts'
import { choiceCandidates } from '../values/choices.ts'
import { findTime } from '../values/dates.ts'
import { findEmails, findIbans, findUrls, findVatNumbers, type TextMatch } from '../values/identifiers.ts'
import { type ParsedValue, readAs } from '../values/parsed-values.ts'
import { fits } from '../values/values.ts'

interface Sighting {
  readonly reading: ParsedValue
  readonly words: readonly PlacedWord[]
  readonly page: PageLayout
}

function* spans(sheet: Sheet): Generator<{ span: Span; page: PageLayout }> {
  for (const page of sheet.pages) {
    for (const line of page.lines) for (const cell of line.cells) yield { span: spanOfCell(cell), page }
  }
}

function sight(sheet: Sheet, find: (text: string) => readonly TextMatch[]): Sighting[] {
  const found: Sighting[] = []
  for (const { span, page } of spans(sheet)) {
    for (const match of find(span.text)) {
      const reading = { ...match, printed: span.text.slice(match.start, match.end), fit: 1 }
      found.push({ reading, words: wordsWithin(span, match.start, match.end), page })
    }
  }
  return found
}

/** The one value that all sightings agree on, or null. */
function onlyOne(sightings: readonly Sighting[]): Sighting | null {
  const first = sightings[0]
  if (first === undefined) return null
  return sightings.every((sighting) => sighting.reading.value === first.reading.value) ? first : null
}

function asCandidate(field: Field, sighting: Sighting, score: number, note?: string): Candidate[] {
  const { reading, words, page } = sighting
  if (!fits(field.plan, reading)) return []
  const confidence = score * (0.6 + 0.4 * wordConfidence(words))
  const extra = note === undefined ? {} : { note }
  return [{ field, reading, words, page, label: [], relation: 'unlabelled', score: confidence, ...extra }]
}

/** The currency that appears with most amounts; codes count more than symbols. */
function currencyOf(sheet: Sheet): { sighting: Sighting; share: number; isCode: boolean } | null {
  const votes = new Map<string, { weight: number; first: Sighting; isCode: boolean; isNaming: boolean }>()
  let sum = 0
  let hasMoney = false
  for (const { span, page } of spans(sheet)) {
    hasMoney ||= /\d[.,]\d{2}(?!\d)/.test(span.text)
    for (const match of findCurrencies(span.text)) {
      const around = span.text.slice(Math.max(0, match.start - 14), match.end + 14)
      const isByFigure = /\d/.test(around)
      hasMoney ||= isByFigure
      const weight = (match.isCode ? 1.5 : 1) * (isByFigure ? 2 : 0.5)
      const printed = span.text.slice(match.start, match.end)
      const reading = { start: match.start, end: match.end, value: match.code, printed, fit: 1, derived: !match.isCode }
      const sighting = { reading, words: wordsWithin(span, match.start, match.end), page }
      const vote = votes.get(match.code) ?? { weight: 0, first: sighting, isCode: match.isCode, isNaming: false }
      vote.weight += weight
      vote.isNaming ||= match.namesDollar === true
      if (match.isCode && !vote.isCode) Object.assign(vote, { first: sighting, isCode: true })
      votes.set(match.code, vote)
      sum += weight
    }
  }
  // Where there is no money, the letters are another abbreviation.
  if (!hasMoney) return null
  const best = [...votes.values()].toSorted((a, b) => b.weight - a.weight)[0]
  const isDollar = best !== undefined && !best.isCode && best.first.reading.value === 'USD'
  const named = isDollar ? onlyDollar([...votes.values()].filter(({ isCode }) => isCode)) : null
  if (best !== undefined && named !== null)
    return { sighting: named.first, share: (best.weight + named.weight) / sum, isCode: true }
  const land = isDollar ? dollarOf(sheet) : null
  if (best !== undefined && land !== null)
    return {
      sighting: { ...best.first, reading: { ...best.first.reading, value: land } },
      share: best.weight / sum,
      isCode: false,
    }
  return best === undefined ? null : { sighting: best.first, share: best.weight / sum, isCode: best.isCode }
}

/** The only code of a currency written with `$` among those that are printed, if it stands behind an amount with `$`. */
function onlyDollar<Vote extends { readonly first: Sighting; readonly isNaming: boolean }>(
  codes: readonly Vote[],
): Vote | null {
  const [only, ...others] = codes.filter(({ first }) => dollars.has(String(first.reading.value)))
  return others.length === 0 && only?.isNaming ? only : null
}

/** Text that identifies a country with a dollar: names of its taxes, its company numbers, its postcodes. */
const dollarLands: readonly (readonly [code: string, pattern: RegExp])[] = [
  [
    'CAD',
    /(?:^|[^\p{L}])(?:TPS|TVQ|TVH|HST|QST)(?=$|[^\p{L}])|(?<![\p{L}\d])[ABCEGHJ-NPRSTVXY]\d[A-Z] \d[A-Z]\d(?![\p{L}\d])/u,
  ],
  ['AUD', /(?:^|[^\p{L}])(?:ABN|ACN)(?=$|[^\p{L}])/u],
]

/** The dollar of the country that the documents point to; null when they point to none or to several. */
function dollarOf(sheet: Sheet): string | null {
  const seen = new Set<string>()
  for (const page of sheet.pages)
    for (const line of page.lines) {
      const text = line.cells.map((cell) => cell.text).join(' ')
      for (const [code, pattern] of dollarLands) if (pattern.test(text)) seen.add(code)
    }
  const [only] = seen
  return seen.size === 1 && only !== undefined ? only : null
}

function currencyCandidates(field: Field, sheet: Sheet): Candidate[] {
  const found = currencyOf(sheet)
  if (found === null || found.share < 0.6) return []
  const note = found.isCode ? undefined : 'Inferred from the currency symbol next to the amounts.'
  return asCandidate(field, found.sighting, 0.6 + 0.3 * found.share, note)
}

const otherDates =
  /^c:(?:due_date|order_date|delivery_date|service_date|payment_date|birth_date|period|period_start|period_end)$/

/** What stands before the date of a letter on its line: nothing, or the place where it was written. */
const placePattern = /^(?:\p{Lu}[\p{L} .'’/-]{1,30},?\s+(?:(?:den|am|le|li|l[iì]|il|a|em|op)\s+)?)?$/u

/** A date that may be the document's. */
interface FreeDate {
  readonly sighting: Sighting
  readonly hasTime: boolean
  /** True for the date of a letter: alone on its line, or after a place, in the upper half of a first page. */
  readonly isOfLetter: boolean
}

/** Dates that are neither in tables nor beside labels of other dates. */
function freeDates(sheet: Sheet, claimed: ReadonlySet<PlacedWord>): FreeDate[] {
  const found: FreeDate[] = []
  for (const page of sheet.pages) {
    for (const line of page.lines) {
      if (sheet.tableLines.has(line)) continue
      const cells = line.cells.filter((cell) => !cell.words.some((word) => claimed.has(word)))
      const hits = cells.flatMap((cell) => sheet.labels.get(cell) ?? [])
      if (hits.some((hit) => hit.targets.some((entry) => otherDates.test(entry.target) && entry.weight >= 0.9)))
        continue
      const span = spanOfCells(cells)
      const readings = readAs('date', span.text, sheet.conventions)
      // Two dates on a line are a period.
      if (readings.length !== 1) continue
      for (const reading of readings) {
        const words = wordsWithin(span, reading.start, reading.end)
        const [before, behind] = [span.text.slice(0, reading.start), span.text.slice(reading.end)]
        const isOfLetter =
          page.page.index === 0 &&
          line.y0 < page.height / 2 &&
          hits.length === 0 &&
          placePattern.test(before) &&
          (before === '' || /\d{4}|\p{L}/u.test(reading.printed)) &&
          /^\W*$/u.test(behind)
        found.push({ sighting: { reading, words, page }, hasTime: findTime(behind) !== undefined, isOfLetter })
      }
    }
  }
  return found
}

/** The score from which on a labelled date is accepted. */
const claimedMin = 0.6

/** The date of issue where no label gives it: the only date, the only one with a time of day, or that of a letter. */
function dateCandidates(field: Field, sheet: Sheet, labelled: readonly Candidate[]): Candidate[] {
  // Exclude values that are surely another date.
  const others = labelled.filter(
    (other) => other.field !== field && other.field.plan.meaning.kind === 'date' && other.score >= claimedMin,
  )
  const claimed = new Set(others.flatMap(({ words }) => words))
  const dates = freeDates(sheet, claimed)
  const timed = onlyOne(dates.filter((date) => date.hasTime).map((date) => date.sighting))
  const only = onlyOne(dates.map((date) => date.sighting)) ?? timed
  if (only !== null) return asCandidate(field, only, 0.62, 'The only date that could be the date of the document.')
  const ofLetter = onlyOne(dates.filter((date) => date.isOfLetter).map((date) => date.sighting))
  return ofLetter === null ? [] : asCandidate(field, ofLetter, 0.62, 'The date at the head of the letter.')
}

function timeCandidates(field: Field, sheet: Sheet): Candidate[] {
  const sightings: Sighting[] = []
  for (const { span, page } of spans(sheet)) {
    for (const reading of readAs('time', span.text, sheet.conventions)) {
      sightings.push({ reading, words: wordsWithin(span, reading.start, reading.end), page })
    }
  }
  const only = onlyOne(sightings)
  return only === null ? [] : asCandidate(field, only, 0.62)
}

/** The only number in the measure that no other field names: `38 m²` for `surface_m2`. */
function measureCandidates(field: Field, sheet: Sheet, fields: readonly Field[]): Candidate[] {
  const measure = measureNamed(field.plan)
  // `/sizes/l` is no volume.
  if (
    measure === null ||
    !/^[a-z]/.test(measure) ||
    field.pointer.endsWith(`/${measure}`) ||
    fields.some((other) => other !== field && measureNamed(other.plan) === measure)
  )
    return []
  const sightings: Sighting[] = []
  for (const { span, page } of spans(sheet))
    for (const reading of readAs('number', span.text, sheet.conventions))
      if (measureAt(span.text.slice(reading.end)) === measure)
        sightings.push({ reading, words: wordsWithin(span, reading.start, reading.end), page })
  const only = onlyOne(sightings)
  return only === null ? [] : asCandidate(field, only, 0.62)
}

/** Candidates for kinds of values that need no label: the only e-mail address, the currency of the amounts … */
export function unlabelledCandidates(
  sheet: Sheet,
  fields: readonly Field[],
  labelled: readonly Candidate[],
): Candidate[] {
  return fields.flatMap((field) => {
    const { kind, concept } = field.plan.meaning
    if (kind === 'currency') return currencyCandidates(field, sheet)
    if (kind === 'enum') return choiceCandidates(field, sheet)
    if (concept?.party === 'customer' || concept?.party === 'recipient') return []
    if ((kind === 'date' || kind === 'datetime') && concept?.family === 'issue' && concept.id !== 'statement_date')
      return dateCandidates(field, sheet, labelled)
    if (kind === 'number' || kind === 'integer') return measureCandidates(field, sheet, fields)
    if (kind === 'time' && concept?.id === 'time') return timeCandidates(field, sheet)
    const findByKind = { email: findEmails, iban: findIbans, url: findUrls, vat: findVatNumbers } as const
    const find = kind in findByKind ? findByKind[kind as keyof typeof findByKind] : null
    if (find === null) return []
    const only = onlyOne(sight(sheet, find))
    return only === null ? [] : asCandidate(field, only, 0.7)
  })
}
