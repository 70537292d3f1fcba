import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import PDFDocument from 'pdfkit'
import sharp, { type Sharp } from 'sharp'
import { withPdf } from '../pdf/open-pdf.ts'
import { renderGrey } from '../pdf/render.ts'

/** A PDF drawn by `draw`, A4 by default. */
export async function madePdf(
  draw: (document: PDFKit.PDFDocument) => void,
  options: PDFKit.PDFDocumentOptions = {},
): Promise<Buffer> {
  const document = new PDFDocument({ size: 'A4', margin: 50, ...options })
  const chunks: Buffer[] = []
  const ended = new Promise<void>((resolve) => document.on('end', resolve))
  document.on('data', (chunk: Buffer) => chunks.push(chunk))
  draw(document)
  document.end()
  await ended
  return Buffer.concat(chunks)
}

/** The first page of a PDF as an image at a resolution in dpi. */
export async function picturedPdf(pdf: Buffer, dotsPerInch: number): Promise<Sharp> {
  const { width, height, pixels } = await withPdf(pdf, ({ pdfium, document }) => {
    const page = pdfium._FPDF_LoadPage(document, 0)
    const size = { width: pdfium._FPDF_GetPageWidth(page), height: pdfium._FPDF_GetPageHeight(page) }
    const drawn = renderGrey(pdfium, { page, ...size }, size.width * size.height * (dotsPerInch / 72) ** 2)
    pdfium._FPDF_ClosePage(page)
    return drawn
  })
  return sharp(pixels, { raw: { width, height, channels: 1 } })
}

/** The lines of an invoice, for images of text. */
export const invoiceLines = [
  'ACME INSTRUMENTS LTD',
  '12 King Street, London EC2V 8AA',
  'Invoice number INV-2024-0815',
  'Due date 14 March 2024',
  'Description Quantity Amount',
  'Precision screws 3 37.50',
  'Calibration service 1 480.00',
  'Subtotal 517.50',
  'VAT at 20% 103.50',
  'Total due 621.00',
  'Payment within 14 days by bank transfer.',
]

/** A one-page invoice with lines 24 points apart from (60, 60). */
export const madeInvoice = (): Promise<Buffer> =>
  madePdf((document) => {
    document.font('Helvetica').fontSize(12)
    invoiceLines.forEach((line, index) => {
      document.text(line, 60, 60 + index * 24, { lineBreak: false })
    })
  })

/** A temporary folder for test files; `close` deletes it. */
export async function madeFolder(): Promise<{
  readonly folder: string
  write(name: string, content: Uint8Array | string): Promise<string>
  close(): Promise<void>
}> {
  const folder = await mkdtemp(path.join(tmpdir(), 'media-'))
  return {
    folder,
    write: async (name, content) => {
      const file = path.join(folder, name)
      await writeFile(file, content)
      return file
    },
    close: () => rm(folder, { recursive: true }),
  }
}
