import { readFile } from 'node:fs/promises'
import { Fault } from '../kit/fault.ts'
import type { ReadDocument } from './document.ts'
import { type ReadLimits, readLimits } from './limits.ts'
import { sniffMediaType } from './sniff.ts'

/** What to read: a local file, or a text that is already at hand. */
export type ReadRequest = (
  | { readonly path: string; readonly pageIndices?: readonly number[] }
  | { readonly text: string }
) & {
  /** Bounds other than the server's own. */
  readonly limits?: Partial<ReadLimits>
}

/**
 * Reads a document to positioned words. Meant for the workshop (see `read.ts`), for hostile bytes end here: a caller in
 * process takes what a broken or costly file does to it.
 *
 * Throws Fault: `unsupported_input` for a kind that is not read here, `encrypted_document`, `unreadable_document`,
 * `unknown_page`, `input_too_large`.
 */
export async function readDocument(request: ReadRequest): Promise<ReadDocument> {
  const limits = { ...readLimits, ...request.limits }
  if ('text' in request) return readText(request.text, 'text/plain')
  const bytes = await readFile(request.path)
  const mediaType = await sniffMediaType(bytes)
  if (mediaType === 'application/pdf') {
    const { readPdf } = await import('./pdf/read-pdf.ts')
    const { pageIndices } = request
    const { unread, ...reading } = await readPdf(bytes, { ...(pageIndices && { pageIndices }), limits })
    return { mediaType, ...reading, ...(unread.length > 0 && { unread }) }
  }
  if (mediaType.startsWith('image/')) {
    const { decodeGrey, readGrey } = await import('./image/read-image.ts')
    const picture = await decodeGrey(bytes, limits.pixelsMax)
    const { width, height } = picture
    return {
      mediaType,
      pageCount: 1,
      pages: [{ index: 0, width, height, source: 'ocr', ...(await readGrey(picture)) }],
    }
  }
  if (mediaType.startsWith('text/') || mediaType === 'application/json') {
    return readText(new TextDecoder().decode(bytes), mediaType)
  }
  throw new Fault('unsupported', 'unsupported_input', `A file of type ${mediaType} cannot be read here.`)
}

async function readText(text: string, mediaType: string): Promise<ReadDocument> {
  const { gridPage } = await import('./text/grid.ts')
  const { wordsOfText } = await import('./text/plain.ts')
  return { mediaType, pageCount: 1, pages: [gridPage(wordsOfText(text))] }
}
