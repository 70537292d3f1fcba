import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** What a request asked for. */
export interface AskedVectors {
  readonly model: string
  readonly input: readonly string[]
  readonly dimensions?: number
}

/**
 * An embedding server like OpenAI's: the vector of a text starts with its length. `tokensOf` is the reported usage; `status` fails the
 * next calls.
 */
export async function startEmbedding(
  tokensOf: (texts: readonly string[]) => number = (texts) => texts.join('').length,
) {
  const asked: AskedVectors[] = []
  const failing: number[] = []
  const server = createServer((request, response) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', () => {
      const body = JSON.parse(Buffer.concat(parts).toString('utf8')) as AskedVectors
      asked.push(body)
      const status = failing.shift()
      const send = (code: number, json: object) =>
        response.writeHead(code, { 'Content-Type': 'application/json' }).end(JSON.stringify(json))
      if (status !== undefined) {
        send(status, { error: { message: 'scripted error', type: 'server_error' } })
        return
      }
      const data = body.input.map((text, index) => ({
        object: 'embedding',
        index,
        embedding: Array.from({ length: body.dimensions ?? 3 }, (_, at) => (at === 0 ? text.length : at / 8)),
      }))
      const tokens = tokensOf(body.input)
      send(200, {
        object: 'list',
        model: body.model,
        data,
        usage: { prompt_tokens: tokens, total_tokens: tokens },
      })
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    asked,
    /** Fails the next calls with these statuses. */
    fail: (...statuses: number[]) => failing.push(...statuses),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** A call of Google's embedding API. */
export interface AskedOfGoogle {
  readonly path: string
  readonly key: string | undefined
  /** One text: of `embedContent`; several: of `batchEmbedContents`. */
  readonly requests: readonly GoogleRequest[]
}
interface GoogleRequest {
  readonly model: string
  readonly content: { readonly parts: readonly { readonly text: string }[] }
  readonly outputDimensionality?: number
}

/** An embedding server with the two methods that Google documents. The vector of a text starts with its length; `fail` fails the next call. */
export async function startGoogleEmbedding() {
  const asked: AskedOfGoogle[] = []
  const failing: number[] = []
  const server = createServer((request, response) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', () => {
      const body = JSON.parse(Buffer.concat(parts).toString('utf8')) as GoogleRequest & { requests?: GoogleRequest[] }
      const path = request.url ?? ''
      const isBatch = path.endsWith(':batchEmbedContents')
      const requests = isBatch ? (body.requests ?? []) : [body]
      asked.push({ path, key: request.headers['x-goog-api-key'] as string | undefined, requests })
      const send = (code: number, json: object) =>
        response.writeHead(code, { 'Content-Type': 'application/json' }).end(JSON.stringify(json))
      const status = failing.shift()
      if (status !== undefined) {
        send(status, { error: { code: status, message: 'scripted error', status: 'UNAVAILABLE' } })
        return
      }
      const embeddings = requests.map(({ content, outputDimensionality = 3 }) => ({
        values: Array.from({ length: outputDimensionality }, (_, at) =>
          at === 0 ? content.parts.map(({ text }) => text).join('').length : at / 8,
        ),
      }))
      if (isBatch) send(200, { embeddings })
      else if (path.endsWith(':embedContent')) send(200, { embedding: embeddings[0] })
      else send(404, { error: { code: 404, message: 'no such method', status: 'NOT_FOUND' } })
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    fail: (...statuses: number[]) => failing.push(...statuses),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
