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
