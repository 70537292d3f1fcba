import type { JsonObject } from '@skillrun/core/json.ts'
import type { Message, ModelRequest, Part, Sampling, ToolCall, ToolResult, ToolSpec } from '../adapters/models/model.ts'
import { dataRule, inputParts, type OpeningContents, pagesRule, scopeText } from './opening.ts'

/** A part of a user message: text, or a document by the name of its input. */
export type ConversationPart = { readonly text: string } | { readonly input: string }

/** One message of a conversation, as its caller sent it. Plain data. */
export type ConversationMessage =
  | { readonly role: 'system'; readonly text: string }
  | { readonly role: 'user'; readonly parts: readonly ConversationPart[] }
  | { readonly role: 'assistant'; readonly text: string; readonly toolCalls: readonly ToolCall[] }
  | { readonly role: 'tool'; readonly id: string; readonly text: string }

/** A turn of a conversation: its messages and the options of the reply. Plain data. */
export interface ChatTurn {
  /** Oldest first. */
  readonly messages: readonly ConversationMessage[]
  /** The caller's own functions. A call to one ends the turn: the caller executes it. */
  readonly functions: readonly ToolSpec[]
  readonly functionChoice: 'auto' | 'required' | { readonly name: string }
  /** At most one function call per turn. */
  readonly oneCall: boolean
  /** The reply must be a JSON object of any shape. */
  readonly jsonObject: boolean
  /** Null: the limit of the model. */
  readonly outputTokensMax: number | null
  readonly sampling: Sampling
  /** The text is streamed as it is generated. */
  readonly streamed: boolean
  /** What the replies of another API repeat of its request. */
  readonly echo?: JsonObject
  /** Inputs whose passages in a reply of text get evidence. Absent: a reply of text has no evidence. */
  readonly cited?: readonly string[]
}

const materialOf = (tools: readonly ToolSpec[]): string =>
  `${dataRule(tools)} ${pagesRule(tools)} If the inputs do not contain what is asked, say so; do not guess.`

/**
 * The first request of a reply: tools, instructions, then the conversation. It begins with the same bytes as the request of
 * the previous turn, for the provider's prompt cache.
 */
export function conversationOpening(turn: ChatTurn, parts: OpeningContents): ModelRequest {
  const shown = (part: ConversationPart): Part[] => {
    if ('text' in part) return [{ kind: 'text', text: part.text }]
    // An archive is shown as the files in it.
    const own = parts.documents.filter(({ input }) => input === part.input || input.startsWith(`${part.input}/`))
    return own.flatMap((document) => inputParts(document, parts))
  }
  const messages = messagesOfTurn(turn.messages, shown)
  const first = messages.findIndex((message) => message.role === 'user')
  const withSkills = messages.map(
    (message, index): Message =>
      index === first && message.role === 'user' && parts.skills !== ''
        ? { ...message, parts: [{ kind: 'text', text: parts.skills }, ...message.parts] }
        : message,
  )
  return {
    system: systemOf(turn, parts),
    messages: withSkills,
    tools: [...parts.tools, ...turn.functions],
    schema: parts.schema,
    outputTokensMax: parts.outputTokensMax,
    wallMs: parts.wallMs,
    sampling: turn.sampling,
    cacheKey: parts.scope,
    ...(turn.functionChoice === 'auto' ? {} : { toolChoice: turn.functionChoice }),
  }
}

function systemOf({ messages, jsonObject }: ChatTurn, parts: OpeningContents): string {
  const { schema, documents, skills } = parts
  const own = messages.flatMap((message) => (message.role === 'system' ? [message.text] : []))
  const shape =
    schema !== null
      ? `Reply with exactly one JSON value that is valid against this JSON Schema, without other text and without a code fence:\n${JSON.stringify(schema)}`
      : jsonObject
        ? 'Reply with exactly one JSON object, without other text and without a code fence.'
        : ''
  const isPlain = documents.length === 0 && skills === ''
  const instructions =
    [isPlain ? '' : materialOf(parts.tools), ...own, shape].filter(Boolean).join('\n\n') ||
    'You are a helpful assistant.'
  return `${scopeText(parts)}\n\n${instructions}`
}

function messagesOfTurn(
  conversation: readonly ConversationMessage[],
  shown: (part: ConversationPart) => Part[],
): Message[] {
  const names = new Map(
    conversation.flatMap((one) =>
      one.role === 'assistant' ? one.toolCalls.map(({ id, name }) => [id, name] as const) : [],
    ),
  )
  const messages: Message[] = []
  for (const one of conversation) {
    if (one.role === 'user') messages.push({ role: 'user', parts: one.parts.flatMap(shown) })
    else if (one.role === 'assistant') messages.push({ ...one, continuation: null })
    else if (one.role === 'tool') {
      const result = { id: one.id, name: names.get(one.id) ?? '', output: one.text, failed: false }
      const last = messages.at(-1)
      if (last?.role === 'tool') messages[messages.length - 1] = { role: 'tool', results: [...last.results, result] }
      else messages.push({ role: 'tool', results: [result] })
    }
  }
  return messages.flatMap((message, index): Message[] => {
    const [before, next] = [messages[index - 1], messages[index + 1]]
    if (message.role === 'tool') return [{ role: 'tool', results: [...message.results, ...missing(before, message)] }]
    const left = next?.role === 'tool' ? [] : missing(message, undefined)
    return left.length === 0 ? [message] : [message, { role: 'tool', results: left }]
  })
}

/** Providers reject a call without a result, so calls that the caller did not answer get a placeholder. */
function missing(
  turn: Message | undefined,
  given: Extract<Message, { role: 'tool' }> | undefined,
): readonly ToolResult[] {
  if (turn?.role !== 'assistant') return []
  const answered = new Set(given?.results.map((result) => result.id))
  const left = turn.toolCalls.filter((call) => !answered.has(call.id))
  return left.map(({ id, name }) => ({ id, name, output: 'No result was given.', failed: false }))
}

/** The messages without the `instructions` of the request, which count for this turn alone. */
export function withoutInstructions({ messages, echo }: ChatTurn): readonly ConversationMessage[] {
  const at = messages.findLastIndex((one) => one.role === 'system' && one.text === echo?.['instructions'])
  return messages.filter((_, index) => index !== at)
}

/** The text of a message, without its documents. */
export const messageText = (message: ConversationMessage): string =>
  message.role === 'user'
    ? message.parts.flatMap((part) => ('text' in part ? [part.text] : [])).join('\n')
    : message.text

/** The id of the first tool result without an earlier call; undefined without one. */
export function strayResult(messages: readonly ConversationMessage[]): string | undefined {
  const calls = new Set<string>()
  for (const one of messages) {
    if (one.role === 'assistant') for (const call of one.toolCalls) calls.add(call.id)
    if (one.role === 'tool' && !calls.has(one.id)) return one.id
  }
  return undefined
}

/** The text of the last user message. */
export const lastQuestion = (messages: readonly ConversationMessage[]): string => {
  const last = messages.findLast((one) => one.role === 'user')
  return last ? messageText(last) : ''
}

/** A function call in the format of OpenAI's chat completions. */
export const functionCallOf = ({ id, name, input }: ToolCall): JsonObject => ({
  id,
  type: 'function',
  function: { name, arguments: typeof input === 'string' ? input : JSON.stringify(input) },
})
