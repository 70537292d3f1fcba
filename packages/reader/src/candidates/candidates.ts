import {
  belowHeights,
  belowLinesMax,
  candidate,
  isAmount,
  isUnder,
  isWordy,
  type Match,
  readField,
} from '../labels/label-match.ts'
import { isLabelCell, isLabelLine, type LabelHit } from '../labels/labels.ts'
import { meantWords } from '../languages/form-words.ts'
import { isDenial } from '../languages/yes-and-no.ts'
import type { Cell, Line } from '../layout/layout.ts'
import { numberingOf } from '../layout/numbering.ts'
import { kindOfText } from '../layout/pieces.ts'
import type { PlacedWord } from '../layout/placed-words.ts'
import { type Candidate, inTable } from '../layout/sheet.ts'
import { type Span, spanFrom, spanOf, spanOfCell, spanOfCells, spanUntil } from '../layout/spans.ts'
import { readAs } from '../values/parsed-values.ts'
import { optionsIn } from '../values/ticks.ts'
import { fromAbove, fromBefore, fromLeft, fromPair } from './unusual-places.ts'

const isBareLabel = (text: string): boolean =>
  /[:：]\s*$/u.test(text) && meantWords(text).every(({ weight }) => weight < 1) && meantWords(text).length === 1

/** So many times as high as a caption is the text below it. */
const captionRatio = 1.15

/** True for a small text directly above a larger one that begins with it, as in the boxes of forms. */
function isCaption(cell: Cell): boolean {
  const { line } = cell
  const height = heightOf(cell)
  const below = line.page.lines[line.index + 1]
  const value = below?.cells.find(({ x0 }) => Math.abs(x0 - cell.x0) < height)
  return (
    below !== undefined && value !== undefined && below.y0 - line.y1 < height && heightOf(value) > captionRatio * height
  )
}

const heightOf = ({ words: [word] }: Cell): number => (word === undefined ? 0 : word.y1 - word.y0)

/** True when the whole text of a cell is one of the answers that its field has: yes or no, or a choice. */
function isAnswer({ field, sheet }: Match, { text }: Cell): boolean {
  const { meaning, choices } = field.plan
  return (
    (meaning.kind === 'boolean' || choices.length > 0) &&
    /\p{L}/u.test(text) &&
    readField(field, text, sheet).some(({ start, end }) => start === 0 && end === text.length)
  )
}

/** True when an answer stands directly below the label, as in a row of headings: what is to its right is another heading. */
function hasAnswerBelow(match: Match): boolean {
  const { cell } = match.hit
  const below = cell.line.page.lines[cell.line.index + 1]?.cells.find((other) => isUnder(cell, other))
  return below !== undefined && isAnswer(match, below)
}

/** True for the label of something else. The answer of a field is its value, though it is a label elsewhere: `Insured   No`. */
const isOtherLabel = (match: Match, cell: Cell): boolean =>
  isLabelCell(match.sheet.labels, cell) && !isAnswer(match, cell)

/** Cells to the right of the label that may hold its value, up to the next label. */
export function cellsRight(match: Match): Cell[] {
  const { hit, sheet } = match
  const cells: Cell[] = []
  if (isCaption(hit.cell)) return cells
  for (const cell of hit.cell.line.cells.slice(hit.cell.index + 1)) {
    if (inTable(sheet, cell)) break
    // `Advertiser   Name:   Acme`: the second label only says what the value is.
    if (cells.length === 0 && cell.index === hit.cell.index + 1 && isBareLabel(cell.text)) continue
    if (isOtherLabel(match, cell) || (isLabelCell(sheet.labels, cell) && hasAnswerBelow(match))) break
    cells.push(cell)
    if (cells.length >= 4) break
  }
  return cells
}

/** Amounts to the right of a label that a skewed photo shifted by half a line, where no other label claims them. */
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

/** The words below a label, limited to the label's column where a line of labels has a line of values below it. */
function spanBelow(match: Match): { span: Span; gapHeights: number } | null {
  const { hit, sheet } = match
  const { line } = hit.cell
  const next = line.cells[hit.cell.index + 1]
  for (let step = 1; step <= belowLinesMax; step++) {
    const below = line.page.lines[line.index + step]
    if (below === undefined || below.y0 - line.y1 > belowHeights * line.height) return null
    const cell = below.cells.find((other) => isUnder(hit.cell, other))
    if (cell === undefined) continue
    if (isOtherLabel(match, cell) || inTable(sheet, cell)) return null
    const edge = next === undefined ? Number.POSITIVE_INFINITY : next.x0 - line.height * 0.3
    const words = cell.words.filter((word) => word.x0 < edge && word.x1 > hit.cell.x0 - line.height * 2)
    return words.length === 0 ? null : { span: spanOf(words, [cell]), gapHeights: (below.y0 - line.y1) / line.height }
  }
  return null
}

