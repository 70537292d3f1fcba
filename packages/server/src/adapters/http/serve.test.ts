import { connect, type Socket } from 'node:net'
import { gzipSync } from 'node:zlib'
import type { Clock } from '@skillrun/core/clock.ts'
import { afterEach, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { noDatabase } from '../../../../../test/support/no-database.ts'
import { silentLog } from '../../core/log.ts'
import { makeRateLimit, ownCounts } from './rate.ts'
import { type Route, route } from './route.ts'
import { type HttpParts, type HttpServer, serveHttp } from './serve.ts'

const body = z.object({ number: z.number().nullish(), text: z.string().nullish() })
const reply = { status: 200, description: 'What came' }

/** A route that echoes its input, one that fails with a bug, and one that needs no key. */
const routes: Route[] = [
  route({
    method: 'post',
    path: '/echo/{name}',
    operation: 'echo',
    summary: '',
    tag: '',
    scope: 'any',
    params: z.object({ name: z.string() }),
    query: z.object({ q: z.string().optional() }),
    body,
    reply,
    handle: async ({ body, params, query }) => ({ json: { body, params, query } }),
  }),
  route({
    method: 'get',
    path: '/bug',
    operation: 'bug',
    summary: '',
    tag: '',
    scope: 'public',
    reply,
    handle: async () => ({ json: 1n }),
  }),
  route({
    method: 'get',
    path: '/open',
    operation: 'open',
    summary: '',
    tag: '',
    scope: 'public',
    reply,
    handle: async () => ({ json: 'ok' }),
  }),
]

const noTime: Clock = { now: () => new Date(0), monotonicMs: () => 0 }
const caller = { workspaceId: 'w', keyId: 'k', scopes: [] }
const never = new AbortController().signal

let server: HttpServer | undefined
let sockets: Socket[] = []
/** Bugs that the server logged. */
let bugs: object[] = []

async function serve(parts: Partial<HttpParts> = {}): Promise<HttpServer> {
  server = await serveHttp(
    {
      db: noDatabase,
      routes,
      authenticate: async (key) => (key === 'good' ? caller : undefined),
      rate: makeRateLimit({ clock: noTime, counts: ownCounts() }, { name: 'rate', perMinute: 1_000 }),
      badKeys: makeRateLimit({ clock: noTime, counts: ownCounts() }, { name: 'badKeys', perMinute: 3 }),
      log: { ...silentLog, error: (fields) => bugs.push(fields) },
      ...parts,
    },
    { host: '127.0.0.1', port: 0 },
  )
  return server
}

afterEach(async () => {
  for (const socket of sockets) socket.destroy()
  await server?.close(AbortSignal.abort())
  sockets = []
  bugs = []
})

/** Opens a connection, sends bytes, and collects the reply until the server closes it. */
function open({ url }: HttpServer, sent: string | Buffer) {
  const socket = connect(Number(new URL(url).port), '127.0.0.1')
  sockets.push(socket)
  let text = ''
  const ended = new Promise<string>((resolve) => {
    socket.on('data', (part) => {
      text += part.toString()
    })
    socket.on('error', () => undefined)
    socket.on('close', () => resolve(text))
  })
  socket.write(sent)
  return { socket, ended }
}

/** Status, headers in lower case and JSON of a raw reply. */
function parse(raw: string) {
  const [head = '', payload = ''] = raw.split('\r\n\r\n')
  const [first = '', ...lines] = head.split('\r\n')
  const headers = Object.fromEntries(
    lines.map((line) => [line.split(': ')[0]?.toLowerCase(), line.split(': ').slice(1).join(': ')]),
  )
  return { status: Number(first.split(' ')[1]), headers, json: JSON.parse(payload || 'null') }
}

const post = (name: string, length: number, more = '') =>
  `POST /echo/${name} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer good\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\n${more}\r\n`

describe('pipelined requests', () => {
  const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`

  /** A server whose route `/held` waits for `go`, and reports how many of its requests are in progress. */
  async function serveHeld() {
    let underWay = 0
    let most = 0
    const { promise: held, resolve: go } = Promise.withResolvers<void>()
    const handle = async () => {
      most = Math.max(most, ++underWay)
      await held
      underWay--
      return { json: most }
    }
    const begun = () => underWay
    return {
      ...{ go, begun, most: () => most },
      server: await serve({
        routes: [
          ...routes,
          route({
            method: 'get',
            path: '/held',
            operation: 'held',
            summary: '',
            tag: '',
            scope: 'public',
            reply,
            handle,
          }),
        ],
      }),
    }
  }

  test('are processed in sequence, and each is answered', async () => {
    const { server, go, begun, most } = await serveHeld()
    const { socket, ended } = open(
      server,
      get('/held').repeat(20) + get('/open').replace('Host', 'Connection: close\r\nHost'),
    )
    await expect.poll(begun).toBe(1)
    // Another connection gets its turn in between.
    const other = open(server, get('/open').replace('Host', 'Connection: close\r\nHost'))
    expect(parse(await other.ended).status).toBe(200)
    go()
    expect((await ended).match(/HTTP\/1\.1 200 /g)).toHaveLength(21)
    expect(most()).toBe(1)
    expect(socket.destroyed).toBe(true)
  })

  test('are refused also when each is answered immediately', async () => {
    const { ended } = open(await serve(), `${post('x', 2)}{}`.repeat(300))
    const replies = (await ended).split(/(?=HTTP\/1\.1 )/)
    expect(replies).toHaveLength(102)
    expect(parse(replies.at(-1) ?? '').status).toBe(429)
  })

  test('are refused from the hundred and first waiting one, after the replies to earlier ones', async () => {
    const { server, go, begun } = await serveHeld()
    const { ended } = open(server, get('/held').repeat(300))
    await expect.poll(begun).toBe(1)
    go()
    const replies = (await ended).split(/(?=HTTP\/1\.1 )/)
    expect(replies).toHaveLength(102)
    expect(replies.slice(0, 101).every((one) => one.startsWith('HTTP/1.1 200 '))).toBe(true)
    const refused = parse(replies[101] ?? '')
    expect(refused.status).toBe(429)
    expect(refused.json).toEqual({ detail: expect.stringContaining('100 requests ahead') })
    expect(refused.headers['retry-after']).toMatch(/^\d+$/)
  })
})

describe('a body that does not arrive', () => {
  test('is answered 408 after a pause, and the connection closes', async () => {
    const http = await serve({ bodyBounds: { idleMs: 50 } })
    const answer = parse(await open(http, `${post('a', 1000)}{"num`).ended)
    expect(answer).toMatchObject({
      status: 408,
      headers: { connection: 'close', 'x-request-id': expect.any(String) },
      json: { detail: 'The body sent no data for 1 seconds' },
    })
    expect(bugs).toEqual([])
  })

  test('completely within its time limit is answered 408, even if single bytes arrive', async () => {
    const http = await serve({ bodyBounds: { idleMs: 60_000, wallMs: 200 } })
    const { socket, ended } = open(http, post('a', 1_000_000))
    const drip = setInterval(() => socket.write(' '), 10)
    const answer = parse(await ended)
    clearInterval(drip)
    expect(answer).toMatchObject({
      status: 408,
      json: { detail: 'The body did not arrive completely within 1 seconds' },
    })
  })

  test('is not waited for when the server stops', async () => {
    const http = await serve({ bodyBounds: { idleMs: 60_000 } })
    const waiting = open(http, `${post('a', 1000)}{"num`)
    const headless = open(http, 'GET /open HTTP/1.1\r\nHos')
    const idle = open(http, 'GET /open HTTP/1.1\r\nHost: x\r\n\r\n')
    await new Promise((resolve) => idle.socket.once('data', resolve))
    await http.close(never)
    server = undefined
    expect(parse(await waiting.ended)).toMatchObject({ status: 503, json: { detail: 'The server is stopping' } })
    expect(await headless.ended).toBe('')
    expect(parse(await idle.ended).status).toBe(200)
  })

  test('with a GET does not hold the connection', async () => {
    const http = await serve()
    const answer = parse(await open(http, 'GET /open HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\nhalf').ended)
    expect(answer).toMatchObject({ status: 200, headers: { connection: 'close' } })
  })

  test('because the client disconnected is no bug', async () => {
    let isRead = Promise.withResolvers<void>()
    const http = await serve({
      authenticate: async () => {
        // The key was looked up: the body is read from the next turn on.
        setImmediate(() => isRead.resolve())
        return caller
      },
    })
    for (const leave of ['destroy', 'end', 'resetAndDestroy'] as const) {
      isRead = Promise.withResolvers<void>()
      const { socket, ended } = open(http, `${post('a', 1000)}{"num`)
      await isRead.promise
      socket[leave]()
      await ended
    }
    await http.close(never)
    server = undefined
    expect(bugs).toEqual([])
  })
})

