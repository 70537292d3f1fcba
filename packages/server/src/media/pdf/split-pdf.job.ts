import { PDFDocument } from '@cantoo/pdf-lib'
import { Fault } from '@skillrun/core/fault.ts'
import { loadPdf, whileLoading } from './load-pdf.ts'
import type { SplitRequest } from './split-pdf.ts'

/** See `splitPdfJob`. */
export default async function splitPdf({ path, ranges }: SplitRequest): Promise<readonly Uint8Array[]> {
  const source = await loadPdf(
    path,
    (mediaType) => new Fault('invalid', 'not_a_pdf', `A file of type ${mediaType} cannot be split; send a PDF`),
  )
  return whileLoading(async () => {
    const parts: Uint8Array[] = []
    for (const { first, last } of ranges) {
      const part = await PDFDocument.create({ updateMetadata: false })
      const indices = Array.from({ length: last - first + 1 }, (_, at) => first + at)
      for (const page of await part.copyPages(source, indices)) part.addPage(page)
      parts.push(await part.save())
    }
    return parts
  })
}
