import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { systemClock as clock } from '../packages/core/src/clock.ts'
import type { Db } from '../packages/server/src/adapters/db/db.ts'
import { findBinaries } from '../packages/server/src/adapters/db/embedded/binaries.ts'
import { makeCluster } from '../packages/server/src/adapters/db/embedded/cluster.ts'
import { type Layout, layOut, socketPort } from '../packages/server/src/adapters/db/embedded/layout.ts'
import { ensureRunning, stopServer } from '../packages/server/src/adapters/db/embedded/server.ts'
import { startEmbedded } from '../packages/server/src/adapters/db/embedded/start.ts'
import { connect } from '../packages/server/src/adapters/db/postgres/connect.ts'
import { silentLog as log } from '../packages/server/src/core/log.ts'
import { startServer } from './support/server.ts'
import { openTestService, testSecretKey } from './support/service.ts'
import { temporaryFolder } from './support/temporary-folder.ts'
import { copyTree } from './support/trees.ts'

const key = 'the-key-of-the-operator'
const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' }
const schema = { type: 'object', properties: { total: { type: 'number' } } }
const body = { batch: false, inputs: { text: 'Total: 5.00' }, config: { json_schema: schema } }

/** The data folder of a stopped server of the version before passwords. */
const before = await temporaryFolder('upgrade', afterAll)
/** The execution that it ran. */
let id: string

/** A PostgreSQL as that version ran it: without authentication, with a superuser as its only user. */
async function withOpenServer<T>(
  folder: string,
  work: (address: OpenAddress, layout: Layout) => Promise<T>,
): Promise<T> {
  const layout = await layOut(folder)
  const binaries = await findBinaries(layout)
  await makeCluster(layout, binaries)
  const { pid, socketFolder } = await ensureRunning({ layout, binaries, clock })
  try {
    return await work({ host: socketFolder, port: socketPort, user: 'skillrun', database: 'postgres' }, layout)
  } finally {
    await stopServer(pid, layout, clock)
  }
}

interface OpenAddress {
  readonly host: string
  readonly port: number
  readonly user: string
  readonly database: string
}

beforeAll(async () => {
  id = await withOpenServer(before, async (address, { cluster }) => {
    expect(await readFile(join(cluster, 'pg_hba.conf'), 'utf8')).toMatch(/^local +all +all +trust$/m)
    const db = await connect({ address, clock, log })
    const database = { db, address, administratorAddress: address, [Symbol.asyncDispose]: () => db.close() }
    await using service = await openTestService({ database, env: { SKILLRUN_API_KEY: key } })
    const { json } = await service.call('POST', '/v1/agent/execute', { body, key })
    expect(json).toMatchObject({ status: 'completed', response: { total: 5 } })
    await db.query('create domain mood as text')
    await db.close()
    return json.id
  })
})

/** A copy of that folder, to be upgraded. */
async function copyOf(): Promise<{ folder: string } & AsyncDisposable> {
  const parent = await mkdtemp(join(tmpdir(), 'skillrun-upgrade-'))
  const folder = join(parent, 'data')
  await copyTree(before, folder)
  return { folder, [Symbol.asyncDispose]: () => rm(parent, { recursive: true, force: true, maxRetries: 5 }) }
}

const rightsOf = async (db: Db) => ({
  superusers: await db.query(`select rolname from pg_roles where rolname = current_user and rolsuper`),
  foreign: await db.query(
    `select c.oid::regclass::text as name from pg_class c join pg_namespace n on n.oid = relnamespace
      where n.nspname in ('public', 'pgboss') and pg_get_userbyid(relowner) <> current_user
     union all select p.oid::regprocedure::text from pg_proc p join pg_namespace n on n.oid = pronamespace
      where n.nspname in ('public', 'pgboss') and pg_get_userbyid(proowner) <> current_user
     union all select t.oid::regtype::text from pg_type t join pg_namespace n on n.oid = typnamespace
      where n.nspname in ('public', 'pgboss') and pg_get_userbyid(typowner) <> current_user
     union all select nspname from pg_namespace where nspname in ('public', 'pgboss') and pg_get_userbyid(nspowner) <> current_user`,
  ),
  beyond: await db.query(
    `select nspname from pg_namespace where nspname not in ('public', 'pgboss') and pg_get_userbyid(nspowner) = current_user
     union all select datname from pg_database where pg_get_userbyid(datdba) = current_user`,
  ),
})
const good = { superusers: [], foreign: [], beyond: [] }

