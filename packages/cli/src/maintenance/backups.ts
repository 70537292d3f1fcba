import { pause } from '@skillrun/client/http.ts'
import { Fault } from '@skillrun/core/fault.ts'
import { bytesText } from '@skillrun/core/figures.ts'
import type { Command } from '../command.ts'
import { version } from '../installation.ts'
import { interval, wholeNumber } from '../options.ts'
import { callerPath } from '../paths.ts'
import { renderJson, renderTable } from '../render.ts'
import type { Terminal } from '../terminal.ts'
import { maintain } from './maintain.ts'
import { repeat } from './repeat.ts'

interface DataOption {
  readonly data?: string
}

interface Figures {
  readonly snapshot: string
  readonly rows: number
  readonly files: number
  readonly bytes: number
  readonly lost_files: readonly string[]
}

interface Made extends Figures {
  readonly to: string
  readonly new_files: number
  readonly new_bytes: number
  readonly removed_snapshots: readonly string[]
  readonly verified: boolean
  /** `included`, or where the key is. */
  readonly secret_key: string
}

interface Restored extends Figures {
  readonly data: string
  readonly unknown_tables: readonly string[]
}

interface Listed {
  readonly snapshots: readonly (Omit<Figures, 'lost_files'> & { created_at: string; version: string })[]
}

const dataText = 'data folder (default: SKILLRUN_DATA, or .skillrun in the current folder)'

/** `skillrun backup`, `restore`, `migrate-database` and `upgrade-database`: maintenance on the server's machine. */
export function addBackups(program: Command, terminal: Terminal): void {
  addBackup(program, terminal)
  addRestore(program, terminal)
  addMigrate(program, terminal)
  addUpgrade(program, terminal)
}

/** The place of a backup: an S3 address as it is, a path from the folder of the caller. */
const placeOf = (text: string, terminal: Terminal): string =>
  text.startsWith('s3://') ? text : callerPath(text, terminal.environment)

function addBackup(program: Command, terminal: Terminal): void {
  const backup = program
    .command('backup')
    .description('back up the database and the files of the server on this machine, while it runs')
    .argument('<to>', 'folder or s3://bucket/prefix, to which later backups add only what is new; or a file.tar')
    .option('--keep <COUNT>', 'delete all snapshots in that place but the newest COUNT', wholeNumber(1, 100_000))
    .option('--verify', 'read the new snapshot back before older ones are deleted; one that is damaged is removed')
    .option('--every <INTERVAL>', 'repeat until stopped, such as 24h after the newest backup in that place', interval)
    .option('--include-key', 'put the key of the secrets into the backup, which is then a secret itself')
    .option('--data <FOLDER>', dataText)
    .examples(
      'skillrun backup /backups/skillrun --keep 14 --verify',
      'skillrun backup /backups/skillrun --every 24h --keep 14 --verify',
      'skillrun backup skillrun.tar',
      'skillrun backup verify skillrun.tar',
      'DATABASE_URL=postgres://… skillrun backup /backups/skillrun',
    )
    .action(async (to: string, options: BackupOptions, command: Command) => {
      const { keep, verify = false, every, includeKey = false, data } = options
      const place = placeOf(to, terminal)
      const order = { act: 'backup', to: place, keep, verify, includeKey, version }
      const work = async () => tellMade(await maintain<Made>(terminal, order, data), command, terminal)
      if (every === undefined) return work()
      await repeat({
        ...{ everyMs: every, clock: terminal.clock, work },
        pause: (ms) => pause(ms, terminal.signal),
        findLast: () => findNewest(place, terminal),
        onNext: (due) => terminal.log(`The next backup begins at ${due.toISOString()}.`),
        onFailure: (error) =>
          terminal.log(
            `skillrun: ${error instanceof Error ? error.message : String(error)} The backup is tried again.`,
          ),
      })
    })
  addVerify(backup, terminal)
}

interface BackupOptions extends DataOption {
  readonly keep?: number
  readonly verify?: boolean
  readonly every?: number
  readonly includeKey?: boolean
}

/** Time of the newest backup in a place, or undefined if it holds none. */
async function findNewest(place: string, terminal: Terminal): Promise<Date | undefined> {
  try {
    const { snapshots } = await maintain<Listed>(terminal, { act: 'list', from: place }, undefined)
    const newest = snapshots.at(-1)
    return newest && new Date(newest.created_at)
  } catch (error) {
    if (error instanceof Fault && error.code === 'no_backup') return undefined
    throw error
  }
}

function tellMade(made: Made, command: Command, terminal: Terminal): void {
  if (command.isJson) {
    terminal.print(renderJson(made))
    return
  }
  terminal.log(
    `Backed up to ${made.to} as ${made.snapshot}: ${made.rows} rows, ${made.files} files (${bytesText(made.bytes)}), ${made.new_files} of them new (${bytesText(made.new_bytes)})${made.verified ? ', and verified' : ''}.`,
  )
  if (made.removed_snapshots.length > 0) terminal.log(`Deleted ${made.removed_snapshots.length} older snapshots.`)
  logLost(made, terminal)
  terminal.log(
    made.secret_key === 'included'
      ? 'The backup contains the key of the secrets: keep it where nobody else can read it.'
      : `The backup does not contain the key of the secrets, without which it cannot be restored. Keep a copy of it: ${made.secret_key}`,
  )
}

