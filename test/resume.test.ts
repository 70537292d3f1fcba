import { beforeEach, describe, expect, test } from 'vitest'
import { type Clock, systemClock } from '../packages/core/src/clock.ts'
import { type MockRequest, type MockTurn, startMockModel, toolThenAnswer } from './support/mock-model.ts'
import { opened } from './support/opened.ts'
import { openReceiver } from './support/receiver.ts'
import { openTestService } from './support/service.ts'
import { until } from './support/until.ts'

/** The provider's behaviour. */
let script: (request: MockRequest) => MockTurn | Promise<MockTurn>
/** Answered calls, by their note. */
let answered: string[]

const schema = { type: 'object', properties: { total: { type: 'number' } }, required: ['total'] }
const works = toolThenAnswer({ total: 144 })
const isFirstTurn = ({ results }: MockRequest) => results.length === 0
const fails: MockTurn = { status: 500 }

/** Offset of the service's clock. */
let aheadMs = 0
const clock: Clock = { ...systemClock, now: () => new Date(Date.now() + aheadMs) }

const model = await opened(
  startMockModel({
    script: async (request) => {
      const turn = await script(request)
      if (!('status' in turn)) answered.push(`${/Note (\w+)/.exec(request.text)?.[1]} ${request.results.length}`)
      return turn
    },
  }),
)
const receiver = await opened(openReceiver())
const service = await opened(
  openTestService({
    clock,
    env: { SKILLRUN_ALLOW_PRIVATE: `127.0.0.1:${receiver.port}`, SKILLRUN_SLOTS: 'flex=1' },
    file: {
      providers: { mine: { kind: 'openai-compatible', base_url: model.baseUrl, fast: 'small' } },
      models: {
        'mine/small': { input: 2_000_000, output: 12_000_000, output_tokens_max: 1_000, takes: ['text', 'tools'] },
      },
      limits: { model_attempts: 1, model_call_ms: 30_000 },
    },
  }),
)
beforeEach(() => {
  answered = []
})

const execute = (note: string, more: { config?: object; body?: object } = {}) =>
  service.execute({
    inputs: { note: { type: 'text', text: `Note ${note}\nTotal: 144` } },
    config: { prompt: 'What is the total?', json_schema: schema, ...more.config },
    ...more.body,
  })
const resume = (id: string) => service.call('POST', `/v1/agent/executions/${id}/resume`)
const resumeMany = (body: object) => service.call('POST', '/v1/agent/executions/resume', { body })
const read = async (id: string) => (await service.call('GET', `/v1/agent/executions/${id}`)).json
async function settled(id: string) {
  return until(async () => {
    const record = await read(id)
    return record.status !== 'enqueued' && record.status !== 'running' ? record : undefined
  })
}
/** An execution whose second turn failed at the provider. */
const failedOn = (note: string, more: { config?: object; body?: object } = {}) => {
  script = (request) => (isFirstTurn(request) ? works(request) : fails)
  return execute(note, more)
}

