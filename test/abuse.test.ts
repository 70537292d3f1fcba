import { connect, type Socket } from 'node:net'
import { afterAll, describe, expect, test } from 'vitest'
import { systemClock as clock } from '../packages/core/src/clock.ts'
import { makeRouteRates, ownCounts } from '../packages/server/src/adapters/http/rate.ts'
import { apiRoutes } from '../packages/server/src/routes.ts'
import { makeDatabase } from './support/database.ts'
import { opened } from './support/opened.ts'
import { openTestService, type TestService } from './support/service.ts'

const limited = {
  requests_per_minute: 1_000,
  requests_per_minute_by_route: { estimateExecution: 2 },
  event_streams_per_workspace: 3,
}
const service = await opened(openTestService({ config: { file: { limits: limited } } }))

describe('a route with its own rate limit', () => {
  const estimate = (key?: string) =>
    service.call('POST', '/v1/agent/estimate', {
      body: { inputs: { text: 'a' }, config: { prompt: 'Read' } },
      ...(key ? { key } : {}),
    })

  test('refuses a key above it with rate headers, and affects neither other routes nor other keys', async () => {
    const answers = []
    for (let call = 0; call < 3; call++) answers.push(await estimate())
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 429])
    expect(answers.map(({ headers }) => headers.get('x-ratelimit-limit'))).toEqual(['2', '2', '2'])
    expect(answers.map(({ headers }) => headers.get('x-ratelimit-remaining'))).toEqual(['1', '0', '0'])
    expect(Number(answers[2]?.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(answers[2]?.json.detail).toContain('2 requests a minute to estimateExecution')
    const other = await service.call('GET', '/v1/health')
    expect([other.status, other.headers.get('x-ratelimit-limit')]).toEqual([200, '1000'])
    expect((await estimate(await service.stranger())).status).toBe(200)
  })

  test('for a route that does not exist stops the start with its name', () => {
    const make = (operation: string) => makeRouteRates({ clock, counts: ownCounts() }, { [operation]: 5 }, apiRoutes())
    expect(() => make('executeAgents')).toThrow(/executeAgents.*operationId/)
    expect(make('executeAgent').size).toBe(1)
  })
})

describe('the rate of a key is counted over all processes', () => {
  const config = { file: { limits: { requests_per_minute: 10, requests_per_minute_by_route: { listFiles: 3 } } } }
  const askInTurn = async (services: readonly TestService[], path: string, count: number, key?: string) => {
    const statuses: number[] = []
    for (let n = 0; n < count; n++) {
      const service = services[n % services.length] as TestService
      statuses.push((await service.call('GET', path, key ? { key } : {})).status)
    }
    return statuses
  }

  test('for one key, for one key and route, and for bad keys from one address', async () => {
    await using database = await makeDatabase()
    await using one = await openTestService({ database, config })
    await using other = await openTestService({ database, config })
    const services = [one, other]
    expect(await askInTurn(services, '/v1/files', 5)).toEqual([200, 200, 200, 429, 429])
    expect(await askInTurn(services, '/v1/health', 7)).toEqual([200, 200, 200, 200, 200, 429, 429])
    const bad = await askInTurn(services, '/v1/health', 32, 'sk-not-a-key')
    expect([bad.filter((status) => status === 401).length, bad.slice(30)]).toEqual([30, [429, 429]])
  })

  test('concurrent requests, a thousand at a time, do not exceed the limit', async () => {
    await using database = await makeDatabase()
    const many = { file: { limits: { requests_per_minute: 1_000 } } }
    await using one = await openTestService({ database, config: many })
    await using other = await openTestService({ database, config: many })
    const answers = await Promise.all(
      Array.from({ length: 1_200 }, (_, n) => (n % 2 === 0 ? one : other).call('GET', '/v1/health')),
    )
    const passed = answers.filter(({ status }) => status === 200).length
    expect(passed).toBeLessThanOrEqual(1_000)
    // Each process may allow one percent more.
    expect(passed).toBeGreaterThanOrEqual(980)
    expect(await database.db.query('select count(*)::integer as count from rate_counts')).toEqual([{ count: 1 }])
  })
})