describe('requests that the HTTP parser refuses', () => {
  test.each([
    ['no Host', 'GET /open HTTP/1.1\r\n\r\n', 400],
    ['an invalid Host', 'GET /open HTTP/1.1\r\nHost: a b\r\n\r\n', 400],
    ['a Host with a path', 'GET /open HTTP/1.1\r\nHost: a/b?c\r\n\r\n', 400],
    ['a line that is no request', 'nonsense\r\n\r\n', 400],
    ['an unknown method', 'FETCH /open HTTP/1.1\r\nHost: x\r\n\r\n', 400],
    ['an invalid path', 'GET open HTTP/1.1\r\nHost: x\r\n\r\n', 400],
    ['two lengths', 'POST /open HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n', 400],
    ['a header of 20 KB', `GET /open HTTP/1.1\r\nHost: x\r\nX-Long: ${'a'.repeat(20_000)}\r\n\r\n`, 431],
    ['an address of 20 KB', `GET /open?${'a'.repeat(20_000)} HTTP/1.1\r\nHost: x\r\n\r\n`, 431],
  ])('%s is answered with a detail and a request id, and the connection closes', async (_name, request, status) => {
    const answer = parse(await open(await serve(), request).ended)
    expect(answer).toMatchObject({
      status,
      headers: { 'content-type': 'application/json', 'x-request-id': expect.stringMatching(/^[0-9a-f-]{36}$/) },
      json: { detail: expect.stringMatching(/^The /) },
    })
    expect(bugs).toEqual([])
  })

  test('within a request close the connection without a second reply', async () => {
    const http = await serve()
    const chunked = post('a', 0).replace('Content-Length: 0', 'Transfer-Encoding: chunked')
    expect(await open(http, `${chunked}5\r\n{"num\r\nzz\r\n`).ended).toBe('')
    expect(bugs).toEqual([])
  })
})

