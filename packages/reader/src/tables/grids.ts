import type { Line, PageLayout } from '../layout/layout.ts'
import { type Piece, piecesOfLine } from '../layout/pieces.ts'
import { gridColumns, type RecordLine } from './grid-columns.ts'
import { withGridRoles } from './grid-roles.ts'
import { blockTable } from './record-blocks.ts'
import type { Column, Table, TableSearch } from './table.ts'
import { bodyOf } from './table-body.ts'
import { rowsOf } from './table-rows.ts'

/** Records from which on lines with amounts one under the other are a table, whatever stands over them. */
const recordsMin = 3
/** Lines between two records: texts that wrap, notes, a day as a heading. */
const betweenMax = 4
/** Edges of one column of amounts differ by less than this many text heights. */
const edgeHeights = 0.8
/** A gap of this many text heights ends a table. */
const endGapHeights = 5.5

interface Group {
  readonly records: RecordLine[]
  readonly edges: { readonly left: number; readonly right: number }[]
}

const amountsOf = (pieces: readonly Piece[]): Piece[] => pieces.filter(({ kind }) => kind === 'amount')

/** True for a line that may be a record: an amount, and something else beside it. */
const isRecord = (pieces: readonly Piece[]): boolean => pieces.length >= 2 && amountsOf(pieces).length > 0

function fits(group: Group, record: RecordLine): boolean {
  const slack = edgeHeights * record.line.height
  if (record.pieces.length >= datedPieces && startsAlike(group, record, slack)) return true
  return amountsOf(record.pieces).some((piece) =>
    group.edges.some(({ left, right }) => Math.abs(piece.x1 - right) < slack || Math.abs(piece.x0 - left) < slack),
  )
}

/** A dated entry with a text and an amount. */
const datedPieces = 3

/** Entries of an account whose dates and texts stand under each other go together, whichever column their amounts are in. */
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

/** Records of a section after the sum of another have the same things beside each other. */
const isAlike = ({ records }: Group, { pieces }: RecordLine): boolean =>
  pieces.length >= 3 && records.some((other) => kindsOf(other) === kindsOf({ pieces }))

const kindsOf = ({ pieces }: Pick<RecordLine, 'pieces'>): string => pieces.map(({ kind }) => kind).join()

const isFar = (above: Line, below: Line): boolean =>
  below.y0 - above.y0 > endGapHeights * Math.max(above.height, below.height)

/** A sum of the document ends a table; in a row of a ledger, which has its date, it is only a word. */
const isEnd = (record: RecordLine, search: TableSearch): boolean =>
  search.endsTable(record.line) && !record.pieces.some(({ kind }) => kind === 'date')

/** Lines with amounts one under the other, page by page. */
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

/** Records with this part of the pieces of the fullest show where the columns are. */
const coreShare = 0.75
/** Pieces of one column start or end nearer than this many text heights. */
const alignHeights = 0.6

/** The records that stand in the columns of the fullest ones: sums below a table have columns of their own. */
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

/** Lines below the last record that a text may wrap to. */
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
 * Tables by their bodies: lines with amounts one under the other make the columns, what stands over these names them, and
 * sums and products say what a heading does not.
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
      // A few rows on the next page stand under the same columns.
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
