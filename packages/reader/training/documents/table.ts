import { drawBox, drawRule, lineHeight, type TextLook, textWidth, wrap, write } from './ink.ts'
import type { Press } from './press.ts'

/** A column of a table. It is as wide as its widest cell; those that grow share the room that is left. */
export interface Column {
  readonly title: string
  readonly align: 'left' | 'right' | 'center'
  readonly grows?: boolean
}

export interface TableLook {
  readonly lines: 'grid' | 'rules' | 'zebra' | 'outline' | 'columns' | 'none'
  readonly header: 'band' | 'bold' | 'underlined' | 'tinted'
  readonly padding: number
  readonly size?: number
}

/** Cells of one row; a cell may have several paragraphs, split by line feeds, of which those after the first are small. */
export type TableRow = readonly string[]

export interface Table {
  readonly columns: readonly Column[]
  readonly rows: readonly TableRow[]
  readonly x: number
  readonly y: number
  readonly width: number
  readonly look: TableLook
  /** Rows end above this y; then `newPage` starts a page and says where the table goes on. */
  readonly bottom: number
  readonly newPage: () => number
  /** Called before a page is left, with the count of rows that stand so far and the y below them. */
  readonly leavePage?: (rowsDone: number, y: number) => void
}

interface Cell {
  readonly lines: readonly { readonly text: string; readonly look: TextLook }[]
  readonly height: number
}

/** Draws the table over as many pages as it needs, with its header on each, and returns the y below it. */
export function drawTable(press: Press, table: Table): number {
  const { look } = table
  const widths = columnWidths(press, table)
  const header = table.columns.map((column, n) =>
    layCell(press, column.title, { face: 'bold', width: (widths[n] ?? 0) - 2 * look.padding, ...sizeOf(look) }),
  )
  const rows = table.rows.map((row) =>
    row.map((text, n) => layCell(press, text, { width: (widths[n] ?? 0) - 2 * look.padding, ...sizeOf(look) })),
  )
  let y = drawHeader(press, table, { cells: header, widths, y: table.y })
  for (const [n, cells] of rows.entries()) {
    const height = rowHeight(cells, look)
    if (y + height > table.bottom) {
      table.leavePage?.(n, y)
      y = drawHeader(press, table, { cells: header, widths, y: table.newPage() })
    }
    if (look.lines === 'zebra' && n % 2 === 1)
      drawBox(press, { x: table.x, y, width: table.width, height, fill: '#f0f0f0' })
    drawRow(press, table, { cells, widths, y, colour: press.style.ink })
    drawLines(press, table, { widths, y, height })
    y += height
  }
  if (look.lines === 'outline' || look.lines === 'columns' || look.lines === 'zebra')
    drawRule(press, { x: table.x, y, width: table.width })
  return y
}

/** Widths in points. Titles may wrap, so only their longest word counts. */
function columnWidths(press: Press, table: Table): number[] {
  const { look } = table
  const natural = table.columns.map((column, n) => {
    if (column.grows) return 0
    const titleWidths = column.title.split(' ').map((word) => textWidth(press, word, { face: 'bold', ...sizeOf(look) }))
    const cellWidths = table.rows.map((row) => textWidth(press, row[n] ?? '', sizeOf(look)))
    return Math.max(...titleWidths, ...cellWidths) + 2 * look.padding + 1
  })
  const spare = table.width - natural.reduce((sum, width) => sum + width, 0)
  const growing = table.columns.filter((column) => column.grows).length
  // The fixed columns get a share of what is left, so that figures do not cling together.
  const slack = Math.max(0, (spare * 0.35) / (table.columns.length - growing))
  const grown = (spare - slack * (table.columns.length - growing)) / growing
  return table.columns.map((column, n) => (column.grows ? grown : (natural[n] ?? 0) + slack))
}

const sizeOf = (look: TableLook) => (look.size === undefined ? {} : { size: look.size })

function layCell(press: Press, text: string, look: TextLook): Cell {
  const small = { ...look, size: (look.size ?? press.style.size) * 0.85, colour: press.style.grey }
  const lines = text
    .split('\n')
    .flatMap((paragraph, n) =>
      wrap(press, paragraph, n === 0 ? look : small).map((line) => ({ text: line, look: n === 0 ? look : small })),
    )
  return { lines, height: lines.reduce((sum, line) => sum + lineHeight(press, { ...line.look, gap: 1 }), 0) }
}

const rowHeight = (cells: readonly Cell[], look: TableLook) =>
  Math.max(...cells.map((cell) => cell.height)) + 2 * look.padding

interface RowPlace {
  readonly cells: readonly Cell[]
  readonly widths: readonly number[]
  readonly y: number
  readonly colour?: string
}

function drawHeader(press: Press, table: Table, { cells, widths, y }: RowPlace): number {
  const { look, x, width } = table
  const height = rowHeight(cells, look)
  const { accent, ink } = press.style
  if (look.header === 'band') drawBox(press, { x, y, width, height, fill: accent })
  if (look.header === 'tinted') drawBox(press, { x, y, width, height, fill: '#e4e4e4' })
  drawRow(press, table, { cells, widths, y, colour: look.header === 'band' ? '#ffffff' : ink })
  if (look.lines === 'grid') drawLines(press, table, { widths, y, height })
  if (look.header === 'underlined' || look.lines === 'rules' || look.lines === 'outline')
    drawRule(press, { x, y: y + height, width, thickness: 1, colour: ink })
  return y + height
}

function drawRow(press: Press, table: Table, { cells, widths, y, colour }: RowPlace): void {
  let x = table.x
  for (const [n, cell] of cells.entries()) {
    let lineY = y + table.look.padding
    for (const line of cell.lines) {
      const align = table.columns[n]?.align ?? 'left'
      const place = { x: x + table.look.padding, y: lineY, align, gap: 1 }
      lineY = write(press, line.text, { ...(colour === undefined ? {} : { colour }), ...line.look, ...place })
    }
    x += widths[n] ?? 0
  }
}

function drawLines(press: Press, table: Table, at: { widths: readonly number[]; y: number; height: number }): void {
  const { doc, style } = press
  const { lines } = table.look
  if (lines === 'rules')
    drawRule(press, { x: table.x, y: at.y + at.height, width: table.width, thickness: 0.4, colour: '#aaaaaa' })
  if (lines === 'outline') drawSides(press, [table.x, table.x + table.width], at)
  if (lines !== 'grid' && lines !== 'columns') return
  const edges = [table.x]
  for (const width of at.widths) edges.push((edges.at(-1) ?? 0) + width)
  drawSides(press, edges, at)
  if (lines === 'grid') doc.lineWidth(0.6).rect(table.x, at.y, table.width, at.height).stroke(style.grey)
}

function drawSides(press: Press, xs: readonly number[], at: { y: number; height: number }): void {
  for (const x of xs)
    press.doc
      .lineWidth(0.6)
      .moveTo(x, at.y)
      .lineTo(x, at.y + at.height)
      .stroke(press.style.grey)
}
