import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Cluster, type Member, openCluster } from './support/cluster.ts'
import { makeDatabase, type TestDatabase } from './support/database.ts'
import { addHalts, type Halts } from './support/halts.ts'
import { startMcp } from './support/mcp-server.ts'
import { type MockRequest, type MockTurn, startMockModel } from './support/mock-model.ts'
import { opened } from './support/opened.ts'
import { temporaryFolder } from './support/temporary-folder.ts'
import { until } from './support/until.ts'

// Real processes, killed with SIGKILL in the middle of a statement: a trigger makes them wait at the place that a test names.

const places = {
  pause: `before update on executions for each row when (old.status = 'running' and new.status = 'paused')`,
  'job of the time limit': `before insert on pgboss.job for each row when (new.name = 'approval')`,
  decision: `before update on executions for each row when (old.approval->>'decision' is null and new.approval->>'decision' is not null)`,
  'audit log': `before insert on audit for each row when (new.action = 'approval.decide')`,
  resume: `before update on executions for each row when (old.status = 'paused' and new.status = 'enqueued')`,
  job: `before insert on pgboss.job for each row when (new.name <> 'approval' and new.data ? 'number')`,
  grant: `before update on executions for each row when (old.approval->'granted' is distinct from new.approval->'granted' and new.status = 'running')`,
  end: `before update on executions for each row when (old.status = 'running' and new.status = 'completed')`,
}

let database: TestDatabase
let mcp: Awaited<ReturnType<typeof startMcp>>
let cluster: Cluster
let halts: Halts
const folder = await temporaryFolder('approvals', afterAll)
/** Answers clicks and runs nothing; it is never killed. */
let clicks: Member
/** Runs executions, and is killed. */
let worker: Member
/** Calls of the tool by article. */
const calls = new Map<string, number>()
/** Runs while the tool is being called. */
let onCall: (article: string) => Promise<void> = async () => {}

const script = ({ text, results }: MockRequest): MockTurn => {
  const [, article = ''] = /article (\S+)/.exec(text) ?? []
  return results.length === 0
    ? { toolCalls: [{ name: 'shop_stock', input: { article } }] }
    : { text: `done: ${results.length}` }
}

const model = await opened(startMockModel({ script }))
beforeAll(async () => {
  mcp = await startMcp(async (params) => {
    const article = String(params?.arguments?.['article'])
    calls.set(article, (calls.get(article) ?? 0) + 1)
    await onCall(article)
  })
  const file = join(folder, 'configuration.json')
  const configuration = {
    providers: { mine: { kind: 'openai-compatible', base_url: model.baseUrl } },
    routes: { 'svc-agent-1': 'mine/one' },
    mcp: { shop: { url: mcp.url } },
  }
  await writeFile(file, JSON.stringify(configuration))
  database = await makeDatabase()
  cluster = await openCluster(database.address as Parameters<typeof openCluster>[0], {
    SKILLRUN_CONFIG: file,
    SKILLRUN_ALLOW_PRIVATE: mcp.host,
  })
  worker = await cluster.start('all')
  clicks = await cluster.start('api')
  halts = await addHalts(database.db, places)
})
afterAll(async () => {
  await cluster?.[Symbol.asyncDispose]()
  await database?.[Symbol.asyncDispose]()
  mcp?.close()
})

const read = async (id: string) => (await clicks.call('GET', `/v1/agent/executions/${id}`)).json
/** The record once it has ended, or waits for a decision after the first `number`. */
const restOf = (id: string, number: number) =>
  until(async () => {
    const record = await read(id)
    const waits = record.status === 'paused' && record.approval?.number > number && record.approval.decision === null
    return record.completed_at !== null || waits ? record : undefined
  })

async function killWorker() {
  await worker.kill()
}
async function startWorker() {
  worker = await cluster.start('all')
}
const begin = async (article: string) => {
  const body = {
    model: 'svc-agent-1',
    config: { prompt: `Count the article ${article}`, require_approval: { tools: ['shop.stock'] } },
  }
  const { status, json } = await clicks.call('POST', '/v1/agent/execute', body)
  expect(status, JSON.stringify(json)).toBe(201)
  return json.id as string
}
const approve = (member: Member, id: string) => member.call('POST', `/v1/agent/executions/${id}/approve`, { number: 1 })
/** Approves by two double clicks on both servers; whoever cannot answer was killed. */
const clickAll = (id: string) =>
  Promise.all([worker, clicks, worker, clicks].map((member) => approve(member, id).catch(() => undefined)))

