import { open } from 'node:fs/promises'
import { type DeclaredText, declaredParts, type TextKind } from './declared-text.ts'
import type { DocumentWarning, Page, ReadDocument, UnreadPages } from './document.ts'
import { damaged, tooLarge, unknownPage, unsupported } from './faults.ts'
import { KnownPages } from './known-pages.ts'
import { type ReadLimits, readLimits } from './limits.ts'
import { mailType } from './mail/looks-like-mail.ts'
import { invoiceXml, sniff, textType } from './sniff.ts'
import type { GridWord } from './text/grid.ts'
import { jsonLinesType } from './text/is-json.ts'

/** The input: a local file, bytes, or a text in memory. */
export type ReadRequest = (
  | { readonly path: string; readonly pageIndices?: readonly number[] }
  | { readonly bytes: Uint8Array; readonly pageIndices?: readonly number[] }
  | { readonly text: string }
) & {
  /** What the sender says a text is; ignored for other formats. */
  readonly declared?: DeclaredText
  /** Overrides of the default limits. */
  readonly limits?: Partial<ReadLimits>
  /** An earlier version of the document: pages whose images are the same are not read by OCR again. The result is that of reading all. */
  readonly earlier?: Pick<ReadDocument, 'pages'>
}

interface PageRequest {
  /** 0-based; default: all pages. */
  readonly pageIndices: readonly number[] | undefined
  readonly declared?: TextKind | undefined
  readonly limits: ReadLimits
  readonly known?: KnownPages
}

/**
 * Reads a document into positioned words. Run it in the process pool (see `packed-document.ts`): this parses untrusted bytes,
 * and a broken or costly file affects the calling process. Throws Fault: `unsupported_input`, `encrypted_document`,
 * `unreadable_document`, `unknown_page`, `input_too_costly`.
 */
export async function readDocument(request: ReadRequest): Promise<ReadDocument> {
  const limits = { ...readLimits, ...request.limits }
  const { earlier } = request
  const declared = declaredParts(request.declared).kind
  const known = earlier && new KnownPages(earlier)
  if ('text' in request) return await readText(request.text, { pageIndices: undefined, declared, limits })
  const { pageIndices } = request
  const bytes = 'bytes' in request ? request.bytes : await readBytes(request.path, limits.fileBytesMax)
  const { mediaType, text, assumedEncoding } = await sniff(bytes, request.declared)
  if (mediaType === 'application/pdf')
    return await readPdfDocument(bytes, { pageIndices, limits, ...(known && { known }) })
  if (mediaType === mailType) return await readMailDocument(bytes, { pageIndices, limits })
  if (mediaType.startsWith('image/'))
    return await readImageDocument({ bytes, mediaType }, { pageIndices, limits, ...(known && { known }) })
  if (isZipped(mediaType)) {
    const { isOffice, readOffice } = await import('./office/office.ts')
    if (isOffice(mediaType))
      return notTooLong({ mediaType, ...(await readOffice({ bytes, mediaType }, request)) }, limits)
  }
  if (text === undefined || unreadTexts.has(mediaType)) throw unsupported(mediaType)
  if (assumedEncoding === null) throw damaged(unknownEncoding)
  const document = await readText(text, { pageIndices, declared, limits }, mediaType)
  if (assumedEncoding === undefined) return document
  return { ...document, warnings: [...(document.warnings ?? []), encodingAssumed(assumedEncoding)] }
}

const unknownEncoding = 'The text is neither UTF-8 nor in another encoding that is recognised; save it as UTF-8.'

const encodingAssumed = (encoding: string): DocumentWarning => ({
  code: 'encoding_assumed',
  message: `The text is not UTF-8 and names no encoding; it was read as ${encoding}, which it looks like. If letters are wrong, save it as UTF-8.`,
})

/** Media types of office files, which are zips. */
const isZipped = (mediaType: string): boolean => /^application\/(vnd\.(openxmlformats|oasis)|epub\+zip)/.test(mediaType)

/** Text formats that describe a page in code. */
const unreadTexts = new Set(['application/rtf', 'application/postscript'])

async function readBytes(path: string, bytesMax: number): Promise<Uint8Array> {
  const file = await open(path)
  try {
    const { size } = await file.stat()
    if (size === 0) throw damaged('The file is empty; send one with content.')
    if (size > bytesMax) throw tooLarge(`The file has ${size} bytes; the limit is ${bytesMax}.`)
    return await file.readFile()
  } finally {
    await file.close()
  }
}

async function readPdfDocument(bytes: Uint8Array, { pageIndices, limits, known }: PageRequest): Promise<ReadDocument> {
  const { readPdf } = await import('./pdf/read-pdf.ts')
  const { unread, ...read } = await readPdf(bytes, { ...(pageIndices && { pageIndices }), limits, known })
  return withUnread({ mediaType: 'application/pdf', ...read }, unread)
}

