import { expect, test } from 'vitest'
import { opened } from './support/opened.ts'
import { openTestService } from './support/service.ts'

const service = await opened(openTestService())

let keys = 0
const newKey = () => `key ${++keys}`
const post = (path: string, body: object, idempotencyKey: string, key = service.key) =>
  service.call('POST', path, { key, body, headers: { 'Idempotency-Key': idempotencyKey } })

const json_schema = { type: 'object', properties: { total: { type: ['number', 'null'] } } }
const routes: readonly (readonly [string, object, object])[] = [
  ['/v1/skills/create', { prompt: 'Read the total', json_schema }, { prompt: 'Read the sum', json_schema }],
  [
    '/v1/skills/create',
    { name: 'totals', description: 'Reads totals', prompt: 'Read the total' },
    { name: 'totals', description: 'Reads sums', prompt: 'Read the total' },
  ],
  ['/v1/feedback/submit', { request_id: 'r-1', notes: 'right' }, { request_id: 'r-1', notes: 'wrong' }],
  ['/v1/files/presigned-url', { filename: 'a.txt' }, { filename: 'b.txt' }],
]

test.each(routes)('%s: a repeated Idempotency-Key gets the first reply', async (path, body, other) => {
  const key = newKey()
  const [first, ...rest] = await Promise.all([1, 2, 3, 4].map(() => post(path, body, key)))
  const later = await post(path, body, key)
  expect(first?.status).toBe(201)
  // The URL to download the file from is signed at each reply.
  for (const again of [...rest, later])
    expect(again).toMatchObject({
      status: 201,
      json: { ...first?.json, ...(first?.json.public_url && { public_url: expect.any(String) }) },
    })
  expect(await post(path, other, key)).toMatchObject({
    status: 409,
    json: { detail: 'This Idempotency-Key was already used with a different body' },
  })
  const fresh = [await post(path, body, newKey()), await post(path, body, ''), await post(path, body, '')]
  expect(new Set([first, ...fresh].map((one) => one?.json.id)).size).toBe(4)
  expect(await post(path, body, 'k'.repeat(256))).toMatchObject({ status: 422 })
})

test('a repeated upload URL is the first one, and takes the bytes', async () => {
  const key = newKey()
  const [first, second] = [
    await post('/v1/files/presigned-url', { filename: 'a.txt', expiration: 60 }, key),
    await post('/v1/files/presigned-url', { filename: 'a.txt', expiration: 60 }, key),
  ]
  expect(second.json.url).toBe(first.json.url)
  expect((await fetch(second.json.url, { method: 'PUT', body: 'Total: EUR 12.50' })).status).toBe(200)
})

test('a repeated Idempotency-Key makes no second key, and shows no secret again', async () => {
  const key = newKey()
  const replies = await Promise.all([1, 2, 3].map(() => post('/v1/keys', { name: 'once' }, key)))
  expect(replies.map(({ status }) => status).toSorted()).toEqual([201, 409, 409])
  const made = replies.find(({ status }) => status === 201)?.json
  const again = await post('/v1/keys', { name: 'once' }, key)
  expect(again).toMatchObject({ status: 409, json: { detail: expect.stringContaining(made.id) } })
  expect(JSON.stringify(again.json)).not.toContain(made.key)
  const listed = (await service.call('GET', '/v1/keys')).json
  expect(listed.filter(({ name }: { name: string }) => name === 'once')).toHaveLength(1)
  expect((await post('/v1/keys', { name: 'two' }, key)).json.detail).toContain('different body')
})

test('each workspace and each operation has Idempotency-Keys of its own', async () => {
  const key = newKey()
  const { key: elsewhere } = (await service.call('POST', '/v1/keys', { body: { workspace: 'elsewhere' } })).json
  const feedback = { request_id: 'r-2', notes: 'right' }
  const replies = [
    await post('/v1/feedback/submit', feedback, key),
    await post('/v1/feedback/submit', feedback, key, elsewhere),
    await post('/v1/files/presigned-url', { filename: 'a.txt' }, key),
    await post('/v1/agent/execute', { inputs: { text: 'Total: EUR 1' }, config: { json_schema } }, key),
  ]
  expect(replies.map(({ status }) => status)).toEqual([201, 201, 201, 201])
  expect(new Set(replies.map(({ json }) => json.id)).size).toBe(4)
})
