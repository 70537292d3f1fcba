import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'
import type { Db } from '../packages/server/src/adapters/db/db.ts'
import { purgeBatches } from '../packages/server/src/features/batches/batches.ts'
import { startMockModel } from './support/mock-model.ts'
import { opened } from './support/opened.ts'
import { openReceiver } from './support/receiver.ts'
import { openTestService } from './support/service.ts'
import { temporaryFolder } from './support/temporary-folder.ts'
import { readWorkbook } from './support/workbook.ts'
import { zipOf } from './support/zips.ts'

const schema = { type: 'object', properties: { total: { type: ['number', 'null'] } } }
const config = { json_schema: schema }
const textItem = (total: number) => ({ inputs: { text: `Total: ${total}.00` } })
const textItems = (count: number) => Array.from({ length: count }, (_, at) => textItem(at + 1))
const none = { enqueued: 0, running: 0, paused: 0, completed: 0, failed: 0, cancelled: 0, review_needed: 0 }
/** Answered by the mock model, which waits until the test lets it go on. */
const asked = { model: 'svc-agent-1:fast', config: { prompt: 'What is the total?' } }

interface Item {
  readonly execution_id: string
  readonly status: string
}

/** LibreOffice reads what the server writes, where it is installed (apt-get install libreoffice-calc). */
const hasLibreOffice = existsSync('/usr/bin/soffice')
if (!hasLibreOffice)
  console.log('A test of workbooks is skipped: there is no LibreOffice here (apt-get install libreoffice-calc).')

/** Requests that the model has not answered yet. */
const held: { readonly text: string; answer(answer?: string): void; fail(): void }[] = []

const receiver = await opened(openReceiver())
const model = await opened(
  startMockModel({
    script: ({ text }) =>
      new Promise((resolve) =>
        held.push({
          text,
          answer: (answer = 'five') => resolve({ text: answer }),
          fail: () => resolve({ status: 400, body: {} }),
        }),
      ),
  }),
)
const service = await opened(
  openTestService({
    env: { SKILLRUN_ALLOW_PRIVATE: `127.0.0.1:${receiver.port}` },
    config: {
      providers: [{ name: 'mine', kind: 'openai-compatible', baseUrl: model.baseUrl }],
      file: { routes: { 'svc-agent-1:fast': 'mine/one', 'svc-agent-1:auto': 'embedded' } },
    },
  }),
)

const create = (body: object, headers: Record<string, string> = {}) =>
  service.call('POST', '/v1/agent/batches', { body: { config, ...body }, headers })
const begin = async (body: object): Promise<string> => {
  const { status, json } = await create(body)
  expect(json).toMatchObject({ status: 'running' })
  expect(status).toBe(201)
  return json.id
}
const read = async (id: string) => (await service.call('GET', `/v1/agent/batches/${id}`)).json
const control = (id: string, verb: string) => service.call('POST', `/v1/agent/batches/${id}/${verb}`)
const itemsOf = async (id: string, query = '') =>
  (await service.call('GET', `/v1/agent/batches/${id}/items${query}`)).json
const poll = <T>(look: () => T) => expect.poll(look, { timeout: 60_000, interval: 50 })

/** Waits until a batch has this status. */
async function until(id: string, status: string) {
  await poll(async () => (await read(id)).status).toBe(status)
  return read(id)
}

/** Lets the model answer until a batch has ended. */
async function answerUntil(id: string, status: string) {
  await poll(async () => {
    for (const one of held.splice(0)) one.answer()
    return (await read(id)).status
  }).toBe(status)
}

