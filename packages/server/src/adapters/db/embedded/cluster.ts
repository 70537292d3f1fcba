import type { ChildProcess } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { Fault } from '@skillrun/core/fault.ts'
import { syncFolder } from '../../../core/sync-folder.ts'
import { handOver } from './account.ts'
import type { Binaries } from './binaries.ts'
import { type Layout, seen } from './layout.ts'
import { administrator } from './passwords.ts'
import { startProgram } from './programs.ts'

const halfSuffix = '.half'

/**
 * Creates the database files when there are none: first in a temporary folder, then by one rename, so that a start that is
 * killed half-way leaves nothing that looks like a database.
 *
 * Throws Fault `unavailable`: `database_version` when the files belong to another major version, `database_platform` when
 * initdb does not run here.
 */
export async function makeCluster(layout: Layout, binaries: Binaries): Promise<void> {
  const version = await readFile(join(layout.cluster, 'PG_VERSION'), 'utf8').catch(() => undefined)
  if (version === undefined) return initialise(layout, binaries)
  if (Number(version.trim()) === binaries.majorVersion) {
    // Files restored by root from a backup belong to root.
    const { uid } = await stat(layout.cluster)
    if (uid !== layout.account.uid) await handOver(layout.cluster, layout.account)
    return
  }
  throw new Fault(
    'unavailable',
    'database_version',
    `The database in ${layout.cluster} was created by PostgreSQL ${version.trim()}, and this version contains PostgreSQL ${binaries.majorVersion}: back it up with the version of Skillrun that made it, and restore the backup with this one into a new data folder.`,
  )
}

async function initialise(layout: Layout, binaries: Binaries): Promise<void> {
  const half = `${layout.cluster}.${randomUUID()}${halfSuffix}`
  // Trusted until the first start has set passwords: see `settleRoles`.
  const options = ['--auth=trust', '--encoding=UTF8', '--locale=C', '--data-checksums', `--username=${administrator}`]
  // The builtin collation is the same on every machine and does not change with system updates.
  const locale = ['--locale-provider=builtin', '--builtin-locale=C.UTF-8']
  // Given sizes save initdb its measurements.
  const sizes = ['-c', 'max_connections=100', '-c', 'shared_buffers=64MB']
  try {
    const args = [`--pgdata=${seen(layout, half)}`, ...options, ...locale, ...sizes]
    await untilDone(startProgram(layout, binaries.initdb, { args, output: 'pipe' }))
    await rename(half, layout.cluster)
  } catch (error) {
    await rm(half, { recursive: true, force: true })
    // Another process finished first and may have removed our folder; its files are equivalent.
    if (isTaken(error) || (await isMade(layout))) return
    throw error
  }
  await syncFolder(layout.root)
}

const isMade = (layout: Layout): Promise<boolean> =>
  stat(join(layout.cluster, 'PG_VERSION')).then(
    () => true,
    () => false,
  )

const isTaken = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && (error.code === 'ENOTEMPTY' || error.code === 'EEXIST')

async function untilDone(initdb: ChildProcess): Promise<void> {
  let output = ''
  for (const stream of [initdb.stdout, initdb.stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => {
      output += text
    })
  }
  const code = await new Promise<number | null>((resolve) => {
    initdb.on('close', resolve)
    initdb.on('error', (error) => {
      output = error.message
    })
  })
  if (code === 0) return
  const lines = output.trim().split('\n')
  const reason = lines.find((line) => /error|FATAL|not found|cannot|could not/i.test(line)) ?? lines.at(-1)
  throw new Fault(
    'unavailable',
    'database_platform',
    `The embedded PostgreSQL could not create its files (${reason?.trim()}): set DATABASE_URL to your own PostgreSQL.`,
  )
}

/** Removes the folders of interrupted first starts. Call it only while holding the data folder's lock. */
export async function removeHalfMade(layout: Layout): Promise<void> {
  for (const name of await readdir(layout.root)) {
    if (name.endsWith(halfSuffix)) await rm(join(layout.root, name), { recursive: true, force: true })
  }
}
