import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { chmod, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { type AddressInfo, createConnection, createServer } from 'node:net'
import { join } from 'node:path'
import { pipeline } from 'node:stream'
import { text } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { CreateBucketCommand, S3Client } from '@aws-sdk/client-s3'
import { startFauxqs } from 'fauxqs'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { skillrun, startSkillrun } from '../packages/cli/src/command-line.ts'
import { systemClock as clock } from '../packages/core/src/clock.ts'
import type { BackupPlace } from '../packages/server/src/adapters/backup-place/backup-place.ts'
import { openFolderPlace } from '../packages/server/src/adapters/backup-place/folder/folder.ts'
import { openS3Place } from '../packages/server/src/adapters/backup-place/s3/s3.ts'
import { openDiskBlobs } from '../packages/server/src/adapters/blobs/disk/disk.ts'
import { migrate } from '../packages/server/src/adapters/db/migrate.ts'
import { connect } from '../packages/server/src/adapters/db/postgres/connect.ts'
import { takeSnapshot } from '../packages/server/src/adapters/db/postgres/snapshot.ts'
import { silentLog as log } from '../packages/server/src/core/log.ts'
import { checkBackup, makeBackup, newestName, readManifest } from '../packages/server/src/features/backups/backups.ts'
import { collectBlobs } from '../packages/server/src/features/files/files.ts'
import { dropEndedHolds } from '../packages/server/src/features/files/store.ts'
import { type Cluster, type Member, openCluster } from './support/cluster.ts'
import { makeDatabase, makeEmptyDatabase, type TestDatabase } from './support/database.ts'
import { urlOf } from './support/database-url.ts'
import { startServer } from './support/server.ts'
import { mountSmallDisk, type SmallDisk } from './support/small-disk.ts'
import { temporaryFolder } from './support/temporary-folder.ts'

const migrations = join(import.meta.dirname, '..', 'packages', 'server', 'migrations')
const never = new AbortController().signal
const json_schema = { type: 'object', properties: { total: { type: ['number', 'null'] } } }

const smallDisk = mountSmallDisk('16m')
const root = await temporaryFolder('backup', afterAll)
let data: string
let database: TestDatabase
let cluster: Cluster
let api: Member

const call = async (url: string, key: string, path: string, body?: object) => {
  const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' }
  const reply = await fetch(url + path, { headers, ...(body ? { method: 'POST', body: JSON.stringify(body) } : {}) })
  if (!reply.headers.get('content-type')?.includes('json'))
    return Buffer.from(await reply.arrayBuffer()).toString('latin1')
  // biome-ignore lint/suspicious/noExplicitAny: a story looks at whatever the wire says.
  return (await reply.json()) as any
}
const ask = (path: string, body?: object) => call(api.url, cluster.key, path, body)

async function upload(content: string): Promise<{ id: string; sha256: string }> {
  const form = new FormData()
  form.append('file', new Blob([content]), 'a.txt')
  const headers = { Authorization: `Bearer ${cluster.key}` }
  const reply = await fetch(`${api.url}/v1/files`, { method: 'POST', headers, body: form })
  return (await reply.json()) as { id: string; sha256: string }
}

/** What the installation answers about everything that was made in `beforeAll`. */
let paths: readonly string[]
let skillId: string
let waiting: { id: string }

beforeAll(async () => {
  data = join(root, 'data')
  database = await makeDatabase()
  cluster = await openCluster(database.address, { SKILLRUN_DATA: data })
  api = await cluster.start('all')
  const file = await upload('Invoice\nTotal: EUR 12.50')
  const execution = await ask('/v1/agent/execute', {
    batch: false,
    inputs: { invoice: { type: 'input_file', file_id: file.id } },
    config: { prompt: 'Extract the total', json_schema },
  })
  expect(execution).toMatchObject({ status: 'completed', response: { total: 12.5 } })
  const skill = await ask('/v1/skills/create', {
    name: 'totals',
    description: 'Totals',
    prompt: 'Read it',
    json_schema,
  })
  await ask('/v1/agent/create', { name: 'reader', config: { prompt: 'Extract the total', json_schema } })
  await ask('/v1/feedback', {
    request_id: execution.id,
    response: { total: 13 },
    notes: 'Ünïcode \t and \\ and\nlines',
  })
  await ask('/v1/keys', { workspace: 'strangers', scopes: ['admin'] })
  skillId = skill.id
  paths = [
    `/v1/agent/executions/${execution.id}`,
    `/v1/agent/executions/${execution.id}/steps`,
    `/v1/files/${file.id}/content`,
    `/v1/skills/${skill.id}`,
    '/v1/agent',
    '/v1/audit',
    '/v1/keys',
  ]
  await api.server.end()
  // Every process does so after a minute: it would happen between a backup and the comparison with it.
  await dropEndedHolds(database.db)
  api = await cluster.start('api')
  const mail = await upload('Total: EUR 7')
  waiting = await ask('/v1/agent/execute', {
    inputs: { mail: { type: 'input_file', file_id: mail.id } },
    config: { prompt: 'Extract the total', json_schema },
  })
})
afterAll(async () => {
  await cluster[Symbol.asyncDispose]()
  await database[Symbol.asyncDispose]()
  smallDisk?.[Symbol.dispose]()
})

/** Runs the command on the server that `beforeAll` made, or with another environment. */
const run = (args: readonly string[], environment: Record<string, string> = {}) =>
  skillrun(args, {
    folder: root,
    environment: { DATABASE_URL: urlOf(database.address), SKILLRUN_DATA: data, ...environment },
  })

const done = async (args: readonly string[], environment?: Record<string, string>) => {
  const { code, stdout, stderr } = await run([...args, '--json'], environment)
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  return JSON.parse(stdout)
}

/** Every row of every table, and where each sequence stands, past row-level security. */
async function contentOf({ administratorAddress }: TestDatabase) {
  const db = await connect({ address: administratorAddress, clock, log, connectionsMax: 1 })
  try {
    const names = await db.query<{ name: string }>(
      `select relname::text as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r' order by 1`,
    )
    const tables: Record<string, unknown> = {}
    for (const { name } of names)
      tables[name] = (await db.query(`select to_jsonb(t)::text as row from public.${name} t order by 1`)).map(
        ({ row }) => row,
      )
    const jobs = await db.query(
      `select to_jsonb(j)::text as job from pgboss.job j where state < 'completed' order by id`,
    )
    const sequences = await db.query(
      `select sequencename, last_value from pg_sequences where schemaname = 'public' order by 1`,
    )
    return { tables, jobs, sequences }
  } finally {
    await db.close()
  }
}

interface Listed {
  readonly snapshot: string
}

const placeIn = async (folder: string): Promise<BackupPlace> =>
  openFolderPlace(folder, await openDiskBlobs({ clock }, join(folder, 'blobs')))

async function backUpWith(place: BackupPlace) {
  const snapshot = await takeSnapshot(database.address)
  try {
    return await makeBackup(
      { snapshot, blobs: await openDiskBlobs({ clock }, join(data, 'blobs')), place, clock },
      { version: '0', signal: never },
    )
  } finally {
    await snapshot.close()
  }
}

test('a backup of a running server restores on another root: every row, sequence, waiting job, file and answer is the same', async () => {
  const before = await contentOf(database)
  const answers = await Promise.all(paths.map((path) => ask(path)))
  const bundle = async (url: string) => {
    const { download_url } = await call(url, cluster.key, `/v1/skills/${skillId}/download`)
    return Buffer.from(await (await fetch(download_url)).arrayBuffer())
  }
  const zip = await bundle(api.url)
  const made = await done(['backup', join(root, 'first')])
  expect(made).toMatchObject({ lost_files: [], secret_key: join(data, 'secret.key') })

  await using target = await makeEmptyDatabase()
  const other = join(root, 'other')
  const elsewhere = { DATABASE_URL: urlOf(target.address), SKILLRUN_DATA: other }
  // Without the key of the secrets nothing is written.
  const refused = await run(['restore', join(root, 'first')], elsewhere)
  expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining('encrypted with a key that is not here') })
  expect(await target.db.query(`select to_regclass('workspaces') as found`)).toEqual([{ found: null }])

  const SKILLRUN_SECRET_KEY = (await readFile(join(data, 'secret.key'), 'utf8')).trim()
  expect(await done(['restore', join(root, 'first')], { ...elsewhere, SKILLRUN_SECRET_KEY })).toMatchObject({
    snapshot: made.snapshot,
    rows: made.rows,
    files: made.files,
    unknown_tables: [],
  })
  const after = await contentOf(target)
  expect(Object.values(before.tables).filter((rows) => (rows as unknown[]).length > 0).length).toBeGreaterThan(12)
  expect(before.jobs.length).toBeGreaterThan(0)
  expect(after).toEqual(before)

  await using server = startServer(other, { ...elsewhere, SKILLRUN_SECRET_KEY, SKILLRUN_API_KEY: cluster.key })
  const [, url = ''] = await server.printed(/Skillrun +(http:\S+)/)
  expect(await Promise.all(paths.map((path) => call(url, cluster.key, path)))).toEqual(answers)
  expect(await bundle(url)).toEqual(zip)
  expect(zip.subarray(0, 2).toString()).toBe('PK')
  // What had been accepted is run, and new rows get new numbers.
  await expect
    .poll(() => call(url, cluster.key, `/v1/agent/executions/${waiting.id}`))
    .toMatchObject({ status: 'completed', response: { total: 7 } })
  // Row-level security, triggers and foreign keys are as the migrations made them.
  const guards = (db: TestDatabase['db']) =>
    db.query(
      `select c.relname, relrowsecurity, relforcerowsecurity,
         (select array_agg((tgname, tgenabled)::text order by tgname) from pg_trigger t where t.tgrelid = c.oid and not tgisinternal) as triggers,
         (select array_agg(pg_get_constraintdef(k.oid) order by pg_get_constraintdef(k.oid)) from pg_constraint k where k.conrelid = c.oid and contype = 'f' and convalidated) as keys
       from pg_class c where relnamespace = 'public'::regnamespace and relkind = 'r' order by 1`,
    )
  expect(await guards(target.db)).toEqual(await guards(database.db))

  expect(await run(['restore', join(root, 'first')], { ...elsewhere, SKILLRUN_SECRET_KEY })).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('The database already has 2 workspaces: restore into an empty database'),
  })
})

