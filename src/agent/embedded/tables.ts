import type { Kind } from './concepts.ts'
import { findHeader, type Header, type HeaderSearch, type Heading } from './headers.ts'
import { withHeadless } from './headless.ts'
import { rowsFollow, withInferred } from './inferred.ts'
import type { Cell, Line, PageLayout } from './layout.ts'
import { isDayHeading } from './ledger-days.ts'
import { clipHeader, clipLine, type Extent, extentOfTable } from './panels.ts'
import type { PlacedWord } from './placed-words.ts'
import { type Conventions, readCellAs } from './readings.ts'
import { type Span, spanOf } from './spans.ts'

/** A column of a table with the place it takes across the page. */
export interface Column {
  readonly heading: Heading
  readonly left: number
  readonly right: number
}

/** A row of a table: for each column what stands there, or null. */
export interface Row {
  readonly cells: readonly (Span | null)[]
  readonly lines: readonly Line[]
  /** The date that stands as a heading over this row and others, where the table has no column for it. */
  readonly day?: Span
}

/** A table as it stands on one page or goes on over several. */
export interface Table {
  readonly page: PageLayout
  readonly header: Header
  readonly columns: readonly Column[]
  readonly rows: readonly Row[]
  /** Every line that the table takes, its header included. */
  readonly lines: readonly Line[]
}

/** What is needed to find tables. */
export interface TableSearch extends HeaderSearch {
  readonly conventions: Conventions
  /** True for a line of sums that ends a table. */
  readonly endsTable: (line: Line) => boolean
  /** True for a line inside a table that is no row: a balance brought forward. */
  readonly isAside: (line: Line) => boolean
  /** The sort of value under a heading; null when it may be anything. */
  readonly kindUnder: (heading: Heading) => Kind | null
  /** Columns that must be known for a header to count. */
  readonly columnsMin: number
}

/** Positions tried for the border between two columns. */
const cutSamples = 48
/** From so many lines on, chance gaps between words no longer pass for the border of two columns. */
const cutLinesSure = 4
/** Lines looked at for the borders of columns. */
const cutLinesMax = 60
/** A gap of this many row heights ends a table. */
const endGapHeights = 5.5

/** The border between two columns: where the fewest words of the body cross, in the middle of the widest such place. */
function cutBetween(left: Heading, right: Heading, body: readonly PlacedWord[], lineCount: number): number {
  const from = (left.x0 + left.x1) / 2
  const to = (right.x0 + right.x1) / 2
  const step = (to - from) / cutSamples
  const near = body.filter((word) => word.x1 > from && word.x0 < to)
  const seam = (left.x1 + right.x0) / 2
  // Over several rows the gaps between words do not line up: then the free strip at the seam of the headings is the border.
  const isSure = lineCount >= cutLinesSure
  let best = { crossings: Number.POSITIVE_INFINITY, worth: Number.NEGATIVE_INFINITY, middle: seam }
  let run = { crossings: -1, start: from }
  const close = (end: number): void => {
    if (run.crossings < 0) return
    const distance = Math.max(0, run.start - seam, seam - end)
    const worth = isSure ? -distance : end - run.start
    if (run.crossings < best.crossings || (run.crossings === best.crossings && worth > best.worth)) {
      best = { crossings: run.crossings, worth, middle: (run.start + end) / 2 }
    }
  }
  for (let index = 0; index <= cutSamples; index++) {
    const x = from + index * step
    const inHeading = (x > left.x0 && x < left.x1) || (x > right.x0 && x < right.x1)
    const crossings = near.filter((word) => word.x0 < x && word.x1 > x).length + (inHeading && !isSure ? 0.5 : 0)
    if (crossings === run.crossings) continue
    close(x)
    run = { crossings, start: x }
  }
  close(to)
  return best.middle
}

function columnsOf(header: Header, body: readonly Line[]): Column[] {
  const lines = body.slice(0, cutLinesMax)
  const words = lines.flatMap((line) => line.cells.flatMap((cell) => cell.words))
  const cuts = header.headings
    .slice(1)
    .map((heading, index) => cutBetween(header.headings[index] ?? heading, heading, words, lines.length))
  return header.headings.map((heading, index) => ({
    heading,
    left: cuts[index - 1] ?? header.left,
    right: cuts[index] ?? header.right,
  }))
}

