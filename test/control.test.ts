import { describe, expect, test } from 'vitest'
import { invoiceLines, invoiceSchema } from './support/documents.ts'
import { openHeldSource } from './support/held-source.ts'
import { opened } from './support/opened.ts'
import { type Answer, openTestService } from './support/service.ts'
import { lookAgain, until } from './support/until.ts'

const text = invoiceLines.join('\n')
const answer = { invoice_number: 'INV-2041', invoice_date: '2026-03-14', total: 144 }
const config = { prompt: 'Extract the fields of this invoice', json_schema: invoiceSchema }

const source = await opened(openHeldSource(text))
const service = await opened(
  openTestService({ env: { SKILLRUN_ALLOW_PRIVATE: source.host, SKILLRUN_SLOTS: 'flex=1' } }),
)

const execute = (body: object) => service.call('POST', '/v1/agent/execute', { body })
const read = async (id: string) => (await service.call('GET', `/v1/agent/executions/${id}`)).json
const steps = async (id: string) => (await service.call('GET', `/v1/agent/executions/${id}/steps`)).json
const act = (id: string, verb: string, options: object = {}): Promise<Answer> =>
  service.call('POST', `/v1/agent/executions/${id}/${verb}`, options)
const told = async (id: string): Promise<string[]> =>
  (await service.call('GET', `/v1/agent/executions/${id}/events`, { headers: { Accept: 'application/json' } })).json
    .filter((event: { event: string }) => event.event === 'status')
    .map((event: { data: { status: string } }) => event.data.status)

async function settled(id: string) {
  return until(async () => {
    const execution = await read(id)
    return ['completed', 'failed', 'paused'].includes(execution.status) ? execution : undefined
  })
}

/** An execution that is currently reading the document `name`. */
async function running(name: string, more: { config?: object; inputs?: object } = {}): Promise<string> {
  const body = { inputs: { file: source.url(name), ...more.inputs }, config: { ...config, ...more.config } }
  const { json } = await execute(body)
  await source.asked(name)
  return json.id
}

/** An execution that waits behind another in the only slot of its tier; `free` ends that one. */
async function waiting(name: string): Promise<{ id: string; free: () => Promise<void> }> {
  const first = await running(name, { config: { service_tier: 'flex' } })
  const { json } = await execute({ inputs: { text }, config: { ...config, service_tier: 'flex' } })
  const free = async () => {
    source.letGo(name)
    await settled(first)
  }
  return { id: json.id, free }
}

describe('cancel', () => {
  test('a run in progress ends as failed with the code cancelled, and its work stops immediately', async () => {
    const id = await running('cancelled')
    const gone = source.left('cancelled')
    const { status, json } = await act(id, 'cancel')
    expect(status).toBe(200)
    expect(json).toMatchObject({ id, status: 'failed', error: { code: 'cancelled', retryable: false }, response: null })
    expect(json.completed_at).not.toBe(null)
    await gone
    source.letGo('cancelled')
    expect(await steps(id)).toEqual([])
    expect(await told(id)).toEqual(['enqueued', 'running', 'failed'])
  })

  test('earlier steps are charged', async () => {
    const id = await running('late', { inputs: { note: source.url('early') } })
    await source.asked('early')
    source.letGo('early')
    while ((await steps(id)).length === 0) await lookAgain()
    const { json } = await act(id, 'cancel')
    expect(json.usage).toMatchObject({ steps: 1, elements_processed: 1, cost_dollars: 0 })
  })

  test('an execution that waits for a slot never starts', async () => {
    const { id, free } = await waiting('in the way of a cancelled one')
    expect((await act(id, 'cancel')).json).toMatchObject({ status: 'failed', attempts: 0 })
    await free()
    const next = await execute({ batch: false, inputs: { text }, config: { ...config, service_tier: 'flex' } })
    expect(next.json.status).toBe('completed')
    expect(await read(id)).toMatchObject({ status: 'failed', error: { code: 'cancelled' }, attempts: 0 })
  })

  test('a caller that waits with batch: false gets the answer', async () => {
    const waiter = execute({ batch: false, inputs: { file: source.url('awaited') }, config })
    await source.asked('awaited')
    const [newest] = (await service.call('GET', '/v1/agent/executions?limit=1')).json
    await act(newest.id, 'cancel')
    expect((await waiter).json).toMatchObject({ id: newest.id, status: 'failed', error: { code: 'cancelled' } })
  })
})

