import { beforeAll, describe, expect, test } from 'vitest'
import { systemClock } from '../packages/core/src/clock.ts'
import { parseKeys, secretKeysOf } from '../packages/core/src/secret-keys.ts'
import { type Db, each, type Sql } from '../packages/server/src/adapters/db/db.ts'
import { createInlineProcessPool } from '../packages/server/src/adapters/process-pool/inline/inline-process-pool.ts'
import type { ProcessPool } from '../packages/server/src/adapters/process-pool/process-pool.ts'
import { ensureServerSecret } from '../packages/server/src/features/keys/secrets.ts'
import type { EngineParts } from '../packages/server/src/features/runs/parts.ts'
import { type Accepted, openAcceptingService } from './support/accepting.ts'
import { invoiceLines, invoiceSchema } from './support/documents.ts'
import { opened } from './support/opened.ts'
import { testSecretKey } from './support/service.ts'

let signingSecret: Uint8Array

const accepting = await opened(openAcceptingService({ SKILLRUN_ALLOW_PRIVATE: '127.0.0.1:9' }))
const service = accepting.service
beforeAll(async () => {
  const { db } = service.database
  const secretKeys = secretKeysOf(parseKeys(testSecretKey) ?? [Buffer.alloc(32)])
  signingSecret = await ensureServerSecret({ db, clock: systemClock, secretKeys }, 'signing')
  await db.query('create table job_ends (id uuid not null)')
})

/** What happens to the process at its n-th statement. */
type Mishap = 'dies before' | 'dies after' | 'stands still before'

/** A database with a mishap at the process's n-th statement; the commit of a transaction counts as one. */
function seenBy(db: Db, mishap: { what: Mishap; at: number; until: Promise<void> }): { db: Db; met: Promise<boolean> } {
  const met = Promise.withResolvers<boolean>()
  let count = 0
  let dead = false
  let isStill = false
  const die = (): never => {
    dead = true
    met.resolve(true)
    throw new Error('this process is dead')
  }
  async function one<T>(run: () => Promise<T>): Promise<T> {
    if (dead) die()
    const isIt = ++count === mishap.at
    if (isIt && mishap.what === 'dies before') die()
    if (isIt && mishap.what === 'stands still before') {
      isStill = true
      met.resolve(true)
    }
    // All of the process stands still: what it reads at the same time, too.
    if (isStill) await mishap.until
    const value = await run()
    if ((isIt && mishap.what === 'dies after') || dead) die()
    return value
  }
  // A process that stalls within a transaction keeps its locks until the database ends the session: not covered here.
  const inOne = mishap.what === 'stands still before'
  const { readEach: _shared, ...own } = db
  const mortal: Db = {
    ...own,
    query: (text, params) => one(() => db.query(text, params)),
    write: (work) => work({ query: (text, params) => one(() => db.query(text, params)) }),
    together: (work) => mortal.transaction(work),
    transactionEach: (many, item) => mortal.transaction((tx) => each(tx, many, item)),
    transaction: (work) => {
      if (inOne) return one(() => db.transaction(work))
      return one(() =>
        db.transaction(async (tx) => {
          const sql: Sql = { query: (text, params) => one(() => tx.query(text, params)) }
          const value = await work(sql)
          await one(async () => undefined)
          return value
        }),
      )
    },
  }
  return { db: mortal, met: met.promise }
}

/** A process pool that records its jobs. */
function counting(): { processPool: ProcessPool; done: string[] } {
  const inner = createInlineProcessPool()
  const done: string[] = []
  return {
    done,
    processPool: {
      close: inner.close,
      run: (job, input, terms) => {
        done.push(job.name)
        return inner.run(job, input, terms)
      },
    },
  }
}

const partsOf = (db: Db, processPool: ProcessPool): EngineParts =>
  accepting.partsOf(db, {
    processPool,
    storage: { ...accepting.partsOf(db).storage, signingSecret },
    tools: {
      ...accepting.partsOf(db).tools,
      priceOf: (name) => (name === 'document.read' ? 1_000 : 50_000),
    },
  })

let accepted = 0

/** A long text that is stored as a file; a short one in the request is not. */
const fileOf = (text: string) => ({
  type: 'file_url',
  file_url: { url: `data:;base64,${Buffer.from(`\ufeff${text}`, 'utf16le').toString('base64')}` },
})

/** Accepts an execution with two new documents. */
function accept(config: object): Promise<Accepted> {
  const text = invoiceLines.join('\n') + '\n'.repeat(++accepted * 2)
  return accepting.accept({
    inputs: { invoice: fileOf(text), copy: fileOf(`${text}\n`) },
    config: { prompt: 'Extract the fields of this invoice', json_schema: invoiceSchema, ...config },
    callback_url: 'http://127.0.0.1:9/nobody',
  })
}

/** Records the end of the job, as the queue would. */
const endOf =
  (id: string) =>
  async (tx: Sql): Promise<void> => {
    await tx.query('insert into job_ends values ($1)', [id])
  }

const read = async (id: string, what = '') => (await service.call('GET', `/v1/agent/executions/${id}${what}`)).json
const rows = async (table: string, column: string, id: string) =>
  (await service.database.db.query(`select 1 from ${table} where ${column} = $1`, [id])).length

