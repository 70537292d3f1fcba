import type { Evidence } from '../evidence/evidence.ts'
import type { Finding } from '../extract/assemble.ts'
import { isWordy } from '../labels/label-match.ts'
import { isLabelCell, type LabelHit } from '../labels/labels.ts'
import { labelPart } from '../labels/like-labels.ts'
import type { Cell, Line } from '../layout/layout.ts'
import type { PlacedWord } from '../layout/placed-words.ts'
import { inTable, type Sheet } from '../layout/sheet.ts'
import { type Span, spanFrom, spanOf, spanOfCell } from '../layout/spans.ts'
import { fieldOfItems, isOfValues, type ListField } from '../schema/fields.ts'
import { readFinding } from '../tables/read-rows.ts'
import { optionsIn } from '../values/ticks.ts'
import { placeOfWords } from '../values/verify.ts'
import { dividedText, isLongText, ofCommas, ofLines, type Parts } from './divided-text.ts'

type Rows = Map<string, Finding>[]

/** What stands behind or below the label of a list of single values. */
export interface LabelledItems {
  readonly rows: Rows
  /** Their words: these are of no other field. */
  readonly words: readonly PlacedWord[]
  /** True if the label may be the heading of a column. A table with such a column is then preferred. */
  readonly mayBeHeading: boolean
  /** True for words; false for numbers, dates, codes and choices. */
  readonly isText: boolean
  /** The words that say that the list is empty, such as `none`. */
  readonly none?: Evidence
}

/** A label counts from this weight on: the name of the list, or words that mean the same. */
const labelMin = 0.7
/** From this weight on it is the name of the list: words that mean the same weigh less. */
const nameMin = 0.97

/**
 * The items of a list of single values that stand behind its label, `Members: Ann, Bob`, or below it, one in each line. Undefined where there
 * is no such label, or nothing at it. What may be divided or ended elsewhere has a doubt.
 */
export function labelledItems(
  list: ListField,
  { sheet, inputs }: { readonly sheet: Sheet; readonly inputs: readonly string[] },
): LabelledItems | undefined {
  if (!isOfValues(list)) return undefined
  const found = labelsOf(list, sheet).flatMap(({ hit, weight }) => {
    const parts = partsAt(hit, sheet)
    const read = parts && readParts(list, parts, { hit, sheet, inputs })
    return read === undefined || (read.rows.length === 0 && (!read.none || weight < nameMin))
      ? []
      : [{ ...read, weight }]
  })
  const most = Math.max(...found.map(({ weight }) => weight))
  const [best, ...others] = found.filter(({ weight }) => weight === most)
  if (best === undefined) return undefined
  const { rows } = best
  const doubt = others.some((other) => textOfRows(other.rows) !== textOfRows(rows))
    ? 'The documents have another list with this label.'
    : most < nameMin
      ? 'The label is like the name of the list, but another.'
      : rows.length === 1 && best.isText
        ? 'One text was taken for the only item.'
        : undefined
  return { ...best, rows: doubt === undefined ? rows : rows.map((row) => withDoubt(row, doubt)) }
}

const textOfRows = (rows: Rows): string => JSON.stringify(rows.map((row) => row.get('')?.value ?? null))

const withDoubt = (row: Rows[number], doubt: string): Rows[number] =>
  new Map([...row].map(([pointer, finding]) => [pointer, { ...finding, doubt }]))

function labelsOf(list: ListField, { labels }: Sheet) {
  const { id } = fieldOfItems(list)
  return [...labels.values()].flatMap((hits) =>
    hits.flatMap((hit) => {
      const own = hit.targets.find(({ target }) => target === `f:${id}`)
      const weight = (own?.weight ?? 0) * hit.coverage
      return own && hit.startsCell && weight >= labelMin ? [{ hit, weight }] : []
    }),
  )
}

/** With a lower OCR confidence, a word may be misread. */
const ocrConfidenceMin = 0.8

const noneConfidence = 0.9

/** Words that say that a list is empty. */
const nonePattern =
  /^\W*(?:none(?: known)?|nil|n\/?a|not applicable|kein(?:e[rs]?)?|entfällt|aucune?|néant|ningun[oa]|nessun[oa]?|geen|nenhuma?)?\W*$/iu