async function readImageDocument(
  image: { bytes: Uint8Array; mediaType: string },
  { pageIndices, limits, known }: PageRequest,
): Promise<ReadDocument> {
  const { readImage } = await import('./image/read-image.ts')
  const { pageCount, pages, unread } = await readImage(image, {
    ...(pageIndices && { pageIndices }),
    limits,
    ...(known && { known }),
  })
  return withUnread({ mediaType: image.mediaType, pageCount, pages }, unread)
}

const rangesNamed = 10

/** A document with the pages that were not read, and a warning that names them. */
function withUnread(document: ReadDocument, unread: readonly UnreadPages[]): ReadDocument {
  if (unread.length === 0) return document
  const parts = unread.map(({ indices, reason }) => {
    const ranges = rangesOf(indices)
    const more = ranges.length > rangesNamed ? ` and ${ranges.length - rangesNamed} more` : ''
    return `${ranges.slice(0, rangesNamed).join(', ')}${more} (${reason})`
  })
  const warning = { code: 'pages_not_read', message: `Pages that were not read: ${parts.join('; ')}` }
  return { ...document, unread, warnings: [...(document.warnings ?? []), warning] }
}

/** Ascending indices of pages as ranges of page numbers: `1001 to 2000`. */
function rangesOf(indices: readonly number[]): string[] {
  const ranges: { first: number; last: number }[] = []
  for (const index of indices) {
    const range = ranges.at(-1)
    if (range?.last === index) range.last = index + 1
    else ranges.push({ first: index + 1, last: index + 1 })
  }
  return ranges.map(({ first, last }) => (first === last ? String(first) : `${first} to ${last}`))
}

async function readText(
  text: string,
  { pageIndices, declared, limits }: PageRequest,
  known?: string,
): Promise<ReadDocument> {
  const mediaType = known ?? (await textType(text, declared))
  if (text.length > limits.textBytesMax) {
    throw tooLarge(`The text has ${text.length} characters; the limit is ${limits.textBytesMax}.`)
  }
  refuseFurtherPages(pageIndices)
  if (mediaType === invoiceXml) return notTooLong(await readInvoiceFile(text), limits)
  return notTooLong({ mediaType, pageCount: 1, pages: [await pageOfText(text, mediaType, declared)] }, limits)
}

async function readMailDocument(bytes: Uint8Array, { pageIndices, limits }: PageRequest): Promise<ReadDocument> {
  refuseFurtherPages(pageIndices)
  const { readMail } = await import('./mail/read-mail.ts')
  return notTooLong({ mediaType: mailType, pageCount: 1, ...(await readMail(bytes, limits)) }, limits)
}

/** Throws unless all indices are of the first page. */
function refuseFurtherPages(pageIndices: readonly number[] | undefined): void {
  const missing = pageIndices?.find((index) => index !== 0)
  if (missing !== undefined) throw unknownPage(missing, 1)
}

async function readInvoiceFile(text: string): Promise<ReadDocument> {
  const [{ readInvoice }, { pageOfXml }] = await Promise.all([
    import('./invoice/read-invoice.ts'),
    import('./invoice/invoice-page.ts'),
  ])
  const invoice = readInvoice(text)
  if (invoice === undefined) throw damaged('The XML is not an invoice: the namespace of its root element is unknown.')
  return { mediaType: invoiceXml, pageCount: 1, pages: [pageOfXml(invoice.root)], invoice: invoice.data }
}

function notTooLong(document: ReadDocument, { wordsMax }: ReadLimits): ReadDocument {
  const words = document.pages.reduce((sum, page) => sum + page.words.length, 0)
  if (words > wordsMax) throw tooLarge(`The text has ${words} words; the limit is ${wordsMax}.`)
  return document
}

async function pageOfText(text: string, mediaType: string, declared?: TextKind): Promise<Page> {
  const { gridPage } = await import('./text/grid.ts')
  const pageOfJson = ({ words, hasTable }: { words: GridWord[]; hasTable: boolean }): Page => ({
    ...gridPage(words),
    ...(hasTable && { isTabular: true }),
  })
  switch (mediaType) {
    case 'text/html':
      return gridPage((await import('./text/html.ts')).wordsOfHtml(text))
    case 'application/json': {
      const { requireJson, wordsOfJson } = await import('./text/json.ts')
      if (declared !== undefined) requireJson(text)
      return pageOfJson(wordsOfJson(text))
    }
    case jsonLinesType: {
      const rows = (await import('./text/json-lines.ts')).tableOfJsonLines(text)
      if (rows === undefined) return pageOfJson((await import('./text/json.ts')).wordsOfJson(text))
      const { wordsOfCells } = await import('./text/csv.ts')
      return { ...gridPage(wordsOfCells(rows)), isTabular: true }
    }
    case 'text/csv':
    case 'text/tab-separated-values': {
      const { delimitedTable, wordsOfTable } = await import('./text/csv.ts')
      const table = delimitedTable(text, { isDeclared: declared === 'table' })
      return { ...gridPage(wordsOfTable(table ?? { rows: [] })), isTabular: true }
    }
    case 'text/markdown':
      return gridPage((await import('./text/markdown.ts')).wordsOfMarkdown(text))
    default:
      return gridPage((await import('./text/plain.ts')).wordsOfText(text))
  }
}
