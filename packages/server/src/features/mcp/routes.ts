import { Readable } from 'node:stream'
import type { ReadableStream } from 'node:stream/web'
import { Fault } from '@skillrun/core/fault.ts'
import { z } from 'zod'
import type { CallRoute } from '../../adapters/http/call-route.ts'
import { type Incoming, type Route, route } from '../../adapters/http/route.ts'
import type { McpServices } from './tool.ts'

export interface McpRouteParts extends McpServices {
  readonly publicUrl: string | undefined
  /** Calls other routes of this server on behalf of a request. */
  readonly callsOf: (incoming: Incoming<unknown, unknown, unknown>) => CallRoute
}

const message = z
  .looseObject({ jsonrpc: z.literal('2.0') })
  .describe('A JSON-RPC message of the Model Context Protocol; batches are not accepted')

/** The MCP server over streamable HTTP, without sessions. */
export function mcpRoutes(parts: McpRouteParts): Route[] {
  return [
    route({
      method: 'post',
      path: '/mcp',
      operation: 'callMcp',
      tag: 'mcp',
      scope: 'any',
      summary:
        'Model Context Protocol over streamable HTTP; each tool needs the scope of the routes that it stands for. Requests with an Origin of another site are refused',
      body: message,
      reply: { status: 200, description: 'JSON-RPC messages as server-sent events', contentType: 'text/event-stream' },
      otherReplies: [
        { status: 202, description: 'A notification was accepted' },
        {
          status: 406,
          description: 'The client does not accept both application/json and text/event-stream',
          contentType: 'application/json',
        },
      ],
      failures: [400, 415],
      async handle(incoming) {
        refuseForeignOrigin(incoming, parts.publicUrl)
        // Loaded on first use, to keep the start fast.
        const { answerMcp } = await import('./answer-mcp.ts')
        const { caller, db, signal, headers, origin, sentBody } = incoming
        const of = { ...parts, caller, db, signal, route: parts.callsOf(incoming) }
        const reply = await answerMcp(of, { url: `${origin}/mcp`, headers, message: sentBody })
        return {
          status: reply.status,
          headers: Object.fromEntries(reply.headers),
          stream: reply.body ? Readable.fromWeb(reply.body as ReadableStream) : Readable.from([]),
        }
      },
    }),
  ]
}

/** Browsers send the origin of a page: a foreign origin must not use a key, nor reach a server by DNS rebinding. */
function refuseForeignOrigin(
  { headers, origin }: Pick<Incoming<unknown, unknown, unknown>, 'headers' | 'origin'>,
  publicUrl: string | undefined,
): void {
  const given = headers['origin']
  if (given === undefined) return
  if (given === origin || (publicUrl !== undefined && given === new URL(publicUrl).origin)) return
  throw new Fault(
    'forbidden',
    'foreign_origin',
    `Requests from pages of ${given.slice(0, 200)} are not allowed here; send the request without an Origin header, from outside a browser`,
  )
}
