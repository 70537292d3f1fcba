import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { systemClock } from '../packages/core/src/clock.ts'
import { makeDatabase } from './support/database.ts'
import { opened } from './support/opened.ts'
import { openReceiver } from './support/receiver.ts'
import { openTestService, type TestService } from './support/service.ts'

const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwh8b9Xk0Ln3E='
let aheadMs = 0
const clock = { ...systemClock, now: () => new Date(Date.now() + aheadMs) }
let service: TestService
/** Another server on the same database. */
let other: TestService
const keys = { ann: '', ben: '' }

const receiver = await opened(openReceiver())
const database = await opened(makeDatabase())
beforeAll(async () => {
  const file = { limits: { requests_per_minute: 1_000_000 } }
  const env = { SKILLRUN_CALLBACK_SECRET: secret, SKILLRUN_ALLOW_PRIVATE: `127.0.0.1:${receiver.port}` }
  service = await openTestService({ database, clock, env, file })
  other = await openTestService({ database, clock, env: { ...env, SKILLRUN_ROLE: 'api' }, file })
  for (const name of ['ann', 'ben'] as const) keys[name] = (await makeKey(name, ['read', 'review'])).key
})
afterAll(async () => {
  await other[Symbol.asyncDispose]()
  await service[Symbol.asyncDispose]()
})

const makeKey = async (name: string, scopes: readonly string[]) =>
  (await service.call('POST', '/v1/keys', { body: { name, scopes } })).json

const text = { type: ['string', 'null'] }
const schema = {
  type: 'object',
  properties: {
    invoice_number: { type: 'string' },
    total: { type: 'number' },
    iban: { type: 'string' },
    note: text,
    line_items: {
      type: 'array',
      items: { type: 'object', properties: { description: text, amount: { type: ['number', 'null'] } } },
    },
  },
}
const letter =
  'Invoice No: 17\nTotal: EUR 12.50\n\nDescription  Qty  Amount\nHammer       2    20.00\nNails        1    5.50\n'

/** An execution of a short letter; `needed`: one that enters the review queue. */
async function execute(more: { config?: object; [name: string]: unknown } = {}) {
  const { config, ...rest } = more
  const body = {
    batch: false,
    inputs: { mail: letter },
    config: { prompt: 'Extract the fields', json_schema: schema, ...config },
    ...rest,
  }
  return service.execute(body)
}
const needed = () => execute({ config: { review: { below: 1 }, grounding: true, json_schema: required } })
const required = { ...schema, properties: { ...schema.properties, order: text }, required: ['order'] }

const review = (id: string, body: object, more: { key?: string; headers?: Record<string, string> } = {}) =>
  service.call('POST', `/v1/agent/executions/${id}/review`, { body, ...more })
const read = async (id: string) => (await service.call('GET', `/v1/agent/executions/${id}`)).json
const claim = (id: string, key: string) => service.call('POST', `/v1/reviews/${id}/claim`, { key })

