import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { pathToFileURL } from 'node:url'
import type { Json, JsonObject } from '../../packages/core/src/json.ts'
import { chatWire, type ScriptedReply } from '../../packages/server/src/adapters/models/testing/wires.ts'

/** The parts of a request that scripts use. */
export interface MockRequest {
  /** All user and system text. */
  readonly text: string
  /** Tool results so far, oldest first, as JSON text. */
  readonly results: readonly string[]
  readonly tools: readonly string[]
  /** The number of answers that were sent back for correction. */
  readonly corrections: number
  /** Images in the request, as data URLs. */
  readonly pictures: readonly string[]
  readonly body: JsonObject
}

/** The mock's response to one request. */
export type MockTurn =
  /** `holdsAfter`: a stream stops after this many events and stays open. */
  | (ScriptedReply & { readonly holdsAfter?: number })
  | { readonly status: number; readonly headers?: Record<string, string>; readonly body?: Json }

export interface MockModel extends AsyncDisposable {
  /** For OPENAI_BASE_URL or a provider's base_url. */
  readonly baseUrl: string
  /** Every request so far, oldest first. */
  readonly requests: readonly MockRequest[]
}

/** A vector for each text: its length, and zeros. */
const embeddingsOf = ({ input }: { readonly input: readonly string[] }) => ({
  object: 'list',
  data: input.map((text, index) => ({ object: 'embedding', index, embedding: [text.length, 0, 0] })),
  usage: { prompt_tokens: input.length, total_tokens: input.length },
})

/**
 * A local server with OpenAI's Chat Completions API that answers from a script: deterministic, for tests and
 * benchmarks. `delayMs` passes before each answer.
 */
export async function startMockModel(options: {
  readonly script: (request: MockRequest, number: number) => MockTurn | Promise<MockTurn>
  readonly delayMs?: number
  /** Called when the client has received the answer or disconnected. */
  readonly onAnswered?: () => void
  readonly port?: number
}): Promise<MockModel> {
  const requests: MockRequest[] = []
  const server = createServer((incoming, response) => {
    void answer(incoming, response).catch(() => response.destroy())
  })
  const answer = async (incoming: IncomingMessage, response: ServerResponse): Promise<void> => {
    const parts: Buffer[] = []
    for await (const part of incoming) parts.push(part as Buffer)
    const body = JSON.parse(Buffer.concat(parts).toString('utf8'))
    if (incoming.url?.endsWith('/embeddings')) {
      response.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify(embeddingsOf(body)))
      return
    }
    const request = requestOf(body)
    const number = requests.push(request)
    if (options.onAnswered) response.once('close', options.onAnswered)
    const turn = await options.script(request, number)
    const send = (): void => {
      const isSaying = !('status' in turn)
      if (isSaying && request.body['stream'] === true) {
        const events = chatWire.stream(chatWire.answer(turn, number))
        response.writeHead(200, { 'Content-Type': 'text/event-stream' })
        for (const event of events.slice(0, turn.holdsAfter)) response.write(event)
        if (turn.holdsAfter === undefined) response.end()
        return
      }
      const body = isSaying ? chatWire.answer(turn, number) : (turn.body ?? chatWire.error('scripted error'))
      const headers = isSaying ? {} : turn.headers
      response.writeHead(isSaying ? 200 : turn.status, { 'Content-Type': 'application/json', ...headers })
      response.end(JSON.stringify(body))
    }
    if (options.delayMs) setTimeout(send, options.delayMs)
    else send()
  }
  await new Promise<void>((resolve) => {
    server.listen(options.port ?? 0, '127.0.0.1', resolve)
  })
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    requests,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => {
        server.close(resolve)
      })
    },
  }
}

interface ChatMessage {
  readonly role: string
  readonly content:
    | string
    | readonly { readonly type: string; readonly text?: string; readonly image_url?: { readonly url: string } }[]
    | null
}

function requestOf(body: JsonObject): MockRequest {
  const messages = body['messages'] as unknown as readonly ChatMessage[]
  const partsOf = ({ content }: ChatMessage) =>
    typeof content === 'string' ? [{ type: 'text', text: content }] : (content ?? [])
  const asked = messages.filter((message) => message.role !== 'assistant' && message.role !== 'tool')
  return {
    text: asked.flatMap((message) => partsOf(message).map((part) => part.text ?? '')).join('\n'),
    results: chatWire.resultsIn(body),
    tools: chatWire.toolsIn(body),
    corrections: messages.filter((message) => message.role === 'user').length - 1,
    pictures: messages.flatMap((message) =>
      partsOf(message).flatMap((part) => ('image_url' in part && part.image_url ? [part.image_url.url] : [])),
    ),
    body,
  }
}

/** A script of two turns: one tool call, then the answer. Its usage is a hundredth of the request. */
export const toolThenAnswer =
  (answer: Json, call = { name: 'document_search', input: { query: 'total' } as Json }) =>
  ({ text, results, tools }: MockRequest): ScriptedReply => {
    const usage = { inputTokens: Math.ceil(text.length / 4), outputTokens: 50 }
    return results.length === 0 && tools.includes(call.name)
      ? { toolCalls: [call], usage }
      : { text: JSON.stringify(answer), usage }
  }

/** As a program: `node test/support/mock-model.ts [port] [delayMs]` serves until it is stopped. */
if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const [port = '8099', delayMs = '0'] = process.argv.slice(2)
  const script = toolThenAnswer({ invoice_number: 'INV-2041', invoice_date: '2026-03-14', total: 144 })
  const { baseUrl } = await startMockModel({ script, port: Number(port), delayMs: Number(delayMs) })
  process.stdout.write(`${baseUrl}\n`)
}
