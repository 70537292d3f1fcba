import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { parsePrivateTargets } from '../private-targets.ts'
import { shareLookups } from './connector.ts'
import { undiciEgress } from './undici.ts'

/** Path → the local server's reply. */
const answers: Record<string, RequestListener> = {}
const asked: string[] = []
let server: Server
let port = 0

beforeAll(async () => {
  server = createServer((request, response) => {
    asked.push(`${request.method} ${request.url}`)
    answers[request.url ?? '']?.(request, response)
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  port = (server.address() as AddressInfo).port
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
})

const open = (more: Parameters<typeof undiciEgress>[0] = {}) =>
  undiciEgress({ isAllowed: parsePrivateTargets(`127.0.0.1:${port}`), ...more })
const url = (path: string) => `http://127.0.0.1:${port}${path}`
const letter = {
  body: Buffer.from('{"grüße":"…"}'),
  headers: { 'content-type': 'application/json', 'X-Mark': 'yes' },
  wallMs: 30_000,
  signal: new AbortController().signal,
}

test('bytes arrive unchanged, with their headers and no others of ours', async () => {
  let got: { request: IncomingMessage; body: Buffer } | undefined
  answers['/in'] = async (request, response) => {
    got = { request, body: await buffer(request) }
    response.writeHead(202).end('thanks')
  }
  expect(await open().post(url('/in'), letter)).toEqual({ status: 202, retryAfter: undefined })
  expect(got?.body.equals(letter.body)).toBe(true)
  expect(got?.request.method).toBe('POST')
  expect(Object.keys(got?.request.headers ?? {}).sort()).toEqual([
    'connection',
    'content-length',
    'content-type',
    'host',
    'user-agent',
    'x-mark',
  ])
})

test('any status is a reply, and a redirect is not followed', async () => {
  for (const status of [204, 302, 307, 410, 429, 500]) {
    answers[`/${status}`] = (_, response) =>
      response.writeHead(status, { location: url('/elsewhere'), 'retry-after': '7' }).end()
    expect(await open().post(url(`/${status}`), letter)).toEqual({ status, retryAfter: '7' })
  }
  expect(asked).not.toContain('POST /elsewhere')
  expect(asked).not.toContain('GET /elsewhere')
})

test('private targets, other schemes and credentials are refused before anything is sent', async () => {
  const before = asked.length
  const closed = undiciEgress()
  const bad = [url('/in'), `http://localhost:${port}/in`, 'ftp://example.com/', `http://user:word@127.0.0.1:${port}/in`]
  for (const one of bad)
    await expect(closed.post(one, letter), one).rejects.toMatchObject({ kind: 'invalid', code: 'url_forbidden' })
  const rebound = undiciEgress({ resolve: async () => ['93.184.216.34', '10.0.0.1'] })
  await expect(rebound.post('http://mixed.example/', letter)).rejects.toMatchObject({ code: 'url_forbidden' })
  await expect(closed.post('nowhere', letter)).rejects.toMatchObject({ code: 'url_invalid' })
  expect(asked.length).toBe(before)
})

test('of an endless reply only the head is read', async () => {
  let closed = false
  answers['/endless'] = (_, response) => {
    response.once('close', () => {
      closed = true
    })
    response.writeHead(200)
    const pour = () => {
      while (!closed && response.write(Buffer.alloc(64 * 1024)));
    }
    response.on('drain', pour)
    pour()
  }
  expect(await open().post(url('/endless'), letter)).toEqual({ status: 200, retryAfter: undefined })
  answers['/silent-after-head'] = (_, response) => response.writeHead(200).flushHeaders()
  expect(await open().post(url('/silent-after-head'), letter)).toEqual({ status: 200, retryAfter: undefined })
})

test('a receiver that does not answer is abandoned at the deadline, and a closed port is reported', async () => {
  answers['/silent'] = () => undefined
  await expect(open().post(url('/silent'), { ...letter, wallMs: 100 })).rejects.toMatchObject({
    kind: 'timeout',
    code: 'url_timeout',
    message: expect.not.stringContaining('/silent'),
  })
  await expect(undiciEgress({ isAllowed: () => true }).post('http://127.0.0.1:1/', letter)).rejects.toMatchObject({
    kind: 'upstream',
    code: 'url_unreachable',
  })
})

test("the caller's signal ends a post with the caller's reason", async () => {
  const stops = new Error('the worker stops')
  await expect(open().post(url('/in'), { ...letter, signal: AbortSignal.abort(stops) })).rejects.toBe(stops)
  const during = new AbortController()
  answers['/held'] = () => during.abort(stops)
  await expect(open().post(url('/held'), { ...letter, signal: during.signal })).rejects.toBe(stops)
})

test('concurrent lookups of one name are shared, and later ones are new', async () => {
  const looks: ((addresses: string[]) => void)[] = []
  const resolve = shareLookups(() => new Promise((found) => looks.push(found)))
  const first = [resolve('slow.example'), resolve('slow.example'), resolve('other.example')]
  expect(looks.length).toBe(2)
  for (const found of looks) found(['127.0.0.1'])
  expect(await Promise.all(first)).toEqual([['127.0.0.1'], ['127.0.0.1'], ['127.0.0.1']])
  const again = resolve('slow.example')
  looks.at(-1)?.(['10.0.0.1'])
  expect([looks.length, await again]).toEqual([3, ['10.0.0.1']])
  const failing = shareLookups(async () => Promise.reject(new Error('no such name')))
  await expect(failing('absent.example')).rejects.toThrow('no such name')
})
