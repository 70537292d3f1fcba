import type {
  JSONSchema7,
  LanguageModelV4,
  LanguageModelV4CallOptions,
  LanguageModelV4Content,
  LanguageModelV4GenerateResult,
  LanguageModelV4Message,
  LanguageModelV4Usage,
  SharedV4ProviderOptions,
} from '@ai-sdk/provider'
import type { Json, JsonObject } from '@skillrun/core/json.ts'
import { startDeadline } from '../../core/deadline.ts'
import { collectStream } from './collect-stream.ts'
import { faultOf } from './failures.ts'
import { type SentMedia, sendMedia } from './media-bodies.ts'
import type { Message, Model, ModelReply, ModelRequest, ModelUsage, Part, ToolCall } from './model.ts'
import type { ProviderSettings } from './provider-settings.ts'

interface Wrapping {
  readonly settings: ProviderSettings
  readonly languageModel: LanguageModelV4
  /** Provider options for one request. */
  readonly optionsOf?: (request: ModelRequest) => SharedV4ProviderOptions
  /** Marks the end of a prefix that the provider should cache; absent: the provider caches by itself. */
  readonly cachePoint?: SharedV4ProviderOptions
  /** Provider options for one image. */
  readonly imageOptions?: (detail: 'auto' | 'low' | 'high') => SharedV4ProviderOptions
  /** Whether the schema of the answer is sent to the provider. */
  readonly takesSchema?: (request: ModelRequest) => boolean
  /** Values that the AI SDK does not extract from this provider's responses. */
  readonly read?: (result: Pick<LanguageModelV4GenerateResult, 'response'>) => {
    readonly model?: string
    readonly refused?: boolean
  }
}

type CallResult = Pick<
  LanguageModelV4GenerateResult,
  'content' | 'finishReason' | 'usage' | 'response' | 'structuredOutputText'
>

/** A `Model` on a language model of the AI SDK, called through its provider interface. */
export function modelOver(wrapping: Wrapping): Model {
  const { settings, languageModel, read } = wrapping
  const name = nameOf(settings)
  return {
    name,
    async reply(request, signal, onText) {
      signal.throwIfAborted()
      using deadline = startDeadline(signal, request.wallMs)
      const media = sendMedia()
      const options = { ...callOptions(wrapping, request, media), abortSignal: deadline.signal }
      try {
        const result: CallResult = onText
          ? await collectStream(
              (await languageModel.doStream({ ...options, includeRawChunks: read !== undefined })).stream,
              onText,
            )
          : await languageModel.doGenerate(options)
        const toolCalls = toolCallsOf(result.content)
        const { model, refused = false } = read?.(result) ?? {}
        if (result.content.length === 0 && result.finishReason.raw === undefined && !refused)
          throw new Error('the reply is empty')
        return {
          text: result.structuredOutputText ?? textOf(result.content),
          toolCalls,
          usage: usageOf(result.usage),
          finish: refused ? 'refusal' : finishOf(result.finishReason.unified, toolCalls),
          model: model ?? result.response?.modelId ?? settings.model,
          id: result.response?.id ?? null,
          continuation: continuationOf(result.content, name),
        }
      } catch (error) {
        if (signal.aborted) throw signal.reason
        throw faultOf(error, { settings, timedOut: deadline.isOver, wallMs: request.wallMs })
      } finally {
        media.release()
      }
    },
  }
}

const nameOf = ({ name, model }: ProviderSettings): string => `${name}/${model}`

/** Converts a request to call options of the AI SDK. */
function callOptions(wrapping: Wrapping, request: ModelRequest, media: SentMedia): LanguageModelV4CallOptions {
  const { optionsOf, takesSchema } = wrapping
  const { tools, toolChoice, sampling: { stop, ...sampling } = {} } = request
  const sendsSchema = isObjectSchema(request) && (takesSchema?.(request) ?? true)
  return {
    prompt: promptOf(wrapping, request, media),
    maxOutputTokens: request.outputTokensMax,
    ...sampling,
    ...(stop && stop.length > 0 ? { stopSequences: [...stop] } : {}),
    ...(tools.length === 0
      ? {}
      : {
          tools: tools.map((tool) => ({
            type: 'function' as const,
            name: tool.name,
            description: tool.description,
            inputSchema: tool.input as JSONSchema7,
            ...(tool.strict === undefined ? {} : { strict: tool.strict }),
          })),
        }),
    ...(toolChoice === undefined || tools.length === 0
      ? {}
      : { toolChoice: toolChoice === 'required' ? { type: 'required' } : { type: 'tool', toolName: toolChoice.name } }),
    ...(sendsSchema ? { responseFormat: { type: 'json', name: 'answer', schema: request.schema as JSONSchema7 } } : {}),
    ...(optionsOf ? { providerOptions: optionsOf(request) } : {}),
  }
}

/** Providers accept only object schemas for answers; the prompt describes others. */
const isObjectSchema = ({ schema }: ModelRequest): boolean => schema?.['type'] === 'object'

function promptOf(wrapping: Wrapping, request: ModelRequest, media: SentMedia): LanguageModelV4Message[] {
  const { cachePoint } = wrapping
  const messages = request.messages.map((message) => messageOf(wrapping, message, media))
  if (!cachePoint) return [{ role: 'system', content: request.system }, ...messages]
  // Cache points: after tools and system, after the documents before the question, after the whole conversation so far.
  const first = messages.findIndex((message) => message.role === 'user')
  const marked = messages.map((message, index) => {
    const inner = index === first && message.role === 'user' ? withInnerPoint(message, cachePoint) : message
    return index === messages.length - 1 ? { ...inner, providerOptions: cachePoint } : inner
  })
  return [{ role: 'system', content: request.system, providerOptions: cachePoint }, ...marked]
}

