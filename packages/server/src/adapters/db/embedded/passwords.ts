import { randomBytes, randomUUID } from 'node:crypto'
import { link, open, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { Fault } from '@skillrun/core/fault.ts'

/** The administrator role of the embedded database: a superuser. It creates the service's role and makes dumps. */
export const administrator = 'skillrun'
/** The role of the service: not a superuser, owns only its schemas. */
export const service = 'skillrun_service'

/** The passwords of the embedded database's two roles. */
export type Passwords = Readonly<Record<typeof administrator | typeof service, string>>

/** The password file, in libpq's format so that `PGPASSFILE` can name it (PostgreSQL manual, "The Password File"). */
export const passwordFileOf = (dataFolder: string): string => join(dataFolder, 'postgres.pgpass')

/**
 * The passwords of this data folder, created when there are none. Concurrent callers get the same. Throws Fault
 * `unavailable` with code `database_password` when the file exists without passwords.
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
      `${file} has no password for ${user}: ${restoreHint(dataFolder)}.`,
    )
  }
  return { [administrator]: passwordOf(administrator), [service]: passwordOf(service) }
}

/** How to repair a password file that does not match the database. */
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
    // A link never replaces the file of a concurrent start that was faster.
    await link(half, file)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    // Some file systems have no hard links; there, concurrent first starts can race.
    if (code !== 'EEXIST') await rename(half, file)
  } finally {
    await rm(half, { force: true })
  }
  return (await readPasswords(dataFolder)) ?? makePasswords(dataFolder)
}
