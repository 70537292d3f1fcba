import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { makeHttp } from './http.ts'

/** The limits that were started, oldest first; each ends when the test says so. */
let limits: AbortController[]
const server = createServer()

beforeEach(async () => {
  limits = []
  vi.spyOn(AbortSignal, 'timeout').mockImplementation(() => {
    const limit = new AbortController()
    limits.push(limit)
    return limit.signal
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
})
afterEach(async () => {
  vi.restoreAllMocks()
  server.removeAllListeners('request').closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
})

/** Asks a server that answers the n-th request with the n-th listener. */
function ask(asking: { slow?: boolean }, ...listeners: readonly RequestListener[]) {
  let asked = 0
  server.on('request', (request, reply) => listeners[asked++]?.(request, reply))
  const { port } = server.address() as AddressInfo
  return makeHttp({ url: `http://127.0.0.1:${port}`, replyMsMax: 60_000 }).json('/v1/health', asking)
}

/** The first limit ends, as after a minute. */
const late = () => limits[0]?.abort(new DOMException('too late', 'TimeoutError'))
const busy: RequestListener = (_, reply) =>
  void reply.writeHead(429, { 'Retry-After': '0' }).end('{"detail": "Too many requests"}')

test('each try has the limit of the reply for itself', async () => {
  const reply = ask({}, busy, (_, reply) => {
    late()
    reply.end('"here"')
  })
  expect(await reply).toBe('here')
})

test("after a busy server, the failure is the server's own", async () => {
  const reply = ask({}, busy, (_, reply) => {
    late()
    reply.writeHead(403).end('{"detail": "The key has no budget left"}')
  })
  await expect(reply).rejects.toMatchObject({ status: 403, message: 'The key has no budget left' })
})

test('a server that does not reply ends the request, which is not repeated', async () => {
  await expect(ask({}, late, busy)).rejects.toMatchObject({
    code: 'no_reply',
    message: expect.stringContaining('did not reply within 60 s'),
  })
  expect(limits).toHaveLength(1)
})

test('a slow request has no limit', async () => {
  expect(await ask({ slow: true }, (_, reply) => void reply.end('"here"'))).toBe('here')
  expect(limits).toHaveLength(0)
})
