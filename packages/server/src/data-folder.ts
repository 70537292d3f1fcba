import { mkdir, mkdtemp, rmdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Fault } from '@skillrun/core/fault.ts'

/** The migrations of this version. */
export const migrationsFolder = fileURLToPath(new URL('../migrations/', import.meta.url))

/** Creates the data folder if needed. Throws Fault `invalid` when this user cannot create it or write to it. */
export async function makeDataFolder(path: string): Promise<void> {
  // Searchable by others: PostgreSQL runs as another user when the server is root.
  const reason = await makeWritable(path, 0o711)
  if (reason === undefined) return
  throw new Fault(
    'invalid',
    'bad_data_folder',
    `The data folder ${JSON.stringify(path)} cannot be created or written to: ${reason}; set SKILLRUN_DATA to a folder that this user can create and write to.`,
  )
}

/** Creates a folder if needed. Returns why this user cannot create it or write to it; undefined: it is there and can be written to. */
export async function makeWritable(path: string, mode: number): Promise<string | undefined> {
  try {
    await makeFolders(path, mode)
    // Creating a file is the only reliable test: in /proc root has all rights, but nothing can be created.
    await rmdir(await mkdtemp(join(path, 'tried-')))
    return undefined
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException
    return reasonOf(error) ?? `the system refused it (${code})`
  }
}

/** What an error of the file system means; undefined for other errors. */
export function reasonOf(error: unknown): string | undefined {
  const { code = '' } = error as NodeJS.ErrnoException
  return reasons[code] && `${reasons[code]} (${code})`
}

const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'its file system allows no folders',
  ENOTDIR: 'it, or a part of its path, is not a folder',
  EACCES: 'this user has no right to it',
  EPERM: 'nobody may write to it',
  EROFS: 'its file system is read-only',
  ENOSPC: 'its disk is full',
  EDQUOT: 'its disk is full for this user',
  ENAMETOOLONG: 'its name is too long',
  ELOOP: 'links on the way to it lead to each other',
}

/** Not `mkdir` with `recursive`, which loops forever where the parent exists but allows no folders, such as /proc. */
async function makeFolders(path: string, mode: number): Promise<void> {
  if (await isMade(path, mode)) return
  await makeFolders(dirname(path), mode)
  // The root folder always exists, so the error has another cause.
  if (!(await isMade(path, mode))) throw Object.assign(new Error('no folder can be created there'), { code: 'ENOENT' })
}

/** False when the parent is missing. */
async function isMade(path: string, mode: number): Promise<boolean> {
  try {
    await mkdir(path, { mode })
    return true
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT') return false
    // A file of that name is reported by the first access to the folder.
    if (code === 'EEXIST' || code === 'EISDIR') return true
    throw error
  }
}
