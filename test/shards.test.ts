import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type RequestOptions, request, type ServerResponse } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { uploadTo } from './support/call.ts'
import { openIdentityProvider, openTravellingBrowser, type TestProvider } from './support/identity-provider.ts'
import { startServer } from './support/server.ts'
import { openTestService, type TestService } from './support/service.ts'

/*
 * Two installations, each with its own database, behind one router, which is a process of its own; and a third shard of the test's own,
 * which shows what arrives at a shard and when.
 */

const keys = { a: 'the-key-of-shard-a', b: 'the-key-of-shard-b', c: 'the-key-of-shard-c', twice: 'a-key-of-two-shards' }
const person = { email: 'boss@example.com', password: 'a long password of shard b' }
/** What clients call the router; the tests reach it at its address. */
const publicHost = 'http://skillrun.example.com'
const folders: string[] = []
const stack = new AsyncDisposableStack()
let a: TestService
let b: TestService
let c: Awaited<ReturnType<typeof openOwnShard>>
let router: string
/** Of shard b. */
let provider: TestProvider

beforeAll(async () => {
  const people = { SKILLRUN_ADMIN_EMAIL: person.email, SKILLRUN_ADMIN_PASSWORD: person.password }
  const ofA = {
    SKILLRUN_API_KEY: keys.a,
    SKILLRUN_PUBLIC_URL: `${publicHost}/shards/a`,
    SKILLRUN_TRUSTED_PROXIES: '127.0.0.1',
  }
  const ofB = { SKILLRUN_API_KEY: keys.b, SKILLRUN_PUBLIC_URL: `${publicHost}/shards/b/` }
  provider = stack.use(await openIdentityProvider())
  provider.register(`${publicHost}/shards/b`)
  const byProvider = {
    SKILLRUN_OIDC_ISSUER: provider.issuer,
    SKILLRUN_OIDC_CLIENT_ID: provider.clientId,
    SKILLRUN_OIDC_CLIENT_SECRET: provider.clientSecret,
  }
  a = stack.use(await openTestService({ env: ofA }))
  b = stack.use(await openTestService({ env: { ...ofB, ...people, ...byProvider } }))
  c = stack.use(await openOwnShard([keys.c, keys.twice]))
  router = await openRouterOf({ a: a.url, b: b.url, c: c.url })
})
afterAll(async () => {
  await stack.disposeAsync()
  await Promise.all(folders.map((folder) => rm(folder, { recursive: true, force: true })))
})

async function openRouterOf(shards: Readonly<Record<string, string>>, limits = {}): Promise<string> {
  const server = stack.use(await startRouter(shards, limits))
  const [, url = ''] = await server.printed(/Skillrun router (http:\S+)/)
  return url
}

async function startRouter(shards: Readonly<Record<string, string>>, limits = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'skillrun-router-'))
  folders.push(folder)
  const SKILLRUN_SHARDS = Object.entries(shards)
    .map(([name, url]) => `${name}=${url}`)
    .join(',')
  const SKILLRUN_CONFIG = join(folder, 'configuration.json')
  await writeFile(SKILLRUN_CONFIG, JSON.stringify({ limits }))
  return startServer(folder, { SKILLRUN_ROLE: 'router', SKILLRUN_SHARDS, SKILLRUN_CONFIG })
}

