import type { Json } from '@skillrun/core/json.ts'
import type { RowCounts } from '../evidence/completeness.ts'
import type { EvidenceMap } from '../evidence/evidence.ts'
import type { Warning } from '../evidence/warnings.ts'
import { withoutCurrencies } from '../languages/currencies.ts'
import { meaningOfWords } from '../languages/label-words.ts'
import { longestPhrase } from '../languages/phrase-book.ts'
import { isSumTarget, knownBook } from '../languages/request-book.ts'
import { type Line, lineText, type PageLayout } from '../layout/layout.ts'
import { squeeze, tokensOf } from '../layout/text.ts'
import { binHeights, formOf, marksOf } from './row-form.ts'
import { type AnswerList, indexLines, listsIn, matchRows, rowsMin } from './row-matches.ts'

/** A list of an answer with fewer rows than the documents show. */
export interface Shortfall {
  /** JSON Pointer of the list. */
  readonly path: string
  readonly returned: number
  /** The number of items that repeat another item of the same row. */
  readonly repeated: number
  /** The number of rows of this form in the documents. */
  readonly expected: number
  /** The lines of rows that the list lacks, in reading order. */
  readonly missing: readonly Line[]
}

/** The minimum share of a list's items that must be found in the documents for them to show a form. */
const matchedMin = 0.6
/** The maximum number of lines of another form inside a table: the footer of a page and the header of the next. */
const betweenMax = 14
/** Rows of a text and a number resemble other lines, such as the sums below them: with fewer rows, the search does not go beyond them. */
const narrowRowsMin = 20
/** The same next to a subtotal. */
const afterSumMax = 8
/** More scattered rows than this were omitted deliberately: the request asked for some of them only. */
const scatteredShare = 0.1
const runsMax = 3

/** The lists of an answer that lack rows of the documents. `layOut` gives their pages, if they are needed. */
export function shortfallsIn(answer: Json, layOut: () => readonly PageLayout[]): Shortfall[] {
  const lists = listsIn(answer)
  if (lists.length === 0) return []
  const lines = layOut().flatMap((page) => page.lines)
  const index = indexLines(lines)
  const taken = new Set<number>()
  const placed = lists.map((list) => {
    const matched = matchRows(list, index, (line) => taken.has(line))
    for (const line of matched) if (line >= 0) taken.add(line)
    return { list, matched }
  })
  const reported = new Set<Line>()
  return placed.flatMap(({ list, matched }) => {
    const missing = missingOf(list, { matched, lines, taken }).filter((line) => !reported.has(line))
    if (missing.length === 0) return []
    for (const line of missing) reported.add(line)
    const returned = list.items.length
    const repeated = repeatsIn(list, matched).size
    return [{ path: list.path, returned, repeated, expected: returned - repeated + missing.length, missing }]
  })
}

/** The items without a line that equal an item with one: they repeat its row. */
function repeatsIn({ items }: AnswerList, matched: readonly number[]): ReadonlySet<number> {
  const keyOf = (at: number): string => JSON.stringify(items[at])
  const placed = new Set(matched.flatMap((line, at) => (line >= 0 ? [keyOf(at)] : [])))
  return new Set(matched.flatMap((line, at) => (line < 0 && placed.has(keyOf(at)) ? [at] : [])))
}

interface Placed {
  readonly matched: readonly number[]
  readonly lines: readonly Line[]
  /** The lines that are rows of any list. */
  readonly taken: ReadonlySet<number>
}

function missingOf(list: AnswerList, { matched, lines, taken }: Placed): Line[] {
  const own = matched.filter((line) => line >= 0).toSorted((a, b) => a - b)
  if (own.length < rowsMin || own.length < list.items.length * matchedMin) return []
  const ownLines = own.flatMap((at) => lines[at] ?? [])
  const form = formOf(ownLines)
  if (form === null) return []
  const isRow = (at: number): boolean => {
    const line = lines[at]
    return line !== undefined && (taken.has(at) || (form.fits(line) && !namesSum(line)))
  }
  const { isWide } = form
  const maySearchBeyond = isWide || own.length >= narrowRowsMin
  const beyond = (from = 0, step: 1 | -1): number =>
    maySearchBeyond ? extend(from, step, { lines, isRow, isWide }) : from
  const [first, last] = [beyond(own[0], -1), beyond(own.at(-1), 1)]
  const rows: { readonly at: number; readonly isMissing: boolean }[] = []
  const sums = new Sums()
  for (let at = first; at <= last; at++) {
    const line = lines[at]
    if (line === undefined || !isRow(at)) continue
    const isMissing = !taken.has(at)
    if (isMissing && sums.endIn(line)) continue
    sums.add(line)
    rows.push({ at, isMissing })
  }
  const repeats = repeatsIn(list, matched)
  const missing = withoutUnplaced(
    rows,
    matched.filter((_, at) => !repeats.has(at)),
  )
  const runs = rows.filter(({ isMissing }, at) => isMissing && rows[at - 1]?.isMissing !== true).length
  if (missing.length > rows.length * scatteredShare && runs > runsMax) return []
  return missing.flatMap((at) => lines[at] ?? [])
}

/** How far rows of the same form extend beyond a row, within its document. */
function extend(
  from: number,
  step: 1 | -1,
  of: { readonly lines: readonly Line[]; readonly isRow: (at: number) => boolean; readonly isWide: boolean },
): number {
  const { lines, isRow, isWide } = of
  let end = from
  let others = 0
  for (let at = from + step; others <= betweenMax; at += step) {
    const line = lines[at]
    if (line === undefined || line.page.document !== lines[from]?.page.document) break
    if (isApart(line, lines[at - step])) break
    if (isRow(at)) {
      end = at
      others = 0
    } else {
      others++
      // After a subtotal the table continues soon; lines with few marks next to a sum are its parts.
      if (namesSum(line)) others = Math.max(others, isWide ? betweenMax - afterSumMax : betweenMax + 1)
    }
  }
  return end
}

