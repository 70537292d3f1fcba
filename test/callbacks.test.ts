import { spawn } from 'node:child_process'
import { createHmac } from 'node:crypto'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import type { ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Webhook } from 'standardwebhooks'
import { describe, expect, test } from 'vitest'
import { makeDatabase } from './support/database.ts'
import { urlOf } from './support/database-url.ts'
import { opened } from './support/opened.ts'
import { openReceiver, type Received } from './support/receiver.ts'
import { startServer } from './support/server.ts'
import { type Answer, openTestService } from './support/service.ts'
import { temporaryFolder } from './support/temporary-folder.ts'
import { lookAgain } from './support/until.ts'

const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwh8b9Xk0Ln3E='
const wrongSecret = 'whsec_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA='

const receiver = await opened(openReceiver())
const service = await opened(
  openTestService({
    env: { SKILLRUN_CALLBACK_SECRET: secret, SKILLRUN_ALLOW_PRIVATE: `127.0.0.1:${receiver.port}` },
    config: { file: { limits: { callback_retry_seconds: [0.05, 0.05] } } },
  }),
)

const request = { inputs: { text: 'Invoice No: INV-7\nTotal: 5.00' }, config: { prompt: 'Extract the total' } }

/** Executes with a callback to a path of the receiver, or to a full URL. */
async function execute(callback: string, more: object = {}, key = service.key): Promise<string> {
  const callback_url = callback.startsWith('/') ? receiver.url(callback) : callback
  const { status, json } = await service.call('POST', '/v1/agent/execute', {
    body: { ...request, ...more, callback_url },
    key,
  })
  expect(status).toBe(201)
  return json.id
}

const list = async (id: string, key = service.key) =>
  (await service.call('GET', `/v1/agent/executions/${id}/callbacks`, { key })).json
const redeliver = (id: string, n: number | string, key = service.key) =>
  service.call('POST', `/v1/agent/executions/${id}/callbacks/${n}/redeliver`, { key })

/** Polls the callbacks until the last one matches; every request waits for the server's reply. */
async function until(id: string, is: (callback: Answer['json']) => boolean): Promise<Answer['json']> {
  for (;;) {
    const last = (await list(id)).at(-1)
    if (last && is(last)) return last
    await lookAgain()
  }
}
const settled = (id: string) => until(id, ({ state }) => state !== 'pending')

const legacyOf = (text: string, body: Buffer) => `sha256=${createHmac('sha256', text).update(body).digest('hex')}`
const verify = (key: string, { body, headers }: Received) =>
  new Webhook(key).verify(body.toString(), headers as Record<string, string>)

describe('the end of an execution is posted to its callback_url', () => {
  test('once, as the record that GET returns, with signatures that are valid for the secret and no other', async () => {
    const id = await execute('/once')
    const [got] = (await receiver.got('/once', 1)) as [Received]
    const record = (await service.call('GET', `/v1/agent/executions/${id}`)).json
    expect(JSON.parse(got.body.toString())).toEqual(record)
    expect(record.status).toBe('completed')
    expect(got.headers['content-type']).toBe('application/json')

    expect(verify(secret, got)).toEqual(record)
    expect(() => verify(wrongSecret, got)).toThrow('No matching signature')
    const changed = Buffer.from(got.body.toString().replace('completed', 'complexed'))
    expect(() => verify(secret, { ...got, body: changed })).toThrow('No matching signature')
    expect(got.headers['x-vlmrun-signature']).toBe(legacyOf(secret, got.body))
    expect(got.headers['x-vlmrun-signature']).not.toBe(legacyOf(wrongSecret, got.body))

    const callback = await settled(id)
    expect(callback).toMatchObject({
      n: 1,
      event: 'completed',
      url: receiver.url('/once'),
      state: 'delivered',
      webhook_id: got.headers['webhook-id'],
      next_try_at: null,
      tries: [{ status: 204, error: null, duration_ms: expect.any(Number) }],
    })
    expect(receiver.at('/once').length).toBe(1)
  })

  test('failures are posted too', async () => {
    const id = await execute('/failed', { config: { prompt: 'Summarise this in two sentences' } })
    const [got] = await receiver.got('/failed', 1)
    expect(JSON.parse(String(got?.body))).toMatchObject({ id, status: 'failed', error: { code: 'needs_model' } })
    expect(await settled(id)).toMatchObject({ event: 'failed', state: 'delivered' })
  })

  test('a pause and the end after it are two callbacks with different ids', async () => {
    receiver.on('/input', () => undefined)
    const inputs = { document: { type: 'file_url', file_url: { url: receiver.url('/input') } } }
    const id = await execute('/paused', { inputs })
    await receiver.got('/input', 1)
    expect((await service.call('POST', `/v1/agent/executions/${id}/pause`)).status).toBe(200)
    await receiver.got('/paused', 1)
    expect((await service.call('POST', `/v1/agent/executions/${id}/cancel`)).status).toBe(200)
    const received = await receiver.got('/paused', 2)
    expect(received.map(({ body }) => JSON.parse(String(body)).status)).toEqual(['paused', 'failed'])
    expect(new Set(received.map(({ headers }) => headers['webhook-id'])).size).toBe(2)
    await until(id, ({ n, state }) => n === 2 && state === 'delivered')
  })

  test('an execution without one writes no callback and no job', async () => {
    const json = await service.execute(request)
    expect([json.status, await list(json.id)]).toEqual(['completed', []])
    const jobs = await service.database.db.query(
      "select 1 from pgboss.job where name = 'callback' and data->>'executionId' = $1",
      [json.id],
    )
    expect(jobs).toEqual([])
  })

  test.each([
    ['of another scheme', 'ftp://example.com/hook'],
    ['that is code', 'javascript:alert(1)'],
    ['without a scheme', 'example.com/hook'],
    ['without a host', 'http://'],
    ['with a password', 'https://user:word@example.com/'],
    ['that is empty', ''],
    ['of nine thousand characters', `https://example.com/${'x'.repeat(9_000)}`],
    ['that is a number', 7],
  ])('a URL %s is refused with 422 that names the field', async (_what, callback_url) => {
    const { status, json } = await service.call('POST', '/v1/agent/execute', { body: { ...request, callback_url } })
    expect([status, json.detail[0].loc]).toEqual([422, ['body', 'callback_url']])
  })
})