describe('a batch', () => {
  test('executes each of its documents by itself, in the flex tier, and shows the values of each', async () => {
    const file = await service.upload(Buffer.from('Total: 7.00'), 'seven.txt')
    const { status, json } = await create({
      name: 'Invoices of May',
      items: [textItem(5), { file_id: file.id, client_id: 'seven' }, { ...textItem(6), file_name: 'six.txt' }],
    })
    expect(status).toBe(201)
    expect(json).toMatchObject({ name: 'Invoices of May', total: 3, completed_at: null })
    const ended = await until(json.id, 'completed')
    expect(ended.counts).toEqual({ ...none, completed: 3 })
    const items = await itemsOf(json.id)
    expect(items).toMatchObject([
      { index: 0, status: 'completed', response: { total: 5 }, file_name: null, client_id: null },
      { index: 1, status: 'completed', response: { total: 7 }, file_name: 'seven.txt', client_id: 'seven' },
      { index: 2, status: 'completed', response: { total: 6 }, file_name: 'six.txt' },
    ])
    expect(items[1].fields).toEqual([
      {
        path: '/total',
        value: 7,
        needs_look: false,
        confidence: expect.any(Number),
        evidence: 'normalised',
        page: 0,
        input: 'document',
      },
    ])
    const records = await Promise.all(
      items.map(async ({ id }: { id: string }) => (await service.call('GET', `/v1/agent/executions/${id}`)).json),
    )
    expect(records[1]).toMatchObject({ batch_id: json.id, client_id: 'seven', service_tier: 'flex' })
    expect(ended.cost_dollars).toBeCloseTo(
      records.reduce((sum, record) => sum + record.usage.cost_dollars, 0),
      9,
    )
    const listed = (await service.call('GET', `/v1/agent/executions?batch_id=${json.id}`)).json
    expect(listed.map(({ id }: { id: string }) => id).sort()).toEqual(records.map(({ id }) => id).sort())
  })

  test('has executions that are found by the names of its items, also where the file was uploaded under another', async () => {
    const file = await service.upload(Buffer.from('Total: 7.00'), 'scan-0001.txt')
    const zipped = await service.upload(zipOf({ 'in/harbour-17.txt': 'Total: 8.00' }), 'all.zip')
    const named = await begin({
      items: [
        { file_id: file.id, file_name: 'kestrel-17.txt' },
        { ...textItem(6), file_name: 'quay-17.txt' },
      ],
    })
    const archived = await begin({ zip_file_id: zipped.id })
    for (const id of [named, archived]) await until(id, 'completed')
    for (const name of ['kestrel-17.txt', 'quay-17.txt', 'harbour-17.txt']) {
      const { json } = await service.call('GET', `/v1/agent/executions?q=${name}`)
      expect(json.map((one: { file_names: string[] }) => one.file_names)).toEqual([[expect.stringContaining(name)]])
    }
  })

  test('with combine reads all documents in one execution', async () => {
    const file = await service.upload(Buffer.from('Invoice 17'), 'first.txt')
    const items = [{ file_id: file.id }, { inputs: { text: 'The amounts are\nTotal: 8.00' } }]
    const ended = await until(await begin({ combine: true, items }), 'completed')
    expect(ended).toMatchObject({ total: 1, counts: { ...none, completed: 1 } })
    const [item] = await itemsOf(ended.id)
    const { json } = await service.call('GET', `/v1/agent/executions/${item.execution_id}/request`)
    expect(Object.values(json.inputs).flat()).toHaveLength(2)
    expect(item).toMatchObject({ file_name: 'first.txt + 1', response: { total: 8 } })
  })

  test('is accepted once per Idempotency-Key, and refused when the body differs', async () => {
    const headers = { 'Idempotency-Key': randomUUID() }
    const body = { items: textItems(2) }
    const answers = await Promise.all(Array.from({ length: 4 }, () => create(body, headers)))
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201, 201])
    expect(new Set(answers.map(({ json }) => json.id)).size).toBe(1)
    const other = await create({ items: textItems(3) }, headers)
    expect([other.status, other.json.detail]).toEqual([409, expect.stringContaining('already used')])
    const id = answers[0]?.json.id
    await until(id, 'completed')
    expect((await service.call('GET', `/v1/agent/executions?batch_id=${id}`)).json).toHaveLength(2)
  })

  test('is a new one each time where the Idempotency-Key is empty', async () => {
    const headers = { 'Idempotency-Key': '' }
    const [first, second] = [
      await create({ items: textItems(1) }, headers),
      await create({ items: textItems(2) }, headers),
    ]
    expect([first.status, second.status]).toEqual([201, 201])
    expect(second.json.id).not.toBe(first.json.id)
    for (const { json } of [first, second]) await until(json.id, 'completed')
  })

  test('names an item after its URL, and cuts a long name between two characters', async () => {
    const name = `${'a'.repeat(254)}\u{1F600}`
    const id = await begin({ items: [{ url: receiver.url(`/${encodeURIComponent(name)}`) }] })
    expect((await itemsOf(id))[0].file_name).toBe('a'.repeat(254))
    await until(id, 'completed')
  })

  test.each([
    ['an item with nothing', { items: [textItem(1), {}] }, ['body', 'items', 1]],
    ['an item with two', { items: [{ ...textItem(1), url: 'https://a.example/b.pdf' }] }, ['body', 'items', 0]],
    ['no items', { items: [] }, ['body', 'items']],
    ['an unknown field', { items: [textItem(1)], configuration: {} }, ['body', 'configuration']],
    [
      'an input that is none',
      { items: [textItem(1), { inputs: { document: { type: 'file_url', file_url: {} } } }] },
      ['body', 'items', 1, 'inputs', 'document', 'file_url', 'url'],
    ],
    [
      'two inputs of one name',
      { items: [textItem(1), { inputs: { doc: [{ type: 'text', text: 'one' }], 'doc/0': 'two' } }] },
      ['body', 'items', 1, 'inputs'],
    ],
    ['no task', { items: [textItem(1)], config: {} }, ['body', 'config', 'prompt']],
    ['a model that is not there', { items: [textItem(1)], model: 'none-1' }, ['body', 'model']],
  ])('with %s is refused, and nothing of it is kept', async (_what, body, loc) => {
    const before = (await service.call('GET', '/v1/agent/batches?limit=100')).json.length
    const { status, json } = await create(body)
    expect([status, json.detail?.[0]?.loc]).toEqual([422, loc])
    expect((await service.call('GET', '/v1/agent/batches?limit=100')).json).toHaveLength(before)
  })

  test('with a file that is not there is refused, and names the item', async () => {
    const { status, json } = await create({ items: [textItem(1), { file_id: randomUUID() }] })
    expect(status).toBe(404)
    expect(JSON.stringify(json)).toContain('items.1: this workspace has no file')
  })

  test('goes on past a document that can no longer be executed', async () => {
    const file = await service.upload(Buffer.from('Total: 7.00'), 'gone.txt')
    const id = await begin({ ...asked, max_in_flight: 1, items: [textItem(1), { file_id: file.id }, textItem(2)] })
    await poll(() => held.length).toBe(1)
    await service.call('DELETE', `/v1/files/${file.id}`)
    await answerUntil(id, 'completed')
    expect((await read(id)).counts).toEqual({ ...none, completed: 2, failed: 1 })
    expect(await itemsOf(id, '?filter=failed')).toMatchObject([
      { index: 1, status: 'failed', execution_id: null, error: { code: 'unknown_file' } },
    ])
  })

  test('of an uploaded archive has an item for each file in it', async () => {
    const zip = zipOf({ 'may/a.txt': 'Total: 1.00', 'may/empty.txt': '', 'june/b.txt': 'Total: 2.00' })
    const file = await service.upload(zip, 'invoices.zip')
    const body = { zip_file_id: file.id, max_in_flight: 1 }
    const { json } = await create(body)
    expect(json).toMatchObject({
      total: 2,
      warnings: [{ code: 'file_left_out', message: expect.stringContaining('may/empty.txt') }],
    })
    await until(json.id, 'completed')
    expect(await itemsOf(json.id)).toMatchObject([
      { file_name: 'may/a.txt', response: { total: 1 } },
      { file_name: 'june/b.txt', response: { total: 2 } },
    ])
    const other = await service.upload(Buffer.from('Total: 7.00'), 'seven.txt')
    expect((await create({ zip_file_id: other.id })).status).toBe(422)
    expect((await create({ zip_file_id: file.id, items: textItems(1) })).status).toBe(422)
    const key = await service.stranger()
    const foreign = await service.call('POST', '/v1/agent/batches', { key, body: { config, zip_file_id: file.id } })
    expect(foreign.status).toBe(404)
  })

  test('of an uploaded archive reads its texts as the same files uploaded one by one', async () => {
    const files = {
      'ages.csv': 'name, age\nAda, 36\n',
      'note.txt': 'a,b,c\n1,2,3',
    }
    const { id: zip } = await service.upload(zipOf(files), 'texts.zip')
    const alone = await Promise.all(
      Object.entries(files).map(([name, text]) => service.upload(Buffer.from(text), name)),
    )
    const readsOf = async (body: object) => {
      const id = await begin(body)
      await until(id, 'completed')
      const read = async ({ execution_id }: { execution_id: string }) => {
        const { json } = await service.call('GET', `/v1/agent/executions/${execution_id}/steps`)
        return json.find(({ name }: { name: string }) => name === 'document.read').result.media_type
      }
      return Promise.all((await itemsOf(id)).map(read))
    }
    const types = await readsOf({ items: alone.map(({ id }) => ({ file_id: id })) })
    expect(types).toEqual(['text/csv', 'text/plain'])
    expect(await readsOf({ zip_file_id: zip })).toEqual(types)
  })

  test('of an archive that was deleted fails its remaining items', async () => {
    const zip = zipOf({ 'a.txt': 'one', 'b.txt': 'two' })
    const file = await service.upload(zip, 'two.zip')
    const id = await begin({ ...asked, zip_file_id: file.id, max_in_flight: 1 })
    await poll(() => held.length).toBe(1)
    await service.call('DELETE', `/v1/files/${file.id}`)
    await answerUntil(id, 'completed')
    expect((await read(id)).counts).toEqual({ ...none, completed: 1, failed: 1 })
  })

  test('is not seen by another workspace', async () => {
    const id = await begin({ items: textItems(1) })
    const key = await service.stranger()
    for (const [method, path] of [
      ['GET', ''],
      ['GET', '/items'],
      ['POST', '/cancel'],
    ] as const)
      expect((await service.call(method, `/v1/agent/batches/${id}${path}`, { key })).status).toBe(404)
    expect((await service.call('GET', '/v1/agent/batches', { key })).json).toEqual([])
    await until(id, 'completed')
  })
})

