import type { Kind } from '../languages/concept.ts'
import type { Line, PageLayout } from '../layout/layout.ts'
import type { Span } from '../layout/spans.ts'
import type { Conventions } from '../values/parsed-values.ts'
import type { Header, HeaderSearch, Heading } from './headers.ts'

/** A column of a table with its horizontal range. */
export interface Column {
  readonly heading: Heading
  readonly left: number
  readonly right: number
}

/** A row of a table: the content of each column, or null. */
export interface Row {
  readonly cells: readonly (Span | null)[]
  readonly lines: readonly Line[]
  /** The date heading above this row, when the table has no date column. */
  readonly day?: Span
  /** True if texts go as far above its figures as below them. */
  readonly isCentred?: boolean
}

/** A table on one page, or continued over several. */
export interface Table {
  readonly page: PageLayout
  readonly header: Header
  readonly columns: readonly Column[]
  readonly rows: readonly Row[]
  /** All lines of the table including its header. */
  readonly lines: readonly Line[]
  /** Its place among tables beside each other on the same lines; absent where there are none. */
  readonly part?: number
  /** True when rules enclose its cells. */
  readonly isRuled?: boolean
}

/** A table of any layout, under each of its rows that may be its headings, and with all its rows. */
export interface LayoutTable {
  readonly page: PageLayout
  readonly readings: readonly Table[]
  readonly rows: readonly Row[]
  /** The borders between its columns. */
  readonly borders: readonly number[]
  /** The columns that may be two which stand a space apart, one for each place to part them at. */
  readonly joined: readonly number[]
  /** The table parted at some of these places. */
  readonly partedAt: (takes: (place: number) => boolean) => LayoutTable
}

/** The settings of the table search. */
export interface TableSearch extends HeaderSearch {
  readonly conventions: Conventions
  /** True for a line of sums that ends a table. */
  readonly endsTable: (line: Line) => boolean
  /** True for a line inside a table that is no row: a balance brought forward. */
  readonly isAside: (line: Line) => boolean
  /** The kind of value under a heading; null when it may be anything. */
  readonly kindUnder: (heading: Heading) => Kind | null
  /** The minimum number of known columns of a header. */
  readonly columnsMin: number
}

const numbers = new WeakMap<PageLayout, number>()
let pagesSeen = 0

function keyOf({ page, index }: Line): string {
  const known = numbers.get(page) ?? pagesSeen++
  numbers.set(page, known)
  return `${known}/${index}`
}

/** Keys of the lines of a table's rows, by page and number, as a table may hold clipped copies of lines. */
export const rowKeys = ({ rows }: Table): string[] => rows.flatMap((row) => row.lines.map(keyOf))
