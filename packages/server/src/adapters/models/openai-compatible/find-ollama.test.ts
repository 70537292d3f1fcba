import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { findOllama } from './find-ollama.ts'

/** A server that answers like Ollama; `null` never answers. */
async function withServer(answer: (path: string, body: string) => unknown, use: (url: string) => Promise<void>) {
  const server = createServer((request, response) => {
    let body = ''
    request.on('data', (part) => {
      body += part
    })
    request.on('end', () => {
      const json = answer(request.url ?? '', body)
      if (json !== null) response.end(JSON.stringify(json))
    })
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  try {
    await use(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  } finally {
    server.closeAllConnections()
    await new Promise((resolve) => {
      server.close(resolve)
    })
  }
}

const tags = {
  models: [
    { name: 'large:70b', size: 40_000 },
    { name: 'small:3b', size: 2_000 },
    { name: 'nomic-embed-text:latest', size: 300 },
    { name: 'bge-m3:latest', size: 400 },
  ],
}
const capabilities: Record<string, string[]> = {
  'large:70b': ['completion', 'tools', 'vision'],
  'small:3b': ['completion'],
  'nomic-embed-text:latest': ['embedding'],
  'bge-m3:latest': ['embedding'],
}

test('models are found smallest first with their capabilities, without embedding models', () =>
  withServer(
    (path, body) => (path === '/api/tags' ? tags : { capabilities: capabilities[JSON.parse(body).model] }),
    async (url) => {
      expect(await findOllama(url, 5_000)).toEqual([
        { name: 'small:3b', bytes: 2_000, takesImages: false, callsTools: false },
        { name: 'large:70b', bytes: 40_000, takesImages: true, callsTools: true },
      ])
    },
  ))

test('a silent, missing or different server is not an Ollama', async () => {
  await withServer(
    () => null,
    async (url) => {
      expect(await findOllama(url, 30)).toBeUndefined()
    },
  )
  expect(await findOllama('http://127.0.0.1:9', 1_000)).toBeUndefined()
  await withServer(
    () => 'hello',
    async (url) => {
      expect(await findOllama(url, 5_000)).toEqual([])
    },
  )
})