test('a database of an older version is brought to this one by a command, before a server starts', async () => {
  await using older = await makeEmptyDatabase()
  await migrate(older.db, migrations, undefined, 50)
  const place = { DATABASE_URL: urlOf(older.address) }
  const { applied } = await done(['upgrade-database'], place)
  expect(applied[0]).toMatch(/^0051-/)
  const versions = ({ db }: TestDatabase) =>
    db.query('select version, name, sha256 from schema_migrations order by version')
  expect(await versions(older)).toEqual(await versions(database))
  expect(await run(['upgrade-database'], place)).toMatchObject({
    code: 0,
    stderr: expect.stringContaining('up to date'),
  })
  const nothing = { DATABASE_URL: '', SKILLRUN_DATA: join(root, 'no-database') }
  expect(await run(['upgrade-database'], nothing)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('has no database'),
  })
})

test('a backup of an older version restores with the tables of that version, and the next start migrates them', async () => {
  const version = 50
  const columnsOf = ({ db }: TestDatabase) =>
    db.query(
      `select table_name, column_name, data_type, is_nullable from information_schema.columns where table_schema = 'public' order by 1, 2`,
    )
  await using older = await makeEmptyDatabase()
  await migrate(older.db, migrations, undefined, version)
  await older.db.query(`insert into workspaces values (gen_random_uuid(), 'archive', '2026-01-02T03:04:05.678Z')`)
  const folder = join(root, 'older')
  const snapshot = await takeSnapshot(older.address)
  const blobs = await openDiskBlobs({ clock }, join(root, 'older-blobs'))
  await makeBackup({ snapshot, blobs, place: await placeIn(folder), clock }, { version: '0', signal: never })
  await snapshot.close()

  await using target = await makeEmptyDatabase()
  const elsewhere = { DATABASE_URL: urlOf(target.address), SKILLRUN_DATA: join(root, 'older-data') }
  await done(['restore', folder], elsewhere)
  expect(await target.db.query('select max(version) as version from schema_migrations')).toEqual([{ version }])
  expect(await columnsOf(target)).toEqual(await columnsOf(older))

  await using server = startServer(elsewhere.SKILLRUN_DATA, { ...elsewhere, SKILLRUN_API_KEY: cluster.key })
  const [, url = ''] = await server.printed(/Skillrun +(http:\S+)/)
  expect(await columnsOf(target)).toEqual(await columnsOf(database))
  expect(await target.db.query(`select name, created_at from workspaces where name = 'archive'`)).toEqual([
    { name: 'archive', created_at: new Date('2026-01-02T03:04:05.678Z') },
  ])
  const answer = call(url, cluster.key, '/v1/agent/execute', {
    batch: false,
    inputs: { mail: 'Total: EUR 9' },
    config: { prompt: 'Extract the total', json_schema },
  })
  expect(await answer).toMatchObject({ status: 'completed', response: { total: 9 } })
})

