import { createHash } from 'node:crypto'
import { open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { Clock } from '@skillrun/core/clock.ts'
import { newId } from '@skillrun/core/ids.ts'
import { type DeclaredText, declaredByName, declaredText, kindByType } from '@skillrun/reader/media/declared-text.ts'
import type { Db } from '../../adapters/db/db.ts'
import type { Egress, FetchBounds, Fetched } from '../../adapters/egress/egress.ts'
import { limits } from '../../core/limits.ts'
import { openReservation, type StorageReservation } from '../files/files.ts'

/** Bytes of an input as a local file, named by its content hash. */
export interface ResolvedInput {
  readonly path: string
  readonly sha256: Buffer
  readonly bytes: number
  /** What its sender says of it, for text. */
  readonly declared?: DeclaredText | undefined
}

/** Who fetches a URL, and which cached answers are allowed. */
export interface UrlFetch {
  readonly workspaceId: string
  readonly executionId: string
  readonly url: string
  /**
   * `nothing`: deleted when `use` ends. `execution`: one answer for the whole execution. `checked`: also an earlier one that the server
   * confirms. `recent`: also an unconfirmed earlier one, for `unvouchedMs`.
   */
  readonly reuse: 'nothing' | 'execution' | 'checked' | 'recent'
  readonly isHostAllowed?: FetchBounds['isHostAllowed']
  readonly signal: AbortSignal
}

/** Cached answers of URLs, on the disk of this process. */
export interface FetchedBytes {
  /** Calls `use` with the answer of the URL as a local file. Throws as `fetchPublic`. */
  use<T>(wanted: UrlFetch, use: (resolved: ResolvedInput) => Promise<T>): Promise<T>
}

/** Total size of all cached answers; the least recently used goes first. */
const keptBytesMax = 1024 * 1024 * 1024
/** Unused answers are deleted after this time. */
const keptMs = 3_600_000
/** Upper bound for `max-age`. */
const vouchedMsMax = 3_600_000
const unvouchedMs = 5 * 60_000

interface Kept extends ResolvedInput {
  /** When it was last fetched or revalidated. */
  at: number
  freshUntil: number
  readonly fetched: Omit<Fetched, 'stream'>
  /** The execution for which it was last fetched or revalidated. */
  executionId: string
  usedAt: number
  users: number
  isGone: boolean
  /** Reserved in the workspace's storage quota while the executions that fetched it use it. */
  reservation?: StorageReservation | undefined
}

/**
 * Caches answers of URLs in `folder`, which belongs to this process. Workspaces share nothing. Answers in use count against the storage
 * quota of their workspace; the others count against `keptBytesMax`.
 */
export function createFetchCache(parts: {
  db: Db
  egress: Egress
  clock: Clock
  folder: string
  storageBytesMax?: number
}): FetchedBytes {
  const { egress, clock, folder } = parts
  const kept = new Map<string, Kept>()
  const underWay = new Map<string, Promise<Kept>>()

  const drop = async (key: string, entry: Kept): Promise<void> => {
    if (kept.get(key) === entry) kept.delete(key)
    entry.isGone = true
    if (entry.users === 0) await rm(entry.path, { force: true })
  }
  const letGo = async (entry: Kept): Promise<void> => {
    entry.users -= 1
    if (entry.users > 0) return
    await entry.reservation?.drop()
    // Another may have taken it meanwhile.
    if (entry.isGone && entry.users === 0) await rm(entry.path, { force: true })
  }
  const makeRoom = async (): Promise<void> => {
    const now = clock.now().getTime()
    let bytes = 0
    for (const [key, entry] of [...kept].toSorted(([, left], [, right]) => right.usedAt - left.usedAt)) {
      bytes += entry.bytes
      if (bytes > keptBytesMax || now - entry.usedAt > keptMs) await drop(key, entry)
    }
  }
  /** `earlier` has a user, so that its file is still there when the server confirms it. */
  const fetched = async (wanted: UrlFetch, earlier: Kept | undefined): Promise<Kept> => {
    const known = earlier?.fetched
    const answer = await egress.fetchPublic(wanted.url, {
      bytesMax: limits.fetchBytesMax,
      wallMs: limits.fetchWallMs,
      signal: wanted.signal,
      ...(wanted.isHostAllowed ? { isHostAllowed: wanted.isHostAllowed } : {}),
      ...(known && (known.etag || known.lastModified) ? { known } : {}),
    })
    const now = clock.now().getTime()
    if (answer.isUnchanged && earlier) {
      answer.stream.destroy()
      return Object.assign(earlier, {
        at: now,
        freshUntil: freshUntil(answer, now),
        executionId: wanted.executionId,
        usedAt: now,
        isGone: false,
      })
    }
    const { reservation, ...written } = await receive(wanted.workspaceId, answer)
    const { stream: _stream, ...head } = answer
    const times = { at: now, freshUntil: freshUntil(answer, now), usedAt: now }
    return {
      ...written,
      ...times,
      fetched: head,
      executionId: wanted.executionId,
      users: 0,
      isGone: false,
      reservation,
    }
  }
  const receive = async (
    workspaceId: string,
    answer: Fetched,
  ): Promise<ResolvedInput & { reservation: StorageReservation }> => {
    const transfer = { workspaceId, keyId: null, announcedBytes: answer.announcedBytes ?? 0 }
    const reservation = await openReservation(parts, transfer).catch((error: unknown) => {
      answer.stream.destroy()
      throw error
    })
    try {
      const path = join(folder, `fetched-${newId(clock.now())}`)
      return { ...(await writeTo(path, reservation.passing(answer.stream))), reservation }
    } catch (error) {
      await reservation.drop()
      throw error
    }
  }
  /** The answer, with the caller as one more user. */
  const held = async (key: string, wanted: UrlFetch): Promise<Kept> => {
    const other = underWay.get(key)
    // Concurrent callers wait for the same fetch; if it fails, each tries by itself.
    const shared = other && (await other.catch(() => undefined))
    const entry = shared && !shared.isGone ? shared : kept.get(key)
    if (entry) entry.users += 1
    if (entry && mayUse(entry, wanted, clock.now().getTime())) return entry
    const fetching = fetched(wanted, entry)
      .then(async (made) => {
        made.users += 1
        const other = kept.get(key)
        kept.set(key, made)
        if (other && other !== made) await drop(key, other)
        return made
      })
      .finally(() => entry && letGo(entry))
    underWay.set(key, fetching)
    return fetching.finally(() => {
      if (underWay.get(key) === fetching) underWay.delete(key)
    })
  }
  return {
    async use(wanted, use) {
      const key = wanted.reuse === 'nothing' ? newId(clock.now()) : keyOf(wanted)
      const entry = await held(key, wanted)
      entry.usedAt = clock.now().getTime()
      try {
        const { path, sha256, bytes, fetched: head } = entry
        // Many servers send every text as text/plain: the file extension is more specific.
        const named = declaredByName(URL.parse(head.finalUrl)?.pathname ?? '')
        return await use({
          path,
          sha256,
          bytes,
          declared: declaredText(named ?? kindByType(head.contentType), head.charset),
        })
      } finally {
        if (wanted.reuse === 'nothing') await drop(key, entry)
        await letGo(entry)
        await makeRoom()
      }
    },
  }
}

const keyOf = ({ workspaceId, url, reuse, executionId }: UrlFetch): string =>
  JSON.stringify([workspaceId, url, reuse === 'execution' ? executionId : null])

function mayUse(entry: Kept, wanted: UrlFetch, now: number): boolean {
  if (entry.executionId === wanted.executionId) return true
  if (wanted.reuse === 'execution') return false
  if (now < entry.freshUntil) return true
  const { etag, lastModified, cacheControl } = entry.fetched
  const isUnvouched = etag === undefined && lastModified === undefined && cacheControl === undefined
  return wanted.reuse === 'recent' && isUnvouched && now - entry.at < unvouchedMs
}

/** Until when an answer is fresh (RFC 9111, section 5.2.2). */
function freshUntil({ cacheControl = '' }: Pick<Fetched, 'cacheControl'>, now: number): number {
  if (/\b(no-store|no-cache)\b/i.test(cacheControl)) return 0
  const seconds = Number(/\bmax-age=(\d{1,9})\b/i.exec(cacheControl)?.[1] ?? 0)
  return now + Math.min(seconds * 1000, vouchedMsMax)
}

async function writeTo(path: string, source: AsyncIterable<Uint8Array>): Promise<ResolvedInput> {
  const hash = createHash('sha256')
  let bytes = 0
  const file = await open(path, 'wx', 0o600)
  try {
    await pipeline(
      source,
      async function* (chunks: AsyncIterable<Uint8Array>) {
        for await (const chunk of chunks) {
          hash.update(chunk)
          bytes += chunk.length
          yield chunk
        }
      },
      file.createWriteStream(),
    )
  } catch (error) {
    await rm(path, { force: true })
    throw error
  }
  return { path, sha256: hash.digest(), bytes }
}
