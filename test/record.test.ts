import { cp, readdir } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import { migrate } from '../packages/server/src/adapters/db/migrate.ts'
import { makeEmptyDatabase } from './support/database.ts'
import { opened } from './support/opened.ts'
import { openReceiver } from './support/receiver.ts'
import { openTestService } from './support/service.ts'
import { temporaryFolder } from './support/temporary-folder.ts'

const service = await opened(openTestService({ env: { SKILLRUN_ALLOW_PRIVATE: '127.0.0.1' } }))

const schema = { type: 'object', properties: { total: { type: 'number' } } }
const inputs = { text: { type: 'text', text: 'Total: EUR 5.00' } }
const config = { json_schema: schema }
const execute = (body: object, options: object = {}) => service.call('POST', '/v1/agent/execute', { body, ...options })
const createAgent = async (name: string, prompt: string) =>
  (await service.call('POST', '/v1/agent/create', { body: { name, config: { prompt, json_schema: schema } } })).json
const listed = async (query: Record<string, string>) =>
  (await service.call('GET', `/v1/agent/executions?${new URLSearchParams({ limit: '1000', ...query })}`)).json.map(
    (one: { id: string }) => one.id,
  )

describe('the agent of a record', () => {
  test('is one version, with its id and a name that runs that version again', async () => {
    const first = await createAgent('totals', 'Read the total, first version')
    const second = await createAgent('totals', 'Read the total, second version')
    for (const [asked, agent] of [
      ['totals', second],
      ['totals:latest', second],
      ['totals:1', first],
    ]) {
      const { json } = await execute({ name: asked, inputs })
      expect(json).toMatchObject({ name: `totals:${agent.version}`, agent_id: agent.id })
      expect((await service.call('GET', `/v1/agent/executions/${json.id}`)).json).toMatchObject({
        name: `totals:${agent.version}`,
        agent_id: agent.id,
      })
    }
    const byPrompt = await execute({ inputs, config: { prompt: 'Read the total, first version' } })
    expect(byPrompt.json).toMatchObject({ name: 'totals:1', agent_id: first.id })
  })

  test('found from a prompt can be run again by the name in the record', async () => {
    const prompt = 'Find the total of this small receipt'
    const made = (await execute({ inputs, config: { ...config, prompt } })).json
    expect(made.name).toBe('find-total-small-receipt:1')
    const again = (await execute({ name: made.name, inputs, config })).json
    expect([again.name, again.agent_id]).toEqual([made.name, made.agent_id])
    const asked = (await service.call('GET', `/v1/agent/executions/${again.id}/request`)).json
    expect(asked.config.prompt).toBe(prompt)
    const rerun = (await service.call('POST', `/v1/agent/executions/${again.id}/rerun`, { body: {} })).json
    expect([rerun.name, rerun.agent_id]).toEqual([made.name, made.agent_id])
  })

  test('without name and prompt is shared, and has a version too', async () => {
    const { json } = await execute({ inputs, config })
    expect(json.name).toBe('agent:1')
    expect((await service.call('GET', `/v1/agents/${json.agent_id}`)).json).toMatchObject({ name: 'agent', version: 1 })
  })

  test('finds the executions of all its versions by name, and of one by name and version', async () => {
    await createAgent('listed', 'List me, first version')
    const ids = [(await execute({ name: 'listed', inputs })).json.id]
    await createAgent('listed', 'List me, second version')
    ids.push((await execute({ name: 'listed', inputs })).json.id)
    ids.push((await execute({ inputs, config: { prompt: 'List me, first version' } })).json.id)
    await createAgent('listed-too', 'Listed elsewhere')
    await execute({ name: 'listed-too', inputs })
    const [first, second, third] = ids
    expect(await listed({ name: 'listed' })).toEqual([third, second, first])
    expect(await listed({ name: 'listed:1' })).toEqual([third, first])
    expect(await listed({ name: 'listed:2' })).toEqual([second])
    expect(await listed({ name: 'listed:latest' })).toEqual([second])
    for (const name of ['listed:3', 'list', 'listed:x', 'list%']) expect(await listed({ name })).toEqual([])
  })

  test('is absent for a turn of a chat', async () => {
    const body = {
      model: 'svc-agent-1',
      messages: [{ role: 'user', content: 'Total: EUR 5.00' }],
      response_format: { type: 'json_schema', schema },
    }
    const reply = await service.call('POST', '/v1/openai/chat/completions', { body })
    const id = reply.json.id.replace('chatcmpl-', '')
    expect((await service.call('GET', `/v1/agent/executions/${id}`)).json).toMatchObject({
      name: 'chat',
      agent_id: null,
    })
    expect(await listed({ name: 'chat' })).toEqual([id])
  })
})

