import { drawBox, drawRule, lineHeight, type TextLook, textWidth, wrap, write } from '../ink.ts'
import type { Press } from '../press.ts'
import { frameOf } from './layout.ts'

/** A column: as wide as its widest cell, but for the one that grows. A title may have several lines. */
export interface WideColumn {
  readonly title: string
  readonly align: 'left' | 'right' | 'center'
  readonly grows?: boolean
}

/** A row with its figures; lines of text may stand over or under them, over the whole width. */
export interface WideRow {
  readonly cells: readonly string[]
  readonly over?: string
  readonly under?: string
  /** A heading, or a sum, instead of an entry. */
  readonly tone?: 'heading' | 'sum' | 'total' | 'quiet'
  /** What has been summed up to and with this row, for the lines at the break of a page. */
  readonly carried?: string
}

export interface WideLook {
  readonly lines: 'none' | 'rules' | 'grid' | 'verticals' | 'dashes' | 'heavy'
  readonly header: 'bare' | 'rule' | 'two-rules' | 'fill' | 'tint' | 'none'
  readonly padding: number
}

export interface WideTable {
  readonly columns: readonly WideColumn[]
  readonly rows: readonly WideRow[]
  readonly x: number
  readonly y: number
  readonly width: number
  readonly look: WideLook
  /** Words at the break of a page, with the sum: at its end, and at the start of the next. */
  readonly carry?: readonly [end: string, start: string]
  /** Called on each new page; says where the table goes on. */
  readonly newPage: () => number
  /** Points under the table on its last page. */
  readonly room: number
}

interface Grid {
  readonly widths: readonly number[]
  readonly size: number
}

/** Points that the growing column has at least; smaller print makes room for it. */
const GROWING_MIN = 110
const SIZE_MIN = 6

export function drawWideTable(press: Press, table: WideTable): number {
  const grid = fitGrid(press, table)
  const bottom = frameOf(press).bottom - 34
  let y = drawTitles(press, table, grid, table.y)
  let carried: string | undefined
  for (const [n, row] of table.rows.entries()) {
    const keepsNext = row.tone === 'heading' && n < table.rows.length - 1
    const height = heightOf(press, table, grid, row) * (keepsNext ? 3 : 1)
    if (y + height > bottom) {
      if (table.carry !== undefined && carried !== undefined)
        drawCarry(press, table, { ...grid, y }, [table.carry[0], carried])
      y = drawTitles(press, table, grid, table.newPage())
      if (table.carry !== undefined && carried !== undefined)
        y = drawCarry(press, table, { ...grid, y }, [table.carry[1], carried])
    }
    y = drawWideRow(press, table, { ...grid, y }, row)
    carried = row.carried ?? carried
  }
  if (table.look.lines === 'heavy' || table.look.lines === 'verticals')
    drawRule(press, { x: table.x, y, width: table.width, thickness: 1, colour: press.style.ink })
  return y + table.room > frameOf(press).bottom ? table.newPage() : y
}

function fitGrid(press: Press, table: WideTable): Grid {
  for (let { size } = press.style; ; size *= 0.94) {
    const natural = table.columns.map((column, n) => {
      const titles = column.title.split(/[ \n]/).map((word) => textWidth(press, word, { size, face: 'bold' }))
      const cells = table.rows
        .filter(({ tone }) => tone !== 'heading')
        .flatMap(({ cells }) => (cells[n] ?? '').split('\n'))
      return Math.max(...titles, ...cells.map((cell) => textWidth(press, cell, { size }))) + 2 * table.look.padding + 2
    })
    const fixed = natural.reduce((sum, width, n) => sum + (table.columns[n]?.grows ? 0 : width), 0)
    const spare = table.width - fixed
    const growing = table.columns.filter(({ grows }) => grows).length
    if (spare < GROWING_MIN * growing && size > SIZE_MIN) continue
    const slack =
      growing === 0 ? spare / table.columns.length : Math.max(0, (spare * 0.25) / (table.columns.length - growing))
    const grown = growing === 0 ? 0 : (spare - slack * (table.columns.length - growing)) / growing
    return { size, widths: table.columns.map(({ grows }, n) => (grows ? grown : (natural[n] ?? 0) + slack)) }
  }
}

type At = Grid & { readonly y: number }

const toneLook = (row: WideRow, size: number, grey: string): TextLook =>
  row.tone === 'quiet'
    ? { size: size * 0.9, colour: grey }
    : {
        size,
        face: row.tone === 'heading' || row.tone === 'total' ? 'bold' : row.tone === 'sum' ? 'italic' : 'regular',
      }