function addVerify(backup: Command, terminal: Terminal): void {
  backup
    .command('verify')
    .description('read a whole backup and compare its checksums')
    .argument('<from>', sourceText)
    .option('--snapshot <NAME>', 'snapshot to verify (default: the newest)')
    .examples('skillrun backup verify /backups/skillrun', 'skillrun backup verify skillrun.tar')
    .action(async (source: string, { snapshot }: { snapshot?: string }, command: Command) => {
      const order = { act: 'check', from: placeOf(source, terminal), snapshot }
      const done = await maintain<Figures>(terminal, order, undefined)
      if (command.isJson) return terminal.print(renderJson(done))
      terminal.log(`The checksums of ${figuresText(done)} are right.`)
      logLost(done, terminal)
    })
}

const sourceText = 'folder, .tar file or s3:// address of "skillrun backup"'
const figuresText = ({ snapshot, rows, files, bytes }: Figures): string =>
  `${snapshot}: ${rows} rows, ${files} files (${bytesText(bytes)})`

function addRestore(program: Command, terminal: Terminal): void {
  program
    .command('restore')
    .description('restore a backup into a new data folder, or into an empty database')
    .argument('<from>', sourceText)
    .option('--snapshot <NAME>', 'snapshot to restore (default: the newest)')
    .option('--list', 'list the snapshots instead')
    .option('--data <FOLDER>', dataText)
    .option('--database <URL>', 'address of an empty PostgreSQL database (default: DATABASE_URL, or an embedded one)')
    .examples(
      'skillrun restore /backups/skillrun --data /var/lib/skillrun',
      'skillrun restore skillrun.tar --database postgres://…',
      'skillrun restore /backups/skillrun --list',
    )
    .action(
      async (
        source: string,
        options: DataOption & { snapshot?: string; list?: boolean; database?: string },
        command: Command,
      ) => {
        const { snapshot, list, data, database } = options
        const from = placeOf(source, terminal)
        const isJson = command.isJson
        if (list) {
          const found = await maintain<Listed>(terminal, { act: 'list', from }, data)
          return terminal.print(isJson ? renderJson(found) : listText(found, terminal))
        }
        const done = await maintain<Restored>(terminal, { act: 'restore', from, snapshot }, data, database)
        if (isJson) return terminal.print(renderJson(done))
        terminal.log(`Restored ${figuresText(done)} to ${done.data}. Start the server.`)
        logLost(done, terminal)
        if (done.unknown_tables.length > 0)
          terminal.log(`Left out, because they are no tables of Skillrun: ${done.unknown_tables.join(', ')}`)
      },
    )
}

const listText = ({ snapshots }: Listed, terminal: Terminal): string =>
  renderTable(
    ['SNAPSHOT', 'VERSION', 'ROWS', 'FILES', 'SIZE'],
    snapshots.map((one) => [one.snapshot, one.version, String(one.rows), String(one.files), bytesText(one.bytes)]),
    terminal.columns,
  )

function logLost({ lost_files }: Pick<Figures, 'lost_files'>, terminal: Terminal): void {
  if (lost_files.length > 0)
    terminal.log(
      `The content of ${lost_files.length} files was missing or damaged in the store when the backup was made; their SHA-256: ${lost_files.join(', ')}`,
    )
}

function addMigrate(program: Command, terminal: Terminal): void {
  program
    .command('migrate-database')
    .description('copy the embedded database of a stopped server into an empty PostgreSQL of yours')
    .requiredOption('--to <URL>', 'address of the empty database')
    .option('--data <FOLDER>', dataText)
    .examples("skillrun migrate-database --to 'postgres://skillrun:secret@db.internal:5432/skillrun'")
    .action(async ({ to, data }: DataOption & { to: string }, command: Command) => {
      const done = await maintain<{ rows: number; data: string }>(terminal, { act: 'move', to }, data)
      if (command.isJson) return terminal.print(renderJson(done))
      terminal.log(
        `Copied ${done.rows} rows. From now on start the server with DATABASE_URL set to that address, and the same data folder ${done.data}, which has the files and the key of the secrets.`,
      )
    })
}

function addUpgrade(program: Command, terminal: Terminal): void {
  program
    .command('upgrade-database')
    .description('bring the database of this server to its version before it starts; servers do so when they start')
    .option('--data <FOLDER>', dataText)
    .examples('DATABASE_URL=postgres://… skillrun upgrade-database')
    .action(async ({ data }: DataOption, command: Command) => {
      const done = await maintain<{ applied: readonly string[] }>(terminal, { act: 'upgrade' }, data)
      if (command.isJson) return terminal.print(renderJson(done))
      const { applied } = done
      terminal.log(
        applied.length === 0
          ? 'The database is up to date.'
          : `Applied ${applied.length} migrations: ${applied.join(', ')}.`,
      )
    })
}
