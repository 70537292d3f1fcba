import type { Json, JsonObject } from '@skillrun/core/json.ts'
import type { ModelReply, ModelUsage } from '../model.ts'
import { chatStream, generateContentStream, messagesStream, responsesStream } from './wire-streams.ts'

/** The content of a reply, independent of the wire format. */
export interface ScriptedReply {
  readonly text?: string
  readonly toolCalls?: readonly { readonly name: string; readonly input: Json }[]
  readonly finish?: ModelReply['finish']
  readonly usage?: Partial<ModelUsage>
}

/** The wire format of one provider: requests and replies as in its API reference. */
export interface Wire {
  readonly name: string
  /** The path of requests, without the query. */
  readonly path: RegExp
  readonly keyHeader: string
  /** The body of a valid reply. */
  answer(saying: ScriptedReply, number: number): JsonObject
  /** The stream events of a valid reply. */
  stream(answer: JsonObject): readonly string[]
  /** The body of an error. */
  error(message: string): JsonObject
  /** Tool results in a request, oldest first. */
  resultsIn(body: JsonObject): readonly string[]
  /** The names of the tools that a request offers. */
  toolsIn(body: JsonObject): readonly string[]
  readonly reportsReasoning: boolean
}

const noUsage: ModelUsage = { inputTokens: 0, cachedInputTokens: 0, outputTokens: 0, reasoningTokens: 0 }
const usageOf = (saying: ScriptedReply): ModelUsage => ({ ...noUsage, ...saying.usage })
// biome-ignore lint/suspicious/noExplicitAny: a trial looks into whatever was sent.
const open = (body: JsonObject): any => body

const finishedChat = { stop: 'stop', 'tool-calls': 'tool_calls', length: 'length', other: 'stop' } as const

/** Chat Completions: https://platform.openai.com/docs/api-reference/chat/object */
export const chatWire: Wire = {
  name: 'Chat Completions',
  stream: chatStream,
  path: /\/chat\/completions$/,
  keyHeader: 'authorization',
  reportsReasoning: true,
  answer(saying, number) {
    const usage = usageOf(saying)
    const calls = saying.toolCalls ?? []
    const finish = saying.finish ?? (calls.length > 0 ? 'tool-calls' : 'stop')
    return {
      id: `chatcmpl-${number}`,
      object: 'chat.completion',
      created: 1_800_000_000,
      model: 'mock-1-2026-01-01',
      choices: [
        {
          index: 0,
          message: {
            role: 'assistant',
            content: calls.length > 0 ? null : (saying.text ?? ''),
            ...(calls.length === 0
              ? {}
              : {
                  tool_calls: calls.map(({ name, input }, index) => ({
                    id: `call_${number}_${index}`,
                    type: 'function',
                    function: { name, arguments: JSON.stringify(input) },
                  })),
                }),
          },
          finish_reason: finish === 'refusal' ? 'content_filter' : finishedChat[finish],
        },
      ],
      usage: {
        prompt_tokens: usage.inputTokens,
        completion_tokens: usage.outputTokens,
        total_tokens: usage.inputTokens + usage.outputTokens,
        prompt_tokens_details: { cached_tokens: usage.cachedInputTokens },
        completion_tokens_details: { reasoning_tokens: usage.reasoningTokens },
      },
    }
  },
  error: (message) => ({ error: { message, type: 'invalid_request_error', param: null, code: null } }),
  resultsIn: (body) =>
    open(body)
      .messages.filter((message: { role: string }) => message.role === 'tool')
      .map((message: { content: unknown }) => JSON.stringify(message.content)),
  toolsIn: (body) => (open(body).tools ?? []).map((tool: { function: { name: string } }) => tool.function.name),
}

/** Responses: https://platform.openai.com/docs/api-reference/responses/object */
export const responsesWire: Wire = {
  name: 'Responses',
  stream: responsesStream,
  path: /\/responses$/,
  keyHeader: 'authorization',
  reportsReasoning: true,
  answer(saying, number) {
    const usage = usageOf(saying)
    const calls = saying.toolCalls ?? []
    const said =
      saying.finish === 'refusal'
        ? { type: 'refusal', refusal: saying.text ?? 'I cannot help with that.' }
        : { type: 'output_text', text: saying.text ?? '', annotations: [] }
    const isCut = saying.finish === 'length'
    return {
      id: `resp_${number}`,
      object: 'response',
      created_at: 1_800_000_000,
      status: isCut ? 'incomplete' : 'completed',
      error: null,
      incomplete_details: isCut ? { reason: 'max_output_tokens' } : null,
      model: 'mock-1-2026-01-01',
      output: [
        ...(calls.length > 0
          ? []
          : [{ type: 'message', id: `msg_${number}`, status: 'completed', role: 'assistant', content: [said] }]),
        ...calls.map(({ name, input }, index) => ({
          type: 'function_call',
          id: `fc_${number}_${index}`,
          call_id: `call_${number}_${index}`,
          status: 'completed',
          name,
          arguments: JSON.stringify(input),
        })),
      ],
      usage: {
        input_tokens: usage.inputTokens,
        input_tokens_details: { cached_tokens: usage.cachedInputTokens },
        output_tokens: usage.outputTokens,
        output_tokens_details: { reasoning_tokens: usage.reasoningTokens },
        total_tokens: usage.inputTokens + usage.outputTokens,
      },
    }
  },
  error: (message) => ({ error: { message, type: 'invalid_request_error', param: null, code: null } }),
  resultsIn: (body) =>
    open(body)
      .input.filter((item: { type?: string }) => item.type === 'function_call_output')
      .map((item: { output: unknown }) => JSON.stringify(item.output)),
  toolsIn: (body) => (open(body).tools ?? []).map((tool: { name: string }) => tool.name),
}