test('a HEAD gets the headers of the GET, and the connection stays open', async () => {
  const http = await serve()
  const ask = (method: string, more = '') => `${method} /open HTTP/1.1\r\nHost: a\r\n${more}\r\n`
  const heard = await open(http, ask('HEAD') + ask('GET', 'Connection: close\r\n')).ended
  expect(heard.match(/HTTP\/1\.1 200 OK/g)).toHaveLength(2)
  expect(heard.match(/Content-Length: 4/g)).toHaveLength(2)
  expect(heard.match(/"ok"/g)).toHaveLength(1)
})

test('a reply that cannot be serialised is a bug, reported in one sentence and logged', async () => {
  const answer = await fetch(`${(await serve()).url}/bug`)
  expect([answer.status, await answer.json()]).toEqual([500, { detail: expect.stringContaining('Internal error') }])
  expect(bugs).toHaveLength(1)
})

const call = ({ url }: HttpServer, path: string, sent: { key?: string; body?: string } = {}) =>
  fetch(url + path, {
    method: 'POST',
    headers: { authorization: `Bearer ${sent.key ?? 'good'}`, 'content-type': 'application/json' },
    body: sent.body ?? '{}',
  })

describe('invalid keys', () => {
  test('are refused for the rest of the minute after several from one address, while valid ones work', async () => {
    let ms = 0
    const clock: Clock = { now: () => new Date(ms), monotonicMs: () => ms }
    const http = await serve({
      badKeys: makeRateLimit({ clock, counts: ownCounts() }, { name: 'badKeys', perMinute: 3 }),
    })
    const statusOf = async (key: string) => (await call(http, '/echo/a', { key })).status
    for (const key of ['a', 'b', 'c']) expect(await statusOf(key)).toBe(401)
    ms = 20_000
    const refused = await call(http, '/echo/a', { key: 'd' })
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '40'])
    expect(await refused.json()).toEqual({ detail: expect.stringContaining('this address') })
    expect(await statusOf('good')).toBe(200)
    ms = 60_000
    expect(await statusOf('d')).toBe(401)
  })

  test('are not echoed', async () => {
    const http = await serve({
      badKeys: makeRateLimit({ clock: noTime, counts: ownCounts() }, { name: 'badKeys', perMinute: 1_000 }),
    })
    const secret = 'planted-secret-key'
    const replies = [
      await call(http, '/echo/a', { key: secret }),
      await fetch(`${http.url}/echo/a`, { method: 'POST', headers: { authorization: secret } }),
      await fetch(`${http.url}/echo/a`, { method: 'POST', headers: { authorization: `Basic ${secret}` } }),
      await call(http, '/echo/%00', { key: 'good' }),
    ]
    for (const reply of replies) expect(await reply.text()).not.toContain(secret)
  })
})

