import { inflateSync, constants as zlib } from 'node:zlib'
import { tooLarge } from '../faults.ts'
import { unpackedBytesMaxOf, unpacksToTooMuch } from '../unpacking.ts'

/** The maximum unpacked size of all streams of a PDF, and of one stream: contents and fonts are held in memory completely. */
const documentBytesMax = 1024 * 1024 * 1024
const streamBytesMax = 64 * 1024 * 1024
/** The maximum number of chained filters on one stream. No program writes more than two. */
const filtersMax = 8
/** The number of bytes before the keyword `stream` that are searched for its dictionary. */
const dictionaryWithin = 2_048

/**
 * Throws Fault `input_too_costly` for a PDF whose streams, with all filters applied, unpack to more than allowed for
 * its size. Images with one filter are skipped: they are decoded row by row and limited by their pixels. Streams that
 * it cannot decode (encrypted, or with filters other than Flate) are limited by PDFium's memory.
 */
export function refuseUnpackingTooMuch(pdf: Uint8Array): void {
  const bytes = Buffer.from(pdf.buffer, pdf.byteOffset, pdf.byteLength)
  const allowed = unpackedBytesMaxOf(bytes.length, documentBytesMax)
  let unpacked = 0
  const count = (packed: Buffer): Buffer => {
    const left = allowed - unpacked
    const inflated = inflate(packed, Math.min(streamBytesMax, left))
    if (inflated === undefined)
      throw left < streamBytesMax
        ? unpacksToTooMuch('The PDF', bytes.length, documentBytesMax)
        : tooLarge(`A stream of the PDF unpacks to more than ${streamBytesMax} bytes, which is the limit.`)
    unpacked += inflated.length
    return inflated
  }
  for (const { from, isPicture } of streamsOf(bytes)) {
    let content = bytes.subarray(from)
    if (isPicture && !isFlate(inflatedHead(content))) continue
    for (let filter = 0; filter < filtersMax && isFlate(content); filter += 1) content = count(content)
  }
}

/** The starts of the streams. Decompression finds their ends. */
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

/** Checks for the two-byte header of Flate data (RFC 1950, section 2.2). */
function isFlate([first, second]: Uint8Array): boolean {
  return first !== undefined && second !== undefined && (first & 0x0f) === 8 && (first * 256 + second) % 31 === 0
}

/** The unpacked bytes, or the readable part of a damaged stream; undefined for more than `bytesMax`. */
function inflate(packed: Buffer, bytesMax: number): Buffer | undefined {
  try {
    // A truncated stream is read as far as possible, as PDFium does.
    return inflateSync(packed, { maxOutputLength: Math.max(1, bytesMax), finishFlush: zlib.Z_SYNC_FLUSH })
  } catch (error) {
    return (error as { code?: string }).code === 'ERR_BUFFER_TOO_LARGE' ? undefined : Buffer.alloc(0)
  }
}

const headBytes = 64
const inflatedHead = (packed: Buffer): Buffer =>
  inflate(packed.subarray(0, headBytes), streamBytesMax) ?? Buffer.alloc(0)
