import type { Cell, Line, PageLayout } from '../layout/layout.ts'
import type { Piece, PieceKind } from '../layout/pieces.ts'
import { median, type PlacedWord } from '../layout/placed-words.ts'
import { type Header, type Heading, readHeading } from './headers.ts'
import type { TableSearch } from './table.ts'

/** A line with an amount, split into pieces. */
export interface RecordLine {
  readonly line: Line
  readonly pieces: readonly Piece[]
}

/** A column as the horizontal range of its contents. */
export interface Strip {
  readonly x0: number
  readonly x1: number
  /** The kind of most of its pieces, and the share of records that have one. */
  readonly kind: PieceKind
  readonly share: number
}

/** Columns with their headings and contents. */
export interface Grid {
  readonly header: Header
  readonly strips: readonly Strip[]
}

/** The maximum share of records with content across a column border. */
const strayShare = 0.06
/** The minimum gap between two columns, in text heights. */
const borderHeights = 0.3
/** An outer strip that is filled in a smaller share of the records is text beside the table. */
const edgeShare = 0.3

interface Extent {
  x0: number
  x1: number
}

/** The horizontal ranges that are filled in more than `stray` records. */
function filledParts(pieces: readonly Piece[], stray: number, border: number): Extent[] {
  const steps = pieces
    .flatMap(({ x0, x1 }) => [
      { x: x0, by: 1 },
      { x: x1, by: -1 },
    ])
    .toSorted((a, b) => a.x - b.x || b.by - a.by)
  const parts: Extent[] = []
  let depth = 0
  let start = 0
  for (const { x, by } of steps) {
    const before = depth
    depth += by
    if (before <= stray && depth > stray) start = x
    if (before > stray && depth <= stray) {
      const last = parts.at(-1)
      if (last !== undefined && start - last.x1 < border) last.x1 = x
      else parts.push({ x0: start, x1: x })
    }
  }
  return parts
}

const middle = ({ x0, x1 }: Extent): number => (x0 + x1) / 2

function commonest(kinds: readonly PieceKind[]): PieceKind {
  const counts = new Map<PieceKind, number>()
  for (const kind of kinds) counts.set(kind, (counts.get(kind) ?? 0) + 1)
  return [...counts].toSorted((a, b) => b[1] - a[1])[0]?.[0] ?? 'text'
}

function stripsOf(records: readonly RecordLine[]): Strip[] {
  const pieces = records.flatMap((record) => record.pieces)
  const height = median(records.map(({ line }) => line.height))
  const stray = Math.floor(records.length * strayShare)
  const parts = filledParts(pieces, stray, borderHeights * height)
  const strips = parts.map((part): Strip => {
    const inside = pieces.filter((piece) => Math.min(piece.x1, part.x1) - Math.max(piece.x0, part.x0) > 0)
    const lines = new Set(inside.flatMap(({ words }) => words.slice(0, 1)))
    return { ...part, kind: commonest(inside.map(({ kind }) => kind)), share: lines.size / records.length }
  })
  const isOwn = ({ share, kind }: Strip): boolean => share >= edgeShare || kind === 'amount'
  return strips.slice(strips.findIndex(isOwn), strips.findLastIndex(isOwn) + 1)
}

/** The maximum distance between header lines, top to top, in text heights; the last one may be further from the table. */
const headerPitchHeights = 1.75
const headerGapHeights = 3.6
const headerLinesMax = 3

const hasFigures = (cell: Cell): boolean => /\d{2}/.test(cell.text) && !/\p{L}{3}/u.test(cell.text)

/** Index of the strip below a cell, or -1. */
function stripOver(strips: readonly Strip[], cell: Extent): number {
  let best = { at: -1, worth: 0 }
  for (const [at, strip] of strips.entries()) {
    const from = at === 0 ? strip.x0 : (strip.x0 + (strips[at - 1]?.x1 ?? strip.x0)) / 2
    const to = at === strips.length - 1 ? strip.x1 : (strip.x1 + (strips[at + 1]?.x0 ?? strip.x1)) / 2
    const worth = Math.min(cell.x1, to) - Math.max(cell.x0, from)
    if (worth > best.worth) best = { at, worth }
  }
  return best.at
}

/** The lines above the first record that name its columns, from the top. */
function headerLines(page: PageLayout, first: Line, strips: readonly Strip[]): Line[] {
  const lines: Line[] = []
  let below = first
  for (let at = first.index - 1; at >= 0 && lines.length < headerLinesMax; at--) {
    const line = page.lines[at]
    if (line === undefined) break
    const cells = line.cells.filter((cell) => stripOver(strips, cell) >= 0)
    const pitch = (below.y0 - line.y0) / Math.max(line.height, below.height)
    if (pitch > (lines.length === 0 ? headerGapHeights : headerPitchHeights)) break
    if (cells.length === 0 || cells.some(hasFigures)) break
    const over = new Set(cells.map((cell) => stripOver(strips, cell)))
    // The lowest line names most columns; a line above it holds the starts of wrapped names.
    if (lines.length === 0 && over.size < Math.min(2, strips.length)) {
      // A heading of the first rows, or the end of a wrapped name.
      if (cells.length > 1 || at === 0) break
      const upper = page.lines[at - 1]
      if (upper === undefined || upper.cells.length < 2 || line.y0 - upper.y0 > headerPitchHeights * line.height) break
    }
    lines.unshift(line)
    below = line
  }
  const isNamed = lines.some((line) => new Set(line.cells.map((cell) => stripOver(strips, cell))).size >= 2)
  return isNamed ? lines : []
}

const emptyHeading = (strip: Strip): Heading => ({
  text: '',
  words: [],
  x0: strip.x0,
  x1: strip.x1,
  targets: [],
  isWrapped: false,
})

/** Words above the table by the strip below them. Words of one cell stay together when one strip contains it. */
function wordsOver(lines: readonly Line[], strips: readonly Strip[]): Map<number, PlacedWord[]> {
  const over = new Map<number, PlacedWord[]>()
  const put = (at: number, word: PlacedWord): void => {
    if (at >= 0) over.set(at, [...(over.get(at) ?? []), word])
  }
  for (const line of lines) {
    for (const cell of line.cells) {
      const crossed = strips.filter((strip) => middle(strip) > cell.x0 && middle(strip) < cell.x1)
      for (const word of cell.words) put(stripOver(strips, crossed.length > 1 ? word : cell), word)
    }
  }
  return over
}

/** Columns and their headings from aligned records; null when there are fewer than two columns. */
export function gridColumns(page: PageLayout, records: readonly RecordLine[], search: TableSearch): Grid | null {
  const strips = stripsOf(records)
  const [first] = records
  if (first === undefined || strips.length < 2) return null
  const lines = headerLines(page, first.line, strips)
  const over = wordsOver(lines, strips)
  const mend = page.page.source === 'ocr'
  const headings = strips.map((strip, at) => {
    const words = over.get(at) ?? []
    return words.length === 0 ? emptyHeading(strip) : readHeading(words, search.book, mend).heading
  })
  const slack = first.line.height
  const header = {
    headings,
    first: lines[0] ?? page.lines[first.line.index - 1] ?? first.line,
    last: lines.at(-1) ?? page.lines[first.line.index - 1] ?? first.line,
    left: (strips[0]?.x0 ?? 0) - slack,
    right: (strips.at(-1)?.x1 ?? 0) + slack,
  }
  return { header, strips }
}
