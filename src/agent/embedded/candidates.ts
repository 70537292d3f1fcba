import type { Kind } from './concepts.ts'
import { isLabelCell, isLabelLine, type LabelHit } from './labels.ts'
import type { Cell, Line } from './layout.ts'
import type { PlacedWord } from './placed-words.ts'
import { type Reading, readAs, readChoices } from './readings.ts'
import {
  type Candidate,
  type Field,
  inTable,
  overlapAcross,
  type Relation,
  type Sheet,
  wordConfidence,
} from './sheet.ts'
import { type Span, spanFrom, spanOf, spanOfCell, spanOfCells, spanUntil, wordsWithin } from './spans.ts'
import { fits, settle } from './values.ts'

/** Lines searched below a label. */
const belowLinesMax = 3
/** A value stands at most this many text heights below its label. */
const belowHeights = 2.6

/** What one label gives one field. */
interface Match {
  readonly sheet: Sheet
  readonly field: Field
  readonly hit: LabelHit
  /** How surely the label means the field, 0 to 1. */
  readonly weight: number
}

const isWordy = (kind: Kind): boolean => kind === 'text' || kind === 'name' || kind === 'address'
const isAmount = (kind: Kind): boolean => kind === 'money' || kind === 'number' || kind === 'integer'

/** Cells on the label's line that may hold its value, up to the next label. */
function cellsRight(match: Match): Cell[] {
  const { hit, sheet } = match
  const cells: Cell[] = []
  for (const cell of hit.cell.line.cells.slice(hit.cell.index + 1)) {
    if (inTable(sheet, cell)) break
    if (isLabelCell(sheet.labels, cell)) break
    cells.push(cell)
    if (cells.length >= 4) break
  }
  return cells
}

/** Amounts right of a label that a crooked photograph moved half a line up or down, where no label claims them. */
function cellsNearby(match: Match): Cell[] {
  const { hit, sheet } = match
  const { line } = hit.cell
  if (line.page.page.source !== 'ocr') return []
  for (const step of [-1, 1]) {
    const near = line.page.lines[line.index + step]
    if (near === undefined || near.cells.some((cell) => sheet.labels.has(cell))) continue
    const overlap = Math.min(near.y1, line.y1) - Math.max(near.y0, line.y0)
    const cells = near.cells.filter((cell) => cell.x0 > hit.cell.x1)
    if (overlap > 0.2 * Math.min(near.height, line.height) && cells.length === near.cells.length) return cells
  }
  return []
}

/** The words below a label, cut to the label's column where a line of labels stands above a line of values. */
function spanBelow(match: Match): { span: Span; gapHeights: number } | null {
  const { hit, sheet } = match
  const { line } = hit.cell
  const next = line.cells[hit.cell.index + 1]
  for (let step = 1; step <= belowLinesMax; step++) {
    const below = line.page.lines[line.index + step]
    if (below === undefined || below.y0 - line.y1 > belowHeights * line.height) return null
    const cell = below.cells.find((other) => isUnder(hit.cell, other))
    if (cell === undefined) continue
    if (isLabelCell(sheet.labels, cell) || inTable(sheet, cell)) return null
    const edge = next === undefined ? Number.POSITIVE_INFINITY : next.x0 - line.height * 0.3
    const words = cell.words.filter((word) => word.x0 < edge && word.x1 > hit.cell.x0 - line.height * 2)
    return words.length === 0 ? null : { span: spanOf(words, [cell]), gapHeights: (below.y0 - line.y1) / line.height }
  }
  return null
}

function isUnder(label: Cell, cell: Cell): boolean {
  const slack = label.line.height
  return (
    overlapAcross(label, cell) > 0.35 ||
    Math.abs(label.x0 - cell.x0) < slack * 0.8 ||
    Math.abs(label.x1 - cell.x1) < slack * 0.6
  )
}

const readField = (field: Field, text: string, sheet: Sheet): Reading[] =>
  field.plan.meaning.kind === 'enum' || field.plan.choices.length > 0
    ? readChoices(text, field.plan.choices)
    : readAs(field.plan.meaning.kind, text, sheet.conventions).map((reading) => settle(field.plan, reading))

/** Of several readings the one that the kind of field wants: the last amount of a row, else the first. */
function pickReading(field: Field, readings: readonly Reading[], relation: Relation): Reading | undefined {
  const isPerson = /^(?:contact_name|cashier)$/.test(field.plan.meaning.concept?.id ?? '')
  // A question is no value of anything.
  const fitting = readings.filter(
    (reading) =>
      fits(field.plan, reading) && !(isPerson && /\d/.test(reading.printed)) && !reading.printed.endsWith('?'),
  )
  if (field.plan.meaning.kind !== 'money' || relation === 'below') return fitting[0]
  const best = Math.max(0, ...fitting.map((reading) => reading.fit))
  return fitting.findLast((reading) => reading.fit >= best)
}

