import type { Clock } from '../../kit/clock.ts'
import { newId } from '../../kit/ids.ts'
import type { Json } from '../../kit/json.ts'
import { limits } from '../../kit/limits.ts'
import type { Log } from '../../kit/log.ts'
import { type Db, jsonb } from '../../seams/db/db.ts'
import { isRunning, type ProcessMark } from '../../seams/host/process-mark.ts'

/** This process among those that run executions. */
export interface Processes {
  /** Written with each run that this process starts. */
  readonly id: string
  /**
   * How many of these processes are known to be gone without having been asked to stop: they were killed, or they crashed. A process
   * that stands still, that has lost the database, or of which nothing is known does not count.
   */
  countGone(ids: Iterable<string>): Promise<number>
  /** The settings of the other processes that are there now. */
  settingsOfOthers(): Promise<readonly OtherSettings[]>
  /** Signs off: whatever happens to this process from here on is no crash. */
  close(): Promise<void>
}

/** What a process that shares the database found in its configuration. */
export interface OtherSettings {
  readonly pid: number
  readonly since: Date
  readonly settings: Json
}

/** Processes that crashed are remembered this long; nobody asks for older ones. */
const rememberMs = 30 * 24 * 3_600_000

const lockOf = (id: string): string => `skillrun process ${id}`

/** SQL: whether the process of the row has a session with the database, which holds a lock for as long as it lives. */
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
 * Registers this process. On one host the operating system says whether another process is gone. Across hosts it is gone when its
 * session with the database has been missing for `limits.processMissingMs`: the session of a killed process ends at once, while one
 * that was stopped keeps it, and one that lost the database comes back.
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
    sign().catch((error: unknown) => log.warn({ error: String(error) }, 'this process could not sign on again'))
  })

  async function isGone(row: Row): Promise<boolean> {
    if (row.id === id) return false
    if (row.host !== '' && row.host === own.host) return !(await isRunning(row))
    if (row.isPresent) return false
    const now = clock.now()
    if (row.missingSince) return now.getTime() - row.missingSince.getTime() >= limits.processMissingMs
    await db.query('update processes set missing_since = $2 where id = $1 and missing_since is null', [row.id, now])
    return false
  }

  return {
    id,
    async countGone(ids) {
      const rows = await db.query<Row>(
        `select id, host, pid, started, missing_since as "missingSince", ${isPresent} as "isPresent"
         from processes where id = any($1)`,
        [[...new Set(ids)]],
      )
      const gone = await Promise.all(rows.map(isGone))
      return gone.filter(Boolean).length
    },
    async settingsOfOthers() {
      const rows = await db.query<Row & OtherSettings>(
        `select id, host, pid, started, created_at as since, settings from processes
         where id <> $1 and settings is not null and ${isPresent} order by created_at`,
        [id],
      )
      const areThere = await Promise.all(rows.map(async (row) => row.host !== own.host || (await isRunning(row))))
      return rows.filter((_, index) => areThere[index])
    },
    async close() {
      await db.query('delete from processes where id = $1', [id])
      await letGo()
    },
  }
}
