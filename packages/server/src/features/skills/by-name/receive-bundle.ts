import { once } from 'node:events'
import type { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import busboy from 'busboy'
import { watchForStall } from '../../../adapters/http/stall.ts'
import { invalid } from '../../../adapters/http/validation.ts'
import { limits } from '../../../core/limits.ts'
import { badBundle } from '../bundle.ts'
import { normalPath, shownName } from '../entry-name.ts'

/** An unread multipart request with the files of a bundle. */
export interface BundleRequest {
  /** The other fields that the form may have. */
  readonly fields: readonly string[]
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly stream: Readable
  readonly signal: AbortSignal
}

/** The bundle of a form as a zip, and the form's other fields. */
export interface ReceivedBundle {
  readonly zip: Uint8Array
  readonly fields: ReadonlyMap<string, string>
}

const idleMs = 60_000
const loc = ['body', 'files']
const isFiles = (name: string): boolean => name === 'files' || name === 'files[]'

/**
 * Reads a multipart form whose parts `files` or `files[]` are one zip, or the files of a bundle with their paths as filenames. Throws
 * ValidationFailures for other forms, and Fault `bad_bundle` for invalid files.
 */
export async function receiveBundle(request: BundleRequest): Promise<ReceivedBundle> {
  const parser = parserOf(request.headers['content-type'])
  const { stream } = request
  const watch = watchForStall({ ...request, idleMs })
  const fields = new Map<string, string>()
  const parts: Promise<{ readonly filename: string; readonly bytes: Buffer }>[] = []
  let total = 0
  let failure: unknown
  const fail = (error: unknown) => {
    failure ??= error
    parser.destroy()
  }
  parser.on('field', (name, value) => {
    if (isFiles(name))
      fail(invalid(loc, 'The parts named files must be files: their Content-Disposition has no filename'))
    fields.set(name, value)
  })
  parser.on('file', (name, bytes, { filename }) => {
    if (!isFiles(name)) {
      fail(
        invalid(
          ['body', name.slice(0, 100)],
          `Unknown part ${JSON.stringify(name.slice(0, 100))}; the bundle is in files`,
        ),
      )
      return
    }
    bytes.on('data', (chunk: Buffer) => {
      total += chunk.length
      if (total > limits.bundleZipBytesMax)
        fail(badBundle(`The files have more than ${limits.bundleZipBytesMax} bytes, which is the limit`))
    })
    const whole = buffer(bytes).then((all) => ({ filename: filename ?? '', bytes: all }))
    whole.catch(() => undefined)
    parts.push(whole)
  })
  parser.on('filesLimit', () => fail(badBundle(`More than ${limits.bundleEntriesMax} files; that is the limit`)))
  parser.on('error', (error) => fail(malformed(error)))
  const abort = () => fail(watch.signal.reason)
  const cut = () => fail(malformed(undefined))
  watch.signal.addEventListener('abort', abort, { once: true })
  stream.once('error', cut)
  stream.once('aborted', cut)
  const closed = once(parser, 'close')
  closed.catch(() => undefined)
  try {
    stream.pipe(parser)
    if (watch.signal.aborted) abort()
    await closed
    if (failure !== undefined) throw failure
    const zip = await zipOf(await Promise.all(parts))
    refuseOthers(fields, request.fields)
    return { zip, fields }
  } catch (error) {
    throw failure ?? error
  } finally {
    watch.stop()
    stream.unpipe(parser)
    stream.off('error', cut)
    stream.off('aborted', cut)
    watch.signal.removeEventListener('abort', abort)
  }
}

function refuseOthers(fields: ReadonlyMap<string, string>, known: readonly string[]): void {
  const other = [...fields.keys()].find((name) => !known.includes(name))?.slice(0, 100)
  if (other !== undefined)
    throw invalid(['body', other], `Unknown parameter: ${JSON.stringify(other)}`, { type: 'unknown_parameter' })
}

const malformed = (error: unknown) =>
  invalid(
    loc,
    error instanceof Error && error.message !== 'Unexpected end of form'
      ? 'A part of the multipart body has malformed headers'
      : 'The multipart body ends before its closing boundary',
    { type: 'multipart_invalid' },
  )

function parserOf(contentType: string | undefined): busboy.Busboy {
  try {
    if (!/^multipart\/form-data\s*(;|$)/i.test(contentType ?? '')) throw new Error('another content type')
    return busboy({
      headers: { 'content-type': contentType ?? '' },
      defParamCharset: 'utf8',
      preservePath: true,
      limits: { files: limits.bundleEntriesMax, fields: 20, fieldSize: 64 * 1024 },
    })
  } catch {
    throw invalid(['header', 'content-type'], 'The content type must be multipart/form-data with a boundary', {
      type: 'content_type',
    })
  }
}

const zipSignature = Buffer.from('PK')

/** A single zip as is; otherwise a zip of the files. */
async function zipOf(parts: readonly { readonly filename: string; readonly bytes: Buffer }[]): Promise<Uint8Array> {
  const [first] = parts
  if (!first) throw invalid(loc, 'Field required: files, one zip or the files of a bundle', { type: 'missing' })
  const isZip = parts.length === 1 && first.bytes.subarray(0, zipSignature.length).equals(zipSignature)
  if (isZip) return first.bytes
  const files = new Map<string, Buffer>()
  for (const { filename, bytes } of parts) {
    const path = normalPath(filename)
    if (path === '' || path.endsWith('/')) throw badBundle(`The file ${shownName(filename)} needs a name`)
    if (files.has(path)) throw badBundle(`The file ${shownName(filename)} appears twice`)
    files.set(path, bytes)
  }
  const { writeZip } = await import('../write-zip.ts')
  return await writeZip(files)
}