/** The record without fields that may differ between runs of the same work. */
async function recordOf(id: string) {
  const { id: _id, created_at: _created, completed_at: _completed, attempts: _attempts, ...record } = await read(id)
  return { ...record, usage: { ...record.usage, duration_seconds: 0 } }
}

interface StepRow {
  readonly seq: number
  readonly name: string
  readonly detail: { readonly input?: string }
}

describe.each([{ caching: true }, { caching: false }])('with %j', (config) => {
  test.each<Mishap>(['dies before', 'dies after', 'stands still before'])(
    'a process that %s any statement of a run changes nothing of its end',
    async (what) => {
      const { db } = service.database
      const undisturbed = await accept(config)
      await undisturbed.run(partsOf(db, counting().processPool), 0)
      const expected = await recordOf(undisturbed.id)
      expect(expected).toMatchObject({ status: 'completed', usage: { steps: 3, cost_dollars: 0.052 } })

      let at = 1
      for (; at < 100; at++) {
        const execution = await accept(config)
        const { id } = execution
        const over = Promise.withResolvers<void>()
        const first = seenBy(db, { what, at, until: over.promise })
        const run = execution.run(partsOf(first.db, counting().processPool), 0, endOf(id))
        const ended = run.catch(() => undefined).then(() => false)
        const met = await Promise.race([first.met, ended])
        if (what !== 'stands still before') await ended
        const recorded: StepRow[] = await read(id, '/steps')

        const again = counting()
        await execution.run(partsOf(db, again.processPool), 1, endOf(id))
        over.resolve()
        await ended

        expect(await recordOf(id)).toEqual(expected)
        const steps: StepRow[] = await read(id, '/steps')
        expect(steps.map((step) => step.seq)).toEqual([1, 2, 3])
        expect(steps.map((step) => step.detail.input ?? step.name).sort()).toEqual(['copy', 'embedded', 'invoice'])
        expect(steps.slice(0, recorded.length)).toEqual(recorded)
        const readBefore = recorded.filter((step) => step.name === 'document.read').length
        const answeredBefore = recorded.length - readBefore
        expect(again.done.filter((name) => name === 'read').length).toBeLessThanOrEqual(2 - readBefore)
        expect(again.done.filter((name) => name !== 'read').length).toBe(1 - answeredBefore)
        const ends = (await read(id, '/events')).split('\n').filter((line: string) => line.includes('"completed"'))
        expect([ends.length, await rows('job_ends', 'id', id), await rows('callbacks', 'execution_id', id)]).toEqual([
          1, 1, 1,
        ])
        if (!met) break
      }
      // A run has many more statements, and completed at last.
      expect(at).toBeGreaterThan(6)
      expect(at).toBeLessThan(100)
    },
  )
})

test('a stale run that ends first, at whatever statement it stalled, writes nothing while the newer run lives', async () => {
  const { db } = service.database
  let at = 1
  for (; at < 100; at++) {
    const execution = await accept({})
    const { id } = execution
    const [staleGoes, newerGoes] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const stale = seenBy(db, { what: 'stands still before', at, until: staleGoes.promise })
    const staleRun = execution.run(partsOf(stale.db, counting().processPool), 0, endOf(id)).then(
      () => false,
      () => false,
    )
    const stood = await Promise.race([stale.met, staleRun])
    if (!stood) break
    // The newer run has started, and stalls before it does anything else.
    const newer = seenBy(db, { what: 'stands still before', at: 2, until: newerGoes.promise })
    const newerRun = execution.run(partsOf(newer.db, counting().processPool), 1, endOf(id))
    await newer.met
    const before = await read(id, '/steps')
    staleGoes.resolve()
    await staleRun
    expect(await read(id), `statement ${at}`).toMatchObject({ status: 'running', response: null, completed_at: null })
    expect(await read(id, '/steps')).toEqual(before)
    expect([await rows('job_ends', 'id', id), await rows('callbacks', 'execution_id', id)]).toEqual([0, 0])
    newerGoes.resolve()
    await newerRun
    expect(await read(id)).toMatchObject({ status: 'completed', usage: { steps: 3 } })
    expect([await rows('job_ends', 'id', id), await rows('callbacks', 'execution_id', id)]).toEqual([1, 1])
  }
  expect(at).toBeGreaterThan(6)
  expect(at).toBeLessThan(100)
})

test('a run whose end cannot be written is returned without counting as a crash, and the next one writes it', async () => {
  const { db } = service.database
  const execution = await accept({})
  const { id } = execution
  const full = { add: () => Promise.reject(new Error('the queue takes nothing')) }
  for (const retries of [0, 1, 2, 3])
    await expect(
      execution.run(partsOf(db, counting().processPool), retries, undefined, { queue: full }),
    ).rejects.toThrow('the queue takes nothing')
  expect(await db.query('select status, lost_attempts as lost from executions where id = $1', [id])).toEqual([
    { status: 'enqueued', lost: {} },
  ])
  await execution.run(partsOf(db, counting().processPool), 4)
  expect(await read(id)).toMatchObject({ status: 'completed', attempts: 5 })
  expect((await read(id, '/steps')).length).toBe(3)
})
