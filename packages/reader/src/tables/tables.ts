import { greatest } from '@skillrun/core/extremes.ts'
import { rowsFollow } from '../candidates/inferred.ts'
import { cutLinesMax, headedColumns } from '../layout/columns.ts'
import type { Line, PageLayout } from '../layout/layout.ts'
import { clipHeader, clipLine, type Extent, extentOfTable } from '../layout/panels.ts'
import { fold } from '../layout/text.ts'
import { findHeader, type Header } from './headers.ts'
import { haveSameColumns, latticesOn } from './lattices.ts'
import type { Column, Row, Table, TableSearch } from './table.ts'
import { bodyOf, gradeLine } from './table-body.ts'
import { rowsOf } from './table-rows.ts'

/** Continues a table that reached the end of its page at the top of the next pages. */
function continueTable(
  pages: readonly PageLayout[],
  from: number,
  table: { columns: readonly Column[]; extent: Extent; search: TableSearch },
): { rows: Row[]; lines: Line[] } {
  const rows: Row[] = []
  const taken: Line[] = []
  for (let at = from; at < pages.length; at++) {
    const page = pages[at]
    if (page === undefined || page.document !== pages[from - 1]?.document) break
    const typedMin = Math.max(2, table.columns.length - 2)
    const first = page.lines.findIndex(
      (line) => gradeLine(line, table.columns, table.search).typed >= Math.min(typedMin, 2),
    )
    if (first < 0 || first > 12) break
    if (page.lines.slice(0, first + 1).some((_, index) => findHeaderAt(page.lines, index, table.search) !== null)) break
    const body = bodyOf(clipLines(page.lines.slice(first), table.extent), table.columns, table.search)
    if (body.lines.length === 0) break
    for (const row of rowsOf(body.lines, table.columns, table.search)) rows.push(row)
    for (const { line } of body.lines) taken.push(page.lines[line.index] ?? line)
    if (!body.ranOut) break
  }
  return { rows, lines: taken }
}

/** The minimum share of known headings to accept a header without checking the lines below. */
const knownShareMin = 0.5

function findHeaderAt(lines: readonly Line[], at: number, search: TableSearch): Header | null {
  const found = findHeader(lines, at, search)
  if (found === null) return null
  const { header, count, share } = found
  const isKnown = share >= knownShareMin
  if (isKnown && (count >= search.columnsMin || (count === 2 && isShortHeader(header, search)))) return header
  // In a source with columns, two adjacent known names are headings, not a label and its value.
  if (isKnown && count >= 2 && lines[at]?.page.page.isTabular) return header
  const isSure = header.headings.some((heading) => heading.targets.some((entry) => entry.weight >= 0.85))
  const below = takeUntil(lines.slice(header.last.index + 1), (line) => search.endsTable(line) || search.isAside(line))
  // Two cells with known words may also be a label and its value.
  const isPair = isKnown && header.headings.length < 3
  return isSure && !isPair && rowsFollow(header, below) ? header : null
}

/** Two headings are a header when one is surely for text and the other for amounts. */
function isShortHeader(header: Header, search: TableSearch): boolean {
  if (header.headings.length > 3) return false
  const known = header.headings.filter((heading) => heading.targets.some((entry) => entry.weight >= 0.85))
  const kinds = known.map((heading) => search.kindUnder(heading))
  return kinds[0] === 'text' && kinds.at(-1) === 'money' && header.headings.length - known.length <= 1
}

/** A header without a wide gap has few words. */
const tightWordsMax = 12
/** And a row with a gap or a number soon below it. */
const tightRowsMax = 12

/** False for a line of prose: searching for a header takes a thousand times longer than this test. */
function mayHead(lines: readonly Line[], at: number): boolean {
  const [first, ...others] = lines[at]?.cells ?? []
  if (first === undefined || others.length > 0) return first !== undefined
  if (first.words.length > tightWordsMax) return false
  return lines
    .slice(at + 1, at + 1 + tightRowsMax)
    .some(({ cells }) => cells.length > 1 || cells.some(({ text }) => /\d/.test(text)))
}

/** All tables with a header of known columns. Rows of one table may be on several pages. */
export function findTables(pages: readonly PageLayout[], search: TableSearch): Table[] {
  const tables: Table[] = []
  for (const [number, page] of pages.entries()) {
    for (let at = 0; at < page.lines.length; at++) {
      if (!mayHead(page.lines, at) || page.lines[at]?.cells.every((cell) => !search.labels.has(cell))) continue
      const found = findHeaderAt(page.lines, at, search)
      if (found === null) continue
      for (const part of sideBySide(found)) {
        const table = tableUnder(part, { pages, number, search })
        if (table === undefined) continue
        tables.push(table)
        const last = table.lines.findLast((line) => line.page === page)
        at = Math.max(at, last?.index ?? at)
      }
    }
  }
  return tables
}

