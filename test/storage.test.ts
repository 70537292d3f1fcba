import { once } from 'node:events'
import { readdir, stat } from 'node:fs/promises'
import { createServer, request as httpRequest } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { systemClock as clock } from '../packages/core/src/clock.ts'
import { madeZip } from '../packages/reader/src/media/testing/made-office.ts'
import { openDiskBlobs } from '../packages/server/src/adapters/blobs/disk/disk.ts'
import { limits } from '../packages/server/src/core/limits.ts'
import { collectBlobs } from '../packages/server/src/features/files/files.ts'
import { uploadTo } from './support/call.ts'
import { makeDatabase } from './support/database.ts'
import { endOfForm, multipart, partOf } from './support/files.ts'
import { openTestService, type TestService } from './support/service.ts'

const openSmall = (bytes: number) =>
  openTestService({ config: { file: { limits: { storage_bytes_per_workspace: bytes } } } })

const uploadBytes = async (service: TestService, bytes: Uint8Array) => {
  const { status, json } = await uploadTo(service, bytes, 'a.bin')
  return { status, json }
}

/** The blobs in the store, including temporary files. */
async function stored(service: TestService): Promise<string[]> {
  return (await storedFiles(service)).map((entry) => entry.name)
}

/** The files of the store including unfinished ones, without its id. */
async function storedFiles(service: TestService) {
  const entries = await readdir(join(service.dataFolder, 'blobs'), { recursive: true, withFileTypes: true })
  return entries.filter((entry) => entry.isFile() && entry.name !== 'store-id')
}

test('a workspace is limited by its quota, gets a message when it is full, and has room again after a deletion', async () => {
  await using service = await openSmall(300_000)
  const first = await uploadBytes(service, Buffer.alloc(200_000, 1))
  expect(first.status).toBe(201)
  const refused = await uploadBytes(service, Buffer.alloc(150_000, 2))
  expect(refused).toEqual({
    status: 413,
    json: {
      detail:
        'The storage quota of this workspace is used up: files and artifacts take 200000 of 300000 bytes; delete files first',
    },
  })
  expect((await uploadBytes(service, Buffer.alloc(100_001, 3))).status).toBe(413)
  expect(await stored(service)).toHaveLength(1)
  await service.call('DELETE', `/v1/files/${first.json.id}`)
  expect(await stored(service)).toHaveLength(0)
  expect((await uploadBytes(service, Buffer.alloc(300_000, 4))).status).toBe(201)
})

test('concurrent uploads do not exceed the quota', async () => {
  await using service = await openSmall(1_000)
  const answers = await Promise.all([1, 2, 3, 4, 5, 6].map((n) => uploadBytes(service, Buffer.alloc(400, n))))
  expect(answers.filter((answer) => answer.status === 201)).toHaveLength(2)
  expect(answers.filter((answer) => answer.status === 413)).toHaveLength(4)
  expect(await stored(service)).toHaveLength(2)
})

test('a presigned upload counts too, and quotas of workspaces are independent', async () => {
  await using service = await openSmall(100_000)
  const { url } = (await service.call('POST', '/v1/files/presigned-url', { body: { filename: 'a.bin' } })).json
  expect((await fetch(url, { method: 'PUT', body: Buffer.alloc(100_001) })).status).toBe(413)
  expect((await fetch(url, { method: 'PUT', body: Buffer.alloc(100_000) })).status).toBe(200)
  expect((await uploadBytes(service, Buffer.alloc(1))).status).toBe(413)
  const stranger = { url: service.url, key: await service.stranger() }
  expect((await uploadTo(stranger, 'theirs', 'a.bin')).status).toBe(201)
})

/** The current number of bytes in the store, including temporary files. */
async function storedBytes(service: TestService): Promise<number> {
  const files = (await storedFiles(service)).map((entry) => join(entry.parentPath, entry.name))
  const sizes = await Promise.all(
    files.map((file) =>
      stat(file).then(
        ({ size }) => size,
        () => 0,
      ),
    ),
  )
  return sizes.reduce((sum, size) => sum + size, 0)
}

