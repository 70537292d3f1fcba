import type { Field, Sheet } from '../../layout/sheet.ts'
import type { Span } from '../../layout/spans.ts'
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
  return counted.flatMap(({ row, read }, at) => (read > 0 && (at <= last || goesOn(row)) ? [row] : []))
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
