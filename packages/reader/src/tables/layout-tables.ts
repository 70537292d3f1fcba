import type { Line, PageLayout } from '../layout/layout.ts'
import type { PlacedWord } from '../layout/placed-words.ts'
import { spanOf } from '../layout/spans.ts'
import { type Heading, readColumnHeading } from './headers.ts'
import { columnsOf, type PlainCell, type PlainTable, plainTables } from './plain-tables.ts'
import type { Row, Table, TableSearch } from './table.ts'

/** The least number of columns whose headings may be asked for. */
const columnsMin = 2

/**
 * Tables that rules or the places of words show, whatever their columns are, with the meanings of their headings. They read what
 * a search from headings down does not: cells of several lines, centred texts, unknown columns.
 */
export function layoutTables(pages: readonly PageLayout[], search: TableSearch): Table[] {
  return plainTables(pages.filter(({ page }) => page.isTabular !== true)).flatMap(
    (table) => tableOf(table, search) ?? [],
  )
}

function tableOf(table: PlainTable, search: TableSearch): Table | undefined {
  const { page, middles, head, rows } = table
  if (head.length === 0 || rows.length === 0 || middles.length < columnsMin) return undefined
  const headings = columnsOf(table).map((cell, at) => headingOf(cell, middles[at] ?? 0, { page, search }))
  if (search.count(headings) < columnsMin) return undefined
  const lineOf = new Map(
    table.lines.flatMap((line) => line.cells.flatMap(({ words }) => words.map((word) => [word, line]))),
  )
  const linesOf = (cells: readonly (PlainCell | null)[]): Line[] => [
    ...new Set(cells.flatMap((cell) => cell?.words.flatMap((word) => lineOf.get(word) ?? []) ?? [])),
  ]
  const ofHead = linesOf(head.flat())
  const read = rows.map(
    (cells): Row => ({
      cells: cells.map((cell) => (cell ? spanOf(cell.words, []) : null)),
      lines: linesOf(cells),
    }),
  )
  const words = [...head, ...rows].flat().flatMap((cell) => cell?.words ?? [])
  const [left, right] = [Math.min(...words.map(({ x0 }) => x0)), Math.max(...words.map(({ x1 }) => x1))]
  const edges = middles.slice(1).map((middle, at) => (middle + (middles[at] ?? middle)) / 2)
  return {
    page,
    header: { headings, first: ofHead[0] ?? table.first, last: ofHead.at(-1) ?? table.first, left, right },
    columns: headings.map((heading, at) => ({ heading, left: edges[at - 1] ?? left, right: edges[at] ?? right })),
    rows: read,
    lines: table.lines,
    isRuled: table.isRuled,
  }
}

function headingOf(
  cell: PlainCell | null,
  middle: number,
  { page, search }: { readonly page: PageLayout; readonly search: TableSearch },
): Heading {
  const words: readonly PlacedWord[] = cell?.words ?? []
  if (words.length === 0) return { text: '', words, x0: middle, x1: middle, targets: [], isWrapped: false }
  return readColumnHeading(words, search, page.page.source === 'ocr').heading
}