describe('the executions of a batch', () => {
  test('are never more in flight than its limit, and the next begins when one ends', async () => {
    const id = await begin({ ...asked, max_in_flight: 2, items: textItems(5) })
    const executions = async (): Promise<Item[]> =>
      (await service.call('GET', `/v1/agent/executions?batch_id=${id}&limit=100`)).json
    for (const ended of [0, 1, 2, 3, 4]) {
      const inFlight = Math.min(2, 5 - ended)
      await poll(() => held.length).toBe(inFlight)
      expect((await executions()).filter(({ status }) => status !== 'completed').length).toBeLessThanOrEqual(2)
      held.shift()?.answer()
    }
    await until(id, 'completed')
    expect(await executions()).toHaveLength(5)
  })

  test('do not begin while it is paused, and all go on when it is resumed', async () => {
    const id = await begin({ ...asked, max_in_flight: 2, items: textItems(4) })
    await poll(() => held.length).toBe(2)
    expect((await control(id, 'pause')).json).toMatchObject({ status: 'paused', counts: { paused: 2, enqueued: 2 } })
    expect((await control(id, 'pause')).status).toBe(409)
    for (const one of held.splice(0)) one.answer()
    expect((await control(id, 'resume')).json).toMatchObject({ status: 'running' })
    await answerUntil(id, 'completed')
    expect((await read(id)).counts).toEqual({ ...none, completed: 4 })
  })

  test('that waited for their uploads do not run either while it is paused', async () => {
    const upload = (await service.call('POST', '/v1/files/presigned-url', { body: { filename: 'late.txt' } })).json
    const id = await begin({ ...asked, items: [{ file_id: upload.id }] })
    await poll(async () => (await itemsOf(id))[0].execution_id).not.toBe(null)
    await control(id, 'pause')
    await fetch(upload.url, { method: 'PUT', body: 'Total: 5.00', headers: { 'Content-Type': 'text/plain' } })
    await poll(async () => (await read(id)).counts.paused).toBe(1)
    await control(id, 'resume')
    await answerUntil(id, 'completed')
    expect((await read(id)).counts).toEqual({ ...none, completed: 1 })
  })

  test('go on, too, when a retry of its failed items continues a paused one', async () => {
    const id = await begin({ ...asked, items: textItems(2) })
    await poll(() => held.length).toBe(2)
    held.shift()?.fail()
    await poll(async () => (await read(id)).counts.failed).toBe(1)
    await control(id, 'pause')
    expect((await control(id, 'retry')).json.status).toBe('running')
    await answerUntil(id, 'completed')
    expect((await read(id)).counts).toEqual({ ...none, completed: 2 })
  })

  test('end at once when it is cancelled, and its receiver is told', async () => {
    const path = `/cancelled/${randomUUID()}`
    const id = await begin({ ...asked, max_in_flight: 2, items: textItems(5), callback_url: receiver.url(path) })
    await poll(() => held.length).toBe(2)
    const cancelled = (await control(id, 'cancel')).json
    expect(cancelled).toMatchObject({ status: 'cancelled', counts: { ...none, cancelled: 5 } })
    held.splice(0)
    expect((await itemsOf(id)).map(({ error }: { error: { code: string } | null }) => error?.code)).toEqual([
      'cancelled',
      'cancelled',
      undefined,
      undefined,
      undefined,
    ])
    expect(await control(id, 'cancel')).toMatchObject({ status: 200, json: cancelled })
    expect(await itemsOf(id, '?status=cancelled')).toHaveLength(5)
    expect((await control(id, 'retry')).status).toBe(409)
    const [told] = await receiver.got(path, 1)
    expect(told?.headers['x-skillrun-event']).toBe('batch.cancelled')
    expect(model.requests.length).toBeGreaterThan(0)
  })

  test('that failed are run again by a retry, and what they cost before still counts', async () => {
    const path = `/retried/${randomUUID()}`
    const id = await begin({ ...asked, items: textItems(2), callback_url: receiver.url(path) })
    await poll(() => held.length).toBe(2)
    const [first, second] = held.splice(0)
    first?.fail()
    second?.answer()
    const ended = await until(id, 'completed')
    expect(ended.counts).toEqual({ ...none, completed: 1, failed: 1 })
    const [failed] = await itemsOf(id, '?status=failed')
    expect((await control(id, 'retry')).json).toMatchObject({
      status: 'running',
      completed_at: null,
      cost_dollars: ended.cost_dollars,
    })
    await answerUntil(id, 'completed')
    expect((await read(id)).counts).toEqual({ ...none, completed: 2 })
    const again = (await itemsOf(id)).find(({ index }: { index: number }) => index === failed.index)
    expect(again.execution_id).not.toBe(failed.execution_id)
    expect((await control(id, 'retry')).status).toBe(409)
    const told = await receiver.got(path, 2)
    expect(told.map(({ body }) => JSON.parse(body.toString()).counts.completed)).toEqual([1, 2])
    expect(told[0]?.headers['x-skillrun-event']).toBe('batch.completed')
    expect(told[0]?.headers['webhook-signature']).toMatch(/^v1,/)

    // Both are listed with their attempts, and either can be sent again, with the same bytes.
    const list = async () => (await service.call('GET', `/v1/agent/batches/${id}/callbacks`)).json
    await poll(async () => (await list()).map(({ state }: { state: string }) => state)).toEqual([
      'delivered',
      'delivered',
    ])
    expect((await list())[0]).toMatchObject({ n: 1, event: 'batch.completed', tries: [{ status: 204, error: null }] })
    const sent = await service.call('POST', `/v1/agent/batches/${id}/callbacks/1/redeliver`)
    expect([sent.status, sent.json]).toMatchObject([202, { n: 1, state: 'pending' }])
    const [, , third] = await receiver.got(path, 3)
    expect(third?.body.equals(told[0]?.body ?? Buffer.alloc(0))).toBe(true)
    expect(third?.headers['webhook-id']).toBe(told[0]?.headers['webhook-id'])
    for (const wrong of [
      `${id}/callbacks/9/redeliver`,
      `${randomUUID()}/callbacks/1/redeliver`,
      `${failed.execution_id}/callbacks/1/redeliver`,
    ])
      expect((await service.call('POST', `/v1/agent/batches/${wrong}`)).status, wrong).toBe(404)
    expect((await service.call('GET', `/v1/agent/executions/${id}/callbacks`)).status).toBe(404)
  })
})

