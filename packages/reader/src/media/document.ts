import type { InvoiceData } from './invoice/invoice-data.ts'

/**
 * A rectangle on a page as fractions of its width and height, each 0 to 1: x and y of the top left corner, width,
 * height. y grows downwards.
 */
export type Box = readonly [x: number, y: number, w: number, h: number]

/** A value of a JSON document. */
export interface DataPlace {
  /** JSON Pointer (RFC 6901) of the value. */
  readonly pointer: string
  readonly type: 'string' | 'number' | 'boolean' | 'null'
}

/** A word on a page, in reading order within its line where the source has one. */
export interface Word {
  readonly text: string
  readonly box: Box
  /** The reading confidence, 0 to 1: 1 for text layers and plain text, Tesseract's for OCR. */
  readonly confidence: number
  /** Offsets `[start, end)` in the source, for plain text, HTML and CSV; absent for positioned sources. */
  readonly span?: readonly [start: number, end: number]
  /** The value that the word is of, in JSON; absent otherwise, and for names. */
  readonly data?: DataPlace
  /** Start and end of the spoken word in video or audio; absent otherwise. */
  readonly seconds?: readonly [from: number, to: number]
}

/** A page as positioned words. Plain text becomes one page on a grid with one cell per character. */
export interface Page {
  /** 0-based index of the page in its document. */
  readonly index: number
  /** In points (1/72 inch) for PDF, pixels for images, cells for plain text; only the ratio matters to layout. */
  readonly width: number
  readonly height: number
  /** Where the words came from. */
  readonly source: 'text-layer' | 'ocr' | 'plain'
  readonly words: readonly Word[]
  /** Horizontal and vertical rules of a PDF's page, without width or height; absent where they enclose no cells. */
  readonly rules?: readonly Box[]
  /** True where the text layer may say something else than what is drawn: that of a scan. See `drawnOtherwise`. */
  readonly isDoubted?: true
  /** True for sources with rows and columns: CSV, a sheet of a spreadsheet. */
  readonly isTabular?: true
  /** The time of a video frame; absent otherwise. */
  readonly atSeconds?: number
  /** Degrees clockwise that the image was turned for reading. Boxes refer to the page as given. */
  readonly turnedDegrees: number
  /** Hashes of the images that OCR looked at, in order; absent where OCR did not read the page. See `KnownPages`. */
  readonly lookedAt?: readonly string[]
  /** The hash of all that a page of a PDF is made of; absent where none was taken. See `pagePrints`. */
  readonly print?: string
}

/** Pages that were not read because of a limit or damage. */
export interface UnreadPages {
  /** 0-based. */
  readonly indices: readonly number[]
  /** The reason as part of a sentence: `more than 40 pages are images`. */
  readonly reason: string
}

/** A document as positioned words. */
export interface ReadDocument {
  /** The media type detected from the content, not the claimed one: `application/pdf`, `image/png`, `text/html` … */
  readonly mediaType: string
  /** The number of pages of the document; `pages` may have fewer when `pageIndices` selected some. */
  readonly pageCount: number
  readonly pages: readonly Page[]
  /** Requested pages that are missing from `pages`; absent when there are none. */
  readonly unread?: readonly UnreadPages[]
  /** The exact data of an electronic invoice: in the XML of a PDF, or the document itself. */
  readonly invoice?: InvoiceData
  /** What a caller should know of the document whatever is asked of it; absent where there is nothing. */
  readonly warnings?: readonly DocumentWarning[]
}

/** Something odd about a document. */
export type DocumentWarning = {
  /** A stable word for programs: `hidden_text`, `invoice_data_unreadable`. */
  readonly code: string
  /** One sentence for people. */
  readonly message: string
}
