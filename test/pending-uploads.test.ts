import { describe, expect, test } from 'vitest'
import { systemClock } from '../packages/core/src/clock.ts'
import { limits } from '../packages/server/src/core/limits.ts'
import { opened } from './support/opened.ts'
import { openReceiver } from './support/receiver.ts'
import { openTestService } from './support/service.ts'
import { lookAgain } from './support/until.ts'

/** The server's time, while a test stops the clock. */
let stoppedAt: Date | undefined
const clock = { ...systemClock, now: () => stoppedAt ?? systemClock.now() }

const receiver = await opened(openReceiver())
const service = await opened(openTestService({ clock, env: { SKILLRUN_ALLOW_PRIVATE: `127.0.0.1:${receiver.port}` } }))

const config = {
  prompt: 'Extract the total of this receipt',
  json_schema: { type: 'object', properties: { total: { type: ['number', 'null'] } } },
}

const presign = async (expiration = 3600, key?: string) =>
  (
    await service.call('POST', '/v1/files/presigned-url', {
      body: { filename: 'receipt.txt', expiration },
      ...(key ? { key } : {}),
    })
  ).json
const send = async (url: string, text = 'Total: EUR 12.50') =>
  (await fetch(url, { method: 'PUT', body: text, headers: { 'Content-Type': 'text/plain' } })).status
const fileOf = (file_id: string) => ({ type: 'input_file', file_id })
const execute = (inputs: object, more: object = {}) =>
  service.call('POST', '/v1/agent/execute', { body: { inputs, config, ...more } })
/** The record once it has ended: its stream of events ends then. */
async function ended(id: string) {
  await service.call('GET', `/v1/agent/executions/${id}/events`)
  return (await service.call('GET', `/v1/agent/executions/${id}`)).json
}
const statusesOf = async (id: string) =>
  (await service.call('GET', `/v1/agent/executions/${id}/events`, { headers: { Accept: 'application/json' } })).json
    .filter((one: { event: string }) => one.event === 'status')
    .map((one: { data: { status: string } }) => one.data.status)

