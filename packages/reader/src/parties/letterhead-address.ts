import { isLabelCell } from '../labels/labels.ts'
import type { Cell } from '../layout/layout.ts'
import { inTable, type Sheet } from '../layout/sheet.ts'
import { spanFrom, spanOfCells, spanUntil } from '../layout/spans.ts'
import { phraseOf, squeeze, trimMarks } from '../layout/text.ts'
import { addressScore, hasPostcode, isBarePostcode, isTitle } from '../values/addresses.ts'
import { findDates } from '../values/dates.ts'
import { findPhones } from '../values/identifiers.ts'
import { type BlockLine, blockLineOf, columnBelow, endsBlock, isContactLine } from './blocks.ts'

/** The address below a name, on the sender's line of a letter, or below the same name elsewhere on the page. */
export function addressOf(below: readonly BlockLine[], name: string, sheet: Sheet, heading: Cell): BlockLine[] {
  const [first] = below
  const sender = first === undefined ? null : senderLine(first, name)
  if (sender !== null) return [sender]
  const parted = partedLine(sheet, heading)
  if (parted !== null) return [parted]
  const run = addressRun(below)
  if (run.length > 0) return run
  const wanted = phraseOf(name)
  for (const line of heading.line.page.lines) {
    for (const cell of line.cells) {
      const parted = phraseOf(cell.text) === wanted ? partedLine(sheet, cell) : null
      if (parted !== null) return [parted]
      if (cell === heading || inTable(sheet, cell)) continue
      const elsewhere = senderLine(blockLineOf(cell), name)
      if (elsewhere !== null) return [elsewhere]
      if (phraseOf(cell.text) !== wanted) continue
      const found = addressRun(
        columnBelow(sheet, cell, (other) => endsBlock(sheet, other)).map((other) => blockLineOf(other)),
      )
      if (found.length > 0) return found
    }
  }
  return []
}

/** The address after the name on a line that starts with it. */
function senderLine(line: BlockLine, name: string): BlockLine | null {
  if (name.length < 3 || !line.text.startsWith(name) || line.text.length < name.length + 8) return null
  const text = squeeze(trimMarks(line.text.slice(name.length).replace(/^[\s,.·•|–—-]+/u, '')))
  if (addressScore(text) < 0.5) return null
  const at = line.span.text.indexOf(text)
  return at < 0 ? null : { ...line, text, span: spanFrom(line.span, at) }
}

/** The maximum gap between parts of a sender's line, in text heights. */
const partGapHeights = 3

/** The address to the right of the name on a widely spaced sender's line: `Name   Street 1   12345 Town`. */
function partedLine(sheet: Sheet, cell: Cell): BlockLine | null {
  const others = cell.line.cells.slice(cell.index + 1)
  const end = others.findIndex(
    (other, index) =>
      other.x0 - (others[index - 1] ?? cell).x1 > partGapHeights * cell.line.height || isLabelCell(sheet.labels, other),
  )
  const cells = others.slice(0, end < 0 ? others.length : end)
  if (cell.index > 0 || cells.length === 0) return null
  const span = spanOfCells(cells)
  const text = squeeze(trimMarks(span.text))
  return hasPostcode(text) && addressScore(text) >= 0.6 && findPhones(text).length === 0 ? { span, text, cell } : null
}

/** The lines of an address among the lines below a name. */
function addressRun(lines: readonly BlockLine[]): BlockLine[] {
  const start = lines.findIndex(
    (line) => addressScore(line.text) >= 0.35 && !isContactLine(line.text) && findDates(line.text).length === 0,
  )
  if (start < 0 || start > 5) return []
  const run: BlockLine[] = []
  let closed = false
  for (const line of lines.slice(start)) {
    if (isContactLine(line.text) || isTitle(line.text) || findDates(line.text).length > 0) {
      closed = true
      break
    }
    run.push(line)
  }
  const last = run.findLastIndex((line) => addressScore(line.text) >= 0.3 || isBarePostcode(line.text))
  const tail = run.slice(last + 1)
  const isPlace = ({ text }: BlockLine): boolean =>
    isBarePostcode(text) ||
    (/^[\p{L}\d\s.,'()-]{3,40}$/u.test(text) && (text.match(/\p{L}/gu)?.length ?? 0) > text.length * 0.55)
  const isComma = run[last]?.text.endsWith(',') === true
  // Place names at the end belong to the address when something else closes it directly after them.
  const tailMax = closed || isComma ? 2 : 1
  const kept = tail.length <= tailMax && tail.every(isPlace) ? run : run.slice(0, last + 1)
  return kept.map(withoutPhone)
}

/** An address line without the phone number after it. */
function withoutPhone(line: BlockLine): BlockLine {
  const phone = findPhones(line.text).at(-1)
  if (phone === undefined || phone.end < line.text.length - 1 || phone.start < 8) return line
  const text = squeeze(trimMarks(line.text.slice(0, phone.start)))
  const at = line.span.text.indexOf(text)
  return at < 0 ? line : { ...line, text, span: spanUntil(line.span, at + text.length) }
}
