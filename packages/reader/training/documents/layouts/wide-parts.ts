import { type Pair, type Place, reachLines } from '../blocks.ts'
import { drawBox, drawRule, lineHeight, type TextLook, textWidth, write } from '../ink.ts'
import type { Party } from '../parties.ts'
import type { Press } from '../press.ts'
import { frameOf } from './layout.ts'

export type WidePairsLook =
  | 'under'
  | 'right-colon'
  | 'value-first'
  | 'run-on'
  | 'leaders'
  | 'ruled'
  | 'table'
  | 'stacked'

/** Draws labels with their values in ways that forms of many trades have, and returns the y below. */
export function drawWidePairs(
  press: Press,
  at: Place & { pairs: readonly Pair[]; look: WidePairsLook; size?: number },
): number {
  const size = at.size ?? press.style.size
  switch (at.look) {
    case 'under':
    case 'stacked':
      return drawCellPairs(press, { ...at, size }, at.look)
    case 'table':
      return drawPairTable(press, { ...at, size })
    case 'run-on':
      return drawRunOn(press, { ...at, size })
    default:
      return drawLinePairs(press, { ...at, size }, at.look)
  }
}

type Pairs = Place & { readonly pairs: readonly Pair[]; readonly size: number }

function drawLinePairs(press: Press, at: Pairs, look: 'right-colon' | 'value-first' | 'leaders' | 'ruled'): number {
  const { x, width, pairs, size } = at
  const widest = Math.max(0, ...pairs.map(([label]) => textWidth(press, `${label}:`, { size })))
  const labelWidth = Math.min(widest + 2, width * 0.6)
  let { y } = at
  for (const [label, value] of pairs) {
    if (look === 'right-colon') {
      const end = write(press, `${label}:`, { x, y, size, width: labelWidth, align: 'right' })
      y = Math.max(
        end,
        write(press, value, { x: x + labelWidth + 8, y, size, width: width - labelWidth - 8, face: 'bold' }),
      )
    } else if (look === 'value-first') {
      const used = textWidth(press, value, { size, face: 'bold' })
      write(press, value, { x, y, size, face: 'bold' })
      y = write(press, label, { x: x + used + 7, y, size: size * 0.85, colour: press.style.grey })
    } else {
      const valueWidth = textWidth(press, value, { size })
      const isLong = valueWidth + textWidth(press, label, { size }) + 12 > width
      const end = write(press, label, { x, y, size, width: isLong ? width : width - valueWidth - 8 })
      if (look === 'leaders' && !isLong) {
        const room = width - valueWidth - textWidth(press, label, { size }) - 10
        const dots = '.'.repeat(Math.max(0, Math.floor(room / textWidth(press, '.', { size }))))
        write(press, dots, { x: x + textWidth(press, label, { size }) + 4, y, size, colour: press.style.grey })
      }
      y = Math.max(end, write(press, value, { x, y: isLong ? end : y, size, width, align: 'right' }))
      if (look === 'ruled') {
        drawRule(press, { x, y: y - 1, width, thickness: 0.4, colour: '#aaaaaa' })
        y += 2
      }
    }
  }
  return y
}

/** Cells in a row, wrapped after four: the label under its value, or above it. */
function drawCellPairs(press: Press, at: Pairs, look: 'under' | 'stacked'): number {
  const perRow = Math.max(1, Math.min(4, Math.floor(at.width / 115)))
  let { y } = at
  for (let n = 0; n < at.pairs.length; n += perRow) {
    const row = at.pairs.slice(n, n + perRow)
    const cell = at.width / perRow
    const ends = row.map(([label, value], i) => {
      const place = { x: at.x + i * cell, width: cell - 10 }
      const small: TextLook = { size: at.size * 0.78, colour: press.style.grey, gap: 0 }
      if (look === 'stacked') {
        const labelEnd = write(press, label, { ...place, y, ...small })
        return write(press, value, { ...place, y: labelEnd + 1, size: at.size })
      }
      const valueEnd = write(press, value, { ...place, y, size: at.size, gap: 1 })
      drawRule(press, { ...place, y: valueEnd, thickness: 0.4 })
      return write(press, label, { ...place, y: valueEnd + 2, ...small })
    })
    y = Math.max(...ends) + 6
  }
  return y
}

/** A ruled table of a header row and a row of values; columns as wide as their contents ask for. */
function drawPairTable(press: Press, at: Pairs): number {
  const { pairs, size, width } = at
  if (pairs.length > 5) {
    const half = Math.ceil(pairs.length / 2)
    return drawPairTable(press, {
      ...at,
      y: drawPairTable(press, { ...at, pairs: pairs.slice(0, half) }),
      pairs: pairs.slice(half),
    })
  }
  const wanted = pairs.map(([label, value]) =>
    Math.max(
      Math.min(textWidth(press, label, { size: size * 0.9, face: 'bold' }), 90),
      Math.min(textWidth(press, value, { size }), 120),
    ),
  )
  const spare = (width - wanted.reduce((sum, one) => sum + one, 0)) / pairs.length
  const widths = wanted.map((one) => one + spare)
  const row = (cells: readonly string[], y: number, look: TextLook) => {
    let { x } = at
    return Math.max(
      ...cells.map((cell, n) => {
        const place = { x: x + 3, y: y + 3, width: (widths[n] ?? 0) - 6 }
        x += widths[n] ?? 0
        return write(press, cell, { ...place, ...look, align: 'center', gap: 1 })
      }),
    )
  }
  const headHeight =
    row(
      pairs.map(([label]) => label),
      at.y,
      { size: size * 0.9, face: 'bold' },
    ) +
    2 -
    at.y
  const end =
    row(
      pairs.map(([, value]) => value),
      at.y + headHeight,
      { size },
    ) + 3
  let { x } = at
  for (const span of widths) {
    drawBox(press, { x, y: at.y, width: span, height: headHeight })
    drawBox(press, { x, y: at.y + headHeight, width: span, height: end - at.y - headHeight })
    x += span
  }
  return end
}

