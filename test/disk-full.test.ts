import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { startServer } from './support/server.ts'
import { mountSmallDisk, type SmallDisk } from './support/small-disk.ts'
import { lookAgain } from './support/until.ts'

const key = 'the-key-of-the-operator'
const disk = mountSmallDisk('320m')
afterAll(() => disk?.[Symbol.dispose]())

test.skipIf(!disk)(
  'a full disk refuses uploads and executions in words, loses nothing that was accepted, and is forgotten when there is room again',
  async () => {
    const { folder, ballast, fill } = disk as SmallDisk
    await using server = startServer(join(folder, 'data'), { SKILLRUN_API_KEY: key })
    const url = (await server.printed(/Skillrun +(http:\S+)/))[1] ?? ''
    await server.printed(/completed: 1 page/)
    const call = async (path: string, body?: string | FormData, type = 'application/json') => {
      const headers = { Authorization: `Bearer ${key}`, ...(type ? { 'Content-Type': type } : {}) }
      const response = await fetch(url + path, { headers, ...(body ? { method: 'POST', body } : {}) })
      const text = await response.text()
      // biome-ignore lint/suspicious/noExplicitAny: a story looks at whatever the wire says.
      return { status: response.status, again: response.headers.get('retry-after'), json: JSON.parse(text) as any }
    }
    const upload = (bytes: number) => {
      const form = new FormData()
      form.append('file', new Blob([`${bytes} ${'x'.repeat(bytes)}`]), 'notes.txt')
      return call('/v1/files', form, '')
    }
    const execute = (length: number) =>
      call(
        '/v1/agent/execute',
        JSON.stringify({
          inputs: {
            note: { type: 'text', text: `Receipt\nTotal: EUR 12.50\n${crypto.randomUUID().repeat(length / 36)}` },
          },
          config: {
            prompt: 'Extract the total',
            json_schema: { type: 'object', properties: { total: { type: 'number' } } },
          },
        }),
      )
    const accepted: string[] = [(await execute(100)).json.id]
    await fill()
    expect(await upload(1_000_000)).toMatchObject({
      status: 503,
      json: { detail: expect.stringContaining("The server's disk is full") },
    })
    // Space that the database has preallocated lasts for a while.
    let refused = await execute(200_000)
    while (refused.status === 201) {
      accepted.push(refused.json.id)
      refused = await execute(200_000)
    }
    expect(refused).toMatchObject({
      status: 503,
      again: expect.stringMatching(/^\d+$/),
      json: { detail: expect.any(String) },
    })
    expect(refused.json.detail).toMatch(/no space left|cannot be reached/)
    await rm(ballast)
    let taken = await execute(100)
    while (taken.status === 503) {
      taken = await execute(100)
      await lookAgain()
    }
    accepted.push(taken.json.id)
    expect((await upload(1_000_000)).status).toBe(201)
    for (const id of accepted) {
      let record = (await call(`/v1/agent/executions/${id}`)).json
      while (record.status === 'enqueued' || record.status === 'running') {
        record = (await call(`/v1/agent/executions/${id}`)).json
        await lookAgain()
      }
      expect(record, JSON.stringify(record.error)).toMatchObject({ status: 'completed' })
    }
    expect(await server.end('SIGTERM')).toBe(0)
  },
  240_000,
)
