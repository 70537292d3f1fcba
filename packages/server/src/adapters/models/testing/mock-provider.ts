import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { JsonObject } from '@skillrun/core/json.ts'
import type { ScriptedReply, Wire } from './wires.ts'

/** How the provider answers one request. */
export type Behaviour =
  | { readonly say: ScriptedReply }
  | { readonly answer: JsonObject }
  | { readonly status: number; readonly headers?: Readonly<Record<string, string>>; readonly body?: string }
  /** Half of a valid reply, then the connection breaks; a stream can also end normally there, or fall silent. */
  | { readonly cut: ScriptedReply; readonly after?: 'end' | 'silence' }
  /** Takes the request and never answers. */
  | { readonly hang: true }

/** A fake provider on this machine: it speaks one wire format and behaves as scripted, request by request. */
export interface MockProvider extends AsyncDisposable {
  /** Without a path. */
  readonly url: string
  readonly requests: readonly {
    readonly path: string
    readonly headers: Readonly<Record<string, unknown>>
    readonly body: JsonObject
  }[]
}

/** Starts a provider that answers its n-th request with the n-th behaviour. */
export async function startMockProvider(wire: Wire, behaviours: readonly Behaviour[]): Promise<MockProvider> {
  const requests: { path: string; headers: Record<string, unknown>; body: JsonObject }[] = []
  const server = createServer((request, response) => {
    void readBody(request).then((text) => {
      const path = (request.url ?? '').split('?')[0] ?? ''
      requests.push({ path, headers: { ...request.headers }, body: text === '' ? {} : JSON.parse(text) })
      const behaviour = wire.path.test(path) ? behaviours[requests.length - 1] : undefined
      if (behaviour === undefined) respond(response, { status: 404, body: wire.error(`nothing at ${path}`) })
      else {
        const isStreamed = requests.at(-1)?.body['stream'] === true || path.endsWith(':streamGenerateContent')
        behave({ wire, response, number: requests.length, isStreamed }, behaviour)
      }
    })
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => {
        server.close(resolve)
      })
    },
  }
}

function behave(
  at: { wire: Wire; response: ServerResponse; number: number; isStreamed: boolean },
  behaviour: Behaviour,
): void {
  const { wire, response, number, isStreamed } = at
  if ('hang' in behaviour) return
  if ('status' in behaviour) {
    const body = behaviour.body ?? JSON.stringify(wire.error('scripted error'))
    response.writeHead(behaviour.status, { 'Content-Type': 'application/json', ...behaviour.headers })
    response.end(body)
    return
  }
  const answer =
    'answer' in behaviour ? behaviour.answer : wire.answer('say' in behaviour ? behaviour.say : behaviour.cut, number)
  if (isStreamed) stream(response, wire.stream(answer), behaviour)
  else if ('cut' in behaviour) {
    const text = JSON.stringify(answer)
    response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(text) })
    response.write(text.slice(0, text.length / 2), () => response.destroy())
  } else respond(response, { status: 200, body: answer })
}

/** Sends the events; when cut, half of them. */
function stream(
  response: ServerResponse,
  events: readonly string[],
  behaviour: Exclude<Behaviour, { readonly status: number } | { readonly hang: true }>,
): void {
  response.writeHead(200, { 'Content-Type': 'text/event-stream' })
  const isCut = 'cut' in behaviour
  const sent = isCut ? events.slice(0, Math.ceil(events.length / 2)) : events
  for (const event of sent) response.write(event)
  if (!isCut || behaviour.after === 'end') response.end()
  else if (behaviour.after !== 'silence') response.write('\n', () => response.destroy())
}

function respond(response: ServerResponse, answer: { status: number; body: JsonObject }): void {
  response.writeHead(answer.status, { 'Content-Type': 'application/json' })
  response.end(JSON.stringify(answer.body))
}

async function readBody(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = []
  for await (const part of request) parts.push(part as Buffer)
  return Buffer.concat(parts).toString('utf8')
}
