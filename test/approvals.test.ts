import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Db, each } from '../packages/server/src/adapters/db/db.ts'
import { makeDatabase } from './support/database.ts'
import { addHalts } from './support/halts.ts'
import { type MockRequest, type MockTurn, startMockModel } from './support/mock-model.ts'
import { opened } from './support/opened.ts'
import { openReceiver } from './support/receiver.ts'
import { openTestService, type TestService } from './support/service.ts'
import { lookAgain, until } from './support/until.ts'
import { openVisitor } from './support/visitor.ts'
import { zipOf } from './support/zips.ts'

let service: TestService
let other: TestService

/** A model that searches the mail, twice where it is told so, then answers. */
const scripted = 'svc-agent-1:pro'
const search = { name: 'document_search', input: { input: 'mail', query: '12.50' } }
const program = `export default async function run(tools: Tools, inputs: Inputs) {
  const both = await Promise.all([
    tools.document.search({ input: 'mail', query: '12.50' }),
    tools.document.search({ input: 'mail', query: '12.50' }),
  ])
  return { total: both.length }
}`
const script = ({ text, results, body }: MockRequest): MockTurn => {
  if (String(body['model']) === 'programs') return { text: `\`\`\`ts\n${program}\n\`\`\`` }
  if (results.length > (text.includes('one after the other') ? 1 : 0)) return { text: '{"total": 12.5}' }
  return { toolCalls: text.includes('twice') ? [search, search] : [search] }
}

const model = await opened(startMockModel({ script }))
const receiver = await opened(openReceiver())
const database = await opened(makeDatabase())
const halts = await addHalts(database.db, { asks: 'before update of approval on executions for each statement' })
beforeAll(async () => {
  const config = {
    providers: [{ name: 'mine', kind: 'openai-compatible' as const, baseUrl: model.baseUrl }],
    file: { routes: { [scripted]: 'mine/one', 'svc-agent-2:pro': 'mine/programs' } },
  }
  const env = { SKILLRUN_ALLOW_PRIVATE: `127.0.0.1:${receiver.port}` }
  service = await openTestService({ database, env, config })
  other = await openTestService({ database, env: { ...env, SKILLRUN_ROLE: 'api' }, config })
})
afterAll(async () => {
  await other[Symbol.asyncDispose]()
  await service[Symbol.asyncDispose]()
})

const schema = { type: 'object', properties: { total: { type: 'number' } }, required: ['total'] }
const asked = { inputs: { mail: 'Total: 12.50' }, config: { prompt: 'Extract the total', json_schema: schema } }

async function execute(approval: unknown, more: object = {}, config: object = asked.config) {
  return service.execute({ ...asked, config: { ...config, require_approval: approval }, batch: false, ...more })
}
const read = async (id: string) => (await service.call('GET', `/v1/agent/executions/${id}`)).json
const decide = (id: string, verb: 'approve' | 'reject', body?: object, server = service) =>
  server.call('POST', `/v1/agent/executions/${id}/${verb}`, { body: body ?? {} })

/** The record once it has ended; every request waits for the server's reply. */
async function ended(id: string) {
  return until(async () => {
    const record = await read(id)
    return record.completed_at !== null ? record : undefined
  })
}
/** The record once it waits for its n-th decision. */
async function holdOf(id: string, number: number) {
  for (;;) {
    const record = await read(id)
    if (record.status === 'paused' && record.approval.number === number) return record
    if (record.completed_at !== null) throw new Error(`it ended: ${JSON.stringify(record)}`)
    await lookAgain()
  }
}
const statusesOf = async (id: string) => {
  const headers = { Accept: 'application/json' }
  const { json } = await service.call('GET', `/v1/agent/executions/${id}/events`, { headers })
  return json
    .filter(({ event }: { event: string }) => event === 'status')
    .map(({ data }: { data: { status: string } }) => data.status)
}

