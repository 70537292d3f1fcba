import { readFile, stat } from 'node:fs/promises'
import { PDFDocument } from '@cantoo/pdf-lib'
import { Fault } from '@skillrun/core/fault.ts'
import { damaged, tooLarge } from '@skillrun/reader/media/faults.ts'
import { readLimits } from '@skillrun/reader/media/limits.ts'
import { refuseUnpackingTooMuch } from '@skillrun/reader/media/pdf/unpacked-size.ts'
import { sniff } from '@skillrun/reader/media/sniff.ts'

/**
 * Loads a PDF for changing it. `otherwise` makes the Fault for a file of another type. Only for jobs of the process pool. Throws Fault
 * `encrypted_document`, `unreadable_document`, `input_too_costly`.
 */
export async function loadPdf(path: string, otherwise: (mediaType: string) => Fault): Promise<PDFDocument> {
  const { size } = await stat(path)
  if (size > readLimits.fileBytesMax)
    throw tooLarge(`The file has ${size} bytes; the limit for PDF files is ${readLimits.fileBytesMax} bytes.`)
  const bytes = await readFile(path)
  const { mediaType } = await sniff(bytes)
  if (mediaType !== 'application/pdf') throw otherwise(mediaType)
  refuseUnpackingTooMuch(bytes)
  return whileLoading(() => PDFDocument.load(bytes, { updateMetadata: false }))
}

/** Turns the errors of the PDF library into Faults. */
export async function whileLoading<T>(work: () => T | Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof Error && /encrypt|password/i.test(error.message))
      throw new Fault('invalid', 'encrypted_document', 'The PDF is password-protected; send it without a password.')
    throw damaged('The PDF is damaged or truncated; send a complete PDF file.')
  }
}
