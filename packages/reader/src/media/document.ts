/**
 * A rectangle on a page as fractions of the page's width and height: x and y of its top left corner, then its width and
 * height; each 0 to 1, y grows downwards.
 */
export type Box = readonly [x: number, y: number, w: number, h: number]

/** One word as it stands on a page, in reading order within its line where the source knows one. */
export interface Word {
  readonly text: string
  readonly box: Box
  /** How sure the reader is of the text, 0 to 1. A text layer and plain text are 1, OCR is what the recogniser said. */
  readonly confidence: number
  /** Characters `[start, end)` of the source text, for plain text, HTML, CSV; absent for positioned sources. */
  readonly span?: readonly [start: number, end: number]
  /** From when to when it is said, in sound and film; absent for all else. */
  readonly seconds?: readonly [from: number, to: number]
}

/** One page as positioned words. For plain text a page is the whole text laid on a grid of one cell a character. */
export interface Page {
  /** 0-based number of the page in its document. */
  readonly index: number
  /** Size in points (1/72 inch) for PDF, in pixels for images, in cells for plain text; only its ratio matters to layout. */
  readonly width: number
  readonly height: number
  /** Where the words came from. */
  readonly source: 'text-layer' | 'ocr' | 'plain'
  readonly words: readonly Word[]
  /** True where the source itself has rows and columns: CSV, a sheet of a spreadsheet. */
  readonly isTabular?: true
  /** Where in a film a picture stands; absent for all else. */
  readonly atSeconds?: number
  /** How far the image was turned to read it, degrees clockwise. Boxes are in the page as it was given. */
  readonly turnedDegrees: number
}

/** Pages that a limit or damage kept from being read. */
export interface UnreadPages {
  /** 0-based. */
  readonly indices: readonly number[]
  /** Why, as part of a sentence: `more than 40 pages are pictures`. */
  readonly reason: string
}

/** A document brought into positioned words. */
export interface ReadDocument {
  /** The sniffed media type, not the claimed one: `application/pdf`, `image/png`, `text/html` … */
  readonly mediaType: string
  /** Pages that the document has; `pages` may hold fewer when `pageIndices` asked for some. */
  readonly pageCount: number
  readonly pages: readonly Page[]
  /** Pages that were asked for and are not among `pages`; absent where there are none. */
  readonly unread?: readonly UnreadPages[]
}