describe('pause and resume', () => {
  test('a run stops at its next step, keeps its work, and continues without repeating it', async () => {
    const id = await running('paused', { inputs: { other: source.url('other') } })
    await source.asked('other')
    source.letGo('other')
    while ((await steps(id)).length === 0) await lookAgain()
    expect((await act(id, 'pause')).json).toMatchObject({ status: 'paused', completed_at: null })
    source.letGo('paused')
    while ((await steps(id)).length < 2) await lookAgain()
    const before = await steps(id)
    expect(await read(id)).toMatchObject({ status: 'paused', attempts: 1 })

    expect((await act(id, 'resume')).json).toMatchObject({ status: 'enqueued' })
    expect(await settled(id)).toMatchObject({ status: 'completed', response: answer, attempts: 2 })
    const after = await steps(id)
    expect(after.slice(0, 2)).toEqual(before)
    expect(after.map((step: { name: string; attempt: number }) => [step.name, step.attempt])).toEqual([
      ['document.read', 1],
      ['document.read', 1],
      ['embedded', 2],
    ])
    expect([source.count('paused'), source.count('other')]).toEqual([1, 1])
    expect(await told(id)).toEqual(['enqueued', 'running', 'paused', 'enqueued', 'running', 'completed'])
  })

  test('without caching the work is kept for the execution only, and no longer', async () => {
    const id = await running('alone', { config: { caching: false } })
    await act(id, 'pause')
    source.letGo('alone')
    while ((await steps(id)).length === 0) await lookAgain()
    await act(id, 'resume')
    expect(await settled(id)).toMatchObject({ status: 'completed', response: answer })
    expect(source.count('alone')).toBe(1)
    const kept = await service.database.db.query('select reader from readings where reader like $1', [`%${id}%`])
    expect(kept).toEqual([])
  })

  test('an execution that waits for a slot starts only when it is resumed, and then once', async () => {
    const { id, free } = await waiting('in the way of a paused one')
    expect((await act(id, 'pause')).json).toMatchObject({ status: 'paused', attempts: 0 })
    expect((await act(id, 'resume')).json).toMatchObject({ status: 'enqueued' })
    expect((await act(id, 'pause')).json).toMatchObject({ status: 'paused' })
    await free()
    const next = await execute({ batch: false, inputs: { text }, config: { ...config, service_tier: 'flex' } })
    expect(next.json.status).toBe('completed')
    expect(await read(id)).toMatchObject({ status: 'paused', attempts: 0 })
    await act(id, 'resume')
    expect(await settled(id)).toMatchObject({ status: 'completed', attempts: 1 })
  })

  test('a caller that waits with batch: false gets the paused record', async () => {
    const waiter = execute({ batch: false, inputs: { file: source.url('held') }, config })
    await source.asked('held')
    const [newest] = (await service.call('GET', '/v1/agent/executions?limit=1')).json
    await act(newest.id, 'pause')
    expect((await waiter).json).toMatchObject({ id: newest.id, status: 'paused' })
    await act(newest.id, 'cancel')
  })
})

