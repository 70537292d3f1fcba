import PDFDocument from 'pdfkit'

/** Lines of an invoice that many tests use. */
export const invoiceLines = [
  'Northwind Paper Ltd.',
  'Invoice',
  'Invoice No: INV-2041',
  'Invoice Date: 2026-03-14',
  'Due Date: 2026-04-13',
  'Subtotal: 120.00',
  'VAT 20%: 24.00',
  'Total: EUR 144.00',
]

/** A PDF with one line of text below the other, one page per list of lines. */
export async function makePdf(
  pages: readonly (readonly string[])[],
  options: PDFKit.PDFDocumentOptions = {},
): Promise<Buffer> {
  const document = new PDFDocument({ size: 'A4', margin: 50, autoFirstPage: false, ...options })
  const parts: Buffer[] = []
  document.on('data', (part: Buffer) => parts.push(part))
  const ended = new Promise<void>((resolve) => document.on('end', resolve))
  for (const lines of pages) {
    document.addPage().fontSize(11)
    lines.forEach((line, index) => {
      document.text(line, 50, 60 + index * 24, { lineBreak: false })
    })
  }
  document.end()
  await ended
  return Buffer.concat(parts)
}

/** A schema for fields of `invoiceLines`, each of which may be missing. */
export const invoiceSchema = {
  type: 'object',
  properties: {
    invoice_number: { type: ['string', 'null'] },
    invoice_date: { type: ['string', 'null'], format: 'date' },
    total: { type: ['number', 'null'] },
  },
  required: ['invoice_number', 'invoice_date', 'total'],
  additionalProperties: false,
}
