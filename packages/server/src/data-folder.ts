import { mkdir, mkdtemp, rmdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Fault } from '@skillrun/core/fault.ts'

/** Makes the data folder where it is not there. Throws Fault `invalid` where this user cannot make it or write in it. */
export async function makeDataFolder(path: string): Promise<void> {
  try {
    await makeFolders(path)
    // Rights alone do not tell: under /proc root may do everything, and nothing can be made.
    await rmdir(await mkdtemp(join(path, 'tried-')))
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? 'unknown'
    throw new Fault(
      'invalid',
      'bad_data_folder',
      `The data folder ${JSON.stringify(path)} cannot be made or written in: ${reasons[code] ?? 'the system refused it'} (${code}); set SKILLRUN_DATA to a folder that this user can make and write in.`,
    )
  }
}

const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'its place takes no folders',
  ENOTDIR: 'it, or something on the way to it, is no folder',
  EACCES: 'this user may not write there',
  EPERM: 'nobody may write there',
  EROFS: 'its file system is read-only',
  ENOSPC: 'its disk is full',
  EDQUOT: 'its disk is full for this user',
  ENAMETOOLONG: 'its name is too long',
  ELOOP: 'links on the way to it lead to each other',
}

/** Not `mkdir` with `recursive`, which tries for ever where the parent is there and takes no folders, as /proc. */
async function makeFolders(path: string): Promise<void> {
  if (await isMade(path)) return
  await makeFolders(dirname(path))
  // The root of all is there: whatever its mkdir says, it is not that a parent is missing.
  if (!(await isMade(path))) throw Object.assign(new Error('no folder can be made there'), { code: 'ENOENT' })
}

/** False where the parent is missing. */
async function isMade(path: string): Promise<boolean> {
  try {
    // Others may pass through: PostgreSQL runs as another user where the server is root.
    await mkdir(path, { mode: 0o711 })
    return true
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT') return false
    // A file of that name is found out by whoever goes in.
    if (code === 'EEXIST' || code === 'EISDIR') return true
    throw error
  }
}