/** True for lines of a grid with an empty row between them, which ends a table. */
const isApart = (one: Line, other: Line | undefined): boolean =>
  one.page.page.isTabular === true && one.page === other?.page && Math.abs(one.y0 - other.y0) > one.height * 1.5

/** The missing rows minus the items that were not found on any line: each of these may be one of the missing rows. */
function withoutUnplaced(
  rows: readonly { readonly at: number; readonly isMissing: boolean }[],
  matched: readonly number[],
): number[] {
  const placed = matched.flatMap((line, item) => (line >= 0 ? [{ line, item }] : []))
  const rising = placed.filter(({ line }, at) => line > (placed[at - 1]?.line ?? -1)).length
  const all = rows.flatMap(({ at, isMissing }) => (isMissing ? [at] : []))
  if (rising < placed.length * 0.9) return all.slice(matched.length - placed.length)
  // In the order of the documents, an unplaced item lies between its neighbours.
  const gaps = placed
    .toSorted((a, b) => a.line - b.line)
    .map(({ line, item }, at, sorted) => {
      const before = sorted[at - 1]
      return { from: before?.line ?? -1, to: line, items: Math.max(0, item - (before?.item ?? -1) - 1) }
    })
  const end = placed.at(-1)
  if (end) gaps.push({ from: end.line, to: Number.POSITIVE_INFINITY, items: matched.length - 1 - end.item })
  return gaps.flatMap(({ from, to, items }) => all.filter((at) => at > from && at < to).slice(items))
}

/** True for a line that names a sum, a payment or a balance. */
function namesSum(line: Line): boolean {
  return line.cells.some((cell) => {
    const text = withoutCurrencies(cell.text.replace(/[\d.,:%]+/gu, ' '))
    const words = tokensOf(text).map((token) => token.text)
    const known = longestPhrase(knownBook(), words, 0)
    const targets = [
      ...(meaningOfWords(words) ?? []),
      ...(known?.length === words.length ? known.targets.filter(({ weight }) => weight >= 0.9) : []),
    ]
    return targets.some(({ target }) => isSumTarget(target))
  })
}

/** The running sums of a column of amounts. */
interface Column {
  total: number
  /** The sum before the latest row; absent before the first. */
  previous?: number
  /** The sums before two or more of the latest rows. */
  readonly before: Set<number>
}

/** The amounts of rows by column, to distinguish subtotals from rows. */
class Sums {
  readonly #columns = new Map<number, Column>()

  add(line: Line): void {
    for (const { place, cents } of amountsOf(line)) {
      const own = this.#columns.get(place) ?? { total: 0, before: new Set() }
      if (own.previous !== undefined) own.before.add(own.previous)
      own.previous = own.total
      own.total += cents
      this.#columns.set(place, own)
    }
  }

  /** True when each amount of a line is the sum of two or more amounts above it. */
  endIn(line: Line): boolean {
    const amounts = amountsOf(line)
    const isSum = ({ place, cents }: { place: number; cents: number }): boolean => {
      const own = this.#columns.get(place)
      return own?.before.has(own.total - cents) === true
    }
    return amounts.length > 0 && amounts.every(isSum)
  }
}

const amountsOf = (line: Line): { readonly place: number; readonly cents: number }[] =>
  marksOf(line).flatMap(({ isAmount, right, text }) => {
    if (!isAmount) return []
    const sign = /^\W*[-–−(]|[-–−]\W*$/.test(text) ? -1 : 1
    const unit = Math.max(line.page.wordHeight * binHeights * 2, 1e-9)
    return [{ place: Math.round(right / unit), cents: sign * Number(text.replace(/\D/g, '')) }]
  })

/** The numbers of rows that the documents show, for lists that lack some of them. */
export const expectedRows = (shortfalls: readonly Shortfall[]): RowCounts =>
  Object.fromEntries(shortfalls.map(({ path, expected }) => [path, expected]))

/** The maximum confidence of a value in a list that lacks rows: the list was not read completely, so it needs a review. */
const incompleteConfidence = 0.6

/** Evidence with lower confidence for the values of lists that lack rows. */
export function doubtIncomplete(evidence: EvidenceMap, shortfalls: readonly Shortfall[]): EvidenceMap {
  if (shortfalls.length === 0) return evidence
  const isIn = (pointer: string): boolean => shortfalls.some(({ path }) => pointer.startsWith(`${path}/`))
  const doubted = Object.entries(evidence).map(([pointer, one]) => {
    const confidence = isIn(pointer) ? Math.min(one.confidence, incompleteConfidence) : one.confidence
    return [pointer, { ...one, confidence }] as const
  })
  return Object.fromEntries(doubted)
}

const listedMax = 3
const quoteMax = 80

/** A warning for each list that lacks rows, with the first of them. */
export const shortfallWarnings = (shortfalls: readonly Shortfall[]): Warning[] =>
  shortfalls.map(({ path, returned, repeated, expected, missing }) => {
    const listed = missing.slice(0, listedMax).map((line) => {
      const text = squeeze(lineText(line))
      const quote = JSON.stringify(text.length > quoteMax ? `${text.slice(0, quoteMax)}…` : text)
      return `${quote} on page ${line.page.page.index + 1}`
    })
    const more = missing.length > listedMax ? `, and ${missing.length - listedMax} more` : ''
    const twice = repeated > 0 ? ` (${repeated} repeated)` : ''
    const message = `The list has ${returned} rows${twice}, but the input shows ${expected} of this form. Not in the answer: ${listed.join(', ')}${more}.`
    return { code: 'list_incomplete', path, message }
  })
