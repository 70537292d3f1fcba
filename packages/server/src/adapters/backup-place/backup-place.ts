import type { Blobs } from '../blobs/blobs.ts'

/** Where backups are kept: snapshots by name, and the content that they share. */
export interface BackupPlace {
  readonly blobs: Pick<Blobs, 'put' | 'open' | 'stat' | 'remove' | 'namesBefore'>
  /** The names of the snapshots, the oldest first. */
  names(): Promise<readonly string[]>
  read(name: string): Promise<string>
  /** Durable and complete when the promise resolves; before that there is no snapshot of this name. */
  write(name: string, text: string): Promise<void>
  remove(name: string): Promise<void>
  close(): Promise<void>
}

/** The file of a snapshot: a moment in UTC without characters that file systems refuse. */
export const snapshotFile = /^(\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d-\d{3}Z)\.json$/
