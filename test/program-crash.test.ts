import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ExecutionRequest } from '../src/features/executions/execution.ts'
import { type RunParts, runExecution } from '../src/features/executions/run.ts'
import { topicOf } from '../src/features/executions/topics.ts'
import { makeModels } from '../src/features/models/models.ts'
import { hashOf, schemaHash, shapeOf, skillsHash } from '../src/features/programs/program.ts'
import { insertProgram } from '../src/features/programs/store.ts'
import { systemClock } from '../src/kit/clock.ts'
import { newId } from '../src/kit/ids.ts'
import { silentLog } from '../src/kit/log.ts'
import { memoryBlobs } from '../src/seams/blobs/memory/memory.ts'
import type { Db } from '../src/seams/db/db.ts'
import { createScriptedModel } from '../src/seams/models/scripted/scripted.ts'
import { openQueue } from '../src/seams/queue/pgboss/pgboss-queue.ts'
import type { Job, Queue } from '../src/seams/queue/queue.ts'
import { createInlineSandbox } from '../src/seams/sandbox/quickjs/inline-sandbox.ts'
import { noTelemetry } from '../src/seams/telemetry/telemetry.ts'
import { noTranscoder } from '../src/seams/transcoder/transcoder.ts'
import { createInlineWorkshop } from '../src/seams/workshop/inline/inline-workshop.ts'
import { dying } from './house/dying.ts'
import { openTestHouse, type TestHouse } from './house/house.ts'

// The house only accepts: the test is the worker, so that it can die between any two statements.
let house: TestHouse
let queue: Queue
let folder: string

beforeAll(async () => {
  house = await openTestHouse({ env: { SKILLRUN_ROLE: 'api' } })
  const { db, address } = house.database
  queue = await openQueue({ db, address, log: silentLog }, Object.values(topicOf))
  folder = await mkdtemp(join(tmpdir(), 'skillrun-program-crash-'))
})
afterAll(async () => {
  await queue.stop(AbortSignal.abort())
  await house[Symbol.asyncDispose]()
  await rm(folder, { recursive: true, force: true })
})

const provider = { name: 'mine', kind: 'openai-compatible', baseUrl: 'http://127.0.0.1:9/v1', fast: 'one' } as const
const models = makeModels({ models: { 'mine/one': { input: 2_000_000, output: 12_000_000 } } }, [provider])
const usage = { inputTokens: 1_000, cachedInputTokens: 0, outputTokens: 100, reasoningTokens: 0 }

const source = `export default async function run(tools: any, inputs: any) {
  const { pages } = await tools.document.read({ input: 'note', pages: [1] })
  const about = pages[0].lines.map((line: any) => line.text).join('\\n')
  const [first, second] = await Promise.all(['a', 'b'].map((question) => tools.model.ask({ question, about, type: 'boolean' })))
  return { number: Number(/No (\\d+)/.exec(about)?.[1]), good: first.answer && second.answer }
}`
const schema = {
  type: 'object',
  properties: { number: { type: 'number' }, good: { type: 'boolean' } },
  required: ['number', 'good'],
}

function partsOf(db: Db): { parts: RunParts; asked: () => number } {
  const model = createScriptedModel(() => ({ usage, text: '{"answer": true}' }), 'mine/one')
  const nothing = () => Promise.reject(new Error('nothing is fetched here'))
  return {
    asked: () => model.requests.length,
    parts: {
      db,
      queue,
      models,
      workshop: createInlineWorkshop(),
      signingSecret: new Uint8Array(32),
      temporaryFolder: folder,
      blobs: memoryBlobs(),
      fetched: { use: nothing },
      egress: { fetchPublic: nothing } as unknown as RunParts['egress'],
      clock: systemClock,
      telemetry: noTelemetry,
      transcoder: noTranscoder,
      log: silentLog,
      endings: { watch: () => () => {}, tell: () => {}, wake: () => {} },
      modelCalls: { attemptsMax: 1, wallMs: 5_000 },
      openModel: async () => model,
      sandbox: createInlineSandbox({ clock: systemClock }),
      shadow: { share: 0, wrongRateMax: 0.05 },
      toolPrice: () => 0,
    },
  }
}

