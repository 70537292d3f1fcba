import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { callServer, uploadTo } from './support/call.ts'
import { startServer } from './support/server.ts'
import { mountSmallDisk, type SmallDisk } from './support/small-disk.ts'
import { lookAgain, until } from './support/until.ts'

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
    const upload = (bytes: number) => uploadTo({ url, key }, `${bytes} ${'x'.repeat(bytes)}`, 'notes.txt')
    const execute = (length: number) => {
      const text = `Receipt\nTotal: EUR 12.50\n${crypto.randomUUID().repeat(length / 36)}`
      const json_schema = { type: 'object', properties: { total: { type: 'number' } } }
      const body = { inputs: { note: { type: 'text', text } }, config: { prompt: 'Extract the total', json_schema } }
      return callServer({ url, key }, 'POST', '/v1/agent/execute', { body })
    }
    const accepted: string[] = [(await execute(100)).json.id]
    await fill()
    expect(await upload(1_000_000)).toMatchObject({
      status: 503,
      json: { detail: expect.stringContaining("The server's disk is full") },
    })
    const document = { type: 'document', source: { type: 'text', media_type: 'text/plain', data: 'x'.repeat(100_000) } }
    const body = { model: 'svc-agent-1:auto', messages: [{ role: 'user', content: [document] }] }
    expect(await callServer({ url, key }, 'POST', '/anthropic/v1/messages/count_tokens', { body })).toMatchObject({
      status: 503,
      json: { error: { message: expect.stringContaining("The server's disk is full") } },
    })
    await server.printed(/the disk is full/)
    // Space that the database has preallocated lasts for a while.
    let refused = await execute(200_000)
    while (refused.status === 201) {
      accepted.push(refused.json.id)
      refused = await execute(200_000)
    }
    expect(refused).toMatchObject({ status: 503, json: { detail: expect.any(String) } })
    expect(refused.headers.get('retry-after')).toMatch(/^\d+$/)
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
      const record = await until(async () => {
        const { json } = await callServer({ url, key }, 'GET', `/v1/agent/executions/${id}`)
        return json.status === 'enqueued' || json.status === 'running' ? undefined : json
      })
      expect(record, JSON.stringify(record.error)).toMatchObject({ status: 'completed' })
    }
    expect(await server.end('SIGTERM')).toBe(0)
  },
  240_000,
)