test('the number of open streams of a workspace is limited, independently of other workspaces, and closing one makes room', async () => {
  const open = async (key = service.key) => {
    const going = new AbortController()
    const headers = { Authorization: `Bearer ${key}`, Accept: 'text/event-stream' }
    const { status } = await fetch(`${service.url}/v1/agent/events`, { headers, signal: going.signal })
    return { status, close: () => going.abort() }
  }
  const streams = [await open(), await open(), await open()]
  expect(streams.map(({ status }) => status)).toEqual([200, 200, 200])
  const refused = await service.call('GET', '/v1/agent/events')
  expect([refused.status, refused.json.detail]).toEqual([429, expect.stringContaining('3 open event streams')])
  expect(refused.headers.get('retry-after')).toMatch(/^\d+$/)
  const theirs = await open(await service.stranger())
  expect(theirs.status).toBe(200)
  streams[0]?.close()
  await expect
    .poll(async () => {
      const one = await open()
      one.close()
      return one.status
    })
    .toBe(200)
  for (const { close } of [...streams, theirs]) close()
})

describe('slow or endless clients', () => {
  const sockets: Socket[] = []
  afterAll(() => {
    for (const socket of sockets) socket.destroy()
  })
  function speak(bytes: string): Socket {
    const { hostname, port } = new URL(service.url)
    const socket = connect(Number(port), hostname, () => socket.write(bytes))
    socket.on('error', () => undefined)
    sockets.push(socket)
    return socket
  }
  const answerOf = (socket: Socket) =>
    new Promise<string>((resolve) => {
      let heard = ''
      socket.on('data', (part) => {
        heard += part.toString('latin1')
      })
      socket.on('close', () => resolve(heard))
    })

  test('hundreds of unfinished requests delay nobody else', async () => {
    const head = `POST /v1/agent/execute HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${service.key}\r\nContent-Type: application/json\r\n`
    for (let n = 0; n < 100; n++) {
      speak('GET /v1/health HT')
      speak(`${head}X-Slow: `)
      speak(`${head}Content-Length: 1000000\r\n\r\n{"inputs":{"a":"`)
      speak(`${head}Transfer-Encoding: chunked\r\n\r\n5\r\n{"inp`)
    }
    const answers = await Promise.all(Array.from({ length: 20 }, () => service.call('GET', '/v1/files')))
    expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(200))
    expect(
      (await service.execute({ inputs: { text: 'Total: 5.00' }, config: { prompt: 'Extract the total' } })).status,
    ).toBe('completed')
  })

  test.each([
    ['a header of a megabyte', `GET /v1/health HTTP/1.1\r\nHost: x\r\nX-Large: ${'a'.repeat(1_000_000)}\r\n\r\n`, 431],
    ['a hundred thousand headers', `GET /v1/health HTTP/1.1\r\nHost: x\r\n${'A: b\r\n'.repeat(100_000)}\r\n`, 431],
    ['an address of a megabyte', `GET /${'a'.repeat(1_000_000)} HTTP/1.1\r\nHost: x\r\n\r\n`, 431],
    ['no HTTP at all', '\u0016\u0003\u0001\u0002\u0000\u0001\u0000\u0001\u00fc\u0003\u0003', 400],
    ['another protocol', 'EHLO mail.example\r\nMAIL FROM:<a@example>\r\n', 400],
    ['an invalid method', 'BREW /v1/health HTTP/1.1\r\nHost: x\r\n\r\n', 400],
    ['an invalid version', 'GET /v1/health HTTP/9.9\r\nHost: x\r\n\r\n', 400],
  ])('%s is answered with a message and closed', async (_name, bytes, status) => {
    const heard = await answerOf(speak(bytes))
    expect(heard).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `))
    expect(heard).toContain('"detail"')
    expect(heard).not.toMatch(/at .*\.(ts|js):\d|node_modules/)
  })

  test("a client that does not read its reply does not fill the server's memory", async () => {
    const bytes = Buffer.alloc(40 * 1024 * 1024, 'x')
    const file = await service.upload(bytes, 'large.txt')
    const before = process.memoryUsage().rss
    const ask = `GET /v1/files/${file.id}/content HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${service.key}\r\n\r\n`
    const deaf = Array.from({ length: 10 }, () => {
      const socket = speak(ask)
      socket.pause()
      return socket
    })
    await Promise.all(deaf.map((socket) => new Promise((begun) => socket.once('connect', begun))))
    for (let n = 0; n < 20; n++) expect((await service.call('GET', '/v1/health')).status).toBe(200)
    // Without a limit it would be ten times forty megabytes.
    expect(process.memoryUsage().rss - before).toBeLessThan(200 * 1024 * 1024)
  })
})
