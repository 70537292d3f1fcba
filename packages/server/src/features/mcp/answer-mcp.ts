import { readFileSync } from 'node:fs'
import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js'
import { mcpServerOf } from './mcp-server.ts'
import type { McpCall } from './tool.ts'

const { version } = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8')) as {
  version: string
}

/** Answers one MCP message. The streamed reply ends with the answer, or when the signal of the call aborts. */
export async function answerMcp(
  call: Omit<McpCall, 'onProgress'>,
  sent: { url: string; headers: Readonly<Record<string, string | undefined>>; message: unknown },
): Promise<Response> {
  const headers = new Headers()
  for (const [name, value] of Object.entries(sent.headers)) if (typeof value === 'string') headers.set(name, value)
  const server = mcpServerOf(call, version)
  const transport = new WebStandardStreamableHTTPServerTransport({})
  await server.connect(transport)
  call.signal.addEventListener('abort', () => void server.close(), { once: true })
  return transport.handleRequest(new Request(sent.url, { method: 'POST', headers }), { parsedBody: sent.message })
}
