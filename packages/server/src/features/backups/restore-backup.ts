import { Fault } from '@skillrun/core/fault.ts'
import type { BackupPlace } from '../../adapters/backup-place/backup-place.ts'
import type { Blobs } from '../../adapters/blobs/blobs.ts'
import type { Dump } from '../../adapters/db/dump.ts'
import { listedFiles, openTable, openVerified } from './content.ts'
import type { Manifest } from './manifest.ts'

export interface RestoreParts {
  readonly place: BackupPlace
  readonly blobs: Blobs
  /** Writes the tables into the empty database; returns the names of tables that it does not have. */
  readonly load: (dump: Dump) => Promise<readonly string[]>
}

/** What was restored. */
export interface RestoreReport {
  readonly rows: number
  readonly files: number
  readonly bytes: number
  readonly lost_files: readonly string[]
  readonly unknown_tables: readonly string[]
}

const unbounded = Number.MAX_SAFE_INTEGER

/**
 * Restores a snapshot: first the files, then the tables in one transaction. A restore that ends before the commit leaves a database
 * without a workspace, and can be repeated. Throws Fault `conflict` (`backup_damaged`) when content is not what was backed up.
 */
export async function restoreBackup(
  { place, blobs, load }: RestoreParts,
  { manifest, signal }: { manifest: Manifest; signal: AbortSignal },
): Promise<RestoreReport> {
  const files = await listedFiles(place, manifest)
  for (const { sha256, bytes } of files) {
    const name = Buffer.from(sha256, 'hex')
    if ((await blobs.stat(name))?.bytes === bytes) continue
    await blobs.put(await openVerified(place, sha256), { bytesMax: unbounded, signal })
  }
  const content = new Map(manifest.tables.map((table) => [table.name, table.sha256]))
  const unknown = await load({
    tables: manifest.tables,
    sequences: manifest.sequences,
    read: ({ name }) => openTable(place, content.get(name) ?? ''),
  })
  return { ...figuresOf(manifest), unknown_tables: unknown }
}

/** Reads all content of a snapshot. Throws Fault `conflict` (`backup_damaged`) with the first that is not what was backed up. */
export async function checkBackup(
  place: BackupPlace,
  { manifest, signal }: { manifest: Manifest; signal: AbortSignal },
): Promise<Omit<RestoreReport, 'unknown_tables'>> {
  const files = await listedFiles(place, manifest)
  for (const { sha256 } of [...manifest.tables, ...files]) {
    signal.throwIfAborted()
    for await (const _chunk of await openVerified(place, sha256));
  }
  if (files.length !== manifest.files.count)
    throw new Fault('conflict', 'backup_damaged', 'The backup is damaged: its list of files is incomplete.')
  return figuresOf(manifest)
}

const figuresOf = (manifest: Manifest) => ({
  rows: manifest.tables.reduce((sum, table) => sum + table.rows, 0),
  files: manifest.files.count,
  bytes: manifest.files.bytes,
  lost_files: manifest.lost_files,
})
