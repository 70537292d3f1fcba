import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makeDatabase } from './support/database.ts'
import { invoiceLines, invoiceSchema } from './support/documents.ts'
import { openHeldSource } from './support/held-source.ts'
import { opened } from './support/opened.ts'
import { openTestService, type TestService } from './support/service.ts'

let service: TestService

const text = invoiceLines.join('\n')
const config = { prompt: 'Extract the fields of this invoice', json_schema: invoiceSchema }
const open = () => openTestService({ database, env: { SKILLRUN_ALLOW_PRIVATE: source.host } })

const database = await opened(makeDatabase())
const source = await opened(openHeldSource(text))
beforeAll(async () => {
  service = await open()
})
afterAll(async () => {
  await service[Symbol.asyncDispose]()
})

interface Told {
  readonly id: string
  readonly event: string
  // biome-ignore lint/suspicious/noExplicitAny: a story looks at whatever the wire says.
  readonly data: any
}

/** The events of a stream as they arrive, until the server ends it. */
async function* follow(id: string, lastEventId?: string, signal?: AbortSignal): AsyncGenerator<Told> {
  const response = await fetch(`${service.url}/v1/agent/executions/${id}/events`, {
    headers: {
      Authorization: `Bearer ${service.key}`,
      Accept: 'text/event-stream',
      ...(lastEventId === undefined ? {} : { 'Last-Event-ID': lastEventId }),
    },
    ...(signal ? { signal } : {}),
  })
  expect(response.status).toBe(200)
  expect(response.headers.get('content-type')).toBe('text/event-stream')
  let rest = ''
  for await (const part of (response.body as ReadableStream<Uint8Array>).pipeThrough(new TextDecoderStream())) {
    const blocks = (rest + part).split('\n\n')
    rest = blocks.pop() ?? ''
    for (const block of blocks) {
      const fields = new Map(block.split('\n').map((line) => line.split(/: (.*)/s) as [string, string]))
      if (fields.has('data'))
        yield {
          id: fields.get('id') ?? '',
          event: fields.get('event') ?? '',
          data: JSON.parse(fields.get('data') ?? ''),
        }
    }
  }
}

async function all(events: AsyncIterable<Told>): Promise<Told[]> {
  const told: Told[] = []
  for await (const event of events) told.push(event)
  return told
}

const page = async (id: string, query = ''): Promise<Told[]> =>
  (await service.call('GET', `/v1/agent/executions/${id}/events${query}`, { headers: { Accept: 'application/json' } }))
    .json

const execute = async (body: object): Promise<string> =>
  (await service.call('POST', '/v1/agent/execute', { body: { config, ...body } })).json.id
const act = (id: string, verb: string) => service.call('POST', `/v1/agent/executions/${id}/${verb}`)

const inShort = (events: readonly Told[]) =>
  events.map(({ event, data }) => (event === 'step' ? data.name : data.status))

