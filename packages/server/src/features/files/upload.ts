import type { Readable } from 'node:stream'
import busboy from 'busboy'
import { type Blobs, fileTooLarge, type StoredBlob } from '../../adapters/blobs/blobs.ts'
import { watchForStall } from '../../adapters/http/stall.ts'
import { invalid, type ValidationFailure } from '../../adapters/http/validation.ts'
import { keptFilename } from './filename.ts'
import type { StorageReservation } from './reservations.ts'

/** A received file: its bytes are stored, no row references them yet. */
export interface Upload {
  readonly filename: string
  /** Media type that the client declared for the part; undefined if none. */
  readonly declaredType: string | undefined
  readonly blob: StoredBlob
}

/** An unread multipart request. */
export interface MultipartRequest {
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly stream: Readable
  readonly signal: AbortSignal
  readonly bytesMax: number
  /** How long the client may be silent. */
  readonly idleMs: number
  /** Checks each chunk of the file before it is stored; may refuse the rest. */
  readonly passing: StorageReservation['passing']
  /** Gets the other fields of the complete form before the file is kept, and may refuse it by throwing. */
  readonly check?: ((fields: ReadonlyMap<string, string>) => void) | undefined
}

const fileLoc = ['body', 'file'] as const
/** Honest uploads have fewer parts. */
const partsMax = 20
const fieldBytesMax = 64 * 1024
/** Allowance for boundaries and headers around the file, for the early check of Content-Length. */
const frameBytesMax = 1024 * 1024

/**
 * Reads a multipart body whose part `file` is the file, and streams it into `blobs`. Stores nothing unless the body is complete and
 * well-formed and has exactly one such part: otherwise a ValidationFailure, Fault `too_large`, the signal's reason when the client
 * disconnects, or Fault `stalled`. Leaves the stream open, so that the failure can be sent.
 */
export async function receiveUpload({ blobs }: { blobs: Blobs }, request: MultipartRequest): Promise<Upload> {
  const parser = parserOf(request.headers)
  if (Number(request.headers['content-length'] ?? 0) > request.bytesMax + frameBytesMax)
    throw fileTooLarge(request.bytesMax)
  const form = readForm(parser, request.check)
  const { stream } = request
  const watch = watchForStall(request)
  const { signal } = watch
  const cut = () => form.fail(malformed('The multipart body ends before its closing boundary'))
  const abort = () => form.fail(signal.reason)
  stream.once('error', cut)
  stream.once('aborted', cut)
  signal.addEventListener('abort', abort, { once: true })
  if (signal.aborted) abort()
  stream.pipe(parser)
  try {
    const { filename, declaredType, bytes } = await form.part
    const kept = keptFilename(filename, [...fileLoc, 'filename'])
    const blob = await blobs.put(request.passing(watch.passing(untilWhole(bytes, form.whole))), {
      bytesMax: request.bytesMax,
      signal,
    })
    return { filename: kept, declaredType, blob }
  } finally {
    watch.stop()
    stream.unpipe(parser)
    stream.off('aborted', cut)
    signal.removeEventListener('abort', abort)
    parser.destroy()
  }
}

interface FilePart {
  readonly filename: string
  readonly declaredType: string | undefined
  readonly bytes: Readable
}

/** A form being parsed: its part `file` once it begins, and its end. Both reject when it fails. */
interface Form {
  readonly part: Promise<FilePart>
  readonly whole: Promise<void>
  readonly fail: (error: unknown) => void
}

function readForm(parser: busboy.Busboy, check: MultipartRequest['check']): Form {
  const part = Promise.withResolvers<FilePart>()
  const whole = Promise.withResolvers<void>()
  part.promise.catch(() => undefined)
  whole.promise.catch(() => undefined)
  let open: Readable | undefined
  const fields = new Map<string, string>()
  const fail = (error: unknown) => {
    part.reject(error)
    whole.reject(error)
    open?.destroy(error instanceof Error ? error : undefined)
  }
  parser.on('file', (name, bytes, info) => {
    // The parser itself reports why a part broke off.
    bytes.on('error', () => undefined)
    if (name !== 'file') {
      bytes.resume()
    } else if (info.filename === undefined) {
      bytes.resume()
      fail(noFilename())
    } else if (open) {
      bytes.resume()
      fail(
        invalid(fileLoc, "The multipart body must have one part named 'file', not several", { type: 'too_many_files' }),
      )
    } else {
      open = bytes
      part.resolve({ filename: info.filename, declaredType: info.mimeType, bytes })
    }
  })
  parser.on('field', (name, value) => {
    if (name === 'file') fail(noFilename())
    fields.set(name, value)
  })
  parser.on('partsLimit', () =>
    fail(malformed(`The multipart body has more than ${partsMax} parts, which is the limit`)),
  )
  parser.on('error', (error) => {
    const early = error instanceof Error && error.message === 'Unexpected end of form'
    fail(
      malformed(
        early
          ? 'The multipart body ends before its closing boundary'
          : 'A part of the multipart body has malformed headers',
      ),
    )
  })
  parser.on('close', () => {
    part.reject(invalid(fileLoc, "Field required: a part named 'file'", { type: 'missing' }))
    try {
      check?.(fields)
      whole.resolve()
    } catch (error) {
      fail(error)
    }
  })
  return { part: part.promise, whole: whole.promise, fail }
}

/** The bytes of the part, which end only when the body around it proved complete. */
async function* untilWhole(bytes: Readable, whole: Promise<void>): AsyncGenerator<Buffer> {
  try {
    yield* bytes
  } catch (error) {
    // The parser aborts the part first and reports the reason a moment later.
    await whole
    throw error
  }
  await whole
}

function parserOf(headers: MultipartRequest['headers']): busboy.Busboy {
  const contentType = headers['content-type']
  if (contentType === undefined || !/^multipart\/form-data\s*(;|$)/i.test(contentType)) {
    throw invalid(['header', 'content-type'], 'The content type must be multipart/form-data', {
      type: 'content_type',
      input: contentType ?? null,
    })
  }
  try {
    const limits = { parts: partsMax + 1, fieldSize: fieldBytesMax }
    return busboy({
      headers: { 'content-type': contentType },
      defParamCharset: 'utf8',
      preservePath: true,
      limits,
      fileHwm: 256 * 1024,
    })
  } catch {
    throw invalid(['header', 'content-type'], 'The content type multipart/form-data must have a boundary parameter', {
      type: 'content_type',
      input: contentType,
    })
  }
}

const malformed = (msg: string): ValidationFailure => invalid(fileLoc, msg, { type: 'multipart_invalid' })

const noFilename = (): ValidationFailure =>
  invalid(fileLoc, "The part 'file' must be a file: its Content-Disposition has no filename", { type: 'file_type' })
