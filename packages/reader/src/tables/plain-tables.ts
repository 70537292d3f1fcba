import { type Cell, type Line, lineText, type PageLayout } from '../layout/layout.ts'
import type { PlacedWord } from '../layout/placed-words.ts'
import { squeeze } from '../layout/text.ts'

/** A text of a table with its words. */
interface PlainCell {
  readonly text: string
  readonly words: readonly PlacedWord[]
}

/** A table recognised by layout alone: headings, and below them rows with cells in the same columns. */
export interface PlainTable {
  readonly page: PageLayout
  /** The line of the headings. */
  readonly first: Line
  readonly lines: readonly Line[]
  readonly columns: readonly PlainCell[]
  /** One cell per column; null when empty. */
  readonly rows: readonly (readonly (PlainCell | null)[])[]
}

/** Lines further apart than this many text heights belong to different tables. */
const rowGapHeights = 2.6
/** The minimum number of rows below the headings. */
const rowsMin = 2
/** The minimum number of columns; two may be labels with values. */
const columnsMin = 3

/** Every table of a page with word headings above rows of at least three columns. */
export const plainTables = (page: PageLayout): readonly PlainTable[] =>
  groupsOf(page).flatMap((group) => tableOf(page, group) ?? [])

/** Groups of consecutive lines with several cells. */
function groupsOf({ lines }: PageLayout): readonly (readonly Line[])[] {
  const groups: Line[][] = []
  let above: Line | undefined
  for (const line of lines) {
    const isClose = above !== undefined && line.y0 - above.y1 <= rowGapHeights * Math.max(above.height, line.height)
    if (line.cells.length < 2) above = undefined
    else {
      if (isClose) groups.at(-1)?.push(line)
      else groups.push([line])
      above = line
    }
  }
  return groups
}

function tableOf(page: PageLayout, group: readonly Line[]): PlainTable | undefined {
  // A line with fewer cells may precede the headings.
  const widest = Math.max(...group.map((line) => line.cells.length))
  const at = group.findIndex((line) => line.cells.length === widest)
  const first = group[at]
  if (!first || widest < columnsMin || !first.cells.every(isHeading)) return undefined
  const below = group.slice(at + 1)
  if (below.length < rowsMin) return undefined
  return {
    page,
    first,
    lines: [first, ...below],
    columns: first.cells.map(plainCell),
    rows: below.map((line) => rowOf(line, first.cells)),
  }
}

/** A heading has a letter, and is no label of the text beside it. */
const isHeading = (cell: Cell): boolean => /\p{L}/u.test(cell.text) && !/:$/.test(cell.text.trim())

const plainCell = ({ text, words }: Pick<Cell, 'text' | 'words'>): PlainCell => ({ text: squeeze(text), words })

/** Assigns each cell to the heading with the largest horizontal overlap, else to the nearest one. */
function rowOf(line: Line, headings: readonly Cell[]): readonly (PlainCell | null)[] {
  const columns = Map.groupBy(line.cells, (cell) => columnUnder(cell, headings))
  return headings.map((_heading, column) => {
    const cells = columns.get(column)
    if (!cells) return null
    return plainCell({ text: cells.map((cell) => cell.text).join(' '), words: cells.flatMap((cell) => cell.words) })
  })
}

function columnUnder(cell: Cell, headings: readonly Cell[]): number {
  const shared = headings.map((heading) => Math.min(heading.x1, cell.x1) - Math.max(heading.x0, cell.x0))
  return shared.indexOf(Math.max(...shared))
}

const titleCharactersMax = 100

/** The short line directly above a table, unless it belongs to another table. */
export function titleOver(first: Line, isInTable: (line: Line) => boolean): Line | undefined {
  const { lines } = first.page
  const above = lines[lines.indexOf(first) - 1]
  if (above?.cells.length !== 1 || isInTable(above)) return undefined
  const text = lineText(above).trim()
  return text.length <= titleCharactersMax && /\p{L}/u.test(text) && !/[:.;]$/.test(text) ? above : undefined
}
