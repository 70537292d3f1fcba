import type { PhraseTarget } from '../languages/phrase-book.ts'
import type { Cell, Line } from '../layout/layout.ts'
import { type Conventions, readCellAs } from '../values/parsed-values.ts'
import type { Header, Heading } from './headers.ts'
import type { Column } from './table.ts'

/** The maximum number of rows sampled. */
const rowsMax = 40
const rowsMin = 3
/** The minimum share of rows with content in a column without a heading. */
const rowShare = 0.6
/** The minimum share of its cells with the same kind of value. */
const sortShare = 0.8
/** The maximum share of rows that may cross the strip between two columns. */
const strayShare = 0.1

interface Pair {
  readonly left: Cell
  readonly right: Cell
}

/** The meanings of a column without a heading, from its content; empty when unclear. */
function targetsOf(cells: readonly Cell[], taken: ReadonlySet<string>, conventions: Conventions): PhraseTarget[] {
  const share = (test: (text: string) => boolean): number =>
    cells.filter((cell) => test(cell.text)).length / Math.max(1, cells.length)
  const isDate = (text: string): boolean => {
    const reading = readCellAs('date', text, conventions)[0]
    return reading !== undefined && reading.end - reading.start > text.length * 0.7
  }
  const claim = (...ids: string[]): PhraseTarget[] =>
    ids.some((id) => taken.has(id)) ? [] : ids.map((target) => ({ target, weight: 0.8 }))
  if (share(isDate) >= sortShare) return claim('c:transaction_date')
  const isAmount = (text: string): boolean => /^\W*\d[\d.,' ]*[.,]\d{2}\W*(?:CR|DR|[CDHS])?$/u.test(text)
  if (share(isAmount) >= sortShare) return claim('c:line_amount', 'c:movement')
  const isText = (text: string): boolean => (text.match(/\p{L}/gu)?.length ?? 0) > text.length * 0.6 && text.length > 3
  return share(isText) >= sortShare ? claim('c:description') : []
}

/** Pairs of cells that share a column and that a free strip separates. */
function pairsIn(column: Column, rows: readonly Line[]): Pair[] {
  const pairs = rows.flatMap((line) => {
    const inside = line.cells.filter((cell) => {
      const middle = (cell.x0 + cell.x1) / 2
      return middle >= column.left && middle < column.right
    })
    const [left] = inside
    const right = inside.at(-1)
    return left === undefined || right === undefined || inside.length !== 2 ? [] : [{ left, right }]
  })
  if (pairs.length < rowsMin || pairs.length < rows.length * rowShare) return []
  const ends = pairs.map(({ left }) => left.x1).toSorted((a, b) => a - b)
  const starts = pairs.map(({ right }) => right.x0).toSorted((a, b) => a - b)
  const stray = Math.floor(pairs.length * strayShare)
  const end = ends[ends.length - 1 - stray] ?? 0
  const start = starts[stray] ?? 0
  return end < start ? pairs.filter(({ left, right }) => left.x1 <= end && right.x0 >= start) : []
}

const overlap = (heading: Heading, cells: readonly Cell[]): number => {
  const x0 = Math.min(...cells.map((cell) => cell.x0))
  const x1 = Math.max(...cells.map((cell) => cell.x1))
  return Math.min(heading.x1, x1) - Math.max(heading.x0, x0)
}

/**
 * Adds headings for columns without one: where most rows have two cells under one heading, and one of them is always a
 * date, a final amount, or text that no other heading covers.
 */
export function withHeadless(
  header: Header,
  columns: readonly Column[],
  body: { readonly lines: readonly Line[]; readonly conventions: Conventions },
): Header {
  const rows = body.lines.filter((line) => line.cells.length >= 2).slice(0, rowsMax)
  const taken = new Set(
    header.headings.flatMap((heading) =>
      heading.targets.filter((entry) => entry.weight >= 0.6).map((entry) => entry.target),
    ),
  )
  const headings = columns.flatMap((column, at) => {
    const pairs = pairsIn(column, rows)
    if (pairs.length === 0) return [column.heading]
    const left = pairs.map((pair) => pair.left)
    const right = pairs.map((pair) => pair.right)
    const isLeftBare = overlap(column.heading, left) < overlap(column.heading, right)
    const bare = isLeftBare ? left : right
    const targets = targetsOf(bare, taken, body.conventions)
    const isAmount = targets.some((entry) => entry.target === 'c:line_amount')
    if (targets.length === 0 || (isAmount && (isLeftBare || at < columns.length - 1))) return [column.heading]
    for (const { target } of targets) taken.add(target)
    const own: Heading = {
      text: '',
      words: [],
      x0: Math.min(...bare.map((cell) => cell.x0)),
      x1: Math.max(...bare.map((cell) => cell.x1)),
      targets,
      isWrapped: false,
    }
    return isLeftBare ? [own, column.heading] : [column.heading, own]
  })
  return headings.length === header.headings.length ? header : { ...header, headings }
}
