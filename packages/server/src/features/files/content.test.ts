import { randomBytes } from 'node:crypto'
import { request as httpRequest } from 'node:http'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { useFilesService } from '../../../../../test/support/files.ts'
import { findPublicFile } from './files.ts'

const service = useFilesService()

test('content supports ranges, entity tags, and headers that keep a browser from running it', async () => {
  const content = randomBytes(1000)
  const { id, sha256 } = await service.upload('page.html', content)
  const get = (headers: Record<string, string>) => service.call('GET', `/v1/files/${id}/content`, { headers })
  const whole = await get({})
  expect(
    Object.fromEntries(
      [
        'etag',
        'accept-ranges',
        'content-type',
        'x-content-type-options',
        'content-security-policy',
        'content-length',
      ].map((name) => [name, whole.headers.get(name)]),
    ),
  ).toEqual({
    etag: `"${sha256}"`,
    'accept-ranges': 'bytes',
    'content-type': 'text/html',
    'x-content-type-options': 'nosniff',
    'content-security-policy': "default-src 'none'; sandbox",
    'content-length': '1000',
  })
  const part = await get({ range: 'bytes=10-19' })
  expect([part.status, part.headers.get('content-range'), part.headers.get('content-length')]).toEqual([
    206,
    'bytes 10-19/1000',
    '10',
  ])
  expect(part.bytes.equals(content.subarray(10, 20))).toBe(true)
  expect((await get({ range: 'bytes=-5' })).bytes.equals(content.subarray(995))).toBe(true)
  const outside = await get({ range: 'bytes=1000-' })
  expect([outside.status, outside.headers.get('content-range')]).toEqual([416, 'bytes */1000'])
  expect((await get({ range: 'bytes=0-1,5-6' })).status).toBe(200)
  expect((await get({ range: 'bytes=10-19', 'if-range': '"other"' })).status).toBe(200)
  expect((await get({ range: 'bytes=10-19', 'if-range': `"${sha256}"` })).status).toBe(206)
  const known = await get({ 'if-none-match': `W/"other", "${sha256}"` })
  expect([known.status, known.bytes.length, known.headers.get('etag')]).toEqual([304, 0, `"${sha256}"`])
  expect((await get({ 'if-none-match': '"other"' })).status).toBe(200)
})

test('the URLs in a reply lead to this server, whatever Host header the request had', async () => {
  const { hostname, port } = new URL(service.url)
  const { id } = await service.upload('a.txt', 'public words')
  const publicUrlFor = (headers: Record<string, string>) =>
    new Promise<string>((resolve, reject) => {
      const path = `/v1/files/${id}`
      const all = { authorization: 'Bearer first', ...headers }
      const request = httpRequest({ hostname, port, path, headers: all }, async (reply) =>
        resolve(JSON.parse(await text(reply)).public_url),
      )
      request.once('error', reject).end()
    })
  for (const host of ['evil.example', 'evil.example:8080', '[::2]', '127.0.0.1.evil.example', 'localhost.evil.example'])
    expect(await publicUrlFor({ host, 'x-forwarded-proto': 'https', 'x-forwarded-host': 'evil.example' })).toMatch(
      new RegExp(`^http://127\\.0\\.0\\.1:${port}/v1/public/`),
    )
  // Behind a mapped port.
  expect(await publicUrlFor({ host: 'localhost:9999' })).toMatch(/^http:\/\/localhost:9999\/v1\/public\//)
})

test('the public URL works without a key until it expires, for that file only, and only as signed', async () => {
  const mine = await service.upload('a.txt', 'public words')
  const other = await service.upload('b.txt', 'other words')
  const url = new URL(mine.public_url ?? '')
  const read = await service.call('GET', url.href, { key: undefined })
  expect([read.status, read.bytes.toString()]).toEqual([200, 'public words'])
  const parts = { db: service.db, clock: service.clock, signingSecret: service.signingSecret }
  expect((await findPublicFile(parts, url.href))?.id).toBe(mine.id)
  const bent = (change: (url: URL) => void) => {
    const copy = new URL(url)
    change(copy)
    return copy.href
  }
  const wrong = [
    bent((it) => {
      it.pathname = it.pathname.replace(mine.id, other.id)
    }),
    bent((it) => it.searchParams.set('expires', String(Number(it.searchParams.get('expires')) + 1))),
    bent((it) => it.searchParams.set('workspace', service.workspaceIds['second'] ?? '')),
    bent((it) => it.searchParams.set('workspace', 'no id')),
    bent((it) => it.searchParams.set('signature', `${it.searchParams.get('signature')?.slice(0, -1)}!`)),
    bent((it) => it.searchParams.set('signature', '')),
    bent((it) => {
      it.search = ''
    }),
  ]
  for (const href of wrong) {
    expect((await service.call('GET', href, { key: undefined })).status, href).toBe(404)
    expect(await findPublicFile(parts, href)).toBeUndefined()
  }
  const later = service.now
  service.now = new Date(later.getTime() + 7 * 24 * 60 * 60_000)
  expect((await service.call('GET', url.href, { key: undefined })).status).toBe(404)
  service.now = later
  await service.call('DELETE', `/v1/files/${mine.id}`)
  expect((await service.call('GET', url.href, { key: undefined })).status).toBe(404)
  expect(await findPublicFile(parts, 'not a url')).toBeUndefined()
})