describe('an invalid action is refused with the current state', () => {
  test.each([
    ['cancel', 'The execution is completed; only one that is pending, enqueued, running or paused can be cancelled'],
    ['pause', 'The execution is completed; only one that is enqueued or running can be paused'],
    ['resume', 'The execution is completed; only one that is paused can be resumed'],
  ])('%s of a completed execution', async (verb, detail) => {
    const { json } = await execute({ batch: false, inputs: { text }, config })
    expect(await act(json.id, verb)).toMatchObject({ status: 409, json: { detail } })
    expect((await read(json.id)).status).toBe('completed')
  })

  test('resume of a running execution', async () => {
    const id = await running('busy')
    expect(await act(id, 'resume')).toMatchObject({
      status: 409,
      json: { detail: 'The execution is running; only one that is paused can be resumed' },
    })
    await act(id, 'cancel')
  })

  test.each(['cancel', 'pause', 'resume', 'rerun', 'events'])(
    '%s of an unknown execution and of one of another workspace are alike',
    async (verb) => {
      const { json } = await execute({ batch: false, inputs: { text }, config })
      const method = verb === 'events' ? 'GET' : 'POST'
      const stranger = await service.call(method, `/v1/agent/executions/${json.id}/${verb}`, {
        key: await strangerKey(),
      })
      const unknown = await service.call(method, `/v1/agent/executions/7f6f0a52-6a26-4a0b-9d0b-3b1c5ce0a999/${verb}`)
      const nonsense = await service.call(method, `/v1/agent/executions/x/${verb}`)
      expect([stranger.status, unknown.status, nonsense.status]).toEqual([404, 404, 404])
      expect(stranger.json).toEqual(unknown.json)
    },
  )

  let key: string | undefined
  const strangerKey = async () => {
    key ??= await service.stranger()
    return key
  }
})

describe('limits', () => {
  test('timeout_seconds ends a run with the code timeout', async () => {
    // On a busy machine the time may be over before the document is asked for.
    const inputs = { file: source.url('slow') }
    const { json } = await execute({ inputs, config: { ...config, timeout_seconds: 0.3 } })
    expect(await settled(json.id)).toMatchObject({
      status: 'failed',
      error: { code: 'timeout', message: expect.stringContaining('timeout_seconds of 0.3') },
    })
  })

  test('timeout_seconds counts from the first start, not from a continuation', async () => {
    const id = await running('slow again', { config: { timeout_seconds: 3_600 } })
    await service.database.db.query(
      `update executions set moves = (select jsonb_agg(jsonb_set(move, '{at}', to_jsonb((move->>'at')::timestamptz - interval '1 hour')) order by place)
         from jsonb_array_elements(moves) with ordinality as each(move, place)) where id = $1`,
      [id],
    )
    await act(id, 'pause')
    source.letGo('slow again')
    while ((await steps(id)).length === 0) await lookAgain()
    await act(id, 'resume')
    expect(await settled(id)).toMatchObject({ status: 'failed', error: { code: 'timeout' } })
  })

  test.each([1, 2, 3])('max_steps of %i', async (max_steps) => {
    const note = { type: 'text', text }
    const { json } = await execute({
      batch: false,
      inputs: { note, copy: { type: 'text', text: `${text}\n` } },
      config: { ...config, max_steps },
    })
    expect((await steps(json.id)).length).toBe(max_steps)
    expect(json.usage.steps).toBe(max_steps)
    if (max_steps === 3) expect(json.status).toBe('completed')
    else
      expect(json).toMatchObject({
        status: 'failed',
        error: { code: 'max_steps', message: expect.stringContaining(`max_steps of ${max_steps}`) },
      })
  })
})

