import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { systemClock } from '../packages/core/src/clock.ts'
import { connect } from '../packages/server/src/adapters/db/postgres/connect.ts'
import { silentLog } from '../packages/server/src/core/log.ts'
import { makeEmptyDatabase } from './support/database.ts'
import { urlOf } from './support/database-url.ts'
import { startServer } from './support/server.ts'

/*
 * Runs the pg_dump commands of docs/guides/scale-out.md. pg_dump refuses servers newer than itself and is in none of
 * our packages: the test searches PG_BIN, PATH and Debian's folder, and is skipped when there is none unless
 * REQUIRE_PG_DUMP=1.
 */

const embeddedMajor = 18

/** The folder of a pg_dump that is new enough. */
async function findPrograms(): Promise<string | undefined> {
  const debian = '/usr/lib/postgresql'
  const versions = (await readdir(debian).catch(() => [])).map((name) => join(debian, name, 'bin'))
  const folders = [process.env['PG_BIN'] ?? '', ...(process.env['PATH'] ?? '').split(delimiter), ...versions]
  return folders.filter(Boolean).find((folder) => {
    try {
      const said = execFileSync(join(folder, 'pg_dump'), ['--version'], { encoding: 'utf8', stdio: 'pipe' })
      return Number(/(\d+)/.exec(said)?.[1]) >= embeddedMajor
    } catch {
      return false
    }
  })
}

const programs = await findPrograms()
const guide = await readFile(new URL('../docs/guides/scale-out.md', import.meta.url), 'utf8')
const commands = [...guide.matchAll(/^```sh elsewhere\n([\s\S]*?)^```/gm)].find(([, code]) =>
  code?.includes('pg_dump'),
)?.[1]

const key = 'the-key-of-the-operator'
const executeBody = {
  batch: false,
  inputs: { mail: 'Total: EUR 12.50' },
  config: { prompt: 'Extract the total', json_schema: { type: 'object', properties: { total: { type: 'number' } } } },
}

async function callsOf(server: ReturnType<typeof startServer>) {
  const [, url = ''] = await server.printed(/Skillrun +(http:\S+)/)
  const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' }
  return async (path: string, body?: object) => {
    const reply = await fetch(url + path, { headers, ...(body ? { method: 'POST', body: JSON.stringify(body) } : {}) })
    // biome-ignore lint/suspicious/noExplicitAny: a story looks at whatever the wire says.
    return { status: reply.status, json: (await reply.json()) as any }
  }
}

test.skipIf(programs === undefined && process.env['REQUIRE_PG_DUMP'] !== '1')(
  'the embedded database is moved to a PostgreSQL of the operator as the guide says, and everything is there',
  async () => {
    await using target = await makeEmptyDatabase()
    const folder = await mkdtemp(join(tmpdir(), 'skillrun-dump-'))
    try {
      const SKILLRUN_DATA = join(folder, 'data')
      const env = { SKILLRUN_API_KEY: key }
      await using before = startServer(SKILLRUN_DATA, env)
      const call = await callsOf(before)
      const first = (await call('/v1/agent/execute', executeBody)).json
      expect(first).toMatchObject({ status: 'completed', response: { total: 12.5 } })
      const skill = (await call('/v1/skills/create', { name: 'totals', description: 'Totals', prompt: 'Read it' })).json

      const child = spawn('bash', ['-euo', 'pipefail', '-c', commands ?? 'false'], {
        cwd: folder,
        env: {
          PATH: `${programs}${delimiter}${process.env['PATH']}`,
          SKILLRUN_DATA,
          DATABASE_URL: urlOf(target.address),
        },
        stdio: ['ignore', 'ignore', 'pipe'],
      })
      const [said, [code]] = await Promise.all([text(child.stderr), once(child, 'close')])
      expect([code, said]).toEqual([0, expect.not.stringContaining('ERROR')])
      expect(await before.end()).toBe(0)

      await using after = startServer(SKILLRUN_DATA, { ...env, DATABASE_URL: urlOf(target.address) })
      const callAfter = await callsOf(after)
      expect((await callAfter(`/v1/agent/executions/${first.id}`)).json).toEqual(first)
      expect((await callAfter(`/v1/skills/${skill.id}`)).json).toMatchObject({ id: skill.id, name: 'totals' })
      const steps = (await callAfter(`/v1/agent/executions/${first.id}/steps`)).json
      expect(steps.map((step: { name: string }) => step.name)).toEqual(['document.read', 'embedded'])
      expect((await callAfter('/v1/agent/execute', executeBody)).json).toMatchObject({ status: 'completed' })

      // Row-level security was restored too.
      const db = await connect({ address: target.address, clock: systemClock, log: silentLog, connectionsMax: 1 })
      const unforced = await db.query(
        `select c.relname from pg_class c join information_schema.columns k on k.table_name = c.relname and k.column_name = 'workspace_id'
         where c.relkind = 'r' and k.table_schema = 'public' and not (c.relrowsecurity and c.relforcerowsecurity)`,
      )
      await db.close()
      expect(unforced).toEqual([])
      expect(await after.end()).toBe(0)
    } finally {
      await rm(folder, { recursive: true, force: true, maxRetries: 5 })
    }
  },
)

test('the guide has commands for it', () => {
  expect(commands).toMatch(/pg_dump .*\n.*psql /)
})