describe('query text that cannot be searched for', () => {
  test.each([
    ['NUL in the query', '/echo/a?q=%00', ['query', 'q'], 'string_nul'],
    ['NUL in a parameter that no route reads', '/echo/a?other=a%00b', ['query', 'other'], 'string_nul'],
    ['NUL in the name of a parameter', '/echo/a?%00=b', ['query'], 'string_nul'],
    ['NUL in the path', '/echo/a%00b', ['path', 'name'], 'string_nul'],
    ['half a surrogate pair in the query', '/echo/a?q=%ED%A0%80', ['query', 'q'], 'string_unicode'],
    ['bytes that are no UTF-8 in the query', '/echo/a?q=%ff', ['query', 'q'], 'string_unicode'],
    ['bytes that are no UTF-8 in the path', '/echo/a%c3', ['path'], 'string_unicode'],
  ])('%s is a 422 with the location', async (_name, path, loc, type) => {
    const answer = await call(await serve(), path)
    expect([answer.status, await answer.json()]).toEqual([422, { detail: [{ loc, type, msg: expect.any(String) }] }])
  })

  test.each([
    ['a%20b+c', 'a b c'],
    ['100%', '100%'],
    ['%2500', '%00'],
    ['%F0%9F%98%80', '😀'],
    ['a=b', 'a=b'],
    ['', ''],
  ])('?q=%s is read as %j', async (sent, read) => {
    const answer = await call(await serve(), `/echo/a?x&q=${sent}&q=second`)
    expect(await answer.json()).toMatchObject({ query: { q: read } })
  })
})

describe('a JSON body', () => {
  test.each([
    ['an integer beyond 64-bit floats', '{"number":12345678901234567890}', ['body', 'number'], '12345678901234567890'],
    ['a number beyond all bounds', '{"text":"1e400","number": 1e400}', ['body', 'number'], '1e400'],
    [
      'one in a place that no schema names',
      '{"a":[{"b":[0,9007199254740993]}]}',
      ['body', 'a', 0, 'b', 1],
      '9007199254740993',
    ],
    ['a number of megabytes', `[${'9'.repeat(3_000_000)}]`, ['body', 0], `${'9'.repeat(40)}…`],
  ])('with %s is a 422 with the location', async (_name, sent, loc, input) => {
    const answer = await call(await serve(), '/echo/a', { body: sent })
    expect([answer.status, await answer.json()]).toEqual([
      422,
      { detail: [{ loc, input, type: 'number_inexact', msg: expect.stringContaining('64-bit') }] },
    ])
  })

  test('in another encoding is a 415 that names the accepted one, and identity is accepted', async () => {
    const http = await serve()
    const zipped = gzipSync('{"text":"a"}')
    const { ended } = open(
      http,
      Buffer.concat([Buffer.from(post('a', zipped.length, 'Content-Encoding: gzip\r\nConnection: close\r\n')), zipped]),
    )
    const answer = parse(await ended)
    expect(answer).toMatchObject({ status: 415, headers: { 'accept-encoding': 'identity' } })
    expect(answer.json.detail).toContain('Content-Encoding "gzip" is not supported')
    const plain = open(http, `${post('a', 12, 'Content-Encoding: identity\r\nConnection: close\r\n')}{"text":"a"}`)
    expect(parse(await plain.ended).status).toBe(200)
  })

  test('that is refused is shortened in the reply, however large', async () => {
    const http = await serve()
    const large = JSON.stringify({ number: Array.from({ length: 20_000 }, () => 'x'), ['n'.repeat(1_000_000)]: 1 })
    const answer = await call(http, '/echo/a', { body: large })
    const text = await answer.text()
    expect([answer.status, text.length < 2_000]).toEqual([422, true])
    expect(JSON.parse(text).detail[0].input).toMatch(/^\["x","x",.*…$/)
  })

  test('that announces too large a size is refused before it is sent, and a client that sends it all can read why', async () => {
    const { socket, ended } = open(await serve(), post('a', 17 * 1024 * 1024))
    await new Promise((resolve) => socket.write(Buffer.alloc(17 * 1024 * 1024, 0x20), resolve))
    expect(parse(await ended)).toMatchObject({ status: 413, headers: { connection: 'close' } })
  })
})