test('a second backup adds only what is new, --keep deletes older snapshots with what only they had, and a .tar has the same', async () => {
  const folder = join(root, 'kept')
  const first = await done(['backup', folder])
  await upload('the file of the second backup')
  const second = await done(['backup', folder])
  expect(second).toMatchObject({ new_files: 1, files: first.files + 1 })
  expect((await done(['restore', folder, '--list'])).snapshots).toMatchObject(
    [first, second].map(({ snapshot }) => ({ snapshot })),
  )
  const filesIn = async () => (await readdir(join(folder, 'blobs'), { recursive: true })).length
  const both = await filesIn()
  const third = await done(['backup', folder, '--keep', '1'])
  expect(third.removed_snapshots).toEqual([first.snapshot, second.snapshot])
  expect(await filesIn()).toBeLessThan(both)
  expect(await done(['backup', 'verify', folder])).toMatchObject({ snapshot: third.snapshot, files: second.files })

  const tar = join(root, 'all.tar')
  await done(['backup', tar, '--include-key'])
  expect(existsSync(`${tar}.folder`)).toBe(false)
  // Other programs can read it.
  const { stdout: listed } = await promisify(execFile)('tar', ['-tvf', tar])
  expect(listed.split('\n').filter((line) => line.includes('snapshots/'))).toHaveLength(1)
  await using target = await makeEmptyDatabase()
  const other = join(root, 'from-tar')
  // The key is part of this backup.
  await done(['restore', tar, '--database', urlOf(target.address), '--data', other])
  expect(await readFile(join(other, 'secret.key'), 'utf8')).toBe(await readFile(join(data, 'secret.key'), 'utf8'))
  expect(await contentOf(target)).toEqual(await contentOf(database))
  const whole = await readFile(tar)
  for (const damaged of [whole.subarray(0, 1_000), whole.subarray(0, whole.length - 1_024), Buffer.alloc(2_000, 'x')]) {
    await writeFile(tar, damaged)
    expect(await run(['backup', 'verify', tar])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('cannot be read as a backup'),
    })
  }
})

