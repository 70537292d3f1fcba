import { randomUUID } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { systemClock } from '../packages/core/src/clock.ts'
import type { Db } from '../packages/server/src/adapters/db/db.ts'
import { createInlineProcessPool } from '../packages/server/src/adapters/process-pool/inline/inline-process-pool.ts'
import { openQueue } from '../packages/server/src/adapters/queue/pgboss/pgboss-queue.ts'
import type { Queue } from '../packages/server/src/adapters/queue/queue.ts'
import { silentLog } from '../packages/server/src/core/log.ts'
import { forkExecution } from '../packages/server/src/features/executions/accept/fork.ts'
import { topicOf } from '../packages/server/src/features/executions/topics.ts'
import { makeModels } from '../packages/server/src/features/models/models.ts'
import { type Cluster, type Member, openCluster } from './support/cluster.ts'
import { makeDatabase, type TestDatabase } from './support/database.ts'
import { dyingAtEach } from './support/dying.ts'
import { addHalts, type Halts } from './support/halts.ts'
import { startMcp } from './support/mcp-server.ts'
import { type MockRequest, type MockTurn, startMockModel } from './support/mock-model.ts'
import { opened } from './support/opened.ts'
import { temporaryFolder } from './support/temporary-folder.ts'
import { until } from './support/until.ts'

const places = {
  record: 'before insert on executions for each row when (new.forked_from is not null)',
  'kept steps': 'before insert on steps for each row when (new.attempt = 0)',
  job: `before insert on pgboss.job for each row when (new.data ? 'number')`,
  start: `before update on executions for each row when (new.forked_from is not null and old.status = 'enqueued' and new.status = 'running')`,
  'new step': 'before insert on steps for each row when (new.attempt > 0)',
  end: `before update on executions for each row when (new.forked_from is not null and old.status = 'running' and new.status = 'completed')`,
}

let database: TestDatabase
let mcp: Awaited<ReturnType<typeof startMcp>>
let cluster: Cluster
let halts: Halts
const folder = await temporaryFolder('forks', afterAll)
let queue: Queue
/** It is killed. */
let victim: Member
/** It runs nothing and is never killed. */
let api: Member
/** Calls of the tool by article. */
const calls = new Map<string, number>()

const script = ({ text, results }: MockRequest): MockTurn => {
  const [, article = ''] = /article (\S+)/.exec(text) ?? []
  return results.length === 0
    ? { toolCalls: [{ name: 'shop_stock', input: { article } }] }
    : { text: text.includes('twice') ? 'counted twice' : 'counted' }
}

const model = await opened(startMockModel({ script }))
beforeAll(async () => {
  mcp = await startMcp(async (params) => {
    const article = String(params?.arguments?.['article'])
    calls.set(article, (calls.get(article) ?? 0) + 1)
  })
  const file = join(folder, 'configuration.json')
  const configuration = {
    providers: { mine: { kind: 'openai-compatible', base_url: model.baseUrl } },
    routes: { 'svc-agent-1': 'mine/one' },
    // The last reply of a free model may be asked for again after a crash.
    models: { 'mine/one': { input: 1_000_000, output: 1_000_000, output_tokens_max: 1_000 } },
    mcp: { shop: { url: mcp.url } },
  }
  await writeFile(file, JSON.stringify(configuration))
  database = await makeDatabase()
  cluster = await openCluster(database.address as Parameters<typeof openCluster>[0], {
    SKILLRUN_CONFIG: file,
    SKILLRUN_ALLOW_PRIVATE: mcp.host,
  })
  victim = await cluster.start('all')
  api = await cluster.start('api')
  queue = await openQueue({ db: database.db, address: database.address, log: silentLog }, Object.values(topicOf))
  halts = await addHalts(database.db, places)
})
afterAll(async () => {
  await queue?.stop(AbortSignal.abort())
  await cluster?.[Symbol.asyncDispose]()
  await database?.[Symbol.asyncDispose]()
  mcp?.close()
})

const endOf = (id: string) =>
  until(async () => {
    const { json } = await api.call('GET', `/v1/agent/executions/${id}`)
    return json.completed_at === null ? undefined : json
  })

/** An execution that called the tool once: a turn, the call, and a turn with the answer. */
async function runFirst(article: string): Promise<string> {
  const body = { batch: false, model: 'svc-agent-1', config: { prompt: `Count the article ${article}` } }
  const { json } = await victim.call('POST', '/v1/agent/execute', body)
  expect(json).toMatchObject({ status: 'completed', response: 'counted' })
  expect(calls.get(article)).toBe(1)
  return json.id
}
/** Keeps the turn and the call. */
const forkBody = (article: string) => ({ from_step: 3, config: { prompt: `Count the article ${article} twice` } })
const fork = (member: Member, of: { id: string; article: string; key: string }) =>
  member.call('POST', `/v1/agent/executions/${of.id}/fork`, forkBody(of.article), { 'Idempotency-Key': of.key })

