import type { LabelIndex } from '../labels/labels.ts'
import type { Header, Heading } from '../tables/headers.ts'
import type { Cell, Line } from './layout.ts'

/** A horizontal range of the page. */
export interface Extent {
  readonly left: number
  readonly right: number
}

/** The maximum number of lines below a header that are searched for text beside the table. */
const linesMax = 60
/** The minimum width of a gutter between a table and text beside it, in text heights. */
const gutterHeights = 1.2
/** A column with content beside this share of the rows belongs to the table, though it has no heading. */
const columnShare = 0.8
/** The minimum number of unrelated labels in text beside a table to show that it is not a column. */
const labelsMin = 2

/** A heading at the side of a table with a lower weight may be a line of adjacent text. */
const headingWeightMin = 0.5

/** A heading that is this many text heights above or below the others is on another line. */
const offLineHeights = 0.7

interface Side {
  readonly cells: readonly Cell[]
  readonly edge: number
}

/** The nearest free strip to the left of `from`; `mirror` searches to the right instead. */
function gutterBeside(lines: readonly Line[], from: number, mirror: boolean): number | null {
  const place = (cell: Cell): readonly [number, number] => (mirror ? [-cell.x1, -cell.x0] : [cell.x0, cell.x1])
  const start = mirror ? -from : from
  const heights = lines.map((line) => line.height).toSorted((a, b) => a - b)
  const width = gutterHeights * (heights[heights.length >> 1] ?? 0)
  const pieces = lines
    .flatMap((line) => line.cells.map(place))
    .filter(([left]) => left < start)
    .sort((a, b) => b[1] - a[1])
  let edge = start
  for (const [left, right] of pieces) {
    if (edge - right >= width) return mirror ? -(edge + right) / 2 : (edge + right) / 2
    edge = Math.min(edge, left)
  }
  return null
}

const isOtherLabel = (labels: LabelIndex, cell: Cell): boolean =>
  (labels.get(cell) ?? []).some((hit) => hit.startsCell && hit.coverage >= 0.75 && (hit.isWhole || hit.hasColon))

/** True when the cells beyond a gutter are other text and not a column of the table. */
function isPanel(side: Side, lines: readonly Line[], labels: LabelIndex): boolean {
  if (side.cells.filter((cell) => isOtherLabel(labels, cell)).length >= labelsMin) return true
  const beside = new Set(side.cells.map((cell) => cell.line))
  const own = new Set(side.cells)
  const rows = lines.filter((line) => line.cells.filter((cell) => !own.has(cell)).length >= 2)
  if (rows.length < 3 || !side.cells.some((cell) => /\p{L}{3}/u.test(cell.text))) return false
  return rows.filter((line) => beside.has(line)).length < rows.length * columnShare
}

const middleOf = (heading: Heading): number =>
  heading.words.reduce((sum, word) => sum + word.y0 + word.y1, 0) / (2 * Math.max(1, heading.words.length))

/** The headings without those at either end that are unknown or on another line than most. */
function mainHeadings(headings: readonly Heading[], isKnown: (heading: Heading) => boolean): readonly Heading[] {
  const middles = headings.map(middleOf).toSorted((a, b) => a - b)
  const middle = middles[middles.length >> 1] ?? 0
  const heights = headings.flatMap((heading) => heading.words.map((word) => word.y1 - word.y0))
  const slack = offLineHeights * Math.max(0, ...heights)
  const isMain = (heading: Heading): boolean =>
    isKnown(heading) &&
    heading.targets.some((entry) => entry.weight >= headingWeightMin) &&
    Math.abs(middleOf(heading) - middle) <= slack
  const from = headings.findIndex(isMain)
  return headings.slice(Math.max(0, from), headings.findLastIndex(isMain) + 1)
}

/** The maximum number of unknown columns to the left of the first known one. */
const unknownColumnsMax = 3

/** The free strip to the left of a table, beyond columns without a known heading that are filled in nearly every row. */
function outerGutter(lines: readonly Line[], start: number): number | null {
  let edge = gutterBeside(lines, start, false)
  for (let step = 0; step < unknownColumnsMax && edge !== null; step++) {
    const right = edge
    const left = gutterBeside(lines, right, false) ?? Number.NEGATIVE_INFINITY
    const rows = lines.filter((line) => line.cells.filter((cell) => cell.x0 >= right).length >= 2)
    const strip = (line: Line): boolean => line.cells.some((cell) => cell.x1 <= right && cell.x0 >= left)
    if (rows.length < 3 || rows.filter(strip).length < rows.length * columnShare) return edge
    edge = Number.isFinite(left) ? left : null
  }
  return edge
}

/**
 * The horizontal range of a table. Text beyond a free strip whose lines do not match the table's rows is excluded.
 * `below` are the lines under the header.
 */
export function extentOfTable(
  header: Header,
  below: readonly Line[],
  { labels, isKnown }: { readonly labels: LabelIndex; readonly isKnown: (heading: Heading) => boolean },
): Extent {
  const lines = below.slice(0, linesMax)
  const known = mainHeadings(header.headings, isKnown)
  const first = known[0]
  const last = known.at(-1)
  let { left, right } = header
  if (first === undefined || last === undefined) return { left, right }
  const cellsIn = (test: (cell: Cell) => boolean): Cell[] => lines.flatMap((line) => line.cells.filter(test))
  const before = outerGutter(lines, first.x0)
  if (before !== null) {
    const side = { edge: before, cells: cellsIn((cell) => cell.x1 <= before) }
    if (isPanel(side, lines, labels)) left = Math.max(left, before)
  }
  const after = gutterBeside(lines, last.x1, true)
  if (after !== null) {
    const side = { edge: after, cells: cellsIn((cell) => cell.x0 >= after) }
    if (isPanel(side, lines, labels)) right = Math.min(right, after)
  }
  return { left, right }
}

/** A header without the headings outside an extent. */
export const clipHeader = (header: Header, { left, right }: Extent): Header => ({
  ...header,
  headings: header.headings.filter(({ x0, x1 }) => x0 + x1 > 2 * left && x0 + x1 < 2 * right),
  left,
  right,
})

/** A line without the cells outside an extent; the same object when there are none. */
export function clipLine(line: Line, { left, right }: Extent): Line {
  const cells = line.cells.filter((cell) => cell.x0 + cell.x1 > 2 * left && cell.x0 + cell.x1 < 2 * right)
  if (cells.length === line.cells.length) return line
  const words = cells.flatMap((cell) => cell.words)
  const mean = (values: readonly number[]): number =>
    values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length)
  if (words.length === 0) return { ...line, cells }
  return { ...line, cells, y0: mean(words.map((word) => word.y0)), y1: mean(words.map((word) => word.y1)) }
}
