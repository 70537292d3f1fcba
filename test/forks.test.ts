import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Place, skillrun } from '../packages/cli/src/command-line.ts'
import type { Json } from '../packages/core/src/json.ts'
import { invoiceLines, invoiceSchema, makePdf } from './support/documents.ts'
import { type MockRequest, type MockTurn, startMockModel } from './support/mock-model.ts'
import { opened } from './support/opened.ts'
import { type Answer, openTestService } from './support/service.ts'
import { fileOfSmallModel } from './support/small-model.ts'
import { temporaryFolder } from './support/temporary-folder.ts'
import { lookAgain } from './support/until.ts'

const folder = await temporaryFolder('forks', afterAll)
let place: Place
let script: (request: MockRequest) => MockTurn

const model = await opened(startMockModel({ script: (request) => script(request) }))
const service = await opened(
  openTestService({
    file: { ...fileOfSmallModel(model.baseUrl), routes: { 'svc-agent-1:pro': 'embedded' } },
  }),
)
const invoice = await service.upload(await makePdf([invoiceLines]), 'invoice.pdf')
beforeAll(async () => {
  place = { folder, environment: { SKILLRUN_URL: service.url, SKILLRUN_API_KEY: service.key } }
})

const embedded = 'svc-agent-1:pro'
const usage = { inputTokens: 100, outputTokens: 10 }
/** One turn at 2 and 12 dollars per million tokens. */
const turnDollars = (100 * 2 + 10 * 12) / 1e6
const says = (answer: Json): MockTurn => ({ text: JSON.stringify(answer), usage })
const answer = { invoice_number: 'INV-2041', invoice_date: '2026-03-14', total: 144 }
const config = { prompt: 'Extract the fields of this invoice', json_schema: invoiceSchema }

async function execute(body: object = {}): Promise<Answer['json']> {
  const inputs = { invoice: { type: 'input_file', file_id: invoice.id } }
  return service.execute({ model: 'svc-agent-1:fast', inputs, config, ...body })
}
const fork = (id: string, body: object, headers = {}) =>
  service.call('POST', `/v1/agent/executions/${id}/fork`, { body: { batch: false, ...body }, headers })
async function forked(id: string, body: object): Promise<Answer['json']> {
  const { status, json } = await fork(id, body)
  expect(status, JSON.stringify(json)).toBe(201)
  return json
}
const stepsOf = async (id: string): Promise<Answer['json'][]> =>
  (await service.call('GET', `/v1/agent/executions/${id}/steps`)).json
const namesOf = async (id: string) => (await stepsOf(id)).map(({ name }) => name)

/** Reads, calls two tools in one turn, then answers: steps 1 to 5. */
const looped = ({ results }: MockRequest): MockTurn =>
  results.length === 0
    ? {
        toolCalls: [
          { name: 'core_calculate', input: { formulas: ['120 + 24'] } },
          { name: 'document_search', input: { query: 'total' } },
        ],
        usage,
      }
    : says(answer)
const loopedNames = ['document.read', 'mine/small', 'core.calculate', 'document.search', 'mine/small']

async function runLooped(): Promise<Answer['json']> {
  script = looped
  const record = await execute()
  expect((await namesOf(record.id)).toSorted()).toEqual(loopedNames.toSorted())
  expect(record).toMatchObject({ status: 'completed', response: answer, forked_from: null })
  return record
}

