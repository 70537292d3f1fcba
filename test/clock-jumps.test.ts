import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type MockModel, startMockModel } from '../bench/mock-model.ts'
import { type Clock, systemClock } from '../src/kit/clock.ts'
import { openTestHouse, type TestHouse } from './house/house.ts'
import { openReceiver, type Receiver } from './house/receiver.ts'

const hourMs = 3_600_000
const dayMs = 24 * hourMs

/** The machine's clock, set forward or back. */
let aheadMs = 0
const clock: Clock = { ...systemClock, now: () => new Date(Date.now() + aheadMs) }

let model: MockModel
let house: TestHouse
let receiver: Receiver
let folder: string
/** Told when the model is asked; it answers when `answer` is called. */
let asked: PromiseWithResolvers<void>
let answer: () => void

beforeAll(async () => {
  model = await startMockModel({
    script: async () => {
      const held = Promise.withResolvers<void>()
      answer = held.resolve
      asked.resolve()
      await held.promise
      return { text: '{"total":144}', usage: { inputTokens: 100, outputTokens: 10 } }
    },
  })
  receiver = await openReceiver()
  folder = await mkdtemp(join(tmpdir(), 'skillrun-clock-'))
  const file = join(folder, 'configuration.json')
  await writeFile(
    file,
    JSON.stringify({
      providers: { mine: { kind: 'openai-compatible', base_url: model.baseUrl, fast: 'small' } },
      models: { 'mine/small': { input: 2_000_000, output: 12_000_000, output_tokens_max: 1_000, takes: ['text'] } },
    }),
  )
  house = await openTestHouse({
    clock,
    env: { SKILLRUN_CONFIG: file, SKILLRUN_ALLOW_PRIVATE: `127.0.0.1:${receiver.port}` },
  })
})
beforeEach(() => {
  aheadMs = 0
  asked = Promise.withResolvers()
})
afterAll(async () => {
  await house[Symbol.asyncDispose]()
  await receiver[Symbol.asyncDispose]()
  await model[Symbol.asyncDispose]()
  await rm(folder, { recursive: true, force: true })
})

const schema = { type: 'object', properties: { total: { type: 'number' } }, required: ['total'] }
const execute = (more: object = {}, key = house.key) =>
  house.call('POST', '/v1/agent/execute', {
    key,
    body: { batch: false, ...more, config: { prompt: 'What is it?', json_schema: schema, timeout_seconds: 60 } },
  })

test.each([
  ['back by an hour', -hourMs],
  ['forward by a day', dayMs],
])('a clock that is set %s in the middle of a run ends no run, and its callback is told', async (_, jumpMs) => {
  const path = `/ended/${jumpMs}`
  const executing = execute({ callback_url: receiver.url(path) })
  await asked.promise
  aheadMs = jumpMs
  answer()
  const { json } = await executing
  expect(json, JSON.stringify(json.error)).toMatchObject({ status: 'completed', attempts: 1, response: { total: 144 } })
  const [told] = await receiver.got(path, 1)
  expect(JSON.parse(String(told?.body))).toMatchObject({ id: json.id, status: 'completed' })
})

test('a call that begins on one day and ends on the next is paid from the budget of the first', async () => {
  const made = await house.call('POST', '/v1/keys', { body: { name: 'spender', budget_dollars_per_day: 0.02 } })
  const executing = execute({}, made.json.key)
  await asked.promise
  aheadMs = dayMs
  answer()
  expect((await executing).json).toMatchObject({ status: 'completed' })
  const days = await house.database.db.query(
    `select day::text, committed_micros as micros from key_days where key_id = $1`,
    [made.json.id],
  )
  expect(days).toEqual([{ day: new Date().toISOString().slice(0, 10), micros: 320 }])
})

test('a run that goes on after the clock was set back has the time that it asked for, and no more', async () => {
  const config = { prompt: 'What is it?', json_schema: schema, timeout_seconds: 3 }
  const executing = house.call('POST', '/v1/agent/execute', { body: { batch: false, config } })
  await asked.promise
  const [{ id }] = (await house.call('GET', '/v1/agent/executions?limit=1')).json
  await house.call('POST', `/v1/agent/executions/${id}/pause`)
  expect((await executing).json).toMatchObject({ id, status: 'paused' })
  aheadMs = -hourMs
  asked = Promise.withResolvers()
  await house.call('POST', `/v1/agent/executions/${id}/resume`)
  await asked.promise
  // The model says nothing: without its deadline the stream of events would not end.
  await house.call('GET', `/v1/agent/executions/${id}/events`)
  const record = (await house.call('GET', `/v1/agent/executions/${id}`)).json
  expect(record).toMatchObject({ status: 'failed', error: { code: 'timeout' } })
})
