import { SkillrunFailure } from './failure.ts'
import type { Http, Stoppable } from './http.ts'
import type { ChatCompletion, ChatCompletionRequest, Json } from './openapi.ts'
import { readServerEvents } from './server-events.ts'

const path = '/v1/openai/chat/completions'

/** The chat API of a server, passed through. Any OpenAI client speaks it too, with the base URL `…/v1/openai`. */
export function chatOf(http: Http) {
  return {
    complete: (request: ChatCompletionRequest, how: Stoppable = {}) =>
      http.json<ChatCompletion>(path, { ...how, method: 'POST', body: { ...request, stream: false } }),
    /** The chunks as they arrive. Throws SkillrunFailure when the stream ends before `[DONE]`. */
    async *stream<T = Json>(request: ChatCompletionRequest, how: Stoppable = {}): AsyncGenerator<T> {
      const reply = await http.send(path, { ...how, method: 'POST', body: { ...request, stream: true } })
      const body = reply.body as ReadableStream<Uint8Array>
      try {
        for await (const { data } of readServerEvents(body)) {
          if (data === '[DONE]') return
          yield JSON.parse(data) as T
        }
      } catch (cause) {
        how.signal?.throwIfAborted()
        throw cutShort(cause)
      }
      throw cutShort()
    },
  }
}

const cutShort = (cause?: unknown): SkillrunFailure =>
  new SkillrunFailure('The connection ended before the reply was complete', { status: 0, code: 'reply_cut', cause })
