import {
  belowHeights,
  belowLinesMax,
  candidate,
  isUnder,
  isWordy,
  type Match,
  readField,
} from '../labels/label-match.ts'
import { isLabelCell } from '../labels/labels.ts'
import type { Cell, Line } from '../layout/layout.ts'
import { numberingOf } from '../layout/numbering.ts'
import { type Candidate, inTable, type Sheet } from '../layout/sheet.ts'
import { spanFrom, spanOfCell, spanUntil } from '../layout/spans.ts'

/** The share of a line's cells that are labels. */
const shareOfLabels = (sheet: Sheet, line: Line): number =>
  line.cells.filter((cell) => isLabelCell(sheet.labels, cell)).length / line.cells.length

/** The most height of a caption as a share of its value's, where only half of the texts beside it are known to be captions. */
const captionShare = 0.93

const heightOf = ({ words: [first] }: Cell): number => (first === undefined ? 0 : first.y1 - first.y0)

/** A value above its label, where a row of labels is closer to the values above it than to those below. */
export function fromAbove(match: Match): Candidate | null {
  const { hit, sheet } = match
  const { line } = hit.cell
  const share = shareOfLabels(sheet, line)
  if (!hit.isWhole || !hit.startsCell || hit.hasColon || line.cells.length < 2 || share < 0.5) return null
  const above = line.page.lines[line.index - 1]
  if (above === undefined || line.y0 - above.y0 > belowHeights * line.height) return null
  const valuesOf = (other: Line): Cell[] =>
    other.cells.filter(
      (cell) => !isLabelCell(sheet.labels, cell) && !inTable(sheet, cell) && !sheet.sumLines.has(other),
    )
  const aligned = (other: Line): Cell[] =>
    valuesOf(other).filter((cell) => line.cells.some((label) => isUnder(label, cell)))
  const values = aligned(above)
  if (values.length < 2 || values.length < above.cells.length || !values.some((cell) => /\d/.test(cell.text)))
    return null
  const below = line.page.lines[line.index + 1]
  const isNearBelow = below !== undefined && aligned(below).length > 0 && below.y0 - line.y0 <= line.y0 - above.y0
  const cell = values.find((other) => isUnder(hit.cell, other))
  if (isNearBelow || cell === undefined) return null
  // A label and its value beside it are of one size.
  if (share === 0.5 && heightOf(hit.cell) > heightOf(cell) * captionShare) return null
  return candidate(match, spanOfCell(cell), 'below', 0.93)
}

/** A value in front of its label in the same cell: `12/16/2020 Date of invoice`. */
export function fromBefore(match: Match): Candidate | null {
  const { hit, field } = match
  const { kind } = field.plan.meaning
  if (hit.start === numberingOf(hit.cell) || !hit.isWhole || hit.coverage < 1 || (kind !== 'id' && kind !== 'date'))
    return null
  const span = spanUntil(spanOfCell(hit.cell), hit.start)
  const text = span.text.trim()
  const reading = readField(field, text, match.sheet)[0]
  if (reading === undefined || !/\d/.test(text) || reading.start > 0 || reading.end < text.length) return null
  return candidate(match, span, 'same-cell', 0.95)
}

/** The maximum gap between a value and the label to its right, in text heights. */
const leftGapHeights = 2.2

const valueLeftOf = (sheet: Sheet, cell: Cell): Cell | null => {
  const left = cell.line.cells[cell.index - 1]
  if (left === undefined || isLabelCell(sheet.labels, left) || inTable(sheet, left)) return null
  return cell.x0 - left.x1 < leftGapHeights * cell.line.height ? left : null
}

/** Lines above and below that are searched for other entries of the same list of values and labels. */
const listLines = 2

/** A value to the left of its label, in a left-aligned list of values that are each followed by a text: `761252  PO No.` */
export function fromLeft(match: Match): Candidate | null {
  const { hit, sheet, field } = match
  const { line } = hit.cell
  if (!hit.isWhole || !hit.startsCell || hit.hasColon) return null
  const value = valueLeftOf(sheet, hit.cell)
  if (value === null || readField(field, value.text, sheet).length === 0) return null
  const near = line.page.lines.slice(Math.max(0, line.index - listLines), line.index + listLines + 1)
  const isAlike = (other: Line): boolean =>
    other !== line &&
    other.cells.some((cell) => {
      const left = valueLeftOf(sheet, cell)
      return left !== null && Math.abs(left.x0 - value.x0) < line.height * 0.5 && sheet.labels.has(cell)
    })
  const isValue = isWordy(field.plan.meaning.kind) || /\d/.test(value.text)
  return isValue && near.some(isAlike) ? candidate(match, spanOfCell(value), 'right', 0.9) : null
}

const joinPattern = /\s[·•|]\s|\s[—–]\s/u

/** Two labels in one cell, above or in front of two values in one cell: `PO number · Date` over `8405/21 · 12/08/22`. */
export function fromPair(match: Match): Candidate | null {
  const { hit, sheet } = match
  const labels = hit.cell.text.split(joinPattern)
  if (labels.length < 2) return null
  const at = hit.cell.text.slice(0, hit.start).split(joinPattern).length - 1
  const below = hit.cell.line.page.lines
    .slice(hit.cell.line.index + 1, hit.cell.line.index + 1 + belowLinesMax)
    .flatMap((line) => line.cells.filter((cell) => isUnder(hit.cell, cell)))
  const right = hit.cell.line.cells[hit.cell.index + 1]
  for (const cell of [...(right === undefined ? [] : [right]), ...below]) {
    const parts = cell.text.split(joinPattern)
    if (parts.length !== labels.length || inTable(sheet, cell)) continue
    const span = spanOfCell(cell)
    const start = parts.slice(0, at).reduce((sum, part) => sum + part.length + 3, 0)
    const part = spanUntil(spanFrom(span, start), parts[at]?.length ?? 0)
    return candidate(match, part, 'below', 0.95)
  }
  return null
}
