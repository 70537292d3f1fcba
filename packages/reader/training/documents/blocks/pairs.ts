import type { Canvas } from '../canvas.ts'
import { drawBox, drawRule, lineHeight, type Place, type TextLook, textWidth, wrap, write } from '../ink.ts'

/** A label and its value. The key identifies it, so that layouts can omit it or draw it elsewhere. */
export interface Pair {
  readonly key: string
  readonly label: string
  readonly value: string
}

/** Pairs with the labels of their keys; those without a value are omitted. */
export function pairsOf(canvas: Canvas, values: Readonly<Record<string, string | null>>): Pair[] {
  return Object.entries(values).flatMap(([key, value]) =>
    value === null ? [] : [{ key, label: canvas.label(key), value }],
  )
}

/** One pair per line. */
const LINES = [
  'columns',
  'inline',
  'above',
  'right',
  'right-colon',
  'spread',
  'leaders',
  'ruled',
  'value-first',
  'value-over',
  'axis',
  'dash',
  'equals',
  'grid',
] as const
/** Several pairs in a row of cells. */
const CELLS = ['boxes', 'headed-row', 'under', 'stacked', 'table', 'numbered', 'strip'] as const

export type PairsLook = (typeof LINES)[number] | (typeof CELLS)[number] | 'run-on'

const isOneOf = <T extends string>(list: readonly T[], value: string): value is T => list.some((one) => one === value)

export interface PairsPlace extends Place {
  readonly pairs: readonly Pair[]
  readonly look: PairsLook
  readonly size?: number
}

/** Draws labels and values in one of the usual ways, and returns the y below. */
export function drawPairs(canvas: Canvas, at: PairsPlace): number {
  const { look, pairs } = at
  if (pairs.length === 0) return at.y
  if (isOneOf(CELLS, look)) return drawCells(canvas, at, look)
  if (!isOneOf(LINES, look)) return drawRunOn(canvas, at)
  const size = at.size ?? canvas.style.size
  const text = look === 'right-colon' ? ':' : canvas.style.suffix
  const widest = Math.max(...pairs.map(({ label }) => textWidth(canvas, label + text, { size, face: 'bold' })))
  let { y } = at
  for (const pair of pairs) y = drawLine(canvas, { ...at, y, size, labelWidth: widest }, pair, look)
  return y
}

type Line = Place & { readonly size: number; readonly labelWidth: number }

