import type { Canvas } from './canvas.ts'
import type { FontFamily } from './fonts.ts'

/** The style of a text. Sizes and widths in points. */
export interface TextLook {
  readonly face?: keyof FontFamily
  readonly size?: number
  readonly colour?: string
  /** The width to wrap and align within. */
  readonly width?: number
  readonly align?: 'left' | 'right' | 'center'
  readonly gap?: number
  readonly spacing?: number
}

function setFace(canvas: Canvas, look: TextLook): void {
  canvas.doc.font(canvas.style.family[look.face ?? 'regular']).fontSize(look.size ?? canvas.style.size)
}

export function textWidth(canvas: Canvas, text: string, look: TextLook = {}): number {
  setFace(canvas, look)
  return canvas.doc.widthOfString(text, { characterSpacing: look.spacing ?? 0 })
}

/** The height of a line including its spacing. */
export function lineHeight(canvas: Canvas, look: TextLook = {}): number {
  return (look.size ?? canvas.style.size) * 1.15 + (look.gap ?? canvas.style.lineGap)
}

/** Wraps the text to the width; a wider word gets its own line. */
export function wrap(canvas: Canvas, text: string, look: TextLook): string[] {
  const { width } = look
  const lines: string[] = []
  for (const paragraph of text.split('\n')) {
    let line = ''
    for (const word of paragraph.split(' ')) {
      const longer = line === '' ? word : `${line} ${word}`
      if (width !== undefined && line !== '' && textWidth(canvas, longer, look) > width) {
        lines.push(line)
        line = word
      } else line = longer
    }
    lines.push(line)
  }
  return lines
}

/** Writes text with its top left corner at x, y and returns the y below it. */
export function write(canvas: Canvas, text: string, at: TextLook & { readonly x: number; readonly y: number }): number {
  let y = at.y
  for (const line of wrap(canvas, text, at)) {
    const spare = (at.width ?? 0) - textWidth(canvas, line, at)
    const shift = at.align === 'right' ? spare : at.align === 'center' ? spare / 2 : 0
    setFace(canvas, at)
    canvas.doc
      .fillColor(at.colour ?? canvas.style.ink)
      .text(line, at.x + shift, y, { lineBreak: false, characterSpacing: at.spacing ?? 0 })
    y += lineHeight(canvas, at)
  }
  return y
}

export function drawRule(
  canvas: Canvas,
  at: { x: number; y: number; width: number; colour?: string; thickness?: number; dash?: boolean },
): void {
  canvas.doc
    .save()
    .lineWidth(at.thickness ?? 0.7)
    .strokeColor(at.colour ?? canvas.style.grey)
  if (at.dash) canvas.doc.dash(2, { space: 2 })
  canvas.doc
    .moveTo(at.x, at.y)
    .lineTo(at.x + at.width, at.y)
    .stroke()
    .restore()
}

export function drawBox(
  canvas: Canvas,
  at: { x: number; y: number; width: number; height: number; fill?: string; stroke?: string; radius?: number },
): void {
  canvas.doc
    .save()
    .lineWidth(0.7)
    .roundedRect(at.x, at.y, at.width, at.height, at.radius ?? 0)
  if (at.fill !== undefined && at.stroke !== undefined) canvas.doc.fillAndStroke(at.fill, at.stroke)
  else if (at.fill !== undefined) canvas.doc.fill(at.fill)
  else canvas.doc.stroke(at.stroke ?? canvas.style.grey)
  canvas.doc.restore()
}

/** A random company logo: shapes and initials in a square of `size` points. */
export function drawLogo(canvas: Canvas, at: { x: number; y: number; size: number; colour?: string }): void {
  const { doc, random, style } = canvas
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

/** A position in points from the top left corner of the page. */
export interface Place {
  readonly x: number
  readonly y: number
  readonly width: number
}

/** The area between the margins of a page. */
export function frameOf({ doc, style: { margin } }: Canvas): Place & { right: number; bottom: number } {
  const { width, height } = doc.page
  return { x: margin, y: margin, width: width - 2 * margin, right: width - margin, bottom: height - margin }
}

/** Starts a new page when fewer than `room` points are left below `y`. */
export function makeRoom(canvas: Canvas, y: number, room: number): number {
  if (y + room <= frameOf(canvas).bottom) return y
  canvas.doc.addPage()
  return frameOf(canvas).y
}
