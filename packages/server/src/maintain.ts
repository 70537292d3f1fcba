/*
 * Backups, restores and moves of the database: `node maintain.ts '{"act": "backup", …}'`. The command line runs it in a process of
 * its own. Prints one line of JSON: `{"done": …}` or `{"fault": {kind, code, message}}`.
 */
import { existsSync } from 'node:fs'
import { open, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, relative, resolve, sep } from 'node:path'
import { systemClock as clock } from '@skillrun/core/clock.ts'
import { Fault } from '@skillrun/core/fault.ts'
import { keyFileOf, readKeyFile } from '@skillrun/core/secret-key-file.ts'
import { parseKeys, secretKeysOf } from '@skillrun/core/secret-keys.ts'
import { z } from 'zod'
import type { BackupPlace } from './adapters/backup-place/backup-place.ts'
import { assertBackupFolder, blobsFolderOf, openFolderPlace } from './adapters/backup-place/folder/folder.ts'
import { openTarPlace, packBackup } from './adapters/backup-place/tar/tar.ts'
import { type Blobs, isDiskFull } from './adapters/blobs/blobs.ts'
import { openDiskBlobs } from './adapters/blobs/disk/disk.ts'
import { parseS3Url } from './adapters/blobs/s3/address.ts'
import type { DbAddress } from './adapters/db/db.ts'
import type { AppliedMigration, Dump } from './adapters/db/dump.ts'
import { findEmbedded, startEmbedded } from './adapters/db/embedded/start.ts'
import { assertKnownMigrations, migrate } from './adapters/db/migrate.ts'
import { connect } from './adapters/db/postgres/connect.ts'
import { assertEmpty, loadDump } from './adapters/db/postgres/load-dump.ts'
import { takeSnapshot } from './adapters/db/postgres/snapshot.ts'
import { type Config, readConfig } from './config.ts'
import type { Log } from './core/log.ts'
import { makeDataFolder, makeWritable, migrationsFolder, reasonOf } from './data-folder.ts'
import {
  checkBackup,
  type Manifest,
  makeBackup,
  newestName,
  readManifest,
  restoreBackup,
} from './features/backups/backups.ts'
import { assertOpens } from './features/keys/keys.ts'
import { openLog } from './open-log.ts'

const orders = z.discriminatedUnion('act', [
  z.object({
    act: z.literal('backup'),
    to: z.string(),
    keep: z.int().min(1).optional(),
    verify: z.boolean().default(false),
    includeKey: z.boolean(),
    version: z.string(),
  }),
  z.object({ act: z.literal('restore'), from: z.string(), snapshot: z.string().optional() }),
  z.object({ act: z.literal('check'), from: z.string(), snapshot: z.string().optional() }),
  z.object({ act: z.literal('list'), from: z.string() }),
  z.object({ act: z.literal('move'), to: z.string() }),
  z.object({ act: z.literal('upgrade') }),
])
type Order<Act> = Extract<z.infer<typeof orders>, { act: Act }>

const stopping = new AbortController()
const stop = () => stopping.abort(new Fault('unavailable', 'interrupted', 'Interrupted; nothing was completed.'))
for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(name, stop)
// The command that waits for the answer was killed, and nobody reads what is written.
process.on('disconnect', stop)
process.channel?.unref()
process.stdout.on('error', stop)
const { signal } = stopping

async function obey(order: z.infer<typeof orders>, config: Config, log: Log): Promise<unknown> {
  if (order.act === 'backup') return backUp(order, config, log)
  if (order.act === 'restore') return restore(order, config, log)
  if (order.act === 'move') return move(order, config, log)
  if (order.act === 'upgrade') return upgrade(config, log)
  await using undo = new AsyncDisposableStack()
  const place = await openForReading(order.from, undo)
  if (order.act === 'check') {
    const name = order.snapshot ?? (await newestName(place))
    return { snapshot: name, ...(await checkBackup(place, { manifest: await readManifest(place, name), signal })) }
  }
  const snapshots = []
  for (const name of await place.names()) {
    const { created_at, version, tables, files } = await readManifest(place, name)
    const rows = tables.reduce((sum, table) => sum + table.rows, 0)
    snapshots.push({ snapshot: name, created_at, version, rows, files: files.count, bytes: files.bytes })
  }
  return { snapshots }
}