describe('an execution that needs an approval to complete', () => {
  test('is paused with its answer, says what it waits for, and completes with that very answer once approved', async () => {
    const held = await execute('completion')
    expect(held).toMatchObject({
      status: 'paused',
      response: { total: 12.5 },
      completed_at: null,
      approval: { number: 1, waiting_for: 'completion', tool: null, decision: null, on_timeout: 'reject' },
    })
    const hours = (Date.parse(held.approval.expires_at) - Date.parse(held.approval.since)) / 3_600_000
    expect(hours).toBe(72)
    const approved = await decide(held.id, 'approve', { comment: 'Looks right', number: 1 })
    expect(approved.status).toBe(200)
    const record = await ended(held.id)
    expect(record).toMatchObject({
      status: 'completed',
      response: { total: 12.5 },
      approval: { decision: 'approve', via: 'api', comment: 'Looks right', by: { kind: 'key' } },
    })
    expect(record.evidence).toEqual(held.evidence)
    expect(await statusesOf(held.id)).toEqual(['enqueued', 'running', 'paused', 'enqueued', 'running', 'completed'])
    const { json: steps } = await service.call('GET', `/v1/agent/executions/${held.id}/steps`)
    expect(steps.filter(({ kind }: { kind: string }) => kind === 'model')).toHaveLength(1)
    const audit = await service.call('GET', `/v1/audit?subject_id=${held.id}`)
    expect(audit.json).toMatchObject([{ action: 'approval.decide', detail: { decision: 'approve', via: 'api' } }])
  })

  test('fails as rejected when it is rejected, and a second call finds the first decision', async () => {
    const { id } = await execute({ completion: true })
    const rejected = await decide(id, 'reject', { comment: 'Wrong supplier' })
    expect(rejected.json).toMatchObject({
      status: 'failed',
      error: { code: 'rejected', message: 'The completion was rejected: Wrong supplier', retryable: false },
      approval: { decision: 'reject' },
    })
    const again = await decide(id, 'approve')
    expect(again).toMatchObject({ status: 200, json: { status: 'failed', approval: { decision: 'reject' } } })
  })

  test('is decided once by clicks on two servers at once', async () => {
    const { id } = await execute('completion')
    const clicks = [service, other, service, other].flatMap((server) => [
      decide(id, 'approve', {}, server),
      decide(id, 'reject', {}, server),
    ])
    const decisions = (await Promise.all(clicks)).map(({ json }) => json.approval.decision)
    expect(new Set(decisions).size).toBe(1)
    expect((await ended(id)).status).toBe(decisions[0] === 'approve' ? 'completed' : 'failed')
    const { json } = await service.call('GET', `/v1/audit?subject_id=${id}`)
    expect(json).toHaveLength(1)
  })

  test('is not resumed around the decision, and can be cancelled', async () => {
    const { id } = await execute('completion')
    const resumed = await service.call('POST', `/v1/agent/executions/${id}/resume`)
    expect(resumed).toMatchObject({ status: 409, json: { detail: expect.stringContaining('waits for an approval') } })
    expect((await service.call('POST', `/v1/agent/executions/${id}/cancel`)).json.status).toBe('failed')
    const late = await decide(id, 'approve')
    expect(late.status).toBe(409)
    expect(await read(id)).toMatchObject({ status: 'failed', error: { code: 'cancelled' } })
  })

  test('stays paused where a person pauses it just before it would ask, and asks once it is resumed', async () => {
    const halt = await halts.at('asks')
    const { id } = (
      await service.call('POST', '/v1/agent/execute', {
        body: { ...asked, config: { ...asked.config, require_approval: 'completion' } },
      })
    ).json
    await halt.reached()
    expect((await service.call('POST', `/v1/agent/executions/${id}/pause`)).status).toBe(200)
    await halt.release()
    const job = () => database.db.query(`select 1 from pgboss.job where data->>'id' = $1 and state < 'completed'`, [id])
    await until(async () => ((await job()).length === 0 ? true : undefined))
    expect(await read(id)).toMatchObject({ status: 'paused', error: null, approval: null })
    await service.call('POST', `/v1/agent/executions/${id}/resume`)
    expect(await holdOf(id, 1)).toMatchObject({ response: { total: 12.5 } })
  })

  test('is decided by its time limit where nobody decides', async () => {
    const rejected = await execute({ completion: true, timeout_seconds: 1 })
    const approved = await execute({ completion: true, timeout_seconds: 1, on_timeout: 'approve' })
    expect(await ended(rejected.id)).toMatchObject({ status: 'failed', approval: { via: 'timeout', by: null } })
    expect(await ended(approved.id)).toMatchObject({ status: 'completed', response: { total: 12.5 } })
  })

  test('needs the scope approve, which keys do not have by default', async () => {
    const { id } = await execute('completion')
    const plain = (await service.call('POST', '/v1/keys', { body: {} })).json
    const boss = (await service.call('POST', '/v1/keys', { body: { name: 'boss', scopes: ['approve'] } })).json
    const by = (key: string) => service.call('POST', `/v1/agent/executions/${id}/approve`, { key, body: {} })
    expect((await by(plain.key)).status).toBe(403)
    const approvers = await service.call('GET', `/v1/agent/executions/${id}/approvers`)
    expect(approvers.json).toContainEqual({ kind: 'key', id: boss.id, name: 'boss' })
    expect(approvers.json.map((one: { id: string }) => one.id)).not.toContain(plain.id)
    expect((await by(boss.key)).json.approval.by.name).toBe('boss')
  })

  test('is decided by users of the roles that it names, never by who started it, and by admins', async () => {
    const password = 'correct horse battery staple'
    const signedIn = async (role: string) => {
      const email = `${role}-${crypto.randomUUID()}@example.com`
      const added = await service.call('POST', '/v1/users', { body: { email, name: role, role, password } })
      await database.db.query('update users set must_change = false where email = $1', [email])
      const visitor = openVisitor(service)
      expect((await visitor.signIn(email, password)).status).toBe(200)
      return { id: added.json.id as string, visitor }
    }
    const [viewer, reviewer, editor, admin] = await Promise.all(['viewer', 'reviewer', 'editor', 'admin'].map(signedIn))
    if (!viewer || !reviewer || !editor || !admin) throw new Error('nobody')
    const approve = async ({ visitor }: typeof viewer, id: string) =>
      (await visitor.send('POST', `/v1/agent/executions/${id}/approve`, { body: {} })).status
    const approversOf = async (id: string) =>
      (await service.call('GET', `/v1/agent/executions/${id}/approvers`)).json
        .map((one: { id: string }) => one.id)
        .filter((one: string) => [viewer, reviewer, editor, admin].some((user) => user.id === one))
        .sort()

    const plain = await execute('completion')
    expect(plain.approval.approvers).toEqual(['admin'])
    expect(await approversOf(plain.id)).toEqual([admin.id])
    for (const one of [viewer, reviewer, editor]) expect(await approve(one, plain.id)).toBe(403)
    expect((await read(plain.id)).approval.decision).toBeNull()
    expect(await approve(admin, plain.id)).toBe(200)

    const rule = { completion: true, approvers: ['reviewer', 'editor'] }
    const named = await execute(rule)
    expect(named.approval.approvers).toEqual(['reviewer', 'editor', 'admin'])
    expect(await approversOf(named.id)).toEqual([reviewer.id, editor.id, admin.id].sort())
    expect(await approve(viewer, named.id)).toBe(403)
    expect(await approve(reviewer, named.id)).toBe(200)
    expect((await ended(named.id)).approval.by).toEqual({ kind: 'user', id: reviewer.id, name: 'reviewer' })

    // What somebody started is for somebody else.
    const body = { ...asked, config: { ...asked.config, require_approval: rule }, batch: false }
    const own = (await editor.visitor.send('POST', '/v1/agent/execute', { body })).json
    expect(await approversOf(own.id)).toEqual([reviewer.id, admin.id].sort())
    const refused = await editor.visitor.send('POST', `/v1/agent/executions/${own.id}/approve`, { body: {} })
    expect([refused.status, refused.json.detail]).toEqual([403, expect.stringContaining('You started this execution')])
    expect(await approve(reviewer, own.id)).toBe(200)
  })

  test('and waits for none, is a conflict', async () => {
    const { id } = await execute(null)
    expect((await decide(id, 'approve')).status).toBe(409)
    expect((await decide(crypto.randomUUID(), 'approve')).status).toBe(404)
  })
})

