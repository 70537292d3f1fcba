import { readFile } from 'node:fs/promises'
import { beforeAll, describe, expect, test } from 'vitest'
import {
  createClient,
  type ExecutionEvent,
  ExecutionNotCompleted,
  type Skillrun,
  SkillrunFailure,
  verifyCallback,
} from '../packages/client/src/skillrun.ts'
import { openArchive } from '../packages/console/src/skills/unzip.ts'
import { ensureClient } from '../scripts/client.mjs'
import { openBrowser, skipsBrowser } from './support/browser.ts'
import { invoiceLines, invoiceSchema, makePdf } from './support/documents.ts'
import { openHeldSource } from './support/held-source.ts'
import { opened } from './support/opened.ts'
import { openReceiver } from './support/receiver.ts'
import { openTestService } from './support/service.ts'

let client: Skillrun

const receiver = await opened(openReceiver())
const source = await opened(openHeldSource('Total: EUR 12.50'))
const service = await opened(
  openTestService({ env: { SKILLRUN_ALLOW_PRIVATE: `127.0.0.1:${receiver.port},${source.host}` } }),
)
beforeAll(async () => {
  client = createClient({ url: `${service.url}/v1`, key: service.key })
})

const total = {
  inputs: { mail: 'Total: EUR 12.50' },
  config: {
    prompt: 'Extract the total of this receipt',
    json_schema: { type: 'object', properties: { total: { type: ['number', 'null'] } } },
  },
}
const poem = { inputs: { text: 'Total: 5.00' }, config: { prompt: 'Write a poem about this' } }

/** A server behind a proxy that counts requests and can break streams. */
async function openCounting(breaksAfter = Number.POSITIVE_INFINITY, breaksMax = Number.POSITIVE_INFINITY) {
  let breaks = 0
  const asked: string[] = []
  const fetchCounting: typeof fetch = async (input, init) => {
    asked.push(String(input))
    const reply = await fetch(input, init)
    if (!reply.body || !String(input).endsWith('/events')) return reply
    let seen = 0
    const cut = new TransformStream<Uint8Array, Uint8Array>({
      transform(piece, controller) {
        controller.enqueue(piece)
        seen += 1
        if (seen < breaksAfter || breaks >= breaksMax) return
        breaks += 1
        controller.error(new TypeError('terminated'))
      },
    })
    return new Response(reply.body.pipeThrough(cut), { headers: reply.headers })
  }
  return { asked, client: createClient({ url: service.url, key: service.key, fetch: fetchCounting }) }
}