function candidate(match: Match, span: Span, relation: Relation, factor: number): Candidate | null {
  const { field, sheet, hit } = match
  const reading = pickReading(field, readField(field, span.text, sheet), relation)
  if (reading === undefined) return null
  const words = wordsWithin(span, reading.start, reading.end)
  const page = hit.cell.line.page
  const score = match.weight * factor * (0.35 + 0.65 * reading.fit) * (0.6 + 0.4 * wordConfidence(words))
  return { field, reading, words, page, label: labelWords(hit), relation, score }
}

function labelWords(hit: LabelHit): PlacedWord[] {
  return wordsWithin(spanOfCell(hit.cell), hit.start, hit.end)
}

/** Lines that a value may wrap to. */
const wrapLinesMax = 2

/** True when something stands below the label, so that the line is a row of its own. */
const hasLabelColumn = (line: Line, label: Cell, value: PlacedWord): boolean =>
  line.cells.some((cell) => cell.x1 > label.x0 - line.height && cell.x0 < value.x0 - line.height)

/** A value together with the lines below it that it goes on in: they start where it starts and nothing else stands there. */
function wrapped(match: Match, span: Span, isBelow = false): Span {
  const { kind } = match.field.plan.meaning
  const isLong = kind === 'iban' || kind === 'date'
  const needsMore = isLong && readAs(kind, span.text, match.sheet.conventions).length === 0
  if (kind !== 'text' && !needsMore) return span
  const first = span.words[0]
  const cell = span.cells.at(-1)
  if (first === undefined || cell === undefined) return span
  const words = [...span.words]
  const cells = [...span.cells]
  let above = cell.line
  for (let step = 0; step < wrapLinesMax; step++) {
    const line = above.page.lines[above.index + 1]
    if (line === undefined || line.y0 - above.y0 > above.height * 1.7) break
    const next = line.cells.find((other) => Math.abs(other.x0 - first.x0) < line.height * 0.5)
    if (
      next === undefined ||
      (kind === 'text' && !isBelow && hasLabelColumn(line, match.hit.cell, first)) ||
      match.sheet.labels.has(next) ||
      inTable(match.sheet, next)
    )
      break
    // What stands right under the label's own start is a new line of its own.
    if (!isBelow && Math.abs(first.x0 - match.hit.cell.x0) < line.height * 0.5 && kind === 'text') break
    words.push(...next.words)
    cells.push(next)
    above = line
  }
  return words.length === span.words.length ? span : { ...spanOf(words, cells, -Math.min(0, span.starts[0] ?? 0)) }
}

/** A value in the label's own cell: `Invoice No: 123`. */
function fromSameCell(match: Match): Candidate | null {
  const { hit, field } = match
  if (hit.isWhole || hit.rest.text === '') return null
  const { kind } = field.plan.meaning
  const reading = readField(field, hit.rest.text, match.sheet)[0]
  // In running text the value has to stand right behind the label.
  const away = reading === undefined ? 0 : reading.start
  const isPlain = !hit.hasColon && isWordy(kind)
  if (
    isPlain &&
    !(hit.startsCell && hit.coverage === 1 && /^\s*[\p{Lu}\d]/u.test(hit.rest.text) && hit.rest.words.length <= 9)
  )
    return null
  if (!hit.hasColon && away > 12 && !isAmount(kind)) return null
  if (!hit.startsCell && !hit.hasColon && kind === 'id') return null
  const factor = hit.hasColon ? 0.98 : isPlain ? 0.72 : 0.9
  return candidate(match, wrapped(match, hit.rest), 'same-cell', away > 24 && !isAmount(kind) ? factor * 0.6 : factor)
}

function fromRight(match: Match): Candidate | null {
  const { hit, field } = match
  const { kind } = field.plan.meaning
  if (!hit.isWhole && !isAmount(kind) && kind !== 'percent') return null
  if (
    !hit.isWhole &&
    /\p{L}{3}/u.test(hit.rest.text.replace(/\([^)]*\)/g, '')) &&
    !hit.hasColon &&
    hit.rest.text.length > 24
  )
    return null
  const beside = cellsRight(match)
  const cells = beside.length === 0 && isAmount(kind) && hit.isWhole ? cellsNearby(match) : beside
  const [first] = cells
  if (first === undefined) return null
  const span =
    kind === 'money'
      ? spanOfCells(cells)
      : isAmount(kind) || kind === 'currency'
        ? spanOfCells(cells.slice(0, 2))
        : spanOfCell(skipMarks(cells))
  if (isHeadingRow(match, first)) return null
  const gap = first.x0 - hit.cell.x1
  const far = gap > hit.cell.line.page.width * 0.35 && !isAmount(kind)
  return candidate(match, wrapped(match, span), 'right', far ? 0.75 : 0.95)
}