describe("a caller's own request id", () => {
  test('that is no UUID is in the record, the list and the callback, and finds the execution', async () => {
    await using receiver = await openReceiver()
    const id = 'order 2026/11 #7'
    const body = { id, inputs, config, batch: false, callback_url: receiver.url('/received') }
    const made = (await execute(body)).json
    expect(made).toMatchObject({ client_id: id, status: 'completed' })
    expect(made.id).not.toBe(id)
    expect((await execute(body)).json.id).toBe(made.id)
    expect((await service.call('GET', `/v1/agent/executions/${made.id}`)).json.client_id).toBe(id)
    expect(await listed({ client_id: id })).toEqual([made.id])
    expect(await listed({ client_id: 'order' })).toEqual([])
    const [received] = await receiver.got('/received', 1)
    expect(JSON.parse(String(received?.body))).toMatchObject({ id: made.id, client_id: id })
  })

  test('that is a UUID is the id of the execution, and finds it as well', async () => {
    const id = '5F0C9A52-6C1F-4D55-9B0A-3D6C2A0C7E11'
    expect((await execute({ id, inputs, config })).json).toMatchObject({ id: id.toLowerCase(), client_id: null })
    expect(await listed({ client_id: id })).toEqual([id.toLowerCase()])
  })

  test('is deleted with content that may not be retained, and still returns the first execution', async () => {
    const body = { id: 'not to be kept', inputs, config, batch: false, metadata: { allow_retention: false } }
    const first = (await execute(body)).json
    expect(first).toMatchObject({ client_id: 'not to be kept', status: 'completed' })
    expect((await execute(body)).json).toMatchObject({ id: first.id, client_id: null })
    expect(await listed({ client_id: 'not to be kept' })).toEqual([])
  })
})

describe('the model of a record', () => {
  test('is an identifier that a new request accepts, with its source', async () => {
    const byDefault = (await execute({ inputs, config, batch: false })).json
    expect(byDefault).toMatchObject({
      model: 'svc-agent-1:auto',
      model_selection: {
        requested: 'svc-agent-1:auto',
        resolved: 'embedded',
        chosen_by: 'default',
        reason: null,
      },
    })
    const named = (await execute({ inputs, config, model: 'svc-agent-2:pro' })).json
    expect(named).toMatchObject({ model: 'svc-agent-2:pro', model_selection: { chosen_by: 'request' } })
    expect((await execute({ inputs, config, model: named.model })).status).toBe(201)
    const rerun = (await service.call('POST', `/v1/agent/executions/${named.id}/rerun`, { body: {} })).json
    expect(rerun).toMatchObject({ model: 'svc-agent-2:pro', model_selection: { chosen_by: 'request' } })
  })
})

test('older records have the name and version of their agent, and turns of chats have none', async () => {
  await using database = await makeEmptyDatabase()
  const all = resolve(import.meta.dirname, '..', 'packages', 'server', 'migrations')
  const before = await temporaryFolder('migrations')
  for (const file of (await readdir(all)).filter((name) => name < '0033')) await cp(join(all, file), join(before, file))
  await migrate(database.db, before)
  const id = (digit: number) => `00000000-0000-4000-8000-00000000000${digit}`
  await database.db.query(
    `with w as (insert into workspaces (id, name, created_at) values ('${id(0)}', 'w', now())),
       k as (insert into keys (id, workspace_id, name, sha256, hint, scopes, created_at)
         values ('${id(0)}', '${id(0)}', 'k', '\\x00', 'aaaa', '{admin}', now()))
     insert into agents (id, workspace_id, name, version, description, prompt, prompt_sha256, created_at, updated_at)
       values ('${id(1)}', '${id(0)}', 'fields', 1, '', 'p', '\\x01', now(), now()),
         ('${id(2)}', '${id(0)}', 'fields', 2, '', 'q', '\\x02', now(), now()),
         ('${id(3)}', '${id(0)}', 'chat', 1, '', 'r', '\\x03', now(), now()),
         ('${id(4)}', '${id(0)}', 'agent', 1, '', '', '\\x04', now(), now())`,
  )
  for (const [digit, agent, name] of [
    [1, 1, 'fields:1'],
    [2, 2, 'fields'],
    [3, 2, 'fields:latest'],
    [4, 3, 'chat'],
    [5, 4, 'chat'],
  ] as const)
    await database.db.query(
      `insert into executions (id, workspace_id, key_id, agent_id, name, status, request, model, tier, created_at)
       values ($1, $2, $2, $3, $4, 'completed', '{}', 'svc-agent-1', 'standard', now())`,
      [id(digit), id(0), id(agent), name],
    )
  await migrate(database.db, all)
  expect(await database.db.query('select name, agent_id as agent from executions order by id')).toEqual([
    { name: 'fields:1', agent: id(1) },
    { name: 'fields:2', agent: id(2) },
    { name: 'fields:2', agent: id(2) },
    { name: 'chat:1', agent: id(3) },
    { name: 'chat', agent: null },
  ])
})
