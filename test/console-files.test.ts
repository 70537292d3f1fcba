import { glob } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { systemClock } from '../packages/core/src/clock.ts'
import { makeRateLimit, ownCounts } from '../packages/server/src/adapters/http/rate.ts'
import { serveHttp } from '../packages/server/src/adapters/http/serve.ts'
import { silentLog } from '../packages/server/src/core/log.ts'
import { consoleRoutes } from '../packages/server/src/features/console/routes.ts'
import { ensureConsole } from '../scripts/console.mjs'
import { invoiceLines, invoiceSchema, makePdf } from './support/documents.ts'
import { noDatabase } from './support/no-database.ts'
import { openTestService, type TestService } from './support/service.ts'

/** The limit for scripts of the first load, compressed. */
const scriptBytesMax = 60_000

let service: TestService
beforeAll(async () => {
  ensureConsole()
  service = await openTestService()
})
afterAll(() => service[Symbol.asyncDispose]())

const get = (path: string, headers: Record<string, string> = {}) => fetch(service.url + path, { headers })

describe('the files of the console', () => {
  test('the first load is one page, one script and one style sheet, under a policy that allows nothing else', async () => {
    const page = await get('/')
    expect(page.status).toBe(200)
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8')
    const policy = page.headers.get('content-security-policy') ?? ''
    expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self'")
    expect(policy).not.toMatch(/unsafe|data:/)
    expect(page.headers.get('x-content-type-options')).toBe('nosniff')
    expect(page.headers.get('referrer-policy')).toBe('no-referrer')
    const html = await page.text()
    expect(html).not.toMatch(/<style|style=|<script(?![^>]* src=)| on\w+=/)
    const scripts = [...html.matchAll(/<script[^>]* src="([^"]+)"/g)].map((match) => match[1] ?? '')
    expect(scripts).toHaveLength(1)
    const script = await get(scripts[0] ?? '', { 'accept-encoding': 'gzip' })
    expect(script.headers.get('content-type')).toBe('text/javascript; charset=utf-8')
    expect(script.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
    expect(script.headers.get('content-encoding')).toBe('gzip')
    expect(Number(script.headers.get('content-length'))).toBeLessThan(scriptBytesMax)
    // Only a development build names its source files.
    expect(await script.text()).not.toContain('packages/console/src/')
  })

  test('every screen is the same page, and other paths are not', async () => {
    const home = await (await get('/')).text()
    for (const path of [
      '/executions',
      '/executions/01a1fee8-057f-77f1-abb4-cae2afb5fcbf',
      '/files',
      '/keys',
      '/health',
    ])
      expect(await (await get(path)).text()).toBe(home)
    for (const path of ['/no-such-screen', '/assets/no-such.js', '/assets/..%2f..%2fpackage.json', '/v1/nothing'])
      expect([path, (await get(path)).status]).toEqual([path, 404])
  })

  test('a browser that has the current file gets a 304', async () => {
    const { headers } = await get('/')
    const again = await get('/', { 'if-none-match': headers.get('etag') ?? '' })
    expect([again.status, await again.text()]).toEqual([304, ''])
  })

  /** A server of pages alone, where nothing is built. */
  const openUnbuilt = (documents: string) =>
    serveHttp(
      {
        db: noDatabase,
        routes: consoleRoutes({ folder: '/no/such/folder', documentation: '/no/such/folder', documents }),
        authenticate: async () => undefined,
        rate: makeRateLimit({ clock: systemClock, counts: ownCounts() }, { name: 'rate', perMinute: 1_000 }),
        badKeys: makeRateLimit({ clock: systemClock, counts: ownCounts() }, { name: 'badKeys', perMinute: 1_000 }),
        log: silentLog,
      },
      { host: '127.0.0.1', port: 0 },
    )

  test('a checkout whose documentation is not built shows its documents as they are, with links between them', async () => {
    const folder = join(import.meta.dirname, '..', 'docs')
    const server = await openUnbuilt(folder)
    const home = await fetch(`${server.url}/docs`)
    expect([home.status, home.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
    const seen = new Set(['/docs'])
    const left = [await home.text()]
    for (const html of left)
      for (const [, path = ''] of html.matchAll(/href="([^"]+)"/g)) {
        if (seen.has(path) || path === '/docs/api') continue
        seen.add(path)
        const page = await fetch(server.url + path)
        expect([path, page.status]).toEqual([path, 200])
        left.push(await page.text())
      }
    for await (const name of glob('**/*.md', { cwd: folder })) expect([...seen]).toContain(`/docs/${name}`)
    const errors = await (await fetch(`${server.url}/docs/ERRORS.md`)).text()
    expect(errors).toContain('<a href="/docs/guides/operations.md">make a support bundle</a>')
    expect(errors).not.toContain('<key>')
    expect((await fetch(`${server.url}/docs/..%2fpackage.json`)).status).toBe(404)
    await server.close(AbortSignal.abort())
  })

  test('where neither console nor documents are, the server says so', async () => {
    const server = await openUnbuilt('/no/such/folder')
    const reply = await fetch(server.url)
    expect([reply.status, reply.headers.get('content-type')]).toEqual([503, 'text/plain; charset=utf-8'])
    for (const path of ['/docs', '/docs/errors']) {
      const missing = await fetch(server.url + path)
      expect([missing.status, await missing.text()]).toEqual([503, expect.stringContaining('no documentation here')])
    }
    expect(await reply.text()).toContain('npm run console')
    await server.close(AbortSignal.abort())
  })

  test("the OpenAPI document does not list the console's pages", async () => {
    const { json } = await service.call('GET', '/openapi.json')
    expect(
      Object.keys(json.paths).filter(
        (path) => !/^\/(v1\/|anthropic\/|mcp$|\.well-known\/|healthz|metrics|readyz|openapi)/.test(path),
      ),
    ).toEqual([])
    expect(Object.keys(json.paths)).toContain('/v1/files/{id}/pages/{page}')
  })
})

describe('a drawn page of a file', () => {
  test('is a PNG for keys that may read the file, and is not sent again when unchanged', async () => {
    const { id } = await service.upload(await makePdf([invoiceLines]), 'invoice.pdf')
    const key = { Authorization: `Bearer ${service.key}` }
    const page = await get(`/v1/files/${id}/pages/0?width=300`, key)
    const bytes = Buffer.from(await page.arrayBuffer())
    expect([page.status, page.headers.get('content-type'), bytes.subarray(1, 4).toString()]).toEqual([
      200,
      'image/png',
      'PNG',
    ])
    expect(bytes.readUInt32BE(16)).toBe(300)
    const again = await get(`/v1/files/${id}/pages/0?width=300`, {
      ...key,
      'if-none-match': page.headers.get('etag') ?? '',
    })
    expect(again.status).toBe(304)
    const stranger = await service.call('GET', `/v1/files/${id}/pages/0`, { key: await service.stranger() })
    expect(stranger.status).toBe(404)
    expect((await service.call('GET', `/v1/files/${id}/pages/0`, { key: null })).status).toBe(401)
  })

  test.each([
    ['/pages/1', 422, 'page'],
    ['/pages/-1', 422, 'page'],
    ['/pages/x', 422, 'page'],
    ['/pages/0?width=2001', 422, 'width'],
  ])('%s of a file with one page is refused with %i', async (path, status, place) => {
    const { id } = await service.upload(await makePdf([invoiceLines]), 'invoice.pdf')
    const reply = await service.call('GET', `/v1/files/${id}${path}`)
    expect([reply.status, reply.json.detail[0].loc.at(-1)]).toEqual([status, place])
  })

  test('does not exist for a text, and the reply says so', async () => {
    const { id } = await service.upload(Buffer.from('Total: 5.00'), 'note.txt')
    const reply = await service.call('GET', `/v1/files/${id}/pages/0`)
    expect(reply.status).toBe(400)
    expect(reply.json.detail).toContain('has no page to draw')
  })
})

describe('the request of an execution', () => {
  test('runs the same again when it is sent as a body', async () => {
    const { id } = await service.upload(await makePdf([invoiceLines]), 'invoice.pdf')
    const item = { type: 'input_file', file_id: id }
    const body = {
      batch: false,
      inputs: { papers: [item, { type: 'text', text: 'Total:\n5.00' }], note: 'Remarks:\nnone', limit: 3 },
      config: {
        prompt: 'Extract the fields of this invoice',
        json_schema: invoiceSchema,
        service_tier: 'flex',
        page_indices: [0],
      },
      metadata: { session_id: 's' },
    }
    const first = await service.execute(body)
    const asked = (await service.call('GET', `/v1/agent/executions/${first.id}/request`)).json
    expect(asked).toMatchObject({ name: first.name, inputs: body.inputs, config: body.config })
    const second = await service.execute(asked)
    expect(second).toMatchObject({ name: first.name, status: first.status, response: first.response })
    expect((await service.call('GET', `/v1/agent/executions/${second.id}/request`)).json).toEqual(asked)
    const key = await service.stranger()
    expect((await service.call('GET', `/v1/agent/executions/${first.id}/request`, { key })).status).toBe(404)
  })
})
