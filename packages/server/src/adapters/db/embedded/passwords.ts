import { randomBytes, randomUUID } from 'node:crypto'
import { link, open, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { Fault } from '@skillrun/core/fault.ts'

/** The administrator of the embedded database: makes the service's role and its rights, and reads all rows, as a dump must. */
export const administrator = 'skillrun'
/** The role that the service works as: no superuser, and owner of nothing but its schemas. */
export const service = 'skillrun_service'

/** The passwords of the embedded database's two roles. */
export type Passwords = Readonly<Record<typeof administrator | typeof service, string>>

/** Where the passwords are: in libpq's format, so that `PGPASSFILE` may name it (PostgreSQL manual, "The Password File"). */
export const passwordFileOf = (dataFolder: string): string => join(dataFolder, 'postgres.pgpass')

/**
 * The passwords of this data folder, made when there are none. Any number of callers at once get the same. Throws Fault `unavailable` with
 * code `database_password` when the file is there and holds none.
 */
export async function keepPasswords(dataFolder: string): Promise<Passwords> {
  return (await readPasswords(dataFolder)) ?? (await makePasswords(dataFolder))
}

async function readPasswords(dataFolder: string): Promise<Passwords | undefined> {
  const file = passwordFileOf(dataFolder)
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw error
  })
  if (text === undefined) return undefined
  const passwordOf = (user: string): string => {
    const line = text.split('\n').find((one) => one.startsWith(`*:*:*:${user}:`))
    const password = line?.split(':')[4]?.trim()
    if (password) return password
    throw new Fault(
      'unavailable',
      'database_password',
      `${file} holds no password of ${user}: ${restoreHint(dataFolder)}.`,
    )
  }
  return { [administrator]: passwordOf(administrator), [service]: passwordOf(service) }
}

/** What to do about a database whose passwords are not those of the file. */
export const restoreHint = (dataFolder: string): string =>
  `restore that file from a backup of the data folder, or write "local all all trust" into ${join(dataFolder, 'postgres', 'data', 'pg_hba.conf')} and start again, which sets new passwords`

async function makePasswords(dataFolder: string): Promise<Passwords> {
  const file = passwordFileOf(dataFolder)
  const half = `${file}.${randomUUID()}`
  const lines = [administrator, service].map((user) => `*:*:*:${user}:${randomBytes(32).toString('base64url')}\n`)
  const handle = await open(half, 'wx', 0o600)
  try {
    await handle.writeFile(lines.join(''))
    await handle.sync()
  } finally {
    await handle.close()
  }
  try {
    // Never over the file of another start that was quicker.
    await link(half, file)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    // Some file systems have no links: there, starts at the same moment are not told apart.
    if (code !== 'EEXIST') await rename(half, file)
  } finally {
    await rm(half, { force: true })
  }
  return (await readPasswords(dataFolder)) ?? makePasswords(dataFolder)
}