/** The columns under a header, those without a heading of their own among them. */
function headedColumns(
  given: Header,
  lines: readonly Line[],
  search: TableSearch,
): { header: Header; columns: Column[] } {
  const { conventions } = search
  const whole = withHeadless(given, columnsOf(given, lines), { lines, conventions })
  const columns = columnsOf(whole, lines)
  const isKnown = (heading: Heading): boolean =>
    search.kindUnder(heading) !== null && heading.targets.some((entry) => entry.weight >= 0.5)
  const header = withInferred(whole, columns, { lines, conventions, isKnown })
  return { header, columns: header === whole ? columns : columnsOf(header, lines) }
}

/** Words of one text stand closer than this many text heights. */
const spaceHeights = 0.42

/** Brings the last words of a text that reaches over the border of its column back to it. */
function keepTogether(cell: Cell, parts: readonly PlacedWord[][]): void {
  for (let at = parts.length - 1; at > 0; at--) {
    const [left, right] = [parts[at - 1], parts[at]]
    const before = left?.at(-1)
    if (left === undefined || right === undefined || before === undefined || !cell.words.includes(before)) continue
    let last = before
    let count = 0
    for (const word of right) {
      const isNear = cell.words.includes(word) && word.x0 - last.x1 < spaceHeights * cell.line.height
      const isText = /\p{L}/u.test(word.word.text) && !/^\W*\d[\d.,]*\W*$/.test(word.word.text)
      // A number goes with the text before it only when the column keeps one of its own.
      const isPart = isText || (/\p{L}/u.test(last.word.text) && count + 1 < right.length)
      if (!isNear || !isPart) break
      last = word
      count++
    }
    if (count > 0 && left.some((word) => /\p{L}{2}/u.test(word.word.text))) left.push(...right.splice(0, count))
  }
}

/** The words of a line by column. */
function partLine(line: Line, columns: readonly Column[]): PlacedWord[][] {
  const parts: PlacedWord[][] = columns.map(() => [])
  for (const cell of line.cells) {
    for (const word of cell.words) {
      const middle = (word.x0 + word.x1) / 2
      const at = columns.findIndex((column) => middle >= column.left && middle < column.right)
      parts[at]?.push(word)
    }
    keepTogether(cell, parts)
  }
  return parts
}

const isTyped = (kind: Kind | null): kind is Kind =>
  kind !== null && /^(?:money|number|integer|percent|date|datetime|time)$/.test(kind)

interface BodyLine {
  readonly line: Line
  readonly parts: readonly PlacedWord[][]
  /** Columns of a known sort whose text reads as that sort. */
  readonly typed: number
  /** Columns of a known sort that hold something else. */
  readonly misfits: number
}

function gradeLine(line: Line, columns: readonly Column[], search: TableSearch): BodyLine {
  const parts = partLine(line, columns)
  let typed = 0
  let misfits = 0
  for (const [index, words] of parts.entries()) {
    const column = columns[index]
    const kind = column === undefined ? null : search.kindUnder(column.heading)
    if (words.length === 0 || !isTyped(kind)) continue
    const text = spanOf(words, []).text
    const reading = readCellAs(kind, text, search.conventions)[0]
    const filled = reading !== undefined && (reading.end - reading.start) / text.length > 0.3
    if (filled) typed++
    else if (/\p{L}{2}/u.test(text)) misfits++
  }
  return { line, parts, typed, misfits }
}

const pitch = (above: Line, below: Line): number => (below.y0 + below.y1 - above.y0 - above.y1) / 2

interface Body {
  readonly lines: readonly BodyLine[]
  /** True when the page ended before the table did. */
  readonly ranOut: boolean
}