/** An upload of unknown length whose bytes the test sends on demand. */
function streamUpload(target: { url: string; key?: string; method: string }) {
  const headers = target.key === undefined ? {} : { ...multipart, authorization: `Bearer ${target.key}` }
  const request = httpRequest(target.url, { method: target.method, headers })
  const answer = new Promise<{ status: number; json: { id: string; detail: string } }>((resolve, reject) => {
    request.once('response', async (reply) =>
      resolve({ status: reply.statusCode ?? 0, json: JSON.parse(await text(reply)) }),
    )
    request.once('error', reject)
  })
  answer.catch(() => undefined)
  if (target.key !== undefined) request.write(partOf('name="file"; filename="a.bin"').subarray(0, -2))
  return {
    answer,
    send: (bytes: number) => new Promise<void>((sent) => request.write(Buffer.alloc(bytes, 'x'), () => sent())),
    end: () => request.end(target.key === undefined ? '' : Buffer.concat([Buffer.from('\r\n'), endOfForm])),
    cut: () => request.destroy(),
  }
}

const openUpload = (service: TestService) =>
  streamUpload({ url: `${service.url}/v1/files`, key: service.key, method: 'POST' })

const openPresigned = async (service: TestService) => {
  const { url } = (await service.call('POST', '/v1/files/presigned-url', { body: { filename: 'a.bin' } })).json
  return streamUpload({ url, method: 'PUT' })
}

test.each([
  { is: 'multipart', open: async (service: TestService) => openUpload(service) },
  { is: 'presigned', open: openPresigned },
])('a $is upload without a length stops at the quota, not at its end', async ({ open }) => {
  await using service = await openSmall(1_000_000)
  const upload = await open(service)
  let isAnswered = false
  void upload.answer.finally(() => {
    isAnswered = true
  })
  await upload.send(200_000)
  await expect.poll(() => storedBytes(service)).toBeGreaterThan(0)
  let most = 0
  for (let sent = 0; sent < 20_000_000 && !isAnswered; sent += 100_000) {
    await upload.send(100_000)
    most = Math.max(most, await storedBytes(service))
  }
  upload.end()
  expect((await upload.answer).status).toBe(413)
  expect(most).toBeLessThanOrEqual(1_000_000)
  expect(await stored(service)).toEqual([])
  expect((await uploadBytes(service, Buffer.alloc(1_000_000))).status).toBe(201)
})

test('uploads in progress share one quota across processes, and release it when they are aborted', async () => {
  await using database = await makeDatabase()
  const config = { file: { limits: { storage_bytes_per_workspace: 1_000_000 } } }
  await using here = await openTestService({ database, config })
  await using there = await openTestService({ database, config })
  const first = openUpload(here)
  await first.send(600_000)
  await expect.poll(() => storedBytes(here)).toBe(600_000)
  expect(await uploadBytes(there, Buffer.alloc(600_000))).toEqual({
    status: 413,
    json: { detail: expect.stringMatching(/take 0 of 1000000 bytes.* uploads in progress have reserved 6\d{5};/) },
  })
  first.cut()
  await expect.poll(async () => (await uploadBytes(there, Buffer.alloc(600_000))).status).toBe(201)
})

test('bytes that are still coming when their URL expires become the file, unless it was deleted meanwhile', async () => {
  let laterMs = 0
  const now = () => new Date(Date.now() + laterMs)
  await using service = await openTestService({ clock: { ...clock, now } })
  const begin = async () => {
    const body = { filename: 'a.bin', expiration: 60 }
    const { id, url } = (await service.call('POST', '/v1/files/presigned-url', { body })).json
    const upload = streamUpload({ url, method: 'PUT' })
    const before = (await stored(service)).length
    // The store keeps equal bytes once, and asks again for those that another file's end has just removed.
    await upload.send(1_000 + before)
    await expect.poll(async () => (await stored(service)).length).toBe(before + 1)
    return { id, ...upload }
  }
  const [kept, deleted] = [await begin(), await begin()]
  expect((await service.call('DELETE', `/v1/files/${deleted.id}`)).status).toBe(200)
  laterMs = 61_000
  const blobs = await openDiskBlobs({ clock }, join(service.dataFolder, 'blobs'))
  await collectBlobs({ db: service.database.db, blobs }, now())
  for (const upload of [kept, deleted]) upload.end()
  expect([(await kept.answer).status, (await deleted.answer).status]).toEqual([200, 404])
  expect((await service.call('GET', `/v1/files/${deleted.id}`)).status).toBe(404)
})

