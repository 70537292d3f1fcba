import type { Canvas } from '../canvas.ts'
import { drawBox, drawRule, frameOf, lineHeight, type Place, type TextLook, textWidth, wrap, write } from '../ink.ts'

/** A column is as wide as its widest cell; growing columns share the remaining width. */
export interface Column {
  readonly title: string
  readonly align: 'left' | 'right' | 'center'
  readonly grows?: boolean
}

export interface Row {
  /** Each cell may have several paragraphs, separated by line feeds. */
  readonly cells: readonly string[]
  /** Text above or below the cells, as wide as the table. */
  readonly over?: string
  readonly under?: string
  /** A row of titles, a heading or a sum; omitted for an entry. */
  readonly tone?: 'titles' | 'heading' | 'sum' | 'total'
  /** The running sum including this row, for page breaks. */
  readonly carried?: string
}

export interface TableLook {
  readonly lines: 'none' | 'rules' | 'grid' | 'verticals' | 'dashes' | 'heavy' | 'zebra' | 'outline'
  readonly header: 'bare' | 'rule' | 'two-rules' | 'band' | 'tint' | 'none'
  readonly padding: number
  /** Paragraphs of a cell after the first are smaller. */
  readonly smallNotes: boolean
}

export interface Table extends Place {
  readonly columns: readonly Column[]
  readonly rows: readonly Row[]
  readonly look: TableLook
  /** The minimum width of a growing column in points; the type gets smaller to allow it. */
  readonly growingMin?: number
  /** The labels of the running sum at the end of a page and at the start of the next. */
  readonly carry?: readonly [end: string, start: string]
  /** Rows end above this y; then `newPage` starts a page and returns the y to continue at. */
  readonly bottom?: number
  readonly newPage: () => number
}

const GROWING_MIN = 110
const SIZE_MIN = 6

interface Grid {
  readonly widths: readonly number[]
  readonly size: number
}

/** Draws the table over as many pages as it needs, with its header on each, and returns the y below it. */
export function drawTable(canvas: Canvas, table: Table): number {
  const grid = fitGrid(canvas, table)
  const { look, columns, x, width } = table
  const bottom = table.bottom ?? frameOf(canvas).bottom - 32
  const last = columns.length - 1
  const words = Math.max(
    0,
    columns.findIndex(({ grows }) => grows),
  )
  const carryRow = (text: string, sum: string): Row => ({
    cells: columns.map((_, n) => (n === last ? sum : n === words ? text : '')),
    tone: 'sum',
  })
  let y = drawTitles(canvas, table, grid, table.y)
  let carried: string | undefined
  for (const [n, row] of table.rows.entries()) {
    // A heading is never alone at the end of a page.
    const needed = layRow(canvas, table, grid, row).height * (row.tone === 'heading' ? 3 : 1)
    if (y + needed > bottom) {
      const [end, start] = table.carry ?? []
      if (end !== undefined && carried !== undefined) drawRow(canvas, table, { ...grid, y }, carryRow(end, carried))
      y = drawTitles(canvas, table, grid, table.newPage())
      if (start !== undefined && carried !== undefined)
        y = drawRow(canvas, table, { ...grid, y }, carryRow(start, carried))
    }
    if (look.lines === 'zebra' && n % 2 === 1) drawBox(canvas, { x, y, width, height: needed, fill: '#f0f0f0' })
    y = drawRow(canvas, table, { ...grid, y }, row)
    carried = row.carried ?? carried
  }
  if (['heavy', 'verticals', 'outline', 'zebra'].includes(look.lines)) drawRule(canvas, { x, y, width })
  return y
}

function fitGrid(canvas: Canvas, { columns, rows, width, look, growingMin = GROWING_MIN }: Table): Grid {
  const growing = columns.filter(({ grows }) => grows).length
  for (let { size } = canvas.style; ; size *= 0.94) {
    const natural = columns.map(({ title, grows }, n) => {
      if (grows) return 0
      // Titles may wrap, so only their longest word counts.
      const titles = title.split(/[ \n]/).map((word) => textWidth(canvas, word, { size, face: 'bold' }))
      const lines = rows.flatMap(({ cells, tone }) => (tone === 'heading' ? [] : (cells[n] ?? '').split('\n')))
      return Math.max(...titles, ...lines.map((line) => textWidth(canvas, line, { size }))) + 2 * look.padding + 1
    })
    const spare = width - natural.reduce((sum, one) => sum + one, 0)
    if (spare < growingMin * growing && size > SIZE_MIN) continue
    if (growing === 0) return { size, widths: natural.map((one) => one + spare / columns.length) }
    // The fixed columns get a share of the remaining width, so that numbers keep a distance.
    const slack = Math.max(0, (spare * 0.35) / Math.max(1, columns.length - growing))
    const grown = (spare - slack * (columns.length - growing)) / growing
    return { size, widths: columns.map(({ grows }, n) => (grows ? grown : (natural[n] ?? 0) + slack)) }
  }
}