/** What must hold in the end, however often a process died: one fork per key, each of its steps once, the kept call not called. */
async function expectOneFork(id: string, article: string) {
  expect(await endOf(id)).toMatchObject({ status: 'completed', response: 'counted twice', usage: { steps: 1 } })
  const { json: steps } = await api.call('GET', `/v1/agent/executions/${id}/steps`)
  expect(steps.map((step: { kind: string }) => step.kind)).toEqual(['model', 'tool', 'model'])
  expect(steps.map((step: { seq: number }) => step.seq)).toEqual([1, 2, 3])
  expect(steps.map((step: { attempt: number }) => Math.min(step.attempt, 1))).toEqual([0, 0, 1])
  expect(calls.get(article)).toBe(1)
}
const forksOf = (id: string) =>
  database.db.query<{ id: string }>('select id from executions where forked_from = $1 order by id', [id])

test('a process that dies at any statement while it accepts a fork leaves nothing or all of it, and the same key gives one fork', async () => {
  const article = 'statements'
  const id = await runFirst(article)
  const [key] = await database.db.query<{ id: string; workspaceId: string }>(
    'select id, workspace_id as "workspaceId" from keys limit 1',
  )
  const { from_step: fromStep, config } = forkBody(article)
  const partsOn = (db: Db) => ({
    db,
    clock: systemClock,
    queue,
    intake: {
      models: makeModels({}, []),
      processPool: createInlineProcessPool(),
      egress: { check: async () => {} },
      signingSecret: new Uint8Array(32),
      admission: { admit: async () => 0, turnAgain: async () => 0 },
      processId: randomUUID(),
    },
  })
  const keys: string[] = []
  const deaths = await dyingAtEach(database.db, async (mortal) => {
    const idempotencyKey = randomUUID()
    keys.push(idempotencyKey)
    const work = () =>
      forkExecution(partsOn(mortal), {
        ...{ id, fromStep, toolResults: {}, idempotencyKey, signal: new AbortController().signal },
        caller: { workspaceId: key?.workspaceId ?? '', keyId: key?.id ?? '', scopes: [] },
        body: { config },
      })
    return { work, check: async () => undefined }
  })
  expect(deaths).toBeGreaterThan(7)
  const made: string[] = []
  for (const key of keys) {
    const [first, second] = [await fork(api, { id, article, key }), await fork(api, { id, article, key })]
    expect([first.status, second.json.id]).toEqual([201, first.json.id])
    made.push(first.json.id)
  }
  const forks = (await forksOf(id)).map((row) => row.id)
  expect(forks.sort()).toEqual(made.sort())
  const asked = () => model.requests.filter(({ text }) => text.includes(`${article} twice`)).length
  for (const one of forks) await expectOneFork(one, article)
  expect(asked()).toBe(forks.length)
}, 300_000)

test.each([
  ...['record', 'kept steps', 'job', 'start', 'new step', 'end'].map((place) => ({ place, isLost: false })),
  { place: 'new step', isLost: true },
])(
  'a process that is killed at $place of a fork (its statement is lost: $isLost) loses nothing: the fork exists once, and the kept call of the tool is not repeated',
  async ({ place, isLost }) => {
    const article = place.replaceAll(' ', '-') + (isLost ? '-lost' : '')
    const id = await runFirst(article)
    const key = `key of ${article}`
    const halt = await halts.at(place)
    const first = fork(victim, { id, article, key }).catch(() => undefined)
    await halt.reached()
    await victim.kill()
    if (isLost) await halt.lose()
    await halt.release()
    const isAccepted = ['start', 'new step', 'end'].includes(place)
    expect((await first)?.status).toBe(isAccepted ? 201 : undefined)
    victim = await cluster.start('all')
    const again = await fork(api, { id, article, key })
    expect(again.status).toBe(201)
    expect(await forksOf(id)).toEqual([{ id: again.json.id }])
    await expectOneFork(again.json.id, article)
    const { json: steps } = await api.call('GET', `/v1/agent/executions/${again.json.id}/steps`)
    const asked = model.requests.filter(({ text }) => text.includes(`${article} twice`)).length
    // The database may or may not finish a statement whose process was killed. If the answer was lost with it, the second attempt asked again,
    // once, and recorded its own; a stored answer is never asked for again.
    const askedMost = place === 'new step' ? Math.min(2, steps.at(-1).attempt) : 1
    expect(asked, 'times that the model was asked').toBeGreaterThanOrEqual(1)
    expect(asked, 'times that the model was asked').toBeLessThanOrEqual(askedMost)
  },
  300_000,
)
