import { groupBy } from '@skillrun/core/group-by.ts'
import type { Line, PageLayout } from '../../layout/layout.ts'
import type { Sheet } from '../../layout/sheet.ts'
import { fold } from '../../layout/text.ts'
import type { ListField } from '../../schema/fields.ts'
import { type MappedColumns, mapColumns } from '../columns/map-columns.ts'
import { rowsWithValues } from '../columns/rows-with-values.ts'
import type { LayoutTable, Row, Table } from '../table.ts'
import { periodOf } from '../tables.ts'

/** The tables beside each other that a table is: `Date Amount Date Amount` are two of two columns. Itself where no headings repeat. */
function divided(table: Table): Table[] {
  const { columns, rows, header } = table
  const width = periodOf(columns.map(({ heading }) => fold(heading.text)))
  if (width === undefined) return [table]
  return Array.from({ length: columns.length / width }, (_, part) => {
    const [from, to] = [part * width, (part + 1) * width]
    const own = columns.slice(from, to)
    const [left, right] = [own[0]?.left ?? header.left, own.at(-1)?.right ?? header.right]
    return {
      ...table,
      ...{ columns: own, part, header: { ...header, headings: header.headings.slice(from, to), left, right } },
      rows: rows.map((row) => ({ ...row, cells: row.cells.slice(from, to) })),
    }
  })
}

interface Fitted extends MappedColumns {
  readonly table: Table
}

/** A table whose headings say less than this share of the likeliest ones may go on with theirs. */
const ownShare = 0.9

/**
 * Of each table, the reading whose headings most likely name fields of a list, with the rows that have values of them. A table with the
 * columns of the likeliest one, on a later page and without such headings, goes on with it.
 */
export function fittedTables(list: ListField, tables: readonly LayoutTable[], sheet: Sheet): Table[] {
  const fitted = tables.map((one) => fit(list, one, sheet))
  const best = fitted.reduce(
    (top, { own }) => (own && own.score > (top?.score ?? 0) ? own : top),
    undefined as Fitted | undefined,
  )
  if (best === undefined) return []
  const places = fitted.find(({ own }) => own === best)?.table.borders ?? []
  return fitted.flatMap(({ table: one, own }) => {
    const isOwn = own !== undefined && own.score >= best.score * ownShare
    if (!isOwn && isAfter(one, best.table) && areAlike(one.borders, places, one.page))
      return withRows({ ...best.table, rows: one.rows.filter((row) => !isHead(row, best.table)) }, best.map, sheet)
    return own ? withRows(own.table, own.map, sheet) : []
  })
}

/** A table's likeliest reading; parted where columns that may be two are the values of two fields, if more fields are found so. */
function fit(list: ListField, whole: LayoutTable, sheet: Sheet): { table: LayoutTable; own: Fitted | undefined } {
  const own = likeliest(list, whole.readings, sheet)
  const all = whole.joined.length > 0 ? likeliest(list, whole.partedAt(() => true).readings, sheet) : undefined
  if (all === undefined) return { table: whole, own }
  const table = whole.partedAt((place) => {
    const left = (whole.joined[place] ?? 0) + place
    return all.map.has(left) && all.map.has(left + 1)
  })
  const parted = likeliest(list, table.readings, sheet)
  const isFuller = parted !== undefined && parted.map.size > (own?.map.size ?? 0) && parted.score > (own?.score ?? 0)
  return isFuller ? { table, own: parted } : { table: whole, own }
}

function likeliest(list: ListField, readings: readonly Table[], sheet: Sheet): Fitted | undefined {
  let best: Fitted | undefined
  for (const table of readings) {
    const mapped = mapColumns(list, divided(table)[0] ?? table, sheet)
    if (mapped.score > (best?.score ?? 0)) best = { table, ...mapped }
  }
  return best && best.map.size >= Math.min(2, list.columns.length) ? best : undefined
}

/** The table with its rows that have values; in parts beside each other, page by page. */
function withRows(table: Table, map: MappedColumns['map'], sheet: Sheet): Table[] {
  const parts = divided(table)
  const pages = parts.length > 1 ? [...groupBy(table.rows, (row) => row.lines[0]?.page).keys()] : [undefined]
  return pages.flatMap((page) =>
    parts.flatMap((part) => {
      const own = page === undefined ? part.rows : part.rows.filter((row) => row.lines[0]?.page === page)
      return ofRows(part, rowsWithValues(own, map, sheet))
    }),
  )
}

function ofRows(table: Table, rows: readonly Row[]): Table[] {
  const page = rows[0]?.lines[0]?.page
  if (page === undefined) return []
  const { first, last } = table.header
  const head = first.page === page && last.page === page ? page.lines.slice(first.index, last.index + 1) : []
  return [{ ...table, page, rows, lines: [...new Set<Line>([...head, ...rows.flatMap((row) => row.lines)])] }]
}

const isAfter = ({ page }: LayoutTable, { page: other }: Table): boolean =>
  page.document === other.document && page.page.index > other.page.index

/** Borders this many text heights apart are in the same place. */
const placeHeights = 3

const areAlike = (borders: readonly number[], others: readonly number[], page: PageLayout): boolean =>
  borders.length === others.length &&
  borders.every((x, at) => Math.abs(x - (others[at] ?? x)) < page.wordHeight * placeHeights)

const isHead = ({ cells }: Row, { columns }: Table): boolean =>
  columns.every(({ heading }, at) => fold(cells[at]?.text ?? '') === fold(heading.text))
