import type { Line } from '../layout/layout.ts'
import type { PlacedWord } from '../layout/placed-words.ts'
import type { Sheet } from '../layout/sheet.ts'
import { type Span, spanOf, wordsWithin } from '../layout/spans.ts'
import { fold } from '../layout/text.ts'
import { findIdentifier } from '../values/identifiers.ts'
import type { Row, Table } from './table.ts'

/** The parts of a multi-line text cell. */
export interface RowText {
  /** The item's name: its first line and the lines that it wraps to. */
  readonly name: Span
  /** A code on its own line below the name. */
  readonly code: Span | null
}

/** Lines whose height is below this share of the name's height are notes. */
const noteHeight = 0.93

function wordsByLine(row: Row, span: Span): { line: Line; words: PlacedWord[] }[] {
  return row.lines.flatMap((line) => {
    const own = new Set(line.cells.flatMap((cell) => cell.words))
    const words = span.words.filter((word) => own.has(word))
    return words.length === 0 ? [] : [{ line, words }]
  })
}

/** The right edge of a column's text over all rows, and the limit where the next column begins. */
export interface TextRoom {
  readonly edge: number
  readonly limit: number
  /** Words in front of article codes on separate lines. */
  readonly codeLabels: ReadonlySet<string>
}

/** Measures the width available to a text column. */
export function textRoom(table: Table, at: number): TextRoom {
  let edge = Number.NEGATIVE_INFINITY
  for (const row of table.rows) for (const word of row.cells[at]?.words ?? []) edge = Math.max(edge, word.x1)
  const next = table.columns[at + 1]?.heading.x0 ?? edge
  return { edge, limit: Math.max(edge, next), codeLabels: codeLabelsOf(table, at) }
}

const heightOf = (words: readonly PlacedWord[]): number =>
  words.reduce((sum, word) => sum + word.y1 - word.y0, 0) / Math.max(1, words.length)

/** A line that ends before this share of the available width did not need to wrap. */
const shortLine = 0.3

/** True when the first word of a line would have fitted on the line above, so the line break was deliberate. */
function breakWasMeant(above: readonly PlacedWord[], words: readonly PlacedWord[], { edge, limit }: TextRoom): boolean {
  const end = above.at(-1)?.x1 ?? 0
  const start = above[0]?.x0 ?? 0
  if (end - start < (limit - start) * shortLine) return true
  const first = words[0]
  return first !== undefined && end + (first.y1 - first.y0) * 0.35 + (first.x1 - first.x0) < edge
}

/** An article code on its own line: `SKU: 12-345`. */
function codeOf(words: readonly PlacedWord[], context: TextContext, line: Line): Span | null {
  const cell = line.cells.find((other) => other.words.includes(words[0] as PlacedWord))
  if (cell === undefined) return null
  const hit = (context.sheet.labels.get(cell) ?? []).find(
    (entry) =>
      entry.startsCell && entry.coverage >= 0.75 && entry.targets.some((target) => target.target === 'c:item_code'),
  )
  if (hit !== undefined) {
    const match = findIdentifier(hit.rest.text)
    if (match !== null && match.end >= hit.rest.text.trimEnd().length - 1)
      return spanOf(wordsWithin(hit.rest, match.start, match.end), [cell])
  }
  const label = labelBefore(words)
  const last = words.at(-1)
  return label !== null && last !== undefined && context.room.codeLabels.has(label) ? spanOf([last], [cell]) : null
}

const codePattern = /^(?=.*\d)[\p{L}\d][\p{L}\d./_-]{2,23}$/u

/** The folded words in front of a code that ends a line; empty when there are none, null when there is no code. */
function labelBefore(words: readonly PlacedWord[]): string | null {
  const last = words.at(-1)
  if (last === undefined || words.length > 5 || !codePattern.test(last.word.text)) return null
  const label = words
    .slice(0, -1)
    .map((word) => fold(word.word.text))
    .join(' ')
  return /\d/.test(label) ? null : label
}

/** The minimum share of rows with further lines in which the same words precede a code. */
const codeShare = 0.5
const codeRowsMin = 2

/**
 * Words in front of a code on its own line in most rows, whatever they are: when each row has a different code, it is
 * the article code. Words of other numbers, such as a batch, are in few rows.
 */
function codeLabelsOf(table: Table, at: number): Set<string> {
  const codes = new Map<string, Set<string>>()
  let rows = 0
  for (const row of table.rows) {
    const span = row.cells[at]
    if (span === null || span === undefined) continue
    const lines = wordsByLine(row, span)
    if (lines.length > 1) rows++
    for (const { words } of lines.slice(1)) {
      const label = labelBefore(words)
      if (label === null) continue
      codes.set(label, (codes.get(label) ?? new Set()).add(words.at(-1)?.word.text ?? ''))
    }
  }
  const usual = [...codes].filter(([, found]) => found.size >= Math.max(codeRowsMin, rows * codeShare))
  return new Set(usual.map(([label]) => label))
}

interface TextContext {
  readonly sheet: Sheet
  readonly room: TextRoom
}

/** The lines of a text from the row's number line on, when the text has words there: lines above are headings. */
function fromAnchor(row: Row, span: Span): { line: Line; words: PlacedWord[] }[] {
  const lines = wordsByLine(row, span)
  if (row.isCentred) return lines
  const others = new Set(row.cells.flatMap((cell) => (cell === null || cell === span ? [] : cell.words)))
  const counts = lines.map(
    ({ line }) => line.cells.flatMap(({ words }) => words.filter((word) => others.has(word))).length,
  )
  const most = Math.max(0, ...counts)
  const anchor = counts.indexOf(most)
  return most >= anchorWordsMin ? lines.slice(anchor) : lines
}

/** The minimum number of words in other columns for a line to be the row's number line. */
const anchorWordsMin = 2

/** Splits a row's text into the name with its wrapped lines, and a code below it; drops notes in smaller type. */
export function partRowText(row: Row, span: Span, context: TextContext): RowText {
  const [first, ...others] = fromAnchor(row, span)
  if (first === undefined || others.length === 0) return { name: span, code: null }
  const name = [...first.words]
  let above = first.words
  let code: Span | null = null
  for (const { line, words } of others) {
    const found = codeOf(words, context, line)
    const isSmall = heightOf(words) < heightOf(first.words) * noteHeight
    const isPrint = line.page.page.source !== 'ocr'
    if (found !== null) {
      code ??= found
      break
    }
    if ((isSmall && isPrint) || breakWasMeant(above, words, context.room)) break
    name.push(...words)
    above = words
  }
  return { name: spanOf(name, []), code }
}
