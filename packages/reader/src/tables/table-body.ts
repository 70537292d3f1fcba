import { least } from '@skillrun/core/extremes.ts'
import type { Kind } from '../languages/concept.ts'
import { partLine } from '../layout/columns.ts'
import type { Line } from '../layout/layout.ts'
import type { PlacedWord } from '../layout/placed-words.ts'
import { isBrokenAtHyphen, spanOf } from '../layout/spans.ts'
import { readCellAs } from '../values/parsed-values.ts'
import type { Column, TableSearch } from './table.ts'

/** A gap of this many row heights ends a table. */
const endGapHeights = 5.5

export const isTyped = (kind: Kind | null): kind is Kind =>
  kind !== null && /^(?:money|number|integer|percent|date|datetime|time)$/.test(kind)

/** A line of a table by columns. */
export interface BodyLine {
  readonly line: Line
  readonly parts: readonly PlacedWord[][]
  /** The number of columns of known kind with a matching value. */
  readonly typed: number
  /** The number of columns of known kind with other content. */
  readonly misfits: number
}

/** Classifies a line by the columns of its table. */
export function gradeLine(line: Line, columns: readonly Column[], search: TableSearch): BodyLine {
  const parts = partLine(line, columns)
  let typed = 0
  let misfits = 0
  for (const [index, words] of parts.entries()) {
    const column = columns[index]
    const kind = column === undefined ? null : search.kindUnder(column.heading)
    if (words.length === 0 || !isTyped(kind)) continue
    const text = spanOf(words, []).text
    const reading = readCellAs(kind, text, search.conventions)[0]
    const filled = reading !== undefined && (reading.end - reading.start) / text.length > 0.3
    if (filled) typed++
    else if (/\p{L}{2}/u.test(text)) misfits++
  }
  return { line, parts, typed, misfits }
}

/** The distance between two lines, centre to centre. */
export const pitch = (above: Line, below: Line): number => (below.y0 + below.y1 - above.y0 - above.y1) / 2

/** The lines under a header. */
export interface Body {
  readonly lines: readonly BodyLine[]
  /** True when the page ended before the table did. */
  readonly ranOut: boolean
}

/** The lines below a header that belong to its table. */
export function bodyOf(
  lines: readonly Line[],
  columns: readonly Column[],
  search: TableSearch,
  records?: ReadonlySet<Line>,
): Body {
  const typedColumns = columns.filter((column) => isTyped(search.kindUnder(column.heading))).length
  const need = typedColumns >= 3 ? 2 : 1
  const isFull = ({ line, typed }: BodyLine): boolean => (records === undefined ? typed >= need : records.has(line))
  const body: BodyLine[] = []
  let above: Line | null = null
  let sinceRow = 0
  for (const [at, line] of lines.entries()) {
    if (above !== null && pitch(above, line) > endGapHeights * Math.max(line.height, above.height))
      return { lines: trimTail(body, isFull), ranOut: false }
    if (search.isAside(line) && records?.has(line) !== true) {
      above = line
      continue
    }
    if (search.endsTable(line) && records?.has(line) !== true) {
      if (!goesOn(lines.slice(at + 1, at + 1 + sectionGapLines), columns, search))
        return { lines: trimTail(body, isFull), ranOut: false }
      above = line
      continue
    }
    const graded = gradeLine(line, columns, search)
    const isRow =
      records?.has(line) === true ||
      graded.typed >= need ||
      (typedColumns === 0 && graded.parts.filter((part) => part.length > 0).length >= 2)
    sinceRow = isRow ? 0 : sinceRow + 1
    if (sinceRow > 6 || (!isRow && graded.misfits >= 2 && body.length > 0))
      return { lines: trimTail(body, isFull), ranOut: false }
    body.push(graded)
    above = line
  }
  return { lines: trimTail(body, isFull), ranOut: true }
}

/** The maximum number of lines between a section's subtotal and the next row. */
const sectionGapLines = 3

/** True when a full row follows a sum, which is then a section's subtotal and not the end of the table. */
function goesOn(next: readonly Line[], columns: readonly Column[], search: TableSearch): boolean {
  const typedColumns = columns.filter((column) => isTyped(search.kindUnder(column.heading))).length
  if (typedColumns < 3) return false
  for (const line of next) {
    if (search.endsTable(line) || search.isAside(line)) return false
    const { parts, typed, misfits } = gradeLine(line, columns, search)
    const hasText = parts.some((words, at) => {
      const column = columns[at]
      return (
        column !== undefined &&
        search.kindUnder(column.heading) === 'text' &&
        words.some((word) => /\p{L}{2}/u.test(word.word.text))
      )
    })
    if (hasText && misfits === 0 && typed >= Math.max(3, typedColumns - 1)) return true
  }
  return false
}

/** True when a cell continues the hyphenated cell above. */
const continuesAtHyphen = (above: BodyLine, line: BodyLine): boolean =>
  line.parts.some(([first], at) => {
    const last = above.parts[at]?.at(-1)
    return first !== undefined && last !== undefined && isBrokenAtHyphen(last, first)
  })

/** Removes lines after the last row that are not close to it: text below the table. */
function trimTail(body: readonly BodyLine[], isFull: (line: BodyLine) => boolean): BodyLine[] {
  const last = body.findLastIndex(isFull)
  if (last < 0) return [...body]
  let end = last + 1
  const usual = usualPitch(body.slice(0, last + 1), isFull)
  while (end < body.length) {
    const line = body[end]
    const above = body[end - 1]
    if (line === undefined || above === undefined || line.misfits > 0) break
    const filled = line.parts.filter((part) => part.length > 0).length
    const isRest = continuesAtHyphen(above, line)
    const pitchMax = isRest ? usual : Math.min(usual, above.line.height * 1.75)
    if ((filled !== 1 && !isRest) || line.typed > 0 || pitch(above.line, line.line) > pitchMax) break
    end++
  }
  return body.slice(0, end)
}

/** The smallest distance between two rows. */
function usualPitch(body: readonly BodyLine[], isFull: (line: BodyLine) => boolean): number {
  const rows = body.filter(isFull)
  const pitches = rows.slice(1).map((row, index) => pitch(rows[index]?.line ?? row.line, row.line))
  return pitches.length === 0 ? Number.POSITIVE_INFINITY : least(pitches)
}