describe('a forbidden callback URL', () => {
  test.each([
    ['a private address', 'http://10.1.2.3/hook'],
    ['this machine on another port', 'http://127.0.0.1:9/hook'],
    ['a name that leads to this machine', 'http://localhost:9/hook'],
    ['the address of cloud metadata', 'http://169.254.169.254/latest'],
    ['the name of cloud metadata', 'http://metadata.google.internal/computeMetadata/v1/'],
    ['a name of the local network', 'http://printer.local/hook'],
    ['a name of a home network', 'https://nas.home.arpa/hook'],
    ['a name of this machine with a dot at its end', 'http://localhost.:9/hook'],
    ['a name below that of this machine', 'http://hooks.LOCALHOST/hook'],
  ])("is refused immediately with the field's name: %s", async (_what, callback_url) => {
    const routes: [string, object][] = [
      ['/v1/agent/execute', { ...request, callback_url }],
      ['/v1/agent/create', { name: 'calls-back', config: { prompt: 'p' }, callback_url }],
      [`/v1/agent/executions/${await execute('/allowed')}/rerun`, { callback_url }],
    ]
    for (const [path, body] of routes) {
      const { status, json } = await service.call('POST', path, { body })
      expect([path, status, json.detail]).toEqual([
        path,
        422,
        [
          expect.objectContaining({
            loc: ['body', 'callback_url'],
            type: 'url_forbidden',
            msg: expect.stringContaining('SKILLRUN_ALLOW_PRIVATE'),
          }),
        ],
      ])
    }
  })

  test('does not include an unresolvable host: it may resolve when the execution ends', async () => {
    const body = { ...request, callback_url: 'https://receiver.invalid/hook' }
    expect((await service.call('POST', '/v1/agent/execute', { body })).status).toBe(201)
  })
})

