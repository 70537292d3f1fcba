import type { Clock } from '@skillrun/core/clock.ts'
import { newId } from '@skillrun/core/ids.ts'
import type { Json } from '@skillrun/core/json.ts'
import { type Db, jsonb, type Sql } from '../../adapters/db/db.ts'
import { isRunning, type ProcessMark } from '../../adapters/host/process-mark.ts'
import { limits } from '../../core/limits.ts'
import type { Log } from '../../core/log.ts'

/** This process in the registry of workers. */
export interface Processes {
  /** Recorded with each run that this process starts. */
  readonly id: string
  /**
   * Which of these processes were killed or crashed. The first question about a process of another host starts the clock of its absence.
   */
  findGone(ids: Iterable<string>): Promise<GoneProcesses>
  /** The settings of the other live processes. */
  settingsOfOthers(): Promise<readonly OtherSettings[]>
  /** Signs off: whatever happens to this process afterwards is not a crash. */
  close(): Promise<void>
}

/** What is known of processes that lost their runs. */
export interface GoneProcesses {
  /** How many are gone without having been stopped. A process that is stalled, has lost the database, or is unknown does not count. */
  readonly gone: number
  /** For each process that is missing, but not long enough: milliseconds until it counts as gone. */
  readonly undecidedMs: readonly number[]
}

/** Settings of a process that shares the database. */
export interface OtherSettings {
  readonly pid: number
  readonly since: Date
  readonly settings: Json
}

/** A process that shares the database. */
interface PresentProcess extends OtherSettings {
  readonly id: string
  readonly host: string
}

/** The processes with a session in the database, oldest first. */
export async function listPresent(sql: Sql): Promise<readonly PresentProcess[]> {
  return sql.query<PresentProcess>(
    `select id, host, pid, created_at as since, settings from processes
     where settings is not null and ${isPresent} order by created_at, id`,
    [],
  )
}

/** Crashed processes are remembered this long; nobody asks for older ones. */
const rememberMs = 30 * 24 * 3_600_000

const lockOf = (id: string): string => `skillrun process ${id}`

/** SQL: whether the process of the row has a database session, which holds a lock for as long as it lives. */
const isPresent = `exists (
  select from pg_locks where locktype = 'advisory' and granted
    and database = (select oid from pg_database where datname = current_database())
    and (classid::bigint << 32 | objid::bigint) = hashtextextended('skillrun process ' || processes.id, 0))`

interface Row extends ProcessMark {
  readonly id: string
  readonly isPresent: boolean
  readonly missingSince: Date | null
}

/**
 * Registers this process. On one host the operating system says whether another process is gone. Across hosts it counts as gone when its
 * database session has been missing for `limits.processMissingMs`: the session of a killed process ends at once, a stopped process keeps
 * its session, and a process that lost the database comes back.
 */
export async function registerProcess(
  { db, clock, log }: { db: Db; clock: Clock; log: Log },
  own: ProcessMark,
  settings: Json = null,
): Promise<Processes> {
  const now = clock.now()
  const id = newId(now)
  const sign = async () => {
    await db.query('update processes set missing_since = null where id = $1 and missing_since is not null', [id])
  }
  await db.query(
    'insert into processes (id, host, pid, started, created_at, settings) values ($1, $2, $3, $4, $5, $6)',
    [id, own.host, own.pid, own.started, now, jsonb(settings)],
  )
  await db.query(`delete from processes where created_at < $1 and not ${isPresent}`, [
    new Date(now.getTime() - rememberMs),
  ])
  const letGo = await db.hold(lockOf(id), () => {
    sign().catch((error: unknown) => log.warn({ error: String(error) }, 'this process could not register again'))
  })

  /** Marks of this host; those without a host may be of any. */
  const isOfThisHost = ({ host }: ProcessMark): boolean => host !== '' && host === own.host

  /** Milliseconds until the process counts as gone, unless it comes back; 0: gone; undefined: alive. */
  async function goneInMs(row: Row): Promise<number | undefined> {
    if (row.id === id) return undefined
    if (isOfThisHost(row)) return (await isRunning(row)) ? undefined : 0
    if (row.isPresent) return undefined
    const now = clock.now()
    if (row.missingSince)
      return Math.max(0, limits.processMissingMs - Math.max(0, now.getTime() - row.missingSince.getTime()))
    await db.query('update processes set missing_since = $2 where id = $1 and missing_since is null', [row.id, now])
    return limits.processMissingMs
  }

  return {
    id,
    async findGone(ids) {
      const rows = await db.query<Row>(
        `select id, host, pid, started, missing_since as "missingSince", ${isPresent} as "isPresent"
         from processes where id = any($1)`,
        [[...new Set(ids)]],
      )
      const times = (await Promise.all(rows.map(goneInMs))).filter((ms) => ms !== undefined)
      return { gone: times.filter((ms) => ms === 0).length, undecidedMs: times.filter((ms) => ms > 0) }
    },
    async settingsOfOthers() {
      const rows = await db.query<Row & OtherSettings>(
        `select id, host, pid, started, created_at as since, settings from processes
         where id <> $1 and settings is not null and ${isPresent} order by created_at`,
        [id],
      )
      const areThere = await Promise.all(rows.map(async (row) => !isOfThisHost(row) || (await isRunning(row))))
      return rows.filter((_, index) => areThere[index])
    },
    async close() {
      await db.query('delete from processes where id = $1', [id])
      await letGo()
    },
  }
}
