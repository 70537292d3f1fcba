import PDFDocument from 'pdfkit'

/** A label with its printed value. */
export type Pair = readonly [label: string, value: string]

/** Draws the parts that forms are made of on an A4 page. Lengths in points. */
export interface Pen {
  text(x: number, y: number, text: string, style?: Partial<Style>): void
  /** Labels with their values to the right, one below the other. Gives the height below the last one. */
  pairs(at: readonly [x: number, y: number], pairs: readonly Pair[], style?: Partial<PairStyle>): number
  /** Boxes beside and below each other, each with a small label and the value below it. */
  boxes(at: readonly [x: number, y: number], widths: readonly number[], rows: readonly (readonly Pair[])[]): number
  /** Values on a line, with their labels in small type below it. */
  captions(at: readonly [x: number, y: number], widths: readonly number[], rows: readonly (readonly Pair[])[]): number
  /** Rows of texts at the given positions; the first in bold. */
  rows(y: number, xs: readonly number[], rows: readonly (readonly string[])[]): number
  /** Paragraphs below each other in lines of full width, over as many pages as they need. */
  prose(paragraphs: readonly string[], style: Partial<Style>): void
  /** Starts a page; gives the height where it begins. */
  nextPage(): number
}

interface Style {
  readonly size: number
  readonly bold: boolean
  readonly width: number
}

interface PairStyle {
  /** From the start of the label to the start of the value. */
  readonly to: number
  readonly step: number
  readonly mark: string
  /** Values end here, at the right. */
  readonly right: number
}

const boxHeight = 30

/** A page of one form as PDF. */
export function drawForm(draw: (pen: Pen) => void): Promise<Buffer> {
  const doc = new PDFDocument({ size: 'A4', margin: 0, info: { CreationDate: new Date(Date.UTC(2025, 0, 1)) } })
  const text: Pen['text'] = (x, y, written, { size = 9.5, bold = false, width = 480 } = {}) => {
    doc
      .font(bold ? 'Helvetica-Bold' : 'Helvetica')
      .fontSize(size)
      .text(written, x, y, { width, lineGap: 2 })
  }
  const pen: Pen = {
    text,
    pairs([x, y], pairs, { to = 130, step = 15, mark = ':', right } = {}) {
      for (const [at, [label, value]] of pairs.entries()) {
        text(x, y + at * step, `${label}${mark}`)
        doc.font('Helvetica').fontSize(9.5)
        text(right === undefined ? x + to : right - doc.widthOfString(value), y + at * step, value)
      }
      return y + pairs.length * step + 8
    },
    boxes([x, y], widths, rows) {
      for (const [line, row] of rows.entries()) {
        let left = x
        for (const [column, [label, value]] of row.entries()) {
          const width = widths[column] ?? 100
          doc
            .rect(left, y + line * boxHeight, width, boxHeight)
            .lineWidth(0.6)
            .stroke()
          text(left + 4, y + line * boxHeight + 3, label, { size: 6.5 })
          text(left + 4, y + line * boxHeight + 14, value, { size: 10 })
          left += width
        }
      }
      return y + rows.length * boxHeight + 10
    },
    captions([x, y], widths, rows) {
      for (const [line, row] of rows.entries()) {
        let left = x
        for (const [column, [label, value]] of row.entries()) {
          const width = widths[column] ?? 100
          const top = y + line * 40
          text(left + 3, top, value, { size: 10.5 })
          doc
            .moveTo(left, top + 13)
            .lineTo(left + width - 14, top + 13)
            .lineWidth(0.5)
            .stroke()
          text(left + 3, top + 15, label, { size: 7 })
          left += width
        }
      }
      return y + rows.length * 40 + 6
    },
    rows(y, xs, rows) {
      for (const [line, row] of rows.entries())
        for (const [column, written] of row.entries())
          text(xs[column] ?? 40, y + line * 14, written, { bold: line === 0, size: 9 })
      return y + rows.length * 14 + 8
    },
    prose(paragraphs, { size = 10 }) {
      doc.page.margins = { top: 60, bottom: 60, left: 64, right: 64 }
      doc.font('Times-Roman').fontSize(size).text('', 64, 60)
      for (const paragraph of paragraphs) doc.text(paragraph, { lineGap: 2 }).moveDown(0.7)
    },
    nextPage() {
      doc.addPage()
      return 50
    },
  }
  draw(pen)
  const chunks: Buffer[] = []
  const finished = new Promise<Buffer>((resolve, reject) => {
    doc.on('data', (chunk: Buffer) => chunks.push(chunk))
    doc.on('end', () => resolve(Buffer.concat(chunks)))
    doc.on('error', reject)
  })
  doc.end()
  return finished
}
