import { Fault } from '@skillrun/core/fault.ts'

/** The Fault for a damaged document. */
export function damaged(message: string): Fault {
  return new Fault('invalid', 'unreadable_document', message)
}

/** The Fault for a page index that the document does not have. */
export function unknownPage(index: number, pageCount: number): Fault {
  const has = pageCount === 1 ? 'has only page 0' : `has pages 0 to ${pageCount - 1}`
  return new Fault('invalid', 'unknown_page', `Page ${index} was requested; the document ${has}.`)
}

/** The Fault for a document above a size limit. */
export function tooLarge(message: string): Fault {
  return new Fault('too_large', 'input_too_costly', message)
}

/** The Fault for an unsupported file format. */
export function unsupported(mediaType: string): Fault {
  const allowed =
    'send a PDF, a picture (PNG, JPEG, WebP, TIFF, GIF, AVIF, SVG), an office file (docx, xlsx, pptx, odt, ods, odp, epub), text (plain, Markdown, HTML, CSV, JSON, JSON Lines), an email (eml), or an archive of these (zip, tar, gz)'
  const known = mediaType === 'application/octet-stream' ? 'of an unknown type' : `of type ${mediaType}`
  return new Fault('unsupported', 'unsupported_input', `A file ${known} cannot be read as a document; ${allowed}.`)
}
