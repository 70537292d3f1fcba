import { looksLikeMail, mailType } from './mail/looks-like-mail.ts'

/** A PDF header may follow this many other bytes (PDF 1.7, Appendix H, note 13). */
const pdfHeaderWithin = 1024

/** True when bytes start like a PDF, which may consist of text only. */
export function hasPdfHeader(bytes: Uint8Array): boolean {
  return Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, pdfHeaderWithin)).includes('%PDF-')
}

/** The media type of a text that starts with a signature, by its first bytes; undefined for other text. */
export function textSignature(bytes: Uint8Array): string | undefined {
  if (hasPdfHeader(bytes)) return 'application/pdf'
  if (looksLikeMail(bytes, { isCut: true })) return mailType
  const start = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, 100)).toString('latin1').trimStart()
  if (start.startsWith('{\\rtf')) return 'application/rtf'
  return start.startsWith('%!PS') ? 'application/postscript' : undefined
}

/** A text from behind its XML declaration and its first comments; each is passed once, however many there are. */
export function withoutProlog(text: string): string {
  let at = /^<\?xml[^>]*>\s*/i.exec(text)?.[0].length ?? 0
  while (text.startsWith('<!--', at)) {
    const end = text.indexOf('-->', at + '<!--'.length)
    if (end < 0) break
    at = end + '-->'.length
    while (at < text.length && /\s/.test(text.charAt(at))) at += 1
  }
  return text.slice(at)
}
