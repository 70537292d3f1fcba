import { pointerSteps } from '@skillrun/core/json.ts'
import type { Finding } from '../extract/assemble.ts'
import type { Cell, Line, PageLayout } from '../layout/layout.ts'
import type { Field, Sheet } from '../layout/sheet.ts'
import { spanOfCell } from '../layout/spans.ts'
import { namePhrase, phraseOf } from '../layout/text.ts'
import type { ListField } from '../schema/fields.ts'
import { sheetsOfColumns } from '../tables/column-sheets.ts'
import { readFinding } from '../tables/read-rows.ts'
import { withoutSums } from '../tables/row-sums.ts'
import { asksForSheet, nameOfSheet } from '../tables/sheet-names.ts'

type Row = Map<string, Finding>

/** A row of headings that match the names of a list's fields exactly. */
interface NamedHeader {
  readonly page: PageLayout
  readonly line: Line
  /** The heading of each field. */
  readonly headings: ReadonlyMap<Field, Cell>
}

/**
 * The rows of a list whose fields are all headings of one row, name for name, in CSV files and spreadsheets. Null when
 * no page has such a row. Of several sheets, uses those whose title names the list, if any.
 */
export function rowsOfNamedColumns(list: ListField, sheet: Sheet, inputs: readonly string[]): Row[] | null {
  if (list.columns.length === 0) return null
  const found = sheet.pages.flatMap((page) => headerOn(page, list) ?? [])
  if (found.length === 0) return null
  const name = namePhrase(pointerSteps(list.pointer).at(-1) ?? '')
  const titled = found.filter(({ page, line }) =>
    page.lines.slice(0, line.index).some(({ cells }) => cells.length === 1 && phraseOf(cells[0]?.text ?? '') === name),
  )
  const headers = titled.length > 0 ? titled : found
  return withoutSums(
    headers.flatMap((header) => rowsBelow(header, sheet, inputs)),
    list,
  )
}

function headerOn(page: PageLayout, list: ListField): NamedHeader | undefined {
  if (!page.page.isTabular) return undefined
  for (const line of page.lines) {
    const headings = new Map<Field, Cell>()
    for (const field of list.columns) {
      const name = namePhrase(pointerSteps(field.pointer).join(' '))
      const cell = line.cells.find(({ text }) => phraseOf(text) === name)
      if (cell) headings.set(field, cell)
    }
    const wanted = list.columns.filter(
      (field) => headings.has(field) || !nameOfSheet(page) || !asksForSheet(pointerSteps(field.pointer).at(-1) ?? ''),
    )
    // A single heading may just as well be the label of a value.
    const isWhole = headings.size === wanted.length && new Set(headings.values()).size === headings.size
    if (isWhole && (headings.size > 1 || line.cells.length > 1)) return { page, line, headings }
  }
  return undefined
}

/**
 * The cells under each heading. A value starts at the left edge of its heading. Behind a blank line the rows go on where the headings are
 * repeated, or where a line has all that every row above has.
 */
function cellsBelow({ page, line: header, headings }: NamedHeader): Map<Field, Cell>[] {
  const rows: Map<Field, Cell>[] = []
  let above = header
  for (const line of page.lines.slice(header.index + 1)) {
    const row = new Map<Field, Cell>()
    for (const [field, { x0 }] of headings) {
      const cell = line.cells.find((one) => Math.abs(one.x0 - x0) < line.height / 4)
      if (cell) row.set(field, cell)
    }
    const isRepeated = [...headings].every(([field, { text }]) => row.get(field)?.text === text)
    if (line.y0 - above.y1 > above.height / 2 && !isRepeated && !isAsFull(row, rows)) break
    if (!isRepeated) rows.push(row)
    above = line
  }
  return rows
}

function isAsFull(row: ReadonlyMap<Field, Cell>, rows: readonly ReadonlyMap<Field, Cell>[]): boolean {
  const always = [...(rows[0]?.keys() ?? [])].filter((field) => rows.every((one) => one.has(field)))
  return always.length > 1 && always.every((field) => row.has(field))
}

function rowsBelow(header: NamedHeader, sheet: Sheet, inputs: readonly string[]): Row[] {
  const { page } = header
  const cells = cellsBelow(header)
  const fields = [...header.headings.keys()]
  const columns = fields.map((field) => cells.flatMap((row) => row.get(field)?.text ?? []))
  const own = sheetsOfColumns(sheet, columns, { isTabular: true })
  const sheets = new Map(fields.map((field, at) => [field, own[at]]))
  return cells.flatMap((cellsOfRow) => {
    const row: Row = new Map()
    for (const [field, cell] of cellsOfRow) {
      const finding = readFinding(field, spanOfCell(cell), { sheet: sheets.get(field) ?? sheet, page, inputs })
      if (finding) row.set(field.pointer, { ...finding, isCell: true })
    }
    return row.size > 0 ? [row] : []
  })
}
