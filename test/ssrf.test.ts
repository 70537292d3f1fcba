import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { disguisesOf } from './support/disguises.ts'
import { openTestService, type TestService } from './support/service.ts'

/** A server inside the network that counts its requests. */
let inside: Server
let port: number
const heard: string[] = []
beforeAll(async () => {
  inside = createServer((request, response) => {
    heard.push(request.url ?? '')
    response.writeHead(200, { 'Content-Type': 'text/plain' }).end('Total: 5.00')
  })
  await new Promise<void>((listening) => inside.listen(0, '127.0.0.1', listening))
  port = (inside.address() as AddressInfo).port
})
afterAll(() => new Promise((closed) => inside.close(closed)))

/** Every place of an execution request with a URL that this server requests by itself. */
const slots: Readonly<Record<string, (url: string) => object>> = {
  'a bare URL': (url) => ({ inputs: { slot: url } }),
  'an image_url': (url) => ({ inputs: { slot: { type: 'image_url', image_url: { url } } } }),
  'a video_url': (url) => ({ inputs: { slot: { type: 'video_url', video_url: { url } } } }),
  'an audio_url': (url) => ({ inputs: { slot: { type: 'audio_url', audio_url: { url } } } }),
  'a file_url': (url) => ({ inputs: { slot: { type: 'file_url', file_url: { url } } } }),
  'the URL of an input_file': (url) => ({ inputs: { slot: { type: 'input_file', file_url: { url } } } }),
  'an item of an array': (url) => ({ inputs: { slot: [{ type: 'file_url', file_url: { url } }] } }),
  'an object of URLs': (url) => ({ inputs: { slot: { first: url } } }),
  'a callback_url': (url) => ({ inputs: { text: 'Total: 5.00' }, callback_url: url }),
}

const openService = (env: Record<string, string>) =>
  openTestService({
    env,
    config: { file: { limits: { requests_per_minute: 1_000_000, callback_retry_seconds: [60] } } },
  })

const execute = (service: TestService, body: object) =>
  service.call('POST', '/v1/agent/execute', {
    body: { batch: false, config: { prompt: 'Extract the total' }, ...body },
  })

/** The result of a request: refused immediately, failed with a code, or its callback's last attempt. */
async function codeOf(service: TestService, body: object): Promise<string> {
  const { status, json } = await execute(service, body)
  if (status !== 201) return String(status)
  if (!('callback_url' in body)) return json.error?.code ?? json.status
  const path = `/v1/agent/executions/${json.id}/callbacks`
  await expect.poll(async () => (await service.call('GET', path)).json[0]?.tries.length, { timeout: 20_000 }).toBe(1)
  return (await service.call('GET', path)).json[0].tries[0].error?.code ?? 'delivered'
}

describe('a server that may not access its own network', () => {
  let service: TestService
  beforeAll(async () => {
    service = await openService({ SKILLRUN_SLOTS: 'priority=1,standard=8,flex=1' })
  })
  afterAll(() => service[Symbol.asyncDispose]())

  test.each(Object.keys(slots))('requests no disguise of a private address in %s', async (name) => {
    const disguises = disguisesOf(port)
    expect(disguises.length).toBeGreaterThanOrEqual(80)
    const reached: string[] = []
    const asked = disguises.map((url, at) => ({ url, at }))
    await Promise.all(
      Array.from({ length: 8 }, async () => {
        for (let next = asked.pop(); next; next = asked.pop()) {
          const code = await codeOf(service, slots[name]?.(next.url) ?? {})
          // 422: a forbidden callback, a URL of another scheme, or one with credentials. Text that is no URL is read as
          // text.
          const isText = name !== 'a callback_url' && !/^https?:\/\/\S/i.test(next.url)
          if (
            code !== 'url_forbidden' &&
            code !== '422' &&
            !(isText && (code === 'completed' || code === 'nothing_found'))
          )
            reached.push(`${next.url} ${code}`)
        }
      }),
    )
    expect(reached).toEqual([])
    expect(heard).toEqual([])
  })
})

describe('a server that may', () => {
  test('requests it from every one of these places, so that the refusals are meaningful', async () => {
    await using service = await openService({ SKILLRUN_ALLOW_PRIVATE: `127.0.0.1:${port}` })
    for (const [name, body] of Object.entries(slots)) {
      const before = heard.length
      await codeOf(service, body(`http://127.0.0.1:${port}/${encodeURIComponent(name)}`))
      expect(heard.length, name).toBeGreaterThan(before)
      // In disguise too: the address is allowed, not its spelling.
      await codeOf(service, body(`http://0x7f.1:${port}/again`))
      expect(heard.length, name).toBeGreaterThan(before + 1)
    }
  })
})