describe('a tool that needs an approval', () => {
  const config = { prompt: 'document.search({"input": "mail", "query": "12.50"})' }

  test('is not called before it is approved, and is called once then', async () => {
    const held = await execute({ tools: ['document.search'] }, {}, config)
    expect(held).toMatchObject({
      status: 'paused',
      approval: { waiting_for: 'tool', tool: 'document.search', input: { input: 'mail', query: '12.50' } },
    })
    const calls = async () => {
      const { json } = await service.call('GET', `/v1/agent/executions/${held.id}/steps`)
      return json.filter(({ name }: { name: string }) => name === 'document.search').length
    }
    expect(await calls()).toBe(0)
    await Promise.all([decide(held.id, 'approve'), decide(held.id, 'approve', {}, other)])
    expect((await ended(held.id)).status).toBe('completed')
    expect(await calls()).toBe(1)
  })

  test('of two calls needs one for each; a decision on the first is none on the second', async () => {
    const two = { prompt: 'Search two times, one after the other' }
    const held = await execute({ tools: ['document.search'] }, {}, two)
    await decide(held.id, 'approve', { number: 1 })
    await holdOf(held.id, 2)
    const stale = await decide(held.id, 'approve', { number: 1 })
    expect(stale).toMatchObject({ status: 409, json: { detail: expect.stringContaining('waits for decision 2') } })
    await decide(held.id, 'reject', { number: 2 })
    expect(await read(held.id)).toMatchObject({ status: 'failed', error: { code: 'rejected' } })
  })

  const decideEach = async (id: string, count: number) => {
    for (let number = 1; number <= count; number += 1) {
      const record = await holdOf(id, number)
      expect(record.approval).toMatchObject({ waiting_for: 'tool', tool: 'document.search', input: search.input })
      const made = await searches(id)
      expect(made).toBe(number - 1)
      await decide(id, 'approve', { number })
    }
    return ended(id)
  }
  const searches = async (id: string) => {
    const { json } = await service.call('GET', `/v1/agent/executions/${id}/steps`)
    return json.filter(({ name }: { name: string }) => name === 'document.search').length
  }

  test.each(['svc-agent-1:pro', 'svc-agent-2:pro'])(
    'called twice at once by %s, with the same input, needs two approvals',
    async (name) => {
      const twice = { prompt: 'Search twice', json_schema: schema }
      const { id } = await execute({ tools: ['document.search'] }, { model: name }, twice)
      const asked = model.requests.length
      expect(await decideEach(id, 2)).toMatchObject({ status: 'completed' })
      expect(await searches(id)).toBe(2)
      // The turn that calls is not asked for again.
      expect(model.requests.length - asked).toBe(name === scripted ? 1 : 0)
    },
  )

  test('that reads the inputs reads them all with one approval', async () => {
    const inputs = { mail: 'Total: 12.50', letter: 'Total: 12.50' }
    const held = await execute({ tools: ['document.read'] }, { inputs })
    expect(held).toMatchObject({
      status: 'paused',
      response: null,
      approval: { input: { inputs: ['mail', 'letter'] } },
    })
    const { json: before } = await service.call('GET', `/v1/agent/executions/${held.id}/steps`)
    expect(before).toEqual([])
    await decide(held.id, 'approve')
    expect(await ended(held.id)).toMatchObject({ status: 'completed' })
  })

  test('must be a tool of this server', async () => {
    const body = { ...asked, config: { ...asked.config, require_approval: { tools: ['no.such'] } } }
    const { status, json } = await service.call('POST', '/v1/agent/execute', { body })
    expect(status).toBe(422)
    expect(json.detail[0].loc).toEqual(['body', 'config', 'require_approval', 'tools', 0])
  })
})

