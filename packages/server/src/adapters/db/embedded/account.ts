import { lchown, readdir, readFile, stat } from 'node:fs/promises'
import { userInfo } from 'node:os'
import { join } from 'node:path'
import { Fault } from '@skillrun/core/fault.ts'

/** The operating system account that PostgreSQL runs as. */
export interface Account {
  readonly uid: number
  readonly gid: number
  /** True when it is not this process's account: files must then be handed over to it. */
  readonly other: boolean
}

const passwdFile = '/etc/passwd'

/**
 * Chooses the account: this process's own, but never root, which PostgreSQL refuses. As root, the owner of an existing
 * database in `clusterFolder`, otherwise `nobody`.
 *
 * Throws Fault `unavailable` with code `database_account` when the account has no name on this machine: PostgreSQL would
 * not start.
 */
export async function chooseAccount(clusterFolder: string): Promise<Account> {
  const uid = process.getuid?.()
  const gid = process.getgid?.()
  if (uid === undefined || gid === undefined) {
    throw accountFault('This system cannot run the embedded PostgreSQL')
  }
  if (uid !== 0) {
    if (!hasName()) throw accountFault(`User id ${uid} has no name on this machine, and PostgreSQL needs one`)
    return { uid, gid, other: false }
  }
  const owner = await stat(clusterFolder).catch(() => undefined)
  const passwd = await readFile(passwdFile, 'utf8').catch(() => '')
  const accounts = passwd.split('\n').map((line) => line.split(':'))
  const wanted =
    owner !== undefined && owner.uid !== 0
      ? accounts.find((fields) => Number(fields[2]) >>> 0 === owner.uid)
      : accounts.find((fields) => fields[0] === 'nobody')
  if (wanted === undefined) {
    throw accountFault(
      owner !== undefined && owner.uid !== 0
        ? `The database folder belongs to user id ${owner.uid}, which has no name on this machine`
        : 'PostgreSQL does not run as root, and this machine has no user named nobody to run it as',
    )
  }
  // Some systems write nobody's ids as negative 32-bit numbers.
  return { uid: Number(wanted[2]) >>> 0, gid: Number(wanted[3]) >>> 0, other: true }
}

function hasName(): boolean {
  try {
    return userInfo().username !== ''
  } catch {
    return false
  }
}

function accountFault(why: string): Fault {
  return new Fault('unavailable', 'database_account', `${why}: set DATABASE_URL to your own PostgreSQL.`)
}

/** Makes `account` the owner of `path` and everything in it. */
export async function handOver(path: string, account: Account): Promise<void> {
  if (!account.other) return
  const names = await readdir(path, { recursive: true })
  for (const at of [path, ...names.map((name) => join(path, name))]) await lchown(at, account.uid, account.gid)
}