describe('a review', () => {
  test('keeps corrections beside the answer, which stays as it was, with who made them, when, and what', async () => {
    const before = await execute()
    expect(before).toMatchObject({
      reviewed_response: null,
      review: { status: 'none', version: 0, by: null, at: null, changes: [] },
    })
    const changes = [
      { path: '/total', value: 12.75 },
      { path: '/invoice_number', kind: 'confirmed' },
      { path: '/line_items/1/amount', kind: 'absent' },
      { path: '/iban', value: 'DE02120300000000202051' },
    ]
    const saved = await review(before.id, { changes, done: true, comment: 'Checked by phone' }, { key: keys.ann })
    expect(saved.status).toBe(200)
    expect(saved.json.response).toEqual(before.response)
    expect(saved.json.reviewed_response).toEqual({
      ...before.response,
      total: 12.75,
      iban: 'DE02120300000000202051',
      line_items: [before.response.line_items[0], { ...before.response.line_items[1], amount: null }],
    })
    expect(saved.json.review).toEqual({
      status: 'done',
      version: 1,
      by: { kind: 'key', id: expect.any(String), name: 'ann' },
      at: expect.any(String),
      changes: [
        { path: '/total', from: 12.5, to: 12.75, kind: 'corrected' },
        { path: '/invoice_number', from: '17', to: '17', kind: 'confirmed' },
        { path: '/line_items/1/amount', from: 5.5, to: null, kind: 'absent' },
        { path: '/iban', from: null, to: 'DE02120300000000202051', kind: 'corrected' },
      ],
    })
    expect(await read(before.id)).toEqual(saved.json)
    const list = await service.call('GET', `/v1/agent/executions/${before.id}/reviews`)
    expect(list.json).toMatchObject([
      { version: 1, by: { name: 'ann' }, done: true, comment: 'Checked by phone', changes: saved.json.review.changes },
    ])
  })

  test('on top of another one says of each path what both together changed, and the history has both', async () => {
    const { id } = await execute()
    await review(id, { changes: [{ path: '/total', value: 1 }] })
    await review(id, {
      changes: [{ path: '/line_items/0/description', value: 'Axe' }],
    })
    const last = await review(id, {
      changes: [
        { path: '/total', value: 2 },
        { path: '/line_items', value: [] },
      ],
    })
    expect(last.json).toMatchObject({ reviewed_response: { total: 2, line_items: [] }, review: { status: 'needed' } })
    expect(last.json.review.changes).toMatchObject([
      { path: '/total', from: 12.5, to: 2 },
      { path: '/line_items', to: [] },
    ])
    const { json } = await service.call('GET', `/v1/agent/executions/${id}/reviews`)
    expect(json.map((one: { changes: { from: unknown }[] }) => one.changes[0]?.from)).toEqual([12.5, 'Hammer', 1])
  })

  test('removes and adds rows of a list, and what is known of the rows that stay goes with them', async () => {
    const { id, needs_look: looks } = await needed()
    expect(looks).toEqual(expect.arrayContaining(['/line_items/0/amount', '/line_items/1/amount']))
    const save = (version: number, ...changes: readonly object[]) =>
      review(id, { changes }, { headers: { 'If-Match': `"${version}"` } })
    await save(0, { path: '/line_items/1/amount', value: 6 })
    const nails = { description: 'Nails', amount: 6 }
    const value = [nails, { description: 'Saw', amount: null }]
    const moved = await save(1, { path: '/line_items', value, rows: [1, null] })
    expect(moved.json.reviewed_response.line_items).toEqual(value)
    const open: string[] = moved.json.needs_look
    // The row that is gone needs no look, and the one that stays keeps the number that its evidence has.
    expect(open.filter((path) => path.startsWith('/line_items/'))).toEqual(['/line_items/1/description'])
    await save(2, { path: '/line_items/0/description', value: 'Screws' }, { path: '/line_items/1/amount', value: 9 })
    // The equal rows at the start and at the end are the same.
    const third = { description: 'Glue', amount: 1 }
    const list = [{ ...nails, description: 'Screws' }, third, { description: 'Saw', amount: 9 }]
    await save(3, { path: '/line_items', value: list })
    const { json } = await review(id, { done: true })
    expect(json.review.changes).toEqual([
      { path: '/line_items/1/amount', from: 5.5, to: 6, kind: 'corrected' },
      { path: '/line_items/1/description', from: 'Nails', to: 'Screws', kind: 'corrected' },
      { path: '/line_items', from: json.response.line_items, to: list, kind: 'corrected', rows: [1, null, null] },
    ])
    const history = await service.call('GET', `/v1/agent/executions/${id}/reviews`)
    expect(history.json[3].changes).toMatchObject([{ path: '/line_items', rows: [0, null, 1] }])
    // What the reader said of the removed row was wrong, with the confidence that it had.
    const [item] = await database.db.query<{ judged: readonly object[]; fields: object }>(
      'select judged, fields from review_items where execution_id = $1',
      [id],
    )
    const wrong = (path: string) => ({ confidence: json.evidence[path].confidence, right: false })
    expect(item?.judged).toEqual([
      wrong('/line_items/1/amount'),
      wrong('/line_items/1/description'),
      wrong('/line_items/0/description'),
      wrong('/line_items/0/amount'),
    ])
    expect(item?.fields).toMatchObject({
      '/line_items': { confirmed: 0, corrected: 1, untouched: 0 },
      '/line_items/*/amount': { confirmed: 0, corrected: 1, untouched: 0 },
    })
  })

  test('takes a row that is put back for the row that it was', async () => {
    const { id, response } = await execute()
    const [hammer, nails] = response.line_items
    const save = async (version: number, value: readonly object[], rows?: readonly (number | null)[]) => {
      const body = { changes: [{ path: '/line_items', value, ...(rows ? { rows } : {}) }] }
      return (await review(id, body, { headers: { 'If-Match': `"${version}"` } })).json.review.changes[0].rows
    }
    expect(await save(0, [nails], [1])).toEqual([1])
    expect(await save(1, [hammer, nails], [null, 0])).toEqual([0, 1])
    expect(await save(2, [hammer])).toEqual([0])
    // Not where it was: a new row.
    expect(await save(3, [nails, hammer], [null, 0])).toEqual([null, 0])
    expect(await save(4, [hammer])).toEqual([0])
    expect(await save(5, [hammer, nails])).toEqual([0, 1])
  })

  test('settles each change on the answer that those before it left', async () => {
    const { id, response } = await execute()
    const [hammer, nails] = response.line_items
    const offer = (value: number) => {
      const candidate = { value, status: 'verified', confidence: 0.6 }
      return { status: 'unsupported', confidence: 0.2, candidates: [candidate] }
    }
    const evidence = { '/line_items/0/amount': offer(20.5), '/line_items/1/amount': offer(6) }
    await database.db.query('update executions set evidence = $2 where id = $1', [id, JSON.stringify(evidence)])
    const changes = [
      { path: '/line_items', value: [nails], rows: [1] },
      { path: '/line_items/0/description', kind: 'confirmed' },
      { path: '/line_items/0/amount', candidate: 0 },
      { path: '/line_items/0/amount', kind: 'confirmed', value: 6 },
    ]
    const { json } = await review(id, { changes }, { headers: { 'If-Match': '"0"' } })
    expect(json.reviewed_response.line_items).toEqual([{ ...nails, amount: 6 }])
    const history = await service.call('GET', `/v1/agent/executions/${id}/reviews`)
    expect(history.json[0].changes).toEqual([
      { path: '/line_items', from: [hammer, nails], to: [nails], kind: 'corrected', rows: [1] },
      { path: '/line_items/0/description', from: 'Nails', to: 'Nails', kind: 'confirmed' },
      { path: '/line_items/0/amount', from: 5.5, to: 6, kind: 'corrected' },
      { path: '/line_items/0/amount', from: 6, to: 6, kind: 'confirmed' },
    ])
  })

  test('names rows of the list that it read, each once', async () => {
    const { id, response } = await execute()
    const [hammer, nails] = response.line_items
    const refused = async (
      rows: unknown,
      value: unknown = [hammer],
      more: { path?: string; headers?: object } = {},
    ) => {
      const { path = '/line_items', headers = { 'If-Match': '"0"' } } = more
      return (await review(id, { changes: [{ path, value, rows }] }, { headers: { ...headers } })).json.detail[0]
    }
    for (const [rows, message] of [
      [[2], 'the list had 2 rows'],
      [[0, 1], 'the value has 1 rows'],
    ] as const)
      expect(await refused(rows)).toMatchObject({
        loc: ['body', 'changes', 0, 'rows'],
        msg: expect.stringContaining(message),
      })
    expect((await refused([0, 0], [hammer, hammer])).msg).toContain('can be kept once')
    expect((await refused([null, 0], [nails, { ...hammer, amount: 21 }])).msg).toContain('row 1 of the value differs')
    expect((await refused([0], [hammer], { headers: {} })).msg).toContain('If-Match')
    expect((await refused([0], 3, { path: '/total' })).msg).toContain('only a list')
    expect((await read(id)).review.version).toBe(0)
  })

  test('with If-Match is refused once another one was saved, and nothing is written', async () => {
    const { id } = await execute()
    const headers = { 'If-Match': '"0"' }
    expect((await review(id, { changes: [{ path: '/total', value: 1 }] }, { headers })).status).toBe(200)
    const late = await review(id, { changes: [{ path: '/total', value: 2 }] }, { headers })
    expect(late).toMatchObject({ status: 409, json: { detail: expect.stringContaining('now has version 1, not 0') } })
    expect(await read(id)).toMatchObject({ reviewed_response: { total: 1 }, review: { version: 1 } })
    const next = await review(id, { changes: [{ path: '/total', value: 3 }] }, { headers: { 'If-Match': '1' } })
    expect(next.json.review.version).toBe(2)
  })

  test('of many at once loses none without If-Match, and lets exactly one through with it', async () => {
    const { id } = await execute()
    const paths = ['/total', '/invoice_number', '/iban', '/note']
    const values = [7, 'N', 'I', 'remark']
    const all = paths.map((path, n) => review(id, { changes: [{ path, value: values[n] }] }))
    expect((await Promise.all(all)).map(({ status }) => status)).toEqual([200, 200, 200, 200])
    expect(await read(id)).toMatchObject({
      reviewed_response: { total: 7, invoice_number: 'N', iban: 'I', note: 'remark' },
      review: { version: 4 },
    })
    const raced = [1, 2, 3, 4].map((value) =>
      review(id, { changes: [{ path: '/total', value }] }, { headers: { 'If-Match': '4' } }),
    )
    expect((await Promise.all(raced)).map(({ status }) => status).toSorted()).toEqual([200, 409, 409, 409])
  })

  test('that is finished twice at once, or once more with the same corrections, is one', async () => {
    const { id } = await execute({ callback_url: receiver.url('/twice') })
    const body = { changes: [{ path: '/total', value: 14 }], done: true }
    const twice = await Promise.all([review(id, body), review(id, body, { key: keys.ann })])
    expect(twice.map(({ status }) => status)).toEqual([200, 200])
    expect((await review(id, { done: true })).json.review).toMatchObject({ status: 'done', version: 1 })
    expect((await service.call('GET', `/v1/agent/executions/${id}/reviews`)).json).toHaveLength(1)
    const callbacks = await service.call('GET', `/v1/agent/executions/${id}/callbacks`)
    expect(callbacks.json.map(({ event }: { event: string }) => event)).toEqual(['completed', 'reviewed'])
    const changed = await review(id, { changes: [{ path: '/total', value: 15 }], done: true })
    expect(changed.json).toMatchObject({ reviewed_response: { total: 15 }, review: { version: 2 } })
  })

  test('that is sent again with its comment and its claim, as after a lost reply, gets the earlier answer', async () => {
    const { id } = await needed()
    const { number } = (await claim(id, keys.ann)).json.claim
    const body = { changes: [{ path: '/total', value: 14 }], done: true, comment: 'misread', claim: number }
    const send = (more: object = {}) => review(id, { ...body, ...more }, { key: keys.ann })
    const first = await send()
    expect(first).toMatchObject({ status: 200, json: { review: { status: 'done', version: 1 } } })
    expect(await send()).toMatchObject({ status: 200, json: first.json })
    expect(await send({ comment: 'another one' })).toMatchObject({
      status: 409,
      json: { detail: expect.stringMatching(/^Claim 1 of this/) },
    })
    expect((await service.call('GET', `/v1/agent/executions/${id}/reviews`)).json).toHaveLength(1)
  })

  test('that corrects once more after it was finished and moved rows is saved, and one that says the same is not', async () => {
    const { id, response } = await execute()
    const [hammer, nails] = response.line_items
    const changes = [
      { path: '/line_items/0/amount', value: 6 },
      { path: '/line_items', value: [nails, { ...hammer, amount: 6 }], rows: [1, 0] },
    ]
    await review(id, { changes, done: true }, { headers: { 'If-Match': '"0"' } })
    const body = { changes: [{ path: '/line_items/0/amount', value: 6 }], done: true }
    for (const _ of ['first', 'again'])
      expect((await review(id, body)).json).toMatchObject({
        review: { version: 2 },
        reviewed_response: { line_items: [{ ...nails, amount: 6 }, { amount: 6 }] },
      })
  })

  test('names the input of a place where there are several, and its page where there are several', async () => {
    const { id } = await execute({ inputs: { mail: letter, note: 'Total: EUR 3.00' } })
    const place = { page: 0, bbox: [0.1, 0.1, 0.2, 0.1] }
    const unnamed = await review(id, { changes: [{ path: '/total', value: 3, ...place }] })
    expect(unnamed.json.detail[0]).toMatchObject({
      loc: ['body', 'changes', 0, 'input'],
      msg: 'Name the input that the place is on. The execution read "mail", "note"',
    })
    expect((await review(id, { changes: [{ path: '/total', value: 3, input: 'note', ...place }] })).status).toBe(200)
  })

  test('must be valid against the schema; the error names the field', async () => {
    const { id } = await execute()
    const bad = await review(id, {
      changes: [
        { path: '/note', value: 'fine' },
        { path: '/total', value: 'twelve' },
      ],
    })
    expect(bad.status).toBe(422)
    expect(bad.json.detail).toEqual([
      { loc: ['body', 'changes', 1, 'value'], msg: '/total must be number', type: 'schema_violation', input: 'twelve' },
    ])
    for (const [change, part, msg] of [
      [{ path: '/line_items/7/amount', value: 1 }, 'path', 'the list has 2 items'],
      [{ path: '/line_items/1', kind: 'absent' }, 'path', 'correct the list to one without the row'],
      [{ path: 'total', value: 1 }, 'path', 'JSON Pointer'],
      [{ path: '/total/cents', value: 1 }, 'path', 'is not in the response'],
      [{ path: '/nothing', kind: 'confirmed' }, 'path', 'is not in the response'],
      [{ path: '/totl', value: 1 }, 'path', 'The schema has no field /totl. At this place it has "'],
      [
        { path: '/line_items/0/amont', value: 1 },
        'path',
        'The schema has no field /line_items/0/amont. At this place it has "',
      ],
      [{ path: '/total', kind: 'confirmed', value: 99 }, 'value', '/total has another value'],
      [{ path: '/total', candidate: 0 }, 'candidate', 'has no candidates'],
      [{ path: '/total', kind: 'corrected' }, 'value', 'a correction needs a value'],
      [{ path: '/note', kind: 'corrected', value: null }, 'value', 'use the kind absent'],
      [{ path: '/total', value: 1, input: 'letter' }, 'input', 'no input named "letter". The execution read "mail"'],
      [{ path: '/total', value: 1, input: 'mail', page: 1 }, 'page', 'no page 1: "mail" has the pages 0 to 0'],
      [{ path: '/total', value: 1, page: 7, bbox: [0, 0, 1, 1] }, 'page', 'no page 7'],
    ] as const) {
      const { status, json } = await review(id, { changes: [change] })
      expect(status).toBe(422)
      expect(json.detail[0].loc).toEqual(['body', 'changes', 0, part])
      expect(json.detail[0].msg).toContain(msg)
    }
    expect(await read(id)).toMatchObject({ reviewed_response: null, review: { version: 0 } })
  })

  test('that says a value is not in the document leaves out what the schema lets be left out, and else names the field', async () => {
    const strict = { ...schema, required: ['total'] }
    const { id } = await execute({ config: { json_schema: strict } })
    const left = await review(id, { changes: [{ path: '/invoice_number', kind: 'absent' }] })
    expect(left.json.reviewed_response).not.toHaveProperty('invoice_number')
    const refused = await review(id, { changes: [{ path: '/total', kind: 'absent' }] })
    expect(refused.status).toBe(422)
    expect(refused.json.detail[0]).toMatchObject({
      loc: ['body', 'changes', 0, 'kind'],
      msg: expect.stringContaining("required property 'total'"),
    })
  })

  test('takes the value of a candidate of the evidence', async () => {
    const { id } = await execute()
    const candidate = { value: 99.5, status: 'verified', confidence: 0.6 }
    const evidence = { '/total': { status: 'unsupported', confidence: 0.2, candidates: [candidate] } }
    await database.db.query('update executions set evidence = $2 where id = $1', [id, JSON.stringify(evidence)])
    const { json } = await review(id, { changes: [{ path: '/total', candidate: 0 }] })
    expect(json.review.changes).toEqual([{ path: '/total', from: 12.5, to: 99.5, kind: 'corrected' }])
  })

  test('gives a value to a field, or says that there is none, where the answer left out the object that holds it', async () => {
    const vendor = { type: 'object', properties: { name: { type: 'string' }, seat: { type: 'object' } } }
    const config = { json_schema: { ...schema, properties: { ...schema.properties, vendor } } }
    const { id, response } = await execute({ config })
    expect(response).not.toHaveProperty('vendor')
    const candidate = { value: 'Harbour Supplies', status: 'verified', confidence: 0.6 }
    const evidence = { '/vendor/name': { status: 'unsupported', confidence: 0.2, candidates: [candidate] } }
    await database.db.query('update executions set evidence = $2 where id = $1', [id, JSON.stringify(evidence)])
    const absent = await review(id, { changes: [{ path: '/vendor/name', kind: 'absent' }] })
    expect(absent.json).toMatchObject({
      reviewed_response: response,
      review: { changes: [{ path: '/vendor/name', from: null, to: null, kind: 'absent' }] },
    })
    const named = await review(id, { changes: [{ path: '/vendor/name', candidate: 0 }] })
    expect(named.json.reviewed_response).toEqual({ ...response, vendor: { name: 'Harbour Supplies' } })
    expect(named.json.review.changes).toEqual([
      { path: '/vendor/name', from: null, to: 'Harbour Supplies', kind: 'corrected' },
    ])
    const deeper = await review(id, { changes: [{ path: '/vendor/seat/city', value: 'Hull' }] })
    expect(deeper.json.reviewed_response.vendor).toEqual({ name: 'Harbour Supplies', seat: { city: 'Hull' } })
    // Objects are made only where the schema has them; rows are appended one at a time.
    for (const path of ['/iban/country', '/vendor/offices/0/city']) {
      const { status } = await review(id, { changes: [{ path, value: 'GB' }] })
      expect([path, status]).toEqual([path, 422])
    }
  })

  test('is not possible before the end, without an answer, or of what is not kept', async () => {
    const chat = await service.call('POST', '/v1/agent/executions/00000000-0000-7000-8000-000000000000/review', {
      body: {},
    })
    expect(chat.status).toBe(404)
    const gone = await execute({ metadata: { allow_retention: false } })
    expect(gone.review).toBeNull()
    expect(await review(gone.id, { done: true })).toMatchObject({ status: 409 })
    const failed = await execute({ config: { prompt: 'Write a poem about it' } })
    expect(failed.review).toBeNull()
    expect(await review(failed.id, { done: true })).toMatchObject({
      status: 409,
      json: { detail: expect.stringContaining('no answer to review') },
    })
  })

  test('is called back once finished, signed like all callbacks', async () => {
    const { id } = await execute({ callback_url: receiver.url('/reviewed') })
    await review(id, { changes: [{ path: '/total', value: 13 }] })
    await review(id, { done: true })
    const all = await receiver.got('/reviewed', 2)
    expect(all.map(({ headers }) => headers['x-skillrun-event'])).toEqual(['execution.completed', 'execution.reviewed'])
    const last = all[1]
    const told = new Webhook(secret).verify(last?.body.toString() ?? '', last?.headers as Record<string, string>)
    expect(told).toMatchObject({
      id,
      response: { total: 12.5 },
      reviewed_response: { total: 13 },
      review: { status: 'done' },
    })
    const { json } = await service.call('GET', `/v1/agent/executions/${id}/callbacks`)
    expect(json.map(({ event }: { event: string }) => event)).toEqual(['completed', 'reviewed'])
  })

  test('needs the scope review; read may only look', async () => {
    const { id } = await execute()
    const { key } = await makeKey('reader', ['read', 'execute'])
    expect((await review(id, { done: true }, { key })).status).toBe(403)
    expect((await claim(id, key)).status).toBe(403)
    expect((await service.call('GET', '/v1/reviews', { key })).status).toBe(200)
  })

  test('is in the audit log without its content, and goes with the content of the execution', async () => {
    const { id } = await execute()
    await review(id, { changes: [{ path: '/note', value: 'the secret of the reviewer' }], done: true })
    const audit = await service.call('GET', `/v1/audit?subject_id=${id}`)
    expect(audit.json).toMatchObject([{ action: 'review.save', detail: { version: 1, changes: 1, done: true } }])
    const { purgeExecutions } = await import('../packages/server/src/features/retention/purge.ts')
    const { forgetReviews } = await import('../packages/server/src/features/reviews/reviews.ts')
    const [row] = await database.db.query<{ at: Date }>('select completed_at as at from executions where id = $1', [id])
    const olderThan = new Date((row?.at.getTime() ?? 0) + 1)
    while (
      (await purgeExecutions({ db: database.db, forgetMore: forgetReviews }, { now: clock.now(), olderThan })) > 0
    );
    const dump = await database.db.query<{ all: string }>(
      `select (select json_agg(e) from executions e where id = $1)::text || coalesce((select json_agg(r) from reviews r where execution_id = $1)::text, '')
         || coalesce((select json_agg(i) from review_items i where execution_id = $1)::text, '') as all`,
      [id],
    )
    expect(dump[0]?.all).not.toContain('the secret of the reviewer')
    expect(await read(id)).toMatchObject({ reviewed_response: null, review: { version: 1, changes: [] } })
  })
})