async function backUp(order: Order<'backup'>, config: Config, log: Log): Promise<unknown> {
  await using undo = new AsyncDisposableStack()
  const { version, keep, verify } = order
  const to = isS3(order.to) ? order.to : resolve(order.to)
  const isTar = !isS3(to) && to.endsWith('.tar')
  if (!isS3(to) && !isTar && (await stat(to).catch(() => undefined))?.isFile())
    throw badPlace(`${to} is a file: give a folder, or a name that ends in .tar.`)
  if (!isS3(to) && isInside(config.dataFolder, to))
    throw badPlace(`${to} is inside the data folder, and would be lost with it: give a place on another disk.`)
  const address = await openDatabase(config, log, { undo, mayRun: true })
  const snapshot = await takeSnapshot(address)
  undo.defer(() => snapshot.close())
  const secretKeys = order.includeKey ? await keysText(config) : undefined
  // A tar file is packed from a folder beside it, which a killed backup leaves to the next one.
  const folder = isTar ? `${to}.folder` : to
  const reason = isS3(to) ? undefined : await makeWritable(folder, 0o700)
  if (reason !== undefined) throw badPlace(`${folder} cannot be created or written to: ${reason}.`)
  const place = isS3(to) ? await openBucket(to) : await openFolder(folder)
  undo.defer(() => place.close())
  const blobs = await openBlobs(config)
  const made = async () => {
    const report = await makeBackup(
      { snapshot, blobs, place, clock },
      { version, keep: isTar ? 1 : keep, verify, secretKeys, signal },
    )
    if (isTar) {
      await packBackup(folder, to)
      await rm(folder, { recursive: true, force: true })
    }
    return report
  }
  const report = await made().catch((error: unknown) => {
    throw noSpace(error, to) ?? error
  })
  return { ...report, to, secret_key: order.includeKey ? 'included' : keyPlace(config) }
}

async function restore(order: Order<'restore'>, config: Config, log: Log): Promise<unknown> {
  await using undo = new AsyncDisposableStack()
  const place = await openForReading(order.from, undo)
  const name = order.snapshot ?? (await newestName(place))
  const manifest = await readManifest(place, name)
  await assertKnownMigrations(migrationsFolder, manifest.migrations)
  await makeDataFolder(config.dataFolder)
  await provideKey(config, manifest)
  const address = await openDatabase(config, log, { undo, mayRun: false, mayBeNew: true })
  await prepare(address, manifest.migrations, log)
  const load = (dump: Dump) => loadDump(address, dump)
  const report = await restoreBackup({ place, blobs: await openBlobs(config), load }, { manifest, signal })
  return { snapshot: name, ...report, data: config.dataFolder }
}

async function move(order: Order<'move'>, config: Config, log: Log): Promise<unknown> {
  if (config.databaseUrl !== undefined)
    throw new Fault(
      'invalid',
      'bad_configuration',
      'DATABASE_URL is set, but the database in the data folder is what is moved: unset it, and give the new one as the argument.',
    )
  await using undo = new AsyncDisposableStack()
  const { databaseUrl } = readConfig({ DATABASE_URL: order.to }, process.cwd())
  const target: DbAddress = { url: databaseUrl ?? order.to }
  const snapshot = await takeSnapshot(await openDatabase(config, log, { undo, mayRun: false }))
  undo.defer(() => snapshot.close())
  await prepare(target, snapshot.migrations, log)
  const read = new Map<string, { readonly rowCount: number }>()
  const tables = snapshot.tables.map((table) => ({
    ...table,
    // Known when the table was read.
    get rows() {
      return read.get(table.name)?.rowCount ?? 0
    },
  }))
  await loadDump(target, {
    tables,
    sequences: snapshot.sequences,
    read(table) {
      const lines = snapshot.read(table)
      read.set(table.name, lines)
      return lines
    },
  })
  return { rows: tables.reduce((sum, { rows }) => sum + rows, 0), data: config.dataFolder }
}

/** Applies the migrations that the configured database lacks, however long they take. */
async function upgrade(config: Config, log: Log): Promise<unknown> {
  await using undo = new AsyncDisposableStack()
  const address = await openDatabase(config, log, { undo, mayRun: false })
  const db = await connect({
    address,
    clock,
    log,
    connectionsMax: 2,
    statementTimeoutMs: 0,
    allowLossy: config.allowLossy,
  })
  undo.defer(() => db.close())
  return { applied: await migrate(db, migrationsFolder) }
}

/** Makes the tables of a backup in an empty database. */
async function prepare(address: DbAddress, migrations: readonly AppliedMigration[], log: Log): Promise<void> {
  const open = (statementTimeoutMs: number) =>
    connect({ address, clock, log, connectionsMax: 4, statementTimeoutMs, allowLossy: true })
  const db = await open(0)
  try {
    await assertEmpty(db)
    await migrate(db, migrationsFolder, undefined, migrations.at(-1)?.version)
    // They load the whole server, which only a restore and a move need.
    const { openQueue } = await import('./adapters/queue/pgboss/pgboss-queue.ts')
    const { topics } = await import('./workers.ts')
    await (await openQueue({ db, address, log }, topics)).stop(AbortSignal.abort())
  } finally {
    await db.close()
  }
}

/** The configured database. `mayRun`: a server may be using the embedded one. `mayBeNew`: it is created when there is none. */
async function openDatabase(
  { databaseUrl, dataFolder }: Config,
  log: Log,
  { undo, mayRun, mayBeNew = false }: { undo: AsyncDisposableStack; mayRun: boolean; mayBeNew?: boolean },
): Promise<DbAddress> {
  if (databaseUrl !== undefined) return { url: databaseUrl }
  if (!mayBeNew && !existsSync(join(dataFolder, 'postgres', 'data')))
    throw new Fault(
      'missing',
      'no_database',
      `${dataFolder} has no database: set SKILLRUN_DATA or --data to the data folder of the server, or DATABASE_URL.`,
    )
  try {
    const embedded = await startEmbedded({ dataFolder, log, clock })
    undo.defer(() => embedded.stop())
    return embedded.address
  } catch (error) {
    if (mayRun && error instanceof Fault && error.code === 'data_folder_in_use') return findEmbedded(dataFolder)
    throw error
  }
}