/** A header, and its place among those beside it on the same lines. */
type PartHeader = Header & { readonly part: number | undefined }

/** The number of names after which all of them repeat, at least two; undefined if they do not. */
export function periodOf(names: readonly string[]): number | undefined {
  const width = names.indexOf(names[0] ?? '', 1)
  const isDivided = width >= 2 && names.length % width === 0 && names.every((name, at) => name === names[at % width])
  return isDivided ? width : undefined
}

/** The headers of tables beside each other that divide one list: `Date Amount Date Amount` are two of two columns. */
function sideBySide(header: Header): PartHeader[] {
  const { headings } = header
  const width = periodOf(headings.map(({ text }) => fold(text)))
  if (width === undefined) return [{ ...header, part: undefined }]
  const cuts = headings.flatMap(({ x0 }, at) =>
    at > 0 && at % width === 0 ? [((headings[at - 1]?.x1 ?? x0) + x0) / 2] : [],
  )
  const edges = [header.left, ...cuts, header.right]
  return edges.slice(1).map((right, at) => ({
    ...clipHeader(header, { left: edges[at] ?? header.left, right }),
    part: at,
  }))
}

/** The maximum number of lines below a table that goes on on the next page. */
const footLinesMax = 4

/**
 * The number of the line at which the rules end that enclose the rows from a line on, in groups with gaps between them or in one; of a table
 * without them, that of the page's end.
 */
function endOfRules(page: PageLayout, from: number): number {
  const first = page.lines[from]
  const lattices = first ? latticesOn(page) : []
  const own = lattices.find(({ lines, rows }) => rows.length > 1 && first && lines.includes(first))
  if (own === undefined) return page.lines.length
  const groups = lattices.filter((one) => haveSameColumns(one, own))
  return greatest(groups.map(({ lines }) => lines.at(-1)?.index ?? 0)) + 1
}

/** The table under a header, with its rows on later pages; undefined when it has none. */
function tableUnder(
  found: PartHeader,
  { pages, number, search }: { pages: readonly PageLayout[]; number: number; search: TableSearch },
): Table | undefined {
  const { page } = found.first
  const end = endOfRules(page, found.last.index + 1)
  const all = page.lines.slice(found.last.index + 1, end)
  const under = found.part === undefined ? all : clipLines(all, found)
  const extent = extentOfTable(found, takeUntil(under, search.endsTable), {
    labels: search.labels,
    isKnown: (heading) => search.kindUnder(heading) !== null,
  })
  const below = clipLines(under, extent)
  const { header, columns } = headedColumns(clipHeader(found, extent), takeUntil(below, search.endsTable), search)
  const body = bodyOf(below, columns, search)
  const rows = rowsOf(body.lines, columns, search)
  if (rows.length === 0) return undefined
  const goesOn = body.ranOut && page.lines.length - end <= footLinesMax
  const more = goesOn ? continueTable(pages, number + 1, { columns, extent, search }) : { rows: [], lines: [] }
  const own = [
    ...page.lines.slice(header.first.index, header.last.index + 1),
    ...body.lines.map(({ line }) => page.lines[line.index] ?? line),
  ]
  const whole = { page, header, columns, rows: [...rows, ...more.rows], lines: [...own, ...more.lines] }
  return found.part === undefined ? whole : { ...whole, part: found.part }
}

const clipLines = (lines: readonly Line[], extent: Extent): Line[] =>
  lines.map((line) => clipLine(line, extent)).filter((line) => line.cells.length > 0)

function takeUntil(lines: readonly Line[], ends: (line: Line) => boolean): Line[] {
  const taken: Line[] = []
  for (const line of lines) {
    if (taken.length >= cutLinesMax || ends(line)) break
    taken.push(line)
  }
  return taken
}

/** Lines of tables and the part that each table takes, where no single field is read. */
export function linesOfTables(tables: readonly Table[]): Map<Line, Extent> {
  const map = new Map<Line, Extent>()
  for (const { lines, header } of tables)
    for (const line of lines) {
      const other = map.get(line)
      map.set(line, {
        left: Math.min(header.left, other?.left ?? header.left),
        right: Math.max(header.right, other?.right ?? header.right),
      })
    }
  return map
}
