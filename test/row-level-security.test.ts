import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { systemClock as clock } from '../packages/core/src/clock.ts'
import { newId } from '../packages/core/src/ids.ts'
import type { Db } from '../packages/server/src/adapters/db/db.ts'
import { migrate } from '../packages/server/src/adapters/db/migrate.ts'
import { connect } from '../packages/server/src/adapters/db/postgres/connect.ts'
import { silentLog as log } from '../packages/server/src/core/log.ts'
import { makeEmptyDatabase, type TestDatabase } from './support/database.ts'
import { openTestService } from './support/service.ts'

const migrations = join(import.meta.dirname, '..', 'packages', 'server', 'migrations')

/** Two workspaces with a key and a file each. */
async function settle(db: Db): Promise<[string, string]> {
  const ids: [string, string] = [newId(clock.now()), newId(clock.now())]
  for (const [n, id] of ids.entries()) {
    await db.query('insert into workspaces (id, name, created_at) values ($1, $2, $3)', [id, `w${n}`, clock.now()])
    await db.query(
      `insert into keys (id, workspace_id, name, sha256, hint, scopes, created_at) values ($1, $2, 'k', $3, 'hint', '{}', $4)`,
      [newId(clock.now()), id, Buffer.from(id), clock.now()],
    )
    await insertFile(db, id)
  }
  return ids
}

const insertFile = (db: { query: Db['query'] }, workspaceId: string) =>
  db.query(
    `insert into files (id, workspace_id, filename, content_type, bytes, sha256, md5, purpose, created_at)
     values ($1, $2, 'a', 'text/plain', 1, '\\x00', '\\x00', 'assistants', $3)`,
    [newId(clock.now()), workspaceId, clock.now()],
  )

const workspacesIn = async (db: { query: Db['query'] }, table = 'files') =>
  (await db.query<{ id: string }>(`select distinct workspace_id as id from ${table}`)).map((row) => row.id)

/** Holds for any database user. */
function itHolds(of: () => { db: Db; ids: [string, string] }): void {
  test('a statement without a workspace condition only finds, changes and deletes rows of its own workspace', async () => {
    const { db, ids } = of()
    const [own, other] = ids
    const within = db.within(own)
    expect(await workspacesIn(within)).toEqual([own])
    expect(await within.query('select 1 from files where workspace_id = $1', [other])).toEqual([])
    expect(await within.query(`update files set filename = 'b' returning workspace_id as id`)).toEqual([{ id: own }])
    expect(await db.query(`select filename from files where workspace_id = $1`, [other])).toEqual([{ filename: 'a' }])
  })

  test('a row of another workspace cannot be written', async () => {
    const { db, ids } = of()
    await expect(insertFile(db.within(ids[0]), ids[1])).rejects.toThrow(/row-level security/)
  })

  test('the confinement of a transaction ends with it, and the connection can be reused', async () => {
    const { db, ids } = of()
    await db.within(ids[0]).transaction(async (tx) => {
      expect(await workspacesIn(tx)).toEqual([ids[0]])
      await tx.query('select 1')
      expect(await workspacesIn(tx, 'keys')).toEqual([ids[0]])
    })
    expect((await workspacesIn(db)).sort()).toEqual([...ids].sort())
  })

  test('concurrent callers of many workspaces each see their own, whichever connection they get', async () => {
    const { db, ids } = of()
    const seen = await Promise.all(
      Array.from({ length: 60 }, async (_, n) => {
        const id = ids[n % 2] as string
        const within = db.within(id)
        if (n % 3 === 0) return [id, await within.transaction((tx) => workspacesIn(tx))]
        return [id, n % 3 === 1 ? await workspacesIn(within) : (await workspacesIn(db)).length === 2 ? [id] : []]
      }),
    )
    for (const [id, found] of seen) expect(found).toEqual([id])
  })

  test('a workspace must be an id', () => {
    expect(() => of().db.within("' or true --")).toThrow(/a database scope needs the id of a workspace/)
  })
}

describe('a superuser, as in an external database', () => {
  let service: TestDatabase
  let db: Db
  let ids: [string, string]
  beforeAll(async () => {
    service = await makeEmptyDatabase()
    db = await connect({ address: service.administratorAddress, clock, log })
    await migrate(db, migrations)
    ids = await settle(db)
  })
  afterAll(async () => {
    await db.close()
    await service[Symbol.asyncDispose]()
  })
  itHolds(() => ({ db, ids }))

  test('every table with a workspace has row-level security, for its owner too', async () => {
    const rows = await db.query<{ name: string; walled: boolean }>(
      `select c.table_name as name,
         p.relrowsecurity and p.relforcerowsecurity
           and exists (select from pg_policies where tablename = c.table_name and cmd = 'ALL' and qual like '%sees_workspace(%') as walled
       from information_schema.columns c join pg_class p on p.oid = format('%I.%I', c.table_schema, c.table_name)::regclass
       where c.table_schema = 'public' and p.relkind = 'r' and c.column_name = 'workspace_id'`,
    )
    expect(rows.length).toBeGreaterThan(12)
    expect(rows.filter((row) => !row.walled).map((row) => row.name)).toEqual([])
  })

  test('every other table is known to belong to no workspace', async () => {
    const rows = await db.query<{ name: string }>(
      `select t.table_name as name from information_schema.tables t where t.table_schema = 'public' and t.table_type = 'BASE TABLE'
         and not exists (select from information_schema.columns c where c.table_schema = 'public' and c.table_name = t.table_name and c.column_name = 'workspace_id')`,
    )
    expect(rows.map((row) => row.name).sort()).toEqual([
      'blob_leftovers',
      'capsule_keys',
      'processes',
      'rate_counts',
      'schema_migrations',
      'server_secrets',
      'user_sessions',
      'users',
      'workspaces',
    ])
  })
})

describe('an ordinary user who owns the tables, as in the embedded database', () => {
  let empty: TestDatabase
  let db: Db
  let ids: [string, string]
  beforeAll(async () => {
    empty = await makeEmptyDatabase()
    db = empty.db
    await migrate(db, migrations)
    ids = await settle(db)
  })
  afterAll(() => empty[Symbol.asyncDispose]())
  itHolds(() => ({ db, ids }))

  test('runs a complete server: files are created and deleted, and an execution completes', async () => {
    await using service = await openTestService({ database: empty })
    const file = await service.upload(Buffer.from('Total: 5.00'), 'invoice.txt')
    const body = {
      batch: false,
      inputs: { file: { type: 'input_file', file_id: file.id } },
      config: { json_schema: { type: 'object', properties: { total: { type: 'number' } } } },
      metadata: { allow_retention: false },
    }
    const { status, json } = await service.call('POST', '/v1/agent/execute', { body })
    expect([status, json.status, json.response]).toMatchObject([201, 'completed', { total: 5 }])
    const other = await service.upload(Buffer.from('Total: 6.00'), 'invoice.txt')
    expect((await service.call('DELETE', `/v1/files/${other.id}`)).status).toBe(200)
    const stranger = await service.stranger()
    expect((await service.call('GET', '/v1/agent/executions', { key: stranger })).json).toEqual([])
    expect((await service.call('GET', '/v1/agent/executions')).json).toHaveLength(1)
  })

  test('sees nothing on a connection without a workspace', async () => {
    const rows = await empty.db.transaction(async (tx) => {
      await tx.query(`set local skillrun.workspace = ''`)
      return tx.query('select * from files')
    })
    expect(rows).toEqual([])
  })
})