describe('the items of a batch', () => {
  test('are filtered and sorted, page by page', async () => {
    const items = [textItem(3), { inputs: { text: 'nothing of the kind' } }, textItem(1), textItem(2)]
    const named = items.map((item, at) => ({ ...item, file_name: `${['c', 'd', 'a', 'b'][at]}.txt` }))
    const id = await begin({ items: named })
    await until(id, 'completed')
    const pages: string[][] = []
    let path: string | undefined = `/v1/agent/batches/${id}/items?sort=file_name&order=desc&limit=2`
    while (path) {
      const { json, headers } = await service.call('GET', path)
      pages.push(json.map(({ file_name }: { file_name: string }) => file_name))
      path = /<([^>]+)>; rel="next"/.exec(headers.get('link') ?? '')?.[1]
    }
    expect(pages).toEqual([['d.txt', 'c.txt'], ['b.txt', 'a.txt'], []])
    expect(await itemsOf(id, '?filter=not_found')).toMatchObject([{ file_name: 'd.txt', not_found: 1 }])
    expect(await itemsOf(id, '?filter=low_confidence')).toEqual([])
    const sorts = ['number', 'confidence', 'cost', 'completed_at']
    for (const sort of sorts) {
      const seen: number[] = []
      let next: string | undefined = `/v1/agent/batches/${id}/items?sort=${sort}&limit=1`
      while (next) {
        const { json, headers } = await service.call('GET', next)
        seen.push(...json.map(({ index }: { index: number }) => index))
        next = /<([^>]+)>; rel="next"/.exec(headers.get('link') ?? '')?.[1]
      }
      expect(seen.toSorted(), sort).toEqual([0, 1, 2, 3])
    }
    for (const [sort, text] of [
      ['number', 'x'],
      ['number', '["1"]'],
      ['number', '["a",1]'],
      ['number', '[1,1]'],
      ['confidence', '["e+-",1]'],
      ['confidence', '["1e999",1]'],
      ['completed_at', '["2026-99-99 99:99:99+00",1]'],
      ['completed_at', '["2026-02-30 12:00:00+00",1]'],
      ['completed_at', '["2026-05-01",1]'],
    ] as const) {
      const cursor = Buffer.from(text).toString('base64url')
      const { status, json } = await service.call('GET', `/v1/agent/batches/${id}/items?sort=${sort}&cursor=${cursor}`)
      expect([status, json.detail?.[0]?.loc], text).toEqual([422, ['query', 'cursor']])
    }
    const small = Buffer.from('["1e-999",-1]').toString('base64url')
    expect(await itemsOf(id, `?sort=confidence&cursor=${small}`)).toHaveLength(4)
  })

  test.each([
    ['letters that take three bytes', '\u20ac'],
    ['control characters', '\u0001'],
  ])('are listed page by page by the longest names, of %s', async (_what, letter) => {
    const items = ['a', 'b', 'c'].map((end, at) => ({ ...textItem(at + 1), file_name: letter.repeat(254) + end }))
    const id = await begin({ items })
    const ends: string[] = []
    let path: string | undefined = `/v1/agent/batches/${id}/items?sort=file_name&limit=1`
    while (path) {
      const { status, json, headers } = await service.call('GET', path)
      expect(status, JSON.stringify(json)).toBe(200)
      ends.push(...json.map((one: { file_name: string }) => one.file_name.at(-1)))
      path = /<([^>]+)>; rel="next"/.exec(headers.get('link') ?? '')?.[1]
    }
    expect(ends).toEqual(['a', 'b', 'c'])
    await until(id, 'completed')
  })
})

