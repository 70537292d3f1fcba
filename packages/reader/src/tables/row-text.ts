import type { Line } from '../layout/layout.ts'
import type { PlacedWord } from '../layout/placed-words.ts'
import type { Sheet } from '../layout/sheet.ts'
import { type Span, spanOf, wordsWithin } from '../layout/spans.ts'
import { fold } from '../layout/text.ts'
import { findIdentifier } from '../values/identifiers.ts'
import type { Row, Table } from './table.ts'

/** What the lines of one text cell say. */
export interface RowText {
  /** The name of the thing: its first line and the lines that it wraps to. */
  readonly name: Span
  /** A code on a line of its own below the name. */
  readonly code: Span | null
}

/** Lines set this much smaller than the name are notes to it. */
const noteHeight = 0.93

function wordsByLine(row: Row, span: Span): { line: Line; words: PlacedWord[] }[] {
  return row.lines.flatMap((line) => {
    const own = new Set(line.cells.flatMap((cell) => cell.words))
    const words = span.words.filter((word) => own.has(word))
    return words.length === 0 ? [] : [{ line, words }]
  })
}

/** How far the text of a column goes over all rows, and how far it could go before the next column begins. */
export interface TextRoom {
  readonly edge: number
  readonly limit: number
  /** Words that stand before the codes of articles, on lines of their own. */
  readonly codeLabels: ReadonlySet<string>
}

/** Measures the room of a column of texts. */
export function textRoom(table: Table, at: number): TextRoom {
  let edge = Number.NEGATIVE_INFINITY
  for (const row of table.rows) for (const word of row.cells[at]?.words ?? []) edge = Math.max(edge, word.x1)
  const next = table.columns[at + 1]?.heading.x0 ?? edge
  return { edge, limit: Math.max(edge, next), codeLabels: codeLabelsOf(table, at) }
}

const heightOf = (words: readonly PlacedWord[]): number =>
  words.reduce((sum, word) => sum + word.y1 - word.y0, 0) / Math.max(1, words.length)

/** A line that ends before this part of the room up to the next column did not need to wrap. */
const shortLine = 0.3

/** True when the first word of a line would have fitted on the line above: then the break was meant. */
function breakWasMeant(above: readonly PlacedWord[], words: readonly PlacedWord[], { edge, limit }: TextRoom): boolean {
  const end = above.at(-1)?.x1 ?? 0
  const start = above[0]?.x0 ?? 0
  if (end - start < (limit - start) * shortLine) return true
  const first = words[0]
  return first !== undefined && end + (first.y1 - first.y0) * 0.35 + (first.x1 - first.x0) < edge
}

/** The code of an article on a line of its own: `SKU: 12-345`. */
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

/** The words before a code that ends a line, folded; null where no code does, empty where it stands alone. */
function labelBefore(words: readonly PlacedWord[]): string | null {
  const last = words.at(-1)
  if (last === undefined || words.length > 5 || !codePattern.test(last.word.text)) return null
  const label = words
    .slice(0, -1)
    .map((word) => fold(word.word.text))
    .join(' ')
  return /\d/.test(label) ? null : label
}

/** Part of the rows with further lines in which the same words stand before a code. */
const codeShare = 0.5
const codeRowsMin = 2

/**
 * Words that stand before a code on a line of its own in most rows, whatever they say: what all rows give another code for is
 * the number of the article. Words of other numbers, as of a batch, stand in few rows.
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

/** The lines of a text from that of its row's figures on, where it has words there: what stands over them is a heading. */
function fromAnchor(row: Row, span: Span): { line: Line; words: PlacedWord[] }[] {
  const lines = wordsByLine(row, span)
  const others = new Set(row.cells.flatMap((cell) => (cell === null || cell === span ? [] : cell.words)))
  const counts = lines.map(
    ({ line }) => line.cells.flatMap(({ words }) => words.filter((word) => others.has(word))).length,
  )
  const most = Math.max(0, ...counts)
  const anchor = counts.indexOf(most)
  return most >= anchorWordsMin ? lines.slice(anchor) : lines
}

/** Words in other columns that a line has at least to be the one of its row's figures. */
const anchorWordsMin = 2

/** Parts the text of a row: the name with the lines it wraps to, a code below it; notes in smaller type are left off. */
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
