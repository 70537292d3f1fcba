import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cp, mkdir, mkdtemp, readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { systemClock as clock } from '@skillrun/core/clock.ts'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { temporaryFolder } from '../../../../../../test/support/temporary-folder.ts'
import { copyTree } from '../../../../../../test/support/trees.ts'
import { silentLog as log } from '../../../core/log.ts'
import type { Db } from '../db.ts'
import { connect } from '../postgres/connect.ts'
import { commandOf } from './processes.ts'
import { type Embedded, findEmbedded, startEmbedded } from './start.ts'

const logBytesMax = 8 * 1024 * 1024

/** A data folder whose server was stopped. Copies of it save most tests a first start. */
const made = await temporaryFolder('embedded', afterAll)
let parent: string
let cleanUps: (() => Promise<unknown>)[]

beforeAll(async () => {
  await (await startEmbedded({ dataFolder: made, log, clock })).stop()
})

beforeEach(async () => {
  parent = await mkdtemp(join(tmpdir(), 'skillrun-embedded-'))
  cleanUps = []
})

afterEach(async () => {
  for (const cleanUp of cleanUps.reverse()) await cleanUp()
  await rm(parent, { recursive: true, force: true })
})

/** A data folder that was used before, without a server. */
async function usedFolder(name = 'data'): Promise<string> {
  const folder = join(parent, name)
  await copyTree(made, folder)
  return folder
}

async function start(dataFolder: string): Promise<Embedded> {
  const server = await startEmbedded({ dataFolder, log, clock })
  cleanUps.push(() => server.stop())
  return server
}

/** Runs `work` with a connection to the server. */
async function withDb<T>(server: Pick<Embedded, 'address'>, work: (db: Db) => Promise<T>): Promise<T> {
  const db = await connect({ address: server.address, clock, log })
  try {
    return await work(db)
  } finally {
    await db.close()
  }
}

/** A process that starts the database, writes a row, prints one line with the result, and then waits. */
const childProgram = `
import { systemClock as clock } from '${import.meta.dirname}/../../../../../core/src/clock.ts'
import { silentLog as log } from '${import.meta.dirname}/../../../core/log.ts'
import { connect } from '${import.meta.dirname}/../postgres/connect.ts'
import { startEmbedded } from '${import.meta.dirname}/start.ts'
setInterval(() => {}, 1000)
try {
  const server = await startEmbedded({ dataFolder: process.argv[1], log, clock })
  const db = await connect({ address: server.address, clock, log })
  await db.query('create table if not exists notes (text text)')
  await db.query('insert into notes values ($1)', ['kept'])
  console.log(JSON.stringify({ pid: server.pid, adopted: server.adopted }))
} catch (error) {
  console.log(JSON.stringify({ error: error.message, code: error.code }))
}
`

interface Said {
  readonly pid?: number
  readonly adopted?: boolean
  readonly error?: string
  readonly code?: string
}

async function startChild(dataFolder: string): Promise<{ child: ChildProcess; said: Said }> {
  const child = spawn(process.execPath, ['--input-type=module-typescript', '-e', childProgram, dataFolder], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  cleanUps.push(async () => kill(child))
  for await (const line of createInterface({ input: child.stdout })) return { child, said: JSON.parse(line) as Said }
  throw new Error('the child said nothing')
}

async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  child.kill('SIGKILL')
  await once(child, 'exit')
}

test('a first start creates a durable database of UTF-8 text with the same sort order everywhere, and no port', async () => {
  const server = await start(join(parent, 'data'))
  expect(server.adopted).toBe(false)
  const settings = await withDb(server, (db) =>
    db.query<{ name: string; setting: string }>(
      `select name, setting from pg_settings
        where name in ('fsync', 'data_checksums', 'listen_addresses', 'server_encoding', 'full_page_writes')
       union all
       select 'locale', concat(datlocprovider, ' ', datlocale) from pg_database where datname = current_database()`,
    ),
  )
  expect(Object.fromEntries(settings.map((row) => [row.name, row.setting]))).toEqual({
    fsync: 'on',
    full_page_writes: 'on',
    data_checksums: 'on',
    listen_addresses: '',
    server_encoding: 'UTF8',
    locale: 'b C.UTF-8',
  })
})

test('only its own user can access its folders', async () => {
  const folder = await usedFolder()
  const server = await start(folder)
  for (const closed of [join(folder, 'postgres'), server.address.host]) {
    expect((await stat(closed)).mode & 0o777).toBe(0o700)
  }
})

/** PostgreSQL's error code for a refused connection or statement. */
const codeOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => 'none',
    (error: { code?: string; cause?: { code?: string } }) => error.cause?.code ?? error.code,
  )