describe('a fork', () => {
  test('with another prompt keeps the steps before it, asks the model once, and counts only that turn', async () => {
    const first = await runLooped()
    const steps = await stepsOf(first.id)
    const asked = model.requests.length
    script = ({ text }) => says({ ...answer, total: text.includes('in cents') ? 14_400 : 0 })
    const made = await forked(first.id, { from_step: 5, config: { prompt: 'Give the total in cents' } })
    expect(made).toMatchObject({
      status: 'completed',
      forked_from: first.id,
      response: { total: 14_400 },
      usage: { steps: 1, elements_processed: null, standard_cost_dollars: turnDollars },
    })
    expect(model.requests).toHaveLength(asked + 1)
    expect(model.requests.at(-1)?.results).toHaveLength(2)
    const kept = (await stepsOf(made.id)).slice(0, 4)
    expect(kept).toEqual(steps.slice(0, 4).map((step) => ({ ...step, attempt: 0, cost_dollars: 0 })))
    // The first execution is as it was.
    expect(await stepsOf(first.id)).toEqual(steps)
    expect((await service.call('GET', `/v1/agent/executions/${first.id}`)).json).toEqual(first)
    const { json: ledger } = await service.call('GET', '/v1/usage')
    expect(JSON.stringify(ledger)).toContain('cost')
  })

  test('with another result of a tool goes on from that result', async () => {
    const first = await runLooped()
    script = ({ results }) => says({ ...answer, total: results.some((text) => text.includes('4711')) ? 4711 : 0 })
    const seq = (await stepsOf(first.id)).find(({ name }) => name === 'core.calculate').seq
    const made = await forked(first.id, { from_step: 5, tool_results: { [seq]: { results: [4711] } } })
    expect(made).toMatchObject({ status: 'completed', response: { total: 4711 } })
    expect((await stepsOf(made.id))[seq - 1]).toMatchObject({ result: { output: { results: [4711] }, failed: false } })
  })

  test('from a call of a tool calls the tool again, and not those that are kept', async () => {
    const first = await runLooped()
    const asked = model.requests.length
    const made = await forked(first.id, { from_step: 4 })
    expect(made).toMatchObject({ status: 'completed', response: answer, usage: { steps: 2 } })
    expect(await namesOf(made.id)).toEqual(await namesOf(first.id))
    expect((await stepsOf(made.id)).map(({ attempt }) => attempt)).toEqual([0, 0, 0, 1, 1])
    expect(model.requests).toHaveLength(asked + 1)
  })

  test('of the embedded engine with another schema does not read the input again', async () => {
    const first = await execute({ model: embedded })
    expect(await namesOf(first.id)).toEqual(['document.read', 'embedded'])
    const { properties } = invoiceSchema
    const json_schema = { type: 'object', properties: { invoice_number: properties.invoice_number } }
    const made = await forked(first.id, { from_step: 2, config: { json_schema } })
    expect(made).toMatchObject({ status: 'completed', response: { invoice_number: 'INV-2041' }, usage: { steps: 1 } })
    expect(Object.keys(made.response)).toEqual(['invoice_number'])
  })

  test('to another model goes from the embedded engine to a language model', async () => {
    const first = await execute({ model: embedded })
    script = () => says(answer)
    const made = await forked(first.id, { from_step: 2, config: { model: 'svc-agent-1:fast' } })
    expect(made).toMatchObject({ status: 'completed', model: 'svc-agent-1:fast', usage: { steps: 1 } })
    expect((await forked(first.id, { from_step: 2, model: 'svc-agent-1:fast' })).model).toBe('svc-agent-1:fast')
  })

  test('of a program that a model wrote runs the program again with another result of its call', async () => {
    const source = `export default async function run(tools: Tools) {
  const got = await tools.core.calculate({ formulas: ['1 + 1'] })
  return { invoice_number: null, invoice_date: null, total: JSON.stringify(got).includes('4711') ? 4711 : 2 }
}`
    script = () => ({ text: `\`\`\`ts\n${source}\n\`\`\``, usage })
    const first = await execute({ model: 'svc-agent-2:fast' })
    const names = ['document.read', 'mine/small', 'core.calculate', 'program.run']
    expect(await namesOf(first.id)).toEqual(names)
    const asked = model.requests.length
    const made = await forked(first.id, { from_step: 4, tool_results: { 3: { results: [4711] } } })
    expect(made, JSON.stringify(made)).toMatchObject({ status: 'completed', response: { total: 4711 } })
    expect(model.requests).toHaveLength(asked)
    expect(await fork(first.id, { from_step: 3, config: { model: 'svc-agent-1:fast' } })).toMatchObject({
      status: 409,
      json: { detail: expect.stringContaining('Step 2 (mine/small) would be kept') },
    })
  })

  test('that pauses for its budget goes on where it was, and pays for its own turns alone', async () => {
    const first = await runLooped()
    script = ({ results }) =>
      results.length < 3
        ? { toolCalls: [{ name: 'core_calculate', input: { formulas: ['1 + 2'] } }], usage }
        : says({ ...answer, total: 3 })
    const paused = await forked(first.id, { from_step: 5, config: { max_cost_dollars: 0.000_001 } })
    expect(paused).toMatchObject({ status: 'paused', forked_from: first.id })
    const asked = model.requests.length
    await service.call('POST', `/v1/agent/executions/${paused.id}/resume`, { body: { max_cost_dollars: 1 } })
    for (;;) {
      const { json } = await service.call('GET', `/v1/agent/executions/${paused.id}`)
      if (json.status !== 'completed') {
        await lookAgain()
        continue
      }
      expect(json).toMatchObject({
        response: { total: 3 },
        usage: { steps: 3, standard_cost_dollars: 2 * turnDollars },
      })
      break
    }
    expect(model.requests).toHaveLength(asked + 2)
  })

  test('is made once for one Idempotency-Key, and other words under that key are refused', async () => {
    const first = await runLooped()
    const headers = { 'Idempotency-Key': 'one-fork' }
    const [one, other] = await Promise.all([
      fork(first.id, { from_step: 5 }, headers),
      fork(first.id, { from_step: 5 }, headers),
    ])
    expect([one.status, other.status, one.json.id]).toEqual([201, 201, other.json.id])
    expect((await fork(first.id, { from_step: 4 }, headers)).status).toBe(409)
    expect(await namesOf(one.json.id)).toEqual(await namesOf(first.id))
  })

  test('keeps the artifacts that kept steps name', async () => {
    script = ({ results }) =>
      results.length === 0
        ? { toolCalls: [{ name: 'image_crop', input: { input: 'photo', box: [0, 0, 0.5, 0.5] } }], usage }
        : says({ image: /img_[0-9a-f]{6}/.exec(results[0] ?? '')?.[0] ?? null })
    const { default: sharp } = await import('sharp')
    const photo = await service.upload(
      await sharp({ create: { width: 64, height: 64, channels: 3, background: 'red' } })
        .png()
        .toBuffer(),
      'photo.png',
    )
    const json_schema = { type: 'object', properties: { image: { type: ['string', 'null'] } }, required: ['image'] }
    const first = await execute({
      inputs: { photo: { type: 'input_file', file_id: photo.id } },
      config: { prompt: 'Cut out the corner', json_schema },
    })
    expect(first.response.image, JSON.stringify(await stepsOf(first.id))).toMatch(/^img_/)
    const last = (await stepsOf(first.id)).length
    const made = await forked(first.id, { from_step: last })
    const { json } = await service.call('GET', `/v1/artifacts/list?execution_id=${made.id}`)
    expect(JSON.stringify(json)).toContain(first.response.image)
  })
})

