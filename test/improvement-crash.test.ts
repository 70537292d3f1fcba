import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { systemClock } from '../packages/core/src/clock.ts'
import { openDiskBlobs } from '../packages/server/src/adapters/blobs/disk/disk.ts'
import type { Db } from '../packages/server/src/adapters/db/db.ts'
import { createInlineProcessPool } from '../packages/server/src/adapters/process-pool/inline/inline-process-pool.ts'
import { openQueue } from '../packages/server/src/adapters/queue/pgboss/pgboss-queue.ts'
import type { Queue } from '../packages/server/src/adapters/queue/queue.ts'
import { silentLog } from '../packages/server/src/core/log.ts'
import { evaluationTopic, topicOf } from '../packages/server/src/features/executions/topics.ts'
import { advanceImprovement } from '../packages/server/src/features/improvements/advance.ts'
import type { AdvanceImprovementParts } from '../packages/server/src/features/improvements/improvement-state.ts'
import { makeModels } from '../packages/server/src/features/models/models.ts'
import { dying } from './support/dying.ts'
import { openTestService, type TestService } from './support/service.ts'
import { fileOfSmallModel } from './support/small-model.ts'

// No process works on jobs here: the test is the worker and the model, so that it can die between any two statements.
let service: TestService
let queue: Queue
let parts: Omit<AdvanceImprovementParts, 'db'>

beforeAll(async () => {
  const file = fileOfSmallModel('http://127.0.0.1:9')
  service = await openTestService({ env: { SKILLRUN_ROLE: 'api' }, file })
  const { db, address } = service.database
  queue = await openQueue({ db, address, log: silentLog }, [...Object.values(topicOf), evaluationTopic])
  const processPool = createInlineProcessPool()
  const provider = {
    name: 'mine',
    kind: 'openai-compatible',
    baseUrl: 'http://127.0.0.1:9',
    fast: 'small',
    pro: 'small',
  }
  parts = {
    clock: systemClock,
    queue,
    blobs: await openDiskBlobs({ clock: systemClock }, join(service.dataFolder, 'blobs')),
    processPool,
    intake: {
      models: makeModels(file, [provider as never]),
      processPool,
      egress: { check: async () => {} },
      signingSecret: new Uint8Array(32),
      admission: { admit: async () => 0, turnAgain: async () => 0 },
      processId: randomUUID(),
    },
  }
})
afterAll(async () => {
  await queue.stop(AbortSignal.abort())
  await service[Symbol.asyncDispose]()
})

const sql = <T extends object>(text: string, params: unknown[] = []) => service.database.db.query<T>(text, params)

/** A skill with cases, and its improvement as the route begins it. */
async function begin(name: string): Promise<{ skillId: string; workspaceId: string; id: string }> {
  const schema = { type: 'object', properties: { order: { type: 'string' } } }
  const body = { name, description: 'Reads orders.', prompt: 'Read it.', json_schema: schema }
  const { json: skill } = await service.call('POST', '/v1/skills/create', { body })
  const cases = Array.from({ length: 28 }, (_, at) => ({
    inputs: { text: `order ${name} ${at}` },
    response: { order: `${at}` },
  }))
  await service.call('POST', `/v1/skills/${skill.id}/cases`, { body: { cases } })
  const begun = await service.call('POST', `/v1/skills/${skill.id}/improve`, {
    body: { proposals: 1, model: 'svc-agent-1:fast' },
  })
  expect(begun.status, JSON.stringify(begun.json)).toBe(201)
  const [row] = await sql<{ workspaceId: string }>('select workspace_id as "workspaceId" from improvements limit 1')
  return { skillId: skill.id, workspaceId: row?.workspaceId ?? '', id: begun.json.id }
}

/** Ends all runs: those of the proposal are right, those of the version are wrong. */
async function answerRuns(id: string): Promise<number> {
  const runs = await sql<{ executionId: string; number: number; kind: string; caseNumber: number }>(
    `select r.execution_id as "executionId", r.number, r.kind, r.case_number as "caseNumber" from improvement_runs r
     join executions e on e.workspace_id = r.workspace_id and e.id = r.execution_id
     where r.improvement_id = $1 and e.status = 'enqueued'`,
    [id],
  )
  const [{ plan } = { plan: { judging: [] } }] = await sql<{ plan: { judging: { response: object }[] } }>(
    'select plan from improvements where id = $1',
    [id],
  )
  for (const run of runs) {
    const right = plan.judging[run.caseNumber]?.response
    const response =
      run.kind === 'writing'
        ? { instructions: `Proposal ${run.number}.`, summary: 'Other words.' }
        : run.number === 1
          ? right
          : { order: 'wrong' }
    await sql(
      `update executions set status = 'completed', response = $2, started_at = created_at, completed_at = created_at where id = $1`,
      [run.executionId, JSON.stringify(response)],
    )
  }
  return runs.length
}

test('a process that dies at any statement of an improvement loses nothing: each run starts once, and one version is published', async () => {
  let deaths = 0
  for (const after of [false, true]) {
    const of = await begin(`dies-${after ? 'after' : 'before'}`)
    const job = { data: { workspaceId: of.workspaceId, id: of.id }, retries: 0, completeIn: async () => {} }
    for (let round = 0; round < 1_000; round++) {
      for (let at = 1; ; at++) {
        const process = dying(service.database.db, at, after)
        await advanceImprovement({ ...parts, db: process.db as Db }, job, new AbortController().signal).catch(
          (error: unknown) => {
            if (!process.died()) throw error
          },
        )
        await process.quiet()
        if (!process.died()) break
        deaths += 1
        expect(at).toBeLessThan(500)
      }
      if ((await answerRuns(of.id)) === 0) break
    }
    const { json: report } = await service.call('GET', `/v1/skills/${of.skillId}/improvements/${of.id}`)
    expect(report).toMatchObject({
      status: 'completed',
      outcome: { code: 'published' },
      proposals: [{ instructions: 'Proposal 1.', verdict: 'better' }],
    })
    const { training, judging } = report.cases
    const executions = await sql('select id from executions where evaluation_id = $1', [of.id])
    expect(executions).toHaveLength(training + judging + 1 + judging)
    const { json: versions } = await service.call('GET', `/v1/skills/${of.skillId}/versions`)
    expect(versions.map((one: { number: number }) => one.number)).toEqual([2, 1])
    expect(versions[0]).toMatchObject({ id: report.published_skill_id, is_latest: true })
    const { json: audit } = await service.call('GET', `/v1/audit?subject_id=${report.published_skill_id}`)
    expect(audit).toHaveLength(1)
  }
  expect(deaths).toBeGreaterThan(100)
}, 300_000)
