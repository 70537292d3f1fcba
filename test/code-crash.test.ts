import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type RunParts, runExecution } from '../src/features/executions/run.ts'
import { topicOf } from '../src/features/executions/topics.ts'
import { makeModels } from '../src/features/models/models.ts'
import { shadowDefaults } from '../src/features/programs/programs.ts'
import { systemClock } from '../src/kit/clock.ts'
import { silentLog } from '../src/kit/log.ts'
import { memoryBlobs } from '../src/seams/blobs/memory/memory.ts'
import type { Db } from '../src/seams/db/db.ts'
import type { ModelRequest } from '../src/seams/models/model.ts'
import { createScriptedModel, type ScriptedTurn } from '../src/seams/models/scripted/scripted.ts'
import { openQueue } from '../src/seams/queue/pgboss/pgboss-queue.ts'
import type { Job, Queue } from '../src/seams/queue/queue.ts'
import { createInlineSandbox } from '../src/seams/sandbox/quickjs/inline-sandbox.ts'
import { noTelemetry } from '../src/seams/telemetry/telemetry.ts'
import { noTranscoder } from '../src/seams/transcoder/transcoder.ts'
import { createInlineWorkshop } from '../src/seams/workshop/inline/inline-workshop.ts'
import { invoiceLines, invoiceSchema } from './house/documents.ts'
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
  folder = await mkdtemp(join(tmpdir(), 'skillrun-code-crash-'))
})
afterAll(async () => {
  await queue.stop(AbortSignal.abort())
  await house[Symbol.asyncDispose]()
  await rm(folder, { recursive: true, force: true })
})

const provider = { name: 'mine', kind: 'openai-compatible', baseUrl: 'http://127.0.0.1:9/v1', fast: 'one' } as const
const models = makeModels({ models: { 'mine/one': { input: 2_000_000, output: 12_000_000 } } }, [provider])
const usage = { inputTokens: 1_000, cachedInputTokens: 0, outputTokens: 100, reasoningTokens: 0 }

const written = (body: string): string =>
  `\`\`\`ts\nexport default async function run(tools: any, inputs: any) {\n${body}\n}\n\`\`\``
const search = (query: string): string => `tools.document.search({ input: 'invoice', query: '${query}' })`

/** A program that fails after a call, then one whose calls and questions are made at once, two of the calls alike: told by the request alone. */
function script({ system, messages }: ModelRequest): ScriptedTurn {
  if (system.includes('one small question of a program')) return { usage, text: '{"answer": true}' }
  const isSecond = messages.filter((message) => message.role === 'user').length > 1
  const first = `console.log(await ${search('total')})\nthrow new Error('not yet')`
  const second = `const found = await Promise.all([${search('Invoice No')}, ${search('total')}, ${search('total')}])
const told = await Promise.all(['a', 'b', 'c'].map((question) => tools.model.ask({ question, type: 'boolean' })))
if (!told.every(({ answer }) => answer)) throw new Error('not all')
const { values } = await tools.core.calculate({ formulas: ['100 + ' + (found.length + 41)] })
return { invoice_number: 'INV-2041', invoice_date: '2026-03-14', total: Number(values[0]) }`
  return { usage, text: written(isSecond ? second : first) }
}

/** What a run is given, and how often it asked the model and searched a document. */
function partsOf(db: Db): { parts: RunParts; asked: () => number; searched: () => number } {
  const model = createScriptedModel(script, 'mine/one')
  const workshop = createInlineWorkshop()
  let searches = 0
  return {
    asked: () => model.requests.length,
    searched: () => searches,
    parts: {
      db,
      queue,
      models,
      workshop: {
        ...workshop,
        run: (job, input, terms) => {
          if (job.module.href.includes('document-search')) searches += 1
          return workshop.run(job, input, terms)
        },
      },
      signingSecret: new Uint8Array(32),
      temporaryFolder: folder,
      blobs: memoryBlobs(),
      fetched: { use: () => Promise.reject(new Error('nothing is fetched here')) },
      egress: {
        fetchPublic: () => Promise.reject(new Error('nothing is fetched here')),
      } as unknown as RunParts['egress'],
      clock: systemClock,
      telemetry: noTelemetry,
      transcoder: noTranscoder,
      log: silentLog,
      endings: { watch: () => () => {}, tell: () => {}, wake: () => {} },
      modelCalls: { attemptsMax: 1, wallMs: 5_000 },
      openModel: async () => model,
      sandbox: createInlineSandbox({ clock: systemClock }),
      shadow: shadowDefaults,
      toolPrice: () => 0,
    },
  }
}

let accepted = 0

async function accept(): Promise<{ id: string; job: (retries: number) => Job }> {
  const text = invoiceLines.join('\n') + '\n'.repeat(++accepted)
  const body = {
    inputs: { invoice: { type: 'text', text } },
    config: { prompt: 'Extract', json_schema: invoiceSchema },
    model: 'svc-agent-2:fast',
  }
  const { json } = await house.call('POST', '/v1/agent/execute', { body })
  const [row] = await house.database.db.query<{ workspaceId: string }>(
    'select workspace_id as "workspaceId" from executions where id = $1',
    [json.id],
  )
  const data = { workspaceId: row?.workspaceId ?? '', id: json.id as string, number: 1 }
  return { id: data.id, job: (retries) => ({ data, retries, completeIn: async () => {} }) }
}

/** What was set aside and neither settled nor released, what was settled, and what the execution says of it. */
async function ledger(id: string) {
  const [row] = await house.database.db.query(
    `select sum(case kind when 'reserve' then micros else -micros end)::integer as open,
       (sum(micros) filter (where kind = 'settle'))::integer as settled,
       (select committed_micros::integer from executions where id = $1) as committed
     from ledger where execution_id = $1`,
    [id],
  )
  return row
}

const stepsOf = async (id: string): Promise<{ kind: string; name: string }[]> =>
  (await house.call('GET', `/v1/agent/executions/${id}/steps`)).json

test.each([false, true])(
  'a process that dies at any statement of a run with programs (after it: %s) makes no recorded turn and no recorded call again',
  async (after) => {
    const { db } = house.database
    let at = 1
    for (; at < 200; at += 1) {
      const { id, job } = await accept()
      const first = dying(db, at, after)
      const begun = partsOf(first.db)
      await runExecution(begun.parts, job(0), new AbortController().signal).catch(() => undefined)
      const steps = await stepsOf(id)
      const turns = steps.filter((step) => step.kind === 'model').length
      const questions = steps.filter((step) => step.name === 'model.ask').length
      const searches = steps.filter((step) => step.name === 'document.search').length
      const again = partsOf(db)
      await runExecution(again.parts, job(1), new AbortController().signal)

      const { json: record } = await house.call('GET', `/v1/agent/executions/${id}`)
      expect(record, `statement ${at}`).toMatchObject({
        status: 'completed',
        response: { invoice_number: 'INV-2041', invoice_date: '2026-03-14', total: 144 },
        // One reading, two turns, two programs, four searches, three questions, one sum.
        usage: { steps: 13, standard_cost_dollars: 0.016 },
      })
      expect(again.asked()).toBe(5 - turns - questions)
      expect(await ledger(id), `statement ${at}`).toEqual({ open: 0, settled: 16_000, committed: 16_000 })
      expect(again.searched()).toBe(4 - searches)
      if (!first.died()) break
    }
    expect(at).toBeGreaterThan(15)
    expect(at).toBeLessThan(200)
  },
)