describe('a receiver that does not acknowledge', () => {
  test('with 500 is retried with the same bytes and id until it does', async () => {
    receiver.on('/flaky', (response, count) => response.writeHead(count < 3 ? 500 : 200).end('not for the log'))
    const id = await execute('/flaky')
    const all = await receiver.got('/flaky', 3)
    const callback = await settled(id)
    expect(callback.state).toBe('delivered')
    expect(callback.tries.map((one: { status: number }) => one.status)).toEqual([500, 500, 200])
    expect(callback.tries[0].error).toEqual({ code: 'not_acknowledged', message: '127.0.0.1 answered 500' })
    expect(JSON.stringify(callback)).not.toContain('not for the log')
    expect(new Set(all.map(({ body }) => body.toString('base64'))).size).toBe(1)
    expect(new Set(all.map(({ headers }) => headers['webhook-id']))).toEqual(new Set([callback.webhook_id]))
    for (const one of all) expect(verify(secret, one)).toMatchObject({ id })
  })

  test('is given up after the last attempt, and can be redelivered manually', async () => {
    receiver.on('/mended', (response, count) => response.writeHead(count < 4 ? 404 : 200).end())
    const id = await execute('/mended')
    expect(await settled(id)).toMatchObject({ state: 'failed', next_try_at: null })
    expect(receiver.at('/mended').length).toBe(3)
    const again = await redeliver(id, 1)
    expect([again.status, again.json.state]).toEqual([202, 'pending'])
    expect((await settled(id)).tries.map((one: { status: number }) => one.status)).toEqual([404, 404, 404, 200])
    const all = receiver.at('/mended')
    expect(new Set(all.map(({ body }) => body.toString('base64'))).size).toBe(1)
    expect(new Set(all.map(({ headers }) => headers['webhook-id'])).size).toBe(1)
  })

  test('is not sent again once its content was dropped', async () => {
    const id = await execute('/dropped', { metadata: { allow_retention: false } })
    await settled(id)
    await service.call('GET', `/v1/agent/executions/${id}`)
    const again = await redeliver(id, 1)
    expect([again.status, again.json.detail]).toEqual([409, expect.stringContaining('went with that of its execution')])
    expect(receiver.at('/dropped')).toHaveLength(1)
  })

  test('with 410 is not called again', async () => {
    receiver.on('/gone', (response) => response.writeHead(410).end())
    const id = await execute('/gone')
    expect(await settled(id)).toMatchObject({ state: 'failed', tries: [{ status: 410, error: { code: 'gone' } }] })
    expect(receiver.at('/gone').length).toBe(1)
  })

  test('but redirects counts as failed, and the redirect is not followed', async () => {
    receiver.on('/moved', (response) => response.writeHead(307, { location: receiver.url('/elsewhere') }).end())
    const id = await execute('/moved')
    const callback = await settled(id)
    expect(callback).toMatchObject({ state: 'failed', tries: [{ status: 307, error: { code: 'redirected' } }, {}, {}] })
    expect(receiver.at('/elsewhere')).toEqual([])
  })

  test('on an address that became private after acceptance is not called, and the log says so', async () => {
    const id = await execute('/was-public')
    await settled(id)
    await service.database.db.query('update callbacks set url = $1 where execution_id = $2', [
      'http://127.0.0.1:9/',
      id,
    ])
    await redeliver(id, 1)
    const callback = await until(id, ({ tries }) => tries.length === 2)
    expect(callback.tries[1]).toMatchObject({ status: null, error: { code: 'url_forbidden' } })
    expect(callback.tries[1].error.message).toMatch(/127\.0\.0\.1 .*SKILLRUN_ALLOW_PRIVATE/)
    expect(callback.state).toBe('failed')
  })

  test.each([429, 503])('with %i is not called before its Retry-After, except manually', async (status) => {
    receiver.on(`/busy${status}`, (response, count) =>
      response.writeHead(count === 1 ? status : 200, { 'retry-after': '3600' }).end(),
    )
    const id = await execute(`/busy${status}`)
    const callback = await until(id, ({ tries }) => tries.length === 1)
    expect(callback.state).toBe('pending')
    expect(Date.parse(callback.next_try_at) - Date.parse(callback.tries[0].at)).toBeGreaterThanOrEqual(3_600_000)
    expect((await redeliver(id, 1)).status).toBe(202)
    expect(await settled(id)).toMatchObject({ state: 'delivered', tries: [{ status }, { status: 200 }] })
  })
})

describe('a receiver that never answers', () => {
  test('occupies at most eight slots: others get theirs, although its callbacks came first', async () => {
    const silent = await openReceiver()
    const open = new Set<ServerResponse>()
    let openMost = 0
    silent.on('/silent', (response) => {
      open.add(response)
      openMost = Math.max(openMost, open.size)
      response.on('close', () => open.delete(response))
    })
    const answerAll = () => {
      silent.on('/silent', (response) => response.writeHead(204).end())
      for (const response of open) response.writeHead(204).end()
      open.clear()
    }
    const apart = await openTestService({
      env: { SKILLRUN_ALLOW_PRIVATE: `127.0.0.1:${receiver.port},127.0.0.1:${silent.port}` },
    })
    const call = async (callback_url: string) => (await apart.execute({ ...request, callback_url })).id
    try {
      for (let count = 0; count < 20; count++) await call(silent.url('/silent'))
      await silent.got('/silent', 8)
      const held = await call(silent.url('/silent'))
      for (let count = 0; count < 30; count++) await call(receiver.url('/lively'))
      await receiver.got('/lively', 30)
      // Another path on the host of the silent one is another receiver; another query is not.
      await call(silent.url('/lively'))
      await silent.got('/lively', 1)
      // These were delivered while the silent one still occupied all its slots.
      expect(openMost).toBe(8)
      const busy = await apart.call('POST', `/v1/agent/executions/${held}/callbacks/1/redeliver`)
      expect([busy.status, busy.json.detail]).toEqual([409, expect.stringContaining('in progress')])
      answerAll()
      await silent.got('/silent', 21)
    } finally {
      answerAll()
      await apart[Symbol.asyncDispose]()
      await silent[Symbol.asyncDispose]()
    }
  })
})