describe('a stream of events', () => {
  test('reports each change and step as it happens, and ends with the end', async () => {
    const id = await execute({ inputs: { file: source.url('slow') } })
    await source.asked('slow')
    const events = follow(id)
    expect((await events.next()).value).toMatchObject({ event: 'status', data: { status: 'enqueued', attempt: 0 } })
    expect((await events.next()).value).toMatchObject({ event: 'status', data: { status: 'running', attempt: 1 } })
    source.letGo('slow')
    const rest = await all(events)
    expect(inShort(rest)).toEqual(['document.read', 'embedded', 'completed'])
    expect(rest[0]?.data).toMatchObject({
      seq: 1,
      attempt: 1,
      kind: 'tool',
      detail: { input: 'file' },
      cost_dollars: 0,
    })
    expect(rest[0]?.data).not.toHaveProperty('result')
  })

  test('continues from each of its ids without gaps or duplicates', async () => {
    const id = await execute({
      batch: false,
      inputs: { a: { type: 'text', text }, b: { type: 'text', text: `${text}\n` } },
    })
    const whole = await all(follow(id))
    expect(inShort(whole)).toEqual(['enqueued', 'running', 'document.read', 'document.read', 'embedded', 'completed'])
    expect(new Set(whole.map((event) => event.id)).size).toBe(whole.length)
    for (const [index, { id: seen }] of whole.entries()) {
      expect(await all(follow(id, seen))).toEqual(whole.slice(index + 1))
      expect(await page(id, `?after=${seen}`)).toEqual(whole.slice(index + 1))
    }
    expect(await all(follow(id, 'nonsense'))).toEqual(whole)
    expect(await page(id, '?limit=2')).toEqual(whole.slice(0, 2))
  })

  test('stays open over a pause, and continues at the same place after a restart of the server', async () => {
    const id = await execute({ inputs: { file: source.url('restart') } })
    await source.asked('restart')
    await act(id, 'pause')
    const before: Told[] = []
    const cut = new AbortController()
    for await (const event of follow(id, undefined, cut.signal)) {
      before.push(event)
      if (event.data.status === 'paused') source.letGo('restart')
      if (event.event === 'step') break
    }
    cut.abort()
    expect(inShort(before)).toEqual(['enqueued', 'running', 'paused', 'document.read'])

    await service[Symbol.asyncDispose]()
    service = await open()
    await act(id, 'resume')
    const after = await all(follow(id, before.at(-1)?.id))
    expect(inShort(after)).toEqual(['enqueued', 'running', 'embedded', 'completed'])
    expect(after.slice(0, 2).map((event) => event.data.attempt)).toEqual([1, 2])
    expect(source.count('restart')).toBe(1)
    const numbers = (events: readonly Told[]) => events.map((event) => event.id).sort()
    expect(numbers(await page(id))).toEqual(numbers([...before, ...after]))
  })

  test('ends when the server stops, so that the client reconnects', async () => {
    const id = await execute({ inputs: { file: source.url('stopping') } })
    await source.asked('stopping')
    const events = follow(id)
    const first = [(await events.next()).value, (await events.next()).value] as Told[]
    expect(inShort(first)).toEqual(['enqueued', 'running'])
    await service[Symbol.asyncDispose]()
    expect(await all(events)).toEqual([])
    service = await open()
    source.letGo('stopping')
    const rest = inShort(await all(follow(id, first[1]?.id)))
    expect(rest).toEqual(['enqueued', 'running', 'document.read', 'embedded', 'completed'])
    // A hand-over is not a crash.
    expect(
      await database.db.query('select lost_attempts as lost, attempt from executions where id = $1', [id]),
    ).toEqual([{ lost: {}, attempt: 2 }])
  })

  test('a failure includes its error', async () => {
    const id = await execute({ inputs: { file: source.url('cancelled') } })
    await source.asked('cancelled')
    const events = follow(id)
    await events.next()
    await act(id, 'cancel')
    expect((await all(events)).at(-1)).toMatchObject({
      event: 'status',
      data: { status: 'failed', error: { code: 'cancelled' } },
    })
  })
})

describe('the events of a workspace', () => {
  /** Counts events until the stream is closed. */
  async function listen(key: string) {
    const stopped = new AbortController()
    const response = await fetch(`${service.url}/v1/agent/events`, {
      headers: { Authorization: `Bearer ${key}` },
      signal: stopped.signal,
    })
    let [many, wake] = [0, (): void => undefined]
    const reading = (async () => {
      for await (const part of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
        many += part.split('event: changed').length - 1
        wake()
      }
    })().catch(() => undefined)
    return {
      type: response.headers.get('content-type'),
      many: () => many,
      async heard(atLeast: number) {
        while (many < atLeast) await new Promise<void>((next) => (wake = next))
      },
      async [Symbol.asyncDispose]() {
        stopped.abort()
        await reading
      },
    }
  }

  test('report creation, start and end, and nothing to other workspaces', async () => {
    await using own = await listen(service.key)
    await using strange = await listen(await service.stranger())
    expect(own.type).toBe('text/event-stream')
    const body = { inputs: { file: source.url('held for the list') }, config }
    await service.call('POST', '/v1/agent/execute', { body })
    // Two separate events: it was created, and a worker started it.
    await own.heard(2)
    await source.asked('held for the list')
    const before = own.many()
    source.letGo('held for the list')
    await own.heard(before + 1)
    expect(strange.many()).toBe(0)
  })
})
