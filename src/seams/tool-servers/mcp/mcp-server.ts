import { createMCPClient, type MCPClient } from '@ai-sdk/mcp'
import { Experimental_StdioMCPTransport } from '@ai-sdk/mcp/mcp-stdio'
import { Fault } from '../../../kit/fault.ts'
import { isJsonObject, type Json, type JsonSchema } from '../../../kit/json.ts'
import type { ServedTool, ToolServer, ToolServerAddress } from '../tool-server.ts'

const connectMs = 10_000
const callMs = 110_000
const toolsMax = 200
const descriptionCharactersMax = 2_000
const schemaCharactersMax = 50_000
const answerCharactersMax = 2_000_000
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
  const connect = (): Promise<MCPClient> => connected(parts)
  let client: Promise<MCPClient> | undefined
  const own = (): Promise<MCPClient> => {
    client ??= connect()
    client.catch(() => {
      client = undefined
    })
    return client
  }
  const lose = (): void => {
    void client?.then((one) => one.close()).catch(() => undefined)
    client = undefined
  }
  const tools = await own()
    .then((one) => one.listTools({ options: { timeout: connectMs } }))
    .then(({ tools: told }) => told.slice(0, toolsMax).flatMap(servedOf))
    .catch((error: unknown) => {
      lose()
      throw failed('could not be reached', error)
    })
  return {
    tools,
    async call(name, input, signal) {
      signal.throwIfAborted()
      try {
        const result = await (await own()).callTool({
          name,
          arguments: (isJsonObject(input) ? input : {}) as Record<string, unknown>,
          options: { signal, timeout: callMs },
        })
        return answerOf(result as { content?: unknown; structuredContent?: unknown; isError?: unknown }, failed)
      } catch (error) {
        if (signal.aborted) throw signal.reason
        if (error instanceof Fault) throw error
        lose()
        throw failed('failed, or broke the connection off', error)
      }
    },
    close: async () => {
      await (await client?.catch(() => undefined))?.close().catch(() => undefined)
    },
  }
}

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
        : new Experimental_StdioMCPTransport({
            command: address.command,
            args: [...(address.args ?? [])],
            env: { ...address.env },
            stderr: 'ignore',
          }),
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
  if (result.isError === true) throw failed(`answered with an error: ${text.slice(0, 500)}`)
  const answer = result.structuredContent === undefined ? text : (result.structuredContent as Json)
  if (JSON.stringify(answer).length > answerCharactersMax) throw failed('answered more than fits')
  return answer
}
