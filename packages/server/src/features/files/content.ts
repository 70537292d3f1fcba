import { Readable } from 'node:stream'
import type { Blobs } from '../../adapters/blobs/blobs.ts'
import type { Reply } from '../../adapters/http/route.ts'
import { contentDisposition } from './filename.ts'
import { rangeOf } from './range.ts'
import type { FileRecord } from './store.ts'

/** The possible replies of `contentReply`, for the declaration of a route. */
export const contentReplies = {
  reply: { status: 200, description: 'The bytes', contentType: 'application/octet-stream' },
  otherReplies: [
    { status: 206, description: 'The requested byte range', contentType: 'application/octet-stream' },
    { status: 304, description: 'The client already has the current bytes' },
  ],
  failures: [404, 416],
} as const

/**
 * Replies with the bytes of a file: all of them, one range (206), 304 when the client has them, or 416 for a range outside. Browsers are
 * instructed to download, never to run them.
 */
export async function contentReply(
  parts: { blobs: Blobs },
  file: FileRecord,
  headers: Readonly<Record<string, string | undefined>>,
): Promise<Reply> {
  const etag = `"${file.sha256.toString('hex')}"`
  const always = { ETag: etag, 'Accept-Ranges': 'bytes', 'Cache-Control': 'private, no-cache' }
  if (isMatch(headers['if-none-match'], etag)) return { status: 304, stream: Readable.from([]), headers: always }
  const ifRange = headers['if-range']
  const range = ifRange === undefined || ifRange === etag ? rangeOf(headers['range'], file.bytes) : 'all'
  if (range === 'none') {
    const detail = `The requested range is outside the file, which has ${file.bytes} bytes`
    return { status: 416, json: { detail }, headers: { ...always, 'Content-Range': `bytes */${file.bytes}` } }
  }
  const part = range === 'all' ? undefined : range
  const stream = await parts.blobs.open(file.sha256, part)
  return {
    status: part ? 206 : 200,
    stream,
    headers: {
      ...always,
      'Content-Type': file.contentType,
      'Content-Length': String(part ? part.end - part.start + 1 : file.bytes),
      'Content-Disposition': contentDisposition(file.filename),
      'Content-Security-Policy': "default-src 'none'; sandbox",
      ...(part ? { 'Content-Range': `bytes ${part.start}-${part.end}/${file.bytes}` } : {}),
    },
  }
}

/** `If-None-Match` compares weakly (RFC 9110 section 13.1.2). */
function isMatch(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false
  if (header.trim() === '*') return true
  return header.split(',').some((one) => one.trim().replace(/^W\//, '') === etag)
}