/** What must hold in the end, however often a process died. */
async function expectOnce(id: string, article: string) {
  const record = await restOf(id, 1)
  expect(record).toMatchObject({ status: 'completed', approval: { number: 1, decision: 'approve' } })
  expect(calls.get(article)).toBe(1)
  const decisions = (await clicks.call('GET', `/v1/audit?subject_id=${id}`)).json
  expect(decisions.filter((one: { action: string }) => one.action === 'approval.decide')).toHaveLength(1)
  const { json: steps } = await clicks.call('GET', `/v1/agent/executions/${id}/steps`)
  expect(steps.filter((step: { kind: string }) => step.kind === 'tool')).toHaveLength(1)
}

test.each(['pause', 'job of the time limit'])(
  'a process that is killed while it writes that a run waits (%s) loses nothing: it waits once, and the tool runs once',
  async (place) => {
    const article = place.replaceAll(' ', '-')
    const halt = await halts.at(place)
    const id = await begin(article)
    await halt.reached()
    await killWorker()
    await halt.release()
    await startWorker()
    const held = await restOf(id, 0)
    expect(held).toMatchObject({ status: 'paused', approval: { number: 1, decision: null } })
    expect(calls.has(article)).toBe(false)
    await clickAll(id)
    await expectOnce(id, article)
  },
  300_000,
)

test('a process that is killed once the run waits changes nothing', async () => {
  const id = await begin('waiting')
  await restOf(id, 0)
  await killWorker()
  expect((await approve(clicks, id)).status).toBe(200)
  await startWorker()
  await clickAll(id)
  await expectOnce(id, 'waiting')
}, 300_000)

test.each(['decision', 'audit log', 'resume', 'job'])(
  'a process that is killed while it decides (%s) leaves the decision to the next click, on another server, and the tool runs once',
  async (place) => {
    const article = place.replaceAll(' ', '-')
    const id = await begin(article)
    await restOf(id, 0)
    const halt = await halts.at(place)
    const first = approve(worker, id).catch(() => undefined)
    await halt.reached()
    // They wait for the decision of the process that is about to die.
    const others = [approve(clicks, id), approve(clicks, id)]
    await killWorker()
    await halt.release()
    expect(await first).toBeUndefined()
    expect((await Promise.all(others)).map(({ status }) => status)).toEqual([200, 200])
    await startWorker()
    await clickAll(id)
    await expectOnce(id, article)
  },
  300_000,
)

test('a process that is killed after the decision, before the job of the run began, leaves the job to another', async () => {
  const id = await begin('decided')
  await restOf(id, 0)
  const halt = await halts.at('grant')
  await clickAll(id)
  await halt.reached()
  await killWorker()
  await halt.release()
  await startWorker()
  // The approval may have been used up by the process that died: then it is asked for again, and nothing ran without one.
  const rest = await restOf(id, 1)
  if (rest.status === 'paused') {
    expect(calls.has('decided')).toBe(false)
    await clicks.call('POST', `/v1/agent/executions/${id}/approve`, {})
    expect(await restOf(id, 2)).toMatchObject({ status: 'completed' })
    expect(calls.get('decided')).toBe(1)
  } else await expectOnce(id, 'decided')
}, 300_000)

test('a process that is killed while the tool runs asks again: no call without an approval of its own', async () => {
  const called = Promise.withResolvers<void>()
  const answer = Promise.withResolvers<void>()
  onCall = async (article) => {
    if (article !== 'running' || calls.get(article) !== 1) return
    called.resolve()
    await answer.promise
  }
  const id = await begin('running')
  await restOf(id, 0)
  await clickAll(id)
  await called.promise
  await killWorker()
  answer.resolve()
  await startWorker()
  expect(await restOf(id, 1)).toMatchObject({ status: 'paused', approval: { number: 2, decision: null } })
  expect(calls.get('running')).toBe(1)
  await Promise.all(
    [worker, clicks].map((member) => member.call('POST', `/v1/agent/executions/${id}/approve`, { number: 2 })),
  )
  expect(await restOf(id, 2)).toMatchObject({ status: 'completed' })
  expect(calls.get('running')).toBe(2)
}, 300_000)

test('a process that is killed while it writes the end does not call the tool again', async () => {
  const halt = await halts.at('end')
  const id = await begin('ending')
  await restOf(id, 0)
  await clickAll(id)
  await halt.reached()
  await killWorker()
  await halt.release()
  await startWorker()
  await expectOnce(id, 'ending')
}, 300_000)