function readParts(
  list: ListField,
  { spans, doubt }: Parts,
  { hit, sheet, inputs }: { hit: LabelHit; sheet: Sheet; inputs: readonly string[] },
): LabelledItems {
  const field = fieldOfItems(list)
  const words = spans.flatMap((span) => span.words)
  const mayBeHeading = !hit.hasColon && words.some(({ y0 }) => y0 < hit.cell.line.y1)
  const isText = isWordy(field.plan.meaning.kind)
  const place = { words, mayBeHeading, isText }
  const [only] = spans
  const { page } = hit.cell.line
  if (only && spans.length === 1 && nonePattern.test(only.text)) {
    const said = { input: inputs[page.document] ?? '', quote: only.text, ...placeOfWords(words, page) }
    const none: Evidence = { status: 'verified', ...said, confidence: noneConfidence }
    return { rows: [], ...place, ...(!mayBeHeading && { none }) }
  }
  // A sentence that is cut off is not an item.
  if (only && spans.length === 1 && isLongText(only) && !/[.!?]$/u.test(only.text)) return { rows: [], ...place }
  const read = spans.map((span) => ({ span, finding: readFinding(field, span, { sheet, page, inputs }) }))
  const refused = read.find(({ finding }) => finding === null)
  // Numbers, dates and codes have no commas inside, and their lines are no prose.
  const isPlain = (doubt === ofCommas || doubt === ofLines) && !isText
  const ofAll = refused
    ? `${JSON.stringify(refused.span.text.slice(0, 60))} beside it is no value of this list.`
    : undefined
  const rows = read.flatMap(({ finding }) => {
    if (finding === null) return []
    const isUnclear = (finding.ocrConfidence ?? 1) < ocrConfidenceMin
    const ofWord = isUnclear ? 'The print is too unclear to read the text reliably.' : undefined
    const ofLabel = mayBeHeading ? 'Its label may be the heading of a column.' : undefined
    const why = ofAll ?? ofWord ?? ofLabel ?? (isPlain ? undefined : doubt)
    return [new Map([['', { ...finding, ...(why !== undefined && { doubt: why }) }]])]
  })
  return { rows, ...place }
}

function partsAt(hit: LabelHit, sheet: Sheet): Parts | undefined {
  if (inTable(sheet, hit.cell)) return undefined
  const behind = hit.isWhole
    ? partsRight(hit, sheet)
    : hit.hasColon
      ? dividedText(continued(hit, hit.rest, sheet))
      : undefined
  return behind ?? (hit.isWhole ? partsBelow(hit, sheet) : undefined)
}

/** The cells to the right of a label up to the next label: each is an item, unless they are one text with separators. Below a heading, its column. */
function partsRight(hit: LabelHit, sheet: Sheet): Parts | undefined {
  const { line, index } = hit.cell
  const right = line.cells.slice(index + 1)
  const next = right.findIndex((cell) => isLabelCell(sheet.labels, cell) || inTable(sheet, cell))
  const cells = next < 0 ? right : right.slice(0, next)
  const [first] = cells
  if (first === undefined) return undefined
  const isHeading = !hit.hasColon && isRowOf(line, below(line))
  if (isHeading && line.cells.length > 2) return partsOfColumn(hit, sheet)
  const words = cells.flatMap((cell) => cell.words)
  const parts = dividedText(continued(hit, spanOf(words, cells), sheet))
  // `Colour  red` above `Size  10` may be a table with two columns.
  return isHeading && parts?.spans.length === 1 ? undefined : parts
}

/** True where each cell of a line has one below it at the same edge. */
const isRowOf = ({ cells, height }: Line, other: Line | undefined): boolean =>
  cells.every(({ x0 }) => other?.cells.some((cell) => Math.abs(cell.x0 - x0) < height / 2))

/** The cells below a heading, as far as the lines have a cell below each heading. */
function partsOfColumn({ cell: heading }: LabelHit, sheet: Sheet): Parts {
  const spans: Span[] = []
  for (let line = below(heading.line); line !== undefined && isRowOf(heading.line, line); line = below(line)) {
    const cell = line.cells.find(({ x0 }) => Math.abs(x0 - heading.x0) < line.height / 2)
    if (cell && !inTable(sheet, cell)) spans.push(spanOfCell(cell))
  }
  return { spans, doubt: 'The text was taken for a column with this heading.' }
}

/** The lines of a text that goes on below its first line, behind the label. */
function continued(hit: LabelHit, first: Span, sheet: Sheet): readonly Span[] {
  const lines = [first]
  const [start] = first.words
  let above = hit.cell.line
  for (let line = below(above); line !== undefined && start !== undefined; line = below(above)) {
    const isOpen = /[,;&/]\s*$/u.test(lines.at(-1)?.text ?? '')
    const cell = line.cells.find(({ x0 }) => Math.abs(x0 - start.x0) < line.height / 2)
    const own = cell ?? (isOpen ? line.cells[0] : undefined)
    const isBehind = start.x0 > hit.cell.x0 + line.height && line.cells[0] === own
    if (own === undefined || !(isBehind || isOpen)) break
    if (line.y0 - above.y1 > line.height || isLabel(own, sheet) || inTable(sheet, own)) break
    lines.push(spanOfCell(own))
    above = line
  }
  return lines
}

