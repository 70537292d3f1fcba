/** A PDF's header may stand behind this many bytes of something else (PDF 1.7, Appendix H, note 13). */
const pdfHeaderWithin = 1024

/** Whether bytes begin as a PDF does, which may be text from end to end. */
export function hasPdfHeader(bytes: Uint8Array): boolean {
  return Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, pdfHeaderWithin)).includes('%PDF-')
}

/** The media type of bytes that are text and yet begin with a signature. Undefined for other text. */
export function textSignature(bytes: Uint8Array): string | undefined {
  if (hasPdfHeader(bytes)) return 'application/pdf'
  const start = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, 100)).toString('latin1').trimStart()
  if (start.startsWith('{\\rtf')) return 'application/rtf'
  return start.startsWith('%!PS') ? 'application/postscript' : undefined
}
