import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import type { Clock } from '@skillrun/core/clock.ts'
import { Fault } from '@skillrun/core/fault.ts'
import type { BackupPlace } from '../../adapters/backup-place/backup-place.ts'
import type { Blobs } from '../../adapters/blobs/blobs.ts'
import type { DumpedTable, Snapshot } from '../../adapters/db/dump.ts'
import { findNeededBlobs } from '../files/files.ts'
import { findFirstWorkspace, findSealedSample } from '../keys/keys.ts'
import { type ListedFile, listedFiles, listText } from './content.ts'
import { type Manifest, readManifest, writeManifest } from './manifest.ts'
import { checkBackup } from './restore-backup.ts'

export interface BackupParts {
  readonly snapshot: Snapshot
  readonly blobs: Pick<Blobs, 'open' | 'stat'>
  readonly place: BackupPlace
  readonly clock: Clock
}

export interface BackupOptions {
  readonly version: string
  readonly signal: AbortSignal
  /** Snapshots to keep, with this one; undefined: all. */
  readonly keep?: number | undefined
  /** Whether the new snapshot is read back before older ones are deleted. */
  readonly verify?: boolean
  /** The keys of the secrets, to be part of the backup. */
  readonly secretKeys?: string | undefined
}

/** What a backup wrote. */
export interface BackupReport {
  readonly snapshot: string
  readonly rows: number
  readonly files: number
  readonly bytes: number
  /** What was not there from an earlier backup. */
  readonly new_files: number
  readonly new_bytes: number
  readonly lost_files: readonly string[]
  readonly removed_snapshots: readonly string[]
  readonly verified: boolean
}

const fastCompression = 3
const unbounded = Number.MAX_SAFE_INTEGER

/**
 * Backs up the database of `snapshot` and the files that it refers to. The manifest comes last: a backup that ends before
 * that leaves the earlier ones as they are. Throws Fault `conflict` (`other_installation`) when the place has backups of
 * another installation.
 */
export async function makeBackup(parts: BackupParts, options: BackupOptions): Promise<BackupReport> {
  const { snapshot, place, clock } = parts
  const installation = (await findFirstWorkspace(snapshot.sql))?.id
  if (installation === undefined)
    throw new Fault(
      'conflict',
      'nothing_to_back_up',
      'The database has no workspace: no server has been started on it.',
    )
  await refuseOtherInstallation(place, installation)
  const tables: Manifest['tables'] = []
  for (const table of snapshot.tables) tables.push(await backUpTable(parts, table, options.signal))
  const sealed = await findSealedSample(snapshot.sql)
  const needed = await findNeededBlobs(snapshot.sql)
  await snapshot.finishReading()
  const copied = await copyFiles(parts, needed, options.signal)
  const list = await place.blobs.put(Readable.from([Buffer.from(listText(copied.files))]), {
    bytesMax: unbounded,
    signal: options.signal,
  })
  // Without the connection, files could have been deleted before they were copied.
  await snapshot.assertHeld()
  const createdAt = clock.now()
  const name = createdAt.toISOString().replaceAll(/[:.]/g, '-')
  const bytes = copied.files.reduce((sum, file) => sum + file.bytes, 0)
  await writeManifest(place, name, {
    format: 1,
    created_at: createdAt.toISOString(),
    version: options.version,
    installation,
    migrations: [...snapshot.migrations],
    tables,
    sequences: [...snapshot.sequences],
    files: { sha256: list.sha256.toString('hex'), count: copied.files.length, bytes },
    lost_files: copied.lost,
    sealed_sample: sealed?.toString('base64') ?? null,
    secret_keys: options.secretKeys ?? null,
  })
  if (options.verify) await verify(parts, name, options.signal)
  const removed = options.keep === undefined ? [] : await removeOld(place, options.keep, clock)
  return {
    snapshot: name,
    rows: tables.reduce((sum, table) => sum + table.rows, 0),
    files: copied.files.length,
    bytes,
    new_files: copied.newFiles,
    new_bytes: copied.newBytes,
    lost_files: copied.lost,
    removed_snapshots: removed,
    verified: options.verify ?? false,
  }
}

async function refuseOtherInstallation(place: BackupPlace, installation: string): Promise<void> {
  const newest = (await place.names()).at(-1)
  if (newest === undefined) return
  if ((await readManifest(place, newest)).installation === installation) return
  throw new Fault(
    'conflict',
    'other_installation',
    'That place has backups of another installation: use a place of its own for each.',
  )
}

async function backUpTable(
  { snapshot, place }: BackupParts,
  table: DumpedTable,
  signal: AbortSignal,
): Promise<Manifest['tables'][number]> {
  const lines = snapshot.read(table)
  const gzip = createGzip({ level: fastCompression })
  const compressed = pipeline(lines, gzip)
  // Awaited below; the error reaches `put` as well.
  compressed.catch(() => undefined)
  const stored = await place.blobs.put(gzip, { bytesMax: unbounded, signal })
  await compressed
  const { schema, name, columns } = table
  const sha256 = stored.sha256.toString('hex')
  return { schema, name, columns: [...columns], rows: lines.rowCount, sha256, bytes: stored.bytes }
}

/** Copies the files that the place does not have yet. */
async function copyFiles({ blobs, place }: BackupParts, needed: readonly Buffer[], signal: AbortSignal) {
  const files: ListedFile[] = []
  const lost: string[] = []
  let [newFiles, newBytes] = [0, 0]
  for (const sha256 of needed) {
    signal.throwIfAborted()
    const hex = sha256.toString('hex')
    const [own, kept] = await Promise.all([blobs.stat(sha256), place.blobs.stat(sha256)])
    if (own && kept?.bytes !== own.bytes) {
      const stored = await place.blobs.put(await blobs.open(sha256), { bytesMax: unbounded, signal })
      if (!stored.sha256.equals(sha256)) {
        await place.blobs.remove(stored.sha256)
        lost.push(hex)
        continue
      }
      newFiles += 1
      newBytes += stored.bytes
    }
    // An earlier backup may still have what the store lost.
    const bytes = own?.bytes ?? kept?.bytes
    if (bytes === undefined) lost.push(hex)
    else files.push({ sha256: hex, bytes })
  }
  return { files, lost, newFiles, newBytes }
}

/** A snapshot may share damaged content with an earlier one, so that only reading it shows whether it can be restored. */
async function verify({ place }: BackupParts, name: string, signal: AbortSignal): Promise<void> {
  try {
    await checkBackup(place, { manifest: await readManifest(place, name), signal })
  } catch (error) {
    await place.remove(name)
    throw error
  }
}

/** Removes all but the newest snapshots, and the content that only they had. */
async function removeOld(place: BackupPlace, keep: number, clock: Clock): Promise<readonly string[]> {
  const names = await place.names()
  const old = names.slice(0, Math.max(0, names.length - keep))
  if (old.length === 0) return old
  const needed = new Set<string>()
  for (const name of names.slice(old.length)) {
    const manifest = await readManifest(place, name)
    needed.add(manifest.files.sha256)
    for (const { sha256 } of manifest.tables) needed.add(sha256)
    for (const { sha256 } of await listedFiles(place, manifest)) needed.add(sha256)
  }
  // First the snapshots: one whose content is partly gone would be worse than content without a snapshot.
  for (const name of old) await place.remove(name)
  for await (const sha256 of place.blobs.namesBefore(clock.now()))
    if (!needed.has(sha256.toString('hex'))) await place.blobs.remove(sha256)
  return old
}
