import { greatest } from '@skillrun/core/extremes.ts'
import { type Line, lineText, type PageLayout, spaceOn } from '../layout/layout.ts'
import { median, type PlacedWord } from '../layout/placed-words.ts'

/** Words of one line without a gap between them that is wider than a space. */
export interface Chunk {
  readonly words: readonly PlacedWord[]
  readonly x0: number
  readonly x1: number
}

/** A line of a table as chunks. */
export interface TableLine {
  readonly line: Line
  readonly chunks: readonly Chunk[]
}

/** Lines that form a table, and the borders between its columns, from left to right. */
export interface TableArea {
  readonly lines: readonly TableLine[]
  readonly borders: readonly Border[]
  /** Further borders, between columns that may stand a space apart. */
  readonly closeBorders: readonly CloseBorder[]
}

/** The strip between two columns. */
export interface Border {
  readonly left: number
  readonly right: number
}

/** A strip that parts a column of the others, by its place among these. */
export interface CloseBorder extends Border {
  readonly column: number
}

/** A gap of this many text heights separates two chunks, or of so many usual spaces if that is more. */
const gapHeights = 0.5
const gapSpaces = 1.5
const gapHeightsMax = 0.95
/** Lines further apart than this many text heights belong to different tables. */
const lineGapHeights = 3.2
/** A line alone in its row that is this wide, as a share of the lines around, and has this many words is prose. */
const proseShare = 0.6
const proseWords = 7
/** The maximum number of lines with one chunk between two rows: wrapped texts, headings of sections. */
const lonelyMax = 3
/** The share of rows with a chunk across a border that does not make it less of a border. */
const crossingShare = 0.12
/** The minimum number of lines with several chunks. */
const rowsMin = 3
/** The minimum width of a border in text heights. */
const borderHeights = 0.3

/** The areas of a page whose lines have chunks in common columns. */
export function tableAreas(page: PageLayout): TableArea[] {
  if (page.lines.filter((line) => line.cells.length > 1).length < rowsMin) return []
  return runsOf(page).flatMap((run) => areasOf(run))
}

function chunksOf(line: Line, space: number): TableLine {
  const gapMin = Math.min(Math.max(gapHeights * line.height, gapSpaces * space), gapHeightsMax * line.height)
  const chunks: { words: PlacedWord[]; x0: number; x1: number }[] = []
  for (const { words } of line.cells)
    for (const [at, word] of words.entries()) {
      const last = chunks.at(-1)
      if (at === 0 || last === undefined || word.x0 - last.x1 > gapMin)
        chunks.push({ words: [word], x0: word.x0, x1: word.x1 })
      else {
        last.words.push(word)
        last.x1 = Math.max(last.x1, word.x1)
      }
    }
  return { line, chunks }
}

const widthOf = ({ chunks }: TableLine): number => (chunks.at(-1)?.x1 ?? 0) - (chunks[0]?.x0 ?? 0)

/** Runs of lines without a wide gap, split at lines of prose. */
function runsOf(page: PageLayout): TableLine[][] {
  const space = spaceOn(page)
  const all = page.lines.map((line) => chunksOf(line, space))
  const width = greatest(all.map(widthOf))
  const isProse = ({ line, chunks }: TableLine): boolean =>
    line.cells.length === 1 &&
    (chunks[0]?.words.length ?? 0) + chunks.slice(1).flatMap(({ words }) => words).length >= proseWords &&
    (line.cells[0]?.x1 ?? 0) - (line.cells[0]?.x0 ?? 0) > width * proseShare
  const runs: TableLine[][] = []
  let run: TableLine[] = []
  for (const one of all) {
    const above = run.at(-1)
    const isFar =
      above !== undefined && one.line.y0 - above.line.y1 > lineGapHeights * Math.max(above.line.height, one.line.height)
    if (isFar || isProse(one)) {
      runs.push(run)
      run = []
    }
    if (!isProse(one)) run.push(one)
  }
  return [...runs, run].filter((lines) => lines.length >= rowsMin)
}

const isLonely = ({ line }: TableLine): boolean => line.cells.length < 2

/** The tables of a run: parts of it without many lonely lines in between, each with borders. */
function areasOf(run: readonly TableLine[]): TableArea[] {
  const parts: TableLine[][] = []
  let part: TableLine[] = []
  let lonely: TableLine[] = []
  for (const one of run) {
    if (isLonely(one)) {
      lonely.push(one)
      continue
    }
    if (part.length > 0 && lonely.length > lonelyMax) {
      parts.push(part)
      part = []
    } else if (part.length > 0) part.push(...lonely)
    part.push(one)
    lonely = []
  }
  return [...parts, part].flatMap((lines) => areaOf(lines) ?? [])
}

/** The area that lines form, or lines without a first or last one of another form: a caption, a note. */
function areaOf(lines: readonly TableLine[]): TableArea | undefined {
  for (const [from, to] of trims) {
    const area = wholeArea(lines.slice(from, lines.length - to))
    if (area) return area
  }
  return undefined
}

const trims: readonly (readonly [number, number])[] = [
  [0, 0],
  [1, 0],
  [0, 1],
  [2, 0],
  [1, 1],
]

function wholeArea(given: readonly TableLine[]): TableArea | undefined {
  const rows = given.filter((one) => !isLonely(one))
  if (rows.length < rowsMin) return undefined
  const borders = bordersOf(rows)
  if (borders.length === 0) return undefined
  const area = { lines: given, borders, closeBorders: closeBordersOf(rows, borders) }
  return isTable(area) ? area : undefined
}

/** The lines that have most columns. */
function fullerOf(rows: readonly TableLine[]): TableLine[] {
  const sizes = rows.map(({ chunks }) => chunks.length).toSorted((a, b) => a - b)
  const full = sizes[Math.floor(sizes.length * 0.75)] ?? 0
  return rows.filter(({ chunks }) => chunks.length >= Math.max(2, full * 0.6))
}

