import { createHash } from 'node:crypto'
import { chmod, chown, lstat, mkdir, realpath } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Fault } from '@skillrun/core/fault.ts'
import { type Account, chooseAccount } from './account.ts'
import { firstClosedFolder } from './reach.ts'

/** Paths of one embedded PostgreSQL, absolute and without symbolic links. */
export interface Layout {
  /** The data folder as configured. */
  readonly dataFolder: string
  /** The folder of all PostgreSQL files: only its account may enter. */
  readonly root: string
  /** `root` as PostgreSQL sees it. */
  readonly seenRoot: string
  /** The database files. The folder appears by a rename, so it is always complete. */
  readonly cluster: string
  readonly socketFolder: string
  readonly logFile: string
  readonly account: Account
  /** A mark in the server's command line that identifies it as the server of this folder. */
  readonly mark: string
}

/**
 * How an account that may not enter the folders above `root` (root's home, for example) can still reach it: this process
 * opens `root` and passes it as this descriptor; a path through it does not traverse the folders above (proc_pid_fd(5)).
 */
export const passageDescriptor = 3
export const passage = `/proc/self/fd/${passageDescriptor}`

/** Only a part of the socket's name: the server does not listen on the network. */
export const socketPort = 5432

const ownerOnly = 0o700
/** The size of `sun_path` without its terminating zero: 108 bytes on Linux, 104 on macOS. */
const socketPathBytesMax = process.platform === 'linux' ? 107 : 103

/**
 * Creates the folders that PostgreSQL needs in `dataFolder` and makes its account their owner.
 *
 * Throws Fault `unavailable`: `database_account`, or `database_folder` when the account cannot use them.
 */
export async function layOut(dataFolder: string): Promise<Layout> {
  await mkdir(dataFolder, { recursive: true, mode: ownerOnly })
  const root = join(await realpath(dataFolder), 'postgres')
  const account = await chooseAccount(root)
  await makePrivate(root, account)
  const inside = join(root, 'socket')
  const socketFolder = fitsSocket(inside) ? inside : await outsideFolder(root)
  await makePrivate(socketFolder, account)
  return {
    dataFolder,
    root,
    seenRoot: await nameFor(account, root),
    cluster: join(root, 'data'),
    socketFolder,
    logFile: join(root, 'postgres.log'),
    account,
    mark: `skillrun-${digest(root)}`,
  }
}

/** A path as PostgreSQL sees it. */
export function seen(layout: Layout, path: string): string {
  return path.startsWith(`${layout.root}/`) ? layout.seenRoot + path.slice(layout.root.length) : path
}

/** The inverse of `seen`. */
export function unseen(layout: Layout, path: string): string {
  return path.startsWith(`${layout.seenRoot}/`) ? layout.root + path.slice(layout.seenRoot.length) : path
}

async function nameFor(account: Account, root: string): Promise<string> {
  if (!account.other) return root
  if (process.platform === 'linux') return passage
  const closed = await firstClosedFolder(root, account)
  if (closed === undefined) return root
  throw new Fault(
    'unavailable',
    'database_folder',
    `PostgreSQL does not run as root, and its user may not enter ${closed}, which contains the data folder: set SKILLRUN_DATA to a folder that every user can reach, or set DATABASE_URL.`,
  )
}

/** A folder that every account can reach, for files that cannot be in the data folder; equal keys give the same folder. */
export async function outsideFolder(key: string): Promise<string> {
  const name = `skillrun-${digest(key)}`
  const folder = join(await realpath(tmpdir()), name)
  return fitsSocket(folder) ? folder : join('/tmp', name)
}

const fitsSocket = (folder: string): boolean =>
  Buffer.byteLength(join(folder, `.s.PGSQL.${socketPort}`)) <= socketPathBytesMax

const digest = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 16)

/** Creates a folder that only `account` may enter, or reuses one that belongs to us. */
export async function makePrivate(folder: string, account: Account): Promise<void> {
  await mkdir(folder, { recursive: true, mode: ownerOnly })
  const found = await lstat(folder)
  const owners = [account.uid, process.getuid?.()]
  if (!found.isDirectory() || !owners.includes(found.uid)) {
    throw new Fault(
      'unavailable',
      'database_folder',
      `${folder} belongs to another user, so the database cannot use it: remove it or set SKILLRUN_DATA to another folder.`,
    )
  }
  if ((found.mode & 0o777) !== ownerOnly) await chmod(folder, ownerOnly)
  if (account.other && found.uid !== account.uid) await chown(folder, account.uid, account.gid)
}
