import type { Line, PageLayout } from '../layout/layout.ts'
import { type Piece, piecesOfLine } from '../layout/pieces.ts'
import { gridColumns, type RecordLine } from './grid-columns.ts'
import { withGridRoles } from './grid-roles.ts'
import { blockTable } from './record-blocks.ts'
import type { Column, Table, TableSearch } from './table.ts'
import { bodyOf } from './table-body.ts'
import { rowsOf } from './table-rows.ts'

/** The minimum number of records with aligned amounts that make a table, whatever the headings. */
const recordsMin = 3
/** The maximum number of lines between two records: wrapped texts, notes, a date heading. */
const betweenMax = 4
/** The maximum difference between edges of amounts in one column, in text heights. */
const edgeHeights = 0.8
/** A gap of this many text heights ends a table. */
const endGapHeights = 5.5

interface Group {
  readonly records: RecordLine[]
  readonly edges: { readonly left: number; readonly right: number }[]
}

const amountsOf = (pieces: readonly Piece[]): Piece[] => pieces.filter(({ kind }) => kind === 'amount')

/** True for a line that may be a record: an amount and something else. */
const isRecord = (pieces: readonly Piece[]): boolean => pieces.length >= 2 && amountsOf(pieces).length > 0

function fits(group: Group, record: RecordLine): boolean {
  const slack = edgeHeights * record.line.height
  if (record.pieces.length >= datedPieces && startsAlike(group, record, slack)) return true
  return amountsOf(record.pieces).some((piece) =>
    group.edges.some(({ left, right }) => Math.abs(piece.x1 - right) < slack || Math.abs(piece.x0 - left) < slack),
  )
}

/** The minimum number of pieces of a dated entry: date, text and amount. */
const datedPieces = 3

/** Account entries with aligned dates and texts belong together, whichever column their amounts are in. */
const startsAlike = ({ records }: Group, { pieces }: RecordLine, slack: number): boolean =>
  pieces[0]?.kind === 'date' &&
  records.some((other) =>
    [0, 1].every((at) => {
      const [own, its] = [pieces[at], other.pieces[at]]
      return own !== undefined && its !== undefined && own.kind === its.kind && Math.abs(own.x0 - its.x0) < slack
    }),
  )

function join(group: Group, record: RecordLine): void {
  group.records.push(record)
  for (const { x0, x1 } of amountsOf(record.pieces)) group.edges.push({ left: x0, right: x1 })
}

/** Records of another section after a subtotal have the same layout. */
const isAlike = ({ records }: Group, { pieces }: RecordLine): boolean =>
  pieces.length >= 3 && records.some((other) => kindsOf(other) === kindsOf({ pieces }))

const kindsOf = ({ pieces }: Pick<RecordLine, 'pieces'>): string => pieces.map(({ kind }) => kind).join()

const isFar = (above: Line, below: Line): boolean =>
  below.y0 - above.y0 > endGapHeights * Math.max(above.height, below.height)

/** A document sum ends a table. In a dated ledger row it is only a word of the description. */
const isEnd = (record: RecordLine, search: TableSearch): boolean =>
  search.endsTable(record.line) && !record.pieces.some(({ kind }) => kind === 'date')

/** Groups of lines with aligned amounts on a page. */
function groupsOf(page: PageLayout, search: TableSearch): Group[] {
  const groups: Group[] = []
  let open: Group | null = null
  let above: Line | null = null
  let between = 0
  let isEnded = false
  for (const line of page.lines) {
    const record = { line, pieces: piecesOfLine(line, search.conventions) }
    if (above !== null && isFar(above, line)) open = null
    above = line
    if (isEnd(record, search) && !search.isAside(line)) {
      isEnded = true
      continue
    }
    if (!isRecord(record.pieces) || search.isAside(line)) {
      between++
      if (between > betweenMax) open = null
      continue
    }
    between = 0
    if (open !== null && fits(open, record) && (!isEnded || isAlike(open, record))) join(open, record)
    else {
      open = { records: [], edges: [] }
      join(open, record)
      groups.push(open)
    }
    isEnded = false
  }
  return groups
}

