import { greatest } from '@skillrun/core/extremes.ts'
import { groupBy } from '@skillrun/core/group-by.ts'
import { type Line, lineText, type PageLayout } from '../layout/layout.ts'
import { median, type PlacedWord } from '../layout/placed-words.ts'
import { spanOf } from '../layout/spans.ts'
import { squeeze } from '../layout/text.ts'
import { centredRows } from './centred-rows.ts'
import { type Lattice, latticesOn } from './lattices.ts'
import { type Border, type Chunk, type CloseBorder, type TableArea, type TableLine, tableAreas } from './table-areas.ts'

/** A text of a table with its words. */
export interface PlainCell {
  readonly text: string
  readonly words: readonly PlacedWord[]
  /** Index of its page. */
  readonly page: number
}

/** The cells of a row, one per column; null when empty. */
export type PlainRow = readonly (PlainCell | null)[]

/** A table recognised by layout alone. */
export interface PlainTable {
  readonly page: PageLayout
  readonly first: Line
  readonly lines: readonly Line[]
  /** The rows of headings as printed: several where headings span columns; none where the table has no headings. */
  readonly head: readonly PlainRow[]
  readonly rows: readonly PlainRow[]
  /** The middle of each column. */
  readonly middles: readonly number[]
  /** True when rules enclose its cells. */
  readonly isRuled: boolean
  /** Borders between columns that may stand a space apart. */
  readonly closeBorders: readonly CloseBorder[]
  /** The table with some of these as borders. */
  readonly partedAt: (close: readonly Border[]) => PlainTable
}

/** The tables of pages, from top to bottom; a table that goes on over the next page is one table. */
export function plainTables(pages: readonly PageLayout[]): PlainTable[] {
  const tables: PlainTable[] = []
  for (const page of pages)
    for (const [at, table] of tablesOn(page).entries()) {
      const above = tables.at(-1)
      const whole = at === 0 && above ? joined(above, table) : undefined
      if (whole) tables.splice(-1, 1, whole)
      else tables.push(table)
    }
  return tables
}

/** The tables whose cells are ruled, and those that the places of words show beside them. */
function tablesOn(page: PageLayout): PlainTable[] {
  const lattices = latticesOn(page)
  const ruled = new Set(lattices.flatMap(({ lines }) => lines))
  const rest = lattices.length === 0 ? page : { ...page, lines: page.lines.filter((line) => !ruled.has(line)) }
  const tables = [
    ...lattices.map((lattice) => tableOfLattice(page, lattice)),
    ...tableAreas(rest).map((area) => tableOf(page, area)),
  ]
  return lattices.length === 0 ? tables : tables.toSorted((a, b) => a.first.y0 - b.first.y0)
}

function tableOfLattice(page: PageLayout, { lines, rows: cells, edges }: Lattice): PlainTable {
  const rows = cells.map((row) => row.map((words) => cellOf(words, page.page.index)))
  const count = headCount(rows)
  const table: PlainTable = {
    page,
    first: lines[0] as Line,
    lines,
    head: rows.slice(0, count),
    rows: rows.slice(count),
    middles: edges.slice(1).map((edge, at) => (edge + (edges[at] ?? 0)) / 2),
    isRuled: true,
    closeBorders: [],
    partedAt: () => table,
  }
  return table
}

function tableOf(page: PageLayout, area: TableArea, close: readonly Border[] = []): PlainTable {
  const { lines } = area
  const borders = [...area.borders, ...close].toSorted((a, b) => a.left - b.left)
  const parted = lines.map((line) => ({ ...line, parts: partLine(line, borders, close) }))
  const rows = mergeLines(parted).map(({ parts }) => parts.map((words) => cellOf(words, page.page.index)))
  const count = headCount(rows)
  const [first] = lines
  const edges = [first?.chunks[0]?.x0 ?? 0, ...borders.map(({ left, right }) => (left + right) / 2), page.width]
  return {
    page,
    first: first?.line as Line,
    lines: lines.map(({ line }) => line),
    head: rows.slice(0, count),
    rows: rows.slice(count),
    middles: edges.slice(1).map((edge, at) => (edge + (edges[at] ?? 0)) / 2),
    isRuled: false,
    closeBorders: area.closeBorders,
    partedAt: (some) => tableOf(page, area, some),
  }
}

const cellOf = (words: readonly PlacedWord[], page: number): PlainCell | null =>
  words.length === 0 ? null : { text: squeeze(spanOf(words, []).text), words, page }

type Parts = PlacedWord[][]

/** The words of a line by columns. A chunk across borders is parted where a number follows, else it stays where it begins. */
function partLine({ chunks, line }: TableLine, borders: readonly Border[], close: readonly Border[]): Parts {
  const parts: Parts = Array.from({ length: borders.length + 1 }, () => [])
  const columnOf = (x: number): number => borders.filter(({ left, right }) => x > (left + right) / 2).length
  const cut = close.length === 0 ? chunks : chunks.flatMap((one) => cutChunk(one, close))
  for (const chunk of cut.flatMap((one) => partChunk(one, borders, line.height))) {
    const crossed = borders.filter(({ left, right }) => chunk.x0 < left && chunk.x1 > right).length
    const at = crossed > 0 ? columnOf(chunk.x0) : columnOf((chunk.x0 + chunk.x1) / 2)
    parts[at]?.push(...chunk.words)
  }
  return parts
}