function drawRunOn(press: Press, at: Pairs): number {
  const joiner = press.random.pick(['   |   ', '     ', '  ·  '])
  const lines: string[] = []
  for (const [label, value] of at.pairs) {
    const part = `${label}: ${value}`
    const longer = lines.length === 0 ? part : `${lines.at(-1)}${joiner}${part}`
    if (lines.length > 0 && textWidth(press, longer, { size: at.size }) <= at.width) lines[lines.length - 1] = longer
    else lines.push(part)
  }
  let { y } = at
  for (const line of lines) y = write(press, line, { x: at.x, y, size: at.size })
  return y
}

export const addressLinesOf = (party: Party): string[] => [
  ...party.addressLines,
  ...(party.country === null ? [] : [party.country]),
]

/** A window address: the sender small and underlined in one line, the addressee under it. */
export function drawWindow(press: Press, at: Place & { sender: Party; to: Party; gap?: number }): number {
  const small = { size: 6.5, colour: press.style.grey }
  const sender = [at.sender.name, ...at.sender.addressLines].join(press.random.pick([' · ', ', ', ' - ', ' | ']))
  const end = write(press, sender, { x: at.x, y: at.y, ...small })
  drawRule(press, { x: at.x, y: end, width: Math.min(at.width, textWidth(press, sender, small)), thickness: 0.4 })
  return drawName(press, { ...at, y: end + (at.gap ?? 8), party: at.to, size: press.style.size })
}

/** Name, contact person and address, one a line. */
export function drawName(
  press: Press,
  at: Place & { party: Party; size?: number; face?: TextLook['face']; align?: TextLook['align'] },
): number {
  const { party } = at
  const base: TextLook = { size: at.size ?? press.style.size, width: at.width, align: at.align ?? 'left' }
  let y = write(press, party.name, { ...base, x: at.x, y: at.y, face: at.face ?? 'regular' })
  if (party.contact !== null) y = write(press, `${press.label('attention')} ${party.contact}`, { ...base, x: at.x, y })
  for (const line of addressLinesOf(party)) y = write(press, line, { ...base, x: at.x, y })
  return y
}

/** A title over a name and an address, as on forms for several parties. */
export function drawTitledName(
  press: Press,
  at: Place & { title: string; party: Party; tone: 'bold' | 'small' | 'band' | 'colon' },
): number {
  const { x, width, title } = at
  const { style } = press
  if (at.tone === 'band') {
    const height = lineHeight(press) + 4
    drawBox(press, { x, y: at.y, width, height, fill: '#dddddd' })
    write(press, title, { x: x + 4, y: at.y + 3, width: width - 8, face: 'bold' })
    return drawName(press, { ...at, x: x + 4, width: width - 8, y: at.y + height + 3 })
  }
  const look: TextLook =
    at.tone === 'small'
      ? { size: style.size * 0.78, colour: style.grey }
      : { face: at.tone === 'bold' ? 'bold' : 'regular' }
  const y = write(press, at.tone === 'colon' ? `${title}:` : title, { x, y: at.y, width, ...look })
  return drawName(press, { ...at, y })
}

/** Phone, mail and the like run on in lines no wider than the room. */
export function drawReach(
  press: Press,
  at: Place & { party: Party; align?: TextLook['align']; size?: number },
): number {
  const look = { size: at.size ?? press.style.size * 0.9, width: at.width, align: at.align ?? ('left' as const) }
  const joiner = press.random.pick(['  ·  ', '   ', ' | '])
  const lines: string[] = []
  for (const part of reachLines(press, at.party)) {
    const longer = lines.length === 0 ? part : `${lines.at(-1)}${joiner}${part}`
    if (lines.length > 0 && textWidth(press, longer, look) <= at.width) lines[lines.length - 1] = longer
    else lines.push(part)
  }
  let { y } = at
  for (const line of lines) y = write(press, line, { x: at.x, y, ...look })
  return y
}

/** Small columns of text at the foot of every page, over a rule. */
export function drawFoot(press: Press, columns: readonly (readonly string[])[]): void {
  const { doc, style } = press
  const frame = frameOf(press)
  const filled = columns.filter((lines) => lines.length > 0)
  const cell = frame.width / Math.max(1, filled.length)
  const look = { size: 6.8, colour: style.grey, gap: 1.2, width: cell - 8 }
  const deepest = Math.max(0, ...filled.map((lines) => lines.length))
  const top = doc.page.height - 14 - deepest * lineHeight(press, look) * 1.1
  const { start, count } = doc.bufferedPageRange()
  for (let n = 0; n < count; n += 1) {
    doc.switchToPage(start + n)
    drawRule(press, { x: frame.x, y: top - 4, width: frame.width, thickness: 0.5 })
    for (const [i, lines] of filled.entries()) {
      let y = top
      for (const line of lines) y = write(press, line, { x: frame.x + i * cell, y, ...look })
    }
  }
}