test('a password is required, and the service is no superuser', async () => {
  const folder = await usedFolder()
  const server = await start(folder)
  const { password, ...without } = server.address
  expect((await stat(join(folder, 'postgres.pgpass'))).mode & 0o777).toBe(0o600)
  for (const address of [
    { ...server.address, password: 'wrong' },
    { ...server.administratorAddress, password: password ?? '' },
  ])
    expect(await codeOf(connect({ address, clock, log, patienceMs: 0 }))).toBe('28P01')
  const nothingGiven = new pg.Client({ ...without, ssl: false })
  await expect(nothingGiven.connect()).rejects.toThrow(/password must be a string/)
  await withDb(server, async (db) => {
    for (const statement of [
      `copy (select 1) to program 'touch /tmp/x'`,
      `copy (select 1) to '/tmp/x'`,
      `select pg_read_file('postgresql.conf')`,
      `create role another`,
      `alter role ${server.address.user} superuser`,
      `set role ${server.administratorAddress.user}`,
      `create database another`,
      `create table pg_catalog.another (id int)`,
    ])
      expect([statement, await codeOf(db.query(statement))]).toEqual([statement, '42501'])
  })
})

test('wrong passwords are reported with a remedy that works', async () => {
  const folder = await usedFolder()
  const first = await startEmbedded({ dataFolder: folder, log, clock })
  await withDb(first, (db) => db.query(`create table notes as select 'kept' as text`))
  await first.stop()
  await rm(join(folder, 'postgres.pgpass'))
  await expect(start(folder)).rejects.toMatchObject({
    code: 'database_password',
    message: expect.stringContaining('local all all trust'),
  })
  await writeFile(join(folder, 'postgres', 'data', 'pg_hba.conf'), 'local all all trust\n')
  const again = await start(folder)
  expect(await withDb(again, (db) => db.query('select text from notes'))).toEqual([{ text: 'kept' }])
  const { password: _none, ...without } = again.address
  await expect(new pg.Client({ ...without, ssl: false }).connect()).rejects.toThrow(/password must be a string/)
})

test('a stop leaves no process, and the next start has all data', async () => {
  const folder = await usedFolder()
  const first = await startEmbedded({ dataFolder: folder, log, clock })
  await withDb(first, (db) => db.query(`create table notes as select 'kept' as text`))
  await first.stop()
  expect(await commandOf(first.pid)).toBeUndefined()
  const second = await start(folder)
  expect(second.adopted).toBe(false)
  expect(await withDb(second, (db) => db.query('select text from notes'))).toEqual([{ text: 'kept' }])
})

test('a stop ends open transactions of others without waiting', async () => {
  const server = await startEmbedded({ dataFolder: await usedFolder(), log, clock })
  const other = await connect({ address: server.address, clock, log })
  const sleeping = other.query('select pg_sleep(600)').catch((error: unknown) => error)
  await server.stop()
  expect(await sleeping).toMatchObject({ kind: 'unavailable' })
  await other.close()
})

test('the server of a killed process is adopted without loss', async () => {
  const folder = await usedFolder()
  const { child, said } = await startChild(folder)
  await kill(child)
  const server = await start(folder)
  expect({ pid: server.pid, adopted: server.adopted }).toEqual({ pid: said.pid, adopted: true })
  expect(await withDb(server, (db) => db.query('select text from notes'))).toEqual([{ text: 'kept' }])
  await server.stop()
  expect(await commandOf(server.pid)).toBeUndefined()
})

test('a server that died with its process is restarted without loss', async () => {
  const folder = await usedFolder()
  const { child, said } = await startChild(folder)
  await kill(child)
  expect(said.pid).toBeGreaterThan(1)
  process.kill(Number(said.pid), 'SIGKILL')
  const server = await start(folder)
  expect(server.adopted).toBe(false)
  expect(await withDb(server, (db) => db.query('select text from notes'))).toEqual([{ text: 'kept' }])
})

test('a second process on the same folder is refused with one sentence that names the folder and the first process', async () => {
  const folder = await usedFolder()
  const server = await start(folder)
  const { said } = await startChild(folder)
  expect(said.code).toBe('data_folder_in_use')
  expect(said.error).toContain(`process id ${process.pid}:`)
  expect(said.error).toContain(folder)
  expect(await withDb(server, (db) => db.query('select 1 as one'))).toEqual([{ one: 1 }])
})

test('a server whose process is not seen from here, as in another container, is left alone and found', async () => {
  const folder = await usedFolder()
  const server = await start(folder)
  const pidFile = join(folder, 'postgres', 'data', 'postmaster.pid')
  const lines = (await readFile(pidFile, 'utf8')).split('\n')
  // No process has this number.
  await writeFile(pidFile, ['4194305', ...lines.slice(1)].join('\n'))
  expect(await codeOf(startEmbedded({ dataFolder: folder, log, clock }))).toBe('data_folder_in_use')
  expect(await findEmbedded(folder)).toEqual(server.address)
  // There the data folder has another path.
  await writeFile(
    pidFile,
    ['4194305', ...lines.slice(1, 4), '/elsewhere/postgres/socket', ...lines.slice(5)].join('\n'),
  )
  expect(await codeOf(startEmbedded({ dataFolder: folder, log, clock }))).toBe('data_folder_in_use')
  expect(await findEmbedded(folder)).toEqual(server.address)
  await writeFile(pidFile, lines.join('\n'))
  expect(await withDb(server, (db) => db.query('select 1 as one'))).toEqual([{ one: 1 }])
})

