export { type BackupReport, makeBackup } from './make-backup.ts'
export { type Manifest, newestName, readManifest } from './manifest.ts'
export { checkBackup, type RestoreReport, restoreBackup } from './restore-backup.ts'
