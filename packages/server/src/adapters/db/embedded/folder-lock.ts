import { setTimeout as pause } from 'node:timers/promises'
import type { Clock } from '@skillrun/core/clock.ts'
import { Fault } from '@skillrun/core/fault.ts'
import pg from 'pg'
import { socketPort } from './layout.ts'
import { administrator, passwordFileOf, restoreHint } from './passwords.ts'
import { signal } from './processes.ts'
import type { Server } from './server.ts'

/** Exclusive use of a data folder. It is tied to one connection, so it ends with this process in every case. */
export interface FolderLock {
  /** Resolves when the lock ends: released, or its connection lost. */
  readonly gone: Promise<void>
  /** Runs a statement as the administrator, on the connection that holds the lock. */
  run(text: string): Promise<unknown>
  release(): Promise<void>
}

interface LockOptions {
  readonly server: Server
  readonly dataFolder: string
  readonly password: string
  /** Whether the server still runs: without it there is nothing to wait for. */
  readonly isRunning: () => Promise<boolean>
  readonly clock: Clock
}

/** The number of the advisory lock; arbitrary but fixed. */
const folderLock = 7_254_615_021
const databaseName = 'postgres'
/** PostgreSQL's error code (appendix A). */
const wrongPassword = '28P01'
/** PostgreSQL notices a moment later that a killed holder is gone. */
const freeWithinMs = 1_000
/** A server in recovery rejects connections and accepts them soon after. */
const answerWithinMs = 15_000
const pollEveryMs = 10
/** A server reloads its configuration some moments after SIGHUP. */
const reloadedWithinMs = 1_000
const connectTimeoutMs = 5_000

/**
 * Takes the lock of the data folder. Throws Fault `conflict` with code `data_folder_in_use` when another process holds
 * it, Fault `unavailable` with code `database_password` when the password is wrong, and the connection's own error when the
 * server does not answer or `isRunning` is false.
 */
export async function takeFolderLock(options: LockOptions): Promise<FolderLock> {
  const { dataFolder, clock } = options
  const { client, gone } = await connectTo(options)
  try {
    const deadline = clock.monotonicMs() + freeWithinMs
    while (!(await tryLock(client))) {
      if (clock.monotonicMs() >= deadline) throw inUse(dataFolder, await holderOf(client))
      await pause(pollEveryMs)
    }
    return { gone, run: (text) => client.query(text), release: () => client.end() }
  } catch (error) {
    await client.end().catch(() => {})
    throw error
  }
}

async function connectTo({
  server,
  dataFolder,
  password,
  isRunning,
  clock,
}: LockOptions): Promise<{ client: pg.Client; gone: Promise<void> }> {
  let deadline = clock.monotonicMs() + answerWithinMs
  let isReloaded = false
  for (;;) {
    const client = new pg.Client({
      host: server.socketFolder,
      port: socketPort,
      user: administrator,
      password,
      database: databaseName,
      application_name: `skillrun ${process.pid}`,
      connectionTimeoutMillis: connectTimeoutMs,
      ssl: false,
    })
    const gone = new Promise<void>((resolve) => {
      client.on('end', () => resolve())
      client.on('error', () => resolve())
    })
    try {
      await client.connect()
      return { client, gone }
    } catch (error) {
      await client.end().catch(() => {})
      if (error instanceof pg.DatabaseError && error.code === wrongPassword) {
        if (clock.monotonicMs() >= deadline) throw passwordFault(dataFolder)
        // pg_hba.conf may have been rewritten since the server last read it.
        if (!isReloaded) {
          isReloaded = true
          signal(server.pid, 'SIGHUP')
          deadline = clock.monotonicMs() + reloadedWithinMs
        }
        await pause(pollEveryMs)
        continue
      }
      if (clock.monotonicMs() >= deadline || !(await isRunning())) throw error
      await pause(pollEveryMs)
    }
  }
}

function passwordFault(dataFolder: string): Fault {
  return new Fault(
    'unavailable',
    'database_password',
    `The password in ${passwordFileOf(dataFolder)} is not the password of the database: ${restoreHint(dataFolder)}.`,
  )
}

function inUse(dataFolder: string, holder: string): Fault {
  return new Fault(
    'conflict',
    'data_folder_in_use',
    `The data folder ${dataFolder} is in use by Skillrun with process id ${holder}: stop that process, or set SKILLRUN_DATA to another folder.`,
  )
}

async function tryLock(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query<{ taken: boolean }>('select pg_try_advisory_lock($1::bigint) as taken', [
    folderLock,
  ])
  return rows[0]?.taken === true
}

/** The process id in the application name of the holder's connection. */
async function holderOf(client: pg.Client): Promise<string> {
  const { rows } = await client.query<{ name: string }>(
    `select activity.application_name as name
       from pg_locks as locks join pg_stat_activity as activity using (pid)
      where locks.locktype = 'advisory' and locks.granted
        and (locks.classid::bigint << 32 | locks.objid::bigint) = $1::bigint`,
    [folderLock],
  )
  return rows[0]?.name.split(' ').at(-1) ?? 'unknown'
}