describe('there is no fork', () => {
  test('whose kept steps rest on what it changes, or that names steps that cannot be meant', async () => {
    const first = await runLooped()
    const conflict = (words: string) => ({ status: 409, json: { detail: expect.stringContaining(words) } })
    expect(await fork(first.id, { from_step: 5, config: { page_indices: [0] } })).toMatchObject(
      conflict(
        'Step 1 (document.read) would be kept, but it read the pages of the first page_indices; fork from step 1',
      ),
    )
    expect(await fork(first.id, { from_step: 5, config: { model: 'svc-agent-2:fast' } })).toMatchObject(
      conflict(
        'Step 2 (mine/small) would be kept, but it is of svc-agent-1:fast, and svc-agent-2:fast works in another way',
      ),
    )
    const invalid = async (body: object) => {
      const { status, json } = await fork(first.id, body)
      expect(status, JSON.stringify(json)).toBe(422)
      return JSON.stringify(json)
    }
    expect(await invalid({ from_step: 6 })).toContain('at most 5: the execution has 5 steps')
    expect(await invalid({ from_step: 0 })).toContain('from_step')
    expect(await invalid({ from_step: 4, tool_results: { 5: 1 } })).toContain('they are 3')
    expect(await invalid({ from_step: 5, tool_results: { 1: {} } })).toContain('they are 3, 4')
    // A call of a later turn rests on an earlier result.
    script = ({ results }) =>
      results.length < 2
        ? { toolCalls: [{ name: 'core_calculate', input: { formulas: [`1 + ${results.length}`] } }], usage }
        : says(answer)
    const two = await execute()
    expect(await fork(two.id, { from_step: 6, tool_results: { 3: {} } })).toMatchObject(
      conflict(
        'Step 4 (mine/small) would be kept, but it rests on the result of step 3, which tool_results changes; fork from step 4',
      ),
    )
  })

  test('of an execution whose file was deleted, and the message says why kept steps do not replace it', async () => {
    const file = await service.upload(await makePdf([[...invoiceLines, 'Copy']]), 'copy.pdf')
    script = looped
    const { id } = await execute({ inputs: { invoice: { type: 'input_file', file_id: file.id } } })
    expect((await service.call('DELETE', `/v1/files/${file.id}`)).status).toBeLessThan(300)
    expect(await fork(id, { from_step: 2 })).toMatchObject({
      status: 404,
      json: {
        detail: expect.stringMatching(
          /^inputs\.invoice: this workspace has no file ".+"\. A fork needs the files .*: what was read of a file is deleted with it\./,
        ),
      },
    })
  })

  test('of what was not retained or is running, nor of an input that has changed since', async () => {
    const gone = await execute({
      ...{ model: embedded, inputs: { note: 'Total: 5.00' } },
      metadata: { allow_retention: false },
    })
    expect(await fork(gone.id, { from_step: 1 })).toMatchObject({ status: 409 })
    const first = await execute({ model: embedded, config: { ...config, caching: false } })
    const { db } = service.database
    await db.query(
      `update steps set detail = jsonb_set(detail::jsonb, '{sha256}', '"00"')::json where execution_id = $1 and seq = 1`,
      [first.id],
    )
    expect((await forked(first.id, { from_step: 2 })).error).toMatchObject({ code: 'input_changed' })
    await db.query(`update executions set status = 'running', completed_at = null where id = $1`, [first.id])
    expect(await fork(first.id, { from_step: 1 })).toMatchObject({
      status: 409,
      json: { detail: expect.stringContaining('is running') },
    })
    await db.query(`update executions set status = 'completed', completed_at = created_at where id = $1`, [first.id])
  })
})