test('an optional field or a list that a document lacks does not lower the confidence of its item', async () => {
  const lines = { type: 'array', items: { type: 'object', properties: { sku: { type: 'string' } } } }
  const properties = { total: { type: ['number', 'null'] }, 'order/no': { type: ['string', 'null'] }, lines }
  const config = { json_schema: { type: 'object', properties } }
  const id = await begin({ items: [{ inputs: { text: 'Total: 12.50' } }, { inputs: { text: 'Hello' } }], config })
  await until(id, 'completed')
  const [found, lacking] = await itemsOf(id)
  const [total] = found.fields
  expect(found).toMatchObject({
    response: { total: 12.5, lines: [] },
    not_found: 2,
    lowest_confidence: total.confidence,
  })
  expect(total.confidence).toBeGreaterThan(0.5)
  expect(lacking).toMatchObject({ lowest_confidence: null })
})

describe('the results of a batch', () => {
  const columns = {
    total: { type: ['number', 'null'] },
    invoice_date: { type: ['string', 'null'], format: 'date' },
    paid: { type: ['boolean', 'null'] },
    seller: { type: 'object', properties: { name: { type: ['string', 'null'] } } },
    lines: {
      type: 'array',
      items: { type: 'object', properties: { item: { type: 'string' }, price: { type: 'number' } } },
    },
  }
  const answers = [
    {
      total: 12.5,
      invoice_date: '2026-05-01',
      paid: true,
      seller: { name: '=cmd|calc' },
      lines: [
        { item: 'Pen', price: 2.5 },
        { item: 'Ink', price: 10 },
      ],
    },
    { total: null, invoice_date: null, paid: false, seller: { name: null }, lines: [] },
  ]
  /** Its executions answer each document in turn; the last one fails. */
  async function make(): Promise<string> {
    const config = { prompt: 'Read the invoice', json_schema: { type: 'object', properties: columns } }
    const items = answers.map((_, at) => ({ inputs: { text: `Document ${at}` }, file_name: `${at}.txt` }))
    items.push({ inputs: { text: 'Document 2' }, file_name: '2.txt' })
    const id = await begin({ ...asked, config, items })
    await poll(async () => {
      for (const one of held.splice(0)) {
        const document = /Document (\d)/.exec(one.text)?.[1]
        const answer = answers[Number(document)]
        if (answer) one.answer(JSON.stringify(answer))
        else one.fail()
      }
      return (await read(id)).status
    }).toBe('completed')
    return id
  }
  let made: Promise<string> | undefined
  const download = async (query: string) => {
    made ??= make()
    const id = await made
    const response = await fetch(`${service.url}/v1/agent/batches/${id}/results?${query}`, {
      headers: { Authorization: `Bearer ${service.key}` },
    })
    return { id, headers: response.headers, bytes: Buffer.from(await response.arrayBuffer()) }
  }

  test('as CSV have one row per document and one column per value, safe for spreadsheets', async () => {
    const { id, headers, bytes } = await download('format=csv')
    expect(headers.get('content-type')).toContain('text/csv')
    expect(headers.get('content-disposition')).toBe(`attachment; filename="results-${id}.csv"`)
    const [header, first, second, third] = bytes.toString().split('\r\n')
    expect(header).toBe(
      'file_name,status,total,invoice_date,paid,seller.name,lines,needs_look,lowest_confidence,link,execution_id,client_id,error',
    )
    expect(first).toMatch(/^0\.txt,completed,12\.5,2026-05-01,true,"'=cmd\|calc","\[{""item"":""Pen"",/)
    expect(first).toMatch(/,http:\/\/[^,]+\/executions\/[0-9a-f-]{36},/)
    expect(second).toMatch(/^1\.txt,completed,,,false,,\[\],/)
    expect(third).toMatch(/^2\.txt,failed,,,,,,/)
  })

  test('as XLSX have typed cells, and lists on sheets of their own', async () => {
    const [results, lines, ...others] = await readWorkbook((await download('format=xlsx')).bytes)
    expect([results?.name, lines?.name, others]).toEqual(['Results', 'lines', []])
    expect(results?.rows[0]?.map((cell) => cell?.text).slice(0, 7)).toEqual([
      'file_name',
      'status',
      'total',
      'invoice_date',
      'paid',
      'seller.name',
      'lines (rows)',
    ])
    expect(results?.rows[1]?.slice(0, 7).map((cell) => cell && [cell.type, cell.text, cell.format])).toEqual([
      ['inlineStr', '0.txt', '0'],
      ['inlineStr', 'completed', '0'],
      ['n', '12.5', '0'],
      ['n', '46143', 'yyyy-mm-dd'],
      ['b', '1', '"TRUE";"TRUE";"FALSE"'],
      ['inlineStr', '=cmd|calc', '49'],
      ['n', '2', '0'],
    ])
    expect(lines?.rows.map((row) => row.map((cell) => cell?.text))).toEqual([
      ['index', 'file_name', 'row', 'item', 'price'],
      ['0', '0.txt', '1', 'Pen', '2.5'],
      ['0', '0.txt', '2', 'Ink', '10'],
    ])
  })

  test.skipIf(!hasLibreOffice)(
    'as XLSX open in LibreOffice with the same values and types',
    async () => {
      const folder = await temporaryFolder('office')
      await writeFile(join(folder, 'results.xlsx'), (await download('format=xlsx')).bytes)
      // Flat OpenDocument has the type of each cell in plain XML.
      const where = ['--headless', `-env:UserInstallation=file://${folder}/profile`, '--convert-to', 'fods']
      await promisify(execFile)('soffice', [...where, '--outdir', folder, join(folder, 'results.xlsx')], {
        timeout: 180_000,
      })
      const text = await readFile(join(folder, 'results.fods'), 'utf8')
      const sheets = [...text.matchAll(/<table:table table:name="([^"]+)"[\s\S]*?<\/table:table>/g)]
      expect(sheets.map(([, name]) => name)).toEqual(['Results', 'lines'])
      const rows = [...(sheets[0]?.[0] ?? '').matchAll(/<table:table-row[\s\S]*?<\/table:table-row>/g)]
      const cells = [
        ...(rows[1]?.[0] ?? '').matchAll(/<table:table-cell[^>]*office:value-type="(\w+)"([^>]*)>\s*<text:p>([^<]*)/g),
      ]
      const values = cells.map(([, type, attributes = '', shown]) => {
        const value = /office:(?:date-|boolean-)?value="([^"]+)"/.exec(attributes)?.[1]
        return [type, value ?? shown]
      })
      expect(values.slice(0, 7)).toEqual([
        ['string', '0.txt'],
        ['string', 'completed'],
        ['float', '12.5'],
        ['date', '2026-05-01'],
        ['boolean', 'true'],
        ['string', '=cmd|calc'],
        ['float', '2'],
      ])
    },
    200_000,
  )

  test('as JSON Lines have each item with its values, confidence and links', async () => {
    const lines = (await download('')).bytes.toString().trimEnd().split('\n')
    const items = lines.map((line) => JSON.parse(line))
    expect(items.map(({ response }) => response)).toEqual([...answers, null])
    const [total] = items[0].fields
    expect(total).toMatchObject({ path: '/total', value: 12.5, confidence: expect.any(Number) })
    expect(total.link).toBe(`${service.url}/executions/${items[0].execution_id}?field=%2Ftotal`)
  })

  test('mark the same values that the record, the items, the filter and the review queue say need a look', async () => {
    const properties = { total: { type: 'number' }, invoice_number: { type: 'string' } }
    const reviewed = { json_schema: { type: 'object', properties }, review: { below: 1 } }
    const items = [{ inputs: { text: 'Invoice No: 17\nTotal: EUR 12.50' }, file_name: 'a.txt' }]
    const { id } = await until(await begin({ items, config: reviewed }), 'completed')
    const [item] = await itemsOf(id, '?filter=low_confidence')
    const record = (await service.call('GET', `/v1/agent/executions/${item.execution_id}`)).json
    expect(record.needs_look.toSorted()).toEqual(['/invoice_number', '/total'])
    expect(record.completeness).toMatchObject({ low_confidence: 2, review_below: 1 })
    expect(item.fields.map((field: { needs_look: boolean }) => field.needs_look)).toEqual([true, true])
    const { reasons } = (await service.call('GET', `/v1/reviews/${record.id}`)).json
    expect(reasons.map(({ path }: { path: string }) => path).toSorted()).toEqual(['/invoice_number', '/total'])
    const yellow = async () => {
      const path = `/v1/agent/batches/${id}/results?format=xlsx`
      const answer = await fetch(service.url + path, { headers: { Authorization: `Bearer ${service.key}` } })
      const [results] = await readWorkbook(Buffer.from(await answer.arrayBuffer()))
      return results?.rows[1]?.flatMap((cell, at) => (cell?.isMarked ? [results.rows[0]?.[at]?.text] : []))
    }
    expect((await yellow())?.toSorted()).toEqual(['invoice_number', 'total'])
    const changes = [{ path: '/total', kind: 'confirmed' }]
    await service.call('POST', `/v1/agent/executions/${record.id}/review`, { body: { changes } })
    expect(await yellow()).toEqual(['invoice_number'])
    const { json } = await service.call('GET', `/v1/agent/batches/${id}/results?format=csv`)
    expect(json).toContain(',/invoice_number,')
    await service.call('POST', `/v1/agent/executions/${record.id}/review`, { body: { done: true } })
    expect(await yellow()).toEqual([])
    expect(await itemsOf(id, '?filter=low_confidence')).toEqual([])
  })

  test('have nothing of the rows that a person removed', async () => {
    const row = { type: 'object', properties: { description: { type: 'string' } } }
    const json_schema = { type: 'object', properties: { line_items: { type: 'array', items: row } } }
    const text = 'Description  Qty  Amount\nHammer       2    20.00\n'
    const { id } = await until(await begin({ items: [{ inputs: { text } }], config: { json_schema } }), 'completed')
    const [{ execution_id: executionId, fields: before }] = await itemsOf(id)
    expect(before).toMatchObject([{ path: '/line_items', confidence: expect.any(Number) }])
    const changes = [{ path: '/line_items', value: [] }]
    await service.call('POST', `/v1/agent/executions/${executionId}/review`, { body: { changes } })
    const [{ fields: after }] = await itemsOf(id)
    expect(after).toMatchObject([{ path: '/line_items', value: [], confidence: null }])
  })

  test('have the value that a person corrected', async () => {
    const items = [textItem(5)]
    const reviewed = { ...config, review: { below: 1 } }
    const { id, counts } = await until(await begin({ items, config: reviewed }), 'completed')
    expect(counts).toEqual({ ...none, completed: 1, review_needed: 1 })
    const [item] = await itemsOf(id)
    const changes = [{ path: '/total', value: 55 }]
    const body = { changes, done: true }
    const { status } = await service.call('POST', `/v1/agent/executions/${item.execution_id}/review`, { body })
    expect(status).toBe(200)
    expect(await itemsOf(id)).toMatchObject([{ response: { total: 55 }, review: 'done' }])
    expect((await read(id)).counts).toEqual({ ...none, completed: 1 })
    const { json } = await service.call('GET', `/v1/agent/batches/${id}/results?format=csv`)
    expect(json).toContain('completed,55,')
  })

  test('show the evidence of each value where it is asked for, and only the items that are asked for', async () => {
    const rows = (await download('format=csv&evidence=true&status=completed')).bytes.toString().trimEnd().split('\r\n')
    expect(rows).toHaveLength(3)
    expect(rows[0]).toContain('total,total (confidence),total (evidence)')
    expect(rows[1]).toMatch(/12\.5,[\d.]+,http[^,]+field=%2Ftotal,/)
    const failed = (await download('format=jsonl&filter=failed')).bytes.toString().trimEnd().split('\n')
    expect(failed.map((line) => JSON.parse(line).file_name)).toEqual(['2.txt'])
  })
})

