/** Limits for reading a document. Callers can lower each; these are the server's maximums. */
export interface ReadLimits {
  /** Pages read per document; later ones are listed as unread. A 500-page contract fits. */
  readonly pagesMax: number
  /** Pages read by OCR, at about a second each; later ones are listed as unread. */
  readonly ocrPagesMax: number
  /** Pixels of an image before decoding: about 100 megapixels, an A3 page at 600 dpi, 400 MB as RGBA. */
  readonly pixelsMax: number
  /** Bytes of a text, HTML, CSV or JSON file. The words of such a text take some 100 times its bytes. */
  readonly textBytesMax: number
  /** Bytes of a PDF or image, which is held in memory completely. */
  readonly fileBytesMax: number
  /** Words per document, so that the result stays within some tens of megabytes. */
  readonly wordsMax: number
  /** Characters of one PDF page. A dense newspaper page has about 20,000. */
  readonly pageCharactersMax: number
  /**
   * Pixels processed by OCR for one page over all passes: an unsure page gets no further pass once they are used up.
   * Counting work instead of time gives the same result on busy and idle machines.
   */
  readonly ocrPagePixels: number
}

/** The default limits. */
export const readLimits: ReadLimits = {
  pagesMax: 1000,
  ocrPagesMax: 40,
  pixelsMax: 100_000_000,
  textBytesMax: 8 * 1024 * 1024,
  fileBytesMax: 256 * 1024 * 1024,
  wordsMax: 500_000,
  pageCharactersMax: 200_000,
  ocrPagePixels: 60_000_000,
}
