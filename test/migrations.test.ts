import { execFile } from 'node:child_process'
import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { migrate } from '../packages/server/src/adapters/db/migrate.ts'
import { makeEmptyDatabase } from './support/database.ts'
import { stagedBlock } from './support/staged.ts'

const run = promisify(execFile)
const root = join(import.meta.dirname, '..')
let folder: string

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'skillrun-migrations-'))
})
afterEach(() => rm(folder, { recursive: true }))

describe('the list of landed migrations', () => {
  const write = (name: string, text: string) => writeFile(join(folder, 'packages', 'server', 'migrations', name), text)
  const git = (...args: string[]) =>
    run('git', ['-c', 'user.name=Someone', '-c', 'user.email=someone@example.org', ...args], { cwd: folder })
  const land = async () => {
    await git('add', '.')
    await git('commit', '--quiet', '--message', 'landed')
  }
  const check = async (...args: string[]): Promise<string> => {
    const script = join(root, 'scripts', 'migrations.mjs')
    return run(process.execPath, [script, '--in', folder, ...args]).then(
      () => 'fine',
      (error: { stderr: string }) => error.stderr,
    )
  }

  beforeEach(async () => {
    await mkdir(join(folder, 'packages', 'server', 'migrations'), { recursive: true })
    await git('init', '--quiet')
    await write('0001-pets.sql', 'create table pets (name text)')
    await write('0003-age.sql', 'alter table pets add age int')
    expect(await check('--write')).toBe('fine')
    await land()
  })

  test('accepts new ones at its end', async () => {
    await write('0004-late.sql', 'alter table pets add late int')
    expect(await check()).toContain(
      '0004-late.sql is not in packages/server/migrations/checksums.txt; run npm run migrations',
    )
    expect(await check('--write')).toBe('fine')
    await land()
    expect(await check()).toBe('fine')
  })

  test('refuses a number below the highest landed one, however it was listed', async () => {
    await write('0002-late.sql', 'alter table pets add late int')
    expect(await check('--write')).toContain('0002-late.sql comes after 0003-age.sql')
    const [first, second, third] = (
      await readFile(join(folder, 'packages', 'server', 'migrations', 'checksums.txt'), 'utf8')
    ).split('\n')
    await write('checksums.txt', `${[first, third, second].join('\n')}\n`)
    expect(await check()).toMatch(/had 0003-age\.sql on line 2 .* numbers above 3\n$/)
    await land()
    expect(await check()).toMatch(/had 0003-age\.sql on line 2/)
  })

  test('accepts one that processes of the version before may not survive only if it says so', async () => {
    const narrow = 'alter table pets\n  drop column name'
    await write('0061-narrow.sql', narrow)
    expect(await check('--write')).toContain('0061-narrow.sql has "drop column", which processes of the version before')
    await write('checksums.txt', '')
    await write('0061-narrow.sql', `-- Stops the version before: it reads the name.\n${narrow}`)
    expect(await check('--write')).not.toContain('which processes')
  })

  test('refuses a file that was changed or deleted', async () => {
    await write('0001-pets.sql', 'create table pets (name text not null)')
    expect(await check()).toContain('0001-pets.sql is not the file that landed')
    await rm(join(folder, 'packages', 'server', 'migrations', '0001-pets.sql'))
    expect(await check('--write')).toContain('0001-pets.sql has landed and is gone')
  })
})

test('a database of a development version without one migration is upgraded as the guide says', async () => {
  const missing = '0023-feedback-of-executions'
  const command = await stagedBlock('docs/guides/operations.md', 'psql')
  await using database = await makeEmptyDatabase()
  const migrations = join(root, 'packages', 'server', 'migrations')
  // The state between two commits: everything up to 0024 except 0023.
  for (const file of await readdir(migrations))
    if (Number(file.slice(0, 4)) <= 24 && !file.startsWith(missing))
      await cp(join(migrations, file), join(folder, file))
  await migrate(database.db, folder)
  await expect(migrate(database.db, migrations)).rejects.toMatchObject({
    code: 'migration_changed',
    message: expect.stringContaining(`has 0024-program-runs but not the earlier ${missing}`),
  })
  await database.db.transaction(async (tx) => {
    for (const [, statement, file] of command.matchAll(/-c "(.*)"|-f (\S+)/g))
      await tx.query(statement ?? (await readFile(join(root, file ?? ''), 'utf8')))
  })
  expect((await migrate(database.db, migrations)).at(0)).toBe('0027-ledger-is-kept')
})