/** True when the label stands in a row of labels, one of them unknown, and the values stand below. */
function isHeadingRow(match: Match, right: Cell): boolean {
  const { hit, sheet } = match
  if (/\d/.test(right.text) || hit.hasColon) return false
  const { cells } = hit.cell.line
  const labels = cells.filter((cell) =>
    (sheet.labels.get(cell) ?? []).some((other) => other.startsCell && other.isWhole && !other.hasColon),
  )
  return cells.length >= 3 && labels.length >= 2 && labels.length >= cells.length * 0.5 && spanBelow(match) !== null
}

/** The first cell that is more than a colon or another mark. */
const skipMarks = (cells: readonly Cell[]): Cell => {
  const found = cells.find((cell) => /[\p{L}\p{N}]/u.test(cell.text)) ?? cells[0]
  if (found === undefined) throw new TypeError('no cells')
  return found
}

function fromBelow(match: Match): Candidate | null {
  const { hit, sheet, field } = match
  if (!hit.isWhole || !hit.startsCell) return null
  const below = spanBelow(match)
  if (below === null) return null
  const inRow = isLabelLine(sheet.labels, hit.cell.line)
  const wordy = isWordy(field.plan.meaning.kind)
  const factor = inRow ? 0.95 : hit.hasColon ? 0.75 : wordy ? 0.7 : 0.85
  return candidate(match, wrapped(match, below.span, true), 'below', factor * (below.gapHeights > 1.3 ? 0.85 : 1))
}

/** True when most of a line's cells are labels. */
const isRowOfLabels = (sheet: Sheet, line: Line): boolean =>
  line.cells.length >= 2 && line.cells.filter((cell) => isLabelCell(sheet.labels, cell)).length * 2 >= line.cells.length

/** A value above its label, where a row of labels stands nearer to the values above it than to those below. */
function fromAbove(match: Match): Candidate | null {
  const { hit, sheet } = match
  const { line } = hit.cell
  if (!hit.isWhole || !hit.startsCell || hit.hasColon || !isRowOfLabels(sheet, line)) return null
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
  return candidate(match, spanOfCell(cell), 'below', 0.93)
}

/** A value before its label in one cell: `12/16/2020 Date of invoice`. */
function fromBefore(match: Match): Candidate | null {
  const { hit, field } = match
  const { kind } = field.plan.meaning
  if (hit.start === 0 || !hit.isWhole || hit.coverage < 1 || (kind !== 'id' && kind !== 'date')) return null
  const span = spanUntil(spanOfCell(hit.cell), hit.start)
  const text = span.text.trim()
  const reading = readField(field, text, match.sheet)[0]
  if (reading === undefined || !/\d/.test(text) || reading.start > 0 || reading.end < text.length) return null
  return candidate(match, span, 'same-cell', 0.95)
}

/** A value and the label right of it stand closer than this many text heights. */
const leftGapHeights = 2.2

const valueLeftOf = (sheet: Sheet, cell: Cell): Cell | null => {
  const left = cell.line.cells[cell.index - 1]
  if (left === undefined || isLabelCell(sheet.labels, left) || inTable(sheet, left)) return null
  return cell.x0 - left.x1 < leftGapHeights * cell.line.height ? left : null
}

/** Lines above and below in which others of a list of values with their labels stand. */
const listLines = 2

/** A value left of its label, in a list of values that start where this one does, each with a text behind it: `761252  PO No.` */
function fromLeft(match: Match): Candidate | null {
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

/** Two labels in one cell over or before two values in one: `PO number · Date` over `8405/21 · 12/08/22`. */
function fromPair(match: Match): Candidate | null {
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

/** What the labels of the documents give a field. `weight` says how surely a label means it. */
export function labelledCandidates(match: Match): Candidate[] {
  const { hit } = match
  if (inTable(match.sheet, hit.cell)) return []
  const own = fromPair(match) ?? fromSameCell(match) ?? fromBefore(match) ?? fromAbove(match) ?? fromLeft(match)
  if (own !== null) return [own]
  const right = fromRight(match)
  const below = right !== null && right.reading.fit >= 0.6 && right.score > 0.6 ? null : fromBelow(match)
  return [right, below].filter((found) => found !== null)
}