describe('an execution with a retryable failure', () => {
  test('continues from its transcript: answered calls are neither repeated nor paid again', async () => {
    const failed = await failedOn('one', { body: { callback_url: receiver.url('/one') } })
    expect(failed).toMatchObject({ status: 'failed', error: { code: 'provider_failed' } })
    script = works
    const { status, json } = await resume(failed.id)
    expect(status).toBe(200)
    expect(json).toMatchObject({ status: 'enqueued', error: null, completed_at: null, usage: { message: null } })
    const record = await settled(failed.id)
    expect(record).toMatchObject({ status: 'completed', response: { total: 144 }, error: null, warnings: [] })
    expect(answered).toEqual(['one 0', 'one 1'])
    const [ledger] = await service.database.db.query<{ settled: number; open: number }>(
      `select sum(micros) filter (where kind = 'settle')::bigint as settled,
         sum(case kind when 'reserve' then micros else -micros end)::bigint as open from ledger where execution_id = $1`,
      [failed.id],
    )
    expect(ledger).toEqual({ settled: Math.round(record.usage.cost_dollars * 1e6), open: 0 })
    const events = (await receiver.got('/one', 2)).map(({ body }) => JSON.parse(String(body)).status)
    expect(events).toEqual(['failed', 'completed'])
  })

  test('shows its state changes in order', async () => {
    const { id } = await failedOn('events')
    script = works
    await resume(id)
    await settled(id)
    const headers = { Accept: 'application/json' }
    const events = (await service.call('GET', `/v1/agent/executions/${id}/events`, { headers })).json
    const told = events.map((event: { event: string; data: { status?: string; name?: string } }) =>
      event.event === 'status' ? event.data.status : event.data.name,
    )
    const [firstRun, secondRun] = [told.slice(0, told.indexOf('failed')), told.slice(told.indexOf('failed'))]
    expect(firstRun.slice(0, 2)).toEqual(['enqueued', 'running'])
    expect(firstRun).toContain('document.search')
    expect(secondRun).toEqual(['failed', 'enqueued', 'running', 'mine/small', 'completed'])
  })

  test('gets the full timeout_seconds again', async () => {
    const held = Promise.withResolvers<void>()
    script = async (request) => {
      if (!isFirstTurn(request)) await held.promise
      return works(request)
    }
    const failed = await execute('late', { config: { timeout_seconds: 2 } })
    expect(failed).toMatchObject({ status: 'failed', error: { code: 'timeout' } })
    held.resolve()
    script = works
    expect((await resume(failed.id)).status).toBe(200)
    expect(await settled(failed.id)).toMatchObject({ status: 'completed' })
  })

  test.each([
    [
      'its failure',
      async () => (await failedOn('slow', { config: { service_tier: 'flex', timeout_seconds: 60 } })).id as string,
    ],
    [
      'a pause',
      async () => {
        const [asked, held] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
        script = async (request) => {
          asked.resolve()
          await held.promise
          return works(request)
        }
        const body = {
          inputs: { note: { type: 'text', text: 'Note slow\nTotal: 144' } },
          config: { prompt: 'What is the total?', json_schema: schema, service_tier: 'flex', timeout_seconds: 60 },
        }
        const { json } = await service.call('POST', '/v1/agent/execute', { body })
        await asked.promise
        await service.call('POST', `/v1/agent/executions/${json.id}/pause`)
        held.resolve()
        return json.id as string
      },
    ],
  ])('that is resumed after %s loses none of its timeout_seconds while it waits for a slot', async (_, stopped) => {
    const id = await stopped()
    const [asked, held] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    script = async (request) => {
      if (!request.text.includes('Note slow')) {
        asked.resolve()
        await held.promise
      }
      return works(request)
    }
    const other = execute('in the only slot', { config: { service_tier: 'flex' } })
    await asked.promise
    expect(await resume(id)).toMatchObject({ status: 200, json: { status: 'enqueued' } })
    aheadMs += 3_600_000
    held.resolve()
    expect(await other).toMatchObject({ status: 'completed' })
    expect(await settled(id)).toMatchObject({ status: 'completed', error: null })
  })

  test('without a stored parsed document is read again without paying for it', async () => {
    const failed = await failedOn('uncached', { config: { caching: false } })
    script = works
    await resume(failed.id)
    const record = await settled(failed.id)
    expect(record).toMatchObject({ status: 'completed', response: { total: 144 } })
    const steps = (await service.call('GET', `/v1/agent/executions/${failed.id}/steps`)).json
    expect(steps.map(({ name }: { name: string }) => name)).toEqual([
      'document.read',
      'mine/small',
      'document.search',
      'mine/small',
    ])
  })

  test('may fail again, and be resumed again', async () => {
    const { id } = await failedOn('twice')
    expect((await resume(id)).status).toBe(200)
    expect(await settled(id)).toMatchObject({ status: 'failed', error: { code: 'provider_failed' } })
    script = works
    expect((await resume(id)).status).toBe(200)
    expect(await settled(id)).toMatchObject({ status: 'completed' })
    expect((await resume(id)).json.detail).toMatch(/^The execution is completed; /)
  })

  test('shows its error with the failure that it belongs to', async () => {
    const { id } = await failedOn('cancelled')
    const held = Promise.withResolvers<MockTurn>()
    script = () => held.promise
    await resume(id)
    await service.call('POST', `/v1/agent/executions/${id}/cancel`)
    held.resolve(fails)
    const headers = { Accept: 'application/json' }
    const events = (await service.call('GET', `/v1/agent/executions/${id}/events`, { headers })).json
    const failures = events.filter(({ data }: { data: { status?: string } }) => data.status === 'failed')
    expect(failures.map(({ data }: { data: { error?: { code: string } } }) => data.error?.code)).toEqual([
      undefined,
      'cancelled',
    ])
  })
})