test('--every backs up at once where there is no backup, and after a restart waits for the next', async () => {
  const folder = join(root, 'every')
  const args = ['backup', folder, '--every', '24h', '--keep', '3']
  const environment = { DATABASE_URL: urlOf(database.address), SKILLRUN_DATA: data }
  for (const round of [1, 2]) {
    const running = startSkillrun(args, { folder: root, environment })
    await running.stderrIncludes('The next backup begins at ')
    running.kill('SIGTERM')
    const { code, stderr } = await running.ended
    expect([code, stderr.includes('Backed up to ')]).toEqual([143, round === 1])
    const { snapshots } = await done(['restore', folder, '--list'])
    expect(snapshots).toHaveLength(1)
    // The first round counts from the moment when it began, the second from the snapshot.
    const [, next = ''] = /begins at (\S+)\.$/m.exec(stderr) ?? []
    const lateMs = Date.parse(next) - Date.parse(snapshots[0].created_at) - 86_400_000
    expect(Math.abs(lateMs)).toBeLessThan(3_600_000)
  }
  const nothing = { DATABASE_URL: '', SKILLRUN_DATA: join(root, 'no-database') }
  expect(await run(['backup', join(root, 'never'), '--every', '1m'], nothing)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('has no database'),
  })
})

test('--verify finds damaged content that a new backup shares with an earlier one, and then deletes no older snapshot', async () => {
  const folder = join(root, 'verified')
  const file = await upload('a file that will be damaged in the backup')
  const first = await done(['backup', folder, '--verify'])
  const second = await done(['backup', folder])
  expect([first.verified, second.verified]).toEqual([true, false])
  const path = join(folder, 'blobs', file.sha256.slice(0, 2), file.sha256.slice(2, 4), file.sha256)
  const bytes = await readFile(path)
  await writeFile(path, Buffer.alloc(bytes.length, 'x'))
  const names = async () => (await done(['restore', folder, '--list'])).snapshots.map((one: Listed) => one.snapshot)
  expect(await run(['backup', folder, '--keep', '1', '--verify'])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining(file.sha256),
  })
  expect(await names()).toEqual([first.snapshot, second.snapshot])
  await rm(path)
  const third = await done(['backup', folder, '--keep', '1', '--verify'])
  expect(third).toMatchObject({ new_files: 1, verified: true, removed_snapshots: [first.snapshot, second.snapshot] })
  expect(await names()).toEqual([third.snapshot])
})