/** The strips that hardly any of the fuller lines cross. */
function bordersOf(rows: readonly TableLine[]): Border[] {
  const fuller = fullerOf(rows)
  const height = median(fuller.map(({ line }) => line.height))
  const strips = stripsOf(
    fuller.map(({ chunks }) => chunks),
    height * borderHeights,
  )
  return withoutEmpty(strips, fuller)
}

/** The strips of at least a width that hardly any line has chunks or words in. */
function stripsOf(lines: readonly (readonly Pick<Chunk, 'x0' | 'x1'>[])[], widthMin: number): Border[] {
  const edges = lines.flatMap((line) =>
    line.flatMap(({ x0, x1 }) => [
      { x: x0, step: 1 },
      { x: x1, step: -1 },
    ]),
  )
  edges.sort((a, b) => a.x - b.x || a.step - b.step)
  const crossingsMax = Math.floor(lines.length * crossingShare)
  const borders: Border[] = []
  let open = 0
  let from = Number.NaN
  for (const { x, step } of edges) {
    open += step
    if (step < 0 && open <= crossingsMax && Number.isNaN(from)) from = x
    if (step > 0 && open > crossingsMax && !Number.isNaN(from)) {
      if (x - from >= widthMin) borders.push({ left: from, right: x })
      from = Number.NaN
    }
  }
  return borders
}

/** The minimum number of lines for words to stand in columns and not below each other by chance. */
const closeRowsMin = 6
/** The minimum width of a border between columns that stand a space apart, in text heights. */
const closeHeights = 0.1
/** The minimum share of the lines that have words on either side of it. */
const besideShare = 0.6

/** The strips between words of a column that hardly any line crosses and most have words on both sides of. */
function closeBordersOf(rows: readonly TableLine[], borders: readonly Border[]): CloseBorder[] {
  const fuller = fullerOf(rows)
  if (fuller.length < closeRowsMin) return []
  const lines = fuller.map(({ chunks }) => chunks.flatMap(({ words }) => words))
  const height = median(fuller.map(({ line }) => line.height))
  return stripsOf(lines, height * closeHeights).flatMap(({ left, right }) => {
    if (borders.some((border) => left < border.right && right > border.left)) return []
    const column = borders.filter((border) => border.right <= left).length
    const from = borders[column - 1]?.right ?? Number.NEGATIVE_INFINITY
    const to = borders[column]?.left ?? Number.POSITIVE_INFINITY
    const own = lines.map((words) => words.filter(({ x0, x1 }) => x0 >= from && x1 <= to))
    const beside = own.filter((words) => words.some(({ x1 }) => x1 <= left) && words.some(({ x0 }) => x0 >= right))
    const filled = own.filter((words) => words.length > 0)
    return beside.length >= Math.max(closeRowsMin, filled.length * besideShare) ? [{ left, right, column }] : []
  })
}

/** Removes borders beside columns that only one line fills. */
function withoutEmpty(borders: readonly Border[], rows: readonly TableLine[]): Border[] {
  const kept: Border[] = []
  const middleOf = ({ x0, x1 }: Chunk): number => (x0 + x1) / 2
  for (const [at, border] of borders.entries()) {
    const from = kept.at(-1)?.right ?? Number.NEGATIVE_INFINITY
    const filled = rows.filter(({ chunks }) =>
      chunks.some((chunk) => middleOf(chunk) > from && middleOf(chunk) < border.left),
    )
    const isLast = at === borders.length - 1
    const after = rows.filter(({ chunks }) => chunks.some((chunk) => middleOf(chunk) > border.right))
    if (filled.length < 2 || (isLast && after.length < 2)) continue
    kept.push(border)
  }
  return kept
}

const hasDigit = (chunk: Chunk): boolean => chunk.words.some(({ word }) => /\d/.test(word.text))
const shortCharacters = 32

/** True when the chunks are short or numbers, and not the lines of columns of prose, nor labels with their values. */
function isTable({ lines, borders }: TableArea): boolean {
  const rows = lines.filter((one) => !isLonely(one))
  const chunks = rows.flatMap((row) => row.chunks)
  const lengthOf = (chunk: Chunk): number => chunk.words.reduce((sum, { word }) => sum + word.text.length + 1, 0)
  const isShort = (chunk: Chunk): boolean => lengthOf(chunk) <= shortCharacters
  const short = chunks.filter((chunk) => isShort(chunk)).length
  const numeric = rows.filter((row) => row.chunks.slice(1).some(hasDigit)).length
  const labels = rows.filter(({ line }) => line.cells.some((cell) => /\p{L}.*:$/u.test(cell.text.trim()))).length
  if (labels > rows.length / 2 || rows.filter(readsOn).length > rows.length / 2) return false
  if (borders.length === 1)
    return short > chunks.length / 2 && numeric > rows.length * 0.6 && !rows.some(({ line }) => isDotted(line))
  return short > chunks.length * 0.65
}

/** True for a line of spread prose: most chunks end within a sentence that the next one goes on with. */
function readsOn({ chunks }: TableLine): boolean {
  const joints = chunks.slice(1).filter(({ words }, at) => {
    const before = chunks[at]?.words.at(-1)?.word.text ?? ''
    return /[\p{Ll},]$/u.test(before) && /^\p{Ll}/u.test(words[0]?.word.text ?? '')
  })
  return joints.length > (chunks.length - 1) / 2
}

/** True for a line of a table of contents. */
const isDotted = (line: Line): boolean => /\.{4,}\s*\d+$|(?:\.\s){4,}\d+$/.test(lineText(line))
