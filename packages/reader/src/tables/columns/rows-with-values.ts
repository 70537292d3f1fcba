import type { Field, Sheet } from '../../layout/sheet.ts'
import { type Span, spanOf } from '../../layout/spans.ts'
import { readCell } from '../read-cell.ts'
import type { Row } from '../table.ts'
import type { ColumnMap } from './map-columns.ts'

/**
 * The rows of a table that have values of a list's fields. One has numbers or dates where the others have them; behind the last full one,
 * what has fewer is a sum or the text below the table, unless the first of these columns goes on.
 */
export function rowsWithValues(all: readonly Row[], map: ColumnMap, sheet: Sheet): Row[] {
  const typed = [...map].filter(([at, field]) => isNumberOrDate(field) && mostlyRead(all, { at, field, sheet }))
  if (typed.length === 0)
    return all.filter(({ cells }) => [...map.keys()].filter((at) => cells[at]).length >= map.size / 2)
  const [lead] = typed.toSorted(([one], [other]) => one - other)
  const leads = lead && lead[0] === Math.min(...map.keys()) ? lead : undefined
  const counted = all.map((row) => ({ row, read: readIn(row, typed, sheet) }))
  const most = counted.reduce((top, { read }) => Math.max(top, read), 0)
  const last = counted.findLastIndex(({ read }) => read >= most / 2 && read > 0)
  const goesOn = ({ cells }: Row): boolean => {
    const span = leads && cells[leads[0]]
    return Boolean(span && isRead(leads[1], span, sheet))
  }
  const rows: Row[] = []
  let above: Row | undefined
  for (const [at, { row, read }] of counted.entries()) {
    const isRow = read > 0 && (at <= last || goesOn(row))
    const whole: Row | undefined = isRow ? row : above && joined(above, row, map)
    if (whole) rows.splice(isRow ? rows.length : -1, 1, whole)
    above = whole
  }
  return rows
}

/** A continuation is at most this many heights of its text below the line before it. */
const belowHeightsMax = 2

/** A row together with the next, if that goes on with it: directly below, with texts alone, under texts, behind the first column. */
function joined(above: Row, next: Row, map: ColumnMap): Row | undefined {
  const [last, line] = [above.lines.at(-1), next.lines[0]]
  if (!last || !line || last.page !== line.page || line.y0 - last.y0 > line.height * belowHeightsMax) return undefined
  const filled = next.cells.flatMap((cell, at) => (cell ? [at] : []))
  const first = Math.min(...map.keys())
  const isText = (at: number): boolean => /^(?:text|name|address)$/.test(map.get(at)?.plan.meaning.kind ?? '')
  if (filled.length === 0 || !filled.every((at) => at > first && above.cells[at] && isText(at))) return undefined
  const cells = above.cells.map((cell, at) => {
    const more = next.cells[at]
    return cell && more ? spanOf([...cell.words, ...more.words], []) : cell
  })
  return { ...above, cells, lines: [...above.lines, ...next.lines] }
}

export const isNumberOrDate = ({ plan }: Field): boolean =>
  /^(?:money|number|integer|percent|date|datetime|time|boolean)$/.test(plan.meaning.kind)

/** Rows that show whether the values of a column can be read. */
const sampledRows = 10

/** Whether most of the first cells of a column are values of its field: hours may be a number in one document and a period in another. */
function mostlyRead(rows: readonly Row[], { at, field, sheet }: { at: number; field: Field; sheet: Sheet }): boolean {
  const spans = rows.slice(0, sampledRows).flatMap((row) => row.cells[at] ?? [])
  return spans.filter((span) => isRead(field, span, sheet)).length > spans.length / 2
}

/** A value is most of its cell. */
function isRead(field: Field, span: Span, sheet: Sheet): boolean {
  const read = readCell(field, span, sheet)
  return read !== null && read.words.length >= span.words.length / 2
}

/** The number of columns of a row with a value; none if more have words instead. */
function readIn({ cells }: Row, typed: readonly (readonly [number, Field])[], sheet: Sheet): number {
  let [read, misfits] = [0, 0]
  for (const [at, field] of typed) {
    const span = cells[at]
    if (!span) continue
    if (isRead(field, span, sheet)) read++
    else if (/\p{L}{2}/u.test(span.text)) misfits++
  }
  return read >= misfits ? read : 0
}
