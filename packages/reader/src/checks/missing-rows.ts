import type { Json } from '@skillrun/core/json.ts'
import type { RowCounts } from '../evidence/completeness.ts'
import type { EvidenceMap } from '../evidence/evidence.ts'
import type { Warning } from '../evidence/warnings.ts'
import { withoutCurrencies } from '../languages/currencies.ts'
import { meaningOfWords } from '../languages/label-words.ts'
import { longestPhrase } from '../languages/phrase-book.ts'
import { isSumTarget, knownBook } from '../languages/request-book.ts'
import { type Cell, type Line, lineText, type PageLayout } from '../layout/layout.ts'
import type { PlacedWord } from '../layout/placed-words.ts'
import { keptWeakly } from '../layout/remembered.ts'
import { squeeze, tokensOf } from '../layout/text.ts'
import { type AnswerList, indexLines, listsIn, matchRows, rowsMin } from './row-matches.ts'

/** A list of an answer with fewer rows than the documents show. */
export interface Shortfall {
  /** JSON Pointer of the list. */
  readonly path: string
  readonly returned: number
  /** The number of items that say again what another one says of the same row. */
  readonly repeated: number
  /** The number of rows of this form in the documents. */
  readonly expected: number
  /** The lines of rows that the list lacks, in reading order. */
  readonly missing: readonly Line[]
}

/** A positioned element of a row: a number, a date, a code, or the first word of a text. */
interface Mark {
  readonly kind: string
  /** True for a number with two decimals. */
  readonly isAmount: boolean
  readonly text: string
  readonly right: number
  /** Its edges. */
  readonly bins: readonly Bin[]
}

/** The minimum share of a list's items that must be found in the documents for them to show a form. */
const matchedMin = 0.6
/** The share of rows that may have fewer marks than the others. */
const shortShare = 0.05
/** The minimum share of rows for a mark to be one that every row has. */
const firmShare = 0.97
/** The minimum share of rows for a mark to belong to a column. */
const columnShare = 0.03
/** The maximum number of lines of another form inside a table: the footer of a page and the header of the next. */
const betweenMax = 14
/** Rows of a text and a number resemble other lines, such as the sums below them: with fewer rows, none is searched for beyond them. */
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

/** The items without a line that equal an item with one: they say a row again. */
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
  const form = formInGrid(ownLines) ?? formOf(ownLines)
  if (form === null) return []
  const isRow = (at: number): boolean => {
    const line = lines[at]
    return line !== undefined && (taken.has(at) || (form.fits(line) && !namesSum(line)))
  }
  const { isWide } = form
  const mayGoOn = isWide || own.length >= narrowRowsMin
  const beyond = (from = 0, step: 1 | -1): number => (mayGoOn ? extend(from, step, { lines, isRow, isWide }) : from)
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

/** The common form of a list's rows. */
interface Form {
  /** True when rows differ from other lines by more than two marks, or by the columns of a grid. */
  readonly isWide: boolean
  readonly fits: (line: Line) => boolean
}

/**
 * The form of rows of a CSV file or a sheet, where columns are known and cells may be empty or texts: a line below the
 * headings whose cells begin where those of rows do. Null for other rows.
 */
function formInGrid(rows: readonly Line[]): Form | null {
  if (!rows.every(({ page }) => page.page.isTabular)) return null
  const size = Math.min(...rows.map(({ cells }) => cells.length))
  const columns = new Map<PageLayout, Set<number>>()
  for (const { page, cells } of rows) {
    const known = columns.get(page) ?? new Set()
    columns.set(page, known)
    for (const cell of cells) known.add(columnOf(cell))
  }
  const starts = new Map([...columns.keys()].map((page) => [page, headingsOf(page)]))
  const fits = ({ page, cells, index }: Line): boolean => {
    const known = columns.get(page)
    const isBelow = index > (starts.get(page) ?? -1)
    return known !== undefined && isBelow && cells.length >= size && cells.every((cell) => known.has(columnOf(cell)))
  }
  return { isWide: true, fits }
}

/** The first character of a cell of a grid, where a character is half as wide as high. */
const columnOf = ({ x0 }: Cell): number => Math.round(x0 * 2)

/** The index of the headings of a grid: of the first of its fullest lines, if it has no figures; otherwise -1. */
function headingsOf({ lines }: PageLayout): number {
  const columns = lines.reduce((most, { cells }) => Math.max(most, cells.length), 0)
  const first = lines.find(({ cells }) => cells.length === columns)
  return first === undefined || /\d/.test(lineText(first)) ? -1 : first.index
}

/**
 * Tests whether a line has the form of given rows: as many numbers, dates and codes in the same columns, and every mark that all rows have.
 * Null when the rows have too little in common.
 */