/** A source that sends `first` bytes of each document immediately, and the rest on demand or endlessly. */
async function startTrickle(first: number) {
  let letGo: () => void = () => undefined
  const going = new Promise<void>((resolve) => {
    letGo = resolve
  })
  const sent = { bytes: 0 }
  const server = createServer(async (request, response) => {
    response.on('error', () => undefined).writeHead(200, { 'Content-Type': 'text/plain' })
    const send = (chunk: Buffer) => {
      sent.bytes += chunk.length
      return response.write(chunk)
    }
    if (request.url === '/endless') {
      const more = (): void => {
        while (!response.destroyed && send(Buffer.alloc(100_000, 'x')));
      }
      response.on('drain', more)
      return more()
    }
    send(Buffer.alloc(first, ' '))
    await going
    response.end('Total: 5.00')
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    host,
    sent,
    letGo,
    url: (path: string) => `http://${host}${path}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
    },
  }
}

const totalOf = (url: string, batch: boolean) => ({
  batch,
  inputs: { file: { type: 'file_url', file_url: { url } } },
  config: { prompt: 'Extract the total', json_schema: { type: 'object', properties: { total: { type: 'number' } } } },
})

test('a fetched input stops at the quota, leaves nothing, and releases its reservation', async () => {
  await using source = await startTrickle(0)
  await using service = await openTestService({
    config: { file: { limits: { storage_bytes_per_workspace: 1_000_000 } } },
    env: { SKILLRUN_ALLOW_PRIVATE: source.host },
  })
  const { json } = await service.call('POST', '/v1/agent/execute', { body: totalOf(source.url('/endless'), false) })
  expect(json).toMatchObject({ status: 'failed', error: { code: 'storage_quota' } })
  // Nothing was received beyond the buffers of two sockets.
  expect(source.sent.bytes).toBeLessThan(20_000_000)
  expect((await uploadBytes(service, Buffer.alloc(1_000_000))).status).toBe(201)
  // No byte is left.
  const { json: next } = await service.call('POST', '/v1/agent/execute', {
    body: totalOf(source.url('/endless'), false),
  })
  expect(next.error.message).toBe(
    'inputs.file: The storage quota of this workspace is used up: files and artifacts take 1000000 of 1000000 bytes; delete files first',
  )
})

test('inputs being fetched and uploads in progress share one quota across processes', async () => {
  await using source = await startTrickle(600_000)
  await using database = await makeDatabase()
  const config = { file: { limits: { storage_bytes_per_workspace: 1_000_000 } } }
  await using here = await openTestService({ database, config, env: { SKILLRUN_ALLOW_PRIVATE: source.host } })
  await using there = await openTestService({ database, config, env: { SKILLRUN_ROLE: 'api' } })
  const { json } = await here.call('POST', '/v1/agent/execute', { body: totalOf(source.url('/slow'), true) })
  const reserved = async () =>
    (await database.db.query<{ bytes: number }>('select bytes from upload_reservations'))[0]?.bytes
  await expect.poll(reserved, { timeout: 10_000 }).toBeGreaterThanOrEqual(600_000)
  expect(await uploadBytes(there, Buffer.alloc(600_000))).toEqual({
    status: 413,
    json: {
      detail: expect.stringMatching(/take 0 of 1000000 bytes.* inputs and uploads in progress have reserved 6\d{5};/),
    },
  })
  source.letGo()
  const find = async () => (await here.call('GET', `/v1/agent/executions/${json.id}`)).json
  await expect.poll(async () => (await find()).status, { timeout: 20_000 }).toBe('completed')
  expect((await find()).response).toMatchObject({ total: 5 })
  expect(await database.db.query('select 1 from upload_reservations')).toEqual([])
  expect((await uploadBytes(there, Buffer.alloc(1_000_000))).status).toBe(201)
})

test('reservations of a process that died are released after its lease, and their row is deleted', async () => {
  await using service = await openSmall(1_000)
  const { db } = service.database
  await db.query(
    `insert into upload_reservations (id, workspace_id, bytes, expires_at)
     select gen_random_uuid(), id, 900, $1 from workspaces order by created_at limit 1`,
    [new Date(Date.now() + 60_000)],
  )
  expect((await uploadBytes(service, Buffer.alloc(200))).status).toBe(413)
  await db.query('update upload_reservations set expires_at = $1', [new Date(Date.now() - 1)])
  expect((await uploadBytes(service, Buffer.alloc(200))).status).toBe(201)
  const blobs = await openDiskBlobs({ clock }, join(service.dataFolder, 'blobs'))
  await collectBlobs({ db, blobs }, clock.now())
  expect(await db.query('select 1 from upload_reservations')).toEqual([])
})

/** From now on the database refuses deletions from `table` where `when` holds, as if it failed at that moment. */
const failDeletions = (service: TestService, { table, when }: { table: string; when: string }) =>
  service.database.db.query(
    `create function fail_deletion() returns trigger language plpgsql as $$
     begin if ${when} then raise exception 'lost'; end if; return null; end $$;
     create trigger fails after delete on ${table} referencing old table as gone for each statement execute function fail_deletion()`,
  )

test.each([
  { is: 'multipart', open: async (service: TestService) => openUpload(service) },
  { is: 'presigned', open: openPresigned },
])('a $is upload that was committed succeeds although its reservation cannot be dropped', async ({ open }) => {
  await using service = await openSmall(1_000)
  // The transaction that adds the file deletes the reservation; later deletions find none.
  await failDeletions(service, { table: 'upload_reservations', when: 'not exists (select from gone)' })
  const upload = await open(service)
  await upload.send(100)
  upload.end()
  const { status, json } = await upload.answer
  expect([200, 201]).toContain(status)
  expect((await service.call('GET', `/v1/files/${json.id}`)).status).toBe(200)
})

test('a refused upload gets its reason although its reservation cannot be dropped, which then expires', async () => {
  await using service = await openSmall(1_000)
  const { db } = service.database
  await failDeletions(service, { table: 'upload_reservations', when: 'true' })
  const refused = await uploadBytes(service, Buffer.alloc(1_500))
  expect(refused).toMatchObject({
    status: 413,
    json: { detail: expect.stringContaining('of 1000 bytes') },
  })
  await db.query('drop trigger fails on upload_reservations')
  await db.query('update upload_reservations set expires_at = $1', [new Date(Date.now() - 1)])
  expect((await uploadBytes(service, Buffer.alloc(1_000))).status).toBe(201)
})

test('a committed deletion succeeds although its bytes cannot be removed now; the collector removes them', async () => {
  await using service = await openTestService()
  const { db } = service.database
  const file = await service.upload(Buffer.from('Total: 5.00'), 'total.txt')
  await failDeletions(service, { table: 'blob_leftovers', when: 'true' })
  expect((await service.call('DELETE', `/v1/files/${file.id}`)).status).toBe(200)
  expect((await service.call('GET', `/v1/files/${file.id}`)).status).toBe(404)
  await db.query('drop trigger fails on blob_leftovers')
  const blobs = await openDiskBlobs({ clock }, join(service.dataFolder, 'blobs'))
  await collectBlobs({ db, blobs }, clock.now())
  expect(await stored(service)).toEqual([])
})

test('the number of uploads in progress per key is limited, including presigned ones and those of other processes', async () => {
  await using database = await makeDatabase()
  const config = { file: { limits: { uploads_per_key: 2 } } }
  await using here = await openTestService({ database, config })
  await using there = await openTestService({ database, config })
  const first = openUpload(here)
  const second = await openPresigned(there)
  await Promise.all([first.send(1_000), second.send(1_000)])
  await expect.poll(() => storedBytes(here)).toBe(2_000)
  const refused = await uploadBytes(here, Buffer.alloc(10))
  expect(refused).toEqual({
    status: 429,
    json: { detail: 'This key has reached its limit of 2 uploads in progress; wait for one to finish' },
  })
  const third = await openPresigned(here)
  third.end()
  expect((await third.answer).status).toBe(429)
  first.end()
  expect((await first.answer).status).toBe(201)
  expect((await uploadBytes(here, Buffer.alloc(10))).status).toBe(201)
  second.cut()
})

test('an execution is not accepted with a file that is being deleted', async () => {
  await using service = await openTestService()
  const { db } = service.database
  const { id } = await service.upload(Buffer.from('Total: 5.00'), 'total.txt')
  const body = { inputs: { file: { type: 'input_file', file_id: id } }, config: { prompt: 'Extract' } }
  let isAnswered = false
  const executing = await db.transaction(async (tx) => {
    await tx.query('update files set deleted_at = $2 where id = $1', [id, clock.now()])
    const answer = service.call('POST', '/v1/agent/execute', { body }).finally(() => {
      isAnswered = true
    })
    const waiting = `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
    await expect.poll(async () => isAnswered || (await db.query(waiting)).length > 0).toBe(true)
    // Wrapped, because a returned promise would be awaited before the transaction ends.
    return { answer }
  })
  const { status, json } = await executing.answer
  expect([status, json.detail]).toEqual([404, expect.stringContaining('inputs.file')])
})

