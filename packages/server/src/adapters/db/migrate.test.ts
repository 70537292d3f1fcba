import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { systemClock as clock } from '@skillrun/core/clock.ts'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { makeEmptyDatabase, type TestDatabase } from '../../../../../test/support/database.ts'
import { silentLog as log } from '../../core/log.ts'
import { migrate } from './migrate.ts'
import { connect } from './postgres/connect.ts'

let service: TestDatabase
let folder: string

beforeEach(async () => {
  service = await makeEmptyDatabase()
  folder = await mkdtemp(join(tmpdir(), 'skillrun-migrations-'))
})

afterEach(async () => {
  await service[Symbol.asyncDispose]()
  await rm(folder, { recursive: true })
})

const write = (name: string, text: string): Promise<void> => writeFile(join(folder, name), text)

test('migrations are applied once, in order, and new ones after them', async () => {
  await write('0001-pets.sql', 'create table pets (name text); insert into pets values (1);')
  expect(await migrate(service.db, folder)).toEqual(['0001-pets'])
  await write('0002-age.sql', 'alter table pets add age int')
  expect(await migrate(service.db, folder)).toEqual(['0002-age'])
  expect(await migrate(service.db, folder)).toEqual([])
  expect(await service.db.query('select * from pets')).toEqual([{ name: '1', age: null }])
  const rows = await service.db.query(
    'select version, name, length(sha256) as digits, applied_at is not null as dated from schema_migrations order by 1',
  )
  expect(rows).toEqual([
    { version: 1, name: '0001-pets', digits: 64, dated: true },
    { version: 2, name: '0002-age', digits: 64, dated: true },
  ])
})

test('a failed migration leaves nothing, and earlier ones stay', async () => {
  await write('0001-pets.sql', 'create table pets (name text)')
  await write('0002-broken.sql', 'create table half (name text); select 1 / 0')
  await expect(migrate(service.db, folder)).rejects.toThrow(/division by zero/)
  const tables = await service.db.query(`select relname from pg_class where relname in ('pets', 'half')`)
  expect(tables).toEqual([{ relname: 'pets' }])
  await write('0002-broken.sql', 'create table whole (name text)')
  expect(await migrate(service.db, folder)).toEqual(['0002-broken'])
})

test('concurrent starts apply each migration once', async () => {
  await write('0001-pets.sql', 'create table pets (name text); select pg_sleep(0.05)')
  await write('0002-row.sql', `insert into pets values ('only')`)
  const others = await Promise.all([1, 2, 3].map(() => connect({ address: service.address, clock, log })))
  const applied = await Promise.all(others.map((db) => migrate(db, folder)))
  expect(applied.flat().sort()).toEqual(['0001-pets', '0002-row'])
  expect(await service.db.query('select * from pets')).toEqual([{ name: 'only' }])
  await Promise.all(others.map((db) => db.close()))
})

test('a migration that was changed after it was applied stops the start with one sentence', async () => {
  await write('0001-pets.sql', 'create table pets (name text)')
  await migrate(service.db, folder)
  await write('0001-pets.sql', 'create table pets (name text not null)')
  const error = await migrate(service.db, folder).catch((caught: unknown) => caught)
  expect(error).toMatchObject({ kind: 'conflict', code: 'migration_changed' })
  expect(String(error)).toContain('0001-pets')
})

test('different line endings do not change a migration', async () => {
  await write('0001-pets.sql', 'create table pets (\n  name text\n)\n')
  await migrate(service.db, folder)
  await write('0001-pets.sql', 'create table pets (\r\n  name text\r\n)\r\n')
  expect(await migrate(service.db, folder)).toEqual([])
})

test('a database that a newer version has migrated stops the start with one sentence', async () => {
  await write('0001-pets.sql', 'create table pets (name text)')
  await write('0002-age.sql', 'alter table pets add age int')
  await migrate(service.db, folder)
  await rm(join(folder, '0002-age.sql'))
  await expect(migrate(service.db, folder)).rejects.toMatchObject({ kind: 'conflict', code: 'database_newer' })
})

test('a migration inserted before an applied one stops the start with one sentence', async () => {
  await write('0001-pets.sql', 'create table pets (name text)')
  await write('0003-age.sql', 'alter table pets add age int')
  expect(await migrate(service.db, folder)).toEqual(['0001-pets', '0003-age'])
  await write('0002-late.sql', 'alter table pets add late int')
  const error = await migrate(service.db, folder).catch((caught: unknown) => caught)
  expect(error).toMatchObject({ kind: 'conflict', code: 'migration_changed' })
  expect(String(error)).toContain('0002-late')
})

test.each([
  ['0001-other.sql', /same number as another/],
  ['2-words.sql', /name like/],
])('a file named %s beside 0001-pets.sql is a bug', async (name, sentence) => {
  await write('0001-pets.sql', 'select 1')
  await write(name, 'select 1')
  await expect(migrate(service.db, folder)).rejects.toThrow(sentence)
})

test('a migration may exceed the statement timeout on a database opened without it', async () => {
  await write('0001-pets.sql', 'create table pets (name text); select pg_sleep(1.5)')
  const bounded = await connect({ address: service.address, clock, log, statementTimeoutMs: 1_000, answerGraceMs: 1 })
  await expect(migrate(bounded, folder)).rejects.toMatchObject({ code: 'database_unavailable' })
  const open = () => connect({ address: service.address, clock, log, connectionsMax: 1, statementTimeoutMs: 0 })
  expect(await migrate(bounded, folder, open)).toEqual(['0001-pets'])
  await bounded.close()
})
