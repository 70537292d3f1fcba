import { spawnSync } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer, type RequestListener, type Server } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { buffer, text } from 'node:stream/consumers'
import { getCACertificates, setDefaultCACertificates, type TLSSocket } from 'node:tls'
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { parsePrivateTargets } from '../private-targets.ts'
import { undiciEgress } from './undici.ts'

const signal = new AbortController().signal
const roomy = { bytesMax: 1_000_000, wallMs: 30_000, signal }

/** Path → the local server's reply; also counts requests. */
const answers: Record<string, RequestListener> = {}
const asked: string[] = []
let server: Server
let port = 0

beforeAll(async () => {
  server = createServer((request, response) => {
    asked.push(`${request.headers.host}${request.url}`)
    const answer = answers[request.url ?? '']
    if (answer) answer(request, response)
    else response.writeHead(404).end('nothing here')
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  port = (server.address() as AddressInfo).port
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
})

/** An egress with the local server allowed. */
const open = (more: Parameters<typeof undiciEgress>[0] = {}) =>
  undiciEgress({ isAllowed: parsePrivateTargets(`127.0.0.1:${port}`), ...more })
const url = (path: string) => `http://127.0.0.1:${port}${path}`

test('a reply is returned completely, with its type and final URL', async () => {
  const content = Buffer.alloc(700_000, 'abc')
  answers['/file'] = (_, response) =>
    response.writeHead(200, { 'content-type': 'Application/PDF; charset=x' }).end(content)
  const fetched = await open().fetchPublic(`${url('/file')}#fragment`, roomy)
  expect([fetched.contentType, fetched.finalUrl]).toEqual(['application/pdf', url('/file')])
  expect((await buffer(fetched.stream)).equals(content)).toBe(true)
  answers['/untyped'] = (_, response) => response.end()
  const untyped = await open().fetchPublic(url('/untyped'), roomy)
  expect([untyped.contentType, await text(untyped.stream)]).toEqual([undefined, ''])
})

test('a host is reached by name when each of its addresses is public or allowed', async () => {
  answers['/named'] = (request, response) => response.end(request.headers.host)
  const named = open({ resolve: async () => ['127.0.0.1'] })
  const fetched = await named.fetchPublic(`http://files.example:${port}/named`, roomy)
  expect(await text(fetched.stream)).toBe(`files.example:${port}`)
})

test('the next address of a host is tried when one does not answer', async () => {
  answers['/second'] = (_, response) => response.end('reached')
  const isAllowed = parsePrivateTargets('127.0.0.0/8')
  const egress = undiciEgress({ isAllowed, resolve: async () => ['127.0.0.99', '127.0.0.1'] })
  expect(await text((await egress.fetchPublic(`http://files.example:${port}/second`, roomy)).stream)).toBe('reached')
})

const disguises = [
  'http://127.0.0.1/',
  'http://127.1/',
  'http://127.0.1/',
  'http://2130706433/',
  'http://0x7f000001/',
  'http://0x7f.1/',
  'http://017700000001/',
  'http://0177.0.0.1/',
  'http://0x7f.0x0.0x0.0x1/',
  'http://127.0.0.1./',
  'http://127.255.255.255/',
  'http://0/',
  'http://0.0.0.0/',
  'http://localhost/',
  'http://LOCALHOST/',
  'http://①②⑦.⓪.⓪.①/',
  'http://127。0。0。1/',
  'http://%31%32%37.0.0.1/',
  'http://[::1]/',
  'http://[::]/',
  'http://[0:0:0:0:0:0:0:1]/',
  'http://[::ffff:127.0.0.1]/',
  'http://[::ffff:7f00:1]/',
  'http://[::127.0.0.1]/',
  'http://[64:ff9b::127.0.0.1]/',
  'http://[64:ff9b::a9fe:a9fe]/',
  'http://[64:ff9b:1::7f00:1]/',
  'http://[2002:7f00:1::]/',
  'http://[2002:a9fe:a9fe::1]/',
  'http://[2001:0:7f00:1::]/',
  'http://[2001:0:4136:e378:8000:63bf:80ff:fffe]/',
  'http://[fe80::1]/',
  'http://[fec0::1]/',
  'http://[fc00::1]/',
  'http://[fd00:ec2::254]/latest/meta-data/',
  'http://[ff02::1]/',
  'http://[::ffff:169.254.169.254]/',
  'http://169.254.169.254/latest/meta-data/',
  'http://2852039166/',
  'http://0xa9fea9fe/',
  'http://0251.0376.0251.0376/',
  'http://100.100.100.200/',
  'http://192.0.0.192/',
  'http://168.63.129.16/',
  'http://10.0.0.1/',
  'http://10.1/',
  'http://172.16.0.1/',
  'http://192.168.0.1/',
  'http://192.168.257/',
  'http://100.64.0.1/',
  'http://198.18.0.1/',
  'http://224.0.0.1/',
  'http://240.0.0.1/',
  'http://255.255.255.255/',
  'https://127.0.0.1/',
  'http://[2001:db8::1]/',
  'http://[3fff::1]/',
  'http:127.0.0.1',
  'http:\\\\127.0.0.1\\',
  'http://127.0.0.1:22/',
]

test('no disguise of a private address is connected to', async () => {
  expect(disguises.length).toBeGreaterThanOrEqual(40)
  const egress = undiciEgress()
  for (const disguised of disguises) {
    await expect(egress.fetchPublic(disguised, roomy), disguised).rejects.toMatchObject({
      kind: 'invalid',
      code: 'url_forbidden',
    })
  }
})

test('each disguise of loopback would reach the local server if allowed, so that the refusals are meaningful', async () => {
  answers['/'] = (_, response) => response.end('inside')
  const isAllowed = parsePrivateTargets('127.0.0.1')
  const egress = undiciEgress({ isAllowed })
  const loopback = [
    '127.1',
    '2130706433',
    '0x7f.1',
    '017700000001',
    '①②⑦.⓪.⓪.①',
    '[::ffff:127.0.0.1]',
    '[::ffff:7f00:1]',
  ]
  for (const host of loopback)
    expect(await text((await egress.fetchPublic(`http://${host}:${port}/`, roomy)).stream), host).toBe('inside')
})

test('a host with one private address among public ones is refused', async () => {
  for (const found of [
    ['127.0.0.1'],
    ['8.8.8.8', '10.0.0.1'],
    ['8.8.8.8', '::1'],
    ['::ffff:127.0.0.1'],
    ['not an address'],
  ]) {
    const egress = undiciEgress({ resolve: async () => found })
    await expect(egress.fetchPublic('http://rebound.example/', roomy), String(found)).rejects.toMatchObject({
      code: 'url_forbidden',
    })
  }
})

test('a rebound name is connected to at the checked address, and is looked up once', async () => {
  asked.length = 0
  let looks = 0
  const rebinding = async () => (looks++ === 0 ? ['203.0.113.7'] : ['127.0.0.1'])
  // The first address is in a block that never answers; only a second lookup would lead to the local server.
  const egress = undiciEgress({
    isAllowed: ({ address }) => address.toString() === '203.0.113.7',
    resolve: rebinding,
    deadlines: { connectMs: 50, firstByteMs: 50, idleMs: 50 },
  })
  await expect(egress.fetchPublic(`http://rebound.example:${port}/`, { ...roomy, wallMs: 300 })).rejects.toMatchObject({
    name: 'Fault',
  })
  expect([looks, asked]).toEqual([1, []])
})

test('redirects are followed to their end, relative ones too', async () => {
  answers['/one/first'] = (_, response) => response.writeHead(302, { location: '../two' }).end('moved')
  answers['/two'] = (_, response) => response.writeHead(307, { location: url('/three') }).end()
  answers['/three'] = (_, response) => response.end('arrived')
  const fetched = await open().fetchPublic(url('/one/first'), roomy)
  expect([fetched.finalUrl, await text(fetched.stream)]).toEqual([url('/three'), 'arrived'])
})

test('a redirect into the private network, to another scheme or with credentials is refused', async () => {
  for (const location of [
    'http://169.254.169.254/',
    'http://127.0.0.2/',
    `//[::1]:${port}/`,
    'file:///etc/passwd',
    'ftp://example.com/',
    `http://user:secret@127.0.0.1:${port}/three`,
    'data:text/plain,x',
  ]) {
    answers['/away'] = (_, response) => response.writeHead(301, { location }).end()
    await expect(open().fetchPublic(url('/away'), roomy), location).rejects.toMatchObject({
      kind: 'invalid',
      code: 'url_forbidden',
    })
  }
  answers['/nowhere'] = (_, response) => response.writeHead(301, { location: 'http://' }).end()
  await expect(open().fetchPublic(url('/nowhere'), roomy)).rejects.toMatchObject({ code: 'url_invalid' })
})

test('five redirects are followed and a sixth is not', async () => {
  for (let step = 0; step < 7; step++)
    answers[`/hop${step}`] = (_, response) => response.writeHead(302, { location: `/hop${step + 1}` }).end()
  answers['/hop7'] = (_, response) => response.end('end')
  expect(await text((await open().fetchPublic(url('/hop2'), roomy)).stream)).toBe('end')
  await expect(open().fetchPublic(url('/hop1'), roomy)).rejects.toMatchObject({
    kind: 'invalid',
    code: 'url_redirects',
  })
})

test('only plain http and https URLs without credentials are fetched', async () => {
  for (const bad of [
    'file:///etc/passwd',
    'ftp://example.com/x',
    'gopher://example.com/',
    'data:text/plain,x',
    'javascript:1',
    'http://user@example.com/',
    'http://:secret@example.com/',
  ]) {
    await expect(open().fetchPublic(bad, roomy), bad).rejects.toMatchObject({ kind: 'invalid', code: 'url_forbidden' })
  }
  for (const bad of [
    '',
    'example.com',
    'http://',
    'http://a b/',
    'http://[::1',
    'http://256.256.256.256/',
    'http://1.2.3.4:99999/',
    `http://example.com/${'x'.repeat(9000)}`,
  ]) {
    await expect(open().fetchPublic(bad, roomy), bad.slice(0, 40)).rejects.toMatchObject({
      kind: 'invalid',
      code: 'url_invalid',
    })
  }
})

test('a status other than 2xx, a host without an address and a closed port are reported with the host only', async () => {
  await expect(open().fetchPublic(url('/absent'), roomy)).rejects.toMatchObject({
    kind: 'invalid',
    code: 'fetch_failed',
    message: '127.0.0.1 answered 404',
  })
  for (const resolve of [async () => [], async () => Promise.reject(new Error('ENOTFOUND at 10.0.0.53'))]) {
    await expect(open({ resolve }).fetchPublic('http://absent.example/', roomy)).rejects.toMatchObject({
      code: 'url_unreachable',
      message: 'The host absent.example has no address',
    })
  }
  const closed = undiciEgress({ isAllowed: () => true })
  await expect(closed.fetchPublic('http://127.0.0.1:1/', roomy)).rejects.toMatchObject({
    kind: 'upstream',
    code: 'url_unreachable',
    message: 'The connection to 127.0.0.1 failed or broke off',
  })
  await expect(closed.fetchPublic(`https://127.0.0.1:${port}/`, roomy)).rejects.toMatchObject({
    code: 'url_unreachable',
  })
})

test('a body is cut at the limit, with a stated length or without end', async () => {
  answers['/said'] = (_, response) =>
    response.writeHead(200, { 'content-length': '2000000' }).end(Buffer.alloc(2_000_000))
  await expect(open().fetchPublic(url('/said'), roomy)).rejects.toMatchObject({
    kind: 'too_large',
    code: 'url_too_large',
  })
  let hungUp = Promise.withResolvers<void>()
  answers['/endless'] = (_, response) => {
    const more = () => {
      while (!response.destroyed && response.write(Buffer.alloc(50_000)));
    }
    response.on('drain', more).on('close', () => hungUp.resolve())
    more()
  }
  const endless = await open().fetchPublic(url('/endless'), roomy)
  await expect(buffer(endless.stream)).rejects.toMatchObject({ kind: 'too_large', code: 'url_too_large' })
  await hungUp.promise
  hungUp = Promise.withResolvers()
  const unread = await open().fetchPublic(url('/endless'), roomy)
  unread.stream.destroy()
  await hungUp.promise
  answers['/exact'] = (_, response) => response.end(Buffer.alloc(1_000_000))
  expect((await buffer((await open().fetchPublic(url('/exact'), roomy)).stream)).length).toBe(1_000_000)
})

test('compressed content is decompressed, and a bomb is cut at the limit', async () => {
  const encoders = { gzip: gzipSync, 'x-gzip': gzipSync, deflate: deflateSync, br: brotliCompressSync }
  for (const [encoding, encode] of Object.entries(encoders)) {
    answers['/packed'] = (_, response) =>
      response.writeHead(200, { 'content-encoding': encoding }).end(encode(Buffer.from('opened')))
    expect(await text((await open().fetchPublic(url('/packed'), roomy)).stream), encoding).toBe('opened')
    const bomb = encode(Buffer.alloc(10_000_000))
    expect(bomb.length).toBeLessThan(1_000_000)
    answers['/bomb'] = (_, response) => response.writeHead(200, { 'content-encoding': encoding }).end(bomb)
    await expect(
      open()
        .fetchPublic(url('/bomb'), roomy)
        .then(({ stream }) => buffer(stream)),
      encoding,
    ).rejects.toMatchObject({ code: 'url_too_large' })
    answers['/garbage'] = (_, response) =>
      response.writeHead(200, { 'content-encoding': encoding }).end('not compressed at all')
    await expect(
      open()
        .fetchPublic(url('/garbage'), roomy)
        .then(({ stream }) => buffer(stream)),
      encoding,
    ).rejects.toMatchObject({ code: 'fetch_failed' })
  }
  answers['/unknown'] = (_, response) => response.writeHead(200, { 'content-encoding': 'gzip, gzip' }).end('x')
  await expect(open().fetchPublic(url('/unknown'), roomy)).rejects.toMatchObject({ code: 'fetch_failed' })
})

test('a server that does not answer, stalls or never ends is abandoned at the deadline', async () => {
  answers['/silent'] = () => undefined
  answers['/stalls'] = (_, response) => void response.write('begun')
  answers['/drips'] = (_, response) => {
    const drip = setInterval(() => response.write('.'), 5)
    response.on('close', () => clearInterval(drip))
  }
  const hasty = (deadlines: { firstByteMs: number; idleMs: number }) =>
    open({ deadlines: { connectMs: 5_000, ...deadlines } })
  const late = { kind: 'timeout', code: 'url_timeout', message: '127.0.0.1 took too long to answer' }
  await expect(hasty({ firstByteMs: 100, idleMs: 20_000 }).fetchPublic(url('/silent'), roomy)).rejects.toMatchObject(
    late,
  )
  const stalled = await hasty({ firstByteMs: 20_000, idleMs: 100 }).fetchPublic(url('/stalls'), roomy)
  await expect(buffer(stalled.stream)).rejects.toMatchObject(late)
  const dripping = await open().fetchPublic(url('/drips'), { ...roomy, wallMs: 300 })
  await expect(buffer(dripping.stream)).rejects.toMatchObject(late)
  const nameless = open({
    resolve: () => new Promise(() => undefined),
    deadlines: { connectMs: 50, firstByteMs: 50, idleMs: 50 },
  })
  await expect(nameless.fetchPublic('http://slow.example/', roomy)).rejects.toMatchObject({
    kind: 'timeout',
    code: 'url_timeout',
  })
})

test('a connection that breaks within the body is reported as such', async () => {
  answers['/breaks'] = (_, response) => {
    response.writeHead(200, { 'content-length': '1000' })
    response.write('half', () => response.destroy())
  }
  const broken = await open().fetchPublic(url('/breaks'), roomy)
  await expect(buffer(broken.stream)).rejects.toMatchObject({ kind: 'upstream', code: 'url_unreachable' })
})

test("the caller's signal ends a fetch with the caller's reason, before, during and after the head", async () => {
  const gone = new Error('the run is over')
  await expect(open().fetchPublic(url('/file'), { ...roomy, signal: AbortSignal.abort(gone) })).rejects.toBe(gone)
  const during = new AbortController()
  answers['/aborted'] = () => during.abort(gone)
  await expect(open().fetchPublic(url('/aborted'), { ...roomy, signal: during.signal })).rejects.toBe(gone)
  const after = new AbortController()
  const { stream } = await open().fetchPublic(url('/stalls'), { ...roomy, signal: after.signal })
  const reading = buffer(stream)
  after.abort(gone)
  await expect(reading).rejects.toBe(gone)
})

test('a proxy in the environment is ignored, and no credentials or cookies are sent', async () => {
  const before = { ...process.env }
  let headers: Record<string, unknown> = {}
  answers['/direct'] = (request, response) => {
    headers = request.headers
    response.end('direct')
  }
  Object.assign(process.env, {
    http_proxy: 'http://127.0.0.1:1',
    HTTP_PROXY: 'http://127.0.0.1:1',
    ALL_PROXY: 'http://127.0.0.1:1',
    NODE_USE_ENV_PROXY: '1',
  })
  try {
    expect(await text((await open().fetchPublic(url('/direct'), roomy)).stream)).toBe('direct')
  } finally {
    process.env = before
  }
  expect(Object.keys(headers).sort()).toEqual(['accept', 'accept-encoding', 'connection', 'host', 'user-agent'])
})

test('over TLS the certificate must match the requested name, although an address is connected to', async (context) => {
  const folder = await mkdtemp(path.join(tmpdir(), 'skillrun-tls-'))
  const [key, certificate] = [path.join(folder, 'key.pem'), path.join(folder, 'certificate.pem')]
  const wanted = '-x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=files.example'
  const made = spawnSync('openssl', [
    'req',
    ...wanted.split(' '),
    '-addext',
    'subjectAltName=DNS:files.example,IP:127.0.0.1',
    '-keyout',
    key,
    '-out',
    certificate,
  ])
  if (made.status !== 0) context.skip('making a certificate needs openssl')
  const authorities = getCACertificates('default')
  const names: unknown[] = []
  const secure = createSecureServer(
    { key: await readFile(key), cert: await readFile(certificate) },
    (request, response) => {
      names.push((request.socket as TLSSocket).servername)
      response.end('over TLS')
    },
  )
  try {
    await new Promise<void>((listening) => secure.listen(0, '127.0.0.1', listening))
    const securePort = (secure.address() as AddressInfo).port
    const egress = () => undiciEgress({ isAllowed: () => true, resolve: async () => ['127.0.0.1'] })
    const ask = async (host: string) =>
      text((await egress().fetchPublic(`https://${host}:${securePort}/`, roomy)).stream)
    const refused = { kind: 'upstream', code: 'url_unreachable', message: expect.stringContaining('certificate') }
    await expect(ask('files.example')).rejects.toMatchObject(refused)
    setDefaultCACertificates([...authorities, await readFile(certificate, 'utf8')])
    expect(await ask('files.example')).toBe('over TLS')
    expect(await ask('127.0.0.1')).toBe('over TLS')
    await expect(ask('other.example')).rejects.toMatchObject(refused)
    expect(names).toEqual(['files.example', false])
  } finally {
    setDefaultCACertificates(authorities)
    secure.closeAllConnections()
    secure.close()
    await rm(folder, { recursive: true })
  }
})

test('when only some hosts are allowed, their redirects lead to no other', async () => {
  answers['/listed'] = (_, response) => response.end('of a listed host')
  answers['/out'] = (_, response) =>
    response.writeHead(302, { location: `http://elsewhere.example:${port}/listed` }).end()
  const resolve = async () => ['127.0.0.1']
  const isHostAllowed = (hostname: string) => hostname === '127.0.0.1'
  const ask = (path: string, bounds = {}) => open({ resolve }).fetchPublic(url(path), { ...roomy, ...bounds })
  expect(await text((await ask('/listed', { isHostAllowed })).stream)).toBe('of a listed host')
  expect(await text((await ask('/out')).stream)).toBe('of a listed host')
  const before = asked.length
  await expect(ask('/out', { isHostAllowed })).rejects.toMatchObject({ kind: 'invalid', code: 'url_forbidden' })
  expect(asked.slice(before)).toEqual([`127.0.0.1:${port}/out`])
})

test('a private-network name is refused whatever it resolves to, unless the configuration allows it', async () => {
  const names = ['hook.internal', 'hook.internal.', 'hook.local', 'hook.home.arpa', 'localhost.', 'a.b.localhost']
  const open = (found: string[], allowed = '') =>
    undiciEgress({ resolve: async () => found, isAllowed: parsePrivateTargets(allowed) })
  for (const name of names) {
    const url = `http://${name}/`
    // Including public addresses: such a name does not belong to the resolver that answers.
    for (const found of [[], ['8.8.8.8'], ['10.1.2.3']])
      await expect(open(found).check(url), `${name} ${found}`).rejects.toMatchObject({ code: 'url_forbidden' })
    await expect(open(['8.8.8.8']).fetchPublic(url, roomy), name).rejects.toMatchObject({ code: 'url_forbidden' })
    const allowed = name.replace(/\.$/, '')
    for (const found of [[], ['8.8.8.8'], ['10.1.2.3']]) await open(found, allowed).check(url)
    await open(['10.1.2.3'], '10.0.0.0/8').check(url)
  }
  for (const name of ['internal.example', 'mylocal', 'home.arpa.example', 'notlocalhost'])
    await open([]).check(`http://${name}/`)
})
