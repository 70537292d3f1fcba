import { gunzipSync, gzipSync } from 'node:zlib'
import type { Job } from '@skillrun/core/job.ts'
import type { DocumentWarning, ReadDocument } from './document.ts'
import { openPages, packPages, wordCount } from './packed-pages.ts'
import type { ReadRequest } from './read-document.ts'

/** A packed document to store and pass on: the main thread never walks its words. */
export interface PackedDocument {
  readonly packed: Uint8Array
  readonly mediaType: string
  /** The number of pages of the document, and how many were read. */
  readonly pageCount: number
  readonly pagesRead: number
  readonly words: number
  /** The number of pages read by OCR. */
  readonly pagesRecognised: number
  /** Pages whose text may differ from what is drawn, from 0; absent where there are none. */
  readonly doubted?: readonly number[]
  /** For a video, the time of each page, null for pages that are no frames; absent otherwise. */
  readonly atSeconds?: readonly (number | null)[]
  /** What is missing, in sentences; absent when nothing is. */
  readonly notes?: readonly string[]
  /** What a caller should know of it; absent where there is nothing. */
  readonly warnings?: readonly DocumentWarning[]
}

/** Changes whenever the reader gives other results, so that cached results of older versions are not used. */
export const readerVersion = 'reader-29'

/** A document to read, with the packed earlier version of it, if any. */
export type PackedReadRequest = Omit<Extract<ReadRequest, { path: string }>, 'earlier'> & {
  readonly earlier?: Uint8Array
}

/** Reads a document in the process pool and packs it. Throws the Faults of `readDocument`. */
export const readDocumentJob: Job<PackedReadRequest, PackedDocument> = {
  name: 'read',
  files: ['path'],
  module: new URL('./packed-document.job.ts', import.meta.url),
}

/** A shorter document is unpacked as fast as it is compared. */
const pagesMin = 8

/** Packs a document: gzip of its JSON. */
export function packDocument(document: ReadDocument): PackedDocument {
  const { pages } = document
  return packedOf(
    document,
    pages.length < pagesMin ? gzipSync(JSON.stringify(document), { level: 1 }) : packPages(document),
  )
}

/** Longer JSON takes longer to transfer than to compress. */
const plainBytesMax = 64 * 1024

/** Packs a document that is not stored: a short one as plain JSON, because compression would dominate its cost. */
export function packUnstored(document: ReadDocument): PackedDocument {
  const bytes = Buffer.from(JSON.stringify(document))
  return bytes.length > plainBytesMax ? packDocument(document) : packedOf(document, bytes)
}

function packedOf(document: ReadDocument, packed: Uint8Array): PackedDocument {
  const doubted = document.pages.flatMap(({ isDoubted, index }) => (isDoubted ? [index] : []))
  return {
    packed,
    mediaType: document.mediaType,
    pageCount: document.pageCount,
    pagesRead: document.pages.length,
    words: document.pages.reduce((sum, page) => sum + wordCount(page), 0),
    pagesRecognised: document.pages.filter((page) => page.source === 'ocr').length,
    ...(document.pages.some((page) => page.atSeconds !== undefined)
      ? { atSeconds: document.pages.map((page) => page.atSeconds ?? null) }
      : {}),
    ...(doubted.length > 0 && { doubted }),
    ...(document.warnings && { warnings: document.warnings }),
  }
}

/** This second byte never occurs in JSON. */
const isGzip = (packed: Uint8Array): boolean => packed[0] === 0x1f && packed[1] === 0x8b

/** Unpacks a document. Process pool only. */
export const unpackDocument = (packed: Uint8Array): ReadDocument =>
  JSON.parse((isGzip(packed) ? gunzipSync(packed) : Buffer.from(packed)).toString('utf8')) as ReadDocument

/** A packed document whose pages are unpacked only where they are read, if it has many. Process pool only. */
export const openDocument = (packed: Uint8Array): ReadDocument => openPages(packed) ?? unpackDocument(packed)
