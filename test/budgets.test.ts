import { describe, expect, test } from 'vitest'
import { type Clock, systemClock } from '../packages/core/src/clock.ts'
import { openHeldSource } from './support/held-source.ts'
import { startMockModel } from './support/mock-model.ts'
import { opened } from './support/opened.ts'
import { openTestService } from './support/service.ts'
import { settledRecord, until } from './support/until.ts'
import { zipOf } from './support/zips.ts'

const dayMs = 24 * 3_600_000
let aheadMs = 0
const clock: Clock = { ...systemClock, now: () => new Date(Date.now() + aheadMs) }

const source = await opened(openHeldSource('Sent today'))
/** A model that asks at once for a call that no budget allows and for one that a person must approve. */
const model = await opened(
  startMockModel({
    script: () => ({
      toolCalls: [
        { name: 'core_calculate', input: { formulas: ['1 + 1'] } },
        { name: 'document_search', input: { input: 'note', query: 'Total' } },
      ],
    }),
  }),
)
const service = await opened(
  openTestService({
    clock,
    env: { SKILLRUN_ALLOW_PRIVATE: source.host },
    config: {
      providers: [{ name: 'mine', kind: 'openai-compatible', baseUrl: model.baseUrl }],
      file: {
        routes: { 'svc-agent-1:auto': 'embedded', 'svc-agent-1:pro': 'mine/one' },
        prices: {
          tools: { 'document.read': 0.003333, embedded: 0.001, 'document.search': 0.001, 'core.calculate': 0.01 },
        },
      },
    },
  }),
)

const schema = { type: 'object', properties: { total: { type: ['number', 'null'] } }, required: ['total'] }
const note = (text: string) => ({ type: 'text', text })
const execute = (config: object, more: { key?: string; inputs?: object } = {}) =>
  service.execute(
    {
      inputs: more.inputs ?? { note: note(`Receipt ${crypto.randomUUID()}\nTotal: EUR 12.50`) },
      config: { prompt: 'Extract the total', json_schema: schema, ...config },
    },
    { ...(more.key ? { key: more.key } : {}) },
  )
const resume = (id: string, body?: object, key = service.key) =>
  service.call('POST', `/v1/agent/executions/${id}/resume`, { key, ...(body ? { body } : {}) })
const stepsOf = async (id: string) =>
  (await service.call('GET', `/v1/agent/executions/${id}/steps`)).json.map((step: { name: string }) => step.name)

const settled = (id: string) => settledRecord(service, id)
const read = async (id: string) => (await service.call('GET', `/v1/agent/executions/${id}`)).json

async function ledger(id: string) {
  const [row] = await service.database.db.query(
    `select coalesce(sum(micros) filter (where kind = 'settle'), 0)::bigint as settled,
       coalesce(sum(case kind when 'reserve' then micros else -micros end), 0)::bigint as open,
       (select committed_micros from executions where id = $1) as committed
     from ledger where execution_id = $1`,
    [id],
  )
  return row
}

