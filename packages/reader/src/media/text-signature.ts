/** A PDF header may follow this many other bytes (PDF 1.7, Appendix H, note 13). */
const pdfHeaderWithin = 1024

/** True when bytes start like a PDF, which may consist of text only. */
export function hasPdfHeader(bytes: Uint8Array): boolean {
  return Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, pdfHeaderWithin)).includes('%PDF-')
}

/** The media type of textual bytes that start with a signature; undefined for other text. */
export function textSignature(bytes: Uint8Array): string | undefined {
  if (hasPdfHeader(bytes)) return 'application/pdf'
  const start = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, 100)).toString('latin1').trimStart()
  if (start.startsWith('{\\rtf')) return 'application/rtf'
  return start.startsWith('%!PS') ? 'application/postscript' : undefined
}
