import { inflateSync, constants as zlib } from 'node:zlib'
import { unpackedBytesMaxOf, unpacksToTooMuch } from '../unpacking.ts'

/** What the streams of one PDF may unpack to in all, and one stream alone: contents and fonts are held in memory whole. */
const documentBytesMax = 1024 * 1024 * 1024
const streamBytesMax = 64 * 1024 * 1024
/** Filters on one stream, each of which unpacks what the one before gave. No program writes more than two. */
const filtersMax = 8
/** How far the keyword `stream` is looked behind for its dictionary. */
const dictionaryWithin = 2_048

/**
 * Throws Fault `input_too_costly` for a PDF whose streams, filter over filter, unpack to more than a document of its size
 * may. Pictures are passed over where they are packed once: they are decoded row by row, and bounded by their pixels.
 *
 * What it cannot see into (an encrypted stream, filters other than Flate) meets the bound on PDFium's memory.
 */
export function refuseUnpackingTooMuch(pdf: Uint8Array): void {
  const bytes = Buffer.from(pdf.buffer, pdf.byteOffset, pdf.byteLength)
  const allowed = unpackedBytesMaxOf(bytes.length, documentBytesMax)
  let unpacked = 0
  const count = (packed: Buffer): Buffer => {
    const max = Math.min(streamBytesMax, allowed - unpacked)
    const inflated = inflate(packed, max)
    if (inflated === undefined) throw unpacksToTooMuch('The PDF', bytes.length, documentBytesMax)
    unpacked += inflated.length
    return inflated
  }
  for (const { from, isPicture } of streamsOf(bytes)) {
    let content = bytes.subarray(from)
    if (isPicture && !isFlate(inflatedHead(content))) continue
    for (let filter = 0; filter < filtersMax && isFlate(content); filter += 1) content = count(content)
  }
}

/** Where the streams begin. Their ends are known to what unpacks them. */
function* streamsOf(pdf: Buffer): Generator<{ from: number; isPicture: boolean }> {
  const keyword = 'stream'
  for (let at = pdf.indexOf(keyword); at >= 0; at = pdf.indexOf(keyword, at + keyword.length)) {
    if (pdf.toString('latin1', at - 3, at) === 'end') continue
    let from = at + keyword.length
    if (pdf[from] === 0x0d) from += 1
    if (pdf[from] === 0x0a) from += 1
    if (!isFlate(pdf.subarray(from))) continue
    const before = pdf.toString('latin1', Math.max(0, at - dictionaryWithin), at)
    const dictionary = before.slice(before.lastIndexOf(' obj') + 1)
    yield { from, isPicture: /\/Subtype\s*\/Image\b/.test(dictionary) }
  }
}

/** The two bytes that begin what Flate packed (RFC 1950, section 2.2). */
function isFlate([first, second]: Uint8Array): boolean {
  return first !== undefined && second !== undefined && (first & 0x0f) === 8 && (first * 256 + second) % 31 === 0
}

/** The unpacked bytes, or as many of them as a damaged stream gives; undefined for more than `bytesMax`. */
function inflate(packed: Buffer, bytesMax: number): Buffer | undefined {
  try {
    // A stream without its end is read as far as it goes, as PDFium does.
    return inflateSync(packed, { maxOutputLength: Math.max(1, bytesMax), finishFlush: zlib.Z_SYNC_FLUSH })
  } catch (error) {
    return (error as { code?: string }).code === 'ERR_BUFFER_TOO_LARGE' ? undefined : Buffer.alloc(0)
  }
}

const headBytes = 64
const inflatedHead = (packed: Buffer): Buffer =>
  inflate(packed.subarray(0, headBytes), streamBytesMax) ?? Buffer.alloc(0)