/** A shard that knows these keys, and answers everything but the question of the router as `handle` says. */
async function openOwnShard(known: readonly string[]) {
  const shard = {
    url: '',
    handle: (_incoming: IncomingMessage, outgoing: ServerResponse): void => void outgoing.end('c'),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((closed) => server.close(closed))
    },
  }
  const server = createServer((incoming, outgoing) => {
    if (incoming.url !== '/v1/me') return shard.handle(incoming, outgoing)
    const isKnown = known.some((key) => incoming.headers.authorization === `Bearer ${key}`)
    outgoing.writeHead(isKnown ? 200 : 401).end('{}')
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  shard.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return shard
}

async function call(url: string, path: string, key: string | null, body?: object, more: Record<string, string> = {}) {
  const response = await fetch(url + path, {
    headers: {
      ...(key === null ? {} : { Authorization: `Bearer ${key}` }),
      ...(body ? { 'Content-Type': 'application/json' } : {}),
      ...more,
    },
    ...(body ? { method: 'POST', body: JSON.stringify(body) } : {}),
  })
  const said = await response.text()
  return {
    status: response.status,
    headers: response.headers,
    text: said,
    json: said.startsWith('{') ? JSON.parse(said) : null,
  }
}

/** A request with headers that may come twice, from an address of this machine. */
async function send(url: string, path: string, options: RequestOptions) {
  const sent = request(url + path, { method: 'POST', agent: false, ...options }).end()
  const [response] = (await once(sent, 'response')) as [IncomingMessage]
  return { status: response.statusCode ?? 0, text: await text(response) }
}

const execution = { batch: false, inputs: { text: 'Total: 5.00' }, config: { prompt: 'Extract the total' } }
const countIn = async (service: TestService, id: string) => {
  const [row] = await service.database.db.query<{ n: number }>(
    'select count(*)::integer as n from executions where id = $1',
    [id],
  )
  return row?.n
}

describe('a router of two databases', () => {
  test('sends each key to its own database, and no key reaches a row of the other', async () => {
    const ofA = await call(router, '/v1/agent/execute', keys.a, execution)
    const ofB = await call(router, '/v1/agent/execute', keys.b, execution)
    expect([ofA.status, ofA.json.status, ofB.status, ofB.json.status]).toEqual([201, 'completed', 201, 'completed'])
    expect([await countIn(a, ofA.json.id), await countIn(b, ofA.json.id)]).toEqual([1, 0])
    expect([await countIn(a, ofB.json.id), await countIn(b, ofB.json.id)]).toEqual([0, 1])
    for (const [key, other] of [
      [keys.a, ofB.json.id],
      [keys.b, ofA.json.id],
    ]) {
      expect((await call(router, `/v1/agent/executions/${other}`, key)).status).toBe(404)
      expect((await call(router, '/v1/agent/executions', key)).text).not.toContain(other)
    }
  })

  test('sends many requests of both keys at once to their own databases', async () => {
    const ids = await Promise.all(
      Array.from({ length: 40 }, async (_, at) => {
        const name = at % 2 === 0 ? 'a' : 'b'
        const { json } = await call(router, '/v1/agent/execute', keys[name], { ...execution, batch: true })
        return { name, id: json.id as string }
      }),
    )
    const places = await Promise.all(ids.map(async ({ id }) => [await countIn(a, id), await countIn(b, id)]))
    expect(places).toEqual(ids.map(({ name }) => (name === 'a' ? [1, 0] : [0, 1])))
  })

  test('takes uploads and gives the same bytes back', async () => {
    const bytes = randomBytes(3_000_000)
    const headers = { Authorization: `Bearer ${keys.b}` }
    const { status, json } = await uploadTo({ url: router, key: keys.b }, bytes, 'random.bin')
    const { id, sha256 } = json as { id: string; sha256: string }
    expect([status, sha256]).toEqual([201, createHash('sha256').update(bytes).digest('hex')])
    const content = await fetch(`${router}/v1/files/${id}/content`, { headers })
    expect(Buffer.from(await content.arrayBuffer()).equals(bytes)).toBe(true)
    expect((await call(router, `/v1/files/${id}/content`, keys.a)).status).toBe(404)
  })

  test.each([
    ['an unknown key', '/v1/agent/executions', 'no-such-key'],
    ['no key', '/v1/agent/executions', null],
    ['an unknown key of an OpenAI client', '/v1/openai/models', 'no-such-key'],
    ['an unknown path', '/v1/nothing', keys.b],
    ['what is public', '/openapi.json', null],
  ])('answers %s as a server does', async (_, path, key) => {
    const [direct, routed] = [await call(a.url, path, key), await call(router, path, key)]
    expect([routed.status, routed.json]).toEqual([direct.status, direct.json])
    expect(routed.headers.get('www-authenticate')).toBe(direct.headers.get('www-authenticate'))
  })

  test("finds the key in Anthropic's header", async () => {
    const body = { model: 'svc-agent-1:auto', max_tokens: 100, messages: [{ role: 'user', content: 'Hello' }] }
    const send = (key: string) => call(router, '/v1/messages', null, body, { 'x-api-key': key })
    expect((await send('no-such-key')).status).toBe(401)
    expect((await send(keys.b)).status).not.toBe(401)
  })

  test.each([
    ['two keys in the header of Anthropic', { 'x-api-key': [keys.a, keys.a] }, 401, 'more than one x-api-key'],
    ['two other keys', { Authorization: [`Bearer ${keys.a}`, `Bearer ${keys.a}`] }, 401, 'more than one Authorization'],
    ['a password of another kind', { Authorization: 'Basic YTpi' }, 401, 'Bearer <key>'],
    ['an unknown Expect', { Authorization: `Bearer ${keys.a}`, Expect: 'foo' }, 417, 'Expect may only be 100-continue'],
  ])('answers %s as a server does', async (_, headers, status, sentence) => {
    const answers = [await send(a.url, '/v1/messages', { headers }), await send(router, '/v1/messages', { headers })]
    for (const answer of answers) {
      expect(answer.status).toBe(status)
      expect(answer.text).toContain(sentence)
    }
    expect(answers[1]?.text).toBe(answers[0]?.text)
  })

  test("takes Anthropic's key beside a password of another kind", async () => {
    const headers = { Authorization: 'Basic YTpi', 'x-api-key': keys.b }
    expect((await send(router, '/v1/messages', { headers })).status).toBe(400)
  })

  test('lets each client have its own bad keys, whatever a client says of its address', async () => {
    const from = (localAddress: string, more = {}, url = router) => {
      const headers = { Authorization: `Bearer ${randomBytes(9).toString('hex')}`, ...more }
      return send(url, '/v1/agent/executions', { localAddress, headers, method: 'GET' })
    }
    const statuses = new Set<number>()
    while (!statuses.has(429)) statuses.add((await from('127.0.0.2')).status)
    expect([...statuses]).toEqual([401, 429])
    expect((await from('127.0.0.2', { 'X-Forwarded-For': '203.0.113.7' })).status).toBe(429)
    expect((await from('127.0.0.3')).status).toBe(401)
    expect((await from('127.0.0.3', { 'X-Forwarded-For': '127.0.0.2' })).status).toBe(401)
    // Who is no trusted proxy speaks for nobody.
    expect((await from('127.0.0.4', { 'X-Forwarded-For': '127.0.0.2' }, a.url)).status).toBe(401)
    expect((await from('127.0.0.1', { 'X-Forwarded-For': '127.0.0.2' }, a.url)).status).toBe(429)
  })

  test('asks again for a key that its shard has refused', async () => {
    const made = await call(router, '/v1/keys', keys.b, { name: 'for a while', scopes: ['read'] })
    const { key, id } = made.json
    expect((await call(router, '/v1/agent/executions', key)).status).toBe(200)
    await fetch(`${router}/v1/keys/${id}`, { method: 'DELETE', headers: { Authorization: `Bearer ${keys.b}` } })
    await expect.poll(async () => (await call(router, '/v1/agent/executions', key)).status).toBe(401)
  })

  test('refuses a key that two shards know', async () => {
    const own = stack.use(await openOwnShard([keys.twice]))
    const url = await openRouterOf({ one: own.url, two: c.url })
    const { status, json } = await call(url, '/v1/agent/executions', keys.twice)
    expect([status, json.detail]).toEqual([503, expect.stringMatching(/^Two parts of this service know this key/)])
    expect((await call(url, '/v1/agent/executions', keys.c)).text).toBe('c')
  })
})

describe('without a key', () => {
  const reached = (url: string) => url.replace(publicHost, router)

  test.each(['a', 'b'] as const)(
    'signed URLs of %s lead through the router to their files, and to no other shard',
    async (name) => {
      const other = name === 'a' ? 'b' : 'a'
      const asked = await call(router, '/v1/files/presigned-url', keys[name], { filename: 'note.txt' })
      const { url, public_url } = asked.json as { url: string; public_url: string }
      expect([url, public_url].every((one) => one.startsWith(`${publicHost}/shards/${name}/v1/public/files/`))).toBe(
        true,
      )
      const put = { method: 'PUT', body: `Total: 5.00 of ${name}` }
      expect((await fetch(reached(url).replace(`/shards/${name}/`, `/shards/${other}/`), put)).status).toBe(404)
      expect((await fetch(reached(url), put)).status).toBe(200)
      expect(await (await fetch(reached(public_url))).text()).toBe(`Total: 5.00 of ${name}`)
      expect((await fetch(reached(public_url).replace(`/shards/${name}/`, `/shards/${other}/`))).status).toBe(404)
      expect((await fetch(reached(public_url).replace(`/shards/${name}/`, '/shards/none/'))).status).toBe(404)
      // Its own link as an input is read in the shard: nothing is fetched from an address that this machine does not know.
      const { json } = await call(router, '/v1/agent/execute', keys[name], {
        ...execution,
        inputs: { text: { type: 'input_file', file_url: { url: public_url } } },
      })
      expect(json.error).toBeNull()
    },
  )

  test('people choose their shard once, and then sign in, work and sign out there', async () => {
    const cookies = new Map<string, string>()
    const visit = async (path: string, init: RequestInit = {}) => {
      const Cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
      const headers = { Cookie, 'Content-Type': 'application/json', 'Sec-Fetch-Site': 'same-origin', ...init.headers }
      const response = await fetch(router + path, { redirect: 'manual', ...init, headers })
      for (const set of response.headers.getSetCookie()) {
        const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(set) ?? []
        if (set.includes('Max-Age=0')) cookies.delete(name)
        else cookies.set(name, value)
      }
      const said = await response.text()
      return { response, json: said.startsWith('{') ? JSON.parse(said) : said }
    }
    const signIn = () => visit('/v1/sign-in', { method: 'POST', body: JSON.stringify(person) })

    const early = await signIn()
    expect([early.response.status, early.json.detail]).toEqual([
      409,
      expect.stringContaining('Open one of /shards/a/, /shards/b/, /shards/c/'),
    ])
    const chosen = await visit('/shards/b/')
    expect([chosen.response.status, chosen.response.headers.get('location')]).toEqual([303, '/'])
    const signedIn = await signIn()
    expect([signedIn.response.status, [...cookies.keys()].sort()]).toEqual([
      200,
      ['skillrun-session', 'skillrun-shard'],
    ])
    const headers = { 'X-CSRF-Token': signedIn.json.csrf_token }
    const me = await visit('/v1/me', { headers })
    expect([me.response.status, JSON.stringify(me.json)]).toEqual([200, expect.stringContaining(person.email)])
    const made = await visit('/v1/agent/execute', { method: 'POST', body: JSON.stringify(execution), headers })
    expect([await countIn(a, made.json.id), await countIn(b, made.json.id)]).toEqual([0, 1])
    // A key in the same browser is still a key of its own shard.
    const ofA = await visit('/v1/agent/executions', { headers: { Authorization: `Bearer ${keys.a}` } })
    expect([ofA.response.status, JSON.stringify(ofA.json)]).toEqual([200, expect.not.stringContaining(made.json.id)])
    // The session of b is shown to no other shard.
    const seen: (string | undefined)[] = []
    c.handle = (incoming, outgoing) => {
      seen.push(incoming.headers.cookie)
      outgoing.writeHead(200, { 'Set-Cookie': 'skillrun-session=of-c; Max-Age=9' }).end('c')
    }
    await visit('/shards/c/v1/public/files/1')
    await visit('/v1/agent/executions', { headers: { Authorization: `Bearer ${keys.c}` } })
    expect(seen).toEqual([undefined, undefined])
    expect((await visit('/v1/me', { headers })).response.status).toBe(200)

    await visit('/shards/a/')
    expect((await visit('/v1/me', { headers })).response.status).toBe(401)
    await visit('/shards/b')
    expect((await visit('/v1/sign-out', { method: 'POST', headers })).response.status).toBeLessThan(300)
    expect([...cookies.keys()]).toEqual(['skillrun-shard'])
  })

  describe('at an OpenID provider', () => {
    const begin = `${publicHost}/v1/sign-in/provider`
    const openBrowser = () => openTravellingBrowser((url, init) => fetch(reached(url), init))
    const userIn = async (browser: ReturnType<typeof openBrowser>) =>
      JSON.parse((await browser.visit(`${publicHost}/v1/sign-in`)).text).user

    beforeAll(async () => {
      const ann = { email: 'ann@example.com', email_verified: true }
      provider.people.set('ann', ann)
      provider.signingIn = 'ann'
      const body = { email: ann.email, role: 'viewer', password: null }
      expect((await call(router, '/v1/users', keys.b, body)).status).toBe(201)
    })

    test('people sign in for their shard, come back through the router, and are nobody at another shard', async () => {
      const browser = openBrowser()
      expect((await browser.visit(begin)).status).toBe(409)
      await browser.visit(`${publicHost}/shards/b/`)
      const end = await browser.visit(`${begin}?return_to=/executions%3Fstatus%3Dfailed`)
      expect(end.url).toBe(`${publicHost}/executions?status=failed`)
      expect(await userIn(browser)).toMatchObject({ email: 'ann@example.com', role: 'viewer' })
      const { next = '' } = await browser.visit(`${begin}/sign-out`, (url) => url.startsWith(provider.issuer))
      expect(next).toContain(`post_logout_redirect_uri=${encodeURIComponent(`${publicHost}/shards/b/`)}`)
      await browser.visit(`${publicHost}/shards/a/`)
      expect(await userIn(browser)).toBeNull()
    })

    test('a sign-in does not end in a browser that chose another shard meanwhile', async () => {
      const browser = openBrowser()
      await browser.visit(`${publicHost}/shards/b/`)
      const { next = '' } = await browser.visit(begin, (url) => url.startsWith(publicHost))
      expect(next).toContain(`${publicHost}/shards/b/v1/sign-in/provider/callback`)
      await browser.visit(`${publicHost}/shards/a/`)
      expect(await browser.visit(next)).toMatchObject({
        status: 403,
        text: expect.stringContaining('not the sign-in that this browser began'),
      })
      await browser.visit(`${publicHost}/shards/b/`)
      expect(await userIn(browser)).toBeNull()
    })
  })

  test('two choices in one browser, or that of a shard which is no more, are none', async () => {
    for (const Cookie of ['skillrun-shard=a; skillrun-shard=b', 'skillrun-shard=gone']) {
      const options = { headers: { Cookie, 'Content-Type': 'application/json' }, method: 'POST' }
      expect((await fetch(`${router}/v1/sign-in`, { ...options, body: JSON.stringify(person) })).status).toBe(409)
    }
  })
})

describe('what passes through a router', () => {
  test.each(['GET', 'HEAD', 'DELETE', 'OPTIONS', 'POST'])(
    'is one request, whatever a sender of %s lists in Connection',
    async (method) => {
      const arrived: string[] = []
      c.handle = (incoming, outgoing) => {
        arrived.push(`${incoming.method} ${incoming.url} of ${incoming.headers.authorization}`)
        incoming.resume().on('end', () => outgoing.end('c'))
      }
      const inner = 'GET /smuggled HTTP/1.1\r\nHost: x\r\n\r\n'
      const { hostname, port } = new URL(router)
      const socket = connect(Number(port), hostname)
      socket.write(
        `${method} /outer HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${keys.c}\r\nConnection: close, content-length, authorization\r\nContent-Length: ${inner.length}\r\n\r\n${inner}`,
      )
      socket.resume()
      await once(socket, 'close')
      const after = await fetch(`${router}/after`, { headers: { Authorization: `Bearer ${keys.c}` } })
      expect(await after.text()).toBe('c')
      expect(arrived).toEqual([`${method} /outer of Bearer ${keys.c}`, `GET /after of Bearer ${keys.c}`])
    },
  )

  const headers = { Authorization: `Bearer ${keys.c}` }

  test('arrives before its end: an event of a stream, and the first part of a body', async () => {
    const said = Promise.withResolvers<string>()
    const goOn = Promise.withResolvers<void>()
    c.handle = async (incoming, outgoing) => {
      incoming.once('data', (part) => said.resolve(String(part)))
      outgoing.writeHead(200, { 'Content-Type': 'text/event-stream' }).write('data: 1\n\n')
      await goOn.promise
      outgoing.end('data: 2\n\n')
    }
    const sent = request(`${router}/v1/events`, { method: 'POST', headers })
    sent.write('the first part')
    const [response] = (await once(sent, 'response')) as [IncomingMessage]
    expect(await said.promise).toBe('the first part')
    const parts = response[Symbol.asyncIterator]()
    expect(String((await parts.next()).value)).toBe('data: 1\n\n')
    goOn.resolve()
    sent.end()
    expect(String((await parts.next()).value)).toBe('data: 2\n\n')
    expect((await parts.next()).done).toBe(true)
  })

  test('ends at the shard when the client leaves', async () => {
    const left = Promise.withResolvers<void>()
    c.handle = (_incoming, outgoing) => {
      outgoing.once('close', () => left.resolve())
      outgoing.writeHead(200).write('first')
    }
    const sent = request(`${router}/v1/events`, { headers }).end()
    const [response] = (await once(sent, 'response')) as [IncomingMessage]
    await once(response, 'data')
    sent.destroy()
    await left.promise
  })

  test('is cut off when the shard dies in the middle of a reply', async () => {
    c.handle = (_incoming, outgoing) => {
      outgoing.writeHead(200, { 'Content-Length': '100' }).write('first', () => outgoing.destroy())
    }
    await expect(call(router, '/v1/events', keys.c)).rejects.toThrow()
  })

  test('has its status, headers and method unchanged, and no cookie', async () => {
    let seen: IncomingMessage | undefined
    c.handle = (incoming, outgoing) => {
      seen = incoming
      outgoing.writeHead(202, { 'X-Two': ['1', '2'], 'Set-Cookie': 'skillrun-session=1' }).end('ok')
    }
    const more = { Cookie: 'skillrun-session=1', Connection: 'X-Far', 'X-Far': 'kept' }
    const sent = request(`${router}/v1/some?q=%2F&q=1`, { method: 'PUT', headers: { ...headers, ...more } }).end('body')
    const [response] = (await once(sent, 'response')) as [IncomingMessage]
    response.resume()
    expect([seen?.method, seen?.url, seen?.headers['x-far']]).toEqual(['PUT', '/v1/some?q=%2F&q=1', 'kept'])
    expect(seen?.headers.cookie).toBeUndefined()
    expect(seen?.headers.host).toBe(new URL(router).host)
    expect([response.statusCode, response.headers['x-two']]).toEqual([202, '1, 2'])
    expect(response.headers['set-cookie']).toBeUndefined()
  })
})

describe('a shard that is down', () => {
  test('takes only its own keys with it, for a router that knew them and for a new one', async () => {
    const gone = await openOwnShard([keys.c])
    const shards = { b: b.url, gone: gone.url }
    const before = await openRouterOf(shards)
    expect((await call(before, '/v1/agent/executions', keys.c)).text).toBe('c')
    await gone[Symbol.asyncDispose]()
    for (const url of [before, await openRouterOf(shards)]) {
      expect((await call(url, '/v1/agent/executions', keys.b)).status).toBe(200)
      for (const key of [keys.c, 'no-such-key']) {
        const { status, headers, json } = await call(url, '/v1/agent/executions', key)
        expect([status, headers.get('retry-after')]).toEqual([503, '1'])
        expect(json.detail).toMatch(/does not answer; try again$/)
      }
      const { status, json } = await call(url, '/readyz', null)
      expect([status, json]).toEqual([200, { shards: { gone: 'unavailable', b: 'ready' } }])
      expect((await call(url, '/healthz', null)).status).toBe(200)
    }
  })

  test('does not take along what needs no key, even when it is the first', async () => {
    const gone = await openOwnShard([])
    await gone[Symbol.asyncDispose]()
    const url = await openRouterOf({ gone: gone.url, a: a.url })
    expect((await call(url, '/openapi.json', null)).json.openapi).toBeDefined()
    expect((await call(url, '/v1/agent/execute', null, execution)).status).toBe(401)
    const none = await openRouterOf({ gone: gone.url })
    expect((await call(none, '/openapi.json', null)).status).toBe(503)
  })

  test('and takes requests all the same holds none forever, and ends no reply that has begun', async () => {
    const own = stack.use(await openOwnShard([keys.c]))
    const url = await openRouterOf({ own: own.url }, { shard_answer_ms: 200 })
    const held: ServerResponse[] = []
    own.handle = ({ url: path }, outgoing) => {
      if (path === '/v1/events') outgoing.writeHead(200).write('first ')
      held.push(outgoing)
    }
    const headers = { Authorization: `Bearer ${keys.c}` }
    const stream = await fetch(`${url}/v1/events`, { headers })
    for (const body of [undefined, execution]) {
      const left = await call(url, '/v1/agent/execute', keys.c, body)
      expect([left.status, left.json]).toEqual([
        504,
        { detail: expect.stringMatching(/took it, and did not answer within 0.2 seconds; it may have done the work$/) },
      ])
    }
    held[0]?.end('last')
    expect(await stream.text()).toBe('first last')
  })
})

test.each([
  ['nothing', {}],
  ['an address without a scheme', { a: '127.0.0.1:8080' }],
  ['an address with a path', { a: 'http://127.0.0.1:8080/v1' }],
])('a router refuses to start with %s', async (_, shards: Record<string, string>) => {
  await using server = await startRouter(shards)
  await once(server.process, 'close')
  expect(server.output()).toMatch(/SKILLRUN_SHARDS is ".*", but should be names and addresses/)
  expect(server.process.exitCode).toBe(1)
})
