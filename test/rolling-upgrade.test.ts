import { readdir, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type RollOrder, rollOver } from '../bench/chaos/roll.ts'
import { makeEmptyDatabase } from './support/database.ts'
import { copyVersion, type OtherVersion } from './support/other-version.ts'

const root = resolve(import.meta.dirname, '..')
/** A copy of this version with one more migration. */
let next: OtherVersion
let version: number

beforeAll(async () => {
  next = await copyVersion()
  const migrations = join(next.folder, 'packages', 'server', 'migrations')
  const newest =
    (await readdir(migrations))
      .filter((name) => name.endsWith('.sql'))
      .sort()
      .at(-1) ?? ''
  version = Number(newest.slice(0, 4))
  const file = `${String(version + 1).padStart(4, '0')}-later.sql`
  await writeFile(
    join(migrations, file),
    `alter table executions add column later integer not null default 7;
     alter table steps add column later text;
     create table later (id uuid primary key);`,
  )
})
afterAll(() => next[Symbol.asyncDispose]())

test.concurrent.each<RollOrder>(['api first', 'worker first'])(
  'processes replaced one by one, %s, by those of a version with another migration lose, repeat and fail nothing',
  async (order) => {
    await using database = await makeEmptyDatabase()
    const counts = await rollOver(database, { from: root, to: next.folder, order })
    expect(counts).toMatchObject({
      version_before: version,
      version_after: version + 1,
      ...{ lost: 0, doubled: 0, wrong: 0, misbooked: 0, ledger_difference: 0, failed: {} },
    })
    expect(counts.accepted).toBeGreaterThan(3 * 20)
  },
)