/** The maximum number of lines of a wrapped value. */
const wrapLinesMax = 2

/** True when a cell stands directly below the label: the line is then a separate row. */
const hasLabelColumn = (line: Line, label: Cell, value: PlacedWord): boolean =>
  line.cells.some((cell) => cell.x1 > label.x0 - line.height && cell.x0 < value.x0 - line.height)

/** A value with its continuation lines: they start at the same left edge and contain nothing else. */
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
    // An address is below the name of its owner.
    if (kind === 'text' && /\d/.test(next.text) && /^\D*\p{Lu}\p{L}+$/u.test(spanOf(words, cells).text.trim())) break
    // A line directly below the start of the label does not continue the value.
    if (!isBelow && Math.abs(first.x0 - match.hit.cell.x0) < line.height * 0.5 && kind === 'text') break
    words.push(...next.words)
    cells.push(next)
    above = line
  }
  return words.length === span.words.length ? span : { ...spanOf(words, cells, -Math.min(0, span.starts[0] ?? 0)) }
}

const codePattern = /^\s*(?=\S*\d)\S+(?:\s\d+(?!\S))*(?=\s)/u
const linkPattern = /^\s*(?:of|de|du|des|del|della|delle|di|do|da|dos|das|von|van|vom)\s/iu

/**
 * The value that follows a label without a colon: its code alone (`INE 120447183KA – LV2`), or all of it. Where the words go on from the
 * label (`COMUNIDAD DE PROPIETARIOS`), the label is part of a name, which stands alone on its line.
 */
function plainSpan({ cell, start, rest, startsCell, coverage }: LabelHit): Span | null {
  const code = codePattern.exec(rest.text)?.[0]
  const isWordy = code === undefined && !/\d/.test(rest.text)
  if (!startsCell || coverage < 1 || !/^\s*[\p{Lu}\d]/u.test(rest.text) || rest.words.length > 9) return null
  if (isWordy && (start > numberingOf(cell) || /^\s*n[or]?[.º°]*\s*$/iu.test(rest.text))) return null
  if (linkPattern.test(rest.text)) return cell.line.cells.length === 1 && isWordy ? spanOfCell(cell) : null
  return code === undefined ? rest : spanUntil(rest, code.length)
}

/** A value in the same cell as its label: `Invoice No: 123`. */
function fromSameCell(match: Match): Candidate | null {
  const { hit, field } = match
  if (hit.isWhole || hit.rest.text === '') return null
  const { kind } = field.plan.meaning
  const reading = readField(field, hit.rest.text, match.sheet)[0]
  // In running text the value must follow the label directly.
  const away = reading === undefined ? 0 : reading.start
  const isPlain = !hit.hasColon && isWordy(kind)
  const plain = isPlain ? plainSpan(hit) : hit.rest
  if (plain === null) return null
  if (!hit.hasColon && away > 12 && !isAmount(kind)) return null
  if (!hit.startsCell && !hit.hasColon && kind === 'id') return null
  // `Tax 15 % on 112.90   16.94`: the number in the label's cell is the tax base; the amount at the end is the tax.
  const isRate =
    kind === 'number' &&
    (hit.rest.text.slice(0, reading?.end).endsWith('%') || /^\s\p{Ll}{4}/u.test(hit.rest.text.slice(reading?.end)))
  const beside = kind === 'money' || isRate ? cellsRight(match).at(-1) : undefined
  if (beside !== undefined && kindOfText(beside.text, match.sheet.conventions) === 'amount') return null
  const factor = hit.hasColon ? 0.98 : isPlain ? 0.72 : 0.9
  return candidate(match, wrapped(match, plain), 'same-cell', away > 24 && !isAmount(kind) ? factor * 0.6 : factor)
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
    kind === 'money' || kind === 'boolean' || kind === 'enum'
      ? spanOfCells(cells)
      : isAmount(kind) || kind === 'currency'
        ? spanOfCells(cells.slice(0, 2))
        : spanOfCell(skipMarks(cells))
  if (isHeadingRow(match, first)) return null
  const gap = first.x0 - hit.cell.x1
  const far = gap > hit.cell.line.page.width * 0.35 && !isAmount(kind)
  return candidate(match, wrapped(match, span), 'right', far ? 0.75 : 0.95)
}

