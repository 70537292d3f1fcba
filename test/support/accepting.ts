import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { systemClock } from '../../packages/core/src/clock.ts'
import { newId } from '../../packages/core/src/ids.ts'
import { memoryBlobs } from '../../packages/server/src/adapters/blobs/memory/memory.ts'
import type { Db, Sql } from '../../packages/server/src/adapters/db/db.ts'
import type { Model } from '../../packages/server/src/adapters/models/model.ts'
import { createInlineProcessPool } from '../../packages/server/src/adapters/process-pool/inline/inline-process-pool.ts'
import { openQueue } from '../../packages/server/src/adapters/queue/pgboss/pgboss-queue.ts'
import { createInlineSandbox } from '../../packages/server/src/adapters/sandbox/quickjs/inline-sandbox.ts'
import { noTelemetry } from '../../packages/server/src/adapters/telemetry/telemetry.ts'
import { noTranscoder } from '../../packages/server/src/adapters/transcoder/transcoder.ts'
import { silentLog } from '../../packages/server/src/core/log.ts'
import { topicOf } from '../../packages/server/src/features/executions/topics.ts'
import { makeModels } from '../../packages/server/src/features/models/models.ts'
import { shadowDefaults } from '../../packages/server/src/features/programs/programs.ts'
import type { EngineParts, RunModels, WorkerParts } from '../../packages/server/src/features/runs/parts.ts'
import { runExecution } from '../../packages/server/src/features/runs/run.ts'
import { callbackTopic } from '../../packages/server/src/features/webhooks/webhooks.ts'
import { openTestService, type TestService } from './service.ts'

/** A server that only accepts: the test acts as its worker, so that it can die between any two statements. */
export interface AcceptingService extends AsyncDisposable {
  readonly service: TestService
  /** The dependencies of a run on `db`. By default, it has no model, fetches nothing, and everything is free. */
  partsOf(db: Db, own?: Partial<EngineParts>): EngineParts
  /** Sends an execution request. */
  accept(body: object): Promise<Accepted>
}

/** An execution that waits for its worker. */
export interface Accepted {
  readonly id: string
  readonly workspaceId: string
  /**
   * Runs it like a worker whose job is delivered for the `retries`-th repeat. `completeIn` gets the transaction that
   * ends the job, if this delivery is still the newest, as in the queue. `own` replaces parts of the worker.
   */
  run(
    parts: EngineParts,
    retries: number,
    completeIn?: (tx: Sql) => Promise<void>,
    own?: Partial<WorkerParts>,
  ): Promise<void>
}

export async function openAcceptingService(env: Record<string, string> = {}): Promise<AcceptingService> {
  const service = await openTestService({ env: { SKILLRUN_ROLE: 'api', ...env } })
  const { db, address } = service.database
  const queue = await openQueue({ db, address, log: silentLog }, [...Object.values(topicOf), callbackTopic])
  const folder = await mkdtemp(join(tmpdir(), 'skillrun-accepting-'))
  const processId = newId(new Date())
  const worker: WorkerParts = {
    queue,
    processes: { id: processId, findGone: async () => ({ gone: 0, undecidedMs: [] }) },
    endings: { watch: () => () => {}, deliver: () => {}, wake: () => {} },
    telemetry: noTelemetry,
    log: silentLog,
  }
  const nothing = () => Promise.reject(new Error('nothing is fetched here'))
  return {
    service,
    partsOf: (seen, own = {}) => ({
      db: seen,
      models: {
        route: makeModels({}, []).route,
        open: () => Promise.reject(new Error('no model is asked here')),
        embedders: [],
        attemptsMax: 1,
        turnsMax: 100,
        wallMs: 5_000,
      },
      processPool: createInlineProcessPool(),
      storage: {
        signingSecret: new Uint8Array(32),
        temporaryFolder: folder,
        blobs: memoryBlobs(),
        fetched: { use: nothing },
      },
      clock: systemClock,
      media: { transcoder: noTranscoder, transcriber: undefined, illustrator: undefined },
      tools: {
        ...{ extra: [], web: undefined, scripts: undefined },
        priceOf: () => 0,
        onBug: () => {},
      },
      programs: { sandbox: createInlineSandbox({ clock: systemClock }), shadow: shadowDefaults },
      ...own,
    }),
    async accept(body) {
      const { json } = await service.call('POST', '/v1/agent/execute', { body })
      const [row] = await db.query<{ workspaceId: string }>(
        'select workspace_id as "workspaceId" from executions where id = $1',
        [json.id],
      )
      if (!row) throw new Error(`it was not accepted: ${JSON.stringify(json)}`)
      const data = { workspaceId: row.workspaceId, id: json.id as string, number: 1 }
      let newest = 0
      return {
        ...data,
        run(parts, retries, completeIn = async () => {}, own = {}) {
          newest = retries
          const complete = async (tx: Sql) => {
            if (retries === newest) await completeIn(tx)
          }
          const job = { data, retries, completeIn: complete }
          return runExecution(parts, { ...worker, ...own }, { job, signal: new AbortController().signal })
        },
      }
    },
    async [Symbol.asyncDispose]() {
      await queue.stop(AbortSignal.abort())
      await service[Symbol.asyncDispose]()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** A model at 2 and 12 dollars per million tokens, and the usage of each answer. */
const pricedRoutes = makeModels({ models: { 'mine/one': { input: 2_000_000, output: 12_000_000 } } }, [
  { name: 'mine', kind: 'openai-compatible', baseUrl: 'http://127.0.0.1:9/v1', fast: 'one' },
])
export const pricedModels = (model: Model): RunModels => ({
  route: pricedRoutes.route,
  open: async () => model,
  embedders: [],
  attemptsMax: 1,
  turnsMax: 100,
  wallMs: 5_000,
})
export const pricedUsage = { inputTokens: 1_000, cachedInputTokens: 0, outputTokens: 100, reasoningTokens: 0 }

/** Open reservations and settlements of an execution, in micro-dollars. */
export async function ledgerOf(db: Db, id: string): Promise<{ open: number; settled: number } | undefined> {
  const [sums] = await db.query<{ open: number; settled: number }>(
    `select sum(case kind when 'reserve' then micros else -micros end)::integer as open,
       (sum(micros) filter (where kind = 'settle'))::integer as settled
     from ledger where execution_id = $1`,
    [id],
  )
  return sums
}