/** Records with at least this share of the pieces of the fullest one determine the columns. */
const coreShare = 0.75
/** The maximum difference between left or right edges of pieces in one column, in text heights. */
const alignHeights = 0.6

/** The records aligned with the columns of the fullest ones. Sums below a table have other columns. */
function ownRecords(records: readonly RecordLine[]): RecordLine[] {
  const counts = records.map(({ pieces }) => pieces.length).toSorted((a, b) => a - b)
  const usual = counts[Math.floor(counts.length * 0.9)] ?? 0
  const core = records.filter(({ pieces }) => pieces.length >= usual * coreShare)
  const isAligned = (piece: Piece, slack: number): boolean =>
    core.some(({ pieces }) =>
      pieces.some(
        (other) =>
          (other.kind === 'text') === (piece.kind === 'text') &&
          (Math.abs(other.x0 - piece.x0) < slack || (piece.kind !== 'text' && Math.abs(other.x1 - piece.x1) < slack)),
      ),
    )
  return records.filter(
    (record) =>
      core.includes(record) || record.pieces.every((piece) => isAligned(piece, alignHeights * record.line.height)),
  )
}

function tableOf(page: PageLayout, group: Group, search: TableSearch): Table | null {
  const own = ownRecords(group.records)
  const found = gridColumns(page, own, search)
  const [first] = own
  const last = own.at(-1)
  if (found === null || first === undefined || last === undefined) return null
  const { header, columns } = withGridRoles(found, own, search)
  return fill(
    page,
    { header, columns },
    {
      from: Math.min(first.line.index, header.last.index + 1),
      to: last.line.index,
      records: new Set(own.map(({ line }) => line)),
      search,
    },
  )
}

interface Range {
  readonly from: number
  readonly to: number
  readonly records: ReadonlySet<Line>
  readonly search: TableSearch
}

/** The maximum number of lines that a text may wrap to below the last record. */
const tailLines = 3

function fill(
  page: PageLayout,
  { header, columns }: { header: Table['header']; columns: readonly Column[] },
  { from, to, records, search }: Range,
): Table | null {
  const below = page.lines.slice(from, to + 1 + tailLines)
  const body = bodyOf(below, columns, search, records)
  const rows = rowsOf(body.lines, columns, search, records)
  if (rows.length === 0) return null
  const own = page.lines.slice(header.first.index, header.last.index + 1)
  return { page, header, columns, rows, lines: [...own, ...body.lines.map(({ line }) => line)] }
}

/**
 * Finds tables by their bodies: lines with aligned amounts make the columns, the text above names them, and arithmetic
 * supplies missing meanings.
 */
export function findGrids(pages: readonly PageLayout[], search: TableSearch): Table[] {
  const tables: Table[] = []
  for (const page of pages) {
    for (const group of groupsOf(page, search)) {
      const block = group.records.length >= 2 ? blockTable(page, ownRecords(group.records), search) : null
      if (block !== null) tables.push(block)
      if (group.records.length >= recordsMin) {
        const table = tableOf(page, group, search)
        if (table !== null) tables.push(table)
        continue
      }
      const before = tables.findLast((table) => table.page !== page && table.page.document === page.document)
      const [first] = group.records
      const last = group.records.at(-1)
      if (before === undefined || first === undefined || last === undefined) continue
      // A few rows on the next page continue the same columns.
      const { columns } = before
      const header = { ...before.header, headings: before.header.headings, first: first.line, last: first.line }
      const records = new Set(group.records.map(({ line }) => line))
      const body = bodyOf(page.lines.slice(first.line.index, last.line.index + 1 + tailLines), columns, search, records)
      const rows = rowsOf(body.lines, columns, search, records)
      const isSame = rows.length > 0 && body.lines.every(({ misfits }) => misfits === 0)
      if (isSame) tables.push({ page, header, columns, rows, lines: body.lines.map(({ line }) => line) })
    }
  }
  return tables
}
