import { createHash, randomBytes } from 'node:crypto'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { request as httpRequest, type IncomingMessage } from 'node:http'
import { connect as connectSocket } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { makeDatabase, type TestDatabase } from '../../../test/house/database.ts'
import { newId } from '../../kit/ids.ts'
import { silentLog } from '../../kit/log.ts'
import { openDiskBlobs } from '../../seams/blobs/disk/disk.ts'
import { makeRateLimit } from '../../seams/http/rate.ts'
import { type HttpServer, serveHttp } from '../../seams/http/serve.ts'
import { findPublicFile } from './files.ts'
import { fileRoutes } from './routes.ts'

const fileBytesMax = 300_000_000
const signingSecret = randomBytes(32)
let now = new Date('2026-11-21T12:00:00.000Z')
const clock = { now: () => now, monotonicMs: () => now.getTime() }

let database: TestDatabase
let server: HttpServer
let blobFolder = ''
const workspaces: Record<string, string> = {}
/** What the server logged as mistakes of its own. */
const bugs: object[] = []

beforeAll(async () => {
  database = await makeDatabase()
  blobFolder = await mkdtemp(path.join(tmpdir(), 'skillrun-files-'))
  for (const name of ['first', 'second', 'reader']) {
    workspaces[name] = newId(now)
    await database.db.query('insert into workspaces (id, name, created_at) values ($1, $2, $3)', [
      workspaces[name],
      name,
      now,
    ])
  }
  const blobs = await openDiskBlobs({ clock }, blobFolder)
  server = await serveHttp(
    {
      routes: fileRoutes({ db: database.db, blobs, clock, signingSecret, fileBytesMax }),
      // The key is the name of its workspace; that of `reader` may not write.
      authenticate: async (key) => {
        const workspaceId = workspaces[key]
        const scopes = key === 'reader' ? ['read'] : ['read', 'files:write']
        return workspaceId === undefined ? undefined : { workspaceId, keyId: key, scopes }
      },
      rate: makeRateLimit({ clock }, 10_000),
      log: { ...silentLog, error: (fields) => bugs.push(fields) },
    },
    { host: '127.0.0.1', port: 0 },
  )
})

afterAll(async () => {
  await server?.close(AbortSignal.abort())
  await database?.[Symbol.asyncDispose]()
  await rm(blobFolder, { recursive: true, force: true })
})

afterEach(() => {
  expect(bugs.splice(0)).toEqual([])
})

interface WireFile {
  id: string
  filename: string
  bytes: number
  purpose: string
  created_at: string
  object: string
  public_url: string | null
  sha256: string
  content_type: string
}

const boundary = '----boundary'
const multipart = { 'content-type': `multipart/form-data; boundary=${boundary}` }
const part = (disposition: string, bytes: Buffer | string = '', headers = '') =>
  Buffer.concat([
    Buffer.from(`--${boundary}\r\nContent-Disposition: form-data; ${disposition}\r\n${headers}\r\n`),
    Buffer.from(bytes),
    Buffer.from('\r\n'),
  ])
const end = Buffer.from(`--${boundary}--\r\n`)
const binary = 'Content-Type: application/octet-stream\r\n'

async function call(
  method: string,
  target: string,
  more: { key?: string | undefined; headers?: Record<string, string>; body?: Buffer } = {},
) {
  const key = 'key' in more ? more.key : 'first'
  const headers = { ...(key ? { authorization: `Bearer ${key}` } : {}), ...more.headers }
  const reply = await fetch(target.startsWith('http') ? target : server.url + target, {
    method,
    headers,
    ...(more.body ? { body: new Uint8Array(more.body) } : {}),
  })
  const bytes = Buffer.from(await reply.arrayBuffer())
  const isJson = reply.headers.get('content-type') === 'application/json' && !target.includes('/content')
  return {
    status: reply.status,
    headers: reply.headers,
    bytes,
    json: isJson ? JSON.parse(bytes.toString()) : undefined,
  }
}