test('a file that is deleted during an execution keeps its bytes until that has ended, and no longer', async () => {
  await using database = await makeDatabase()
  await using front = await openTestService({ database, env: { SKILLRUN_ROLE: 'api' } })
  const file = await front.upload(Buffer.from('Total: 5.00'), 'invoice.txt')
  const body = {
    inputs: { file: { type: 'input_file', file_id: file.id } },
    config: { prompt: 'Extract the total', json_schema: { type: 'object', properties: { total: { type: 'number' } } } },
  }
  const { json } = await front.call('POST', '/v1/agent/execute', { body })
  expect((await front.call('DELETE', `/v1/files/${file.id}`)).status).toBe(200)
  expect((await front.call('GET', `/v1/files/${file.id}/content`)).status).toBe(404)
  expect((await front.call('POST', '/v1/agent/execute', { body })).status).toBe(404)
  const blobs = await openDiskBlobs({ clock }, join(front.dataFolder, 'blobs'))
  await collectBlobs({ db: database.db, blobs }, clock.now())
  expect(await stored(front)).toEqual([file.sha256])
  {
    await using _worker = await openTestService({
      database,
      env: { SKILLRUN_ROLE: 'worker', SKILLRUN_DATA: front.dataFolder },
    })
    const find = async () => (await front.call('GET', `/v1/agent/executions/${json.id}`)).json
    await expect.poll(async () => (await find()).status, { timeout: 20_000 }).toBe('completed')
    expect((await find()).response).toMatchObject({ total: 5 })
  }
  await collectBlobs({ db: database.db, blobs }, clock.now())
  expect(await stored(front)).toEqual([])
})