test('a bucket that never answers ends each call of a backup place', async () => {
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'test')
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'test')
  const store = createServer((socket) => void socket.on('error', () => undefined).resume())
  await once(store.listen(0, '127.0.0.1'), 'listening')
  const endpoint = `http://127.0.0.1:${(store.address() as AddressInfo).port}`
  const address = { bucket: 'backups', prefix: '', endpoint, region: 'us-east-1' }
  const place = openS3Place(address, await openDiskBlobs({ clock }, join(root, 'never')), {
    connectMs: 1_000,
    idleMs: 100,
  })
  const calls = [place.names(), place.read('a'), place.write('a', 'b'), place.remove('a')]
  for (const { status } of await Promise.allSettled(calls)) expect(status).toBe('rejected')
  vi.unstubAllEnvs()
  await place.close()
  store.close()
})

test('a bucket of S3 holds backups like a folder', async () => {
  const s3 = await startFauxqs({ port: 0, logger: false })
  try {
    const address = { AWS_ACCESS_KEY_ID: 'test', AWS_SECRET_ACCESS_KEY: 'test' }
    const endpoint = `http://127.0.0.1:${s3.port}`
    const client = new S3Client({
      endpoint,
      region: 'us-east-1',
      forcePathStyle: true,
      credentials: { accessKeyId: 'test', secretAccessKey: 'test' },
    })
    await client.send(new CreateBucketCommand({ Bucket: 'backups' }))
    const place = `s3://backups/mine?endpoint=${endpoint}&region=us-east-1`
    const first = await done(['backup', place], address)
    await upload('the file of the second backup on S3')
    const second = await done(['backup', place, '--keep', '1'], address)
    expect(second).toMatchObject({ new_files: 1, files: first.files + 1, removed_snapshots: [first.snapshot] })
    expect(await done(['backup', 'verify', place], address)).toMatchObject({ snapshot: second.snapshot })
    await using target = await makeEmptyDatabase()
    const other = join(root, 'from-s3')
    const SKILLRUN_SECRET_KEY = (await readFile(join(data, 'secret.key'), 'utf8')).trim()
    await done(['restore', place, '--database', urlOf(target.address), '--data', other], {
      ...address,
      SKILLRUN_SECRET_KEY,
    })
    expect(await contentOf(target)).toEqual(await contentOf(database))
  } finally {
    await s3.stop()
  }
})

test('the embedded database moves to a PostgreSQL of the operator with one command, while no server uses it', async () => {
  const folder = join(root, 'embedded')
  const env = { SKILLRUN_API_KEY: 'the-key-of-the-operator' }
  const mail = {
    batch: false,
    inputs: { mail: 'Total: EUR 12.50' },
    config: { prompt: 'Extract the total', json_schema },
  }
  await using before = startServer(folder, env)
  const [, url = ''] = await before.printed(/Skillrun +(http:\S+)/)
  const execution = (await call(url, env.SKILLRUN_API_KEY, '/v1/agent/execute', mail)) as { id: string }
  await using target = await makeEmptyDatabase()
  const move = ['migrate-database', '--to', urlOf(target.address)]
  const place = { DATABASE_URL: '', SKILLRUN_DATA: folder }
  expect(await run(move, place)).toMatchObject({ code: 1, stderr: expect.stringContaining('is in use by Skillrun') })
  // Backups need no pause.
  expect(await done(['backup', join(root, 'of-embedded')], place)).toMatchObject({ lost_files: [] })
  await before.end()
  expect(await done(move, place)).toMatchObject({ data: folder })
  await using after = startServer(folder, { ...env, DATABASE_URL: urlOf(target.address) })
  const [, there = ''] = await after.printed(/Skillrun +(http:\S+)/)
  expect(await call(there, env.SKILLRUN_API_KEY, `/v1/agent/executions/${execution.id}`)).toEqual(execution)
  expect(await call(there, env.SKILLRUN_API_KEY, '/v1/agent/execute', mail)).toMatchObject({ status: 'completed' })
  expect(await run(move, place)).toMatchObject({ code: 1, stderr: expect.stringContaining('The database already has') })
})

test('a file that is deleted while a backup runs is in it, and its bytes are collected afterwards', async () => {
  const content = 'deleted between the rows and the files'
  const file = await upload(content)
  const folder = join(root, 'deleting')
  const place = await placeIn(folder)
  const own = await openDiskBlobs({ clock }, join(data, 'blobs'))
  const sha256 = Buffer.from(file.sha256, 'hex')
  let isDeleted = false
  await backUpWith({
    ...place,
    blobs: {
      ...place.blobs,
      async put(source, bounds) {
        if (!isDeleted) {
          isDeleted = true
          const headers = { Authorization: `Bearer ${cluster.key}` }
          expect((await fetch(`${api.url}/v1/files/${file.id}`, { method: 'DELETE', headers })).ok).toBe(true)
          await collectBlobs({ db: database.db, blobs: own }, new Date())
          // Another backup waits for its turn.
          await expect(takeSnapshot(database.address)).rejects.toMatchObject({ code: 'backup_under_way' })
        }
        return place.blobs.put(source, bounds)
      },
    },
  })
  expect(await text(await place.blobs.open(sha256))).toBe(content)
  expect(await own.stat(sha256)).toEqual({ bytes: content.length })
  await collectBlobs({ db: database.db, blobs: own }, new Date())
  expect(await own.stat(sha256)).toBeUndefined()
})

