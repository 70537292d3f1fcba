import type { Line, PageLayout } from '../layout/layout.ts'
import { type Candidate, type Field, inTable, type Sheet, wordConfidence } from '../layout/sheet.ts'
import { type Span, spanOfCells } from '../layout/spans.ts'
import { isContactLine } from '../parties/blocks.ts'
import { findField } from '../schema/fields.ts'
import { addressScore, hasPostcode, isTitle } from '../values/addresses.ts'
import { findDates } from '../values/dates.ts'
import { readReceipt } from './receipt-items.ts'

/** The maximum number of lines of an address. */
const linesMax = 4
/** The minimum scores of lines that start and that continue an address. */
const openMin = 0.35
const goOnMin = 0.3
/** Above this score, a line has a street, a house number or a town by more than chance. */
const sureMin = 0.5
const footerScore = 0.88

const isFree = (sheet: Sheet, line: Line, text: string): boolean =>
  !line.cells.some((cell) => inTable(sheet, cell)) &&
  !sheet.sumLines.has(line) &&
  !isContactLine(text) &&
  !isTitle(text) &&
  findDates(text).length === 0

/** The lines of an address that start at a line; empty when none has a postcode with a town. */
function addressAt(sheet: Sheet, lines: readonly Line[], at: number): Span[] {
  const run: Span[] = []
  for (const line of lines.slice(at, at + linesMax)) {
    const span = spanOfCells(line.cells)
    if (!isFree(sheet, line, span.text)) break
    run.push(span)
  }
  const last = run.findLastIndex(
    ({ text }) => addressScore(text) >= goOnMin || hasPostcode(text) || /^\d{4,6}(?:-\d{3})?$/.test(text),
  )
  const kept = run.slice(0, last + 1)
  const whole = kept.map(({ text }) => text).join(' ')
  const isAddress = hasPostcode(whole) && kept.some(({ text }) => addressScore(text) >= sureMin)
  return isAddress && addressScore(kept[0]?.text ?? '') >= openMin ? kept : []
}

/** The shop's address in the footer of a receipt, below items and sums, when there is none above them. */
export function footerAddressCandidates(sheet: Sheet, fields: readonly Field[]): Candidate[] {
  const field = findField(fields, 'vendor_address')
  const [page] = sheet.pages
  const receipt = readReceipt(sheet)
  if (field === undefined || page === undefined || receipt.items.length === 0) return []
  const indices = receipt.items.flatMap((item) => item.lines.map((line) => line.index))
  const top = page.lines.slice(0, Math.min(...indices))
  if (top.some((line) => hasPostcode(spanOfCells(line.cells).text))) return []
  const foot = page.lines.slice(Math.max(...indices) + 1)
  for (const at of foot.keys()) {
    const address = addressAt(sheet, foot, at)
    if (address.length > 0) return candidateOf(field, address, page)
  }
  return []
}

function candidateOf(field: Field, address: readonly Span[], page: PageLayout): Candidate[] {
  const value = address.map(({ text }) => text).join(' ')
  const words = address.flatMap((span) => span.words)
  const reading = { start: 0, end: value.length, value, printed: value, fit: 0.9 }
  const score = footerScore * (0.6 + 0.4 * wordConfidence(words))
  return [{ field, reading, words, page, label: [], relation: 'unlabelled', score }]
}