describe('rerun', () => {
  test('creates a new execution from the same request, whatever the result of the first', async () => {
    const body = {
      batch: false,
      inputs: { text },
      config: { ...config, service_tier: 'flex' },
      metadata: { session_id: 'a' },
    }
    const first = (await execute(body)).json
    const { status, json } = await act(first.id, 'rerun', { body: { batch: false } })
    expect(status).toBe(201)
    expect(json).toMatchObject({
      name: first.name,
      status: 'completed',
      response: answer,
      service_tier: 'flex',
      session_id: 'a',
    })
    expect(json.id).not.toBe(first.id)
    expect((await act(first.id, 'rerun')).json).toMatchObject({ status: 'enqueued', session_id: 'a' })
  })

  test('overrides the request with the fields of the body', async () => {
    const first = (await execute({ batch: false, inputs: { invoice: { type: 'text', text }, extra: 3 }, config })).json
    const other = text.replace('INV-2041', 'INV-7').replace('2026-03-14', '2026-04-01')
    const { json } = await act(first.id, 'rerun', {
      body: {
        batch: false,
        inputs: { invoice: { type: 'text', text: other } },
        config: {
          json_schema: { type: 'object', properties: { invoice_number: { type: ['string', 'null'] } } },
          service_tier: 'priority',
        },
      },
    })
    expect(json).toMatchObject({ status: 'completed', response: { invoice_number: 'INV-7' }, service_tier: 'priority' })
    const [row] = await service.database.db.query<{ request: unknown }>(
      'select request from executions where id = $1',
      [json.id],
    )
    expect(row?.request).toMatchObject({ prompt: config.prompt, values: { extra: 3 }, inputs: [{ name: 'invoice' }] })
    expect((await read(first.id)).response).toEqual(answer)
  })

  test('null removes a slot, and invalid values are refused', async () => {
    const first = (
      await execute({
        batch: false,
        inputs: { a: { type: 'text', text }, b: { type: 'text', text: 'Total:\n9.00' } },
        config,
      })
    ).json
    const { json } = await act(first.id, 'rerun', { body: { batch: false, inputs: { b: null } } })
    expect((await steps(json.id)).length).toBe(2)
    expect((await act(first.id, 'rerun', { body: { config: { max_steps: -1 } } })).status).toBe(422)
    expect((await act(first.id, 'rerun', { body: { name: 'nobody' } })).status).toBe(404)
  })

  test('with an idempotency key creates one, and refuses another body or execution', async () => {
    const first = (await execute({ batch: false, inputs: { text }, config })).json
    const headers = { 'Idempotency-Key': 'again' }
    const ids = await Promise.all([1, 2, 3].map(async () => (await act(first.id, 'rerun', { headers })).json.id))
    expect(new Set(ids).size).toBe(1)
    expect((await act(first.id, 'rerun', { headers, body: { config: { max_steps: 9 } } })).status).toBe(409)
    expect((await act(ids[0], 'rerun', { headers })).status).toBe(409)
  })
})

describe('a body with an id and an Idempotency-Key', () => {
  const body = (id: string) => ({ id, inputs: { text }, config })
  const send = (sent: object, key?: string) =>
    service.call('POST', '/v1/agent/execute', { body: sent, ...(key ? { headers: { 'Idempotency-Key': key } } : {}) })

  test.each(['7f6f0a52-6a26-4a0b-9d0b-3b1c5ce0a201', 'order 201'])('is found again by either: %s', async (id) => {
    const first = await send(body(id), `key of ${id}`)
    expect(first.status).toBe(201)
    expect((await send(body(id))).json.id).toBe(first.json.id)
    expect((await send(body(id), `another key of ${id}`)).json.id).toBe(first.json.id)
    expect((await send(body(id), `another key of ${id}`)).json.id).toBe(first.json.id)
    expect((await send({ ...body('x'), id: null }, `key of ${id}`)).status).toBe(409)
    expect((await send({ ...body(id), name: 'nobody' })).status).toBe(409)
  })

  test('many concurrent ones with different keys create one', async () => {
    const calls = await Promise.all(Array.from({ length: 12 }, (_, call) => send(body('order 202'), `key ${call % 4}`)))
    expect(calls.map((call) => call.status)).toEqual(calls.map(() => 201))
    expect(new Set(calls.map((call) => call.json.id)).size).toBe(1)
  })

  test('an id that belongs to a generated execution id is refused with a message', async () => {
    const { json } = await execute({ inputs: { text }, config })
    expect(await send(body(json.id))).toMatchObject({
      status: 409,
      json: { detail: 'This id already belongs to another execution, which was not created with it as request id' },
    })
  })
})
