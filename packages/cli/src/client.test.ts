import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Agent, getGlobalDispatcher, setGlobalDispatcher } from 'undici'
import { expect, test } from 'vitest'
import { createClient } from './client.ts'
import { exitCodeOf } from './exit-codes.ts'

test('an error reply of the server ends a command with the exit code of its status, and its sentence', async () => {
  const server = createServer((request, response) => {
    const status = Number(request.url?.split('/').at(-1))
    response.writeHead(status, { 'Content-Type': 'application/json' }).end(`{"detail": "The reply is a ${status}"}`)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const client = createClient({ url, key: 'k', urlFrom: '--url', keyFrom: '--key' }, new AbortController().signal)
  const codeOf = async (status: number) => {
    const error: unknown = await client.call(`/v1/${status}`, { method: 'POST' }).catch((thrown: unknown) => thrown)
    expect(String(error)).toContain(`The reply is a ${status}`)
    return exitCodeOf(error)
  }
  const codes: Record<number, number> = {}
  for (const status of [400, 401, 403, 404, 408, 409, 413, 415, 422, 429, 500, 502, 503, 504])
    codes[status] = await codeOf(status)
  server.close()
  // biome-ignore format: one line is easier to read
  expect(codes).toEqual({ 400: 2, 401: 4, 403: 4, 404: 1, 408: 3, 409: 1, 413: 1, 415: 1, 422: 2, 429: 3, 500: 1, 502: 3, 503: 3, 504: 3 })
})

test('a slow request outlasts the limit that the platform sets for the headers of a reply', async () => {
  const open: ServerResponse[] = []
  const server = createServer((_, response) => void open.push(response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const client = createClient({ url, key: 'k', urlFrom: '--url', keyFrom: '--key' }, new AbortController().signal)
  const platform = getGlobalDispatcher()
  setGlobalDispatcher(new Agent({ headersTimeout: 1 }))
  try {
    const replay = client.call('/v1/replay', { method: 'POST', slow: true })
    // The platform's limit has passed when a later request met it.
    await expect(client.call('/v1/other', { method: 'POST' })).rejects.toThrow('UND_ERR_HEADERS_TIMEOUT')
    for (const response of open) if (!response.destroyed) response.end('{"equal": true}')
    expect(await replay).toEqual({ equal: true })
  } finally {
    setGlobalDispatcher(platform)
    server.closeAllConnections()
    server.close()
  }
})
