import { randomBytes } from 'node:crypto'
import { request as httpRequest, type IncomingMessage } from 'node:http'
import { text } from 'node:stream/consumers'
import { newId } from '@skillrun/core/ids.ts'
import { expect, test } from 'vitest'
import {
  formOf,
  md5Of,
  multipart,
  partOf,
  sha256Of,
  useFilesService,
  type WireFile,
} from '../../../../../test/support/files.ts'

const service = useFilesService()

test('an uploaded file is answered with 201, found by id and hash, listed, and read back byte for byte', async () => {
  const content = randomBytes(100_000)
  const file = await service.upload('scan.bin', content)
  expect(file).toEqual({
    id: expect.stringMatching(/^[0-9a-f-]{36}$/),
    filename: 'scan.bin',
    bytes: 100_000,
    purpose: 'assistants',
    created_at: '2026-11-21T12:00:00.000Z',
    object: 'file',
    public_url: expect.stringContaining(`${service.url}/v1/public/files/`),
    sha256: sha256Of(content),
    content_type: 'application/octet-stream',
  })
  expect((await service.call('GET', `/v1/files/${file.id}`)).json).toEqual(file)
  expect((await service.call('GET', `/v1/files/${file.id.toUpperCase()}`)).json).toEqual(file)
  expect((await service.call('GET', `/v1/files/hash/${md5Of(content)}`)).json).toEqual(file)
  expect((await service.call('GET', '/v1/files?limit=1')).json).toEqual([file])
  const read = await service.call('GET', `/v1/files/${file.id}/content`)
  expect(read.status).toBe(200)
  expect(read.bytes.equals(content)).toBe(true)
})

test('files are listed newest first, in pages, and never those of another workspace', async () => {
  const ids: string[] = []
  for (const name of ['1', '2', '3']) {
    service.now = new Date(service.now.getTime() + 1000)
    ids.unshift((await service.upload(name, name, { key: 'second' })).id)
  }
  const idsOf = async (query: string) =>
    (await service.call('GET', `/v1/files${query}`, { key: 'second' })).json.map((file: WireFile) => file.id)
  expect(await idsOf('')).toEqual(ids)
  expect(await idsOf('?skip=1&limit=1')).toEqual([ids[1]])
  expect(await idsOf('?skip=3')).toEqual([])
  for (const query of ['limit=0', 'limit=1001', 'skip=-1', 'limit=x', 'skip=1.5']) {
    const refused = await service.call('GET', `/v1/files?${query}`)
    expect(refused.status, query).toBe(422)
    expect(refused.json.detail[0].loc).toEqual(['query', query.split('=')[0]])
  }
})

test("another workspace's file, a deleted file, an unknown id and an invalid id get the same answer", async () => {
  const theirs = await service.upload('secret.txt', 'secret', { key: 'second' })
  const gone = await service.upload('gone.txt', 'gone')
  await service.call('DELETE', `/v1/files/${gone.id}`)
  const answers = new Set<string>()
  for (const id of [theirs.id, gone.id, newId(service.now), 'no-id', "' or 1=1 --", 'x'.repeat(3000)]) {
    const named = encodeURIComponent(id)
    for (const [method, target] of [
      ['GET', named],
      ['GET', `${named}/content`],
      ['DELETE', named],
      ['GET', `hash/${named}`],
    ] as const) {
      const reply = await service.call(method, `/v1/files/${target}`)
      expect(reply.status, `${method} ${target}`).toBe(404)
      answers.add(reply.bytes.toString())
    }
  }
  expect((await service.call('GET', `/v1/files/hash/${md5Of('secret')}`)).status).toBe(404)
  expect(answers).toEqual(new Set(['{"detail":"This workspace has no file with this id"}']))
  expect((await service.call('GET', `/v1/files/${theirs.id}`, { key: 'second' })).status).toBe(200)
})

test('a missing, wrong or insufficient key is refused before any byte is stored', async () => {
  const before = await service.storedFiles()
  const body = formOf(partOf('name="file"; filename="a"', randomBytes(1000)))
  expect((await service.call('POST', '/v1/files', { key: undefined, headers: multipart, body })).status).toBe(401)
  expect((await service.call('POST', '/v1/files', { key: 'wrong', headers: multipart, body })).status).toBe(401)
  expect((await service.call('POST', '/v1/files', { key: 'reader', headers: multipart, body })).status).toBe(403)
  expect((await service.call('GET', '/v1/files', { key: 'reader' })).json).toEqual([])
  expect(await service.storedFiles()).toEqual(before)
})

test('deleting a file returns it once more, and its bytes are deleted with the last file that has them', async () => {
  const content = randomBytes(5000)
  const name = sha256Of(content)
  const mine = await service.upload('a.bin', content)
  const again = await service.upload('b.bin', content)
  const theirs = await service.upload('c.bin', content, { key: 'second' })
  expect((await service.storedFiles()).filter((file) => file === name)).toHaveLength(1)
  const deleted = await service.call('DELETE', `/v1/files/${mine.id}`, {
    headers: { 'content-type': 'application/json' },
  })
  expect([deleted.status, deleted.json]).toEqual([200, { ...mine, public_url: null }])
  expect((await service.call('DELETE', `/v1/files/${mine.id}`)).status).toBe(404)
  await service.call('DELETE', `/v1/files/${again.id}`)
  expect((await service.call('GET', `/v1/files/${theirs.id}/content`, { key: 'second' })).bytes.equals(content)).toBe(
    true,
  )
  await service.call('DELETE', `/v1/files/${theirs.id}`, { key: 'second' })
  expect(await service.storedFiles()).not.toContain(name)
})

test('concurrent uploads and deletions of the same content never leave a file without its bytes', async () => {
  const content = randomBytes(2000)
  const body = formOf(partOf('name="file"; filename="a"', content))
  for (let round = 0; round < 10; round++) {
    const first = await service.upload('a', content)
    const [, second] = await Promise.all([
      service.call('DELETE', `/v1/files/${first.id}`),
      service.call('POST', '/v1/files', { headers: multipart, body }),
    ])
    expect([201, 503]).toContain(second.status)
    if (second.status !== 201) continue
    expect((await service.call('GET', `/v1/files/${second.json.id}/content`)).bytes.equals(content)).toBe(true)
    await service.call('DELETE', `/v1/files/${second.json.id}`)
  }
})

test('header names are capitalised, and a JSON content type on a request without a body is no error', async () => {
  const file = await service.upload('a.txt', 'a')
  const reply = await new Promise<IncomingMessage>((resolve, reject) => {
    httpRequest(
      `${service.url}/v1/files/${file.id}/content`,
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
  expect((await service.call('GET', '/v1/files', { headers: { 'content-type': 'application/json' } })).status).toBe(200)
  expect((await service.call('PUT', `/v1/files/${file.id}`)).status).toBe(405)
})
