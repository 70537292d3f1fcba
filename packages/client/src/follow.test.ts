import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { followExecution, waitForExecution } from './follow.ts'
import { type Http, makeHttp } from './http.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const minuteMs = 60_000
const event = (id: string, status: string) => `id: ${id}\nevent: status\ndata: ${JSON.stringify({ status })}\n\n`

const refuse = (): Response => {
  throw new TypeError('fetch failed', { cause: { code: 'ECONNREFUSED' } })
}

/**
 * A server that sends an event, goes away for a while, and then sends the rest; `asked` are the events after which it was asked, `away`: how
 * often it was asked meanwhile.
 */
function restartingServer(awayMs: number, absent = refuse) {
  const asked: (string | null)[] = []
  const away = { tries: 0 }
  let backAt = Number.NaN
  const reply = async (input: unknown, init?: RequestInit) => {
    if (performance.now() < backAt) {
      away.tries += 1
      return absent()
    }
    if (!String(input).endsWith('/events')) return Response.json({ status: backAt ? 'completed' : 'processing' })
    asked.push(new Headers(init?.headers).get('Last-Event-ID'))
    if (backAt) return new Response(event('2', 'completed'))
    backAt = performance.now() + awayMs
    return new Response(event('1', 'processing'))
  }
  return { http: makeHttp({ url: 'http://127.0.0.1:1', fetch: reply as typeof fetch }), asked, away }
}

async function idsOf(http: Http): Promise<string[]> {
  const ids: string[] = []
  for await (const { id } of followExecution(http, 'x')) ids.push(id)
  return ids
}

test('a stream goes on after the server was away for minutes', async () => {
  const { http, asked } = restartingServer(4 * minuteMs)
  const events = idsOf(http)
  await vi.advanceTimersByTimeAsync(5 * minuteMs)
  expect(await events).toEqual(['1', '2'])
  expect(asked).toEqual([null, '1'])
})

test('a wait goes on, too', async () => {
  const waiting = waitForExecution(restartingServer(4 * minuteMs).http, 'x')
  await vi.advanceTimersByTimeAsync(5 * minuteMs)
  expect(await waiting).toMatchObject({ status: 'completed' })
})

test('a server that stays away ends the stream, and one that was never there ends it at once', async () => {
  const events = idsOf(restartingServer(10 * minuteMs).http).catch((error: unknown) => error)
  await vi.advanceTimersByTimeAsync(6 * minuteMs)
  expect(await events).toMatchObject({ status: 0, code: 'ECONNREFUSED' })
  const waiting = waitForExecution(restartingServer(10 * minuteMs).http, 'x').catch((error: unknown) => error)
  await vi.advanceTimersByTimeAsync(6 * minuteMs)
  expect(await waiting).toMatchObject({ status: 0, code: 'ECONNREFUSED' })
  const never = followExecution(makeHttp({ url: 'http://127.0.0.1:1', fetch: async () => refuse() }), 'x')
    .next()
    .catch((error: unknown) => error)
  await vi.advanceTimersByTimeAsync(10_000)
  expect(await never).toMatchObject({ code: 'ECONNREFUSED' })
})

test('a server that is away and asks for no pause is not asked without end', async () => {
  const { http, away } = restartingServer(
    4 * minuteMs,
    () => new Response('', { status: 503, headers: { 'Retry-After': '0' } }),
  )
  const events = idsOf(http)
  await vi.advanceTimersByTimeAsync(5 * minuteMs)
  expect(await events).toEqual(['1', '2'])
  expect(away.tries).toBeLessThan(50)
})
