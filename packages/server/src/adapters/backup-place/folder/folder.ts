import { mkdir, open, readdir, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { Fault } from '@skillrun/core/fault.ts'
import { syncFolder } from '../../../core/sync-folder.ts'
import type { Blobs } from '../../blobs/blobs.ts'
import { type BackupPlace, snapshotFile } from '../backup-place.ts'

const ownerOnly = 0o700

/** The folder in which the content of a backup folder is. */
export const blobsFolderOf = (folder: string): string => join(folder, 'blobs')

/** Backups in a folder: `snapshots/<moment>.json` and `blobs`. */
export async function openFolderPlace(folder: string, blobs: Blobs): Promise<BackupPlace> {
  const snapshots = join(folder, 'snapshots')
  await mkdir(snapshots, { recursive: true, mode: ownerOnly })
  const pathOf = (name: string) => join(snapshots, `${name}.json`)
  return {
    blobs,
    names: async () => (await readdir(snapshots)).flatMap((file) => snapshotFile.exec(file)?.[1] ?? []).sort(),
    read: (name) => readFile(pathOf(name), 'utf8'),
    async write(name, text) {
      // The same name each time, so that a killed backup leaves at most one.
      const unfinished = join(snapshots, 'unfinished')
      const file = await open(unfinished, 'w', 0o600)
      try {
        await file.writeFile(text)
        await file.sync()
      } finally {
        await file.close()
      }
      await rename(unfinished, pathOf(name))
      await syncFolder(snapshots)
      await syncFolder(folder)
    },
    async remove(name) {
      await rm(pathOf(name), { force: true })
      await syncFolder(snapshots)
    },
    close: async () => undefined,
  }
}

/** Throws Fault `missing` unless the folder has backups: restoring must not create an empty one. */
export async function assertBackupFolder(folder: string): Promise<void> {
  const found = await readdir(join(folder, 'snapshots')).catch(() => undefined)
  if (found) return
  throw new Fault(
    'missing',
    'no_backup',
    `${folder} has no backup: give a folder, a .tar or an s3:// address that "skillrun backup" wrote.`,
  )
}
