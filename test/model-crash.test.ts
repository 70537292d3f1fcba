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
  folder = await mkdtemp(join(tmpdir(), 'skillrun-model-crash-'))
})
afterAll(async () => {
  await queue.stop(AbortSignal.abort())
  await house[Symbol.asyncDispose]()
  await rm(folder, { recursive: true, force: true })
})

const provider = { name: 'mine', kind: 'openai-compatible', baseUrl: 'http://127.0.0.1:9/v1', fast: 'one' } as const
const models = makeModels({ models: { 'mine/one': { input: 2_000_000, output: 12_000_000 } } }, [provider])
const usage = { inputTokens: 1_000, cachedInputTokens: 0, outputTokens: 100, reasoningTokens: 0 }

/** Two calls at once, an answer that does not hold, the answer: three turns, told by the request alone. */
function script({ messages }: ModelRequest): ScriptedTurn {
  if (!messages.some((message) => message.role === 'tool'))
    return {
      usage,
      toolCalls: [
        { id: 'a', name: 'document_search', input: { query: 'total' } },
        { id: 'b', name: 'core_calculate', input: { formulas: ['120 + 24'] } },
      ],
    }
  const corrected = messages.filter((message) => message.role === 'user').length > 1
  const total = corrected ? 144 : '144'
  return { usage, text: JSON.stringify({ invoice_number: 'INV-2041', invoice_date: '2026-03-14', total }) }
}

function partsOf(db: Db): { parts: RunParts; asked: () => number } {
  const model = createScriptedModel(script, 'mine/one')
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
  }
  const { json } = await house.call('POST', '/v1/agent/execute', { body })
  const [row] = await house.database.db.query<{ workspaceId: string }>(
    'select workspace_id as "workspaceId" from executions where id = $1',
    [json.id],
  )
  const data = { workspaceId: row?.workspaceId ?? '', id: json.id as string, number: 1 }
  return { id: data.id, job: (retries) => ({ data, retries, completeIn: async () => {} }) }
}

const turnsOf = async (id: string) =>
  (await house.call('GET', `/v1/agent/executions/${id}/steps`)).json.filter(
    (step: { kind: string }) => step.kind === 'model',
  )

test.each([false, true])(
  'a process that dies at any statement of a run with a model (after it: %s) asks no recorded turn again, and every dollar is accounted for',
  async (after) => {
    const { db } = house.database
    let at = 1
    for (; at < 200; at += 1) {
      const { id, job } = await accept()
      const first = dying(db, at, after)
      const begun = partsOf(first.db)
      await runExecution(begun.parts, job(0), new AbortController().signal).catch(() => undefined)
      const recorded = (await turnsOf(id)).length
      const again = partsOf(db)
      await runExecution(again.parts, job(1), new AbortController().signal)

      const { json: record } = await house.call('GET', `/v1/agent/executions/${id}`)
      expect(record, `statement ${at}`).toMatchObject({
        status: 'completed',
        response: { invoice_number: 'INV-2041', invoice_date: '2026-03-14', total: 144 },
        model: { answered: 'mine/one' },
        // Three turns of 1000 · 2 + 100 · 12 micro-dollars.
        usage: { steps: 7, standard_cost_dollars: 0.0096, message: null },
      })
      expect(again.asked()).toBe(3 - recorded)
      expect(begun.asked()).toBeLessThanOrEqual(recorded + 1)
      const [sums] = await db.query<{ settled: number; open: number }>(
        `select sum(micros) filter (where kind = 'settle')::bigint as settled,
           sum(case kind when 'reserve' then micros else -micros end)::bigint as open
         from ledger where execution_id = $1`,
        [id],
      )
      expect(sums).toEqual({ settled: 9_600, open: 0 })
      if (!first.died()) break
    }
    expect(at).toBeGreaterThan(20)
    expect(at).toBeLessThan(200)
  },
)