test('a backup that loses its connection fails, because files could have been deleted meanwhile', async () => {
  const place = await placeIn(join(root, 'lost'))
  const administrator = await connect({ address: database.administratorAddress, clock, log, connectionsMax: 1 })
  const lost = backUpWith({
    ...place,
    blobs: {
      ...place.blobs,
      async stat(sha256) {
        await administrator.query(
          `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'skillrun-backup' and datname = current_database()`,
        )
        return place.blobs.stat(sha256)
      },
    },
  })
  await expect(lost).rejects.toMatchObject({ kind: 'unavailable' })
  await administrator.close()
  expect(await place.names()).toEqual([])
})

describe('a backup that ends early', () => {
  const folder = () => join(root, 'killed')
  let first: string
  beforeAll(async () => {
    first = (await backUpWith(await placeIn(folder()))).snapshot
  })

  const expectFirstOnly = async () => {
    const place = await placeIn(folder())
    const name = await newestName(place)
    expect(name).toBe(first)
    await checkBackup(place, { manifest: await readManifest(place, name), signal: never })
  }

  test('by a failed write of a table, a file, the list of files or the manifest leaves the earlier snapshot', async () => {
    const place = await placeIn(folder())
    let writes = 0
    const failingAt = (at: number): BackupPlace => {
      writes = 0
      const spend = () => {
        if (++writes === at) throw new Error('the disk broke')
      }
      return {
        ...place,
        blobs: {
          ...place.blobs,
          put: async (source, bounds) => {
            const stored = await place.blobs.put(source, bounds)
            spend()
            return stored
          },
        },
        write: async (name, content) => {
          spend()
          return place.write(name, content)
        },
      }
    }
    await upload('a new file')
    first = (await backUpWith(failingAt(0))).snapshot
    const all = writes
    for (const at of [1, Math.floor(all / 2), all - 2, all - 1, all]) {
      await upload(`a file that fails at write ${at}`)
      await expect(backUpWith(failingAt(at))).rejects.toThrow('the disk broke')
      await expectFirstOnly()
    }
  })

  test.each([5, 40])(
    'by SIGKILL after %i files leaves the earlier snapshot, and the next backup works',
    async (count) => {
      const kept = new Set(await readdir(join(folder(), 'snapshots')))
      for (let n = 0; n < 12; n++) await upload(`killed after ${count}, file ${n}`)
      const before = (await readdir(join(folder(), 'blobs'), { recursive: true })).length
      const order = JSON.stringify({ act: 'backup', to: folder(), includeKey: false, version: '0' })
      const { PATH = '' } = process.env
      const child: ChildProcess = spawn(process.execPath, ['packages/server/src/maintain.ts', order], {
        env: { PATH, DATABASE_URL: urlOf(database.address), SKILLRUN_DATA: data },
        stdio: 'ignore',
      })
      const ended = once(child, 'exit')
      await expect
        .poll(async () => (await readdir(join(folder(), 'blobs'), { recursive: true })).length - before, {
          interval: 1,
        })
        .toBeGreaterThanOrEqual(count)
      child.kill('SIGKILL')
      await ended
      const after = (await readdir(join(folder(), 'snapshots'))).filter((name) => name.endsWith('.json'))
      // It may have been faster than the signal: then its snapshot is complete.
      for (const name of after.filter((one) => !kept.has(one))) first = name.replace('.json', '')
      await expectFirstOnly()
      first = (await backUpWith(await placeIn(folder()))).snapshot
      await expectFirstOnly()
    },
  )

  test('of the command alone ends its work, which leaves no snapshot and writes nothing to the terminal', async () => {
    const names = () => readdir(join(folder(), 'snapshots'))
    const before = await names()
    const blocked = await database.db.transaction(async (tx) => {
      await tx.query('lock table executions in access exclusive mode')
      const environment = { DATABASE_URL: urlOf(database.address), SKILLRUN_DATA: data }
      const running = startSkillrun(['backup', folder()], { folder: root, environment })
      const waits = `select 1 from pg_stat_activity where application_name = 'skillrun-backup' and datname = current_database() and wait_event_type = 'Lock'`
      await expect.poll(async () => (await database.db.query(waits)).length).toBe(1)
      running.kill('SIGKILL')
      return running
    })
    // Its work has the same standard error, and has ended when that has.
    expect(await blocked.ended).toMatchObject({ code: null, stderr: '' })
    expect(await names()).toEqual(before)
  })

  test.skipIf(!smallDisk)('by a full disk, at whichever write, leaves the earlier snapshot', async () => {
    const { folder: small, fill, freePage } = smallDisk as SmallDisk
    const place = await placeIn(small)
    const before = (await backUpWith(place)).snapshot
    await upload(`a file that does not fit: ${'x'.repeat(20_000)}`)
    await fill()
    expect(await run(['backup', small, '--json'])).toMatchObject({
      code: 3,
      stderr: expect.stringContaining('There is no space left for the backup'),
    })
    let made: string | undefined
    let failures = 0
    while (made === undefined) {
      await freePage()
      made = await backUpWith(place).then(
        ({ snapshot }) => snapshot,
        () => undefined,
      )
      if (made === undefined) failures++
      expect(await newestName(place)).toBe(made ?? before)
      await checkBackup(place, { manifest: await readManifest(place, made ?? before), signal: never })
    }
    expect(failures).toBeGreaterThan(4)
  })

  test('by a limit on the size of files says so, and leaves the earlier snapshot and the earlier .tar', async () => {
    const limited = join(root, 'limited')
    const tar = join(root, 'limited.tar')
    const kept = (await backUpWith(await placeIn(limited))).snapshot
    await done(['backup', tar])
    const whole = await readFile(tar)
    await upload('a file for the limit'.repeat(10_000))
    const { PATH = '' } = process.env
    const env = { PATH, DATABASE_URL: urlOf(database.address), SKILLRUN_DATA: data }
    /** In units of 1,024 bytes. */
    const backUpWithin = async (to: string, units: number) => {
      const order = JSON.stringify({ act: 'backup', to, includeKey: false, version: '0' })
      const command = `ulimit -f ${units}; exec '${process.execPath}' packages/server/src/maintain.ts '${order}'`
      const { stdout } = await promisify(execFile)('bash', ['-c', command], { env }).catch((error) => error)
      return JSON.parse(stdout).fault
    }
    const fault = {
      code: 'storage_full',
      message: expect.stringMatching(/is larger than .* allows; earlier snapshots/),
    }
    expect(await backUpWithin(limited, 100)).toMatchObject(fault)
    expect(await newestName(await placeIn(limited))).toBe(kept)
    // Each file fits, and all in one do not.
    expect(await backUpWithin(tar, Math.ceil(whole.length / 1024))).toMatchObject(fault)
    expect(await readFile(tar)).toEqual(whole)
    expect(existsSync(`${tar}.unfinished`)).toBe(false)
    expect((await run(['backup', 'verify', tar])).code).toBe(0)
  })

  test('and was changed or cut later is refused with the place of the damage', async () => {
    const place = await placeIn(folder())
    const manifest = await readManifest(place, first)
    const files = (await readFile(join(folder(), 'snapshots', `${first}.json`), 'utf8')).toString()
    const [table] = manifest.tables.filter(({ rows }) => rows > 0)
    const name = table?.sha256 ?? ''
    const path = join(folder(), 'blobs', name.slice(0, 2), name.slice(2, 4), name)
    const bytes = await readFile(path)
    bytes[bytes.length - 5] = (bytes.at(-5) ?? 0) ^ 1
    await writeFile(path, bytes)
    await using target = await makeEmptyDatabase()
    const elsewhere = { DATABASE_URL: urlOf(target.address), SKILLRUN_DATA: data }
    for (const args of [
      ['backup', 'verify', folder()],
      ['restore', folder()],
    ])
      expect(await run(args, elsewhere)).toMatchObject({
        code: 1,
        stderr: expect.stringContaining('damaged'),
      })
    expect(await target.db.query('select * from workspaces')).toEqual([])
    await rm(path)
    expect(await run(['backup', 'verify', folder()])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining(name),
    })

    const snapshot = join(folder(), 'snapshots', `${first}.json`)
    await writeFile(snapshot, files.replace('"rows": 1', '"rows": 2'))
    expect(await run(['restore', folder()], elsewhere)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining(`${first} is damaged`),
    })
    await writeFile(snapshot, files.slice(0, 500))
    expect(await run(['restore', folder()], elsewhere)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining(`${first} is damaged`),
    })
  })
})