async function isShut(address: OpenAddress): Promise<unknown> {
  const refused = await connect({ address: { ...address, password: 'guessed' }, clock, log, patienceMs: 0 }).then(
    (db) => db.close(),
    (error: { cause?: { code?: string } }) => error.cause?.code,
  )
  return refused
}

test("a server of this version takes over the previous version's database with all its data, and adds authentication", async () => {
  await using copy = await copyOf()
  {
    await using server = startServer(copy.folder, { SKILLRUN_API_KEY: key, SKILLRUN_SECRET_KEY: testSecretKey })
    const url = (await server.printed(/Skillrun +(http:\S+)/))[1] ?? ''
    const old = await fetch(`${url}/v1/agent/executions/${id}`, { headers })
    expect(await old.json()).toMatchObject({ id, status: 'completed', response: { total: 5 } })
    const fresh = await fetch(`${url}/v1/agent/execute`, { method: 'POST', headers, body: JSON.stringify(body) })
    expect(await fresh.json()).toMatchObject({ status: 'completed', response: { total: 5 } })
    expect(await server.end()).toBe(0)
  }
  const database = await startEmbedded({ dataFolder: copy.folder, log, clock })
  const db = await connect({ address: database.address, clock, log })
  try {
    expect(await rightsOf(db)).toEqual(good)
    expect(await isShut({ ...database.address, user: 'skillrun' })).toBe('28P01')
  } finally {
    await db.close()
    await database.stop()
  }
})

test('a PostgreSQL that a killed server of the previous version left running gets authentication', async () => {
  await using copy = await copyOf()
  await withOpenServer(copy.folder, async (open) => {
    const database = await startEmbedded({ dataFolder: copy.folder, log, clock })
    expect(database.adopted).toBe(true)
    const db = await connect({ address: database.address, clock, log })
    try {
      expect(await rightsOf(db)).toEqual(good)
      expect(await db.query('select id from executions where id = $1', [id])).toEqual([{ id }])
      await expect.poll(() => isShut(open)).toBe('28P01')
    } finally {
      await db.close()
      await database.stop()
    }
  })
})

test('a start that is killed during the upgrade loses nothing: the next one completes it', async () => {
  await using copy = await copyOf()
  const program = `
    import { startEmbedded } from '${join(import.meta.dirname, '..', 'packages', 'server', 'src', 'adapters', 'db', 'embedded', 'start.ts')}'
    import { systemClock as clock } from '${join(import.meta.dirname, '..', 'packages', 'core', 'src', 'clock.ts')}'
    import { silentLog as log } from '${join(import.meta.dirname, '..', 'packages', 'server', 'src', 'core', 'log.ts')}'
    import pg from 'pg'
    const query = pg.Client.prototype.query
    let asked = 0
    pg.Client.prototype.query = function (...args) {
      if (++asked > Number(process.argv[2])) process.kill(process.pid, 'SIGKILL')
      return query.apply(this, args)
    }
    await startEmbedded({ dataFolder: process.argv[1], log, clock })
    process.kill(process.pid, 'SIGKILL')`
  for (let queries = 0; queries <= 7; queries += 1) {
    const child = spawn(
      process.execPath,
      ['--input-type=module-typescript', '-e', program, copy.folder, String(queries)],
      { stdio: 'inherit' },
    )
    expect((await once(child, 'close'))[1]).toBe('SIGKILL')
  }
  const database = await startEmbedded({ dataFolder: copy.folder, log, clock })
  const db = await connect({ address: database.address, clock, log })
  try {
    expect(await rightsOf(db)).toEqual(good)
    expect(await db.query('select id from executions where id = $1', [id])).toEqual([{ id }])
    await expect.poll(() => isShut({ ...database.address, user: 'skillrun' })).toBe('28P01')
  } finally {
    await db.close()
    await database.stop()
  }
})

test('objects that an administrator restored from a dump belong to the service after the next start', async () => {
  await using copy = await copyOf()
  const first = await startEmbedded({ dataFolder: copy.folder, log, clock })
  const admin = await connect({ address: first.administratorAddress, clock, log })
  await admin.query('create schema brought; create table brought.back (id int generated always as identity)')
  await admin.close()
  await first.stop()
  const second = await startEmbedded({ dataFolder: copy.folder, log, clock })
  const db = await connect({ address: second.address, clock, log })
  try {
    await db.query('insert into brought.back default values')
    expect(await db.query('select id from brought.back')).toEqual([{ id: 1 }])
  } finally {
    await db.close()
    await second.stop()
  }
})
