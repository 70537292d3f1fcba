/** How much a reading may take. Every bound can be lowered by a caller; these are what a server allows. */
export interface ReadLimits {
  /** Pages read of one document; later ones are listed as unread. A 500-page contract fits. */
  readonly pagesMax: number
  /** Pages recognised as pictures, at about a second each; later ones are listed as unread. */
  readonly ocrPagesMax: number
  /** Pixels of a picture before it is decoded: about 100 megapixels, an A3 page at 600 dpi, 400 MB as RGBA. */
  readonly pixelsMax: number
  /** Bytes of a file of text, HTML, CSV or JSON. The words of a text this long take some 100 times its bytes. */
  readonly textBytesMax: number
  /** Bytes of a PDF or picture, which are held in memory whole. */
  readonly fileBytesMax: number
  /** Words of one document, so that the answer of the reading stays some tens of megabytes. */
  readonly wordsMax: number
  /** Characters of one page of a PDF. A dense page of a newspaper has about 20,000. */
  readonly pageCharactersMax: number
  /**
   * Pixels given to the recogniser for one page, all passes together: a page in doubt gets no further pass once they are spent.
   * Counted work in place of time, so that the same bytes are read alike on a busy machine and on an idle one.
   */
  readonly ocrPagePixels: number
}

/** The limits that hold where a caller names none. */
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
