// A server of the Model Context Protocol with two tools: over standard input and output as a program, over HTTP by
// `startMcp`. https://modelcontextprotocol.io/specification/2025-06-18
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createInterface } from 'node:readline'
import { pathToFileURL } from 'node:url'

interface Message {
  readonly id?: number | string
  readonly method: string
  readonly params?: { readonly name?: string; readonly arguments?: Readonly<Record<string, unknown>> }
}

const stock = {
  name: 'stock',
  description: 'Says how many of an article are there.',
  inputSchema: { type: 'object', properties: { article: { type: 'string' } }, required: ['article'] },
}
const broken = { name: 'broken', description: 'Fails.', inputSchema: { type: 'object' } }
const unsound = { name: 'un sound', description: 'Has a name that is none.', inputSchema: { type: 'object' } }

/** The server's reply to a message; undefined for a notification. */
function answer({ id, method, params }: Message): object | undefined {
  if (id === undefined) return undefined
  const says = (result: object): object => ({ jsonrpc: '2.0', id, result })
  switch (method) {
    case 'initialize':
      return says({
        protocolVersion: '2025-06-18',
        capabilities: { tools: {} },
        serverInfo: { name: 'stock', version: '1' },
      })
    case 'tools/list':
      return says({ tools: [stock, broken, unsound] })
    case 'tools/call':
      if (params?.arguments?.['article'] === 'everything')
        return says({ content: [{ type: 'text', text: 'x'.repeat(50_000_000) }] })
      if (params?.arguments?.['article'] === 'ghosts')
        return { jsonrpc: '2.0', id, error: { code: -32_000, message: 'There are no ghosts' } }
      if (params?.arguments?.['article'] === 'variables')
        return says({ content: [{ type: 'text', text: Object.keys(process.env).join(' ') }] })
      return params?.name === 'stock'
        ? says({ content: [{ type: 'text', text: `There are 7 of ${String(params.arguments?.['article'])}` }] })
        : says({ isError: true, content: [{ type: 'text', text: 'The shelf fell down' }] })
    default:
      return { jsonrpc: '2.0', id, error: { code: -32601, message: 'no such method' } }
  }
}

/** The server over HTTP on its own port; `headers` are those of the last call. `onCall` runs before a tool answers. */
export async function startMcp(onCall: (call: Message['params']) => Promise<void> = async () => {}) {
  const seen: { headers: NodeJS.Dict<string | string[]> } = { headers: {} }
  const server = createServer((request, response) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', async () => {
      seen.headers = request.headers
      const message = request.method === 'POST' ? (JSON.parse(Buffer.concat(parts).toString()) as Message) : undefined
      if (message?.method === 'tools/call') await onCall(message.params)
      const told = message && answer(message)
      const status = request.method === 'POST' ? (told ? 200 : 202) : 405
      response.writeHead(status, { 'Content-Type': 'application/json' }).end(told ? JSON.stringify(told) : undefined)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  return { host, url: `http://${host}/mcp`, seen, close: () => server.close() }
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  /** A call for tomorrow's is answered when one for today's arrives. */
  const kept: Message[] = []
  createInterface({ input: process.stdin }).on('line', (line) => {
    const message = JSON.parse(line) as Message
    if (message.params?.arguments?.['article'] === 'tomorrow') {
      kept.push(message)
      return
    }
    const isLast = message.params?.arguments?.['article'] === 'today'
    for (const one of [message, ...(isLast ? kept.splice(0) : [])]) {
      const told = answer(one)
      if (told) process.stdout.write(`${JSON.stringify(told)}\n`)
    }
  })
}