describe('the review queue', () => {
  const list = async (query: string, key = keys.ann) =>
    (await service.call('GET', `/v1/reviews?${query}`, { key })).json
  const isListed = async (query: string, id: string) =>
    (await list(`${query}&limit=1000`)).some((one: { execution_id: string }) => one.execution_id === id)

  test('holds what is less sure than the request allows, with the reasons, and nothing else', async () => {
    const record = await needed()
    expect(record.review).toMatchObject({ status: 'needed', version: 0 })
    const { json } = await service.call('GET', `/v1/reviews/${record.id}`)
    expect(json).toMatchObject({ status: 'needed', lowest_confidence: 0, assigned_to: null, claim: null })
    expect(json.reasons[0]).toEqual({ path: '/order', code: 'missing', confidence: 0 })
    const sure = await execute({ config: { review: { below: 0 }, json_schema: required } })
    expect(sure.review.status).toBe('none')
    expect((await service.call('GET', `/v1/reviews/${sure.id}`)).status).toBe(404)
    const found = await service.call('GET', '/v1/agent/executions?review=needed&limit=1000')
    expect(found.json.map(({ id }: { id: string }) => id)).toContain(record.id)
    expect(found.json.map(({ id }: { id: string }) => id)).not.toContain(sure.id)
  })

  test('follows the setting of the workspace where the request has none', async () => {
    const body = { below: 1 }
    expect((await service.call('PUT', '/v1/reviews/settings', { body })).json).toEqual([
      { skill_name: null, below: 1, max_wrong_rate: null, add_cases: false },
    ])
    const record = await execute({ config: { json_schema: required } })
    expect(record.review.status).toBe('needed')
    expect((await execute({ config: { json_schema: required, review: { below: 0 } } })).review.status).toBe('none')
    await service.call('PUT', '/v1/reviews/settings', { body: { below: null } })
    expect((await execute({ config: { json_schema: required } })).review.status).toBe('none')
  })

  test('asks for fewer reviews once reviewers found what it is sure of to be right, where a setting is kept to a rate', async () => {
    const key = await service.stranger()
    const call = async (method: string, path: string, body?: object) =>
      (await service.call(method, path, { key, ...(body ? { body } : {}) })).json
    // An omitted note whose candidate is unlikely would still be less sure than the values of the letter are.
    const { note: _, ...properties } = schema.properties
    const run = () =>
      call('POST', '/v1/agent/execute', {
        batch: false,
        inputs: { mail: letter },
        config: { prompt: 'Extract the fields', json_schema: { ...schema, properties }, grounding: true },
      })
    const setting = { below: 1, max_wrong_rate: 0.2 }
    const set = { skill_name: null, ...setting, add_cases: false }
    expect(await call('PUT', '/v1/reviews/settings', setting)).toEqual([set])
    const confidences: number[] = []
    /** Confirms all values of a run that was sent to review. */
    const confirm = async () => {
      const record = await run()
      expect(record.review.status).toBe('needed')
      const found = Object.entries(record.evidence as Record<string, { confidence: number; status: string }>).filter(
        ([, { status }]) => status !== 'unsupported',
      )
      confidences.push(...found.map(([, { confidence }]) => confidence))
      const changes = found.map(([path]) => ({ path, kind: 'confirmed' }))
      expect(changes.length).toBeGreaterThan(1)
      await call('POST', `/v1/agent/executions/${record.id}/review`, { changes, done: true })
    }
    await confirm()
    // One review says too little.
    expect(await call('GET', '/v1/reviews/settings')).toEqual([set])
    const belowNow = async () => (await call('GET', '/v1/reviews/settings'))[0].below
    for (let reviews = 1; reviews < 30 && (await belowNow()) === 1; reviews += 1) await confirm()
    const calibrated = [{ ...set, below: Math.min(...confidences) }]
    expect(await call('GET', '/v1/reviews/settings')).toEqual(calibrated)
    expect((await run()).review.status).toBe('none')
    // It follows from the reviews, whatever it starts from.
    expect(await call('PUT', '/v1/reviews/settings', setting)).toEqual(calibrated)
    expect(await call('PUT', '/v1/reviews/settings', { below: 1 })).toEqual([{ ...set, max_wrong_rate: null }])
    expect(
      (await service.call('PUT', '/v1/reviews/settings', { key, body: { below: 1, max_wrong_rate: 0.5 } })).status,
    ).toBe(422)
  })

  test('gives a claimed execution to nobody else until it is released or the claim lapses', async () => {
    const { id } = await needed()
    const claimed = await claim(id, keys.ann)
    expect(claimed.json).toMatchObject({ status: 'claimed', claim: { number: 1, by: { name: 'ann' } } })
    const { since, until } = claimed.json.claim
    expect(Date.parse(until) - Date.parse(since)).toBe(15 * 60_000)
    expect(await isListed('status=claimed&mine=true', id)).toBe(true)
    expect(await isListed('status=needed', id)).toBe(false)
    for (const refused of [
      await claim(id, keys.ben),
      await review(id, { done: true }, { key: keys.ben }),
      await service.call('POST', `/v1/reviews/${id}/release`, { key: keys.ben }),
    ])
      expect(refused).toMatchObject({ status: 409, json: { detail: expect.stringContaining('ann is reviewing') } })
    await service.call('POST', `/v1/reviews/${id}/release`, { key: keys.ann })
    expect((await claim(id, keys.ben)).json.claim).toMatchObject({ number: 2, by: { name: 'ben' } })
    aheadMs += 15 * 60_000
    expect((await claim(id, keys.ann)).json.claim).toMatchObject({ number: 3, by: { name: 'ann' } })
    const late = await review(id, { done: true, claim: 2 }, { key: keys.ann })
    expect(late).toMatchObject({ status: 409, json: { detail: expect.stringContaining('Claim 2') } })
    expect((await review(id, { done: true, claim: 3 }, { key: keys.ann })).json.review.status).toBe('done')
    expect(await isListed('status=done', id)).toBe(true)
    expect((await claim(id, keys.ben)).status).toBe(409)
  })

  test('renews the claim of its holder under the same number', async () => {
    const { id } = await needed()
    await claim(id, keys.ann)
    aheadMs += 10 * 60_000
    expect((await claim(id, keys.ann)).json.claim.number).toBe(1)
    aheadMs += 10 * 60_000
    expect((await claim(id, keys.ben)).status).toBe(409)
  })

  test('renews the claim of a reviewer who saves', async () => {
    const { id } = await needed()
    await claim(id, keys.ann)
    aheadMs += 10 * 60_000
    expect((await review(id, { comment: 'Half of it is checked', claim: 1 }, { key: keys.ann })).status).toBe(200)
    aheadMs += 10 * 60_000
    expect((await claim(id, keys.ben)).status).toBe(409)
    expect((await review(id, { done: true, claim: 1 }, { key: keys.ann })).status).toBe(200)
    const { json } = await service.call('GET', `/v1/reviews/${id}`)
    expect([json.status, Math.floor(json.seconds)]).toEqual(['done', 20 * 60])
  })

  test('gives a reviewer who saves after the claim lapsed a new one, unless another has the execution', async () => {
    const { id } = await needed()
    await claim(id, keys.ann)
    aheadMs += 20 * 60_000
    const save = (key: string) => review(id, { comment: 'Half of it is checked' }, { key })
    expect((await save(keys.ben)).status).toBe(200)
    expect((await claim(id, keys.ben)).status).toBe(200)
    aheadMs += 20 * 60_000
    expect((await save(keys.ben)).status).toBe(200)
    expect((await claim(id, keys.ann)).status).toBe(409)
    aheadMs += 20 * 60_000
    const ann = (await service.call('GET', '/v1/keys')).json.find(({ name }: { name: string }) => name === 'ann')
    await service.call('POST', `/v1/reviews/${id}/assign`, { body: { key_id: ann.id } })
    expect((await save(keys.ben)).status).toBe(200)
    expect((await claim(id, keys.ann)).status).toBe(200)
  })

  test('offers an assigned execution to its reviewer first and to nobody else, and a skipped one not again', async () => {
    const { id } = await needed()
    const ben = await makeKey('another ben', ['review', 'read'])
    const assign = { body: { key_id: ben.id } }
    expect((await service.call('POST', `/v1/reviews/${id}/assign`, assign)).json.assigned_to.name).toBe('another ben')
    expect((await claim(id, keys.ann)).status).toBe(409)
    const next = () => service.call('POST', '/v1/reviews/claim', { key: ben.key })
    expect((await next()).json.item.execution_id).toBe(id)
    await service.call('POST', `/v1/reviews/${id}/skip`, { key: ben.key })
    expect((await next()).json.item?.execution_id).not.toBe(id)
    // What its reviewer skips is left to others, until it is assigned to them again.
    expect((await claim(id, keys.ann)).status).toBe(200)
    await service.call('POST', `/v1/reviews/${id}/assign`, assign)
    expect((await next()).json.item.execution_id).toBe(id)
    const nobody = await service.call('POST', `/v1/reviews/${id}/assign`, { body: { key_id: crypto.randomUUID() } })
    expect(nobody.status).toBe(404)
  })

  test('takes an execution from its claimer when it is assigned to another, and keeps the time that was spent on it', async () => {
    const { id } = await needed()
    const ben = await makeKey('a third ben', ['review', 'read'])
    expect((await claim(id, keys.ann)).status).toBe(200)
    aheadMs += 60_000
    const { json } = await service.call('POST', `/v1/reviews/${id}/assign`, { body: { key_id: ben.id } })
    expect([json.claim, Math.floor(json.seconds)]).toEqual([null, 60])
    expect((await claim(id, ben.key)).status).toBe(200)
  })

  test('never gives one execution to two claimers, on two servers at once', async () => {
    const { id } = await needed()
    await database.db.query('delete from review_items where execution_id <> $1', [id])
    await database.db.query(
      `with copy as (
         insert into executions (id, workspace_id, key_id, agent_id, name, request, model, tier, created_at, moves, status, skills)
         select gen_random_uuid(), workspace_id, key_id, agent_id, name, request, model, tier, created_at, moves, 'failed', skills
         from executions, generate_series(1, 199) where id = $1 returning id, workspace_id, created_at)
       insert into review_items (workspace_id, execution_id, status, reasons, created_at)
       select workspace_id, id, 'needed', '[]', created_at from copy`,
      [id],
    )
    const claims: string[] = []
    const work = async (server: TestService, key: string) => {
      for (;;) {
        const { json } = await server.call('POST', '/v1/reviews/claim', { key })
        if (json.item === null) return
        claims.push(json.item.execution_id)
      }
    }
    const claimers = [keys.ann, keys.ben].flatMap((key) => [work(service, key), work(other, key), work(service, key)])
    await Promise.all(claimers)
    expect(claims).toHaveLength(200)
    expect(new Set(claims).size).toBe(200)
  })

  test('counts agreement by field and the time that a document took', async () => {
    await database.db.query('delete from review_items')
    for (const [seconds, change] of [
      [60, { path: '/total', value: 1 }],
      [120, { path: '/total', kind: 'confirmed' }],
      [240, { path: '/line_items/1/amount', value: 6 }],
    ] as const) {
      const { id } = await needed()
      await claim(id, keys.ann)
      aheadMs += seconds * 1000
      await review(id, { changes: [change], done: true }, { key: keys.ann })
    }
    const { json } = await service.call('GET', '/v1/reviews/statistics')
    expect(json).toMatchObject({ reviewed: 3, waiting: 0 })
    expect(Math.round(json.median_seconds)).toBe(120)
    expect(Math.round(json.mean_seconds)).toBe(140)
    const of = (field: string) => json.fields.find((one: { field: string }) => one.field === field)
    expect(of('/total')).toMatchObject({ confirmed: 1, corrected: 1, untouched: 1, agreement: 0.5 })
    expect(of('/line_items/*/amount')).toMatchObject({ confirmed: 0, corrected: 1, untouched: 5, agreement: 0 })
    expect(of('/invoice_number')).toMatchObject({ untouched: 3, agreement: null })
  })
})
