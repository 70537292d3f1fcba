import { decodeText } from '@skillrun/core/decode-text.ts'
import { Fault } from '@skillrun/core/fault.ts'
import type { DocumentWarning } from '../document.ts'
import type { InvoiceData } from '../invoice/invoice-data.ts'
import { looksLikeInvoice } from '../invoice/looks-like-invoice.ts'
import { readInvoice } from '../invoice/read-invoice.ts'
import type { OpenPdf } from './open-pdf.ts'
import type { Pdfium, Pointer } from './pdfium.ts'

/** Limits: attached files examined, and bytes of one. */
const attachmentsMax = 100
const attachmentBytesMax = 8 * 1024 * 1024
const nameBytesMax = 4 * 1024

interface Attached {
  readonly invoice?: InvoiceData
  readonly warnings: readonly DocumentWarning[]
}

/**
 * The data of the first attached file that is an electronic invoice, whatever its name. A damaged or too large one is a warning, because
 * the pages can still be read.
 */
export function attachedInvoice({ pdfium, document }: OpenPdf): Attached {
  const count = Math.min(pdfium._FPDFDoc_GetAttachmentCount(document), attachmentsMax)
  const warnings: DocumentWarning[] = []
  for (let index = 0; index < count; index += 1) {
    const attachment = pdfium._FPDFDoc_GetAttachment(document, index)
    if (attachment === 0) continue
    const name = nameOf(pdfium, attachment)
    const bytes = contentOf(pdfium, attachment)
    if (bytes === undefined) {
      if (/\.xml$/i.test(name)) warnings.push(unreadable(name, `it has more than ${attachmentBytesMax} bytes.`))
      continue
    }
    const text = decodeText(bytes)
    if (text === undefined || !looksLikeInvoice(text)) continue
    try {
      const read = readInvoice(text, name)
      if (read) return { invoice: read.data, warnings }
    } catch (error) {
      if (!(error instanceof Fault)) throw error
      warnings.push(unreadable(name, error.message))
    }
  }
  return { warnings }
}

const unreadable = (name: string, why: string): DocumentWarning => ({
  code: 'invoice_data_unreadable',
  message: `The attached invoice data ${JSON.stringify(name)} was not read: ${why}`,
})

function nameOf(pdfium: Pdfium, attachment: Pointer): string {
  return withMemory(pdfium, nameBytesMax, (buffer) => {
    const bytes = pdfium._FPDFAttachment_GetName(attachment, buffer, nameBytesMax)
    if (bytes < 2 || bytes > nameBytesMax) return ''
    return Buffer.from(pdfium.HEAPU8.slice(buffer, buffer + bytes - 2)).toString('utf16le')
  })
}

/** The bytes of an attached file; undefined if it has none or too many. */
function contentOf(pdfium: Pdfium, attachment: Pointer): Uint8Array | undefined {
  const sizeBytes = 4
  return withMemory(pdfium, sizeBytes, (size) => {
    const sizeIn = (): number => new DataView(pdfium.HEAPU8.buffer, size, sizeBytes).getUint32(0, true)
    if (pdfium._FPDFAttachment_GetFile(attachment, 0, 0, size) !== 1) return undefined
    const bytes = sizeIn()
    if (bytes === 0 || bytes > attachmentBytesMax) return undefined
    return withMemory(pdfium, bytes, (buffer) =>
      pdfium._FPDFAttachment_GetFile(attachment, buffer, bytes, size) === 1
        ? pdfium.HEAPU8.slice(buffer, buffer + bytes)
        : undefined,
    )
  })
}

function withMemory<T>(pdfium: Pdfium, bytes: number, use: (buffer: Pointer) => T): T {
  const buffer = pdfium.wasmExports.malloc(bytes)
  try {
    return use(buffer)
  } finally {
    pdfium.wasmExports.free(buffer)
  }
}
