import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import type { Config } from '../packages/server/src/config.ts'
import { type MockRequest, type MockTurn, startMockModel } from './support/mock-model.ts'
import { opened } from './support/opened.ts'
import { type Answer, openTestService } from './support/service.ts'

/** Whether the small model answers the verdict wrongly now. */
let isWrong = false
/** Whether its provider refuses every request now. */
let isDown = false
/** Whether the small model writes no JSON now. */
let isMute = false
/** Whether the small model never answers now. */
let isStuck = false

const facts = { context_tokens: 100_000, output_tokens_max: 1_000, takes: ['text' as const, 'tools' as const] }
const fileOf = (baseUrl: string): Config['file'] => ({
  providers: { mine: { kind: 'openai-compatible', base_url: baseUrl, fast: 'small', pro: 'large' } },
  models: {
    'mine/small': { input: 100_000, cached_input: 10_000, output: 1_000_000, ...facts },
    'mine/large': { input: 2_000_000, cached_input: 200_000, output: 12_000_000, ...facts },
  },
})
/** 1,000 tokens of input and 100 of output. */
const [smallDollars, largeDollars] = [0.0002, 0.0032]

const schema = {
  type: 'object',
  properties: {
    reference: { type: ['string', 'null'], description: 'Reference' },
    verdict: { type: ['string', 'null'], description: 'What the keeper thought of the load' },
    rating: { type: ['integer', 'null'], description: 'How many of ten bags the keeper liked' },
  },
  required: ['reference', 'verdict', 'rating'],
  additionalProperties: false,
}

const verdicts = ['content', 'doubtful', 'pleased', 'cross']
const answerOf = (n: number) => ({ reference: `WS-${7100 + n}`, verdict: verdicts[n % 4] ?? '', rating: n % 10 })
const slip = (n: number) =>
  `Weighing slip\nReference: WS-${7100 + n}\n\nAfter the bags were weighed the keeper was ${answerOf(n).verdict}, and spoke well of ${n % 10} of them.`

/** Answers the fields that it is asked for. */
function script({ text, body }: MockRequest): MockTurn | Promise<MockTurn> {
  const n = Number(/WS-(\d+)/.exec(text)?.[1]) - 7100
  const right = answerOf(n)
  if (body['model'] === 'small' && isDown) return { status: 400 }
  if (body['model'] === 'small' && isStuck) return new Promise(() => {})
  const usage = { inputTokens: 1_000, outputTokens: 100 }
  if (body['model'] === 'small' && isMute) return { text: 'I would rather not say.', usage }
  const answer = body['model'] === 'small' && isWrong ? { ...right, verdict: 'unmoved' } : right
  const asked = Object.entries(answer).filter(([name]) => text.includes(`"${name}":{`))
  return { text: JSON.stringify(Object.fromEntries(asked)), usage }
}

const model = await opened(startMockModel({ script }))
const service = await opened(openTestService({ file: fileOf(model.baseUrl) }))

const bodyOf = (n: number, config: object = {}, rest: object = {}) => ({
  model: 'svc-agent-1:pro',
  inputs: { slip: { type: 'text', text: slip(n) } },
  config: { json_schema: schema, path: 'cheapest', max_wrong_rate: 0.2, ...config },
  ...rest,
})

async function execute(n: number, config: object = {}, rest: object = {}): Promise<Answer['json']> {
  return service.execute(bodyOf(n, config, rest))
}

/** Which executions are checked depends on their ids. */
const idOf = (n: number): string =>
  createHash('sha256')
    .update(`slip 43 ${n}`)
    .digest('hex')
    .replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/, '$1-$2-4$3-8$4-$5')

/** The streams of this file begin where an earlier one ended: what was learned stays. */
let next = 0
async function stream(count: number): Promise<Answer['json'][]> {
  const records: Answer['json'][] = []
  for (const end = next + count; next < end; next += 1) {
    const record = await execute(next, {}, { id: idOf(next) })
    expect(record, JSON.stringify(record.error)).toMatchObject({ status: 'completed' })
    records.push({ ...record, isRight: JSON.stringify(record.response) === JSON.stringify(answerOf(next)) })
  }
  return records
}
const engineOf = (record: Answer['json'], field: string): string => record.path.fields[field]
const callsOf = (records: Answer['json'][], engine: string): number =>
  records.reduce((sum, { path }) => sum + (path.engines[engine]?.calls ?? 0), 0)
const estimate = async (key?: string) =>
  (await service.call('POST', '/v1/agent/estimate', { body: bodyOf(1), ...(key && { key }) })).json.path