describe('access to callbacks', () => {
  test('another workspace finds nothing to read or send', async () => {
    const id = await execute('/mine')
    await settled(id)
    const key = await service.stranger()
    expect((await service.call('GET', `/v1/agent/executions/${id}/callbacks`, { key })).status).toBe(404)
    expect((await redeliver(id, 1, key)).status).toBe(404)
    expect(receiver.at('/mine').length).toBe(1)
  })

  test('an unknown callback, execution or number is 404', async () => {
    const id = await execute('/there')
    await settled(id)
    const absent = '7f6f0a52-6a26-4a0b-9d0b-3b1c5ce0a222'
    for (const [where, n] of [
      [id, 2],
      [id, 0],
      [id, 'one'],
      [id, '99999999999'],
      [absent, 1],
      ['nonsense', 1],
    ] as const)
      expect((await redeliver(where, n)).status, `${where} ${n}`).toBe(404)
    expect((await service.call('GET', `/v1/agent/executions/${absent}/callbacks`)).status).toBe(404)
  })

  test('a read-only key sees the log, and can neither redeliver nor see the secret', async () => {
    const key = (await service.call('POST', '/v1/keys', { body: { scopes: ['read'] } })).json.key
    const id = await execute('/reader')
    await settled(id)
    expect((await list(id, key)).length).toBe(1)
    expect((await redeliver(id, 1, key)).status).toBe(403)
    expect((await service.call('GET', '/v1/callback-secret', { key })).status).toBe(403)
    expect((await service.call('POST', '/v1/callback-secret', { key })).status).toBe(403)
  })
})

describe('the secret', () => {
  test("of the first workspace is the operator's, and only the operator changes it", async () => {
    expect((await service.call('GET', '/v1/callback-secret')).json).toMatchObject({ secret, previous_until: null })
    const { status, json } = await service.call('POST', '/v1/callback-secret')
    expect([status, json.detail]).toEqual([409, expect.stringContaining('SKILLRUN_CALLBACK_SECRET')])
  })

  test('of another workspace is generated, signs its callbacks, and after a change both secrets sign for a day', async () => {
    const key = await service.stranger()
    await execute('/stranger', {}, key)
    const [first] = (await receiver.got('/stranger', 1)) as [Received]
    const made = (await service.call('GET', '/v1/callback-secret', { key })).json.secret
    expect(made).toMatch(/^whsec_/)
    expect(verify(made, first)).toMatchObject({ status: 'completed' })
    expect(() => verify(secret, first)).toThrow('No matching signature')

    const changed = await service.call('POST', '/v1/callback-secret', { key })
    expect(changed.status).toBe(201)
    expect(changed.json.secret).not.toBe(made)
    expect(Date.parse(changed.json.previous_until) - Date.now()).toBeGreaterThan(23 * 3_600_000)
    await execute('/stranger', {}, key)
    const [, second] = (await receiver.got('/stranger', 2)) as [Received, Received]
    for (const one of [made, changed.json.secret]) expect(verify(one, second)).toMatchObject({ status: 'completed' })
    expect(second.headers['x-vlmrun-signature']).toBe(legacyOf(changed.json.secret, second.body))
  })

  test('that is unusable stops the start with a message that names the variable', async () => {
    const folder = await temporaryFolder('callbacks')
    const server = startServer(folder, { SKILLRUN_CALLBACK_SECRET: 'whsec_not base64!' })
    expect(await server.end('SIGCONT')).toBe(1)
    expect(server.output()).toMatch(/^skillrun: SKILLRUN_CALLBACK_SECRET is .*whsec_/)
    expect(server.output()).not.toContain('not base64!')
  })
})