describe('fixed prices of tools and engines', () => {
  test('are in the ledger to the micro-dollar, whatever rounding the tier causes', async () => {
    for (const [service_tier, micros] of [
      ['standard', 3 * 3333 + 1000],
      ['flex', (3 * 3333 + 1000 + 1) / 2],
      ['priority', Math.floor((3 * 3333 + 1000) * 1.8 + 0.5)],
    ] as const) {
      const inputs = { a: note('Total: 1.00'), b: note(`Sent ${service_tier}`), c: note('Thank you') }
      const record = await execute({ service_tier }, { inputs })
      expect(record.usage.cost_dollars).toBe(micros / 1e6)
      expect(await ledger(record.id)).toEqual({ settled: micros, open: 0, committed: micros })
    }
  })

  test('are limited by max_cost_dollars: the run pauses before the step, keeps its work, and continues with a new limit', async () => {
    const record = await execute({ max_cost_dollars: 0.004 })
    expect(record).toMatchObject({ status: 'paused', response: null, completed_at: null })
    expect(record.usage.message).toContain(
      'The next call may cost $0.001, which would exceed max_cost_dollars of $0.004',
    )
    expect(await stepsOf(record.id)).toEqual(['document.read'])
    for (const body of [undefined, { max_cost_dollars: 0.004332 }])
      expect(await resume(record.id, body)).toMatchObject({
        status: 409,
        json: {
          detail: expect.stringMatching(/has cost \$0\.003333 so far.*max_cost_dollars of \$0\.004333 or more$/),
        },
      })
    expect((await resume(record.id, { max_cost_dollars: 0.004333 })).status).toBe(200)
    expect(await settled(record.id)).toMatchObject({ status: 'completed', response: { total: 12.5 } })
    expect(await stepsOf(record.id)).toEqual(['document.read', 'embedded'])
    expect(await ledger(record.id)).toEqual({ settled: 4333, open: 0, committed: 4333 })
  })

  test('never exceed max_cost_dollars by a rounding of the tier', async () => {
    const inputs = { a: note('Total: 1.00'), b: note('Sent by hand') }
    // Each page costs 5,999.4 micro-dollars, both 11,998.8.
    const { id, status } = await execute({ service_tier: 'priority', max_cost_dollars: 0.011998 }, { inputs })
    expect(status).toBe('paused')
    expect(await ledger(id)).toMatchObject({ open: 0, committed: 5999 })
  })

  test('fail a run that needs a higher limit after as many pauses as an execution may have', async () => {
    const inputs = { a: note('Total: 1.00'), b: note('Sent today') }
    const { id } = await execute({ max_cost_dollars: 0.004 }, { inputs })
    await service.database.db.query(
      'update executions set moves = to_jsonb(array_fill(moves->-1, array[1000])) where id = $1',
      [id],
    )
    expect((await resume(id, { max_cost_dollars: 0.0068 })).status).toBe(200)
    expect(await settled(id)).toMatchObject({
      status: 'failed',
      error: { code: 'too_many_pauses', message: expect.stringContaining('needs a higher limit of cost') },
    })
  })

  test('are not asked again for what a run has paid since they refused it', async () => {
    const file = await service.upload(Buffer.from('Total: EUR 12.50'), 'receipt.txt')
    const inputs = {
      a: { type: 'input_file', file_id: file.id },
      b: { type: 'file_url', file_url: { url: source.url('later') } },
    }
    const { id } = await execute({ max_cost_dollars: 0.001 }, { inputs })
    // Enough for both documents and the answer.
    expect((await resume(id, { max_cost_dollars: 0.007666 })).status).toBe(200)
    await until(async () => ((await stepsOf(id)).length === 1 ? true : undefined))
    await service.call('POST', `/v1/agent/executions/${id}/pause`)
    source.letGo('later')
    await until(async () => ((await stepsOf(id)).length === 2 ? true : undefined))
    expect((await resume(id)).status).toBe(200)
    expect(await settled(id)).toMatchObject({ status: 'completed', response: { total: 12.5 } })
  })

  test('use up no approval of a call that they do not allow', async () => {
    const config = { prompt: 'document.search({"query": "Total"})', require_approval: { tools: ['document.search'] } }
    const inputs = { note: note('Total: EUR 12.50') }
    const { id, status } = await execute({ ...config, json_schema: null, max_cost_dollars: 0.004 }, { inputs })
    expect(status).toBe('paused')
    let approvals = 0
    for (let record = await read(id); record.status === 'paused'; record = await settled(id)) {
      if (record.approval?.decision === null) {
        approvals += 1
        await service.call('POST', `/v1/agent/executions/${id}/approve`, { body: {} })
      } else expect((await resume(id, { max_cost_dollars: 0.01 })).status).toBe(200)
    }
    expect(await read(id)).toMatchObject({ status: 'completed', error: null })
    expect(approvals).toBe(1)
  })

  test('reserve nothing while a run is paused, also for a call that would have waited for an approval', async () => {
    const { id, status, usage } = await service.execute({
      inputs: { note: note('Total: EUR 12.50') },
      model: 'svc-agent-1:pro',
      config: {
        prompt: 'Extract the total',
        json_schema: schema,
        require_approval: { tools: ['document.search'] },
        max_cost_dollars: 0.005,
      },
    })
    expect({ status, usage }).toMatchObject({ status: 'paused', usage: { message: expect.stringContaining('$0.01') } })
    expect(await ledger(id)).toMatchObject({ open: 0, committed: 3333 })
  })

  test('do not count for a file of an archive that could not be read', async () => {
    const zip = zipOf({ 'a.pdf': '%PDF-1.7 broken', 'b.txt': 'Total: EUR 12.50' })
    const file = await service.upload(zip, 'mixed.zip')
    const inputs = { files: { type: 'input_file', file_id: file.id } }
    const record = await execute({ max_cost_dollars: 0.005 }, { inputs })
    expect(record).toMatchObject({ status: 'completed', response: { total: 12.5 } })
    expect(await ledger(record.id)).toEqual({ settled: 4333, open: 0, committed: 4333 })
  })

  test('are never charged with a limit of zero', async () => {
    const record = await execute({ max_cost_dollars: 0 })
    expect(record.status).toBe('paused')
    expect(await stepsOf(record.id)).toEqual([])
    expect(await ledger(record.id)).toEqual({ settled: 0, open: 0, committed: 0 })
    expect((await service.call('POST', `/v1/agent/executions/${record.id}/cancel`)).json.status).toBe('failed')
  })

  test('of a failed step are released', async () => {
    const file = await service.upload(Buffer.from(`%PDF-1.7\n${'nothing of a PDF '.repeat(9)}`), 'broken.pdf')
    const record = await execute({}, { inputs: { file: { type: 'input_file', file_id: file.id } } })
    expect(record).toMatchObject({ status: 'failed', usage: { cost_dollars: 0 } })
    expect(await ledger(record.id)).toEqual({ settled: 0, open: 0, committed: 0 })
  })
})