function bodyOf(lines: readonly Line[], columns: readonly Column[], search: TableSearch): Body {
  const typedColumns = columns.filter((column) => isTyped(search.kindUnder(column.heading))).length
  const need = typedColumns >= 3 ? 2 : 1
  const body: BodyLine[] = []
  let above: Line | null = null
  let sinceRow = 0
  for (const [at, line] of lines.entries()) {
    if (above !== null && pitch(above, line) > endGapHeights * Math.max(line.height, above.height))
      return { lines: trimTail(body, need), ranOut: false }
    if (search.isAside(line)) {
      above = line
      continue
    }
    if (search.endsTable(line)) {
      if (!goesOn(lines.slice(at + 1, at + 1 + sectionGapLines), columns, search))
        return { lines: trimTail(body, need), ranOut: false }
      above = line
      continue
    }
    const graded = gradeLine(line, columns, search)
    const isRow =
      graded.typed >= need || (typedColumns === 0 && graded.parts.filter((part) => part.length > 0).length >= 2)
    sinceRow = isRow ? 0 : sinceRow + 1
    if (sinceRow > 6 || (!isRow && graded.misfits >= 2 && body.length > 0))
      return { lines: trimTail(body, need), ranOut: false }
    body.push(graded)
    above = line
  }
  return { lines: trimTail(body, need), ranOut: true }
}

/** A section's own sum is followed by a row within so many lines. */
const sectionGapLines = 3

/** True when a full row follows a sum: then it was the sum of a section and not of the table. */
function goesOn(next: readonly Line[], columns: readonly Column[], search: TableSearch): boolean {
  const typedColumns = columns.filter((column) => isTyped(search.kindUnder(column.heading))).length
  if (typedColumns < 3) return false
  for (const line of next) {
    if (search.endsTable(line) || search.isAside(line)) return false
    const { parts, typed, misfits } = gradeLine(line, columns, search)
    const hasText = parts.some((words, at) => {
      const column = columns[at]
      return (
        column !== undefined &&
        search.kindUnder(column.heading) === 'text' &&
        words.some((word) => /\p{L}{2}/u.test(word.word.text))
      )
    })
    if (hasText && misfits === 0 && typed >= Math.max(3, typedColumns - 1)) return true
  }
  return false
}

/** Takes off the lines after the last row that do not stand close to it: they are text below the table. */
function trimTail(body: readonly BodyLine[], need: number): BodyLine[] {
  const last = body.findLastIndex((line) => line.typed >= need)
  if (last < 0) return [...body]
  let end = last + 1
  const usual = usualPitch(body.slice(0, last + 1), need)
  while (end < body.length) {
    const line = body[end]
    const above = body[end - 1]
    if (line === undefined || above === undefined || line.misfits > 0) break
    const filled = line.parts.filter((part) => part.length > 0).length
    if (filled !== 1 || line.typed > 0 || pitch(above.line, line.line) > Math.min(usual, above.line.height * 1.75))
      break
    end++
  }
  return body.slice(0, end)
}

/** Smallest distance from one row to the next. */
function usualPitch(body: readonly BodyLine[], need: number): number {
  const rows = body.filter((line) => line.typed >= need)
  const pitches = rows.slice(1).map((row, index) => pitch(rows[index]?.line ?? row.line, row.line))
  return pitches.length === 0 ? Number.POSITIVE_INFINITY : Math.min(...pitches)
}

/** True for a line with an amount where its row has one already: a sum carried along, or of a section. */
const repeatsAmount = (line: BodyLine, row: BodyLine, columns: readonly Column[], search: TableSearch): boolean =>
  columns.some((column, index) => {
    const [own, other] = [line.parts[index] ?? [], row.parts[index] ?? []]
    if (own.length === 0 || other.length === 0 || search.kindUnder(column.heading) !== 'money') return false
    return readCellAs('money', spanOf(own, []).text, search.conventions).some((reading) => reading.fit >= 0.7)
  })

