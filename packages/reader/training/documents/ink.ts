import type { FontFamily } from './fonts.ts'
import type { Press } from './press.ts'

/** How a piece of text is set. Sizes and widths in points. */
export interface TextLook {
  readonly face?: keyof FontFamily
  readonly size?: number
  readonly colour?: string
  /** Room for the text: it is wrapped to it, and aligned in it. */
  readonly width?: number
  readonly align?: 'left' | 'right' | 'center'
  readonly gap?: number
  readonly spacing?: number
}

function setFace(press: Press, look: TextLook): void {
  press.doc.font(press.style.family[look.face ?? 'regular']).fontSize(look.size ?? press.style.size)
}

export function textWidth(press: Press, text: string, look: TextLook = {}): number {
  setFace(press, look)
  return press.doc.widthOfString(text, { characterSpacing: look.spacing ?? 0 })
}

/** Height of one line with its gap. */
export function lineHeight(press: Press, look: TextLook = {}): number {
  return (look.size ?? press.style.size) * 1.15 + (look.gap ?? press.style.lineGap)
}

/** The text in lines that fit the width; a word wider than it stands alone. */
export function wrap(press: Press, text: string, look: TextLook): string[] {
  const { width } = look
  const lines: string[] = []
  for (const paragraph of text.split('\n')) {
    let line = ''
    for (const word of paragraph.split(' ')) {
      const longer = line === '' ? word : `${line} ${word}`
      if (width !== undefined && line !== '' && textWidth(press, longer, look) > width) {
        lines.push(line)
        line = word
      } else line = longer
    }
    lines.push(line)
  }
  return lines
}

/** Writes text with its top left corner at x, y and returns the y below it. */
export function write(press: Press, text: string, at: TextLook & { readonly x: number; readonly y: number }): number {
  let y = at.y
  for (const line of wrap(press, text, at)) {
    const spare = (at.width ?? 0) - textWidth(press, line, at)
    const shift = at.align === 'right' ? spare : at.align === 'center' ? spare / 2 : 0
    setFace(press, at)
    press.doc
      .fillColor(at.colour ?? press.style.ink)
      .text(line, at.x + shift, y, { lineBreak: false, characterSpacing: at.spacing ?? 0 })
    y += lineHeight(press, at)
  }
  return y
}

export function drawRule(
  press: Press,
  at: { x: number; y: number; width: number; colour?: string; thickness?: number; dash?: boolean },
): void {
  press.doc
    .save()
    .lineWidth(at.thickness ?? 0.7)
    .strokeColor(at.colour ?? press.style.grey)
  if (at.dash) press.doc.dash(2, { space: 2 })
  press.doc
    .moveTo(at.x, at.y)
    .lineTo(at.x + at.width, at.y)
    .stroke()
    .restore()
}

export function drawBox(
  press: Press,
  at: { x: number; y: number; width: number; height: number; fill?: string; stroke?: string; radius?: number },
): void {
  press.doc
    .save()
    .lineWidth(0.7)
    .roundedRect(at.x, at.y, at.width, at.height, at.radius ?? 0)
  if (at.fill !== undefined && at.stroke !== undefined) press.doc.fillAndStroke(at.fill, at.stroke)
  else if (at.fill !== undefined) press.doc.fill(at.fill)
  else press.doc.stroke(at.stroke ?? press.style.grey)
  press.doc.restore()
}

/** A made-up mark of a firm: shapes and its initials in a square of `size` points. */
export function drawLogo(press: Press, at: { x: number; y: number; size: number; colour?: string }): void {
  const { doc, random, style } = press
  const colour = at.colour ?? style.accent
  const half = at.size / 2
  doc.save()
  switch (random.int(0, 3)) {
    case 0:
      doc.circle(at.x + half, at.y + half, half).fill(colour)
      doc.circle(at.x + half * 1.3, at.y + half * 0.8, half * 0.45).fill('#ffffff')
      break
    case 1:
      doc.polygon([at.x, at.y + at.size], [at.x + half, at.y], [at.x + at.size, at.y + at.size]).fill(colour)
      break
    case 2:
      doc.rect(at.x, at.y, at.size, at.size * 0.42).fill(colour)
      doc
        .rect(at.x, at.y + at.size * 0.55, at.size * 0.6, at.size * 0.42)
        .fillOpacity(0.5)
        .fill(colour)
      break
    default:
      for (const n of [0, 1, 2])
        doc
          .rect(
            at.x + (n * at.size) / 3,
            at.y + (at.size * (2 - n)) / 4,
            at.size / 4,
            at.size - (at.size * (2 - n)) / 4,
          )
          .fill(colour)
  }
  doc.restore()
}
