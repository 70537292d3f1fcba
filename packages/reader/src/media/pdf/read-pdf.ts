import type { DocumentWarning, Page, UnreadPages } from '../document.ts'
import { unknownPage } from '../faults.ts'
import type { InvoiceData } from '../invoice/invoice-data.ts'
import type { KnownPages } from '../known-pages.ts'
import type { ReadLimits } from '../limits.ts'
import { movedPage, wordCount } from '../packed-pages.ts'
import { attachedInvoice } from './attached-invoice.ts'
import { type Drawing, drawingOf } from './drawing.ts'
import { type GlyphPage, readGlyphs } from './glyphs.ts'
import { type HiddenText, hiddenWarnings, withoutHidden } from './hidden-text.ts'
import { loadFlatPage, type OpenPdf, withPdf } from './open-pdf.ts'
import { pagePrints } from './page-prints.ts'
import { renderGrey } from './render.ts'
import { rulesOn } from './ruling.ts'
import { readableCharacters } from './text-layer.ts'
import { turnedWords } from './turned-text.ts'

/** A page with fewer characters in its text layer is read by OCR if it has any graphics. */
const textLayerCharactersMin = 20
/** A page with fewer characters is read by OCR if it is mostly an image: a stamp on a scan is no text layer. */
const stampCharactersMax = 300
/** Images that cover more than this share of a page make it a scan. */
const scanShare = 0.6

/** The pages of a PDF that were read, and those that were not, with the reason. */
export interface PdfReading {
  readonly pageCount: number
  readonly pages: readonly Page[]
  readonly unread: readonly UnreadPages[]
  readonly invoice?: InvoiceData
  readonly warnings?: readonly DocumentWarning[]
}

interface PdfRequest {
  readonly pageIndices?: readonly number[]
  readonly limits: ReadLimits
  /** Pages that OCR need not read again. */
  readonly known?: KnownPages | undefined
}

/**
 * Reads the pages `pageIndices` (default: all) of a PDF. Throws Fault `encrypted_document` when it needs a password,
 * `unreadable_document` when it is no complete PDF, `unknown_page` for an invalid index.
 */
export async function readPdf(bytes: Uint8Array, request: PdfRequest): Promise<PdfReading> {
  return await withPdf(bytes, (pdf) => readPages(pdf, request))
}

async function readPages(pdf: OpenPdf, { pageIndices, limits, known }: PdfRequest): Promise<PdfReading> {
  const { pageCount } = pdf
  const wanted = pageIndices ?? Array.from({ length: pageCount }, (_, index) => index)
  const missing = wanted.find((index) => index < 0 || index >= pageCount)
  if (missing !== undefined) throw unknownPage(missing, pageCount)
  const pages: Page[] = []
  const unread = new Unread()
  const hidden = new Map<number, readonly HiddenText[]>()
  const prints = await pagePrints(pdf, { indices: wanted.slice(0, limits.pagesMax), limits })
  let words = 0
  let recognised = 0
  for (const [position, index] of wanted.entries()) {
    const print = prints.get(index)
    const same = print === undefined ? undefined : known?.withPrint(print)
    const open = (): OpenedPage | undefined => (same ? knownPage(same, index) : openPage(pdf, index, limits))
    const opened = position < limits.pagesMax ? open() : undefined
    if (position >= limits.pagesMax) unread.add(index, `more than ${limits.pagesMax} pages`)
    else if (words >= limits.wordsMax) unread.add(index, `more than ${limits.wordsMax} words`)
    else if (opened === undefined) unread.add(index, 'the page is damaged')
    else if (opened.hasPicture && recognised >= limits.ocrPagesMax) {
      unread.add(index, `more than ${limits.ocrPagesMax} pages are images`)
    } else {
      if (opened.hasPicture) recognised += 1
      const isRead = same !== undefined || !opened.hasPicture
      const page = isRead ? opened.page : await readDrawn(pdf, opened.page, { limits, known })
      // What is hidden on a page is not kept with it.
      const isPrinted = print === undefined || print === page.print || opened.hidden.length > 0
      pages.push(isPrinted ? page : { ...page, print })
      if (opened.hidden.length > 0) hidden.set(index, opened.hidden)
      words += wordCount(page)
    }
  }
  const { invoice, warnings: ofInvoice } = attachedInvoice(pdf)
  const warnings = [...hiddenWarnings(hidden), ...ofInvoice]
  return {
    pageCount,
    pages,
    unread: unread.list(),
    ...(invoice && { invoice }),
    ...(warnings.length > 0 && { warnings }),
  }
}

/** A page from its text layer, and whether its graphics need OCR. */
interface OpenedPage {
  readonly page: Page
  readonly hasPicture: boolean
  readonly hidden: readonly HiddenText[]
}

/** A page that was read in an earlier version of the document. */
const knownPage = (page: Page, index: number): OpenedPage => ({
  page: movedPage(page, index),
  hasPicture: page.source === 'ocr',
  hidden: [],
})

/** The words of a page's text layer; undefined when the page cannot be loaded. */
function openPage(pdf: OpenPdf, index: number, limits: ReadLimits): OpenedPage | undefined {
  const { pdfium } = pdf
  const page = loadFlatPage(pdf, index)
  if (page === 0) return undefined
  try {
    const all = readGlyphs(pdfium, page, limits.pageCharactersMax)
    const { width, height } = all
    const whole = readableCharacters(all)
    const garbled = whole.unmapped >= whole.readable && whole.unmapped > 0
    const seen = garbled ? { glyphs: all, hidden: [], isLayer: false } : withoutHidden(pdfium, page, all)
    const { glyphs, hidden } = seen
    const { readable } = readableCharacters(glyphs)
    const { words, turnedDegrees } = garbled ? { words: [], turnedDegrees: 0 } : turnedWords(glyphs)
    // Rules are level and upright on the page as displayed.
    const rules = turnedDegrees === 0 ? rulesOn(pdfium, page, all) : []
    return {
      page: {
        index,
        width,
        height,
        source: 'text-layer',
        turnedDegrees,
        words,
        ...(rules.length > 0 && { rules }),
        ...(seen.isLayer && { isDoubted: true }),
      },
      hidden,
      hasPicture: garbled || (readable < stampCharactersMax && isDrawn(drawingOf(pdfium, page), glyphs, readable)),
    }
  } finally {
    pdfium._FPDF_ClosePage(page)
  }
}

/** True when the graphics of a page with little text may contain words. */
function isDrawn(drawing: Drawing, { width, height }: GlyphPage, readable: number): boolean {
  if (readable < textLayerCharactersMin) return drawing.objects > 0
  return drawing.imageArea > scanShare * width * height
}

/** Renders a page and reads it by OCR, in addition to its text layer. */
async function readDrawn(
  pdf: OpenPdf,
  page: Page,
  { limits, known }: Pick<PdfRequest, 'limits' | 'known'>,
): Promise<Page> {
  // Import lazily, so that only pages that need OCR pay for it.
  const { readPageImage } = await import('../image/read-image.ts')
  const { index, width, height } = page
  const { pdfium } = pdf
  const loaded = loadFlatPage(pdf, index)
  try {
    const look = async (areaMax: number) =>
      renderGrey(pdfium, { page: loaded, width, height }, Math.min(areaMax, limits.pixelsMax))
    return { ...page, source: 'ocr', ...(await readPageImage(look, { limits, known, words: page.words })) }
  } finally {
    pdfium._FPDF_ClosePage(loaded)
  }
}

/** Collects unread pages by reason. */
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
