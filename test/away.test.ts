import { expect, test } from 'vitest'
import { systemClock as clock } from '../packages/core/src/clock.ts'
import { Fault } from '../packages/core/src/fault.ts'
import { secretKeysOf } from '../packages/core/src/secret-keys.ts'
import type { Db, Sql } from '../packages/server/src/adapters/db/db.ts'
import type { ModelRequest } from '../packages/server/src/adapters/models/model.ts'
import { createScriptedModel, type ScriptedTurn } from '../packages/server/src/adapters/models/scripted/scripted.ts'
import { noTelemetry as telemetry } from '../packages/server/src/adapters/telemetry/telemetry.ts'
import { limits } from '../packages/server/src/core/limits.ts'
import { silentLog as log } from '../packages/server/src/core/log.ts'
import type { EngineParts } from '../packages/server/src/features/runs/parts.ts'
import { deliverCallback } from '../packages/server/src/features/webhooks/deliver.ts'
import { makeUnderWay } from '../packages/server/src/features/webhooks/under-way.ts'
import { ledgerOf, openAcceptingService, pricedModels, pricedUsage as usage } from './support/accepting.ts'
import { opened } from './support/opened.ts'

const secretKeys = secretKeysOf([Buffer.alloc(32, 1)])
const accepting = await opened(openAcceptingService({ SKILLRUN_ALLOW_PRIVATE: '127.0.0.1:9' }))

const schema = { type: 'object', properties: { total: { type: 'number' } }, required: ['total'] }

function script({ messages }: ModelRequest): ScriptedTurn {
  if (!messages.some((message) => message.role === 'tool'))
    return { usage, toolCalls: [{ id: 'a', name: 'core_calculate', input: { formulas: ['120 + 24'] } }] }
  return { usage, text: JSON.stringify({ total: 144 }) }
}

type Outage = 'before' | 'while it commits' | 'after its commit'

/** A database whose n-th call, counted from 1, fails: before it is executed, or after, without a reply. */
function awayAt(db: Db, at: number, outage: Outage): { db: Db; calls: () => number } {
  let count = 0
  const one = async <T>(work: () => Promise<T>): Promise<T> => {
    count += 1
    if (count !== at) return work()
    if (outage !== 'before') await work()
    throw outage === 'while it commits'
      ? new Fault('unavailable', 'commit_unknown', 'The database was lost while it committed.')
      : new Fault('unavailable', 'database_unavailable', 'The database cannot be reached.')
  }
  const { readEach: _shared, ...own } = db
  const seen: Db = {
    ...own,
    query: (text, params) => one(() => db.query(text, params)),
    write: <T>(work: (sql: Sql) => Promise<T>) => one(() => db.write(work)),
    transactionEach: (many, item) => one(() => db.transactionEach(many, item)),
    together: <T>(work: (tx: Sql) => Promise<T>) => one(() => db.together(work)),
    transaction: <T>(work: (tx: Sql) => Promise<T>) => one(() => db.transaction(work)),
    within: () => seen,
  }
  return { db: seen, calls: () => count }
}

test.each<Outage>(['before', 'while it commits', 'after its commit'])(
  'an outage of the database at any call of a run (%s) has no answer of the model paid for twice, and every dollar is accounted for',
  async (outage) => {
    const { service, accept } = accepting
    const { db } = service.database
    let attempts = 0
    let at = 1
    for (; at < 100; at += 1) {
      const model = createScriptedModel(script, 'mine/one')
      const execution = await accept({
        inputs: { note: { type: 'text', text: `Outage ${outage} ${at}` } },
        config: { prompt: 'Extract', json_schema: schema },
      })
      const away = awayAt(db, at, outage)
      const parts = (seen: Db): EngineParts => accepting.partsOf(seen, { models: pricedModels(model) })
      // Runs that could not start, or had nothing to lose, return to the queue and are repeated.
      const ended = await execution.run(parts(away.db), 0).then(
        () => true,
        () => false,
      )
      if (!ended) await execution.run(parts(db), 1)
      const { json: record } = await service.call('GET', `/v1/agent/executions/${execution.id}`)
      expect(record, `call ${at}`).toMatchObject({ status: 'completed', response: { total: 144 } })
      expect(model.requests.length, `call ${at}`).toBe(2)
      expect(await ledgerOf(db, execution.id), `call ${at}`).toEqual({ settled: 6_400, open: 0 })
      const [row] = await db.query('select lost_attempts as lost, error from executions where id = $1', [execution.id])
      expect(row).toEqual({ lost: {}, error: null })
      attempts += ended ? 1 : 2
      if (away.calls() < at) break
    }
    expect(at).toBeGreaterThan(7)
    expect(at).toBeLessThan(100)
    // Most outages cause no second run.
    expect(attempts / at).toBeLessThan(1.5)
  },
)

test.each<Outage>(['before', 'while it commits', 'after its commit'])(
  'an outage of the database at any call of a delivery (%s) has no callback sent twice',
  async (outage) => {
    const { service, accept } = accepting
    const { db } = service.database
    let at = 1
    for (; at < 50; at += 1) {
      const model = createScriptedModel(script, 'mine/one')
      const execution = await accept({
        inputs: { note: { type: 'text', text: `Callback ${outage} ${at}` } },
        config: { prompt: 'Extract', json_schema: schema },
        callback_url: 'http://127.0.0.1:9/nobody',
      })
      await execution.run(accepting.partsOf(db, { models: pricedModels(model) }), 0)
      let posts = 0
      const post = async () => {
        posts += 1
        return { status: 200, retryAfter: undefined }
      }
      const { workspaceId, id: executionId } = execution
      const job = { data: { workspaceId, executionId, n: 1, number: 1 }, retries: 0, completeIn: async () => {} }
      const queue = { add: async () => {} }
      const pauses = limits.callbackPausesMs
      const fixed = { clock, queue, log, telemetry, secretKeys, schedule: { pauses, underWay: makeUnderWay(clock) } }
      const deliver = (seen: Db) =>
        deliverCallback({ ...fixed, db: seen, egress: { post } as never }, job, new AbortController().signal)
      const away = awayAt(db, at, outage)
      await deliver(away.db).catch(() => deliver(db))
      const [row] = await db.query('select state from callbacks where execution_id = $1', [executionId])
      expect([posts, row?.['state']], `call ${at}`).toEqual([1, 'delivered'])
      if (away.calls() < at) break
    }
    expect(at).toBeGreaterThan(2)
    expect(at).toBeLessThan(50)
  },
)
