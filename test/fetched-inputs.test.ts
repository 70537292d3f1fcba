import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { systemClock } from '../packages/core/src/clock.ts'
import { parsePrivateTargets } from '../packages/server/src/adapters/egress/private-targets.ts'
import { undiciEgress } from '../packages/server/src/adapters/egress/undici/undici.ts'
import { createFetchCache } from '../packages/server/src/features/inputs/fetched.ts'
import { makeDatabase } from './support/database.ts'
import { openTestService, type TestService } from './support/service.ts'
import { temporaryFolder } from './support/temporary-folder.ts'
import { addWorkspace } from './support/workspace.ts'

const schema = { type: 'object', properties: { total: { type: ['number', 'null'] } } }

/** A server whose documents change on command; it counts requests, and complete responses. */
async function startSource() {
  const asked: string[] = []
  const whole: string[] = []
  let version = 1
  let held: { readonly path: string; readonly until: Promise<void> } | undefined
  const server = createServer(async (request, response) => {
    const path = request.url ?? ''
    asked.push(path)
    if (held?.path === path) await held.until
    const etag = `"v${version}"`
    const headers: Record<string, string> = { 'Content-Type': 'text/plain' }
    if (path === '/endless') {
      const megabyte = Buffer.alloc(1024 * 1024, 'x')
      const more = (): void => {
        while (!response.destroyed && response.write(megabyte));
      }
      response.on('drain', more).writeHead(200, headers)
      more()
      return
    }
    if (path === '/huge') {
      response.writeHead(200, { ...headers, 'Content-Length': String(400 * 1024 ** 3) }).write('x')
      return
    }
    if (path === '/gone' || path === '/private') {
      response.writeHead(path === '/gone' ? 404 : 302, { Location: 'http://10.0.0.1/' }).end()
      return
    }
    if (path === '/part' || path === '/whole') {
      const content = 'A bill\nTotal: 10.50\n'
      const range = `bytes 0-${content.length - 1}/${path === '/part' ? 1_000 : content.length}`
      response.writeHead(206, { ...headers, 'Content-Range': range }).end(content)
      return
    }
    if (path.startsWith('/polish')) {
      const type = path.endsWith('html') ? 'text/html' : 'text/plain'
      const prolog = type === 'text/html' ? '<!doctype html><p>' : ''
      const content = Buffer.from(`${prolog}Customer: Krak\xf3w \xa3\xf3d\xbc`, 'latin1')
      response.writeHead(200, { 'Content-Type': `${type}; Charset="ISO-8859-2"` }).end(content)
      return
    }
    if (path === '/claims.pdf') headers['Content-Type'] = 'application/pdf'
    if (path.startsWith('/etag')) headers['ETag'] = etag
    if (path.startsWith('/fresh')) headers['Cache-Control'] = 'public, max-age=600'
    if (path.startsWith('/never')) headers['Cache-Control'] = 'no-store'
    if (path.startsWith('/etag') && request.headers['if-none-match'] === etag) {
      response.writeHead(304, headers).end()
      return
    }
    whole.push(path)
    response.writeHead(200, headers).end(`A bill\nTotal: ${version * 10}.50\n`)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const port = (server.address() as AddressInfo).port
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    change: () => {
      version += 1
    },
    counts: (path: string) => [asked, whole].map((list) => list.filter((one) => one === path).length),
    /** Holds the next answers for `path` until the returned function is called. */
    hold: (path: string) => {
      const { promise: until, resolve } = Promise.withResolvers<void>()
      held = { path, until }
      return resolve
    },
    totalNow: () => version * 10 + 0.5,
    close: () => server.close(),
  }
}

describe('an input by its URL', () => {
  let service: TestService
  let source: Awaited<ReturnType<typeof startSource>>
  beforeAll(async () => {
    source = await startSource()
    service = await openTestService({ env: { SKILLRUN_ALLOW_PRIVATE: '127.0.0.1' } })
  })
  afterAll(async () => {
    await service[Symbol.asyncDispose]()
    source.close()
  })

  const totalOf = async (
    path: string,
    { config = {}, key, metadata }: { config?: object; key?: string; metadata?: object } = {},
  ) => {
    const body = {
      batch: false,
      inputs: { bill: { type: 'file_url', file_url: { url: `${source.url}${path}` } } },
      config: { json_schema: schema, ...config },
      ...(metadata ? { metadata } : {}),
    }
    const json = await service.execute(body, { key })
    expect(json.error).toBeNull()
    return json.response.total
  }

  test('is not sent again while its server says it is unchanged, and is otherwise', async () => {
    expect(await totalOf('/etag/1')).toBe(source.totalNow())
    expect(await totalOf('/etag/1')).toBe(source.totalNow())
    expect(source.counts('/etag/1')).toEqual([2, 1])
    source.change()
    expect(await totalOf('/etag/1')).toBe(source.totalNow())
    expect(source.counts('/etag/1')).toEqual([3, 2])
  })

  test('is not requested again while its freshness lasts', async () => {
    const before = await totalOf('/fresh/1')
    source.change()
    expect(await totalOf('/fresh/1')).toBe(before)
    expect(source.counts('/fresh/1')).toEqual([1, 1])
  })

  test('without freshness is fetched by each execution, unless caching was requested explicitly', async () => {
    await totalOf('/plain/1')
    source.change()
    expect(await totalOf('/plain/1')).toBe(source.totalNow())
    expect(source.counts('/plain/1')).toEqual([2, 2])
    const before = await totalOf('/plain/2', { config: { caching: true } })
    source.change()
    expect(await totalOf('/plain/2', { config: { caching: true } })).toBe(before)
    expect(source.counts('/plain/2')).toEqual([1, 1])
    for (const path of ['/never/1', '/never/1']) await totalOf(path, { config: { caching: true } })
    expect(source.counts('/never/1')).toEqual([2, 2])
  })

  test('is fetched again without caching, and without retention', async () => {
    for (const more of [{ config: { caching: false } }, { metadata: { allow_retention: false } }]) {
      const path = `/fresh/${JSON.stringify(more).length}`
      await totalOf(path, more)
      await totalOf(path, more)
      expect(source.counts(path)).toEqual([2, 2])
    }
  })

  test('of one workspace reveals nothing to another', async () => {
    await totalOf('/fresh/ours')
    await totalOf('/fresh/ours', { key: await service.stranger() })
    expect(source.counts('/fresh/ours')).toEqual([2, 2])
  })

  test.each([
    ['that is not there', () => `${source.url}/gone`, 'fetch_failed'],
    ['of which its server sends only a part', () => `${source.url}/part`, 'fetch_failed'],
    ['that never ends', () => `${source.url}/endless`, 'url_too_large'],
    ['that says it is huge', () => `${source.url}/huge`, 'url_too_large'],
    ['that leads into the private network', () => `${source.url}/private`, 'url_forbidden'],
    ['in the private network', () => 'http://10.0.0.1/', 'url_forbidden'],
    ['where nobody listens', () => 'http://127.0.0.1:9/', 'url_unreachable'],
    ['of no host', () => 'http://no-such-host.invalid/', 'url_unreachable'],
  ])('%s fails the execution in words, and the next one works', async (_what, url, code) => {
    const body = {
      batch: false,
      inputs: { bill: { type: 'file_url', file_url: { url: url() } } },
      config: { json_schema: schema },
    }
    const json = await service.execute(body)
    expect([json.status, json.error?.code]).toEqual(['failed', code])
    expect(json.error.message).toMatch(/^inputs\.bill: /)
    expect(await totalOf('/plain/after')).toBe(source.totalNow())
  })

  test('is read by its content, whatever type its server claims', async () => {
    expect(await totalOf('/claims.pdf')).toBe(source.totalNow())
  })

  test('that its server sends as one range is read when that range is all of it', async () => {
    expect(await totalOf('/whole')).toBe(10.5)
  })

  test.each(['/polish.html', '/polish'])('is decoded by the charset of its Content-Type: %s', async (path) => {
    const customer = { type: ['string', 'null'] }
    const json = await service.execute({
      inputs: { page: { type: 'file_url', file_url: { url: `${source.url}${path}` } } },
      config: { json_schema: { type: 'object', properties: { customer } } },
    })
    expect(json.response).toEqual({ customer: 'Kraków Łódź' })
  })

  test('with spaces is a URL, not a text', async () => {
    expect(await totalOf('/plain/a bill ')).toBe(source.totalNow())
    expect(source.counts('/plain/a%20bill')).toEqual([1, 1])
  })

  test('in two slots is fetched once', async () => {
    const url = { type: 'file_url', file_url: { url: `${source.url}/plain/twice` } }
    const json = await service.execute({ inputs: { one: url, two: url }, config: { json_schema: schema } })
    expect(json.error).toBeNull()
    expect(source.counts('/plain/twice')).toEqual([1, 1])
  })
})

test('an input that its server confirms is read, although it was too old to be kept meanwhile', async () => {
  const source = await startSource()
  let laterMs = 0
  const clock = { ...systemClock, now: () => new Date(Date.now() + laterMs) }
  await using service = await openTestService({ clock, env: { SKILLRUN_ALLOW_PRIVATE: '127.0.0.1' } })
  const totalOf = async (path: string) => {
    const inputs = { bill: { type: 'file_url', file_url: { url: `${source.url}${path}` } } }
    return (await service.execute({ inputs, config: { json_schema: schema } })).response?.total
  }
  expect(await totalOf('/etag/old')).toBe(source.totalNow())
  laterMs = 2 * 3_600_000
  const release = source.hold('/etag/old')
  const again = totalOf('/etag/old')
  await expect.poll(() => source.counts('/etag/old')).toEqual([2, 1])
  // The end of another input's use makes room.
  await totalOf('/plain/other')
  release()
  expect(await again).toBe(source.totalNow())
  expect(source.counts('/etag/old')).toEqual([2, 1])
  source.close()
})

test('an answer stays for an execution that took it while the one before let go of it', async () => {
  const source = await startSource()
  await using database = await makeDatabase()
  const { db } = database
  let laterMs = 0
  const clock = { ...systemClock, now: () => new Date(Date.now() + laterMs) }
  const egress = undiciEgress({ isAllowed: parsePrivateTargets('127.0.0.1') })
  const cache = createFetchCache({ db, egress, clock, folder: await temporaryFolder('fetched') })
  const { workspaceId } = await addWorkspace(db, clock.now())
  const read = (path: string, whileUsed = async () => {}) => {
    const { signal } = new AbortController()
    const wanted = { workspaceId, executionId: crypto.randomUUID(), url: source.url + path, signal }
    return cache.use({ ...wanted, reuse: 'checked' }, async (resolved) => {
      await whileUsed()
      return readFile(resolved.path, 'utf8')
    })
  }
  const lock = Promise.withResolvers<void>()
  let locked: Promise<void> | undefined
  const first = read('/etag/shared', async () => {
    await new Promise<void>((isLocked) => {
      locked = db.transaction(async (tx) => {
        await tx.query('select id from upload_reservations for update')
        isLocked()
        await lock.promise
      })
    })
  })
  const waiting = `select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
  await expect.poll(() => db.query(waiting)).toHaveLength(1)
  const release = source.hold('/etag/shared')
  const second = read('/etag/shared')
  await expect.poll(() => source.counts('/etag/shared')).toEqual([2, 1])
  laterMs = 2 * 3_600_000
  // The end of its use makes room.
  await read('/plain/other')
  lock.resolve()
  await locked
  const text = await first
  release()
  expect(await second).toBe(text)
  source.close()
})