describe('an execution whose file is not uploaded yet', () => {
  test('is pending, starts when the upload completes, and reports both in its events', async () => {
    const upload = await presign()
    const created = await execute({ receipt: fileOf(upload.id) })
    expect(created).toMatchObject({ status: 201, json: { status: 'pending', response: null } })
    const listed = await service.call('GET', '/v1/agent/executions?status=pending')
    expect(listed.json.map(({ id }: { id: string }) => id)).toEqual([created.json.id])
    expect(await send(upload.url)).toBe(200)
    expect(await ended(created.json.id)).toMatchObject({ status: 'completed', response: { total: 12.5 } })
    expect(await statusesOf(created.json.id)).toEqual(['pending', 'enqueued', 'running', 'completed'])
  })

  test('waits on when a part of the file is sent, which would be taken for all of it', async () => {
    const upload = await presign()
    const { json: created } = await execute({ receipt: fileOf(upload.id) })
    const headers = { 'Content-Range': 'bytes 0-7/16' }
    expect((await fetch(upload.url, { method: 'PUT', body: 'Total: E', headers })).status).toBe(422)
    expect(await send(upload.url)).toBe(200)
    expect(await ended(created.id)).toMatchObject({ status: 'completed', response: { total: 12.5 } })
  })

  test('starts only when the last of several uploads is complete, with the other files available', async () => {
    const [first, second] = [await presign(), await presign()]
    const there = await service.upload(Buffer.from('Total: EUR 12.50'), 'there.txt')
    const { json: created } = await execute({ a: fileOf(first.id), b: [fileOf(second.id), fileOf(there.id)] })
    expect(created.status).toBe('pending')
    expect((await service.call('DELETE', `/v1/files/${there.id}`)).status).toBe(200)
    expect(await send(first.url)).toBe(200)
    expect(await send(second.url)).toBe(200)
    expect((await ended(created.id)).status).toBe('completed')
    const steps = (await service.call('GET', `/v1/agent/executions/${created.id}/steps`)).json
    expect(steps.filter((step: { name: string }) => step.name === 'document.read')).toHaveLength(3)
  })

  test("is refused beyond the workspace's limit of pending ones", async () => {
    const other = (await service.call('POST', '/v1/keys', { body: { workspace: 'crowded' } })).json.key
    const [key] = await service.database.db.query<{ id: string; workspaceId: string }>(
      `select id, workspace_id as "workspaceId" from keys where hint = right($1, 4)`,
      [other],
    )
    const fill = (status: string) =>
      service.database.db.query(
        `insert into executions (id, workspace_id, key_id, name, status, request, model, tier, created_at)
         select gen_random_uuid(), $1, $2, 'x', $3, '{}', 'm', 'standard', now() from generate_series(1, $4)`,
        [key?.workspaceId, key?.id, status, limits.waitingPerWorkspace],
      )
    const ask = async () => {
      const upload = await presign(3600, other)
      return service.call('POST', '/v1/agent/execute', {
        key: other,
        body: { inputs: { a: fileOf(upload.id) }, config },
      })
    }
    await fill('completed')
    expect(await ask()).toMatchObject({ status: 201, json: { status: 'pending' } })
    await fill('pending')
    expect((await ask()).status).toBe(429)
    // Those of another workspace do not count.
    const { key: quiet } = (await service.call('POST', '/v1/keys', { body: { workspace: 'quiet' } })).json
    const upload = await presign(3600, quiet)
    const body = { inputs: { a: fileOf(upload.id) }, config }
    expect((await service.call('POST', '/v1/agent/execute', { key: quiet, body })).status).toBe(201)
  })

  test('may name the file by its public URL, which works once the bytes have arrived', async () => {
    const upload = await presign()
    const { json: created } = await execute({ receipt: upload.public_url })
    expect(created.status).toBe('pending')
    await send(upload.url)
    expect(await ended(created.id)).toMatchObject({ status: 'completed', response: { total: 12.5 } })
  })

  test('fails when the upload URL expires, names the input, and calls back', async () => {
    const upload = await presign(60)
    const expires = Math.floor(Date.parse(upload.created_at) / 1000 + 60) * 1000
    stoppedAt = new Date(expires - 100)
    const { json: created } = await execute({ receipt: fileOf(upload.id) }, { callback_url: receiver.url('/expired') })
    expect(created.status).toBe('pending')
    stoppedAt = new Date(expires)
    const record = await ended(created.id)
    expect(record).toMatchObject({ status: 'failed', error: { code: 'upload_missing', retryable: false } })
    expect(record.error.message).toMatch(
      /^inputs\.receipt: no file was uploaded before its upload URL expired at 20.+Z;/,
    )
    const [received] = await receiver.got('/expired', 1)
    expect(JSON.parse(String(received?.body))).toMatchObject({ id: created.id, status: 'failed' })
    expect(await send(upload.url)).toBe(404)
    // The same request after that finds no file.
    expect((await execute({ receipt: fileOf(upload.id) })).status).toBe(404)
    stoppedAt = undefined
  })

  test('can be cancelled, and the upload then starts nothing', async () => {
    const upload = await presign()
    const { json: created } = await execute({ receipt: fileOf(upload.id) })
    const cancelled = await service.call('POST', `/v1/agent/executions/${created.id}/cancel`)
    expect(cancelled.json).toMatchObject({ status: 'failed', error: { code: 'cancelled' } })
    expect(await send(upload.url)).toBe(200)
    const { json: later } = await execute({ receipt: fileOf(upload.id) })
    expect((await ended(later.id)).status).toBe('completed')
    expect(await statusesOf(created.id)).toEqual(['pending', 'failed'])
  })

  test('keeps batch: false waiting, and runs once however often the bytes are sent', async () => {
    const upload = await presign()
    const running = execute({ receipt: fileOf(upload.id) }, { batch: false, id: 'a key of the caller' })
    const pending = async () =>
      (await service.call('GET', '/v1/agent/executions?status=pending')).json.map(({ id }: { id: string }) => id)
    let [id] = await pending()
    while (!id) {
      ;[id] = await pending()
      await lookAgain()
    }
    expect(await Promise.all([send(upload.url), send(upload.url), send(upload.url)])).toEqual([200, 200, 200])
    expect((await running).json).toMatchObject({ id, status: 'completed', response: { total: 12.5 } })
    expect(await statusesOf(id)).toEqual(['pending', 'enqueued', 'running', 'completed'])
  })

  test("is refused when the upload is another workspace's, or was deleted", async () => {
    const stranger = await service.stranger()
    const foreign = await presign(3600, stranger)
    expect((await execute({ receipt: fileOf(foreign.id) })).status).toBe(404)
    const upload = await presign()
    await send(upload.url)
    await service.call('DELETE', `/v1/files/${upload.id}`)
    expect((await execute({ receipt: fileOf(upload.id) })).status).toBe(404)
  })

  test('fails immediately when the upload is deleted before its bytes arrive, and the upload URL expires', async () => {
    const upload = await presign()
    const { json } = await execute({ receipt: fileOf(upload.id) })
    const strangers = await service.call('DELETE', `/v1/files/${upload.id}`, { key: await service.stranger() })
    expect(strangers.status).toBe(404)
    expect(await service.call('DELETE', `/v1/files/${upload.id}`)).toMatchObject({
      status: 200,
      json: { id: upload.id, filename: 'receipt.txt', bytes: 0 },
    })
    expect(await ended(json.id)).toMatchObject({
      status: 'failed',
      error: {
        code: 'upload_missing',
        message: 'inputs.receipt: the upload was deleted before its bytes came',
      },
    })
    expect(await send(upload.url)).toBe(404)
    expect((await service.call('DELETE', `/v1/files/${upload.id}`)).status).toBe(404)
    const sent = await presign()
    await send(sent.url)
    expect((await service.call('DELETE', `/v1/files/${sent.id}`)).json.bytes).toBe(16)
    expect((await service.call('DELETE', `/v1/files/${sent.id}`)).status).toBe(404)
  })

  test('an upload that is deleted while its bytes arrive is either completed and deleted, or refused', async () => {
    const uploads = await Promise.all(Array.from({ length: 20 }, () => presign()))
    const outcomes = await Promise.all(
      uploads.map(async ({ id, url }, number) => {
        const [sent, deleted] = await Promise.all([
          send(url, `Total: EUR ${number}.50`),
          service.call('DELETE', `/v1/files/${id}`),
        ])
        return { sent, deleted: deleted.status, left: (await service.call('GET', `/v1/files/${id}`)).status }
      }),
    )
    for (const { sent, deleted, left } of outcomes) {
      expect(deleted).toBe(200)
      expect([200, 404]).toContain(sent)
      expect(left).toBe(404)
    }
  })

  test('starts even if the upload completes at the moment of its acceptance', async () => {
    const uploads = await Promise.all(Array.from({ length: 20 }, () => presign()))
    const made = await Promise.all(
      uploads.flatMap(({ id, url }) => [execute({ receipt: fileOf(id) }).then(({ json }) => json.id), send(url)]),
    )
    const ids = made.filter((one) => typeof one === 'string')
    const records = await Promise.all(ids.map(ended))
    expect(records.map(({ status }) => status)).toEqual(uploads.map(() => 'completed'))
  })
})