test('at first the large model answers what the rules leave, and the small one is asked too', async () => {
  expect(await estimate()).toMatchObject({
    executions: 0,
    asked: { embedded: {}, 'mine/small': { expected: 1 }, 'mine/large': { low: 0, expected: 1, high: 1 } },
    fields: {},
  })
  const [record] = await stream(1)
  expect(record).toMatchObject({
    response: answerOf(0),
    path: {
      max_wrong_rate: 0.2,
      checked: false,
      fields: { '/reference': 'rules', '/verdict': 'mine/large', '/rating': 'mine/large' },
      engines: {
        'mine/small': { calls: 1, standard_cost_dollars: smallDollars },
        'mine/large': { calls: 1, standard_cost_dollars: largeDollars },
      },
    },
    model_selection: { resolved: 'mine/large' },
    usage: { standard_cost_dollars: 0.0034 },
    evidence: { '/reference': { quote: 'WS-7100' }, '/verdict': { status: 'verified' } },
    warnings: [],
  })
  expect(model.requests).toHaveLength(2)
  for (const { text } of model.requests) expect(text).not.toContain('"reference":{')
})

test('a proven small model answers, and the large one checks a share; a small model that turns wrong stops answering', async () => {
  const learning = await stream(49)
  const proven = await stream(60)
  const checked = proven.filter(({ path }) => path.checked)
  expect(checked.length).toBeGreaterThan(0)
  expect(callsOf(proven, 'mine/large')).toBe(checked.length)
  expect(checked.length).toBeLessThan(12)
  for (const record of proven)
    expect(record).toMatchObject({
      isRight: true,
      path: { fields: { '/verdict': record.path.checked ? 'mine/large' : 'mine/small' } },
    })
  const before = await estimate()
  expect(before).toMatchObject({ executions: 110, by: 'path', asked: { embedded: { expected: 1 } } })
  const { low, expected, high } = before.asked['mine/large']
  expect(expected).toBeCloseTo((callsOf(learning, 'mine/large') + 1 + checked.length) / 110)
  expect(low).toBeLessThan(expected)
  expect(high).toBeGreaterThan(expected)

  isWrong = true
  const wrong = await stream(60)
  isWrong = false
  const given = wrong.findLastIndex((record) => !record.isRight)
  expect(given).toBeLessThan(10)
  for (const record of wrong.slice(given + 1)) expect(engineOf(record, '/verdict')).toBe('mine/large')
  // The other field stays proven.
  expect(wrong.slice(given + 1).some((record) => engineOf(record, '/rating') === 'mine/small')).toBe(true)
}, 300_000)

test('another workspace begins anew, and so does another question', async () => {
  const key = await service.stranger()
  expect(await estimate(key)).toMatchObject({ executions: 0, by: 'prices' })
  // What the large model alone cost tells how many tokens the path will take.
  await service.execute(bodyOf(5, { path: null }), { key })
  const { by, cost } = await estimate(key)
  expect(by).toBe('agent')
  expect(cost.standard.expected_dollars).toBeGreaterThan(largeDollars)
  expect(cost.standard.expected_dollars).toBeLessThan(largeDollars + 2 * smallDollars)
  const json = await service.execute(bodyOf(5), { key })
  expect(json.path.fields).toMatchObject({ '/rating': 'mine/large' })
  const other = await execute(6, { prompt: 'Read the slip' })
  expect(other.path.fields).toMatchObject({ '/rating': 'mine/large' })
  const stricter = await execute(6, { max_wrong_rate: 0.1 })
  expect(stricter.path.fields).toMatchObject({ '/rating': 'mine/large' })
})

test('what must not be kept teaches nothing: where nothing is proven, the small model is not asked', async () => {
  const before = await service.database.db.query('select * from paths order by key_sha256')
  const unkept = { metadata: { allow_retention: false } }
  const record = await execute(7, { prompt: 'Read the other slip' }, unkept)
  expect(record.path.engines).not.toHaveProperty('mine/small')
  const proven = await execute(8, {}, unkept)
  // The verdict was proven as a whole, and that is lost; what is found in the document was judged too seldom since to be proven by itself.
  expect(proven.path).toMatchObject({ checked: false, fields: { '/rating': 'mine/small', '/verdict': 'mine/large' } })
  expect(await service.database.db.query('select * from paths order by key_sha256')).toEqual(before)
})