function heightOf(press: Press, table: WideTable, { widths, size }: Grid, row: WideRow): number {
  const look = { ...toneLook(row, size, press.style.grey), gap: 1 }
  const { padding } = table.look
  const count = (text: string, width: number) => wrap(press, text, { ...look, width }).length
  const wideLines = [row.over, row.under].reduce(
    (sum, text) => sum + (text === undefined ? 0 : count(text, table.width - 2 * padding)),
    0,
  )
  const cellLines =
    row.tone === 'heading' ? 1 : Math.max(1, ...row.cells.map((text, n) => count(text, (widths[n] ?? 0) - 2 * padding)))
  return (wideLines + cellLines) * lineHeight(press, look) + 2 * padding
}

function drawWideRow(press: Press, table: WideTable, at: At, row: WideRow): number {
  const { x, width, look } = table
  const text = { ...toneLook(row, at.size, press.style.grey), gap: 1 }
  const end = at.y + heightOf(press, table, at, row)
  const inner = { x: x + look.padding, width: width - 2 * look.padding }
  let y = at.y + look.padding
  if (row.tone === 'heading') write(press, row.cells.join(' '), { ...inner, y, ...text })
  else {
    if (row.over !== undefined) y = write(press, row.over, { ...inner, y, ...text })
    const ends = drawCells(press, table, { ...at, y }, { cells: row.cells, text })
    if (row.under !== undefined) write(press, row.under, { ...inner, y: ends, ...text })
  }
  if (row.tone === 'total') drawRule(press, { x, y: at.y, width, thickness: 0.8, colour: press.style.ink })
  drawEdges(press, table, { widths: row.tone === 'heading' ? [width] : at.widths, y: at.y, end })
  return end
}

function drawCells(
  press: Press,
  table: WideTable,
  at: At,
  { cells, text }: { cells: readonly string[]; text: TextLook },
): number {
  let { x } = table
  const ends = cells.map((cell, n) => {
    const width = at.widths[n] ?? 0
    const place = { x: x + table.look.padding, y: at.y, width: width - 2 * table.look.padding }
    x += width
    return cell === '' ? at.y : write(press, cell, { ...place, align: table.columns[n]?.align ?? 'left', ...text })
  })
  return Math.max(...ends)
}

function drawEdges(press: Press, table: WideTable, at: { widths: readonly number[]; y: number; end: number }): void {
  const { x, width, look } = table
  if (look.lines === 'rules') drawRule(press, { x, y: at.end, width, thickness: 0.4, colour: '#999999' })
  if (look.lines === 'dashes') drawRule(press, { x, y: at.end, width, thickness: 0.5, dash: true })
  if (look.lines !== 'grid' && look.lines !== 'verticals') return
  let edge = x
  for (const span of at.widths) {
    drawBox(press, {
      x: edge,
      y: at.y,
      width: span,
      height: at.end - at.y,
      stroke: look.lines === 'grid' ? '#555555' : '#bbbbbb',
    })
    edge += span
  }
}

function drawTitles(press: Press, table: WideTable, grid: Grid, y: number): number {
  const { x, width, look, columns } = table
  if (look.header === 'none') return y
  const row: WideRow = { cells: columns.map(({ title }) => title), tone: 'total' }
  const height = heightOf(press, table, grid, row)
  const { accent, ink } = press.style
  if (look.header === 'fill') drawBox(press, { x, y, width, height, fill: accent })
  if (look.header === 'tint') drawBox(press, { x, y, width, height, fill: '#e9e9e4' })
  if (look.header === 'two-rules') drawRule(press, { x, y, width, thickness: 1, colour: ink })
  const text = { ...toneLook(row, grid.size, ink), gap: 1, ...(look.header === 'fill' ? { colour: '#ffffff' } : {}) }
  drawCells(press, table, { ...grid, y: y + look.padding }, { cells: row.cells, text })
  if (look.header === 'rule' || look.header === 'two-rules')
    drawRule(press, { x, y: y + height, width, thickness: 1, colour: ink })
  else if (look.lines === 'grid' || look.lines === 'verticals')
    drawEdges(press, table, { widths: grid.widths, y, end: y + height })
  return y + height
}

/** A line that says what has been summed so far, its figure under the last column. */
function drawCarry(press: Press, table: WideTable, at: At, [words, sum]: readonly [string, string]): number {
  const grow = table.columns.findIndex(({ grows }) => grows)
  const cells = table.columns.map((_, n) =>
    n === table.columns.length - 1 ? sum : n === Math.max(0, grow) ? words : '',
  )
  return drawWideRow(press, table, at, { cells, tone: 'sum' })
}

/** One of the looks that item tables have. */
export function pickWideLook(press: Press, fixed: Partial<WideLook> = {}): WideLook {
  const { random } = press
  return {
    lines: random.pick(['none', 'none', 'rules', 'grid', 'verticals', 'dashes', 'heavy'] as const),
    header: random.pick(['bare', 'rule', 'two-rules', 'fill', 'tint'] as const),
    padding: random.pick([1.5, 2.5, 3, 4]),
    ...fixed,
  }
}
