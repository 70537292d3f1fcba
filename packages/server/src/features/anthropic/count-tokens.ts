import { isJsonObject, type JsonObject } from '@skillrun/core/json.ts'
import { z } from 'zod'
import { type Route, route, withAliases } from '../../adapters/http/route.ts'
import { messageText } from '../../agent/conversation.ts'
import { tokensOf } from '../../agent/fit-context.ts'
import { readMessages } from '../chat/chat.ts'
import { type DocumentParts, readDocuments } from '../inputs/inputs.ts'
import { asSentToMessages, readMessagesRequest } from './read-request.ts'
import { messagesRequest } from './wire.ts'

/** High for English, where a word has about 1.3 tokens: numbers and other languages have more. */
const tokensPerWord = 2
const tokensPerImage = 3_000
/** What surrounds each message. */
const tokensPerMessage = 4

const body = messagesRequest
  .omit({
    ...{ max_tokens: true, stream: true, stop_sequences: true, temperature: true, top_p: true, metadata: true },
    ...{ container: true, service_tier: true, toolsets: true, max_cost_dollars: true, max_steps: true },
    ...{ max_wrong_rate: true, timeout_seconds: true },
  })
  .meta({ id: 'AnthropicCountTokensRequest' })

/** Estimates the input tokens of a message before it is created: documents are read, no model is called and nothing is recorded. */
export function countTokensRoutes(parts: Omit<DocumentParts, 'db'>): Route[] {
  return withAliases([countRoute(parts)], '/anthropic/v1', { Alias: '/v1/anthropic/v1', Short: '/v1' })
}

function countRoute(parts: Omit<DocumentParts, 'db'>): Route {
  return route({
    method: 'post',
    path: '/anthropic/v1/messages/count_tokens',
    operation: 'countMessageTokens',
    tag: 'anthropic',
    scope: 'execute',
    summary: 'Estimate the input tokens of a message, rather too high',
    body,
    reply: { status: 200, description: 'The estimate', schema: z.object({ input_tokens: z.int() }) },
    failures: [400, 404],
    handle: async ({ db, caller, body: sent, signal }) => {
      const request = { ...sent, max_tokens: 1 }
      try {
        const { chat } = readMessagesRequest(request)
        const { messages, inputs } = readMessages(chat.messages)
        const isImage = (item: unknown) =>
          isJsonObject(item as JsonObject) && (item as JsonObject)['type'] === 'image_url'
        const documents = Object.fromEntries(Object.entries(inputs).filter(([, item]) => !isImage(item)))
        const of = { workspaceId: caller.workspaceId, inputs: documents, pageIndices: null, signal }
        const { parsedInputs } = await readDocuments({ ...parts, db }, of)
        const texts = messages.map((one) =>
          [messageText(one), ...(one.role === 'assistant' ? [JSON.stringify(one.toolCalls)] : [])].join(' '),
        )
        const fixed = [chat.tools, chat.response_format].flatMap((one) => (one ? [JSON.stringify(one)] : []))
        const images = Object.values(inputs).filter(isImage).length
        const input_tokens =
          [...texts, ...fixed].reduce((sum, text) => sum + tokensOf(text), 0) +
          messages.length * tokensPerMessage +
          parsedInputs.reduce((sum, { document }) => sum + document.words * tokensPerWord, 0) +
          images * tokensPerImage
        return { json: { input_tokens } }
      } catch (error) {
        throw asSentToMessages(error, request)
      }
    },
  })
}