test('a replay of either kind asks no model and gives the same answer', async () => {
  for (const n of [0, 60, 140]) {
    const asked = model.requests.length
    const { json } = await service.call('POST', `/v1/agent/executions/${idOf(n)}/replay`)
    expect(json, JSON.stringify(json)).toMatchObject({ equal: true, differences: [], model_calls: 0 })
    expect(model.requests).toHaveLength(asked)
  }
})

test('rules that were wrong once are judged beside the model, and answer again after ten right answers', async () => {
  const prompt = 'Extract the fields of the slip'
  const engineFor = async (n: number) => engineOf(await execute(n, { prompt }, { id: idOf(n) }), '/reference')
  await engineFor(200)
  const wrong = { '/reference': { k: 1, n: 1, recent: [true], epoch: 1, isProven: false } }
  await service.database.db.query(
    `update paths set standings = jsonb_set(standings::jsonb, '{rules}', $1::jsonb)::json
      where created_at = (select max(created_at) from paths)`,
    [JSON.stringify(wrong)],
  )
  const [inDoubt, after]: [string[], string[]] = [[], []]
  for (let n = 201; n <= 210; n += 1) inDoubt.push(await engineFor(n))
  expect(inDoubt).not.toContain('rules')
  // A document that is checked shows the large model's answers.
  for (let n = 211; n <= 214; n += 1) after.push(await engineFor(n))
  expect(after).toContain('rules')
})

test('where the small model fails the large one answers, and a replay does too', async () => {
  isDown = true
  const record = await execute(10, { prompt: 'Read this slip' })
  isDown = false
  expect(record).toMatchObject({ status: 'completed', path: { fields: { '/rating': 'mine/large' } } })
  const asked = model.requests.length
  const { json } = await service.call('POST', `/v1/agent/executions/${record.id}/replay`)
  expect(json, JSON.stringify(json)).toMatchObject({ equal: true, differences: [], model_calls: 0 })
  expect(model.requests).toHaveLength(asked)
})

test('what only teaches is left out where the limits of a request leave no room for it', async () => {
  const prompt = 'Read the limited slip'
  const steps = await execute(20, { prompt, max_steps: 2 }, { id: idOf(603) })
  expect(steps, JSON.stringify(steps.error)).toMatchObject({
    status: 'completed',
    response: answerOf(20),
    path: { engines: { 'mine/large': { calls: 1 } } },
  })
  expect(steps.path.engines).not.toHaveProperty('mine/small')
  // What the large model costs is less than its worst case, which must fit.
  const asked = { inputs: { slip: { type: 'text', text: slip(21) } } }
  const dollars = async (max: number) => execute(21, { prompt, max_cost_dollars: max }, asked)
  const enough = await dollars(1)
  expect(enough.path.engines).toMatchObject({ 'mine/small': { calls: 1 }, 'mine/large': { calls: 1 } })
  let least = 0.004
  let record = await dollars(least)
  for (; record.status === 'paused'; record = await dollars(least)) least += 0.0005
  expect(record, JSON.stringify(record.error)).toMatchObject({ status: 'completed', response: answerOf(21) })
  for (const one of [steps, record]) {
    const { json } = await service.call('POST', `/v1/agent/executions/${one.id}/replay`)
    expect(json, JSON.stringify(json)).toMatchObject({ equal: true, differences: [], model_calls: 0 })
  }
})

test('a small model that does not answer gets half of the time of a request at most, and the answer is given', async () => {
  isStuck = true
  const record = await execute(22, { prompt: 'Read the slip of the stuck model', timeout_seconds: 12 })
  isStuck = false
  expect(record, JSON.stringify(record.error)).toMatchObject({
    ...{ status: 'completed', response: answerOf(22), path: { engines: { 'mine/large': { calls: 1 } } } },
  })
  expect(model.requests.at(-1)?.body['model']).toBe('small')
  const { json } = await service.call('POST', `/v1/agent/executions/${record.id}/replay`)
  expect(json, JSON.stringify(json)).toMatchObject({ equal: true, differences: [], model_calls: 0 })
})

