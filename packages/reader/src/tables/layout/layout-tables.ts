import type { Line, PageLayout } from '../../layout/layout.ts'
import type { PlacedWord } from '../../layout/placed-words.ts'
import { spanOf } from '../../layout/spans.ts'
import { type Heading, readColumnHeading } from '../headers.ts'
import { type PlainCell, type PlainRow, type PlainTable, plainTables } from '../plain-tables.ts'
import type { LayoutTable, Row, Table, TableSearch } from '../table.ts'

/** The least number of columns whose headings may be asked for. */
const columnsMin = 2
/** Rows from the top that may be headings: other text may stand above them in the same columns. */
const headRowsMax = 40
/** The maximum number of rows of headings. */
const headDepthMax = 3
/** Headings with more figures than this share are values. */
const figuresShareMax = 0.34

/**
 * Tables that rules or the places of words show, whatever their columns are. They read what a search from headings down does not: cells
 * of several lines, centred texts, unknown columns. Each is given once for each of its rows that may be the headings.
 */
export function layoutTables(pages: readonly PageLayout[], search: TableSearch): LayoutTable[] {
  return plainTables(pages.filter(({ page }) => page.isTabular !== true))
    .filter(({ middles }) => middles.length >= columnsMin)
    .map((table) => readingsOf(table, search))
}

function readingsOf(table: PlainTable, search: TableSearch): LayoutTable {
  const all = [...table.head, ...table.rows]
  const lineOf = new Map(
    table.lines.flatMap((line) => line.cells.flatMap(({ words }) => words.map((word) => [word, line]))),
  )
  const linesOf = (cells: PlainRow): Line[] => [
    ...new Set(cells.flatMap((cell) => cell?.words.flatMap((word) => lineOf.get(word) ?? []) ?? [])),
  ]
  const rows = all.map(
    (cells): Row => ({ cells: cells.map((cell) => (cell ? spanOf(cell.words, []) : null)), lines: linesOf(cells) }),
  )
  const words = all.flat().flatMap((cell) => cell?.words ?? [])
  const [left, right] = [least(words.map(({ x0 }) => x0)), most(words.map(({ x1 }) => x1))]
  const edges = table.middles.slice(1).map((middle, at) => (middle + (table.middles[at] ?? middle)) / 2)
  const readings = headsOf(all).map(([from, to]): Table => {
    const head = all.slice(from, to)
    const headings = table.middles.map((middle, at) =>
      headingOf(
        head.map((row) => row[at] ?? null),
        middle,
        { page: table.page, search },
      ),
    )
    const lines = linesOf(head.flat())
    return {
      page: table.page,
      header: { headings, first: lines[0] ?? table.first, last: lines.at(-1) ?? table.first, left, right },
      columns: headings.map((heading, at) => ({ heading, left: edges[at - 1] ?? left, right: edges[at] ?? right })),
      rows: rows.slice(to),
      lines: table.lines,
      isRuled: table.isRuled,
    }
  })
  const { closeBorders } = table
  return {
    page: table.page,
    readings,
    rows,
    borders: edges,
    joined: closeBorders.map(({ column }) => column),
    partedAt: (takes) => readingsOf(table.partedAt(closeBorders.filter((_, at) => takes(at))), search),
  }
}

const least = (numbers: readonly number[]): number => numbers.reduce((one, other) => Math.min(one, other))
const most = (numbers: readonly number[]): number => numbers.reduce((one, other) => Math.max(one, other))

/** The ranges of rows that may be headings: texts over at least two columns, with rows below them. */
function headsOf(rows: readonly PlainRow[]): [from: number, to: number][] {
  const heads: [number, number][] = []
  const end = Math.min(headRowsMax, rows.length - 1)
  for (let from = 0; from < end; from++)
    for (let to = from + 1; to <= Math.min(end, from + headDepthMax) && mayHead(rows[to - 1]); to++) {
      const named = new Set(rows.slice(from, to).flatMap((row) => row.flatMap((cell, at) => (cell ? [at] : []))))
      if (named.size >= columnsMin) heads.push([from, to])
    }
  return heads
}

function mayHead(row: PlainRow | undefined): boolean {
  const filled = row?.filter((cell) => cell !== null) ?? []
  return filled.length > 0 && filled.filter(isFigure).length <= filled.length * figuresShareMax
}

const isFigure = ({ text }: PlainCell): boolean => /\d/.test(text) && (text.match(/\p{L}/gu)?.length ?? 0) <= 3

function headingOf(
  cells: PlainRow,
  middle: number,
  { page, search }: { readonly page: PageLayout; readonly search: TableSearch },
): Heading {
  const words: readonly PlacedWord[] = cells.flatMap((cell) => cell?.words ?? [])
  if (words.length === 0) return { text: '', words, x0: middle, x1: middle, targets: [], isWrapped: false }
  return readColumnHeading(words, search, page.page.source === 'ocr').heading
}
