import { decodeKnown, decodeStrayText } from '@skillrun/core/decode-text.ts'
import { isArchiveHead } from './archive/archive.ts'
import { type DeclaredText, declaredParts, type TextKind } from './declared-text.ts'
import { looksLikeInvoice } from './invoice/looks-like-invoice.ts'
import { looksLikeMail, mailType } from './mail/looks-like-mail.ts'
import { isJson, isJsonLines, jsonLinesType } from './text/is-json.ts'
import { hasPdfHeader, withoutProlog } from './text-signature.ts'

/** The media type of some bytes by their content, and their text if they are text. */
export interface Sniffed {
  readonly mediaType: string
  readonly text?: string
  /** Of a text that nothing names the encoding of: the one that was assumed; null where none fits. */
  readonly assumedEncoding?: string | null
}

/** The media type of an electronic invoice that is an XML file. */
export const invoiceXml = 'application/xml'

/** The number of characters examined to find the kind of a text. */
const textLookedAt = 16_384

/**
 * Detects the media type of some bytes from their content. File names and claimed types are ignored, except for whether
 * a text is a table, an email or JSON, which its content does not always show. `application/octet-stream` when unknown.
 */
export async function sniff(bytes: Uint8Array, declared?: DeclaredText): Promise<Sniffed> {
  // The first file of an archive, if it is not compressed, may be a PDF.
  if (hasPdfHeader(bytes) && !isArchiveHead(bytes)) return { mediaType: 'application/pdf' }
  const { kind, charset } = declaredParts(declared)
  if (looksLikeMail(bytes, { isDeclared: kind === 'mail' })) return { mediaType: mailType }
  const known = decodeKnown(bytes, charset)
  // Signatures such as `BM` or `ID3` do not count when all bytes are text.
  if (known?.isAssumed === false) return { mediaType: await textType(known.text, kind), text: known.text }
  if (known === undefined) {
    const { fileTypeFromBuffer } = await import('file-type')
    const signature = await fileTypeFromBuffer(bytes)
    if (signature) return { mediaType: signature.mime }
  }
  const { decodeNamed, decodeWide, guessEncoding } = await import('./text/guess-encoding.ts')
  const named = charset === undefined ? undefined : decodeNamed(bytes, charset)
  if (named !== undefined) return { mediaType: await textType(named, kind), text: named }
  if (known) {
    const { text, assumed } = guessEncoding(bytes) ?? { text: known.text, assumed: null }
    return { mediaType: await textType(text, kind), text, ...(assumed !== undefined && { assumedEncoding: assumed }) }
  }
  const text = decodeWide(bytes) ?? decodeStrayText(bytes, charset)
  return text === undefined
    ? { mediaType: 'application/octet-stream' }
    : { mediaType: await textType(text, kind), text }
}

/** The kind of a text by its form. JSON that is declared may be damaged. */
export async function textType(text: string, declared?: TextKind): Promise<string> {
  const start = text.slice(0, textLookedAt).trimStart()
  const body = withoutProlog(start)
  if (/^(?:<!doctype svg[^>]*>\s*)?<svg[\s>]/i.test(body)) return 'image/svg+xml'
  if (looksLikeInvoice(text)) return invoiceXml
  if (/^(?:<!doctype html|<html[\s>])/i.test(body)) return 'text/html'
  if (/^<(?:head|body|table|div|p|h[1-6]|ul|ol|section|article|main|form|span|meta|style|title)[\s>]/i.test(start)) {
    return 'text/html'
  }
  if (start.startsWith('{\\rtf')) return 'application/rtf'
  if (start.startsWith('%!PS')) return 'application/postscript'
  const isDeclaredJson = declared === 'json' || declared === 'jsonl'
  if (isDeclaredJson || /^[{[]/.test(start)) {
    if (isJson(text)) return 'application/json'
    if (declared === 'jsonl' || isJsonLines(text)) return jsonLinesType
    if (isDeclaredJson) return 'application/json'
  }
  if (hasMarkdownTable(start)) return 'text/markdown'
  const { delimitedTable } = await import('./text/csv.ts')
  const table = declared === 'text' ? undefined : delimitedTable(text, { isDeclared: declared === 'table' })
  if (table !== undefined) return table.delimiter === '\t' ? 'text/tab-separated-values' : 'text/csv'
  return isMarkdown(start) ? 'text/markdown' : 'text/plain'
}

function isMarkdown(start: string): boolean {
  return /^#{1,6} \S/m.test(start) || /^```/m.test(start)
}

function hasMarkdownTable(start: string): boolean {
  return /^[ \t]*\|?[ \t]*:?-{3,}:?[ \t]*\|/m.test(start)
}
