import { Fault } from '../../kit/fault.ts'
import type { Page, UnreadPages } from '../document.ts'
import { damaged, tooLarge, unknownPage } from '../faults.ts'
import { readPicture } from '../image/read-image.ts'
import type { ReadLimits } from '../limits.ts'
import { type GlyphPage, readGlyphs } from './glyphs.ts'
import { loadPdfium, type Pdfium, type Pointer } from './pdfium.ts'
import { renderGrey } from './render.ts'
import { readableCharacters, wordsOfGlyphs } from './text-layer.ts'

/** A page with fewer characters in its text layer is read as a picture: a stamp or a page number is no text layer. */
const textLayerCharactersMin = 20
const errorPassword = 4
const errorSecurity = 5

/** What a PDF gave: its pages that were read, and those that were not with the reason. */
export interface PdfReading {
  readonly pageCount: number
  readonly pages: readonly Page[]
  readonly unread: readonly UnreadPages[]
}

/**
 * Reads the pages `pageIndices` (all where absent) of a PDF. Throws Fault `encrypted_document` where a password is
 * needed, `unreadable_document` where the bytes are no whole PDF, `unknown_page` for an index that it does not have.
 */
export async function readPdf(
  bytes: Uint8Array,
  { pageIndices, limits }: { pageIndices?: readonly number[]; limits: ReadLimits },
): Promise<PdfReading> {
  const pdfium = await loadPdfium()
  const data = pdfium.wasmExports.malloc(Math.max(1, bytes.length))
  if (data === 0) throw tooLarge('The PDF is too large to be held in memory.')
  pdfium.HEAPU8.set(bytes, data)
  const document = pdfium._FPDF_LoadMemDocument(data, bytes.length, 0)
  try {
    if (document === 0) throw openingFault(pdfium._FPDF_GetLastError())
    return await readPages(pdfium, document, { ...(pageIndices && { pageIndices }), limits })
  } finally {
    if (document !== 0) pdfium._FPDF_CloseDocument(document)
    pdfium.wasmExports.free(data)
  }
}

function openingFault(error: number): Fault {
  if (error === errorPassword || error === errorSecurity) {
    return new Fault('invalid', 'encrypted_document', 'The PDF is protected by a password; send it without one.')
  }
  return damaged('The PDF is damaged or cut short; send a whole PDF file.')
}

async function readPages(
  pdfium: Pdfium,
  document: Pointer,
  { pageIndices, limits }: { pageIndices?: readonly number[]; limits: ReadLimits },
): Promise<PdfReading> {
  const pageCount = pdfium._FPDF_GetPageCount(document)
  if (pageCount < 1) throw openingFault(0)
  const wanted = pageIndices ?? Array.from({ length: pageCount }, (_, index) => index)
  const missing = wanted.find((index) => index < 0 || index >= pageCount)
  if (missing !== undefined) throw unknownPage(missing, pageCount)
  const pages: Page[] = []
  const unread = new Unread()
  let words = 0
  let recognised = 0
  for (const [position, index] of wanted.entries()) {
    if (position >= limits.pagesMax) unread.add(index, `more than ${limits.pagesMax} pages`)
    else if (words >= limits.wordsMax) unread.add(index, `more than ${limits.wordsMax} words`)
    else {
      const opened = openPage(pdfium, { document, index }, limits)
      if (opened === undefined) unread.add(index, 'the page is damaged')
      else if ('words' in opened) pages.push(opened)
      else if (recognised >= limits.ocrPagesMax) unread.add(index, `more than ${limits.ocrPagesMax} pages are pictures`)
      else {
        recognised += 1
        pages.push(await readPicturePage(pdfium, { document, index, size: opened }, limits))
      }
    }
    words += pages.at(-1)?.words.length ?? 0
  }
  return { pageCount, pages, unread: unread.list() }
}

interface PageSize {
  readonly width: number
  readonly height: number
}

/** The page's words where it has a text layer, else its size; undefined where it cannot be loaded. */
function openPage(
  pdfium: Pdfium,
  { document, index }: { document: Pointer; index: number },
  limits: ReadLimits,
): Page | PageSize | undefined {
  const page = loadFlatPage(pdfium, document, index)
  if (page === 0) return undefined
  try {
    const glyphs = readGlyphs(pdfium, page, limits.pageCharactersMax)
    if (hasTextLayer(glyphs)) return textPage(index, glyphs)
    const { width, height } = glyphs
    return { width, height }
  } finally {
    pdfium._FPDF_ClosePage(page)
  }
}

/** Draws a page without a text layer and reads the drawing. */
async function readPicturePage(
  pdfium: Pdfium,
  { document, index, size }: { document: Pointer; index: number; size: PageSize },
  limits: ReadLimits,
): Promise<Page> {
  const { width, height } = size
  const page = loadFlatPage(pdfium, document, index)
  try {
    const look = async (areaMax: number) =>
      renderGrey(pdfium, { page, width, height }, Math.min(areaMax, limits.pixelsMax))
    return { index, width, height, source: 'ocr', ...(await readPicture(look, limits)) }
  } finally {
    pdfium._FPDF_ClosePage(page)
  }
}

/** Loads a page with its form fields and notes pressed into it, so that what was filled in is part of the text. */
function loadFlatPage(pdfium: Pdfium, document: Pointer, index: number): Pointer {
  const page = pdfium._FPDF_LoadPage(document, index)
  if (page === 0 || pdfium._FPDFPage_GetAnnotCount(page) === 0) return page
  const flattened = 1
  const result = pdfium._FPDFPage_Flatten(page, 0)
  if (result !== flattened) return page
  pdfium._FPDF_ClosePage(page)
  return pdfium._FPDF_LoadPage(document, index)
}

function hasTextLayer(page: GlyphPage): boolean {
  const { readable, unmapped } = readableCharacters(page)
  return readable >= textLayerCharactersMin && readable > unmapped
}

function textPage(index: number, page: GlyphPage): Page {
  const { width, height } = page
  return { index, width, height, source: 'text-layer', turnedDegrees: 0, words: wordsOfGlyphs(page) }
}

/** Gathers unread pages under their reasons. */
class Unread {
  readonly #byReason = new Map<string, number[]>()

  add(index: number, reason: string): void {
    const indices = this.#byReason.get(reason)
    if (indices === undefined) this.#byReason.set(reason, [index])
    else indices.push(index)
  }

  list(): UnreadPages[] {
    return [...this.#byReason].map(([reason, indices]) => ({ reason, indices }))
  }
}