/** True when the label is one of a row of labels, at least one of them unknown, with the values below. */
function isHeadingRow(match: Match, right: Cell): boolean {
  const { hit, sheet } = match
  if (/\d/.test(right.text) || hit.hasColon) return false
  const { cells } = hit.cell.line
  const labels = cells.filter((cell) =>
    (sheet.labels.get(cell) ?? []).some((other) => other.startsCell && other.isWhole && !other.hasColon),
  )
  return (
    cells.length >= 3 &&
    labels.length >= 2 &&
    labels.length >= cells.length * 0.5 &&
    !isRowOfPairs(cells, labels) &&
    spanBelow(match) !== null
  )
}

/** True when labels and other texts alternate: each label has its value to the right. */
const isRowOfPairs = (cells: readonly Cell[], labels: readonly Cell[]): boolean =>
  cells.length % 2 === 0 && labels.length * 2 === cells.length && labels.every(({ index }) => index % 2 === 0)

/** The first cell that is more than punctuation. */
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

/** The box of the option that a label begins in its cell: `☐ Insured`, `Insured ☒`. */
function fromBox(match: Match): Candidate | null {
  const { hit, field } = match
  if (field.plan.meaning.kind !== 'boolean') return null
  const span = spanOfCell(hit.cell)
  // The words of the label alone: its range may hold a box.
  const words = /[\p{L}\p{N}](?:.*[\p{L}\p{N}])?/su.exec(span.text.slice(hit.start, hit.end))
  if (words === null) return null
  const from = hit.start + words.index
  const own = optionsIn(span.text).options.find(({ start, end }) => start <= from && from + words[0].length <= end)
  if (own === undefined || /[\p{L}\p{N}]/u.test(span.text.slice(own.start, from))) return null
  // Words with a colon before the next box are the label of further boxes.
  if (/^\s*[:：?]/u.test(span.text.slice(hit.end))) return null
  return candidate(match, spanUntil(spanFrom(span, own.box.start), own.box.end - own.box.start), 'same-cell', 0.95)
}

const bracketPattern = /^\W*(?:\([^)]*|[^()]*)\)?\W*$/u

/** The only figure of a table's row whose first text is the field's own name: `Base salary   2,100.00` among the earnings. */
function fromRow(match: Match): Candidate | null {
  const { hit, field, sheet } = match
  const isNamed = hit.targets.some(({ target, weight }) => target === `f:${field.id}` && weight >= 0.9)
  const isWhole = hit.isWhole || (bracketPattern.test(hit.rest.text) && /[()]/.test(hit.cell.text))
  if (!isNamed || !isWhole || hit.cell.index > 0 || hit.coverage < 1 || !isAmount(field.plan.meaning.kind)) return null
  const [figure, ...others] = hit.cell.line.cells.slice(1).filter(({ text }) => /\d/.test(text))
  if (figure === undefined || others.length > 0 || isLabelCell(sheet.labels, figure)) return null
  return candidate(match, spanOfCell(figure), 'right', 0.9)
}

/** The candidates that one label gives one field. `weight`: how surely the label means the field, 0 to 1. */
export function labelledCandidates(match: Match): Candidate[] {
  const { hit } = match
  if (inTable(match.sheet, hit.cell)) return [fromRow(match)].filter((found) => found !== null)
  // `No allergies: ☒ Yes` says nothing of allergies.
  const { kind, path } = match.field.plan.meaning
  if (kind === 'boolean' && isDenial(hit.cell.text.slice(0, hit.end)) !== isDenial(path)) return []
  const box = fromBox(match)
  // In a row of options, what follows an option is the box or the word of another.
  const { boxes, options } = optionsIn(hit.cell.text)
  const isOption = boxes > 1 && options.some(({ start, end }) => start < hit.end && hit.start < end)
  if (box === null && isOption && match.field.plan.meaning.kind === 'boolean' && !hit.hasColon) return []
  const own = box ?? fromPair(match) ?? fromSameCell(match) ?? fromBefore(match) ?? fromAbove(match) ?? fromLeft(match)
  if (own !== null) return [own]
  // A box in the cell of the label is the only one that may be its own: those beside and below are of other labels.
  if (match.field.plan.meaning.kind === 'boolean' && boxes > 0) return []
  const right = fromRight(match)
  const below = right !== null && right.reading.fit >= 0.6 && right.score > 0.6 ? null : fromBelow(match)
  return [right, below].filter((found) => found !== null)
}