type UserMessage = Extract<LanguageModelV4Message, { role: 'user' }>

/** Marks the part before the question, which is the last part: other questions may follow the same documents. */
function withInnerPoint(message: UserMessage, cachePoint: SharedV4ProviderOptions): UserMessage {
  const at = message.content.length - 2
  return {
    ...message,
    content: message.content.map((part, index) =>
      index === at ? { ...part, providerOptions: { ...part.providerOptions, ...cachePoint } } : part,
    ),
  }
}

function messageOf(wrapping: Wrapping, message: Message, media: SentMedia): LanguageModelV4Message {
  switch (message.role) {
    case 'user':
      return { role: 'user', content: message.parts.map((part) => partOf(wrapping, part, media)) }
    case 'assistant':
      return {
        role: 'assistant',
        content: continuedContent(message, nameOf(wrapping.settings)) ?? plainContent(message),
      }
    case 'tool':
      return {
        role: 'tool',
        content: message.results.map(({ id, name: toolName, output, failed }) => ({
          type: 'tool-result',
          toolCallId: id,
          toolName,
          output:
            typeof output === 'string' && !failed
              ? { type: 'text', value: output }
              : { type: failed ? 'error-json' : 'json', value: output as never },
        })),
      }
  }
}

type AssistantContent = Extract<LanguageModelV4Message, { role: 'assistant' }>['content']

const plainContent = ({ text, toolCalls }: Extract<Message, { role: 'assistant' }>): AssistantContent => [
  ...(text === '' ? [] : [{ type: 'text' as const, text }]),
  ...toolCalls.map(({ id, name, input }) => ({
    type: 'tool-call' as const,
    toolCallId: id,
    toolName: name,
    input: input as never,
  })),
]

function partOf({ imageOptions }: Wrapping, part: Part, media: SentMedia) {
  if (part.kind === 'text') return { type: 'text' as const, text: part.text }
  const { mediaType, bytes } = part
  const detail = part.kind === 'image' ? part.detail : undefined
  return {
    type: 'file' as const,
    mediaType,
    data: { type: 'data' as const, data: media.nameOf(bytes) },
    ...(part.kind === 'file' ? { filename: part.filename } : {}),
    ...(detail && imageOptions ? { providerOptions: imageOptions(detail) } : {}),
  }
}

const textOf = (content: readonly LanguageModelV4Content[]): string =>
  content.map((part) => (part.type === 'text' ? part.text : '')).join('')

const toolCallsOf = (content: readonly LanguageModelV4Content[]): ToolCall[] =>
  content.flatMap((part) =>
    part.type === 'tool-call' && !part.providerExecuted
      ? [{ id: part.toolCallId, name: part.toolName, input: parsed(part.input) }]
      : [],
  )

/** Arguments that are not JSON are passed on as text: the tool reports what is wrong with them. */
function parsed(input: string): Json {
  if (input.trim() === '') return {}
  try {
    return JSON.parse(input) as Json
  } catch {
    return input
  }
}

function usageOf({ inputTokens, outputTokens }: LanguageModelV4Usage): ModelUsage {
  const cached = inputTokens.cacheRead ?? 0
  const written = inputTokens.cacheWrite ?? 0
  const reasoning = outputTokens.reasoning ?? 0
  const output = outputTokens.total ?? (outputTokens.text ?? Number.NaN) + reasoning
  return {
    inputTokens: inputTokens.total ?? (inputTokens.noCache ?? Number.NaN) + cached + written,
    cachedInputTokens: cached,
    // Some providers exclude reasoning from the output tokens: reasoning above output shows that.
    outputTokens: reasoning > output ? output + reasoning : output,
    reasoningTokens: reasoning,
    ...(written === 0 ? {} : { cacheWrittenTokens: written }),
  }
}

function finishOf(reason: string, toolCalls: readonly ToolCall[]): ModelReply['finish'] {
  if (reason === 'content-filter') return 'refusal'
  if (reason === 'length') return 'length'
  // Some servers report `stop` for a tool call.
  if (toolCalls.length > 0) return 'tool-calls'
  return reason === 'stop' ? 'stop' : 'other'
}

/** What a provider needs back with the next request (signed reasoning, item ids); null when there is nothing. */
function continuationOf(content: readonly LanguageModelV4Content[], name: string): Json {
  const parts = content.flatMap((part) => {
    if (part.type !== 'text' && part.type !== 'reasoning' && part.type !== 'tool-call') return []
    const { providerMetadata, ...rest } = part
    return [{ ...rest, ...(providerMetadata ? { providerOptions: providerMetadata } : {}) }]
  })
  const isPlain = parts.every((part) => part.type !== 'reasoning' && part.providerOptions === undefined)
  return isPlain ? null : ({ model: name, parts: JSON.parse(JSON.stringify(parts)) } as JsonObject)
}

function continuedContent(
  { continuation }: Extract<Message, { role: 'assistant' }>,
  name: string,
): AssistantContent | undefined {
  const kept = continuation as { model?: string; parts?: readonly { type: string; input?: string }[] } | null
  if (kept?.model !== name || !kept.parts) return undefined
  return kept.parts.map((part) =>
    part.type === 'tool-call' ? { ...part, input: parsed(part.input ?? '') } : part,
  ) as AssistantContent
}
