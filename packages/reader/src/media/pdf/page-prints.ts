import { createHash } from 'node:crypto'
import type { ReadLimits } from '../limits.ts'
import type { OpenPdf } from './open-pdf.ts'
import type { Pdfium, Pointer } from './pdfium.ts'

/** Shorter documents are read about as fast as their pages are compared. */
const pagesMin = 8
/** A copy of a page is held in PDFium's memory beside the document. */
const documentBytesMax = 64 * 1024 * 1024
/** Bytes of copies per document. A font is in the copy of every page that uses it. */
const copiedBytesMax = 64 * 1024 * 1024

const noForm = 0
const notIncremental = 2
/** FPDF_FILEWRITE: its version, then a pointer to the function that takes the bytes. */
const writerBytes = 8
const writerVersion = 1
/** PDFium's table of functions cannot grow, and no function has this place in it. */
const writerPlace = 0
const intBytes = 4

/** `(e, at, bytes) => 1` as a function of WebAssembly, which is all that the table takes: it calls the import `e.f`. */
const callback = Uint8Array.of(
  ...[0, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
  ...[1, 8, 1, 0x60, 3, 0x7f, 0x7f, 0x7f, 1, 0x7f],
  ...[2, 7, 1, 1, 0x65, 1, 0x66, 0, 0],
  ...[7, 5, 1, 1, 0x66, 0, 0],
)

/** A PDF without pages. A document that PDFium creates itself has the time in it. */
const emptyPdf = Buffer.from(
  [
    '%PDF-1.7',
    '1 0 obj\n<</Type/Catalog/Pages 2 0 R>>\nendobj',
    '2 0 obj\n<</Type/Pages/Kids[]/Count 0>>\nendobj',
    'xref\n0 3\n0000000000 65535 f \n0000000009 00000 n \n0000000054 00000 n ',
    'trailer\n<</Size 3/Root 1 0 R>>\nstartxref\n100\n%%EOF\n',
  ].join('\n'),
  'latin1',
)

/**
 * Hashes of everything that pages consist of: their contents, resources and annotations with all that these refer to, and the limits that
 * apply. Pages with equal prints are read alike, whatever the document and the place. PDFium itself copies each page into a separate file, so
 * that no second parser of damaged or hostile files is involved. No print: pages of a short document, of one with a form, and those with
 * optional content, because what they show depends on other parts of the document.
 *
 * Take prints before pages are loaded: flattening changes them.
 */
export async function pagePrints(
  { pdfium, document, bytes }: OpenPdf,
  { indices, limits }: { readonly indices: readonly number[]; readonly limits: ReadLimits },
): Promise<ReadonlyMap<number, string>> {
  const prints = new Map<number, string>()
  if (indices.length < pagesMin || bytes > documentBytesMax || pdfium._FPDF_GetFormType(document) !== noForm)
    return prints
  const { pageCharactersMax, pixelsMax, ocrPagePixels } = limits
  const terms = JSON.stringify([pageCharactersMax, pixelsMax, ocrPagePixels])
  const copier = await openCopier(pdfium)
  try {
    let copied = 0
    for (const index of indices) {
      if (copied > copiedBytesMax) break
      const copy = copier.copyOf(document, index)
      copied += copy?.length ?? 0
      if (copy && !hasOptionalContent(copy))
        prints.set(index, createHash('sha256').update(terms).update(copy).digest('base64'))
    }
  } finally {
    copier.close()
  }
  return prints
}

const endOfName = ' \r\n\t\f\0/<>[](){}%'

/** Whether a name says that parts of the page may be switched on and off. By chance it stands in compressed data as well, which does no harm. */
function hasOptionalContent(copy: Buffer): boolean {
  if (copy.includes('/Properties')) return true
  for (let at = copy.indexOf('/OC'); at >= 0; at = copy.indexOf('/OC', at + 1))
    if (endOfName.includes(String.fromCharCode(copy[at + '/OC'.length] ?? 0))) return true
  return false
}

interface Copier {
  /** A page as a separate file, without the end that holds random ids; undefined when it is damaged. */
  copyOf(document: Pointer, index: number): Buffer | undefined
  close(): void
}

async function openCopier(pdfium: Pdfium): Promise<Copier> {
  const { malloc, free, __indirect_function_table: table } = pdfium.wasmExports
  let written: Uint8Array[] = []
  const write = (_writer: Pointer, at: Pointer, bytes: number): number => {
    written.push(pdfium.HEAPU8.slice(at >>> 0, (at >>> 0) + (bytes >>> 0)))
    return 1
  }
  const { instance } = await WebAssembly.instantiate(callback, { e: { f: write } })
  const empty = malloc(emptyPdf.length)
  const writer = malloc(writerBytes)
  const wanted = malloc(intBytes)
  const put = (at: Pointer, value: number): void => new DataView(pdfium.HEAPU8.buffer).setUint32(at, value, true)
  pdfium.HEAPU8.set(emptyPdf, empty)
  put(writer, writerVersion)
  put(writer + intBytes, writerPlace)
  table.set(writerPlace, instance.exports['f'])
  return {
    copyOf: (document, index) => {
      const copy = pdfium._FPDF_LoadMemDocument(empty, emptyPdf.length, 0)
      if (copy === 0) return undefined
      try {
        put(wanted, index)
        written = []
        if (pdfium._FPDF_ImportPagesByIndex(copy, document, wanted, 1, 0) === 0) return undefined
        // They say whether its text runs from right to left.
        pdfium._FPDF_CopyViewerPreferences(copy, document)
        if (pdfium._FPDF_SaveAsCopy(copy, writer, notIncremental) === 0) return undefined
        const file = Buffer.concat(written)
        return file.subarray(0, file.lastIndexOf('trailer'))
      } finally {
        pdfium._FPDF_CloseDocument(copy)
      }
    },
    close: () => {
      table.set(writerPlace, null)
      for (const pointer of [empty, writer, wanted]) free(pointer)
    },
  }
}

/** The WebAssembly API used here, which TypeScript's standard library lacks without DOM. */
declare const WebAssembly: {
  instantiate(
    binary: Uint8Array,
    imports: object,
  ): Promise<{ readonly instance: { readonly exports: Readonly<Record<string, unknown>> } }>
}