/** True for a cell that begins with a label, known or not. */
const isLabel = (cell: Cell, { labels }: Sheet): boolean =>
  isLabelCell(labels, cell) || labelPart(cell.text)?.hasColon === true

const below = ({ page, index }: Line): Line | undefined => page.lines[index + 1]

const bulletPattern = /^(?:[-–—•·*◦▪‣●○■►➢✓✔]|\(?(?:\d{1,3}|\p{Ll})[.)])(?=\s|$)/u
/** The sort of a bullet: the sign itself; numbers and letters are each one sort. */
const sortOf = (bullet: string): string => bullet.replace(/\d+/u, '1').replace(/\p{Ll}/u, 'a')

/** The lines below a label: those with bullets, with what is indented below them; without bullets those at the same edge. */
function partsBelow(hit: LabelHit, sheet: Sheet): Parts | undefined {
  const { line: own, x0 } = hit.cell
  const items: Span[] = []
  let above = own
  let edge: { readonly x0: number; readonly sort: string | undefined } | undefined
  let doubt: string | undefined
  let spacing = blankLines
  for (let line = below(above); line !== undefined; line = below(above)) {
    const { height } = line
    const cell = cellBelow(line, edge?.x0 ?? x0, edge ? height / 2 : 6 * height)
    const apart = (line.y0 - above.y1) / height
    if (cell === undefined || apart > blankLines || inTable(sheet, cell)) break
    const bullet = bulletPattern.exec(cell.text)?.[0]
    const sort = bullet === undefined ? undefined : sortOf(bullet)
    edge ??= { x0: cell.x0, sort }
    const isItem = sort === edge.sort && Math.abs(cell.x0 - edge.x0) < height / 2
    if (bullet !== undefined && isItem) items.push(spanFrom(textFrom(cell, line), bullet.length))
    else if (edge.sort !== undefined) {
      if (bullet !== undefined && cell.x0 > edge.x0) doubt = ofNested
      // What is indented belongs to the item above it.
      const last = items.at(-1)
      if (cell.x0 < edge.x0 + height / 4 || apart > 1 || last === undefined) break
      items[items.length - 1] = spanOf(
        [...last.words, ...cell.words],
        [...last.cells, cell],
        -Math.min(0, last.starts[0] ?? 0),
      )
    } else {
      const isText = isItem && line.cells.length === 1 && !isLabel(cell, sheet) && apart < spacing
      if (!isText) break
      // Lines of one text have equal gaps; that to the label may be wider.
      spacing = Math.max(1, apart * 1.15)
      items.push(spanOfCell(cell))
    }
    above = line
  }
  if (items.length === 0) return undefined
  if (edge?.sort === undefined) return ofPlainLines(items, hit)
  const { lines, document, page } = own.page
  const isAtEnd =
    above.index >= lines.length - footerLines &&
    sheet.pages.some((one) => one.document === document && one.page.index > page.index)
  const why = doubt ?? (isAtEnd ? 'The list ends where its page does, so it may go on.' : undefined)
  return { spans: items, ...(why !== undefined && { doubt: why }) }
}

const ofNested = 'The list has lists inside.'
/** The largest gap between two items, in heights of a line. */
const blankLines = 2.6
const footerLines = 3

function ofPlainLines(items: readonly Span[], { hasColon }: LabelHit): Parts | undefined {
  const boxed = items.map(({ text }) => optionsIn(text))
  if (boxed.every(({ options }) => options.length === 1))
    return {
      spans: items.flatMap((item, at) => (boxed[at]?.options[0]?.isTicked ? (dividedText([item])?.spans ?? []) : [])),
    }
  const isProse = items.some(isLongText)
  if (items.length === 1 && hasColon) return dividedText(items)
  if (isProse || (items.length === 1 && !hasColon)) return undefined
  return { spans: items, doubt: ofLines }
}

const cellBelow = (line: Line, x0: number, indent: number): Cell | undefined =>
  line.cells.find((cell) => cell.x0 > x0 - line.height / 2 && cell.x0 - x0 < Math.max(indent, 6 * line.height))

/** A cell with the one behind it where a bullet stands alone in its cell. */
function textFrom(cell: Cell, line: Line): Span {
  const next = line.cells[cell.index + 1]
  return cell.words.length === 1 && next ? spanOf([...cell.words, ...next.words], [cell, next]) : spanOfCell(cell)
}
