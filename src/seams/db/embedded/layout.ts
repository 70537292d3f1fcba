import { createHash } from 'node:crypto'
import { chmod, chown, lstat, mkdir, realpath, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Fault } from '../../../kit/fault.ts'
import { type Account, chooseAccount } from './account.ts'
import { firstClosedFolder } from './reach.ts'

/** Where everything of one embedded PostgreSQL lies. All paths are absolute and without symbolic links. */
export interface Layout {
  /** The data folder as the user knows it. */
  readonly dataFolder: string
  /** All that is PostgreSQL's: only its account may enter. */
  readonly root: string
  /** The database itself. It appears by a rename, so when it is there it is whole. */
  readonly cluster: string
  readonly socketFolder: string
  readonly logFile: string
  readonly account: Account
}

/** The port is only a part of the socket's name: nothing listens on the network. */
export const socketPort = 5432

const ownerOnly = 0o700
const ownerAndPassage = 0o711
/** `sun_path` less its closing zero: 108 bytes on Linux, 104 on macOS. */
const socketPathBytesMax = process.platform === 'linux' ? 107 : 103

/**
 * Makes the folders below `dataFolder` that PostgreSQL needs and hands them to its account.
 *
 * Throws Fault `unavailable`: `database_account`, or `database_folder` when the account can't get there.
 */
export async function layOut(dataFolder: string): Promise<Layout> {
  await mkdir(dataFolder, { recursive: true, mode: ownerAndPassage })
  const data = await realpath(dataFolder)
  const root = join(data, 'postgres')
  const account = await chooseAccount(root)
  await makePrivate(root, account)
  await letPass(data, account)
  const inside = join(root, 'socket')
  const fits = Buffer.byteLength(join(inside, `.s.PGSQL.${socketPort}`)) <= socketPathBytesMax
  const socketFolder = fits ? inside : await shortFolder(data)
  await makePrivate(socketFolder, account)
  return {
    dataFolder,
    root,
    cluster: join(root, 'data'),
    socketFolder,
    logFile: join(root, 'postgres.log'),
    account,
  }
}

async function makePrivate(folder: string, account: Account): Promise<void> {
  await mkdir(folder, { recursive: true, mode: ownerOnly })
  const found = await lstat(folder)
  const owners = [account.uid, process.getuid?.()]
  if (!found.isDirectory() || !owners.includes(found.uid)) {
    throw new Fault(
      'unavailable',
      'database_folder',
      `${folder} belongs to somebody else, so the database cannot use it: remove it or give SKILLRUN_DATA another folder.`,
    )
  }
  if ((found.mode & 0o777) !== ownerOnly) await chmod(folder, ownerOnly)
  if (account.other && found.uid !== account.uid) await chown(folder, account.uid, account.gid)
}

/** Root's PostgreSQL runs as another, who must get through to its folder. Only our own data folder is opened for that. */
async function letPass(data: string, account: Account): Promise<void> {
  let closed = await firstClosedFolder(data, account)
  if (closed === data) {
    await chmod(data, ((await stat(data)).mode & 0o777) | 0o001)
    closed = await firstClosedFolder(data, account)
  }
  if (closed === undefined) return
  throw new Fault(
    'unavailable',
    'database_folder',
    `PostgreSQL does not run as root, and its user may not enter ${closed} on the way to the data folder: give SKILLRUN_DATA a folder that every user can reach, or set DATABASE_URL.`,
  )
}

async function shortFolder(data: string): Promise<string> {
  const name = `skillrun-${createHash('sha256').update(data).digest('hex').slice(0, 16)}`
  const temporary = await realpath(tmpdir())
  const fits = Buffer.byteLength(join(temporary, name, `.s.PGSQL.${socketPort}`)) <= socketPathBytesMax
  return join(fits ? temporary : '/tmp', name)
}