test('with SKILLRUN_PUBLIC_URL, the URLs of all replies start with it', async () => {
  await using service = await openTestService({ env: { SKILLRUN_PUBLIC_URL: 'https://files.example/' } })
  const base = 'https://files.example/v1/public/'
  const file = await service.upload(Buffer.from('Total: 5.00'), 'total.txt')
  expect(file.public_url.startsWith(`${base}files/${file.id}?`)).toBe(true)
  const { json } = await service.call('POST', '/v1/files/presigned-url', { body: { filename: 'a.bin' } })
  expect([json.url, json.public_url].every((url: string) => url.startsWith(`${base}files/${json.id}?`))).toBe(true)
  const zip = await service.upload(
    await madeZip({ 'SKILL.md': '---\nname: tea\ndescription: Makes tea.\n---\nBoil water.\n' }),
    'tea.zip',
  )
  const { json: skill } = await service.call('POST', '/v1/skills/create', {
    body: { file_id: zip.id, name: 'tea', description: 'Makes tea.' },
  })
  const { json: download } = await service.call('GET', `/v1/skills/${skill.id}/download`)
  expect(download.download_url.startsWith(`${base}skills/`)).toBe(true)
  // The signature covers the path only, so it works with any host, as through a proxy.
  const { pathname, search } = new URL(file.public_url)
  expect((await fetch(service.url + pathname + search)).status).toBe(200)
  for (const wrong of [
    'files.example',
    'ftp://files.example',
    'https://files.example/path',
    'https://a:b@files.example',
  ])
    await expect(openTestService({ env: { SKILLRUN_PUBLIC_URL: wrong } })).rejects.toThrow('SKILLRUN_PUBLIC_URL is')
})

test('presigned uploads that expired are deleted once no bytes can be coming any more', async () => {
  await using service = await openTestService()
  const { db } = service.database
  await service.call('POST', '/v1/files/presigned-url', { body: { filename: 'a.txt', expiration: 60 } })
  await service.call('POST', '/v1/files/presigned-url', { body: { filename: 'b.txt', expiration: 600 } })
  const blobs = await openDiskBlobs({ clock }, join(service.dataFolder, 'blobs'))
  await collectBlobs({ db, blobs }, new Date(Date.now() + 2 * limits.uploadWallMs + 120_000))
  expect(await db.query('select filename from uploads')).toEqual([{ filename: 'b.txt' }])
})