describe('the link in the callback', () => {
  async function link(path: string): Promise<{ id: string; url: string }> {
    const { id } = await execute('completion', { callback_url: receiver.url(path) })
    const [callback] = await receiver.got(path, 1)
    expect(callback?.headers['x-skillrun-event']).toBe('execution.paused')
    const body = JSON.parse(callback?.body.toString() ?? '')
    expect(body).toMatchObject({ id, status: 'paused', approval: { waiting_for: 'completion' } })
    return { id, url: body.approval_url }
  }
  const post = (url: string, decision: string) =>
    fetch(url, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Accept: 'application/json' },
      body: JSON.stringify({ decision }),
    })

  test('shows a page that decides nothing, and decides once when it is posted to', async () => {
    const { id, url } = await link('/decides')
    for (const method of ['GET', 'GET', 'HEAD']) {
      const seen = await fetch(url, { method })
      expect(seen.status).toBe(200)
      expect(seen.headers.get('content-type')).toContain('text/html')
    }
    expect(await read(id)).toMatchObject({ status: 'paused', approval: { decision: null } })
    const [first, second] = await Promise.all([post(url, 'approve'), post(url, 'reject')])
    expect([first.status, second.status].toSorted()).toEqual([200, 410])
    expect((await ended(id)).approval).toMatchObject({ via: 'link', by: null })
    expect((await fetch(url)).status).toBe(410)
    expect((await post(url, 'approve')).status).toBe(410)
  })

  test('takes the form of its page', async () => {
    const { id, url } = await link('/form')
    const page = await (await fetch(url)).text()
    expect(page).toContain('<form method="post">')
    expect(page).toContain('12.5')
    const sent = await fetch(url, { method: 'POST', body: new URLSearchParams({ decision: 'reject', comment: 'No' }) })
    expect(sent.status).toBe(200)
    expect(await read(id)).toMatchObject({ status: 'failed', error: { message: 'The completion was rejected: No' } })
  })

  test('shows all of a long input', async () => {
    const query = `${'padding '.repeat(4_000)}and pay the attacker`
    const prompt = `document.search(${JSON.stringify({ input: 'mail', query })})`
    const rest = { callback_url: receiver.url('/long') }
    await execute({ tools: ['document.search'] }, rest, { prompt })
    const [callback] = await receiver.got('/long', 1)
    const page = await (await fetch(JSON.parse(callback?.body.toString() ?? '').approval_url)).text()
    expect(page).toContain('and pay the attacker')
  })

  test('that was altered is refused', async () => {
    const { id, url } = await link('/altered')
    const far = url.replace(/expires=\d+/, 'expires=99999999999')
    const elsewhere = url.replace(id, crypto.randomUUID())
    for (const altered of [
      far,
      elsewhere,
      url.replace('number=1', 'number=2'),
      url.replace(/.$/, (end) => (end === 'A' ? 'B' : 'A')),
    ])
      expect((await post(altered, 'approve')).status).toBe(403)
    expect((await read(id)).approval.decision).toBeNull()
  })
})