interface Cell {
  readonly lines: readonly { readonly text: string; readonly look: TextLook }[]
  readonly height: number
}

interface LaidRow {
  readonly over: Cell
  readonly cells: readonly Cell[]
  readonly under: Cell
  readonly height: number
}

function layRow(canvas: Canvas, { look, width }: Table, grid: Grid, row: Row): LaidRow {
  const { size, widths } = grid
  const face = row.tone === undefined ? 'regular' : row.tone === 'sum' ? 'italic' : 'bold'
  const isSmall = look.smallNotes && row.tone === undefined
  const lay = (text: string | undefined, room: number): Cell => {
    const lines = (text ?? '').split('\n').flatMap((paragraph, n) => {
      const small = isSmall && n > 0 ? { size: size * 0.85, colour: canvas.style.grey } : {}
      const set: TextLook = { size, face, gap: 1, width: room - 2 * look.padding, ...small }
      return wrap(canvas, paragraph, set).map((line) => ({ text: line, look: set }))
    })
    const height = lines.reduce((sum, line) => sum + lineHeight(canvas, line.look), 0)
    return text === undefined ? { lines: [], height: 0 } : { lines, height }
  }
  const over = lay(row.over, width)
  const under = lay(row.under, width)
  const cells =
    row.tone === 'heading' ? [lay(row.cells.join(' '), width)] : row.cells.map((text, n) => lay(text, widths[n] ?? 0))
  const height = over.height + under.height + Math.max(...cells.map((cell) => cell.height)) + 2 * look.padding
  return { over, cells, under, height }
}

type At = Grid & { readonly y: number; readonly colour?: string }

function drawRow(canvas: Canvas, table: Table, at: At, row: Row): number {
  const { look, columns } = table
  const { over, cells, under, height } = layRow(canvas, table, at, row)
  const draw = (cell: Cell, x: number, top: number, align: Column['align']) => {
    let y = top
    const colour = at.colour === undefined ? {} : { colour: at.colour }
    for (const line of cell.lines) y = write(canvas, line.text, { ...colour, ...line.look, x, y, align })
    return y
  }
  let x = table.x + look.padding
  const top = draw(over, x, at.y + look.padding, 'left')
  const ends = cells.map((cell, n) => {
    const end = draw(cell, x, top, row.tone === 'heading' ? 'left' : (columns[n]?.align ?? 'left'))
    x += at.widths[n] ?? 0
    return end
  })
  draw(under, table.x + look.padding, Math.max(...ends), 'left')
  if (row.tone === 'total') drawRule(canvas, { x: table.x, y: at.y, width: table.width, colour: canvas.style.ink })
  if (row.tone !== 'titles' || look.lines === 'grid')
    drawLines(canvas, table, { widths: row.tone === 'heading' ? [table.width] : at.widths, y: at.y, height })
  return at.y + height
}

function drawLines(
  canvas: Canvas,
  { x, width, look: { lines } }: Table,
  at: { widths: readonly number[]; y: number; height: number },
): void {
  const y = at.y + at.height
  if (lines === 'rules') drawRule(canvas, { x, y, width, thickness: 0.4, colour: '#aaaaaa' })
  if (lines === 'dashes') drawRule(canvas, { x, y, width, thickness: 0.5, dash: true })
  if (lines === 'grid') drawBox(canvas, { x, y: at.y, width, height: at.height, stroke: canvas.style.grey })
  const edges = [x, x + width]
  if (lines === 'grid' || lines === 'verticals')
    for (const span of at.widths.slice(0, -1)) edges.splice(-1, 0, (edges.at(-2) ?? x) + span)
  if (lines === 'outline' || lines === 'grid' || lines === 'verticals')
    for (const edge of edges) canvas.doc.lineWidth(0.6).moveTo(edge, at.y).lineTo(edge, y).stroke(canvas.style.grey)
}

function drawTitles(canvas: Canvas, table: Table, grid: Grid, y: number): number {
  const { x, width, look, columns } = table
  const { accent, ink } = canvas.style
  if (look.header === 'none') return y
  const row: Row = { cells: columns.map(({ title }) => title), tone: 'titles' }
  const { height } = layRow(canvas, table, grid, row)
  if (look.header === 'band') drawBox(canvas, { x, y, width, height, fill: accent })
  if (look.header === 'tint') drawBox(canvas, { x, y, width, height, fill: '#e7e7e4' })
  drawRow(canvas, table, { ...grid, y, colour: look.header === 'band' ? '#ffffff' : ink }, row)
  if (look.header === 'two-rules') drawRule(canvas, { x, y, width, thickness: 1, colour: ink })
  if (look.header === 'rule' || look.header === 'two-rules' || look.lines === 'rules' || look.lines === 'outline')
    drawRule(canvas, { x, y: y + height, width, thickness: 1, colour: ink })
  return y + height
}