describe('the client', () => {
  test('uploads with progress, runs, reports each event and returns the record of a successful end', async () => {
    const sent: number[] = []
    const bytes = await makePdf([invoiceLines])
    const file = await client.upload(bytes, { filename: 'rechnung "ä".pdf', onProgress: (now) => sent.push(now) })
    expect(file).toMatchObject({ filename: 'rechnung "ä".pdf', bytes: bytes.length })
    expect(sent.at(-1)).toBe(bytes.length)
    expect(Buffer.from(await (await client.files.content(file.id)).arrayBuffer()).equals(bytes)).toBe(true)
    const events: ExecutionEvent[] = []
    const execution = await client.run(
      {
        inputs: { invoice: { type: 'input_file', file_id: file.id } },
        config: { prompt: 'Extract the fields of this invoice', json_schema: invoiceSchema },
      },
      { onEvent: (event) => events.push(event) },
    )
    expect(execution.status).toBe('completed')
    expect(events.at(-1)).toMatchObject({ event: 'status', data: { status: 'completed' } })
    expect(events.filter((one) => one.event === 'step')).toHaveLength(2)
    expect(new Set(events.map((one) => one.id)).size).toBe(events.length)
    expect((await client.executions.steps(execution.id)).length).toBe(2)
    expect((await client.executions.request(execution.id)).config?.prompt).toBe('Extract the fields of this invoice')
  })

  test('waits by events instead of polling: few requests, however long it takes, and a failure also ends the wait', async () => {
    const { asked, client } = await openCounting()
    const failed = await client.runSettled(poem)
    expect(failed).toMatchObject({ status: 'failed', error: { code: 'needs_model' } })
    expect(asked.length).toBeLessThanOrEqual(4)
  })

  test('run throws a typed error with the record when the execution failed or was paused; runSettled returns it', async () => {
    const failure = await client.run(poem).catch((error) => error)
    expect(failure).toBeInstanceOf(ExecutionNotCompleted)
    expect(failure).toMatchObject({
      code: 'needs_model',
      retryable: false,
      execution: { status: 'failed', response: null, error: { code: 'needs_model' } },
    })
    expect(failure.message).toBe(
      `Execution ${failure.execution.id} failed: ${failure.execution.error.message} (needs_model)`,
    )
    expect(await client.runSettled(poem)).toMatchObject({ status: 'failed', error: { code: 'needs_model' } })
    const running = client.run({ ...total, inputs: { file: source.url('paused') } }).catch((error) => error)
    await source.asked('paused')
    const { value: newest } = await client.executions.list({ status: 'running', limit: 1 }).next()
    await client.executions.pause(newest.id)
    source.letGo('paused')
    const paused = await running
    expect(paused).toBeInstanceOf(ExecutionNotCompleted)
    expect(paused).toMatchObject({ code: 'paused', retryable: false, execution: { id: newest.id, status: 'paused' } })
  })

  test('a wait reports the events between two pauses', async () => {
    const config = {
      prompt: 'document.search({"query": "total"})',
      require_approval: { completion: true, tools: ['document.search'] },
    }
    const { id } = await client.runSettled({ ...total, config })
    await service.call('POST', `/v1/agent/executions/${id}/approve`)
    expect(await client.wait(id)).toMatchObject({ status: 'paused' })
    const statuses: string[] = []
    await client.wait(id, { onEvent: (event) => event.event === 'status' && statuses.push(event.data.status) })
    expect(statuses.filter((status) => status === 'paused')).toHaveLength(2)
    expect(statuses.at(-1)).toBe('paused')
  })

  test('a stream that breaks before or after an event is resumed without gaps or duplicates', async () => {
    const whole: string[] = []
    const { id } = await client.run(total)
    for await (const event of client.events(id)) whole.push(event.id)
    for (const { client: broken } of [await openCounting(2), await openCounting(1, 2)]) {
      const pieces: string[] = []
      for await (const event of broken.events(id)) pieces.push(event.id)
      expect(pieces).toEqual(whole)
    }
  })

  test('uploads also use the given fetch', async () => {
    const { asked, client } = await openCounting()
    await client.upload('Total: 5.00', { filename: 'note.txt' })
    await client.upload('Total: 5.00', { filename: 'note.txt', onProgress: () => undefined })
    expect(asked).toEqual([`${service.url}/v1/files`, `${service.url}/v1/files`])
  })

  test('without a stream of events, it polls', async () => {
    const asked: string[] = []
    const client = createClient({
      url: service.url,
      key: service.key,
      fetch: async (input, init) => {
        asked.push(new URL(String(input)).pathname)
        return String(input).endsWith('/events') ? new Response('no', { status: 404 }) : fetch(input, init)
      },
    })
    const looked: string[] = []
    const { id } = await client.execute({ ...total, inputs: { file: source.url('looked for') } })
    await source.asked('looked for')
    const waiting = client.wait(id, {
      onRecord: ({ status }) => {
        looked.push(status)
        if (looked.length === 2) source.letGo('looked for')
      },
    })
    expect((await waiting).status).toBe('completed')
    expect(looked.slice(0, 2)).toEqual(['running', 'running'])
    expect(looked.at(-1)).toBe('completed')
    expect(asked.filter((path) => path.endsWith('/events'))).toHaveLength(1)
  })

  test('waiting ends on timeout or abort, and the execution continues', async () => {
    const { id } = await client.execute({ ...total, inputs: { file: source.url('held') } })
    await source.asked('held')
    await expect(client.wait(id, { timeoutMs: 50 })).rejects.toMatchObject({ name: 'TimeoutError' })
    await expect(client.wait(id, { signal: AbortSignal.abort(new Error('enough')) })).rejects.toThrow('enough')
    const waiting = client.wait(id)
    expect((await client.executions.cancel(id)).error?.code).toBe('cancelled')
    expect((await waiting).status).toBe('failed')
  })

  test("an error has the server's message and the path of the field", async () => {
    const refused = await client
      .execute({ ...total, config: { ...total.config, page_indices: [-1] } })
      .catch((error) => error)
    expect(refused).toBeInstanceOf(SkillrunFailure)
    expect(refused).toMatchObject({ status: 422, details: [{ path: 'config.page_indices.0' }] })
    expect(refused.message).toMatch(/^config\.page_indices\.0: /)
    await expect(createClient({ url: service.url, key: 'no-such-key' }).models()).rejects.toMatchObject({
      status: 401,
      message: expect.stringContaining('key'),
    })
    await expect(client.executions.get('nothing')).rejects.toMatchObject({ status: 404 })
    expect(() => createClient({ url: 'localhost:8080', key: 'x' })).toThrow('is not an http or https URL')
    await expect(createClient({ url: service.url, key: `${service.key}\n` }).models()).rejects.toThrow(
      'The key contains',
    )
  })

  test('an empty id, which would be the address of something else, is refused', async () => {
    for (const id of ['', '.', '..']) {
      await expect(client.executions.get(id)).rejects.toThrow('An id is empty')
      await expect(client.executions.cancel(id)).rejects.toThrow('An id is empty')
      await expect(client.files.delete(id)).rejects.toThrow('An id is empty')
      await expect(client.events(id).next()).rejects.toThrow('An id is empty')
    }
  })

  test('requests are retried while the server is down, when they are reads or have their own id', async () => {
    let refusals = 2
    const shaky = createClient({
      url: service.url,
      key: service.key,
      fetch: async (input, init) => {
        if (refusals-- > 0)
          return new Response('{"detail":"Starting"}', { status: 503, headers: { 'Retry-After': '0' } })
        return fetch(input, init)
      },
    })
    expect((await shaky.execute(total)).id).toBeTruthy()
    refusals = 1
    // Redelivering twice would send two callbacks.
    await expect(shaky.executions.redeliver('nothing', 1)).rejects.toMatchObject({ status: 503, message: 'Starting' })
  })

  test('lists page by page, reruns with changes, and sums the usage', async () => {
    const session_id = 'session of the client'
    const first = await client.run({ ...total, metadata: { session_id } })
    const again = await client.wait(await client.executions.rerun(first.id, { config: { service_tier: 'flex' } }))
    expect(again).toMatchObject({ status: 'completed', service_tier: 'flex' })
    const listed: string[] = []
    for await (const { id } of client.executions.list({ session_id, limit: 1 })) listed.push(id)
    expect(listed).toEqual([again.id, first.id])
    expect((await client.usage({ group_by: 'tier' })).total.executions).toBeGreaterThan(1)
    expect((await client.estimate(total)).agent.standard.expected_dollars).toBe(0)
  })

  test('a skill is created from a folder, found, updated, downloaded byte for byte, and run', async () => {
    const folder = {
      'SKILL.md': '---\nname: totals\ndescription: Reads the total\n---\nRead the total.\n',
      'schema.json': JSON.stringify(total.config.json_schema),
    }
    const skill = await client.skills.create({ folder })
    expect(skill).toMatchObject({ name: 'totals', description: 'Reads the total', number: 1, status: 'completed' })
    const next = await client.skills.update(skill.id, { prompt: 'Read the grand total.' })
    expect(await client.skills.lookup({ name: 'totals' })).toMatchObject({ id: next.id, number: 2 })
    expect((await client.skills.versions(next.id)).map((one) => one.id).toSorted()).toEqual(
      [skill.id, next.id].toSorted(),
    )
    expect((await client.skills.list({ grouped: true })).map((one) => one.id)).toEqual([next.id])
    const bytes = await client.skills.download(skill.id)
    expect(await openArchive(bytes.buffer).text('SKILL.md', 1_000)).toBe(folder['SKILL.md'])
    const execution = await client.run({
      inputs: { mail: 'Total: EUR 12.50' },
      config: { skills: [{ skill_id: 'totals:1' }] },
    })
    expect(execution).toMatchObject({ response: { total: 12.5 }, skills: [{ id: skill.id }] })
    const [known] = await client.skills.addCases(skill.id, [{ execution_id: execution.id }])
    expect(await client.skills.cases(skill.id)).toEqual([known])
    await client.skills.delete(next.id)
    await expect(client.skills.get(next.id)).rejects.toMatchObject({ status: 404 })
  })

  test('agents are created and found, and a chat without a model is refused with a message', async () => {
    const made = await client.agents.create({ name: 'reader', config: { prompt: 'Extract the total' } })
    expect(await client.agents.lookup({ id: made.id })).toMatchObject({ id: made.id, prompt: 'Extract the total' })
    expect((await client.agents.list({ limit: 1 })).map((one) => one.id)).toEqual([made.id])
    const question = { model: 'svc-agent-1', messages: [{ role: 'user' as const, content: 'Write a poem' }] }
    await expect(client.chat.complete(question)).rejects.toThrow(/model/)
  })

  test('verifies real callbacks in both signature schemes, and rejects any change', async () => {
    const { secret } = await client.call<{ secret: string }>('/v1/callback-secret')
    const execution = await client.run({ ...total, callback_url: receiver.url('/received') })
    const [received] = await receiver.got('/received', 1)
    if (!received) throw new Error('no callback was received')
    expect(await verifyCallback({ headers: received.headers, body: received.body, secret })).toBe(true)
    const older = { 'x-vlmrun-signature': received.headers['x-vlmrun-signature'] }
    expect(await verifyCallback({ headers: older, body: received.body, secret })).toBe(true)
    expect(
      await verifyCallback({
        headers: received.headers,
        body: Buffer.concat([received.body, Buffer.from(' ')]),
        secret,
      }),
    ).toBe(false)
    const [callback] = await client.executions.callbacks(execution.id)
    expect(callback).toMatchObject({ n: 1, event: 'completed' })
  })

  test.skipIf(skipsBrowser)('works in a browser', async () => {
    ensureClient()
    await using browser = await openBrowser({ baseURL: service.url })
    const page = await browser.page()
    // The client's files and an empty page on the API's origin: no other origin may call it.
    await page.route('**/client/**', async (request) => {
      const name = new URL(request.request().url()).pathname.slice('/client/'.length)
      if (name === '')
        return request.fulfill({ contentType: 'text/html', body: '<!doctype html><title>A page</title>' })
      const body = await readFile(new URL(`../packages/client/dist/${name}`, import.meta.url))
      return request.fulfill({ contentType: 'text/javascript', body })
    })
    await page.goto('/client/')
    const done = await page.evaluate(`(async () => {
      const { createClient, SkillrunFailure } = await import('/client/skillrun.js')
      const client = createClient({ url: location.origin, key: ${JSON.stringify(service.key)} })
      const sent = []
      const file = await client.upload(new File(['Invoice total: EUR 12.50'], 'mail.txt'), { onProgress: (now) => sent.push(now) })
      const events = []
      const execution = await client.run({ ...${JSON.stringify(total)}, inputs: { mail: { type: 'input_file', file_id: file.id } } }, { onEvent: ({ event }) => events.push(event) })
      const refused = await createClient({ url: location.origin, key: 'wrong' }).models().catch((error) => error)
      return { file, sent, events, execution, refused: refused instanceof SkillrunFailure ? refused.status : String(refused) }
    })()`)
    expect(done).toMatchObject({
      file: { filename: 'mail.txt', bytes: 24 },
      execution: { status: 'completed', response: { total: 12.5 } },
      refused: 401,
    })
    expect((done as { sent: number[] }).sent.at(-1)).toBe(24)
    expect((done as { events: string[] }).events.at(-1)).toBe('status')
    expect(browser.complaints).toEqual([])
  })
})
