import type { Http } from './http.ts'
import type { Json } from './openapi.ts'
import { readServerEvents } from './server-events.ts'

/** A request of the OpenAI chat interface, with what this server takes beside it: `session_id`, `skills`, `toolsets`. */
export interface ChatRequest {
  readonly model: string
  readonly messages: readonly { readonly role: string; readonly content: Json }[]
  readonly [field: string]: unknown
}

/** The chat interface of a server, passed through as it is. Any OpenAI client speaks it too, with the base URL `…/v1/openai`. */
export function chatOf(http: Http) {
  const path = '/v1/openai/chat/completions'
  return {
    complete: <T = Json>(request: ChatRequest, how: { signal?: AbortSignal | undefined } = {}) =>
      http.json<T>(path, { ...how, method: 'POST', body: { ...request, stream: false } }),
    /** The chunks as they come. */
    async *stream<T = Json>(request: ChatRequest, how: { signal?: AbortSignal | undefined } = {}): AsyncGenerator<T> {
      const reply = await http.send(path, { ...how, method: 'POST', body: { ...request, stream: true } })
      for await (const { data } of readServerEvents(reply.body as ReadableStream<Uint8Array>)) {
        if (data === '[DONE]') return
        yield JSON.parse(data) as T
      }
    },
  }
}