test('a small model that never gives JSON is dropped, and is asked again in checks until it answers', async () => {
  const prompt = 'Read the slip of the mute model'
  const calls = async (n: number) => {
    const record = await execute(n, { prompt }, { id: idOf(n) })
    expect(record, JSON.stringify(record.error)).toMatchObject({ status: 'completed', response: answerOf(n) })
    const { checked, engines } = record.path
    return { checked, small: engines['mine/small']?.calls ?? 0 }
  }
  isMute = true
  const records = []
  for (let n = 300; n < 340; n += 1) records.push(await calls(n))
  expect(records.slice(0, 9).every(({ small }) => small > 0)).toBe(true)
  for (const { checked, small } of records.slice(9)) expect(small > 0).toBe(checked)
  expect(records.slice(9).some(({ checked }) => checked)).toBe(true)
  isMute = false
  // After at most three checks with answers it is asked every time again.
  let checks = 0
  for (let n = 340; n < 500; n += 1) {
    const { checked, small } = await calls(n)
    if (!checked && small > 0) break
    checks += Number(checked)
  }
  expect(checks).toBeGreaterThan(0)
  expect(checks).toBeLessThanOrEqual(3)
}, 300_000)

test('a review judges the rung that gave a value, once, is corrected by a later one, and overrules a large model that made the same mistake', async () => {
  const prompt = 'Extract the fields of this slip'
  const standings = async () =>
    (
      await service.database.db.query<{ standings: Record<string, Record<string, { k: number; n: number }>> }>(
        'select standings from paths order by created_at desc limit 1',
      )
    )[0]?.standings
  const review = async (id: string, changes: object[]) =>
    expect(
      (await service.call('POST', `/v1/agent/executions/${id}/review`, { body: { changes, done: true } })).status,
    ).toBe(200)
  const first = await execute(30, { prompt }, { id: idOf(600) })
  expect(first.path.fields).toMatchObject({ '/reference': 'rules', '/rating': 'mine/large' })
  expect(await standings()).toMatchObject({ model: { '/rating': { k: 0, n: 1 }, '/verdict': { k: 0, n: 1 } } })
  const changes = [
    { path: '/reference', value: 'another' },
    { path: '/rating', value: 77 },
  ]
  await review(first.id, changes)
  const judged = {
    rules: { '/reference': { k: 1, n: 1 } },
    model: { '/rating': { k: 1, n: 1 }, '/verdict': { k: 0, n: 1 } },
  }
  expect(await standings()).toMatchObject(judged)
  // A second review of the same answer, and a review of what may teach nothing, count nothing.
  await review(first.id, [{ path: '/rating', value: 78 }])
  const unkept = await execute(31, { prompt }, { id: idOf(601), metadata: { allow_training: false } })
  await review(unkept.id, changes)
  expect(await standings()).toMatchObject(judged)
  // What it found right may be found wrong later.
  const { verdict } = first.response
  const opposite = verdict === 'pass' ? 'fail' : 'pass'
  await review(first.id, [{ path: '/verdict', value: opposite }])
  const taken = await standings()
  expect(taken).toMatchObject({ ...judged, model: { '/rating': { k: 1, n: 1 }, '/verdict': { k: 1, n: 1 } } })
  // And once only, also where people change their mind again.
  for (const value of [verdict, opposite]) {
    await review(first.id, [{ path: '/verdict', value }])
    expect(await standings()).toEqual(taken)
  }
  // The rules are in doubt now: ten right answers in a row are needed.
  const next = await execute(32, { prompt }, { id: idOf(602) })
  expect(next.path.fields).toMatchObject({ '/reference': 'mine/large' })
})

test('an object that may be null is one field: its answer is taken whole', async () => {
  const nullable = { ...schema, type: ['object', 'null'] }
  const json_schema = {
    type: 'object',
    properties: { slip: nullable },
    required: ['slip'],
    additionalProperties: false,
  }
  const json = await service.execute(bodyOf(11, { json_schema }))
  expect(Object.keys(json.path.fields)).toEqual(['/slip'])
})

test('a schema whose fields cannot be separated, a request without a schema and one without a path are answered by one model', async () => {
  const related = await execute(9, { json_schema: { ...schema, minProperties: 1 } })
  expect(related).toMatchObject({ path: null, response: answerOf(9), warnings: [{ code: 'no_path' }, {}] })
  const prose = await execute(9, { json_schema: null, prompt: 'Read the slip' })
  expect(prose).toMatchObject({ path: null, warnings: [{ code: 'no_path' }, {}] })
  for (const one of [related, prose]) {
    const replay = await service.call('POST', `/v1/agent/executions/${one.id}/replay`)
    expect(replay.json, JSON.stringify(replay.json)).toMatchObject({ equal: true, differences: [] })
  }
  expect(await execute(9, { path: null })).toMatchObject({ path: null, response: answerOf(9) })
  const { status, json } = await service.call('POST', '/v1/agent/execute', { body: bodyOf(1, { path: 'dearest' }) })
  expect(status).toBe(422)
  expect(JSON.stringify(json)).toContain('cheapest')
})
