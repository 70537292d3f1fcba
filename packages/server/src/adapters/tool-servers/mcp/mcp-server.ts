import { createMCPClient, type MCPClient, MCPClientError } from '@ai-sdk/mcp'
import { Fault } from '@skillrun/core/fault.ts'
import { isJsonObject, type Json, type JsonSchema } from '@skillrun/core/json.ts'
import { startDeadline } from '../../../core/deadline.ts'
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
  /** The name in the configuration, for messages. */
  readonly name: string
  readonly address: ToolServerAddress
  /** For servers over HTTP. */
  readonly fetch: typeof fetch
}

/**
 * Connects to a Model Context Protocol server, over Streamable HTTP or stdio, and lists its tools. Throws Fault
 * `tool_server_failed` when it cannot be reached.
 */
export async function openMcpServer(parts: McpParts): Promise<ToolServer> {
  const failed = (what: string, cause?: unknown): Fault =>
    new Fault('upstream', 'tool_server_failed', `The tool server ${parts.name} ${what}`, { cause })
  let connection: Connection | undefined
  /** Later calls open a new connection; this one is closed when its current calls have ended. */
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
      // An abort by the caller does not mean that the connection is lost.
      if (!isAnswer(error) && !signal?.aborted) own.isLost = true
      throw error
    } finally {
      own.calls -= 1
      if (own.isLost) lose(own)
    }
  }
  const tools = await using((one) => one.listTools({ options: { timeout: connectMs } }))
    .then(({ tools: listed }) => listed.slice(0, toolsMax).flatMap(servedOf))
    .catch((error: unknown) => {
      if (connection) lose(connection)
      throw failed('could not be reached', error)
    })
  return {
    tools,
    async call(name, input, signal) {
      signal.throwIfAborted()
      using deadline = startDeadline(signal, callMs)
      const called = {
        name,
        arguments: (isJsonObject(input) ? input : {}) as Record<string, unknown>,
        options: { signal: deadline.signal },
      }
      try {
        const result = await using((one) => one.callTool(called), signal)
        return answerOf(result as { content?: unknown; structuredContent?: unknown; isError?: unknown }, failed)
      } catch (error) {
        if (signal.aborted) throw signal.reason
        if (error instanceof Fault) throw error
        if (isAnswer(error)) throw failed(`answered with an error: ${error.message.slice(0, errorCharactersMax)}`)
        if (deadline.isOver) throw failed(`did not answer within ${callMs / 1000} seconds`)
        throw failed('failed, or closed the connection', error)
      }
    },
    close: async () => {
      await (await connection?.client.catch(() => undefined))?.close().catch(() => undefined)
    },
  }
}

/** A connection that concurrent calls share. */
interface Connection {
  readonly client: Promise<MCPClient>
  calls: number
  isLost: boolean
}

/** Whether an error is the server's reply to one call: the connection still works, and so do other calls on it. */
const isAnswer = (error: unknown): error is MCPClientError =>
  MCPClientError.isInstance(error) && error.code !== undefined && error.statusCode === undefined

/** Replies are parsed as a whole; a longer one is cut off before it blocks the process. */
const answerBytesMax = 8 * 1024 * 1024

/** A `fetch` that aborts replies to POST requests beyond `answerBytesMax`. */
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
          if (bytes > answerBytesMax) controller.error(new Error('the reply is too long'))
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

/** Converts a listed tool; empty for one without a valid name or schema. */
function servedOf(listed: { name: string; description?: string | undefined; inputSchema: unknown }): ServedTool[] {
  const input = listed.inputSchema
  if (!namePattern.test(listed.name) || !isJsonObject(input as Json)) return []
  if (JSON.stringify(input).length > schemaCharactersMax) return []
  const description = (listed.description ?? '').toWellFormed().slice(0, descriptionCharactersMax)
  return [{ name: listed.name, description, input: input as JsonSchema }]
}

/** The result of a call: its structured content, otherwise the text of its parts. Images and files appear as their type only. */
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
  if (JSON.stringify(answer).length > answerCharactersMax)
    throw failed(`sent a result of more than ${answerCharactersMax} characters`)
  return answer
}
