import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { systemClock } from '../packages/core/src/clock.ts'
import type { Db, DbAddress } from '../packages/server/src/adapters/db/db.ts'
import { type Embedded, startEmbedded } from '../packages/server/src/adapters/db/embedded/start.ts'
import { connect } from '../packages/server/src/adapters/db/postgres/connect.ts'
import { silentLog } from '../packages/server/src/core/log.ts'

/** A temporary folder, gone at the end. */
export interface Folder extends AsyncDisposable {
  readonly path: string
  pathOf(name: string): string
  /** Writes a file of JSON, and gives its path. */
  write(name: string, json: unknown): Promise<string>
}

export async function openFolder(name: string): Promise<Folder> {
  const path = await mkdtemp(join(tmpdir(), `skillrun-${name}-`))
  const pathOf = (file: string) => join(path, file)
  return {
    path,
    pathOf,
    async write(file, json) {
      await writeFile(pathOf(file), JSON.stringify(json))
      return pathOf(file)
    },
    [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true, maxRetries: 5 }),
  }
}

/** A folder with a database, both gone at the end. */
export interface Place extends AsyncDisposable {
  readonly folder: string
  readonly database: Embedded
  /** A connection, by default as the owner of the database; it is closed at the end. */
  connect(address?: DbAddress): Promise<Db>
  /** Creates another database in the same PostgreSQL. */
  createDatabase(name: string): Promise<Embedded['address']>
  /** Writes a configuration file of a server, and gives its path. */
  configured(configuration: object, name?: string): Promise<string>
}

export async function openPlace(name: string): Promise<Place> {
  await using undo = new AsyncDisposableStack()
  const { path: folder, write } = undo.use(await openFolder(name))
  const database = await startEmbedded({ dataFolder: folder, log: silentLog, clock: systemClock })
  undo.defer(() => database.stop())
  const undoLater = undo.move()
  const open = async (address: DbAddress = database.address) => {
    const db = await connect({ address, clock: systemClock, log: silentLog, connectionsMax: 2 })
    undoLater.defer(() => db.close())
    return db
  }
  return {
    folder,
    database,
    connect: open,
    async createDatabase(created) {
      const administrator = await open(database.administratorAddress)
      await administrator.query(`create database ${created} owner ${database.address.user}`)
      return { ...database.address, database: created }
    },
    configured: (configuration, file = 'configuration') => write(`${file}.json`, configuration),
    [Symbol.asyncDispose]: () => undoLater.disposeAsync(),
  }
}

/** Calls a route of a server and gives the JSON of its reply; fails unless the call succeeded. */
export type Call = <Reply>(method: string, path: string, body?: object) => Promise<Reply>

export const callerOf =
  (url: string, key: string): Call =>
  async <Reply>(method: string, path: string, body?: object) => {
    const response = await fetch(url + path, {
      method,
      headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
      ...(body ? { body: JSON.stringify(body) } : {}),
    })
    if (!response.ok) throw new Error(`${path} was answered ${response.status}: ${await response.text()}`)
    return (await response.json()) as Reply
  }