describe('a diff', () => {
  test('compares responses field by field, or whole records', async () => {
    const first = await runLooped()
    script = () => says({ ...answer, total: 145, invoice_date: null })
    const made = await forked(first.id, { from_step: 5 })
    const diff = (query = '') => service.call('GET', `/v1/agent/executions/${first.id}/diff/${made.id}${query}`)
    expect(await diff()).toMatchObject({
      status: 200,
      json: [
        { path: '/invoice_date', left: '2026-03-14', right: null },
        { path: '/total', left: 144, right: 145 },
      ],
    })
    const { json: whole } = await diff('?of=record')
    expect(whole).toContainEqual({ path: '/response/total', left: 144, right: 145 })
    expect(whole).toContainEqual({ path: '/forked_from', left: null, right: first.id })
    expect((await diff('?of=steps')).status).toBe(422)
    const same = await service.call('GET', `/v1/agent/executions/${first.id}/diff/${first.id}?of=record`)
    expect(same.json).toEqual([])
    const gone = await execute({
      ...{ model: embedded, inputs: { note: 'Total: 5.00' } },
      metadata: { allow_retention: false },
    })
    expect((await service.call('GET', `/v1/agent/executions/${first.id}/diff/${gone.id}`)).status).toBe(409)
  })
})

test('the command line forks, compares and replays', async () => {
  const first = await runLooped()
  await writeFile(join(folder, 'result.json'), '{"results": [4711]}')
  const run = (...args: string[]) => skillrun(args, place)
  const seq = (await stepsOf(first.id)).find(({ name }) => name === 'core.calculate').seq
  script = () => says({ ...answer, total: 4711 })
  const made = await run(
    'fork',
    first.id,
    '--from-step',
    '5',
    '--tool-result',
    `${seq}=result.json`,
    '--wait',
    '--json',
  )
  expect(made, made.stderr).toMatchObject({ code: 0 })
  const { id } = JSON.parse(made.stdout)
  const diff = await run('diff', first.id, id)
  expect(diff).toMatchObject({ code: 1, stdout: expect.stringMatching(/\/total\s+144\s+4711/) })
  expect(await run('diff', first.id, first.id)).toMatchObject({ code: 0, stdout: 'no differences\n' })
  expect(JSON.parse((await run('diff', first.id, id, '--record', '--json')).stdout)).toContainEqual({
    path: '/response/total',
    left: 144,
    right: 4711,
  })
  const replay = await run('replay', id)
  expect(replay, replay.stderr + replay.stdout).toMatchObject({ code: 0, stdout: expect.stringContaining('equal') })
})