test('the receiver in the guide accepts a genuine callback and refuses one with another secret', async () => {
  const guide = await readFile(new URL('../docs/guides/callbacks.md', import.meta.url), 'utf8')
  const code = /```js receiver\n(.*?)```/s.exec(guide)?.[1] ?? ''
  const folder = await mkdtemp(join(tmpdir(), 'skillrun-guide-'))
  const open = async (key: string) => {
    const child = spawn(process.execPath, [join(folder, 'receiver.mjs')], {
      env: { CALLBACK_SECRET: key, PORT: '0' },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    let text = ''
    const port = await new Promise<string>((resolve) =>
      child.stdout.on('data', (part) => {
        text += part
        const match = /listening on (\d+)/.exec(text)
        if (match) resolve(match[1] ?? '')
      }),
    )
    return { child, port, output: () => text }
  }
  await writeFile(join(folder, 'receiver.mjs'), code)
  const [right, wrong] = [await open(secret), await open(wrongSecret)]
  const apart = await openTestService({
    env: { SKILLRUN_CALLBACK_SECRET: secret, SKILLRUN_ALLOW_PRIVATE: '127.0.0.1' },
    config: { file: { limits: { callback_retry_seconds: [0.01] } } },
  })
  const call = async ({ port }: { port: string }) => {
    const callback_url = `http://127.0.0.1:${port}/`
    const { id } = (await apart.call('POST', '/v1/agent/execute', { body: { ...request, callback_url } })).json
    for (;;) {
      const [callback] = (await apart.call('GET', `/v1/agent/executions/${id}/callbacks`)).json
      if (callback && callback.state !== 'pending') return { id, callback }
      await lookAgain()
    }
  }
  try {
    const taken = await call(right)
    expect(taken.callback).toMatchObject({ state: 'delivered', tries: [{ status: 204 }] })
    // What a process prints arrives when it wants to, also after its answer.
    await expect.poll(right.output).toContain(`${taken.id} completed`)
    expect((await call(wrong)).callback).toMatchObject({ state: 'failed', tries: [{ status: 401 }, { status: 401 }] })
    expect(wrong.output()).not.toContain('completed')
  } finally {
    right.child.kill()
    wrong.child.kill()
    await apart[Symbol.asyncDispose]()
    await rm(folder, { recursive: true, force: true })
  }
})

test('a server killed before or during delivery delivers after the next start: same id, same bytes', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'skillrun-callbacks-'))
  await using database = await makeDatabase()
  const key = 'the-key-of-the-operator'
  const env = {
    DATABASE_URL: urlOf(database.address),
    SKILLRUN_API_KEY: key,
    SKILLRUN_ALLOW_PRIVATE: `127.0.0.1:${receiver.port}`,
  }
  const address = /Skillrun +(http:\S+)/
  const call = async (url: string, path: string, body?: object) => {
    const init = body ? { method: 'POST', body: JSON.stringify(body) } : {}
    const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' }
    return (await fetch(url + path, { headers, ...init })).json() as Promise<Answer['json']>
  }
  try {
    const accepted: string[] = []
    receiver.on('/killed', () => undefined)
    {
      await using server = startServer(folder, env)
      const url = (await server.printed(address))[1] ?? ''
      for (let count = 0; count < 12; count++)
        accepted.push((await call(url, '/v1/agent/execute', { ...request, callback_url: receiver.url('/killed') })).id)
      await receiver.got('/killed', 1)
      await server.end('SIGKILL')
    }
    const before = [...receiver.at('/killed')]
    receiver.on('/killed', (response) => response.writeHead(204).end())
    await using server = startServer(folder, env)
    const url = (await server.printed(address))[1] ?? ''
    for (const id of accepted) {
      let [callback] = await call(url, `/v1/agent/executions/${id}/callbacks`)
      while (callback?.state !== 'delivered') {
        ;[callback] = await call(url, `/v1/agent/executions/${id}/callbacks`)
        await lookAgain()
      }
      const all = receiver.at('/killed').filter(({ headers }) => headers['webhook-id'] === callback.webhook_id)
      expect(new Set(all.map(({ body }) => body.toString('base64'))).size).toBe(1)
      expect(JSON.parse(String(all[0]?.body))).toMatchObject({ id, status: 'completed' })
    }
    // The delivery in flight when the server died arrived twice; no other did.
    expect(before.length).toBeGreaterThanOrEqual(1)
    const counts = Map.groupBy(receiver.at('/killed'), ({ headers }) => headers['webhook-id'])
    expect(counts.size).toBe(12)
    for (const { headers } of before) expect(counts.get(headers['webhook-id'])?.length).toBe(2)
    expect(await server.end()).toBe(0)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
})
