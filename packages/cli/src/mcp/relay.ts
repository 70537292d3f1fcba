import { realpath } from 'node:fs/promises'
import { resolve, sep } from 'node:path'
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'
import {
  isJSONRPCNotification,
  isJSONRPCRequest,
  isJSONRPCResultResponse,
  type JSONRPCMessage,
  type RequestId,
} from '@modelcontextprotocol/sdk/types.js'
import { readServerEvents } from '@skillrun/client/server-events.ts'
import { Fault } from '@skillrun/core/fault.ts'
import { isJsonObject, type Json, type JsonObject } from '@skillrun/core/json.ts'
import type { Client } from '../client.ts'
import { findLocalFile } from '../local-file.ts'
import { sendFile } from '../send-files.ts'
import type { Terminal } from '../terminal.ts'

interface McpParts {
  readonly client: Client
  readonly terminal: Terminal
  /** Files in these folders may be uploaded. */
  readonly folders: readonly string[]
}

/**
 * Connects an MCP client on standard input and output to `/mcp` of the server, until standard input ends or the terminal's signal aborts.
 * Answers with an error for a message that the server does not answer.
 */
export async function relayMcp(parts: McpParts): Promise<void> {
  const { client, terminal } = parts
  const stdio = new StdioServerTransport()
  const pending = new Map<RequestId, AbortController>()
  let version: string | undefined

  const onReply = async (message: JSONRPCMessage): Promise<void> => {
    const given = isJSONRPCResultResponse(message) ? message.result['protocolVersion'] : undefined
    if (typeof given === 'string') version = given
    await stdio.send(message)
  }

  async function relay(message: JSONRPCMessage): Promise<void> {
    if (isJSONRPCNotification(message) && message.method === 'notifications/cancelled') {
      // Without sessions, the server learns of a cancellation by the end of the connection.
      pending.get(message.params?.['requestId'] as RequestId)?.abort()
      return
    }
    const id = isJSONRPCRequest(message) ? message.id : undefined
    const stop = new AbortController()
    if (id !== undefined) pending.set(id, stop)
    let isAnswered = id === undefined
    let isSent = false
    try {
      const body = await withUploads(message, parts)
      isSent = true
      const reply = await client.send('/mcp', {
        method: 'POST',
        body,
        headers: {
          Accept: 'application/json, text/event-stream',
          ...(version === undefined ? {} : { 'MCP-Protocol-Version': version }),
        },
        signal: AbortSignal.any([terminal.signal, stop.signal]),
      })
      for await (const answer of messagesOf(reply)) {
        if ('id' in answer && answer.id === id && !('method' in answer)) isAnswered = true
        await onReply(answer)
      }
      if (!isAnswered) throw new Fault('unavailable', 'connection_cut', brokenOff)
    } catch (error) {
      if (stop.signal.aborted || terminal.signal.aborted) return
      const text = error instanceof Fault ? error.message : brokenOff
      if (isAnswered || id === undefined) terminal.log(`skillrun: ${text}`)
      else if (!isSent && !asksForTask(message)) await stdio.send({ jsonrpc: '2.0', id, result: failedCall(text) })
      else await stdio.send({ jsonrpc: '2.0', id, error: { code: -32_000, message: text } })
    } finally {
      if (id !== undefined) pending.delete(id)
    }
  }

  const ended = Promise.withResolvers<void>()
  process.stdin.once('end', ended.resolve)
  terminal.signal.addEventListener('abort', () => ended.resolve(), { once: true })
  stdio.onmessage = (message) => void relay(message)
  stdio.onerror = (error) => terminal.log(`skillrun: ${error.message}`)
  await stdio.start()
  await ended.promise
  for (const stop of pending.values()) stop.abort()
  await stdio.close()
}

const brokenOff =
  'The connection to the server ended before the answer. An execution that was accepted continues: repeat the call with the same request_id, or look it up'

async function* messagesOf(reply: Response): AsyncGenerator<JSONRPCMessage> {
  if (reply.headers.get('content-type')?.startsWith('text/event-stream') && reply.body) {
    for await (const { data } of readServerEvents(reply.body)) yield JSON.parse(data) as JSONRPCMessage
  } else if (reply.status !== 202) yield (await reply.json()) as JSONRPCMessage
}

/**
 * The result of a tool's call that named a file that cannot be sent: the model reads it and can name another. The protocol has JSON-RPC
 * errors for what a model cannot correct, and for calls that were to become a task, which have no result yet.
 */
const failedCall = (text: string) => ({ content: [{ type: 'text', text }], isError: true })

const asksForTask = (message: JSONRPCMessage): boolean =>
  isJSONRPCRequest(message) && isJsonObject(message.params?.['task'] as Json)

/** The message with each `{"path": …}` in a tool's inputs uploaded and replaced by `{"file_id": …}`. */
async function withUploads(message: JSONRPCMessage, parts: McpParts): Promise<JSONRPCMessage> {
  if (!isJSONRPCRequest(message) || message.method !== 'tools/call') return message
  const params = message.params as JsonObject | undefined
  const given = params?.['arguments']
  const inputs = isJsonObject(given) ? given['inputs'] : undefined
  if (!isJsonObject(given) || !isJsonObject(inputs)) return message
  const sent: Record<string, Json> = {}
  for (const [name, value] of Object.entries(inputs))
    sent[name] = Array.isArray(value)
      ? await Promise.all(value.map((item) => uploaded(item, parts)))
      : await uploaded(value, parts)
  return { ...message, params: { ...params, arguments: { ...given, inputs: sent } } } as JSONRPCMessage
}

async function uploaded(value: Json, parts: McpParts): Promise<Json> {
  const path = isJsonObject(value) && Object.keys(value).length === 1 ? value['path'] : undefined
  if (typeof path !== 'string') return value
  return { file_id: (await sendFile(await findLocalFile(await allowedPath(path, parts.folders), path), parts)).id }
}

/** The path with links resolved. Throws Fault `forbidden` outside the allowed folders: a document may have asked for it. */
async function allowedPath(path: string, folders: readonly string[]): Promise<string> {
  const real = await realpath(resolve(path)).catch(() => resolve(path))
  const allowed = await Promise.all(folders.map((folder) => realpath(resolve(folder)).catch(() => resolve(folder))))
  if (allowed.some((folder) => real.startsWith(folder.endsWith(sep) ? folder : folder + sep))) return real
  throw new Fault(
    'forbidden',
    'folder_not_allowed',
    `${path} is not in a folder that may be read; ${folders.length === 0 ? 'start "skillrun mcp" with --folder <FOLDER> to allow one' : `allowed are: ${folders.join(', ')}`}`,
  )
}
