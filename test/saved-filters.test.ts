import { beforeAll, expect, test } from 'vitest'
import { skillrun } from '../packages/cli/src/command-line.ts'
import { limits } from '../packages/server/src/core/limits.ts'
import { addHalts } from './support/halts.ts'
import { opened } from './support/opened.ts'
import { openTestService } from './support/service.ts'
import { until } from './support/until.ts'
import { openVisitor } from './support/visitor.ts'

const path = '/v1/agent/executions/filters'

const service = await opened(openTestService())
const place = { folder: '/', environment: { SKILLRUN_URL: service.url, SKILLRUN_API_KEY: service.key } }
beforeAll(async () => {
  for (const text of ['Invoice No: KESTREL-17', 'Invoice No: HERON-18'])
    await service.call('POST', '/v1/agent/execute', {
      body: {
        batch: false,
        inputs: { text },
        config: { json_schema: { type: 'object', properties: { invoice_number: { type: 'string' } } } },
      },
    })
})

const save = (name: string, query: object, key = service.key) =>
  service.call('POST', path, { key, body: { name, query } })
const names = async (key = service.key) =>
  (await service.call('GET', path, { key })).json.map(({ name }: { name: string }) => name)

test('a filter is saved for everyone in the workspace, renamed, replaced and deleted, with who saved it last', async () => {
  const query = { q: '12.50', status: 'completed', review: 'needed', created_after: '2026-11-01' }
  const { status, json: saved } = await save(' To check ', query)
  expect([status, saved]).toMatchObject([
    201,
    {
      name: 'To check',
      query: { ...query, created_after: '2026-11-01T00:00:00.000Z' },
      saved_by: { kind: 'key', name: 'SKILLRUN_API_KEY' },
    },
  ])
  await service.call('POST', '/v1/users', {
    body: { email: 'rita@example.com', name: 'Rita', role: 'reviewer', password: 'correct horse battery' },
  })
  await service.database.db.query('update users set must_change = false')
  const rita = openVisitor(service)
  await rita.signIn('rita@example.com', 'correct horse battery')
  const body = { name: 'Large totals', query: { q: '99' } }
  const changed = await rita.send('PUT', `${path}/${saved.id}`, { body })
  expect([changed.status, changed.json]).toMatchObject([
    200,
    { id: saved.id, name: 'Large totals', query: { q: '99' }, saved_by: { kind: 'user', name: 'Rita' } },
  ])
  expect(await service.call('GET', path)).toMatchObject({ json: [changed.json] })
  expect((await service.call('DELETE', `${path}/${saved.id}`)).json).toMatchObject({ name: 'Large totals' })
  expect((await service.call('DELETE', `${path}/${saved.id}`)).status).toBe(404)
  expect(await names()).toEqual([])
})

test('what a filter cannot hold is refused with a sentence', async () => {
  for (const [query, sentence] of [
    [{}, 'at least one field'],
    [{ status: 'lost' }, 'completed'],
    [{ limit: 5 }, 'limit'],
    [{ created_after: 'yesterday' }, 'date'],
  ] as const) {
    const { status, json } = await save('Wrong', query)
    expect([status, JSON.stringify(json)]).toEqual([422, expect.stringContaining(sentence)])
  }
  expect((await save('   ', { status: 'failed' })).status).toBe(422)
  expect((await service.call('PUT', `${path}/nothing`, { body: { name: 'a', query: { q: 'a' } } })).status).toBe(404)
})

test('a name is unique in its workspace, also when two save it at once, and not beyond it', async () => {
  const made = await Promise.all([save('Twice', { q: 'a' }), save('Twice', { q: 'b' })])
  expect(made.map(({ status }) => status).sort()).toEqual([201, 409])
  const other = (await save('Other', { q: 'c' })).json
  const taken = await service.call('PUT', `${path}/${other.id}`, { body: { name: 'Twice', query: { q: 'c' } } })
  expect([taken.status, taken.json.detail]).toEqual([409, expect.stringContaining('"Twice"')])
  const stranger = await service.stranger()
  expect((await save('Twice', { q: 'd' }, stranger)).status).toBe(201)
  expect(await names(stranger)).toEqual(['Twice'])
  const foreign = await service.call('PUT', `${path}/${other.id}`, {
    key: stranger,
    body: { name: 'Mine', query: { q: 'd' } },
  })
  expect([foreign.status, (await service.call('DELETE', `${path}/${other.id}`, { key: stranger })).status]).toEqual([
    404, 404,
  ])
  expect(await names()).toEqual(['Other', 'Twice'])
})