async function accept(
  skill: string,
  n: number,
): Promise<{ id: string; workspaceId: string; request: ExecutionRequest }> {
  const body = {
    inputs: { note: { type: 'text', text: `No ${n}\nAll is well.` } },
    config: { json_schema: schema, execution_mode: 'program', skills: [{ skill_id: skill }] },
    model: 'svc-agent-2:fast',
  }
  const { json } = await house.call('POST', '/v1/agent/execute', { body })
  const [row] = await house.database.db.query<{ workspaceId: string; request: ExecutionRequest }>(
    'select workspace_id as "workspaceId", request from executions where id = $1',
    [json.id],
  )
  if (!row) throw new Error('it was not accepted')
  return { id: json.id, ...row }
}

/** A program that is ready for what `accept` asks. */
async function readyProgram(skill: string): Promise<string> {
  const { db } = house.database
  const { workspaceId, request } = await accept(skill, 0)
  const skills = request.skills ?? []
  const program = await insertProgram(db, {
    id: newId(new Date()),
    workspaceId,
    skillId: skill,
    ownerId: workspaceId,
    skillName: 'notes',
    skillVersion: '1',
    skills,
    skillsSha256: skillsHash(skills, request.prompt),
    schema: request.schema,
    schemaSha256: schemaHash(request.schema),
    status: 'ready',
    origin: 'agent',
    executionId: null,
    asked: { executionIds: null, caseIds: null },
    source,
    sha256: 'of the source',
    compileMicros: 0,
    agentRuns: 0,
    agentMicros: 0,
    createdAt: new Date(),
  })
  const shape = hashOf(shapeOf([{ name: 'note', mediaType: 'text/plain' }], {}))
  await db.query('update programs set shape_sha256 = $2 where id = $1', [program.id, shape])
  return program.id
}

async function booksOf(id: string) {
  const [row] = await house.database.db.query(
    `select sum(case kind when 'reserve' then micros else -micros end)::integer as open,
       (sum(micros) filter (where kind = 'settle'))::integer as settled,
       (select count(*)::integer from program_runs where execution_id = $1) as runs,
       (select micros::integer from program_runs where execution_id = $1) as "runMicros"
     from ledger where execution_id = $1`,
    [id],
  )
  return row
}

test.each([false, true])(
  'a process that dies at any statement of a program’s run (after it: %s) asks no recorded question again and books the run once',
  async (after) => {
    const { db } = house.database
    const made = { name: `notes-${after}`, description: 'Reads notes', prompt: 'Read the note' }
    const { json: skill } = await house.call('POST', '/v1/skills/create', { body: made })
    const programId = await readyProgram(skill.id)
    let at = 1
    for (; at < 100; at += 1) {
      const { id, workspaceId } = await accept(skill.id, at)
      const job = (retries: number): Job => ({
        data: { workspaceId, id, number: 1 },
        retries,
        completeIn: async () => {},
      })
      const first = dying(db, at, after)
      const begun = partsOf(first.db)
      await runExecution(begun.parts, job(0), new AbortController().signal).catch(() => undefined)
      const { json: steps } = await house.call('GET', `/v1/agent/executions/${id}/steps`)
      const questions = steps.filter((step: { name: string }) => step.name === 'model.ask').length
      const again = partsOf(db)
      await runExecution(again.parts, job(1), new AbortController().signal)

      const { json: record } = await house.call('GET', `/v1/agent/executions/${id}`)
      expect(record, `statement ${at}`).toMatchObject({
        status: 'completed',
        execution_mode: 'program',
        program: { id: programId },
        response: { number: at, good: true },
        // A reading, two questions, the program.
        usage: { steps: 4, standard_cost_dollars: 0.0064 },
      })
      expect(again.asked()).toBe(2 - questions)
      expect(await booksOf(id), `statement ${at}`).toEqual({ open: 0, settled: 6_400, runs: 1, runMicros: 6_400 })
      if (!first.died()) break
    }
    expect(at).toBeGreaterThan(8)
    expect(at).toBeLessThan(100)
  },
  180_000,
)
