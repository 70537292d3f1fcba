import { least } from '@skillrun/core/extremes.ts'
import { type Cell, type Line, lineText, type PageLayout } from '../layout/layout.ts'
import type { PlacedWord } from '../layout/placed-words.ts'
import { keptWeakly } from '../layout/remembered.ts'

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

/** The share of rows that may have fewer marks than the others. */
const shortShare = 0.05
/** The minimum share of rows for a mark to be one that every row has. */
const firmShare = 0.97
/** The minimum share of rows for a mark to belong to a column. */
const columnShare = 0.03
/** The common form of a list's rows. */
export interface Form {
  /** True when rows differ from other lines by more than two marks, or by the columns of a grid. */
  readonly isWide: boolean
  readonly fits: (line: Line) => boolean
}

/** The form that given rows have in common; null if they have too little in common. */
export const formOf = (rows: readonly Line[]): Form | null => formInGrid(rows) ?? formOfMarks(rows)

/**
 * The form of rows of a CSV file or a sheet, where columns are known and cells may be empty or texts: a line below the
 * headings whose cells begin where those of rows do. Null for other rows.
 */
function formInGrid(rows: readonly Line[]): Form | null {
  if (!rows.every(({ page }) => page.page.isTabular)) return null
  const size = least(rows.map(({ cells }) => cells.length))
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
function formOfMarks(rows: readonly Line[]): Form | null {
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

/** The width of a bin in text heights. */
export const binHeights = 0.7

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

/** The marks of a line: all its numbers, dates and codes, and the first word of each text. */
export const marksOf: (line: Line) => readonly Mark[] = keptWeakly((line) =>
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