/** Gathers lines into rows: a line of text alone belongs to the nearest row. */
function rowsOf(given: readonly BodyLine[], columns: readonly Column[], search: TableSearch): Row[] {
  const { body, days } = partDays(given, columns, search)
  const typedColumns = columns.filter((column) => isTyped(search.kindUnder(column.heading))).length
  const need = typedColumns >= 3 ? 2 : 1
  const isAnchor = (line: BodyLine): boolean =>
    typedColumns === 0
      ? line.parts.filter((part) => part.length > 0).length >= Math.min(2, columns.length)
      : line.typed >= need
  const anchors = body.filter(isAnchor)
  const groups = new Map<BodyLine, BodyLine[]>(anchors.map((anchor) => [anchor, []]))
  let next = 0
  for (const line of body) {
    if (isAnchor(line)) {
      next++
      groups.get(line)?.push(line)
      continue
    }
    const before = anchors[next - 1]
    const after = anchors[next]
    const up = before === undefined ? Number.POSITIVE_INFINITY : pitch(before.line, line.line)
    const lastOfBefore = before === undefined ? undefined : groups.get(before)?.at(-1)
    const step = lastOfBefore === undefined ? up : pitch(lastOfBefore.line, line.line)
    const down = after === undefined ? Number.POSITIVE_INFINITY : pitch(line.line, after.line)
    const home = Math.min(step, up) <= down * 1.15 ? before : after
    if (home !== undefined && line.misfits === 0 && !repeatsAmount(line, home, columns, search))
      groups.get(home)?.push(line)
  }
  return anchors.map((anchor) => {
    const lines = (groups.get(anchor) ?? [anchor]).toSorted((a, b) => a.line.index - b.line.index)
    const cells = columns.map((_, index) => {
      const words = lines.flatMap((line) => line.parts[index] ?? [])
      return words.length === 0 ? null : spanOf(words, [])
    })
    const day = days.get(anchor)
    return { cells, lines: lines.map((line) => line.line), ...(day !== undefined && { day }) }
  })
}

/** Takes the dates that head rows out of the body, and says which line stands under which of them. */
function partDays(
  given: readonly BodyLine[],
  columns: readonly Column[],
  search: TableSearch,
): { body: readonly BodyLine[]; days: ReadonlyMap<BodyLine, Span> } {
  const days = new Map<BodyLine, Span>()
  const hasColumn = columns.some((column) =>
    column.heading.targets.some((entry) => entry.target === 'c:transaction_date' && entry.weight >= 0.6),
  )
  if (hasColumn) return { body: given, days }
  const body: BodyLine[] = []
  let day: Span | null = null
  for (const line of given) {
    if (isDayHeading(line.line.cells, search.conventions)) {
      day = spanOf(
        line.line.cells.flatMap((cell) => cell.words),
        line.line.cells,
      )
      continue
    }
    body.push(line)
    if (day !== null) days.set(line, day)
  }
  return { body, days }
}

/** Goes on with a table at the top of the next pages when it ran to the end of its own. */
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

/** Part of its headings that must be known for a header to count without a look at what follows. */
const knownShareMin = 0.5

function findHeaderAt(lines: readonly Line[], at: number, search: TableSearch): Header | null {
  const found = findHeader(lines, at, search)
  if (found === null) return null
  const { header, count, share } = found
  const isKnown = share >= knownShareMin
  if (isKnown && (count >= search.columnsMin || (count === 2 && isShortHeader(header, search)))) return header
  const isSure = header.headings.some((heading) => heading.targets.some((entry) => entry.weight >= 0.85))
  const below = takeUntil(lines.slice(header.last.index + 1), (line) => search.endsTable(line) || search.isAside(line))
  // Two cells of which both are known words may as well be a label beside its value.
  const isPair = isKnown && header.headings.length < 3
  return isSure && !isPair && rowsFollow(header, below) ? header : null
}

/** Two headings alone are a header when one heads texts and the other amounts, and both are sure. */
function isShortHeader(header: Header, search: TableSearch): boolean {
  if (header.headings.length > 3) return false
  const known = header.headings.filter((heading) => heading.targets.some((entry) => entry.weight >= 0.85))
  const kinds = known.map((heading) => search.kindUnder(heading))
  return kinds[0] === 'text' && kinds.at(-1) === 'money' && header.headings.length - known.length <= 1
}

/** Every table of some pages that has a header of known columns. Rows of one table may lie on several pages. */
export function findTables(pages: readonly PageLayout[], search: TableSearch): Table[] {
  const tables: Table[] = []
  for (const [number, page] of pages.entries()) {
    for (let at = 0; at < page.lines.length; at++) {
      if (page.lines[at]?.cells.every((cell) => !search.labels.has(cell))) continue
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

/** Labels that are the headings or stand in the rows of tables, so that no single field takes them. */
export function linesOfTables(tables: readonly Table[]): Map<Line, Extent> {
  const map = new Map<Line, Extent>()
  for (const { lines, header } of tables)
    for (const line of lines) map.set(line, { left: header.left, right: header.right })
  return map
}