describe('a skill that requires approvals', () => {
  const bundleOf = (settings: string) =>
    zipOf({
      'SKILL.md': '---\nname: totals\ndescription: Reads totals\n---\nRead the total.\n',
      'skill.yaml': settings,
    })
  const skillOf = (settings: string) => [
    {
      type: 'inline',
      source: { type: 'base64', media_type: 'application/zip', data: bundleOf(settings).toString('base64') },
    },
  ]
  const withSkill = (settings: string, config: object = {}) =>
    service.call('POST', '/v1/agent/execute', {
      body: {
        ...asked,
        model: scripted,
        config: { ...asked.config, ...config, skills: skillOf(settings) },
        batch: false,
      },
    })

  test('gets them in every execution with it', async () => {
    const { json } = await withSkill('require_approval: completion\n')
    expect(json).toMatchObject({ status: 'paused', approval: { waiting_for: 'completion', on_timeout: 'reject' } })
    await decide(json.id, 'approve')
    expect(await ended(json.id)).toMatchObject({ status: 'completed', response: { total: 12.5 } })
  })

  test('gets what it and the request ask for together, with the shorter wait', async () => {
    const settings =
      'require_approval:\n  completion: true\n  timeout_seconds: 60\n  on_timeout: approve\n  approvers: [reviewer, editor]\n'
    const { json } = await withSkill(settings, {
      require_approval: { completion: false, tools: ['document.search'], timeout_seconds: 120 },
    })
    expect(json.approval).toMatchObject({ waiting_for: 'tool', tool: 'document.search', on_timeout: 'reject' })
    // Both name who may decide: the request admins, by default.
    expect(json.approval.approvers).toEqual(['admin'])
    expect(Date.parse(json.approval.expires_at) - Date.parse(json.approval.since)).toBe(60_000)
    await decide(json.id, 'approve', { number: 1 })
    const record = await holdOf(json.id, 2)
    expect(record.approval).toMatchObject({ waiting_for: 'completion' })
  })

  test('is stored with them, and refused where they cannot be read or met', async () => {
    const file = await service.upload(bundleOf('require_approval: {tools: [document.search]}\n'), 'totals.zip')
    const made = await service.call('POST', '/v1/skills/create', {
      body: { file_id: file.id, name: 'guarded', description: 'Reads totals' },
    })
    expect(made.json).toMatchObject({ require_approval: { completion: false, tools: ['document.search'] } })
    const config = { skills: [{ type: 'skill_reference', skill_name: 'guarded' }] }
    expect(await execute(null, { model: scripted }, config)).toMatchObject({
      status: 'paused',
      approval: { tool: 'document.search' },
    })
    for (const [settings, message] of [
      ['require_approval: sometimes\n', /require_approval must be completion/],
      ['require_approval: {on_timeout: wait}\n', /require_approval must be completion/],
      [
        'require_approval: {completion: true, approvers: [boss]}\n',
        /approvers \(a list of viewer, reviewer, editor, admin\)/,
      ],
      ['require_approval: {tools: [no.such]}\n', /"no\.such", which this server does not have/],
    ] as const)
      expect(await withSkill(settings)).toMatchObject({
        status: 422,
        json: { detail: [{ msg: expect.stringMatching(message) }] },
      })
  })
})