async function upload(
  filename: string,
  content: Buffer | string,
  more: { key?: string; query?: string } = {},
): Promise<WireFile> {
  const body = Buffer.concat([part(`name="file"; filename="${filename}"`, content), end])
  const reply = await call('POST', `/v1/files${more.query ?? ''}`, {
    headers: multipart,
    body,
    key: more.key ?? 'first',
  })
  expect(reply.status).toBe(201)
  return reply.json
}

async function storedFiles(): Promise<string[]> {
  const found = await readdir(blobFolder, { recursive: true, withFileTypes: true })
  return found.filter((entry) => entry.isFile()).map((entry) => entry.name)
}

const sha256Of = (bytes: Buffer | string) => createHash('sha256').update(bytes).digest('hex')
const md5Of = (bytes: Buffer | string) => createHash('md5').update(bytes).digest('hex')

test('an uploaded file is answered with 201, found by id and hash, listed, and read back byte for byte', async () => {
  const content = randomBytes(100_000)
  const file = await upload('scan.bin', content)
  expect(file).toEqual({
    id: expect.stringMatching(/^[0-9a-f-]{36}$/),
    filename: 'scan.bin',
    bytes: 100_000,
    purpose: 'assistants',
    created_at: '2026-11-21T12:00:00.000Z',
    object: 'file',
    public_url: expect.stringContaining(`${server.url}/v1/public/files/`),
    sha256: sha256Of(content),
    content_type: 'application/octet-stream',
  })
  expect((await call('GET', `/v1/files/${file.id}`)).json).toEqual(file)
  expect((await call('GET', `/v1/files/${file.id.toUpperCase()}`)).json).toEqual(file)
  expect((await call('GET', `/v1/files/hash/${md5Of(content)}`)).json).toEqual(file)
  expect((await call('GET', '/v1/files?limit=1')).json).toEqual([file])
  const read = await call('GET', `/v1/files/${file.id}/content`)
  expect(read.status).toBe(200)
  expect(read.bytes.equals(content)).toBe(true)
})

test('the purpose and the wish for a public URL are read from the query, in every spelling that clients use', async () => {
  const file = await upload('a.txt', 'a', { query: '?purpose=fine-tune&generate_public_url=False&unknown=1' })
  expect(file).toMatchObject({ purpose: 'fine-tune', public_url: null })
  for (const [spelling, wanted] of [
    ['true', true],
    ['True', true],
    ['1', true],
    ['false', false],
    ['0', false],
  ] as const) {
    const { json } = await call('GET', `/v1/files/${file.id}?generate_public_url=${spelling}`)
    expect(json.public_url !== null, spelling).toBe(wanted)
  }
  const wrong = await call('POST', '/v1/files?purpose=party', {
    headers: multipart,
    body: Buffer.concat([part('name="file"; filename="a"', 'a'), end]),
  })
  expect(wrong.status).toBe(422)
  expect(wrong.json.detail[0]).toMatchObject({ loc: ['query', 'purpose'], type: 'enum', input: 'party' })
  expect((await call('GET', `/v1/files/${file.id}?generate_public_url=maybe`)).json.detail[0]).toMatchObject({
    loc: ['query', 'generate_public_url'],
    input: 'maybe',
  })
})

test('files are listed newest first, in pages, and never those of another workspace', async () => {
  const ids: string[] = []
  for (const name of ['1', '2', '3']) {
    now = new Date(now.getTime() + 1000)
    ids.unshift((await upload(name, name, { key: 'second' })).id)
  }
  const idsOf = async (query: string) =>
    (await call('GET', `/v1/files${query}`, { key: 'second' })).json.map((file: WireFile) => file.id)
  expect(await idsOf('')).toEqual(ids)
  expect(await idsOf('?skip=1&limit=1')).toEqual([ids[1]])
  expect(await idsOf('?skip=3')).toEqual([])
  for (const query of ['limit=0', 'limit=1001', 'skip=-1', 'limit=x', 'skip=1.5']) {
    const refused = await call('GET', `/v1/files?${query}`)
    expect(refused.status, query).toBe(422)
    expect(refused.json.detail[0].loc).toEqual(['query', query.split('=')[0]])
  }
})