const isNumeric = (text: string): boolean => /^\W*\d[\d.,'’]*\W*$/.test(text)

/** A chunk in pieces at borders that none of its words crosses. */
function cutChunk({ words }: Chunk, close: readonly Border[]): Chunk[] {
  const own = close.filter(({ left, right }) => !words.some(({ x0, x1 }) => x0 < left && x1 > right))
  const sideOf = ({ x0, x1 }: PlacedWord): number =>
    own.filter(({ left, right }) => (x0 + x1) / 2 > (left + right) / 2).length
  return [...groupBy(words, sideOf).values()].map((part) => ({
    words: part,
    x0: part[0]?.x0 ?? 0,
    x1: part.at(-1)?.x1 ?? 0,
  }))
}

function partChunk(chunk: Chunk, borders: readonly Border[], height: number): Chunk[] {
  const pieces: { words: PlacedWord[]; x0: number; x1: number }[] = []
  for (const [at, word] of chunk.words.entries()) {
    const last = pieces.at(-1)
    const before = chunk.words[at - 1]
    const isAcross =
      before !== undefined &&
      borders.some(({ left, right }) => {
        const gap = (before.x1 + word.x0) / 2
        return gap > left - height / 2 && gap < right + height / 2
      })
    if (last === undefined || (isAcross && (isNumeric(word.word.text) || isNumeric(before?.word.text ?? ''))))
      pieces.push({ words: [word], x0: word.x0, x1: word.x1 })
    else {
      last.words.push(word)
      last.x1 = word.x1
    }
  }
  return pieces
}

interface PartedLine extends TableLine {
  readonly parts: Parts
}

const filledIn = (parts: Parts): number => parts.filter((words) => words.length > 0).length
const holdsNumbers = (parts: Parts): boolean => parts.some((words) => words.some(({ word }) => /\d/.test(word.text)))

/** Lines closer than this share of the usual distance of rows belong to one row. */
const closeShare = 0.82

/** Joins lines that continue a row: closer to it than rows are to each other, or with few cells that go on in lower case. */
function mergeLines(lines: readonly PartedLine[]): PartedLine[] {
  const pitches = lines.slice(1).map(({ line }, at) => line.y0 - (lines[at]?.line.y0 ?? line.y0))
  const full = greatest(lines.map(({ parts }) => filledIn(parts)))
  const isMain = ({ parts }: PartedLine): boolean => filledIn(parts) > full / 2
  const ofRows = pitches.filter((_, at) => {
    const [above, below] = [lines[at], lines[at + 1]]
    return above && below && isMain(above) && isMain(below)
  })
  const usual = median(ofRows.length > 0 ? ofRows : pitches)
  const centred = centredRows(lines, isMain)
  if (centred) return [...groupBy(lines, (line) => centred.get(line) ?? line).values()].map(joinLines)
  const rows: PartedLine[] = []
  for (const [at, line] of lines.entries()) {
    const above = rows.at(-1)
    const pitch = pitches[at - 1] ?? Number.POSITIVE_INFINITY
    const next = pitches[at] ?? Number.POSITIVE_INFINITY
    if (above && continues(line, above, { pitch, next, usual, isMain: isMain(line) })) {
      rows.splice(-1, 1, joinLines([above, line]))
    } else rows.push(line)
  }
  return rows
}

/** Lines as one, at the place of the last. */
const joinLines = (lines: readonly PartedLine[]): PartedLine => {
  const last = lines.at(-1) as PartedLine
  return { ...last, parts: last.parts.map((_, column) => lines.flatMap(({ parts }) => parts[column] ?? [])) }
}

function continues(
  line: PartedLine,
  above: PartedLine,
  { pitch, next, usual, isMain }: { pitch: number; next: number; usual: number; isMain: boolean },
): boolean {
  const overlaps = line.parts.every((words, column) => words.length === 0 || (above.parts[column]?.length ?? 0) > 0)
  const isClose = pitch < usual * closeShare && pitch < next * 1.05
  if (isMain) return isClose && overlaps && !holdsNumbers(line.parts)
  const first = line.parts.find((words) => words.length > 0)?.[0]?.word.text ?? ''
  const goesOn = /^[\p{Ll}(]/u.test(first) && overlaps && pitch < usual * 1.2
  return !holdsNumbers(line.parts) && ((isClose && overlaps) || goesOn)
}

const yearPattern = /^\W*(?:(?:19|20)\d\d(?:\s?[-–/]\s?(?:\d\d|\d{4}))?|[QH][1-4]|FY\s?\d{2,4})\W*\*?$/
const isValue = (cell: PlainCell | null | undefined): boolean =>
  cell !== null && cell !== undefined && /\d/.test(cell.text) && (cell.text.match(/\p{L}/gu)?.length ?? 0) <= 3

/** The number of rows of headings: those above the first row with values where the columns below have values. */
function headCount(rows: readonly PlainRow[]): number {
  const width = rows[0]?.length ?? 0
  const columns = Array.from({ length: width }, (_, column) => column)
  const numeric = columns.filter((column) => {
    const filled = rows.flatMap((row) => row[column] ?? [])
    return filled.length > 0 && filled.filter(isValue).length >= filled.length * 0.5
  })
  const isBody = (row: PlainRow, at: number): boolean => {
    const values = numeric.flatMap((column) => row[column] ?? [])
    if (values.length === 0) return false
    const isYears = values.every(({ text }) => yearPattern.test(text))
    if (isYears && at < 3 && (row[0] === null || values.length > 1)) return false
    return values.filter(isValue).length >= values.length / 2
  }
  if (numeric.length === 0) {
    const [first] = rows
    return first?.every((cell) => cell !== null && /\p{L}/u.test(cell.text) && !/\d/.test(cell.text)) ? 1 : 0
  }
  const count = rows.findIndex(isBody)
  if (count < 0 || count > 6) return 0
  // A lonely text above the first row names the rows below it and heads no column.
  let end = count
  while (end > 0 && rows[end - 1]?.filter((cell) => cell !== null).length === 1 && rows[end - 1]?.[0] !== null) end--
  return end
}

/** A table that begins at the top of a page goes on where the table of the page before ended at its foot. */
function joined(above: PlainTable, below: PlainTable): PlainTable | undefined {
  const last = above.lines.at(-1)
  if (last === undefined) return undefined
  const { page } = last
  const { page: next } = below
  // The next sheet of a spreadsheet is another table, however alike.
  if (next.page.isTabular) return undefined
  if (page.document !== next.document || next.page.index !== page.page.index + 1) return undefined
  const width = above.middles.length
  const slack = page.wordHeight * 2
  const isAligned =
    below.middles.length === width &&
    below.middles.every((middle, at) => Math.abs(middle - (above.middles[at] ?? 0)) < slack * 2)
  const linesAfter = page.lines.length - 1 - page.lines.lastIndexOf(last)
  if (!isAligned || linesAfter > edgeLines || next.lines.indexOf(below.first) > edgeLines) return undefined
  const textOf = (rows: readonly PlainRow[]): string =>
    rows.map((row) => row.map((cell) => cell?.text ?? '').join('|')).join('\n')
  const isRepeated = textOf(above.head) === textOf(below.head)
  return {
    ...above,
    lines: [...above.lines, ...below.lines],
    rows: [...above.rows, ...(isRepeated ? [] : below.head), ...below.rows],
    partedAt: (close) => {
      const first = above.partedAt(close)
      return joined(first, below.partedAt(close)) ?? first
    },
  }
}

/** The maximum number of lines at the foot and at the head of a page. */
const edgeLines = 4

/** The heading of each column: its lowest, with those above it where headings would else be equal. */
export function columnsOf({ head, middles }: PlainTable): readonly (PlainCell | null)[] {
  const lowest = middles.map((_, column) => head.findLast((row) => row[column] !== null)?.[column] ?? null)
  const texts = lowest.map((cell) => cell?.text ?? '')
  const isTwice = texts.map((text) => text !== '' && texts.indexOf(text) !== texts.lastIndexOf(text))
  return lowest.map((cell, column) => {
    if (cell === null || isTwice[column] !== true) return cell
    const above = head.flatMap((row) => spanning(row, column) ?? []).filter((one) => one !== cell)
    const all = [...above, cell]
    return { ...cell, text: all.map(({ text }) => text).join(' '), words: all.flatMap(({ words }) => words) }
  })
}

/** The heading over a column: its own or that of a column to the left that spans it. */
const spanning = (row: PlainRow, column: number): PlainCell | null =>
  row.slice(0, column + 1).findLast((cell, at) => cell !== null && (at > 0 || column === 0)) ?? null

const titleCharactersMax = 200
const titleLinesMax = 3
/** Lines nearer than this many text heights are of one block. */
const blockHeights = 0.8

/** The lines directly above a table that name it: a short separate block that is not a sentence and belongs to no other table. */
export function titleOver(first: Line, isInTable: (line: Line) => boolean): readonly Line[] {
  const { lines } = first.page
  const block: Line[] = []
  for (let at = lines.indexOf(first) - 1; at >= 0; at--) {
    const [line, below] = [lines[at] as Line, block[0]]
    if (below !== undefined && below.y0 - line.y1 > line.height * blockHeights) break
    if (below !== undefined && endsSentence(lineText(line))) break
    if (line.cells.length !== 1 || isInTable(line)) {
      if (below === undefined) return []
      break
    }
    block.unshift(line)
    // A longer block is a paragraph.
    if (block.length > titleLinesMax) return []
  }
  const text = block.map((line) => lineText(line).trim()).join(' ')
  const isTitle = text.length <= titleCharactersMax && /^\P{L}*[\p{Lu}\p{Lo}\p{Lt}]/u.test(text) && !endsSentence(text)
  return isTitle ? block : []
}

const endsSentence = (text: string): boolean => /[.:;?!]["”’»)]*\s*$/u.test(text)