test('of several concurrent starts on a new folder, one gets it', async () => {
  const folder = join(parent, 'data')
  const all = await Promise.all([startChild(folder), startChild(folder), startChild(folder)])
  const [winner, ...others] = all.map(({ said }) => said).toSorted((one, other) => (other.pid ?? 0) - (one.pid ?? 0))
  expect([winner?.error, others.map(({ code }) => code)]).toEqual([undefined, Array(2).fill('data_folder_in_use')])
  await Promise.all(all.map(({ child }) => kill(child)))
  const server = await start(folder)
  expect(await withDb(server, (db) => db.query('select text from notes'))).toEqual([{ text: 'kept' }])
  expect(await readdir(join(folder, 'postgres'))).not.toContainEqual(expect.stringMatching(/half$/))
})

test('an interrupted first start is repeated', async () => {
  const half = join(parent, 'data', 'postgres', 'data.killed.half')
  await mkdir(half, { recursive: true })
  await writeFile(join(half, 'PG_VERSION'), '18\n')
  const server = await start(join(parent, 'data'))
  expect(await withDb(server, (db) => db.query('select 1 as one'))).toEqual([{ one: 1 }])
  expect(await readdir(join(parent, 'data', 'postgres'))).not.toContain('data.killed.half')
})

test('a pid file whose number belongs to another process does not prevent a start', async () => {
  const folder = await usedFolder()
  const first = await startEmbedded({ dataFolder: folder, log, clock })
  const pidFile = join(folder, 'postgres', 'data', 'postmaster.pid')
  const text = await readFile(pidFile, 'utf8')
  await first.stop()
  await writeFile(pidFile, text.replace(/^\d+/, String(process.pid)))
  const server = await start(folder)
  expect(server.adopted).toBe(false)
})

test('a server that dies is restarted while the process lives', async () => {
  const server = await start(await usedFolder())
  await withDb(server, (db) => db.query(`create table notes as select 'kept' as text`))
  process.kill(server.pid, 'SIGKILL')
  const text = await withDb(server, (db) => db.query('select text from notes'))
  expect(text).toEqual([{ text: 'kept' }])
})

test.each([
  ['spaces, quotes and letters beyond ASCII', `it's "my" dätå, x`],
  ['more bytes than a socket may have', `${'long/'.repeat(30)}data`],
])('a data folder with %s works, and is adopted too', async (_what, name) => {
  const folder = await usedFolder(name)
  const { child, said } = await startChild(folder)
  expect(said.error).toBeUndefined()
  await kill(child)
  const server = await start(folder)
  expect(server.adopted).toBe(true)
  expect(await withDb(server, (db) => db.query('select text from notes'))).toEqual([{ text: 'kept' }])
})

test('a copy of a running folder is a separate database', async () => {
  const server = await start(await usedFolder())
  await withDb({ address: server.administratorAddress }, (db) => db.query('checkpoint'))
  await cp(join(parent, 'data'), join(parent, 'copy'), {
    recursive: true,
    filter: (source) => !source.includes('.s.PGSQL'),
  })
  const copy = await start(join(parent, 'copy'))
  expect(copy.adopted).toBe(false)
  expect(copy.pid).not.toBe(server.pid)
})

test('the files of another PostgreSQL are left alone, with a message', async () => {
  const cluster = join(parent, 'data', 'postgres', 'data')
  await mkdir(cluster, { recursive: true })
  await writeFile(join(cluster, 'PG_VERSION'), '15\n')
  await expect(start(join(parent, 'data'))).rejects.toMatchObject({ code: 'database_version' })
  expect(await readdir(cluster)).toEqual(['PG_VERSION'])
})

test('a log above its size limit is rotated at the next start', async () => {
  const folder = await usedFolder()
  await (await startEmbedded({ dataFolder: folder, log, clock })).stop()
  const logFile = join(folder, 'postgres', 'postgres.log')
  await truncate(logFile, logBytesMax + 1)
  await start(folder)
  expect((await stat(`${logFile}.1`)).size).toBe(logBytesMax + 1)
  expect((await stat(logFile)).size).toBeLessThan(logBytesMax)
})

test('a folder below a private one works, and keeps its permissions', async () => {
  const closed = join(parent, 'closed')
  await mkdir(closed, { mode: 0o700 })
  const server = await start(join(closed, 'data'))
  expect(await withDb(server, (db) => db.query('select 1 as one'))).toEqual([{ one: 1 }])
  for (const folder of [closed, join(closed, 'data')]) expect((await stat(folder)).mode & 0o777).toBe(0o700)
})