test('items of a batch wait too; its receiver gets their links', async () => {
  const { json: batch } = await service.call('POST', '/v1/agent/batches', {
    body: {
      items: [{ inputs: { mail: 'Total: 12.50' } }, { inputs: { mail: 'Total: 13.50' } }],
      config: { ...asked.config, require_approval: 'completion' },
      callback_url: receiver.url('/batch'),
    },
  })
  const paused = (await receiver.got('/batch', 2)).map(({ headers, body }) => {
    expect(headers['x-skillrun-event']).toBe('execution.paused')
    return JSON.parse(body.toString())
  })
  expect(paused.map(({ response }) => response.total).toSorted()).toEqual([12.5, 13.5])
  expect(new Set(paused.map(({ batch_id }) => batch_id))).toEqual(new Set([batch.id]))
  const waiting = await service.call('GET', `/v1/agent/executions?approval=needed&batch_id=${batch.id}`)
  expect(waiting.json).toHaveLength(2)
  expect((await service.call('POST', `/v1/agent/batches/${batch.id}/resume`)).status).toBe(409)
  for (const { approval_url } of paused)
    expect((await fetch(approval_url, { method: 'POST', body: '{"decision": "approve"}' })).status).toBe(200)
  const [, , end] = await receiver.got('/batch', 3)
  expect(end?.headers['x-skillrun-event']).toBe('batch.completed')
  expect(JSON.parse(end?.body.toString() ?? '')).toMatchObject({ status: 'completed', counts: { completed: 2 } })
})

/** A database of a process that dies at its n-th statement: nothing that it does after that has an effect. */
function mortal(db: Db, at: number): { readonly db: Db; readonly isDead: () => boolean } {
  let count = 0
  let dead = false
  const one = async <T>(run: () => Promise<T>): Promise<T> => {
    count += 1
    if (count === at) dead = true
    if (dead) throw new Error('this process is dead')
    return run()
  }
  const { readEach: _shared, ...own } = db
  const seen: Db = {
    ...own,
    query: (text, params) => one(() => db.query(text, params)),
    write: (work) => work({ query: (text, params) => one(() => db.query(text, params)) }),
    together: (work) => seen.transaction(work),
    transactionEach: (many, item) => seen.transaction((tx) => each(tx, many, item)),
    transaction: (work) =>
      db.transaction(async (tx) => {
        const value = await work({ ...tx, query: (text, params) => one(() => tx.query(text, params)) })
        // The commit.
        await one(async () => {})
        return value
      }),
  }
  return { db: seen, isDead: () => dead }
}

test('a decision that a process dies over, at each of its statements, is taken wholly or not at all, and once', async () => {
  const { decide: decideAt } = await import('../packages/server/src/features/approvals/decide.ts')
  const [row] = await database.db.query<{ id: string }>('select id from workspaces limit 1')
  const workspaceId = row?.id ?? ''
  for (const decision of ['approve', 'reject'] as const) {
    for (let at = 1; ; at += 1) {
      const { id } = await execute('completion')
      const process = mortal(database.db, at)
      const added: string[] = []
      // Jobs go with the transaction; here they are counted once it is committed.
      const clock = { now: () => new Date(), monotonicMs: () => performance.now() }
      const queue = { add: async (_tx: unknown, topic: string) => void added.push(topic) }
      const call = { workspaceId, id, decision, comment: null, by: null, via: 'api' as const, number: 1 }
      await decideAt({ db: process.db, clock, queue }, call).catch(() => undefined)
      const half = await read(id)
      const isTaken = half.approval.decision !== null
      expect(half.status).toBe(isTaken ? (decision === 'approve' ? 'enqueued' : 'failed') : 'paused')
      if (!isTaken) {
        await decide(id, decision)
        expect((await ended(id)).status).toBe(decision === 'approve' ? 'completed' : 'failed')
      }
      const { json } = await service.call('GET', `/v1/audit?subject_id=${id}`)
      expect(json).toHaveLength(1)
      if (!process.isDead()) break
    }
  }
})