test("another workspace's file, a deleted file, an unknown id and text that is no id answer alike", async () => {
  const theirs = await upload('secret.txt', 'secret', { key: 'second' })
  const gone = await upload('gone.txt', 'gone')
  await call('DELETE', `/v1/files/${gone.id}`)
  const answers = new Set<string>()
  for (const id of [theirs.id, gone.id, newId(now), 'no-id', '%00', "' or 1=1 --", 'x'.repeat(3000)]) {
    const named = encodeURIComponent(id).replace('%2500', '%00')
    for (const [method, target] of [
      ['GET', named],
      ['GET', `${named}/content`],
      ['DELETE', named],
      ['GET', `hash/${named}`],
    ] as const) {
      const reply = await call(method, `/v1/files/${target}`)
      expect(reply.status, `${method} ${target}`).toBe(404)
      answers.add(reply.bytes.toString())
    }
  }
  expect((await call('GET', `/v1/files/hash/${md5Of('secret')}`)).status).toBe(404)
  expect(answers).toEqual(new Set(['{"detail":"There is no file of this id in this workspace"}']))
  expect((await call('GET', `/v1/files/${theirs.id}`, { key: 'second' })).status).toBe(200)
})

test('no key, a wrong key and a key without the scope are refused before a byte is kept', async () => {
  const before = await storedFiles()
  const body = Buffer.concat([part('name="file"; filename="a"', randomBytes(1000)), end])
  expect((await call('POST', '/v1/files', { key: undefined, headers: multipart, body })).status).toBe(401)
  expect((await call('POST', '/v1/files', { key: 'wrong', headers: multipart, body })).status).toBe(401)
  expect((await call('POST', '/v1/files', { key: 'reader', headers: multipart, body })).status).toBe(403)
  expect((await call('GET', '/v1/files', { key: 'reader' })).json).toEqual([])
  expect(await storedFiles()).toEqual(before)
})