function drawLine(canvas: Canvas, at: Line, { label, value }: Pair, look: (typeof LINES)[number]): number {
  const { x, y, width, size } = at
  const { grey, suffix } = canvas.style
  const named = label + suffix
  const part = (text: string, from: number, to: number, set: TextLook = {}) =>
    write(canvas, text, { size, ...set, x: x + from, y, width: to - from })
  const small: TextLook = { size: size * 0.8, colour: grey, gap: 0 }
  /** Label and value side by side: the label ends at the first fraction of the width, the value starts at the second. */
  const beside = (text: string, [to, from]: readonly [number, number], label: TextLook, set: TextLook = {}) =>
    Math.max(part(text, 0, to, label), part(value, from, width, set))
  const toRight = { align: 'right', colour: grey } as const
  const column = Math.min(at.labelWidth + 10, width * 0.62)
  switch (look) {
    case 'columns':
      return beside(named, [column - 4, column], { face: 'bold' })
    case 'right':
      return beside(named, [width * 0.55, width * 0.58], toRight)
    case 'axis':
      return beside(label, [width / 2 - 8, width / 2 + 8], toRight, { face: 'bold' })
    case 'right-colon':
      return beside(`${label}:`, [column - 8, column], { align: 'right' }, { face: 'bold' })
    case 'inline':
    case 'dash':
    case 'equals': {
      const joiner = { inline: suffix === '' ? ':' : suffix, dash: ' -', equals: ' =' }[look]
      return part(`${label}${joiner} ${value}`, 0, width)
    }
    case 'above':
      return write(canvas, value, { size, face: 'bold', x, width, y: part(label, 0, width, small) }) + 2
    case 'value-over':
      return write(canvas, label, { ...small, x, width, y: part(value, 0, width, { face: 'bold' }) }) + 2
    case 'value-first':
      part(value, 0, width, { face: 'bold' })
      return part(label, textWidth(canvas, value, { size, face: 'bold' }) + 7, width, small) + 2
    case 'grid': {
      const labels = { x: x + 4, y: y + 3, size, face: 'bold' as const, width: width * 0.5 - 8 }
      const values = { x: x + width * 0.5 + 4, y: y + 3, size, width: width * 0.5 - 8 }
      const height =
        Math.max(wrap(canvas, label, labels).length, wrap(canvas, value, values).length) *
          lineHeight(canvas, { size }) +
        4
      drawBox(canvas, { x, y, width: width * 0.5, height, fill: '#eeeeee', stroke: grey })
      drawBox(canvas, { x: x + width * 0.5, y, width: width * 0.5, height, stroke: grey })
      write(canvas, label, labels)
      write(canvas, value, values)
      return y + height
    }
    case 'spread':
    case 'leaders':
    case 'ruled': {
      const valueWidth = textWidth(canvas, value, { size })
      const room = width - valueWidth - textWidth(canvas, named, { size }) - 10
      const isLong = room < 2
      const end = part(named, 0, isLong ? width : width - valueWidth - 8)
      if (look === 'leaders' && !isLong) {
        const dots = '.'.repeat(Math.floor(room / textWidth(canvas, '.', { size })))
        part(dots, textWidth(canvas, named, { size }) + 4, width, { colour: grey })
      }
      const below = Math.max(end, write(canvas, value, { x, y: isLong ? end : y, size, width, align: 'right' }))
      if (look !== 'ruled') return below
      drawRule(canvas, { x, y: below - 1, width, thickness: 0.4, colour: '#aaaaaa' })
      return below + 2
    }
  }
}

/** Draws a row of cells with the label above or below the value, and the lines around them. */
function drawCells(canvas: Canvas, at: PairsPlace, look: (typeof CELLS)[number]): number {
  const { style } = canvas
  const { x, width, pairs } = at
  const size = at.size ?? style.size
  const roomy = Math.max(1, Math.min(4, Math.floor(width / 115)))
  const perRow =
    { boxes: 5, 'headed-row': 5, table: 5, strip: 9, numbered: Math.min(4, roomy) }[look as string] ?? roomy
  const isSmall = look === 'under' || look === 'stacked' || look === 'numbered'
  const labelLook: TextLook = isSmall
    ? { size: size * 0.78, colour: style.grey, gap: 0 }
    : { size: size * 0.88, face: 'bold', gap: 1 }
  let { y } = at
  for (let n = 0; n < pairs.length; n += perRow) {
    const row = pairs.slice(n, n + perRow)
    const widths =
      look === 'table'
        ? tableWidths(canvas, row, { width, size })
        : row.map(() => width / (isSmall ? perRow : row.length))
    const lefts = widths.map((_, i) => x + widths.slice(0, i).reduce((sum, one) => sum + one, 0))
    const align = look === 'table' || look === 'strip' ? 'center' : 'left'
    const writeAll = (key: 'label' | 'value', top: number, set: TextLook) =>
      Math.max(
        ...row.map((pair, i) => {
          const text = key === 'label' && look === 'numbered' ? `${n + i + 1} ${pair.label}` : pair[key]
          return write(canvas, text, { ...set, align, x: (lefts[i] ?? x) + 4, y: top, width: (widths[i] ?? width) - 8 })
        }),
      )
    const [first, second] = look === 'under' ? (['value', 'label'] as const) : (['label', 'value'] as const)
    const middle = writeAll(first, y + 3, first === 'label' ? labelLook : { size, gap: 1 })
    const end = writeAll(second, middle + 2, second === 'label' ? labelLook : { size }) + 2
    for (const [i, left] of lefts.entries()) {
      const cell = { x: left, y, width: widths[i] ?? width }
      if (look === 'under') drawRule(canvas, { ...cell, y: middle, width: cell.width - 10, thickness: 0.4 })
      else if (look !== 'headed-row' && look !== 'stacked') drawBox(canvas, { ...cell, height: end - y })
      if (look === 'table') drawBox(canvas, { ...cell, height: middle - y })
    }
    if (look === 'headed-row') drawRule(canvas, { x, y: middle, width, colour: style.accent })
    y = look === 'numbered' || look === 'table' ? end : end + 4
  }
  return y
}

