import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { isJsonObject, type Json, type JsonObject } from '@skillrun/core/json.ts'

/** A request to the scripted server. */
export interface SeenRequest {
  readonly method: string
  readonly path: string
  readonly query: Readonly<Record<string, string>>
  readonly authorization: string | undefined
  readonly contentType: string | undefined
  /** Last-Event-ID of a request for events. */
  readonly lastEventId: string | undefined
  readonly body: Buffer
  /** The parsed body, if it was JSON. */
  readonly json: JsonObject
}

/** A JSON reply with its status. */
interface JsonAnswer {
  readonly status: number
  readonly json: Json
  readonly headers?: Readonly<Record<string, string>>
}

/** A reply: JSON, or a function that writes the raw response. */
export type Answer = JsonAnswer | ((reply: ServerResponse, request: SeenRequest) => void)

/** A small HTTP server with default replies in the format of the API; tests script others. */
export interface ScriptedServer {
  readonly url: string
  readonly key: string
  readonly seen: readonly SeenRequest[]
  /** Scripts the next replies of `METHOD /path`, one each; the last one is repeated. */
  script(route: string, ...answers: readonly Answer[]): void
  close(): Promise<void>
}

export const fileId = '0192f0c1-0000-7000-8000-0000000000f1'
const moment = '2026-11-21T15:00:00.000Z'

/** An execution record in this state. */
export function executionRecord(id: string, status: string, more: JsonObject = {}): JsonObject {
  const ended = status === 'completed' || status === 'failed'
  return {
    id,
    name: 'extract-the-invoice',
    response: null,
    execution_mode: 'agent',
    status,
    created_at: moment,
    completed_at: ended ? '2026-11-21T15:00:01.500Z' : null,
    usage: {
      elements_processed: ended ? 2 : null,
      element_type: ended ? 'page' : null,
      cost_dollars: ended ? 0 : null,
      message: null,
    },
    error: null,
    evidence: null,
    completeness: null,
    warnings: [],
    ...more,
  }
}

/** A stored file's record. */
export const fileRecord = (filename: string, bytes: number): JsonObject => ({
  id: fileId,
  filename,
  bytes,
  purpose: 'assistants',
  created_at: moment,
  object: 'file',
  public_url: null,
})

/** Starts a scripted server on a free local port. */
export async function startScriptedServer(): Promise<ScriptedServer> {
  const key = 'sk-scripted-0123456789'
  const seen: SeenRequest[] = []
  const scripts = new Map<string, Answer[]>()
  const server = createServer((incoming, reply) => {
    void receive(incoming).then((request) => {
      seen.push(request)
      const queue = scripts.get(`${request.method} ${request.path}`)
      const scripted = queue && (queue.length > 1 ? queue.shift() : queue[0])
      const answer = scripted ?? (request.authorization === `Bearer ${key}` ? usual(request) : refused)
      if (typeof answer === 'function') answer(reply, request)
      else sendJson(reply, answer)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    key,
    seen,
    script: (route, ...answers) => void scripts.set(route, [...answers]),
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

const refused: Answer = { status: 401, json: { detail: 'The key is not valid: it is unknown, expired or revoked' } }

/** Closes the connection without a reply. */
export const cut: Answer = (reply) => void reply.socket?.destroy()

/** A stream of server-sent events with consecutive ids; it ends after the last one or stays open. */
export const stream =
  (events: readonly (readonly [event: string, data: JsonObject])[], { staysOpen = false } = {}): Answer =>
  (reply) => {
    reply.writeHead(200, { 'Content-Type': 'text/event-stream' })
    for (const [index, [event, data]] of events.entries())
      reply.write(`id: ${index + 1}-0\nevent: ${event}\ndata: ${JSON.stringify(data)}\n\n`)
    if (!staysOpen) reply.end()
  }

/** Never replies. */
export const silent: Answer = () => undefined

function sendJson(reply: ServerResponse, { status, json, headers }: JsonAnswer): void {
  reply.writeHead(status, { 'Content-Type': 'application/json', ...headers }).end(JSON.stringify(json))
}

async function receive(incoming: IncomingMessage): Promise<SeenRequest> {
  const parts: Buffer[] = []
  for await (const part of incoming) parts.push(part as Buffer)
  const body = Buffer.concat(parts)
  const url = new URL(incoming.url ?? '/', 'http://localhost')
  const contentType = incoming.headers['content-type']
  const value: unknown = contentType === 'application/json' ? JSON.parse(body.toString()) : {}
  return {
    method: incoming.method ?? '',
    path: url.pathname,
    query: Object.fromEntries(url.searchParams),
    authorization: incoming.headers.authorization,
    contentType,
    lastEventId: incoming.headers['last-event-id']?.toString(),
    body,
    json: isJsonObject(value) ? value : {},
  }
}

/** Default replies of a healthy, empty server. */
function usual(request: SeenRequest): Answer {
  const id = request.path.split('/').at(-1) ?? ''
  switch (`${request.method} ${request.path.replace(/\/[0-9a-f-]{36}/, '/{id}')}`) {
    case 'GET /v1/health':
      return { status: 200, json: { status: 'ok' } }
    case 'POST /v1/files': {
      const sent = filePart(request)
      return { status: 201, json: fileRecord(sent.filename, sent.content.length) }
    }
    case 'POST /v1/agent/execute':
      return { status: 201, json: executionRecord(String(request.json['id']), 'enqueued') }
    case 'GET /v1/agent/executions/{id}':
      return { status: 200, json: executionRecord(id, 'completed', { response: { total: 12.5 } }) }
    default:
      return { status: 404, json: { detail: `There is no route ${request.method} ${request.path}` } }
  }
}

/** The file in a multipart body. */
export function filePart(request: SeenRequest): { filename: string; content: Buffer } {
  const boundary = /boundary=(\S+)$/.exec(request.contentType ?? '')?.[1] ?? ''
  const headEnd = request.body.indexOf('\r\n\r\n')
  const head = request.body.subarray(0, headEnd).toString()
  const tail = request.body.indexOf(`\r\n--${boundary}--\r\n`, headEnd)
  if (!head.startsWith(`--${boundary}\r\n`) || tail < 0)
    throw new Error('the body is not one part between its boundaries')
  return { filename: /filename="([^"]*)"/.exec(head)?.[1] ?? '', content: request.body.subarray(headEnd + 4, tail) }
}