test('of two filters that get one name at once, one gets it and the other is refused', async () => {
  const { db } = service.database
  const halts = await addHalts(db, { rename: 'before update on saved_filters for each row' })
  const ids = [(await save('left', { q: 'a' })).json.id, (await save('right', { q: 'a' })).json.id]
  const halt = await halts.at('rename')
  const body = { name: 'Same', query: { q: 'a' } }
  const renamed = Promise.all(ids.map((id) => service.call('PUT', `${path}/${id}`, { body })))
  const waiting = `select from pg_locks where locktype = 'advisory' and not granted
    and database = (select oid from pg_database where datname = current_database())`
  await until(async () => ((await db.query(waiting)).length === 2 ? true : undefined))
  await halt.release()
  expect((await renamed).map(({ status }) => status).toSorted()).toEqual([200, 409])
})

test('a workspace has at most so many, also when several are saved at once', async () => {
  const key = (await service.call('POST', '/v1/keys', { body: { workspace: 'full', scopes: ['admin'] } })).json.key
  const room = 3
  for (let n = room; n < limits.savedFiltersMax; n += 1)
    expect((await save(`filter ${n}`, { q: 'a' }, key)).status).toBe(201)
  for (let round = 0; round < 5; round += 1) {
    const saved = await Promise.all([...Array(12).keys()].map((n) => save(`at once ${n}`, { q: 'a' }, key)))
    const made = saved.filter(({ status }) => status === 201)
    expect(made).toHaveLength(room)
    for (const { json } of made.slice(0, round < 4 ? room : 0))
      expect((await service.call('DELETE', `${path}/${json.id}`, { key })).status).toBe(200)
  }
  const { status, json } = await save('one more', { q: 'a' }, key)
  expect([status, json.detail]).toEqual([413, expect.stringContaining(String(limits.savedFiltersMax))])
  expect(await names(key)).toHaveLength(limits.savedFiltersMax)
})

test('the command line saves, lists, uses, renames and deletes filters', async () => {
  const run = (...args: string[]) => skillrun(['executions', ...args], place)
  expect((await run('filters', 'save', 'Small')).stderr).toContain('--status')
  expect((await run('filters', 'save', 'Small', '--search', 'heron')).code).toBe(0)
  const replaced = await run('filters', 'save', 'Small', '--search', 'kestrel', '--status', 'completed')
  expect([replaced.code, replaced.stdout]).toEqual([0, 'saved the filter Small: q=kestrel status=completed\n'])
  expect((await run('filters', 'list')).stdout).toMatch(/Small +q=kestrel status=completed +SKILLRUN_API_KEY/)
  const found = JSON.parse((await run('list', '--filter', 'Small', '--json')).stdout)
  expect(found).toMatchObject([{ response: { invoice_number: 'KESTREL-17' } }])
  expect(JSON.parse((await run('list', '--filter', 'Small', '--search', 'heron', '--json')).stdout)).toMatchObject([
    { response: { invoice_number: 'HERON-18' } },
  ])
  expect((await run('resume', '--filter', 'Small')).stdout).toBe('0 resumed, 0 refused\n')
  expect((await run('filters', 'rename', 'Small', 'Little')).code).toBe(0)
  const missing = await run('list', '--filter', 'Small')
  expect([missing.code, missing.stderr]).toEqual([2, expect.stringContaining('no saved filter named Small')])
  expect((await run('filters', 'delete', 'Little')).stdout).toContain('deleted the filter Little')
})