test('an execution with a permanent failure, or without retention, is not resumed, and the reply says why', async () => {
  script = works
  const bounded = await execute('bounded', { config: { max_steps: 1 } })
  expect(bounded).toMatchObject({ status: 'failed', error: { code: 'max_steps' } })
  expect(await resume(bounded.id)).toMatchObject({
    status: 409,
    json: { detail: expect.stringMatching(/^The execution failed with max_steps .* Rerun it/) },
  })
  const unkept = await failedOn('unkept', { body: { metadata: { allow_retention: false } } })
  expect(await resume(unkept.id)).toMatchObject({
    status: 409,
    json: { detail: expect.stringMatching(/allow_retention/) },
  })
})

describe('resuming many', () => {
  test('by ids reports how many were resumed, and which were not and why', async () => {
    const failed = [await failedOn('first'), await failedOn('second')]
    script = works
    const done = await execute('done')
    const unknown = crypto.randomUUID()
    const { status, json } = await resumeMany({
      ids: [failed[0].id, done.id, failed[1].id.toUpperCase(), unknown, failed[0].id, 'no id'],
    })
    expect(status).toBe(200)
    expect(json.resumed).toBe(2)
    expect(json.refused).toEqual([
      { id: done.id, reason: expect.stringMatching(/^The execution is completed; /) },
      { id: unknown, reason: expect.stringMatching(/^This workspace has no execution with this id/) },
      { id: 'no id', reason: expect.stringMatching(/^This workspace has no execution with this id/) },
    ])
    for (const { id } of failed) expect(await settled(id)).toMatchObject({ status: 'completed' })
  })

  test('by a filter takes the resumable ones among the executions found', async () => {
    const tagged = { body: { metadata: { session_id: 'of-one-outage' } } }
    const failed = [await failedOn('a', tagged), await failedOn('b', tagged), await failedOn('c', tagged)]
    const other = await failedOn('other')
    script = works
    await execute('d', tagged)
    const filter = { session_id: 'of-one-outage', status: 'failed' }
    expect((await resumeMany({ filter: { ...filter, limit: 1 } })).json).toEqual({ resumed: 1, refused: [] })
    expect((await resumeMany({ filter })).json).toEqual({ resumed: 2, refused: [] })
    for (const { id } of failed) expect(await settled(id)).toMatchObject({ status: 'completed' })
    expect((await resumeMany({ filter })).json).toEqual({ resumed: 0, refused: [] })
    expect((await read(other.id)).status).toBe('failed')
    expect((await resumeMany({ filter: {} })).json.resumed).toBe(1)
  })

  test('takes paused ones with remaining budget, and says what others need', async () => {
    script = works
    const paused = await execute('poor', { config: { max_cost_dollars: 0 } })
    expect(paused).toMatchObject({ status: 'paused' })
    const { json } = await resumeMany({ filter: { status: 'paused' } })
    expect(json).toEqual({
      resumed: 0,
      refused: [{ id: paused.id, reason: expect.stringMatching(/max_cost_dollars/) }],
    })
    await service.call('POST', `/v1/agent/executions/${paused.id}/cancel`)
  })

  test('needs ids or a filter, and refuses unknown filter names', async () => {
    for (const body of [{}, { ids: [], filter: {} }, { filter: { sttus: 'failed' } }, { filter: { limit: 1_001 } }])
      expect((await resumeMany(body)).status, JSON.stringify(body)).toBe(422)
  })

  test('sees only executions of its own workspace', async () => {
    const { id } = await failedOn('mine')
    const key = await service.stranger()
    const call = (body: object) => service.call('POST', '/v1/agent/executions/resume', { key, body })
    expect((await call({ filter: {} })).json).toEqual({ resumed: 0, refused: [] })
    expect((await call({ ids: [id] })).json).toMatchObject({ resumed: 0, refused: [{ id }] })
    expect((await read(id)).status).toBe('failed')
  })
})
