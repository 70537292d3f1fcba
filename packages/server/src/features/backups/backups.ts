export { makeBackup } from './make-backup.ts'
export { type Manifest, newestName, readManifest } from './manifest.ts'
export { checkBackup, restoreBackup } from './restore-backup.ts'
