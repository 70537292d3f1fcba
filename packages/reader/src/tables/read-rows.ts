import { completeText, isCutOff, textBehind } from '../checks/name-checks.ts'
import type { Finding } from '../extract/assemble.ts'
import type { PageLayout } from '../layout/layout.ts'
import { type Field, ocrConfidenceOf, type Sheet, wordConfidence } from '../layout/sheet.ts'
import type { Span } from '../layout/spans.ts'
import { findField, type ListField } from '../schema/fields.ts'
import { onSide, sideOfTable } from '../statements/ledger-sides.ts'
import { prove } from '../values/verify.ts'
import { otherEnd, readRange } from './cells/ranges.ts'
import { sheetsOfColumns } from './column-sheets.ts'
import { sideOf } from './columns/heading-weights.ts'
import type { ColumnMap } from './columns/map-columns.ts'
import { isHeadedBy, isNamedColumn } from './columns/misfits.ts'
import { readCell } from './read-cell.ts'
import { partRowText, type TextRoom, textRoom } from './row-text.ts'
import type { Row, Table } from './table.ts'

const rooms = new WeakMap<Table, Map<number, TextRoom>>()

/** The width available to a text column, cached per table. */
function roomOf(table: Table, at: number): TextRoom {
  const known = rooms.get(table) ?? new Map<number, TextRoom>()
  rooms.set(table, known)
  const room = known.get(at) ?? textRoom(table, at)
  known.set(at, room)
  return room
}

const columnSheets = new WeakMap<Table, readonly Sheet[]>()

/** The sheet with the number style of a column: `0.215` shows how `11.611` above it is meant. */
function sheetOfColumn(sheet: Sheet, table: Table, at: number): Sheet {
  const known = columnSheets.get(table) ?? sheetsOf(table, sheet)
  columnSheets.set(table, known)
  return known[at] ?? sheet
}

function sheetsOf({ columns, rows, page }: Table, sheet: Sheet): Sheet[] {
  const texts = columns.map((_, at) => rows.flatMap(({ cells }) => cells[at]?.text ?? []))
  return sheetsOfColumns(sheet, texts, { isTabular: page.page.isTabular === true })
}

/** The data needed to read a row. */
export interface RowContext {
  readonly list: ListField
  readonly sheet: Sheet
  readonly table: Table
  readonly map: ColumnMap
  readonly inputs: readonly string[]
}

/** Parses a text as a field and verifies it. */
export function readFinding(
  field: Field,
  span: Span,
  { sheet, page, inputs }: { sheet: Sheet; page: PageLayout | undefined; inputs: readonly string[] },
): Finding | null {
  const read = readCell(field, span, sheet)
  if (read === null || page === undefined) return null
  const confidence = (0.55 + 0.4 * read.fit) * (0.6 + 0.4 * wordConfidence(read.words))
  const claim = { plan: field.plan, value: read.value, words: read.words, page, confidence }
  const evidence = prove(claim, inputs[page.document] ?? '', sheet.conventions)
  return evidence === null ? null : { value: read.value, evidence, ...ocrConfidenceOf(read.words, page) }
}

/** The movement of a row in a table with separate columns for debits and credits. */
function readMovement(row: Row, context: RowContext): readonly [string, Finding] | null {
  const { sheet, list, table, map, inputs } = context
  const field = findField(list.columns, 'movement')
  if (field === undefined || [...map.values()].includes(field)) return null
  for (const [at, column] of table.columns.entries()) {
    const span = row.cells[at]
    const side = sideOf(column.heading)
    if (span === null || span === undefined || side === undefined || map.has(at)) continue
    const own = sheetOfColumn(sheet, table, at)
    const finding = readFinding(field, span, { sheet: own, page: row.lines[0]?.page, inputs })
    if (finding === null || typeof finding.value !== 'number') continue
    const value = side === 'c:debit' ? -Math.abs(finding.value) : Math.abs(finding.value)
    return [field.pointer, { ...finding, value, evidence: { ...finding.evidence, status: 'normalised' } }]
  }
  return null
}

/** The values of a row by the JSON Pointers of their fields. */
export function readRow(row: Row, context: RowContext): Map<string, Finding> {
  const found = new Map<string, Finding>()
  const movement = readMovement(row, context)
  if (movement !== null) found.set(...movement)
  const { sheet, map, inputs } = context
  const side = sideOfTable(context.table, sheet)
  const dayField = findField(context.list.columns, 'transaction_date')
  if (row.day !== undefined && dayField !== undefined) {
    const day = readFinding(dayField, row.day, { sheet, page: row.lines[0]?.page, inputs })
    if (day !== null) found.set(dayField.pointer, day)
  }
  for (const [at, field] of map) {
    const span = row.cells[at]
    if (span === null || span === undefined) continue
    const page = row.lines[0]?.page ?? context.table.page
    const isName = field.plan.meaning.concept?.id === 'description'
    const text = isName ? partRowText(row, span, { sheet, room: roomOf(context.table, at) }) : null
    const given = text?.name ?? span
    const whole = isName && isCutOff(row, given) ? completeText(row, given) : given
    const finding = readFinding(field, whole, { sheet: sheetOfColumn(sheet, context.table, at), page, inputs })
    const isCut = isName && (isCutOff(row, whole) || /^[&+] ?\p{Lu}/u.test(textBehind(whole.words, page)))
    const isSided = side !== null && field.plan.meaning.concept?.id === 'movement'
    if (finding !== null) {
      const sided = isSided ? onSide(finding, side) : finding
      const isCell = isNamedColumn(context.table, at, field)
      found.set(field.pointer, {
        ...sided,
        ...(isHeadedBy(context.table, at, field) && { isNamed: true }),
        ...(!isSided && isCell && { isCell }),
        ...(!isSided && !isCell && isCut && { isCutOff: true }),
      })
    }
    const other = otherEnd(context.list.columns, field)
    if (other && ![...map.values()].includes(other) && readRange(other.plan, span.text, sheet.conventions)) {
      const end = readFinding(other, span, { sheet: sheetOfColumn(sheet, context.table, at), page, inputs })
      if (end !== null) found.set(other.pointer, end)
    }
    const codeField = findField(context.list.columns, 'item_code')
    if (text?.code == null || codeField === undefined || [...map.values()].includes(codeField)) continue
    const code = readFinding(codeField, text.code, { sheet, page, inputs })
    if (code !== null) found.set(codeField.pointer, code)
  }
  return found
}
