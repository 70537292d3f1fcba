import { isUtf8 } from 'node:buffer'
import { createHash } from 'node:crypto'
import { mkdtemp, open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Clock } from '@skillrun/core/clock.ts'
import { partsOfDataUrl } from '@skillrun/core/data-url.ts'
import { Fault } from '@skillrun/core/fault.ts'
import { isArchiveHead } from '@skillrun/reader/media/archive/archive.ts'
import { type DeclaredText, declaredByName, declaredByType } from '@skillrun/reader/media/declared-text.ts'
import { looksLikeMail } from '@skillrun/reader/media/mail/looks-like-mail.ts'
import { isTimedHead } from '@skillrun/reader/media/timed/looks-timed.ts'
import type { Blobs } from '../../adapters/blobs/blobs.ts'
import type { Db } from '../../adapters/db/db.ts'
import { limits } from '../../core/limits.ts'
import { type FileRecord, findPublicFile, loadHeldFile } from '../files/files.ts'
import type { FetchedBytes, ResolvedInput, UrlFetch } from './fetched.ts'
import type { ExecutionInput } from './input.ts'

export interface ResolveParts {
  readonly db: Db
  readonly clock: Clock
  readonly storage: InputStorage
}

/** Where the bytes of inputs come from, and where a run stores its own. */
export interface InputStorage {
  readonly blobs: Blobs
  readonly fetched: FetchedBytes
  /** For URLs of our own files. */
  readonly signingSecret: Uint8Array
  /** Total size of the files and artifacts of one workspace; default `limits.storageBytesPerWorkspaceMax`. */
  readonly storageBytesMax?: number | undefined
  /** A folder of this process that the process pool's children may read. */
  readonly temporaryFolder: string
}

/**
 * Calls `use` with the bytes of an input as a local file, from the store, from a URL through the egress, or from a data URL. The file
 * exists until `use` ends. Throws Faults that name the input.
 */
export async function withBytes<T>(
  parts: ResolveParts,
  /** `executionId`: the execution that works with it, which may hold a deleted file. */
  input: {
    workspaceId: string
    executionId?: string
    input: ExecutionInput
    /** Which cached answers may serve a URL; absent: none. */
    reuse?: UrlFetch['reuse']
    isHostAllowed?: UrlFetch['isHostAllowed']
    signal: AbortSignal
  },
  use: (resolved: ResolvedInput) => Promise<T>,
): Promise<T> {
  const { source } = input.input
  if (source.kind === 'file') return useFile(parts, await loadHeldFile(parts, { ...input, id: source.fileId }), use)
  if (source.kind === 'data') return useBytes(parts, bytesOfDataUrl(source.url), use, declaredByDataUrl(source.url))
  if (source.kind === 'text') return useBytes(parts, Buffer.from(source.text), use)
  const { db, clock, storage } = parts
  const own = await findPublicFile({ db, clock, signingSecret: storage.signingSecret }, source.url)
  if (own) return useFile(parts, own, use)
  const { workspaceId, executionId = '', reuse = 'nothing', isHostAllowed, signal } = input
  const hosts = isHostAllowed ? { isHostAllowed } : {}
  return storage.fetched.use({ workspaceId, executionId, url: source.url, reuse, signal, ...hosts }, use)
}

async function useFile<T>(
  { storage }: ResolveParts,
  file: FileRecord,
  use: (resolved: ResolvedInput) => Promise<T>,
): Promise<T> {
  if (file.bytes > limits.inputBytesMax)
    throw new Fault(
      'too_large',
      'input_too_large',
      `The file ${JSON.stringify(file.filename)} has ${file.bytes} bytes; an input can have at most ${limits.inputBytesMax}`,
    )
  return storage.blobs.localPath(file.sha256, (path) =>
    use({
      path,
      sha256: file.sha256,
      bytes: file.bytes,
      declared: declaredByName(file.filename) ?? declaredByType(file.contentType),
    }),
  )
}

/** What a data URL says of its text; nothing without a media type. */
export const declaredByDataUrl = (url: string): DeclaredText | undefined =>
  declaredByType(url.slice('data:'.length, url.indexOf(',')))

/** The bytes of a short text inside the request, which needs no fetch or file. Undefined for everything else. */
export function smallTextOf({ source }: ExecutionInput): Buffer | undefined {
  const bytes = shortTextOf(source)
  return bytes && mayHaveAttachments(bytes) ? undefined : bytes
}

const partType = /^content-(?:type:\s*(?!text\/)|disposition:\s*attachment)/im

const mayHaveAttachments = (bytes: Buffer): boolean =>
  looksLikeMail(bytes, { isDeclared: true }) && partType.test(bytes.toString('latin1'))

function shortTextOf(source: ExecutionInput['source']): Buffer | undefined {
  const isShort = (text: string): boolean => text.length <= limits.smallTextBytesMax
  if (source.kind === 'text') return isShort(source.text) ? Buffer.from(source.text) : undefined
  if (source.kind !== 'data' || !isShort(source.url)) return undefined
  const bytes = bytesOfDataUrl(source.url)
  // Content that is no valid text, or begins like another format, is handled as a file.
  const isText = isUtf8(bytes) && !bytes.includes(0) && !bytes.includes('%PDF-') && bytes.length > 0
  return isText && !isTimedHead(bytes) && !isArchiveHead(bytes) ? bytes : undefined
}

/** Calls `use` with these bytes as a local file, which exists until `use` ends. */
export async function useBytes<T>(
  parts: ResolveParts,
  bytes: Buffer,
  use: (resolved: ResolvedInput) => Promise<T>,
  declared?: DeclaredText,
): Promise<T> {
  return withTemporaryFile(parts, async (path) => {
    const file = await open(path, 'wx', 0o600)
    await file.writeFile(bytes)
    await file.close()
    return use({ path, sha256: createHash('sha256').update(bytes).digest(), bytes: bytes.length, declared })
  })
}

async function withTemporaryFile<T>({ storage }: ResolveParts, use: (path: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(storage.temporaryFolder, 'input-'))
  try {
    return await use(join(folder, 'bytes'))
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** The bytes of a data URL, with the white space that browsers allow in base64. Fault `invalid` when its base64 is not. */
export function bytesOfDataUrl(url: string): Buffer {
  const parts = partsOfDataUrl(url)
  if (!parts) throw new Fault('invalid', 'bad_data_url', 'A data URL needs a comma before its data')
  if (!parts.isBase64) {
    try {
      return Buffer.from(decodeURIComponent(parts.data))
    } catch {
      throw new Fault('invalid', 'bad_data_url', 'The data of the data URL is not valid percent-encoding')
    }
  }
  const packed = parts.data.replaceAll(/\s/g, '')
  if (!/^[A-Za-z0-9+/_-]*={0,2}$/.test(packed))
    throw new Fault('invalid', 'bad_data_url', 'The data of the data URL is not valid base64')
  return Buffer.from(packed, 'base64')
}
