import { gunzipSync, gzipSync } from 'node:zlib'
import type { Job } from '@skillrun/core/job.ts'
import type { ReadDocument } from './document.ts'
import type { ReadRequest } from './read-document.ts'

/** A reading to keep and to hand on without unpacking it: the main thread never walks the words of a document. */
export interface Reading {
  readonly packed: Uint8Array
  readonly mediaType: string
  /** Pages that the document has, and how many of them were read. */
  readonly pageCount: number
  readonly pagesRead: number
  readonly words: number
  /** Pages that were recognised from a picture. */
  readonly pagesRecognised: number
  /** Where in a film each page stands, by page; null for a page that is no picture. Absent for what is no film. */
  readonly atSeconds?: readonly (number | null)[]
  /** What could not be had of it, in sentences; absent where all was. */
  readonly notes?: readonly string[]
}

/** Changes whenever the reader would read a document otherwise, so that no older reading is taken for its work. */
export const readerVersion = 'reader-5'

/** Reads a document in the workshop, packed. Throws the Faults of `readDocument`. */
export const readingJob: Job<ReadRequest, Reading> = {
  name: 'read',
  files: ['path'],
  module: new URL('./reading.job.ts', import.meta.url),
}

/** Packs a document: gzip of its JSON. */
export function packDocument(document: ReadDocument): Reading {
  return readingOf(document, gzipSync(JSON.stringify(document), { level: 1 }))
}

/** Longer JSON takes longer on its way than in being packed. */
const plainBytesMax = 64 * 1024

/** Packs a document that is not kept: a short one is its JSON, for packing it would take longer than all else that is done with it. */
export function packForNow(document: ReadDocument): Reading {
  const bytes = Buffer.from(JSON.stringify(document))
  return bytes.length > plainBytesMax ? packDocument(document) : readingOf(document, bytes)
}

function readingOf(document: ReadDocument, packed: Uint8Array): Reading {
  return {
    packed,
    mediaType: document.mediaType,
    pageCount: document.pageCount,
    pagesRead: document.pages.length,
    words: document.pages.reduce((sum, page) => sum + page.words.length, 0),
    pagesRecognised: document.pages.filter((page) => page.source === 'ocr').length,
    ...(document.pages.some((page) => page.atSeconds !== undefined)
      ? { atSeconds: document.pages.map((page) => page.atSeconds ?? null) }
      : {}),
  }
}

/** Its second byte is in no JSON. */
const isGzip = (packed: Uint8Array): boolean => packed[0] === 0x1f && packed[1] === 0x8b

/** The document of a packed reading. Only for the workshop. */
export const unpackDocument = (packed: Uint8Array): ReadDocument =>
  JSON.parse((isGzip(packed) ? gunzipSync(packed) : Buffer.from(packed)).toString('utf8')) as ReadDocument
