import { rowsFollow } from '../candidates/inferred.ts'
import { cutLinesMax, headedColumns } from '../layout/columns.ts'
import type { Line, PageLayout } from '../layout/layout.ts'
import { clipHeader, clipLine, type Extent, extentOfTable } from '../layout/panels.ts'
import { findHeader, type Header } from './headers.ts'
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
    rows.push(...rowsOf(body.lines, table.columns, table.search))
    taken.push(...body.lines.map(({ line }) => page.lines[line.index] ?? line))
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
      const under = page.lines.slice(found.last.index + 1)
      const extent = extentOfTable(found, takeUntil(under, search.endsTable), {
        labels: search.labels,
        isKnown: (heading) => search.kindUnder(heading) !== null,
      })
      const below = clipLines(under, extent)
      const { header, columns } = headedColumns(clipHeader(found, extent), takeUntil(below, search.endsTable), search)
      const body = bodyOf(below, columns, search)
      const rows = rowsOf(body.lines, columns, search)
      if (rows.length === 0) continue
      const more = body.ranOut ? continueTable(pages, number + 1, { columns, extent, search }) : { rows: [], lines: [] }
      const own = [
        ...page.lines.slice(header.first.index, header.last.index + 1),
        ...body.lines.map(({ line }) => page.lines[line.index] ?? line),
      ]
      tables.push({ page, header, columns, rows: [...rows, ...more.rows], lines: [...own, ...more.lines] })
      at = Math.max(header.last.index, body.lines.at(-1)?.line.index ?? at)
    }
  }
  return tables
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
    for (const line of lines) map.set(line, { left: header.left, right: header.right })
  return map
}