const stoppedMessages = {
  stop: 'end_turn',
  'tool-calls': 'tool_use',
  length: 'max_tokens',
  refusal: 'refusal',
  other: 'pause_turn',
} as const

/** Messages: https://platform.claude.com/docs/en/api/messages */
export const messagesWire: Wire = {
  name: 'Messages',
  stream: messagesStream,
  path: /\/messages$/,
  keyHeader: 'x-api-key',
  reportsReasoning: false,
  answer(saying, number) {
    const usage = usageOf(saying)
    const calls = saying.toolCalls ?? []
    return {
      id: `msg_${number}`,
      type: 'message',
      role: 'assistant',
      model: 'mock-1-20260101',
      content: [
        ...(saying.text === undefined ? [] : [{ type: 'text', text: saying.text }]),
        ...calls.map(({ name, input }, index) => ({ type: 'tool_use', id: `toolu_${number}_${index}`, name, input })),
      ],
      stop_reason: stoppedMessages[saying.finish ?? (calls.length > 0 ? 'tool-calls' : 'stop')],
      stop_sequence: null,
      usage: {
        // Messages reports cached tokens separately from the input.
        input_tokens: usage.inputTokens - usage.cachedInputTokens,
        cache_creation_input_tokens: 0,
        cache_read_input_tokens: usage.cachedInputTokens,
        output_tokens: usage.outputTokens,
      },
    }
  },
  error: (message) => ({ type: 'error', error: { type: 'invalid_request_error', message } }),
  resultsIn: (body) =>
    open(body)
      .messages.flatMap((message: { content: unknown }) => message.content)
      .filter((part: { type?: string }) => part.type === 'tool_result')
      .map((part: { content: unknown }) => JSON.stringify(part.content)),
  toolsIn: (body) => (open(body).tools ?? []).map((tool: { name: string }) => tool.name),
}

const finishedCandidate = {
  stop: 'STOP',
  'tool-calls': 'STOP',
  length: 'MAX_TOKENS',
  refusal: 'SAFETY',
  other: 'OTHER',
} as const

/** generateContent: https://ai.google.dev/api/generate-content */
export const generateContentWire: Wire = {
  name: 'generateContent',
  stream: generateContentStream,
  path: /:(generateContent|streamGenerateContent)$/,
  keyHeader: 'x-goog-api-key',
  reportsReasoning: true,
  answer(saying, number) {
    const usage = usageOf(saying)
    const calls = saying.toolCalls ?? []
    return {
      candidates: [
        {
          content: {
            role: 'model',
            parts: [
              ...(saying.text === undefined ? [] : [{ text: saying.text }]),
              ...calls.map(({ name, input }) => ({
                functionCall: { name, args: input },
                thoughtSignature: 'c2lnbmVk',
              })),
            ],
          },
          finishReason: finishedCandidate[saying.finish ?? 'stop'],
          index: 0,
        },
      ],
      usageMetadata: {
        promptTokenCount: usage.inputTokens,
        cachedContentTokenCount: usage.cachedInputTokens,
        // generateContent reports reasoning tokens separately from the candidates'.
        candidatesTokenCount: usage.outputTokens - usage.reasoningTokens,
        thoughtsTokenCount: usage.reasoningTokens,
        totalTokenCount: usage.inputTokens + usage.outputTokens,
      },
      modelVersion: 'mock-1',
      responseId: `resp-${number}`,
    }
  },
  error: (message) => ({ error: { code: 400, message, status: 'INVALID_ARGUMENT' } }),
  resultsIn: (body) =>
    open(body)
      .contents.flatMap((content: { parts: unknown }) => content.parts)
      .filter((part: { functionResponse?: unknown }) => part.functionResponse)
      .map((part: { functionResponse: { response: unknown } }) => JSON.stringify(part.functionResponse.response)),
  toolsIn: (body) =>
    (open(body).tools ?? [])
      .flatMap((tool: { functionDeclarations: unknown }) => tool.functionDeclarations)
      .map((tool: { name: string }) => tool.name),
}