test('names keep every letter and lose paths and control characters', async () => {
  const names: readonly (readonly [sent: string, kept: string])[] = [
    ['Rechnung März – 請求書 🧾.pdf', 'Rechnung März – 請求書 🧾.pdf'],
    ['../../etc/passwd', 'passwd'],
    ['C:\\\\Users\\\\me\\\\doc.pdf', 'doc.pdf'],
    ['/absolute/x', 'x'],
    ['a\\"quote.pdf', 'a"quote.pdf'],
    ['a%22quote.pdf', 'a"quote.pdf'],
    ['a%0D%0ASet-Cookie: x.pdf', 'a__Set-Cookie: x.pdf'],
    ['tab\there.txt', 'tab_here.txt'],
    ['..', 'file'],
    ['.', 'file'],
    ['dir/', 'file'],
    ['.env', '.env'],
    ["'; drop table files; --", "'; drop table files; --"],
    ['x'.repeat(255), 'x'.repeat(255)],
  ]
  for (const [sent, kept] of names) {
    const file = await upload(sent, 'content')
    expect(file.filename, sent).toBe(kept)
    const disposition = (await call('GET', `/v1/files/${file.id}/content`)).headers.get('content-disposition') ?? ''
    const [, encoded = ''] = /filename\*=UTF-8''(\S+)$/.exec(disposition) ?? []
    expect(decodeURIComponent(encoded)).toBe(kept)
    expect(disposition).toMatch(/^attachment; filename="[\x20-\x7e]*"; filename\*=UTF-8''[\w.~!#$&+^`|%-]+$/)
  }
  const encoded = Buffer.concat([part(`name="file"; filename="plain.txt"; filename*=UTF-8''%E2%82%AC.txt`, 'x'), end])
  expect((await call('POST', '/v1/files', { headers: multipart, body: encoded })).json.filename).toBe('€.txt')
})

test('the type shown is that of the bytes, else that of the name, else that of the part', async () => {
  const png = Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
    'base64',
  )
  const typeOf = async (name: string, content: Buffer | string, header = '') => {
    const body = Buffer.concat([part(`name="file"; filename="${name}"`, content, header), end])
    return (await call('POST', '/v1/files', { headers: multipart, body })).json.content_type
  }
  expect(await typeOf('wrong.pdf', png)).toBe('image/png')
  expect(await typeOf('table.csv', 'a,b\n1,2\n')).toBe('text/csv')
  expect(await typeOf('plain', 'words')).toBe('text/plain')
  expect(await typeOf('plain', Buffer.from([0, 1, 2]), 'Content-Type: application/x-own\r\n')).toBe('application/x-own')
  expect(await typeOf('plain', Buffer.from([0, 1, 2]))).toBe('application/octet-stream')
  expect(await typeOf('text.png', 'words')).toBe('text/plain')
})

test('a file of no bytes is a file', async () => {
  const file = await upload('empty.txt', '')
  expect(file).toMatchObject({ bytes: 0, sha256: sha256Of(''), content_type: 'text/plain' })
  const read = await call('GET', `/v1/files/${file.id}/content`)
  expect([read.status, read.headers.get('content-length'), read.bytes.length]).toEqual([200, '0', 0])
  expect((await call('GET', `/v1/files/${file.id}/content`, { headers: { range: 'bytes=0-' } })).status).toBe(416)
})

test('a body that is not one whole file part is refused with its place and reason, and nothing of it is kept', async () => {
  const before = await storedFiles()
  const file = part('name="file"; filename="a.bin"', randomBytes(200_000))
  const fields = Array.from({ length: 21 }, (_, at) => part(`name="field${at}"`, 'x'))
  const form = (...parts: Buffer[]) => ({ headers: multipart, body: Buffer.concat(parts) })
  const inBody = { loc: ['body', 'file'] }
  const inName = { loc: ['body', 'file', 'filename'] }
  const inHeader = { loc: ['header', 'content-type'], type: 'content_type' }
  const cases: readonly { is: string; sent: { headers: Record<string, string>; body: Buffer }; detail: object }[] = [
    { is: 'no parts', sent: form(end), detail: { ...inBody, type: 'missing' } },
    { is: 'no body', sent: form(), detail: { ...inBody, type: 'multipart_invalid' } },
    { is: 'another part', sent: form(part('name="b"; filename="a"'), end), detail: { ...inBody, type: 'missing' } },
    { is: 'two files', sent: form(file, file, end), detail: { ...inBody, type: 'too_many_files' } },
    { is: 'a field', sent: form(part('name="file"', 'x'), end), detail: { ...inBody, type: 'file_type' } },
    {
      is: 'no file chosen',
      sent: form(part('name="file"; filename=""', '', binary), end),
      detail: { ...inBody, type: 'file_type' },
    },
    { is: 'a cut file', sent: form(file.subarray(0, 100_000)), detail: { ...inBody, type: 'multipart_invalid' } },
    { is: 'no closing boundary', sent: form(file), detail: { ...inBody, type: 'multipart_invalid' } },
    {
      is: 'a bad part header',
      sent: form(Buffer.from(`--${boundary}\r\n\u0001\r\n\r\n`), end),
      detail: { ...inBody, type: 'multipart_invalid' },
    },
    { is: 'too many parts', sent: form(...fields, file, end), detail: { ...inBody, type: 'multipart_invalid' } },
    {
      is: 'NUL in the name',
      sent: form(part('name="file"; filename*=UTF-8\'\'a%00b'), end),
      detail: { ...inName, type: 'string_nul' },
    },
    {
      is: 'a long name',
      sent: form(part(`name="file"; filename="${'x'.repeat(256)}"`), end),
      detail: { ...inName, type: 'string_too_long' },
    },
    {
      is: 'JSON',
      sent: { headers: { 'content-type': 'application/json' }, body: Buffer.from('{}') },
      detail: inHeader,
    },
    { is: 'no content type', sent: { headers: { 'content-type': '' }, body: file }, detail: inHeader },
    { is: 'no boundary', sent: { headers: { 'content-type': 'multipart/form-data' }, body: file }, detail: inHeader },
  ]
  for (const { is, sent, detail } of cases) {
    const reply = await call('POST', '/v1/files', sent)
    expect(reply.status, is).toBe(422)
    expect(reply.json.detail, is).toEqual([expect.objectContaining({ ...detail, msg: expect.any(String) })])
  }
  expect(await storedFiles()).toEqual(before)
  expect((await upload('after.bin', 'the server goes on')).bytes).toBe(18)
})

test('other parts around the file are passed over', async () => {
  const body = Buffer.concat([
    part('name="purpose"', 'vision'),
    part('name="file"; filename="a.txt"', 'content'),
    part('name="thumb"; filename="t"', randomBytes(100_000)),
    end,
  ])
  const reply = await call('POST', '/v1/files', { headers: multipart, body })
  expect(reply.json).toMatchObject({ filename: 'a.txt', bytes: 7 })
})

test('a file that is too large is answered with 413, whether it says its length or not, and nothing is kept', async () => {
  const before = await storedFiles()
  const said = await rawUpload({ bytes: fileBytesMax * 2, sayLength: true })
  expect(said.statusCode).toBe(413)
  const unsaid = await rawUpload({ bytes: fileBytesMax + 1, sayLength: false })
  expect(unsaid.statusCode).toBe(413)
  expect(JSON.parse(await text(unsaid))).toEqual({
    detail: `The file is larger than the ${fileBytesMax} bytes that are allowed`,
  })
  expect(await storedFiles()).toEqual(before)
})

test('an upload of 200 MB is kept whole while the memory stays flat', async () => {
  const before = process.memoryUsage().rss
  let grown = 0
  const reply = await rawUpload({
    bytes: 200_000_000,
    sayLength: true,
    onChunk: () => {
      grown = Math.max(grown, process.memoryUsage().rss - before)
    },
  })
  const file = JSON.parse(await text(reply)) as WireFile
  expect(reply.statusCode).toBe(201)
  expect(file.bytes).toBe(200_000_000)
  expect(file.sha256).toBe(sha256Of(Buffer.alloc(200_000_000, 'x')))
  expect(grown).toBeLessThan(100_000_000)
  await call('DELETE', `/v1/files/${file.id}`)
})

test('a client that goes away in the middle leaves nothing in the store', async () => {
  const before = await storedFiles()
  const { hostname, port } = new URL(server.url)
  const socket = connectSocket(Number(port), hostname)
  const head = `POST /v1/files HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer first\r\nContent-Type: ${multipart['content-type']}\r\nContent-Length: 1000000\r\n\r\n`
  socket.write(Buffer.concat([Buffer.from(head), part('name="file"; filename="cut.bin"', randomBytes(500_000))]))
  await until(async () => (await storedFiles()).length > before.length)
  socket.destroy()
  await until(async () => (await storedFiles()).length === before.length)
  expect(await storedFiles()).toEqual(before)
})

test('a deleted file is answered once more and its bytes go with the last file that has them', async () => {
  const content = randomBytes(5000)
  const name = sha256Of(content)
  const mine = await upload('a.bin', content)
  const again = await upload('b.bin', content)
  const theirs = await upload('c.bin', content, { key: 'second' })
  expect((await storedFiles()).filter((file) => file === name)).toHaveLength(1)
  const deleted = await call('DELETE', `/v1/files/${mine.id}`, { headers: { 'content-type': 'application/json' } })
  expect([deleted.status, deleted.json]).toEqual([200, { ...mine, public_url: null }])
  expect((await call('DELETE', `/v1/files/${mine.id}`)).status).toBe(404)
  await call('DELETE', `/v1/files/${again.id}`)
  expect((await call('GET', `/v1/files/${theirs.id}/content`, { key: 'second' })).bytes.equals(content)).toBe(true)
  await call('DELETE', `/v1/files/${theirs.id}`, { key: 'second' })
  expect(await storedFiles()).not.toContain(name)
})

test('uploading and deleting the same content at once never leaves a file without its bytes', async () => {
  const content = randomBytes(2000)
  const body = Buffer.concat([part('name="file"; filename="a"', content), end])
  for (let round = 0; round < 10; round++) {
    const first = await upload('a', content)
    const [, second] = await Promise.all([
      call('DELETE', `/v1/files/${first.id}`),
      call('POST', '/v1/files', { headers: multipart, body }),
    ])
    expect([201, 503]).toContain(second.status)
    if (second.status !== 201) continue
    expect((await call('GET', `/v1/files/${second.json.id}/content`)).bytes.equals(content)).toBe(true)
    await call('DELETE', `/v1/files/${second.json.id}`)
  }
})

test('content answers ranges, entity tags, and headers that keep a browser from running it', async () => {
  const content = randomBytes(1000)
  const { id, sha256 } = await upload('page.html', content)
  const get = (headers: Record<string, string>) => call('GET', `/v1/files/${id}/content`, { headers })
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

test('the public URL works without a key until it expires, for that file alone, and only as it was signed', async () => {
  const mine = await upload('a.txt', 'public words')
  const other = await upload('b.txt', 'other words')
  const url = new URL(mine.public_url ?? '')
  const read = await call('GET', url.href, { key: undefined })
  expect([read.status, read.bytes.toString()]).toEqual([200, 'public words'])
  const parts = { db: database.db, clock, signingSecret }
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
    bent((it) => it.searchParams.set('workspace', workspaces['second'] ?? '')),
    bent((it) => it.searchParams.set('workspace', 'no id')),
    bent((it) => it.searchParams.set('signature', `${it.searchParams.get('signature')?.slice(0, -1)}!`)),
    bent((it) => it.searchParams.set('signature', '')),
    bent((it) => {
      it.search = ''
    }),
  ]
  for (const href of wrong) {
    expect((await call('GET', href, { key: undefined })).status, href).toBe(404)
    expect(await findPublicFile(parts, href)).toBeUndefined()
  }
  const later = now
  now = new Date(later.getTime() + 7 * 24 * 60 * 60_000)
  expect((await call('GET', url.href, { key: undefined })).status).toBe(404)
  now = later
  await call('DELETE', `/v1/files/${mine.id}`)
  expect((await call('GET', url.href, { key: undefined })).status).toBe(404)
  expect(await findPublicFile(parts, 'not a url')).toBeUndefined()
})

test('header names go out capitalised and a JSON content type on a bodyless request is no error', async () => {
  const file = await upload('a.txt', 'a')
  const reply = await new Promise<IncomingMessage>((resolve, reject) => {
    httpRequest(
      `${server.url}/v1/files/${file.id}/content`,
      { headers: { authorization: 'Bearer first', 'content-type': 'application/json' } },
      resolve,
    )
      .on('error', reject)
      .end()
  })
  expect(await text(reply)).toBe('a')
  expect(reply.rawHeaders).toEqual(
    expect.arrayContaining(['Content-Type', 'Content-Length', 'Content-Disposition', 'X-Request-Id', 'Accept-Ranges']),
  )
  expect((await call('GET', '/v1/files', { headers: { 'content-type': 'application/json' } })).status).toBe(200)
  expect((await call('PUT', `/v1/files/${file.id}`)).status).toBe(405)
})

/** Uploads `bytes` times `x`, with backpressure, and stops when the reply comes. */
function rawUpload(upload: { bytes: number; sayLength: boolean; onChunk?: () => void }): Promise<IncomingMessage> {
  const head = Buffer.from(`--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="large.bin"\r\n\r\n`)
  const tail = Buffer.concat([Buffer.from('\r\n'), end])
  const length: Record<string, string> = upload.sayLength
    ? { 'content-length': String(head.length + upload.bytes + tail.length) }
    : {}
  return new Promise((resolve, reject) => {
    const request = httpRequest(`${server.url}/v1/files`, {
      method: 'POST',
      headers: { ...multipart, ...length, authorization: 'Bearer first' },
    })
    const answered = new AbortController()
    request.once('response', (reply) => {
      answered.abort()
      resolve(reply)
    })
    request.on('error', (error) => {
      if (!answered.signal.aborted) reject(error)
    })
    const chunk = Buffer.alloc(64 * 1024, 'x')
    const send = async () => {
      request.write(head)
      for (let left = upload.bytes; left > 0 && !answered.signal.aborted; left -= chunk.length) {
        upload.onChunk?.()
        if (!request.write(chunk.subarray(0, left)))
          await new Promise<void>((drained) => {
            request.once('drain', drained)
            answered.signal.addEventListener('abort', () => drained(), { once: true })
          })
      }
      if (!answered.signal.aborted) request.end(tail)
    }
    send().catch(reject)
  })
}

/** Looks again until it is so; the test's own time limit ends it otherwise. */
async function until(isSo: () => Promise<boolean>): Promise<void> {
  while (!(await isSo())) await new Promise((again) => setImmediate(again))
}