const openBlobs = async ({ s3Url, dataFolder }: Config): Promise<Blobs> =>
  s3Url === undefined
    ? openDiskBlobs({ clock }, join(dataFolder, 'blobs'))
    : (await import('./adapters/blobs/s3/s3.ts')).openS3Blobs(parseS3Url(s3Url), tmpdir())

/** The fault of a backup that does not fit; undefined for other errors. */
function noSpace(error: unknown, to: string): Fault | undefined {
  const { code } = error as NodeJS.ErrnoException
  const why =
    code === 'EFBIG'
      ? `A file of the backup at ${to} is larger than its file system, or the limit of this user, allows`
      : isDiskFull(error) || code === 'storage_full'
        ? `There is no space left for the backup at ${to}`
        : undefined
  if (why === undefined) return undefined
  return new Fault('unavailable', 'storage_full', `${why}; earlier snapshots are as they were.`)
}

const badPlace = (sentence: string): Fault => new Fault('invalid', 'bad_backup_place', sentence)

const isInside = (folder: string, path: string): boolean => !relative(folder, path).split(sep).includes('..')

const isS3 = (place: string): boolean => place.startsWith('s3://')

async function openBucket(url: string): Promise<BackupPlace> {
  const { openS3Blobs } = await import('./adapters/blobs/s3/s3.ts')
  const { openS3Place } = await import('./adapters/backup-place/s3/s3.ts')
  const address = parseS3Url(url, 'The place of the backup')
  return openS3Place(address, openS3Blobs({ ...address, prefix: `${address.prefix}blobs/` }, tmpdir()))
}

async function openFolder(folder: string): Promise<BackupPlace> {
  return openFolderPlace(folder, await openDiskBlobs({ clock }, blobsFolderOf(folder)))
}

async function openForReading(from: string, undo: AsyncDisposableStack): Promise<BackupPlace> {
  const path = resolve(from)
  const isFile = !isS3(from) && (await stat(path).catch(() => undefined))?.isFile()
  if (!isS3(from) && !isFile) await assertBackupFolder(path)
  const place = isS3(from) ? await openBucket(from) : isFile ? await openTarPlace(path) : await openFolder(path)
  undo.defer(() => place.close())
  return place
}

const keyPlace = ({ secretKeys, dataFolder }: Config): string =>
  secretKeys ? 'SKILLRUN_SECRET_KEY' : keyFileOf(dataFolder)

async function keysText({ secretKeys, dataFolder }: Config): Promise<string> {
  if (secretKeys) return secretKeys.map((key) => key.toString('base64')).join('\n')
  await readKeyFile(dataFolder)
  return (await readFile(keyFileOf(dataFolder), 'utf8')).trim()
}

/** Checks before anything is written that this server will be able to decrypt the secrets of the backup. */
async function provideKey({ secretKeys, dataFolder }: Config, manifest: Manifest): Promise<void> {
  const path = keyFileOf(dataFolder)
  const isHere = secretKeys !== undefined || existsSync(path)
  const included = manifest.secret_keys === null ? undefined : parseKeys(manifest.secret_keys)
  const keys = secretKeys ?? (isHere ? await readKeyFile(dataFolder) : included)
  if (manifest.sealed_sample !== null) {
    const unknown = new Fault(
      'invalid',
      'unknown_secret_key',
      `The secrets in this backup are encrypted with a key that is not here: set SKILLRUN_SECRET_KEY to the key of the server that was backed up, or copy its file secret.key to ${path}.`,
    )
    if (!keys) throw unknown
    try {
      assertOpens(secretKeysOf(keys), Buffer.from(manifest.sealed_sample, 'base64'))
    } catch {
      throw unknown
    }
  }
  if (isHere || manifest.secret_keys === null) return
  const file = await open(path, 'wx', 0o600)
  try {
    await file.writeFile(`${manifest.secret_keys}\n`)
    await file.sync()
  } finally {
    await file.close()
  }
}

const answer = (value: object): void => void process.stdout.write(`${JSON.stringify(value)}\n`)

try {
  const config = readConfig(process.env, process.cwd())
  // A command that a person waits for: its log is what it says on standard error.
  const { log } = await openLog({ logLevel: config.logLevel, logsUrl: undefined })
  answer({ done: await obey(orders.parse(JSON.parse(process.argv[2] ?? '')), config, log) })
} catch (error) {
  process.exitCode = 1
  const { path } = error as NodeJS.ErrnoException
  const reason = path === undefined ? undefined : reasonOf(error)
  if (error instanceof Fault) answer({ fault: { kind: error.kind, code: error.code, message: error.message } })
  else if (reason)
    answer({ fault: { kind: 'invalid', code: 'no_access', message: `${path} cannot be used: ${reason}.` } })
  else process.stderr.write(`skillrun: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`)
}
