import { rmdir } from 'node:fs/promises'
import { setTimeout as pause } from 'node:timers/promises'
import type { Clock } from '@skillrun/core/clock.ts'
import { Fault } from '@skillrun/core/fault.ts'
import type { Log } from '../../../core/log.ts'
import type { DbAddress } from '../db.ts'
import { type Binaries, findBinaries } from './binaries.ts'
import { makeCluster, removeHalfMade } from './cluster.ts'
import { type FolderLock, takeFolderLock } from './folder-lock.ts'
import { type Layout, layOut, socketPort } from './layout.ts'
import { boundLog, keepLogBounded } from './log-bound.ts'
import { administrator, keepPasswords, type Passwords, service } from './passwords.ts'
import { isOurServer, readPidFile, unseenServer } from './pid-file.ts'
import { settleRoles } from './roles.ts'
import { ensureRunning, type Server, stopServer } from './server.ts'

/** Dependencies of the embedded PostgreSQL. */
export interface EmbeddedOptions {
  /** Skillrun's data folder; the database is in its folder `postgres`. Created when missing. */
  readonly dataFolder: string
  readonly log: Log
  readonly clock: Clock
  /** Settings of PostgreSQL that replace Skillrun's. */
  readonly settings?: Readonly<Record<string, string>>
  /** Called when the server failed and could not be restarted, or another process took the folder. */
  readonly onLost?: (fault: Fault) => void
}

/** A running embedded PostgreSQL. */
export interface Embedded {
  /** For the service: a role that is not a superuser. */
  readonly address: Extract<DbAddress, { host: string }>
  /** For maintenance: a superuser. */
  readonly administratorAddress: Extract<DbAddress, { host: string }>
  /** It was already running, left by a process that was killed. */
  readonly adopted: boolean
  /** The process id of the postmaster. */
  readonly pid: number
  /** Stops the server and releases the folder. Close all connections first. */
  stop(): Promise<void>
}

/**
 * The address of the embedded PostgreSQL that another process runs on this folder, for the service's role. Throws Fault
 * `unavailable` (`database_start`) when none is running.
 */
export async function findEmbedded(dataFolder: string): Promise<Embedded['address']> {
  const layout = await layOut(dataFolder)
  const running = await readPidFile(layout)
  const socketFolder = running?.ready
    ? (await isOurServer(running.pid, layout))
      ? running.socketFolder
      : await unseenServer(layout, running)
    : undefined
  if (socketFolder === undefined)
    throw new Fault('unavailable', 'database_start', `No PostgreSQL runs in ${dataFolder}.`)
  const passwords = await keepPasswords(layout.dataFolder)
  return addressOf(socketFolder, service, passwords)
}

const addressOf = (host: string, user: keyof Passwords, passwords: Passwords) => ({
  host,
  port: socketPort,
  user,
  password: passwords[user],
  database: 'postgres',
})

const holdsMax = 2
/** Half a minute in total: a crashed server replays its log first. */
const revivalsMax = 60
const revivalPauseMs = 500

/**
 * Starts the PostgreSQL that comes with Skillrun on `dataFolder`, creating its files at the first start, or adopts the
 * one that a killed process left running. It listens only on a Unix socket that its own user and root can access. It is
 * restarted when it crashes.
 *
 * Throws Fault `conflict` with code `data_folder_in_use` when another Skillrun uses the folder, and Fault `unavailable`
 * (`database_account`, `database_folder`, `database_password`, `database_platform`, `database_version`, `database_start`) when it cannot run.
 */
export async function startEmbedded(options: EmbeddedOptions): Promise<Embedded> {
  const layout = await layOut(options.dataFolder)
  const binaries = await findBinaries(layout)
  const passwords = await keepPasswords(layout.dataFolder)
  await makeCluster(layout, binaries)
  await boundLog(layout)
  const place = { layout, binaries, passwords }
  const held = await hold(options, place)
  await removeHalfMade(layout)
  if (held.server.adopted) options.log.info({ pid: held.server.pid }, 'adopted the running PostgreSQL')
  const keeper = keep(options, { ...place, held })
  const { socketFolder } = held.server
  return {
    address: addressOf(socketFolder, service, passwords),
    administratorAddress: addressOf(socketFolder, administrator, passwords),
    adopted: held.server.adopted,
    pid: held.server.pid,
    stop: keeper.stop,
  }
}

interface Held {
  readonly server: Server
  readonly lock: FolderLock
}

interface Place {
  readonly layout: Layout
  readonly binaries: Binaries
  readonly passwords: Passwords
}

/** Starts the server, takes the folder's lock, and establishes roles and rights. */
async function hold(options: EmbeddedOptions, place: Place): Promise<Held> {
  const { dataFolder, clock } = options
  for (let attempt = 1; ; attempt++) {
    const server = await ensureRunning({ ...place, clock, settings: options.settings })
    const isRunning = (): Promise<boolean> => isOurServer(server.pid, place.layout)
    try {
      const password = place.passwords[administrator]
      const lock = await takeFolderLock({ server, dataFolder, password, isRunning, clock })
      await settleRoles(place.layout, lock.run, place.passwords).catch(async (error: unknown) => {
        await lock.release().catch(() => {})
        throw error
      })
      return { server, lock }
    } catch (error) {
      // A server that another process uses is left running; one that we started and cannot use is stopped.
      const isOthers = server.adopted || (error instanceof Fault && error.kind === 'conflict')
      if (error instanceof Fault && !isOthers) await stopServer(server.pid, place.layout, clock)
      if (error instanceof Fault || attempt === holdsMax) throw error
      // The server was shutting down, or it runs without answering: in both cases nothing can be using it.
      options.log.warn({ pid: server.pid }, 'restarting a PostgreSQL that does not answer')
      await stopServer(server.pid, place.layout, clock)
    }
  }
}

function keep(options: EmbeddedOptions, place: Place & { held: Held }) {
  const { layout, held: first } = place
  const stopping = new AbortController()
  const unbound = keepLogBounded(layout, (error) =>
    options.log.warn({ reason: error.message }, 'cannot trim the PostgreSQL log'),
  )
  let held = first

  const watching = (async () => {
    for (;;) {
      await held.lock.gone
      if (stopping.signal.aborted) return
      options.log.warn({}, 'restarting the embedded PostgreSQL, which stopped unexpectedly')
      held = await revive(options, place, stopping.signal)
      // `stop` was called while there was no lock to release.
      if (stopping.signal.aborted) await held.lock.release()
    }
  })().catch((error: unknown) => {
    if (!stopping.signal.aborted) options.onLost?.(asFault(error))
  })

  let stopped: Promise<void> | undefined
  async function stopOnce(): Promise<void> {
    stopping.abort()
    unbound()
    await held.lock.release()
    await watching
    await stopServer(held.server.pid, layout, options.clock)
    // The folder outside the data folder is removed unless it contains other files.
    if (!layout.socketFolder.startsWith(layout.root)) await rmdir(layout.socketFolder).catch(() => {})
  }
  return {
    stop(): Promise<void> {
      stopped ??= stopOnce()
      return stopped
    },
  }
}

async function revive(options: EmbeddedOptions, place: Place, signal: AbortSignal): Promise<Held> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await hold(options, place)
    } catch (error) {
      const taken = error instanceof Fault && error.kind === 'conflict'
      if (taken || attempt === revivalsMax) throw error
      await pause(revivalPauseMs, undefined, { signal })
    }
  }
}

function asFault(error: unknown): Fault {
  if (error instanceof Fault) return error
  return new Fault('unavailable', 'database_start', 'The embedded PostgreSQL cannot be restarted.', {
    cause: error,
  })
}