function formOf(rows: readonly Line[]): Form | null {
  const marks = rows.map(marksOf)
  const counts = new BinCounts()
  for (const own of marks) counts.addOnce(own, 0)
  const countOf = (one: Bin): number => counts.of(one, -1) + counts.of(one) + counts.of(one, 1)
  const columnMin = Math.max(2, rows.length * columnShare)
  const isAnchored = ({ bins }: Mark): boolean => bins.some((bin) => countOf(bin) >= columnMin)
  const anchorsIn = (own: readonly Mark[]): number => own.filter(isAnchored).length
  const sizeMin = usualMin(marks.map(anchorsIn))
  const countIn = (own: readonly Mark[], kind: string): number =>
    own.filter((mark) => mark.kind === kind || (kind === 'amount' && mark.isAmount)).length
  const kinds = typedKinds.map((kind) => ({ kind, min: usualMin(marks.map((own) => countIn(own, kind))) }))
  const firm = firmColumns(marks)
  const isTyped = firm.flat().some(({ kind }) => kind !== 'text')
  if (sizeMin < 2 || (!isTyped && sizeMin < 3)) return null
  const fits = (line: Line): boolean => {
    const own = marksOf(line)
    if (anchorsIn(own) < sizeMin || kinds.some(({ kind, min }) => countIn(own, kind) < min)) return false
    const bins = own.flatMap((mark) => mark.bins)
    return firm.every((edges) => edges.some((edge) => bins.some((bin) => isNear(bin, edge))))
  }
  return { isWide: sizeMin > 2, fits }
}

/** The smallest of some counts, ignoring a few outliers. */
const usualMin = (counts: readonly number[]): number =>
  counts.toSorted((a, b) => a - b)[Math.floor(counts.length * shortShare)] ?? 0

/** The columns in which every row has a mark, with the edges that all rows share: left, right or both. */
function firmColumns(marks: readonly (readonly Mark[])[]): Bin[][] {
  const counts = new BinCounts()
  for (const own of marks) counts.addOnce(own, 1)
  const isFirm = (one: Bin): boolean => counts.of(one) >= marks.length * firmShare
  return (marks[marks.length >> 1] ?? []).map(({ bins }) => bins.filter(isFirm)).filter((edges) => edges.length > 0)
}

const isNear = (one: Bin, other: Bin): boolean =>
  one.kind === other.kind && one.side === other.side && Math.abs(one.bin - other.bin) <= 1

/** An edge of a mark, rounded to two thirds of a text height. */
interface Bin {
  readonly kind: string
  readonly side: 'left' | 'right'
  readonly bin: number
}

const binHeights = 0.7

function binsOf(kind: string, { x0, x1 }: PlacedWord, line: Line): Bin[] {
  const unit = Math.max(line.page.wordHeight * binHeights, 1e-9)
  const start: Bin = { kind, side: 'left', bin: Math.round(x0 / unit) }
  return kind === 'text' ? [start] : [start, { kind, side: 'right', bin: Math.round(x1 / unit) }]
}

/** How many rows have a mark in a bin. */
class BinCounts {
  readonly #left = new Map<string, Map<number, { count: number; row: number }>>()
  readonly #right = new Map<string, Map<number, { count: number; row: number }>>()
  #row = 0

  /** Counts each bin of a row once, and those at most `reach` from it. */
  addOnce(marks: readonly Mark[], reach: number): void {
    this.#row++
    for (const { bins } of marks)
      for (const { kind, side, bin } of bins) {
        const known = this.#ofKind(kind, side)
        for (let at = bin - reach; at <= bin + reach; at++) {
          const found = known.get(at)
          if (found === undefined) known.set(at, { count: 1, row: this.#row })
          else if (found.row !== this.#row) {
            found.count++
            found.row = this.#row
          }
        }
      }
  }

  of({ kind, side, bin }: Bin, step = 0): number {
    return this.#ofKind(kind, side).get(bin + step)?.count ?? 0
  }

  #ofKind(kind: string, side: Bin['side']) {
    const ofSide = side === 'left' ? this.#left : this.#right
    let known = ofSide.get(kind)
    if (known === undefined) {
      known = new Map()
      ofSide.set(kind, known)
    }
    return known
  }
}

const marksOf: (line: Line) => readonly Mark[] = keptWeakly((line) =>
  line.cells.flatMap(({ words }) =>
    words.flatMap((word, at) => {
      const { text } = word.word
      const kind = kindOf(text)
      const isAmount = kind === 'number' && /\d[.,]\d{2}\D*$/.test(text)
      return kind === 'text' && at > 0 ? [] : [{ kind, isAmount, text, right: word.x1, bins: binsOf(kind, word, line) }]
    }),
  ),
)

const typedKinds = ['amount', 'date', 'number', 'code']

function kindOf(text: string): string {
  if (!/\d/.test(text)) return 'text'
  if (/^\W*\d{1,4}([./-])\d{1,2}\1(?:\d{2,4})?\W*$/.test(text)) return 'date'
  if (/^\P{L}*\d[\d.,'’]*\D{0,4}$/u.test(text)) return 'number'
  return 'code'
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