describe('is refused with one sentence', () => {
  test('a place to which this user has no right', async () => {
    const closed = join(root, 'closed')
    // Nobody may pass, so that only the folder itself is closed.
    await chmod(root, 0o711)
    await mkdir(closed, { mode: 0o500 })
    const order = JSON.stringify({ act: 'backup', to: closed, includeKey: false, version: '0' })
    const { PATH = '' } = process.env
    // Root may write everywhere: then it is done by nobody, who may not reach the socket of the test's database either.
    const user = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {}
    const { user: role, password, database: name, host, port } = database.address
    const relay = createServer((client) => {
      const server = createConnection(join(host, `.s.PGSQL.${port}`))
      pipeline(client, server, client, () => undefined)
    }).listen(0, '127.0.0.1')
    await once(relay, 'listening')
    const DATABASE_URL = `postgres://${role}:${password}@127.0.0.1:${(relay.address() as AddressInfo).port}/${name}`
    const child = spawn(process.execPath, ['packages/server/src/maintain.ts', order], {
      env: { PATH, DATABASE_URL, SKILLRUN_DATA: data },
      stdio: ['ignore', 'pipe', 'pipe'],
      ...user,
    })
    const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)])
    relay.close()
    expect(JSON.parse(stdout || stderr)).toMatchObject({
      fault: {
        code: 'bad_backup_place',
        message: `${closed} cannot be created or written to: this user has no right to it (EACCES).`,
      },
    })
  })

  test.each([
    ['a place without a backup', ['restore', '/nowhere'], 1, /has no backup: give a folder, a .tar/],
    [
      'an unknown snapshot',
      ['restore', 'first', '--snapshot', '2020-01-01T00-00-00-000Z'],
      1,
      /There is no snapshot 2020/,
    ],
    ['a file as a folder', ['backup', 'data/secret.key'], 2, /is a file: give a folder/],
    ['a place inside the data folder', ['backup', 'data/backups'], 2, /is inside the data folder, and would be lost/],
    ['a tar inside the data folder', ['backup', 'data/b.tar'], 2, /is inside the data folder, and would be lost/],
    [
      'a place where nothing can be created',
      ['backup', '/proc/b'],
      2,
      /\/proc\/b cannot be created or written to: .*ENOENT/,
    ],
    [
      'a place below a file',
      ['backup', '/etc/passwd/b'],
      2,
      /cannot be created or written to: .*not a folder \(ENOTDIR\)/,
    ],
    ['a path that is too long', ['restore', `${'b'.repeat(300)}.tar`], 1, /has no backup/],
    [
      'a move without an embedded database',
      ['migrate-database', '--to', 'postgres://127.0.0.1/x'],
      2,
      /DATABASE_URL is set/,
    ],
  ])('%s', async (_what, args, code, sentence) => {
    expect(await run(args)).toMatchObject({ code, stderr: expect.stringMatching(sentence) })
  })

  test('a backup of nothing', async () => {
    const empty = { DATABASE_URL: '', SKILLRUN_DATA: join(root, 'empty') }
    expect(await run(['backup', 'x'], empty)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('has no database'),
    })
    await using nothing = await makeEmptyDatabase()
    expect(await run(['backup', 'x'], { DATABASE_URL: urlOf(nothing.address) })).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('has no tables'),
    })
  })

  test('a backup of a newer version, before anything is written', async () => {
    const folder = join(root, 'newer')
    const place = await placeIn(folder)
    const snapshot = await takeSnapshot(database.address)
    const newer = { version: 9_000, name: '9000-later', sha256: 'a'.repeat(64) }
    await makeBackup(
      {
        snapshot: { ...snapshot, migrations: [...snapshot.migrations, newer] },
        blobs: await openDiskBlobs({ clock }, join(data, 'blobs')),
        place,
        clock,
      },
      { version: '9', signal: never },
    )
    await snapshot.close()
    await using target = await makeEmptyDatabase()
    expect(await run(['restore', folder], { DATABASE_URL: urlOf(target.address) })).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/backup has migration 9000 of a newer version.*restore it with the newer version/),
    })
    expect(await target.db.query(`select to_regclass('schema_migrations') as found`)).toEqual([{ found: null }])
  })

  test('a folder with backups of another installation', async () => {
    await using other = await makeDatabase()
    await other.db.query(
      `insert into workspaces (id, name, created_at) values ('01900000-0000-7000-8000-000000000000', 'other', now())`,
    )
    expect(await run(['backup', join(root, 'first')], { DATABASE_URL: urlOf(other.address) })).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('backups of another installation'),
    })
  })
})