describe("a key's budget of a day", () => {
  const keyWith = async (budget_dollars_per_day: number) =>
    (await service.call('POST', '/v1/keys', { body: { budget_dollars_per_day } })).json.key as string

  test('pauses executions beyond it, and continues them on the next day and not before', async () => {
    const key = await keyWith(0.005)
    expect((await execute({}, { key })).status).toBe('completed')
    const pauses = async () =>
      Number(
        /^skillrun_budget_pauses_total\{tier="standard"\} (\d+)/m.exec(
          (await service.call('GET', '/metrics')).json,
        )?.[1] ?? 0,
      )
    const before = await pauses()
    const record = await execute({}, { key })
    expect(record.status).toBe('paused')
    expect(await pauses()).toBe(before + 1)
    expect(await resume(record.id, { max_cost_dollars: 1 }, key)).toMatchObject({
      status: 409,
      json: { detail: expect.stringMatching(/key's daily budget of \$0\.005.*resume it on another day \(UTC\)/) },
    })
    aheadMs = dayMs
    expect((await resume(record.id, undefined, key)).status).toBe(200)
    expect(await settled(record.id)).toMatchObject({ status: 'completed' })
    aheadMs = 0
  })

  test('holds for many concurrent executions', async () => {
    const key = await keyWith(0.004333 * 3 + 0.003)
    const records = await Promise.all(Array.from({ length: 12 }, () => execute({}, { key })))
    const spent = records.reduce((sum, { id }) => sum + (id ? 1 : 0), 0)
    expect(spent).toBe(12)
    const sums = await Promise.all(records.map(({ id }) => ledger(id) as Promise<{ settled: number; open: number }>))
    expect(sums.every(({ open }) => open === 0)).toBe(true)
    const total = sums.reduce((sum, { settled: micros }) => sum + micros, 0)
    expect(total).toBeGreaterThan(0)
    expect(total).toBeLessThanOrEqual(4333 * 3 + 3000)
    expect(new Set(records.map(({ status }) => status))).toContain('paused')
  })
})

test.each([
  ['max_cost_dollars', -1, /greater than or equal to 0/],
  ['max_cost_dollars', 1e12, /less than or equal to 1000000/],
  ['max_cost_dollars', '5', /number/],
  ['max_steps', 0, /greater than or equal to 1/],
  ['max_steps', 1e9, /less than or equal to 10000/],
  ['max_steps', 1.5, /integer/],
  ['timeout_seconds', 0, /greater than 0/],
  ['timeout_seconds', 1e9, /less than or equal to 86400/],
  ['service_tier', 'gold', /"auto", "default", "standard", "flex", "priority"/],
])('%s of %j is refused with the allowed values, and nothing is recorded', async (field, value, words) => {
  const before = (await service.call('GET', '/v1/agent/executions?limit=1')).json[0]?.id
  const body = { inputs: { note: 'Total: 1.00' }, config: { prompt: 'Extract the total', [field]: value } }
  const { status, json } = await service.call('POST', '/v1/agent/execute', { body })
  expect(status).toBe(422)
  expect(json.detail).toEqual([
    expect.objectContaining({ loc: ['body', 'config', field], msg: expect.stringMatching(words) }),
  ])
  expect((await service.call('GET', '/v1/agent/executions?limit=1')).json[0]?.id).toBe(before)
})
