import { createMCPClient, type MCPClient, MCPClientError } from '@ai-sdk/mcp'
import { Fault } from '@skillrun/core/fault.ts'
import { isJsonObject, type Json, type JsonSchema } from '@skillrun/core/json.ts'
import type { ServedTool, ToolServer, ToolServerAddress } from '../tool-server.ts'
import { programTransport } from './program-transport.ts'

const connectMs = 10_000
const callMs = 110_000
const toolsMax = 200
const descriptionCharactersMax = 2_000
const schemaCharactersMax = 50_000
const answerCharactersMax = 2_000_000
const errorCharactersMax = 500
const namePattern = /^[A-Za-z0-9_.-]{1,64}$/

export interface McpParts {
  /** As the configuration has it, for words. */
  readonly name: string
  readonly address: ToolServerAddress
  /** The way out for servers over HTTP. */
  readonly fetch: typeof fetch
}

/**
 * Connects to a server of the Model Context Protocol, over Streamable HTTP or standard input and output, and asks for its
 * tools. Throws Fault `tool_server_failed` when it cannot be had.
 */
export async function openMcpServer(parts: McpParts): Promise<ToolServer> {
  const failed = (what: string, cause?: unknown): Fault =>
    new Fault('upstream', 'tool_server_failed', `The tool server ${parts.name} ${what}`, { cause })
  let connection: Connection | undefined
  /** The next call has another connection; this one ends with the calls that others still have on it. */
  const lose = (lost: Connection): void => {
    if (connection === lost) connection = undefined
    if (lost.calls === 0) void lost.client.then((one) => one.close()).catch(() => undefined)
    lost.isLost = true
  }
  const using = async <T>(work: (client: MCPClient) => Promise<T>, signal?: AbortSignal): Promise<T> => {
    connection ??= { client: connected(parts), calls: 0, isLost: false }
    const own = connection
    own.calls += 1
    try {
      return await work(await own.client)
    } catch (error) {
      // What the caller broke off says nothing of the connection.
      if (!isAnswer(error) && !signal?.aborted) own.isLost = true
      throw error
    } finally {
      own.calls -= 1
      if (own.isLost) lose(own)
    }
  }
  const tools = await using((one) => one.listTools({ options: { timeout: connectMs } }))
    .then(({ tools: told }) => told.slice(0, toolsMax).flatMap(servedOf))
    .catch((error: unknown) => {
      if (connection) lose(connection)
      throw failed('could not be reached', error)
    })
  return {
    tools,
    async call(name, input, signal) {
      signal.throwIfAborted()
      const late = AbortSignal.timeout(callMs)
      const called = {
        name,
        arguments: (isJsonObject(input) ? input : {}) as Record<string, unknown>,
        options: { signal: AbortSignal.any([signal, late]) },
      }
      try {
        const result = await using((one) => one.callTool(called), signal)
        return answerOf(result as { content?: unknown; structuredContent?: unknown; isError?: unknown }, failed)
      } catch (error) {
        if (signal.aborted) throw signal.reason
        if (error instanceof Fault) throw error
        if (isAnswer(error)) throw failed(`answered with an error: ${error.message.slice(0, errorCharactersMax)}`)
        if (late.aborted) throw failed(`did not answer within ${callMs / 1000} seconds`)
        throw failed('failed, or broke the connection off', error)
      }
    },
    close: async () => {
      await (await connection?.client.catch(() => undefined))?.close().catch(() => undefined)
    },
  }
}

/** A connection, which several calls have at once. */
interface Connection {
  readonly client: Promise<MCPClient>
  calls: number
  isLost: boolean
}

/** Whether a failure is what the server answered to one call: the connection holds, and others' calls on it too. */
const isAnswer = (error: unknown): error is MCPClientError =>
  MCPClientError.isInstance(error) && error.code !== undefined && error.statusCode === undefined

/** An answer is read whole and parsed: a longer one ends here, before it holds up all others. */
const answerBytesMax = 8 * 1024 * 1024

/** `fetch`, whose answers to a call break off where they are too long. */
const bounded =
  (fetch: typeof globalThis.fetch): typeof globalThis.fetch =>
  async (input, init) => {
    const response = await fetch(input, init)
    if (!response.body || init?.method !== 'POST') return response
    let bytes = 0
    const counted = response.body.pipeThrough(
      new TransformStream<Uint8Array, Uint8Array>({
        transform(chunk, controller) {
          bytes += chunk.byteLength
          if (bytes > answerBytesMax) controller.error(new Error('the answer is too long'))
          else controller.enqueue(chunk)
        },
      }),
    )
    return new Response(counted, { status: response.status, headers: response.headers })
  }

async function connected({ address, fetch }: McpParts): Promise<MCPClient> {
  return createMCPClient({
    transport:
      'url' in address
        ? {
            type: 'http',
            url: address.url,
            redirect: 'error',
            fetch: bounded(fetch),
            ...(address.headers ? { headers: { ...address.headers } } : {}),
          }
        : programTransport(address),
    clientName: 'skillrun',
    initializationOptions: { timeout: connectMs },
    onUncaughtError: () => undefined,
  })
}

/** A tool that can be told to a model; one that has no sound name or schema is left out. */
function servedOf(told: { name: string; description?: string | undefined; inputSchema: unknown }): ServedTool[] {
  const input = told.inputSchema
  if (!namePattern.test(told.name) || !isJsonObject(input as Json)) return []
  if (JSON.stringify(input).length > schemaCharactersMax) return []
  const description = (told.description ?? '').toWellFormed().slice(0, descriptionCharactersMax)
  return [{ name: told.name, description, input: input as JsonSchema }]
}

/** What a call answered: its structured content, else the text of its parts. Pictures and files are named alone. */
function answerOf(
  result: { content?: unknown; structuredContent?: unknown; isError?: unknown },
  failed: (what: string) => Fault,
): Json {
  const parts = (Array.isArray(result.content) ? result.content : []) as { type?: unknown; text?: unknown }[]
  const text = parts
    .map((part) => (part.type === 'text' ? String(part.text ?? '') : `[${String(part.type)}]`))
    .join('\n')
    .toWellFormed()
  if (result.isError === true) throw failed(`answered with an error: ${text.slice(0, errorCharactersMax)}`)
  const answer = result.structuredContent === undefined ? text : (result.structuredContent as Json)
  if (JSON.stringify(answer).length > answerCharactersMax) throw failed('answered more than fits')
  return answer
}