/** Column widths that fit the contents. */
function tableWidths(canvas: Canvas, row: readonly Pair[], { width, size }: { width: number; size: number }): number[] {
  const wanted = row.map(({ label, value }) =>
    Math.max(
      Math.min(textWidth(canvas, label, { size, face: 'bold' }), 90),
      Math.min(textWidth(canvas, value, { size }), 120),
    ),
  )
  const spare = (width - wanted.reduce((sum, one) => sum + one, 0)) / row.length
  return wanted.map((one) => one + spare)
}

/** Joins parts into lines that fit the width. */
export function joinParts(canvas: Canvas, parts: readonly string[], joiner: string, look: TextLook): string[] {
  const lines: string[] = []
  for (const part of parts) {
    const longer = lines.length === 0 ? part : `${lines.at(-1)}${joiner}${part}`
    if (lines.length > 0 && textWidth(canvas, longer, look) <= (look.width ?? 0)) lines[lines.length - 1] = longer
    else lines.push(part)
  }
  return lines
}

function drawRunOn(canvas: Canvas, { x, y, width, pairs, size = canvas.style.size }: PairsPlace): number {
  const joiner = canvas.random.pick(['   |   ', '     ', '  ·  '])
  const parts = pairs.map(({ label, value }) => `${label}: ${value}`)
  return write(canvas, joinParts(canvas, parts, joiner, { size, width }).join('\n'), { x, y, size, width })
}

export type TotalsLook = 'plain' | 'rule-last' | 'boxed' | 'band-last' | 'total-grid' | 'ruled-sums'

/** Draws sums with right-aligned amounts and the last one emphasised. */
export function drawTotals(canvas: Canvas, at: Place & { pairs: readonly Pair[]; look: TotalsLook }): number {
  const { style } = canvas
  const { x, width, pairs, look } = at
  const isGrid = look === 'total-grid'
  const pad = look === 'boxed' || isGrid ? 5 : 2
  let { y } = at
  for (const [n, pair] of pairs.entries()) {
    const isLast = n === pairs.length - 1
    const size = isLast && !isGrid ? style.size * 1.15 : style.size
    const face = isLast ? 'bold' : 'regular'
    const text = pair.label + style.suffix
    const labelWidth = width - pad * 2 - textWidth(canvas, pair.value, { size, face }) - 6
    const height = wrap(canvas, text, { size, face, width: labelWidth }).length * lineHeight(canvas, { size }) + 4
    const isBand = isLast && look === 'band-last'
    const colour = isBand ? '#ffffff' : style.ink
    if (isBand) drawBox(canvas, { x, y, width, height, fill: style.accent })
    if (isLast && look === 'rule-last') drawRule(canvas, { x, y: y - 1, width, thickness: 1 })
    if (look === 'ruled-sums') drawRule(canvas, { x, y, width, thickness: 0.5, colour: '#bbbbbb' })
    if (isGrid) drawBox(canvas, { x, y, width, height })
    write(canvas, text, { x: x + pad, y: y + 3, size, face, colour, width: labelWidth })
    write(canvas, pair.value, { x, y: y + 3, width: width - pad, align: 'right', size, face, colour })
    y += height
  }
  if (look === 'boxed') drawBox(canvas, { ...at, height: y - at.y, stroke: style.ink })
  if (look === 'rule-last') drawRule(canvas, { x, y, width, thickness: 1 })
  return y + 4
}
