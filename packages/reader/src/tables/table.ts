import type { Kind } from '../languages/concept.ts'
import type { Line, PageLayout } from '../layout/layout.ts'
import type { Span } from '../layout/spans.ts'
import type { Conventions } from '../values/readings.ts'
import type { Header, HeaderSearch, Heading } from './headers.ts'

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

const numbers = new WeakMap<PageLayout, number>()
let pagesSeen = 0

function keyOf({ page, index }: Line): string {
  const known = numbers.get(page) ?? pagesSeen++
  numbers.set(page, known)
  return `${known}/${index}`
}

/** The lines of a table's rows, told by their page and number: a table may hold clipped copies of lines. */
export const rowKeys = ({ rows }: Table): string[] => rows.flatMap((row) => row.lines.map(keyOf))