describe('the content of a batch', () => {
  const contentOf = (id: string) =>
    service.database.db.query(
      `select b.name, b.request, i.inputs, i.file_name, i.client_id from batches b join batch_items i on i.batch_id = b.id where b.id = $1`,
      [id],
    )
  const gone = { name: null, request: null, inputs: null, file_name: null, client_id: null }
  const item = { ...textItem(4), file_name: 'private.txt', client_id: 'a-person' }

  test('goes with its end where nothing may be retained, and its counts and cost stay', async () => {
    const ended = await until(
      await begin({ name: 'Private', metadata: { allow_retention: false }, items: [item] }),
      'completed',
    )
    expect(ended.counts).toEqual({ ...none, completed: 1 })
    expect(await contentOf(ended.id)).toEqual([gone])
    const [row] = await itemsOf(ended.id)
    expect(row).toMatchObject({ file_name: null, response: null, fields: [], status: 'completed' })
    const cancelled = await begin({
      ...asked,
      metadata: { allow_retention: false },
      max_in_flight: 1,
      items: [item, item],
    })
    await poll(() => held.length).toBe(1)
    await control(cancelled, 'cancel')
    held.splice(0)
    expect(await contentOf(cancelled)).toEqual([gone, gone])
  })

  test('goes after the retention period', async () => {
    const ended = await until(await begin({ name: 'Old', items: [item] }), 'completed')
    const now = new Date()
    const { db } = service.database
    await purgeBatches(db, { now, olderThan: new Date(Date.parse(ended.completed_at) - 1) })
    expect(await contentOf(ended.id)).toMatchObject([{ name: 'Old', file_name: 'private.txt' }])
    await purgeBatches(db, { now, olderThan: new Date(now.getTime() + 1) })
    expect(await contentOf(ended.id)).toEqual([gone])
    expect((await control(ended.id, 'retry')).json.detail).toContain('No item of this batch has failed')
  })

  test('stays when a retry comes between the look of the sweep and its deletion', async () => {
    const id = await begin({ ...asked, name: 'Retried', items: [{ ...item, inputs: { text: 'Total: 4.00' } }] })
    await poll(() => held.length).toBe(1)
    held.shift()?.fail()
    const ended = await until(id, 'completed')
    const { db } = service.database
    let isRetried = false
    const looked: Db = {
      ...db,
      async query<Row extends object>(text: string, params?: readonly unknown[]) {
        const rows = await db.query<Row & { id?: string }>(text, params)
        if (rows.some((row) => row.id === id)) isRetried = (await control(id, 'retry')).status === 200
        return rows
      },
    }
    await purgeBatches(looked, { now: new Date(), olderThan: new Date(Date.parse(ended.completed_at) + 1) })
    expect(isRetried).toBe(true)
    expect(await contentOf(id)).toMatchObject([{ name: 'Retried', file_name: 'private.txt', client_id: 'a-person' }])
    await answerUntil(id, 'completed')
    expect((await read(id)).counts).toEqual({ ...none, completed: 1 })
  })

  test('is named by the refusal of a retry, where the failed items have lost theirs', async () => {
    const id = await begin({ ...asked, metadata: { allow_retention: false }, items: [item] })
    await poll(() => held.length).toBe(1)
    held.shift()?.fail()
    expect((await until(id, 'completed')).counts).toEqual({ ...none, failed: 1 })
    const { status, json } = await control(id, 'retry')
    expect([status, json.detail]).toEqual([
      409,
      'The inputs of the failed items were not retained, so they cannot be run again; send them in a new batch',
    ])
    expect((await read(id)).status).toBe('completed')
  })
})

test('batches are listed newest first, page by page, and each change is in the audit log', async () => {
  const key = await service.stranger()
  const ids: string[] = []
  for (const name of ['one', 'two', 'three']) {
    const body = { name, config, items: textItems(1) }
    ids.push((await service.call('POST', '/v1/agent/batches', { key, body })).json.id)
  }
  const first = await service.call('GET', '/v1/agent/batches?limit=2', { key })
  expect(first.json.map(({ name }: { name: string }) => name)).toEqual(['three', 'two'])
  const next = /<([^>]+)>/.exec(first.headers.get('link') ?? '')?.[1] ?? ''
  expect((await service.call('GET', next, { key })).json.map(({ name }: { name: string }) => name)).toEqual(['one'])
  await service.call('POST', `/v1/agent/batches/${ids[0]}/cancel`, { key })
  const audit = (await service.call('GET', `/v1/audit?subject_id=${ids[0]}`, { key })).json
  const actions = audit.map(({ action }: { action: string }) => action)
  expect(actions).toContain('batch.create')
})
