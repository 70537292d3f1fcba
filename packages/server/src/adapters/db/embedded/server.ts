import type { ChildProcess } from 'node:child_process'
import { open, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { Clock } from '@skillrun/core/clock.ts'
import { Fault } from '@skillrun/core/fault.ts'
import type { Binaries } from './binaries.ts'
import { type Layout, seen, socketPort } from './layout.ts'
import { isOurServer, readPidFile, removeStale, unseenServer } from './pid-file.ts'
import { signal } from './processes.ts'
import { startProgram } from './programs.ts'

/** A PostgreSQL server that accepts connections. */
export interface Server {
  readonly pid: number
  readonly socketFolder: string
  /** It was already running: started by another process, or by an earlier one that was killed. */
  readonly adopted: boolean
}

const pollEveryMs = 5
/** Recovery after a power failure replays at most 256 MB of WAL. */
const readyWithinMs = 60_000
/** A server that is running but not ready for this long is stopped and restarted. */
const silentForMs = 10_000
/** The remains of a killed server may need a moment before a new one can start. */
const startsMax = 4
const startAgainAfterMs = 250
const fastStopWithinMs = 10_000
const hardStopWithinMs = 5_000

/** Server settings. Passed at each start, so that they always match this version. */
const settings: Readonly<Record<string, string>> = {
  listen_addresses: '',
  unix_socket_permissions: '0700',
  max_connections: '100',
  shared_buffers: '64MB',
  fsync: 'on',
  full_page_writes: 'on',
  synchronous_commit: 'on',
  // Limits the size of the WAL and the time of recovery.
  max_wal_size: '256MB',
  min_wal_size: '48MB',
  // Our statements are short: JIT and parallel workers cost more than they gain.
  jit: 'off',
  max_parallel_workers_per_gather: '0',
  // Ends the statement of a killed client, which would otherwise keep its locks.
  client_connection_check_interval: '1s',
  timezone: 'UTC',
  log_timezone: 'UTC',
  log_checkpoints: 'off',
  log_min_messages: 'warning',
  logging_collector: 'off',
}

interface LaunchOptions {
  readonly layout: Layout
  readonly binaries: Binaries
  /** Settings that replace those above. */
  readonly settings?: Readonly<Record<string, string>> | undefined
}

/** Returns the server of this folder: the running one, or a new one. Concurrent callers get the same. */
export async function ensureRunning(options: LaunchOptions & { readonly clock: Clock }): Promise<Server> {
  const { layout, clock } = options
  const deadline = clock.monotonicMs() + readyWithinMs
  for (let start = 1; start <= startsMax; start++) {
    // Another process may have started the server in the meantime.
    if (start > 1) await pause(startAgainAfterMs)
    const running = await adopt(layout, clock)
    if (running !== undefined) return running
    const child = await launch(options)
    const started = await untilReady(layout, { child, clock, deadline })
    if (started !== undefined) return started
    if (child.pid === undefined || clock.monotonicMs() >= deadline) break
  }
  throw new Fault(
    'unavailable',
    'database_start',
    `The embedded PostgreSQL did not start (${await lastLogLine(layout)}): see ${layout.logFile}.`,
  )
}

/** The server that already runs on this folder, once it is ready; undefined when there is none. */
async function adopt(layout: Layout, clock: Clock): Promise<Server | undefined> {
  const deadline = clock.monotonicMs() + silentForMs
  for (;;) {
    const file = await readPidFile(layout)
    if (file === undefined) return undefined
    if (!(await isOurServer(file.pid, layout))) {
      if ((await unseenServer(layout, file)) !== undefined)
        throw new Fault(
          'conflict',
          'data_folder_in_use',
          `${layout.dataFolder} is in use by a PostgreSQL in another container: stop it, or use another data folder.`,
        )
      await removeStale(layout, file)
      return undefined
    }
    if (file.ready) return { pid: file.pid, socketFolder: file.socketFolder, adopted: true }
    if (clock.monotonicMs() >= deadline) {
      await stopServer(file.pid, layout, clock)
      return undefined
    }
    await pause(pollEveryMs)
  }
}

async function launch(options: LaunchOptions): Promise<ChildProcess> {
  const { layout, binaries } = options
  await rm(join(layout.socketFolder, `.s.PGSQL.${socketPort}.lock`), { force: true })
  const quoted = `"${seen(layout, layout.socketFolder).replaceAll('"', '""')}"`
  const all = {
    ...settings,
    ...options.settings,
    port: String(socketPort),
    unix_socket_directories: quoted,
    cluster_name: layout.mark,
  }
  const words = Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const log = await open(layout.logFile, 'a', 0o600)
  try {
    const args = ['-D', seen(layout, layout.cluster), ...words]
    const child = startProgram(layout, binaries.postgres, { args, output: log.fd })
    child.unref()
    return child
  } finally {
    await log.close()
  }
}

async function untilReady(
  layout: Layout,
  options: { child: ChildProcess; clock: Clock; deadline: number },
): Promise<Server | undefined> {
  const { child, clock, deadline } = options
  while (child.pid !== undefined && child.exitCode === null && child.signalCode === null) {
    const file = await readPidFile(layout)
    if (file?.pid === child.pid && file.ready) {
      return { pid: child.pid, socketFolder: layout.socketFolder, adopted: false }
    }
    if (clock.monotonicMs() >= deadline) {
      await stopServer(child.pid, layout, clock)
      return undefined
    }
    await pause(pollEveryMs)
  }
  return undefined
}

/**
 * Stops the server: open transactions are rolled back and files are closed cleanly. A server that does not stop in time
 * gets a stronger signal; committed data is safe in every case.
 */
export async function stopServer(pid: number, layout: Layout, clock: Clock): Promise<void> {
  const steps = [
    { name: 'SIGINT', withinMs: fastStopWithinMs },
    { name: 'SIGQUIT', withinMs: hardStopWithinMs },
    { name: 'SIGKILL', withinMs: hardStopWithinMs },
  ] as const
  for (const { name, withinMs } of steps) {
    if (!(await isOurServer(pid, layout))) return
    signal(pid, name)
    const deadline = clock.monotonicMs() + withinMs
    while (clock.monotonicMs() < deadline) {
      if (!(await isOurServer(pid, layout))) return
      await pause(pollEveryMs)
    }
  }
}

async function lastLogLine(layout: Layout): Promise<string> {
  const text = await readFile(layout.logFile, 'utf8').catch(() => '')
  const lines = text.trimEnd().split('\n')
  const fatal = lines.findLast((line) => /FATAL|PANIC|error while loading|not found/.test(line)) ?? lines.at(-1)
  return fatal?.replace(/^.*?(FATAL|PANIC):\s*/, '').trim() || 'its log is empty'
}
