import { randomBytes } from 'node:crypto'
import { request as httpRequest } from 'node:http'
import { expect, test } from 'vitest'
import { sha256Of, until, useFilesService } from '../../../../../test/support/files.ts'

const service = useFilesService({ fileBytesMax: 1_000_000, uploadIdleMs: 300 })
const json = { 'content-type': 'application/json' }

async function presign(body: object, key = 'first') {
  return service.call('POST', '/v1/files/presigned-url', {
    key,
    headers: json,
    body: Buffer.from(JSON.stringify(body)),
  })
}
const send = (url: string, body: Buffer) =>
  service.call('PUT', url, { key: undefined, headers: { 'content-type': 'application/pdf' }, body })

test('bytes sent to a presigned URL without a key become the announced file', async () => {
  const { status, json: presigned } = await presign({
    filename: '../Bericht März.pdf',
    purpose: 'vision',
    expiration: 86400,
  })
  expect([status, presigned]).toEqual([
    201,
    {
      id: expect.any(String),
      url: expect.stringContaining(`${service.url}/v1/public/files/`),
      filename: 'Bericht März.pdf',
      content_type: 'application/pdf',
      upload_method: 'PUT',
      public_url: expect.stringContaining(`${service.url}/v1/public/files/`),
      created_at: '2026-11-21T12:00:00.000Z',
      expiration: 86400,
    },
  ])
  expect((await service.call('GET', `/v1/files/verify-upload/${presigned.id}`)).status).toBe(404)
  expect((await service.call('GET', presigned.public_url, { key: undefined })).status).toBe(404)
  const content = randomBytes(500_000)
  expect((await send(presigned.url, content)).status).toBe(200)
  const verified = await service.call('GET', `/v1/files/verify-upload/${presigned.id}`)
  expect(verified.json).toMatchObject({
    id: presigned.id,
    filename: 'Bericht März.pdf',
    purpose: 'vision',
    bytes: 500_000,
    sha256: sha256Of(content),
  })
  expect((await service.call('GET', `/v1/files/${presigned.id}`)).json.id).toBe(presigned.id)
  expect((await service.call('GET', presigned.public_url, { key: undefined })).bytes.equals(content)).toBe(true)
  expect((await service.call('GET', `/v1/files/verify-upload/${presigned.id}`, { key: 'second' })).status).toBe(404)
})

test('absent and null options take their defaults, and invalid ones are refused by name', async () => {
  const { json: presigned } = await presign({ filename: 'a.csv', purpose: null, expiration: null, unknown: 1 })
  expect(presigned).toMatchObject({ expiration: 86400, content_type: 'text/csv' })
  await send(presigned.url, Buffer.from('a,b'))
  expect((await service.call('GET', `/v1/files/${presigned.id}`)).json.purpose).toBe('assistants')
  for (const [body, loc] of [
    [{}, ['body', 'filename']],
    [{ filename: '' }, ['body', 'filename']],
    [{ filename: 'x'.repeat(256) }, ['body', 'filename']],
    [{ filename: 'a', purpose: 'party' }, ['body', 'purpose']],
    [{ filename: 'a', expiration: 0 }, ['body', 'expiration']],
    [{ filename: 'a', expiration: 604_801 }, ['body', 'expiration']],
  ] as const) {
    const refused = await presign(body)
    expect([refused.status, refused.json.detail[0].loc]).toEqual([422, loc])
  }
  expect((await presign({ filename: 'a' }, 'reader')).status).toBe(403)
})

test('the same bytes may be sent again and other bytes may not', async () => {
  const { json: presigned } = await presign({ filename: 'a.bin' })
  const content = randomBytes(1000)
  const other = randomBytes(1000)
  expect((await send(presigned.url, content)).status).toBe(200)
  expect((await send(presigned.url, content)).status).toBe(200)
  expect((await send(presigned.url, other)).status).toBe(409)
  expect(await service.storedFiles()).not.toContain(sha256Of(other))
  expect((await service.call('GET', `/v1/files/${presigned.id}/content`)).bytes.equals(content)).toBe(true)
  await service.call('DELETE', `/v1/files/${presigned.id}`)
  expect((await send(presigned.url, content)).status).toBe(404)
  expect(await service.storedFiles()).not.toContain(sha256Of(content))
})

test('a URL that expired, was changed, or was signed for reading accepts nothing', async () => {
  const { json: presigned } = await presign({ filename: 'a.bin', expiration: 60 })
  const { json: other } = await presign({ filename: 'b.bin' }, 'second')
  const before = await service.storedFiles()
  const content = randomBytes(100)
  expect((await send(presigned.public_url, content)).status).toBe(404)
  expect((await send(presigned.url.replace(presigned.id, other.id), content)).status).toBe(404)
  expect((await send(presigned.url.replace(/expires=\d/, 'expires=2'), content)).status).toBe(404)
  expect((await service.call('GET', presigned.url, { key: undefined })).status).toBe(404)
  service.now = new Date(service.now.getTime() + 60_000)
  expect((await send(presigned.url, content)).status).toBe(404)
  expect(await service.storedFiles()).toEqual(before)
})

test('a body that is too large or incomplete is answered and leaves nothing', async () => {
  const { json: presigned } = await presign({ filename: 'a.bin' })
  const before = await service.storedFiles()
  const large = await send(presigned.url, randomBytes(1_000_001))
  expect([large.status, large.json]).toEqual([413, { detail: 'The file is larger than the limit of 1000000 bytes' }])
  const stalled = await new Promise<number | undefined>((resolve, reject) => {
    const request = httpRequest(presigned.url, { method: 'PUT', headers: { 'content-length': '1000' } })
    request.on('response', (reply) => resolve(reply.statusCode)).on('error', reject)
    request.write('half')
  })
  expect(stalled).toBe(408)
  const gone = httpRequest(presigned.url, { method: 'PUT', headers: { 'content-length': '1000000' } })
  gone.on('error', () => undefined)
  gone.write(randomBytes(500_000))
  await until(async () => (await service.storedFiles()).length > before.length)
  gone.destroy()
  await until(async () => (await service.storedFiles()).length === before.length)
  expect((await service.call('GET', `/v1/files/verify-upload/${presigned.id}`)).status).toBe(404)
})

test('a stalled multipart upload is aborted', async () => {
  const before = await service.storedFiles()
  const status = await new Promise<number | undefined>((resolve, reject) => {
    const headers = { authorization: 'Bearer first', 'content-type': 'multipart/form-data; boundary=x' }
    const request = httpRequest(`${service.url}/v1/files`, { method: 'POST', headers })
    request.on('response', (reply) => resolve(reply.statusCode)).on('error', reject)
    request.write('--x\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\nbegun')
  })
  expect(status).toBe(408)
  expect(await service.storedFiles()).toEqual(before)
})

test('a filename of megabytes is refused before it is parsed', async () => {
  const refused = await presign({ filename: '%22/'.repeat(1_000_000) })
  expect([refused.status, refused.json.detail[0]]).toMatchObject([
    422,
    { loc: ['body', 'filename'], type: 'string_too_long' },
  ])
})
