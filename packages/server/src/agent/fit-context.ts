import type { Json } from '@skillrun/core/json.ts'
import type { Message, ModelRequest, Part, ToolResult } from '../adapters/models/model.ts'
import { resultHandle } from './transcript.ts'

/** UTF-8 bytes per token, a low estimate: English text has about four, numbers and tables between two and three. */
const bytesPerToken = 3
/** Upper estimates by level of detail: providers count at most one token per 750 pixels or so. */
const imageTokens = { low: 1_000, auto: 3_000, high: 6_000 } as const

/** Tokens of a text, estimated high. */
export const tokensOf = (text: string): number => Math.ceil(Buffer.byteLength(text) / bytesPerToken)

const knownTokens = new WeakMap<object, number>()

/** Tokens of a value that never changes: tools, the schema and results are counted again at each turn. */
function jsonTokens(value: object | Json): number {
  if (typeof value !== 'object' || value === null) return tokensOf(JSON.stringify(value))
  const tokens = knownTokens.get(value) ?? tokensOf(JSON.stringify(value))
  knownTokens.set(value, tokens)
  return tokens
}

/** Input tokens of a request, estimated high. */
export function requestTokens(request: ModelRequest): number {
  const fixed = tokensOf(request.system) + jsonTokens(request.tools) + jsonTokens(request.schema)
  return request.messages.reduce((sum, message) => sum + messageTokens(message), fixed)
}

function messageTokens(message: Message): number {
  if (message.role === 'user') return message.parts.reduce((sum, part) => sum + partTokens(part), 0)
  if (message.role === 'assistant')
    return tokensOf(message.text) + jsonTokens(message.toolCalls) + jsonTokens(message.continuation)
  return message.results.reduce((sum, result) => sum + jsonTokens(result), 0)
}

function partTokens(part: Part): number {
  if (part.kind === 'text') return tokensOf(part.text)
  return part.kind === 'file' ? part.tokens : imageTokens[part.detail ?? 'auto']
}

/** When messages exceed the first share of the context, old results are removed until the second share is reached. */
const crowdedShare = 0.8
const roomyShare = 0.5
const keptCharacters = 200

/**
 * The messages of the next turn, kept within the model's context. When they fill it, tool results are replaced by a note with
 * a handle, oldest first and never those of the last turn. They are removed in large steps and stay removed, so that the
 * prefix in the provider's cache rarely changes.
 */
export function fitContext(
  opening: ModelRequest,
  messages: readonly Message[],
  contextTokens: number,
): readonly Message[] {
  const room = contextTokens - opening.outputTokensMax
  const out: Message[] = []
  let tokens = requestTokens(opening)
  let reached = 0
  messages.forEach((message, at) => {
    out.push(message)
    tokens += messageTokens(message)
    const isTurnBegin = at === messages.length - 1 || messages[at + 1]?.role === 'assistant'
    if (!isTurnBegin || tokens <= room * crowdedShare) return
    for (; reached < out.length - 1 && tokens > room * roomyShare; reached += 1) {
      const old = out[reached]
      if (old?.role !== 'tool') continue
      const short: Message = { role: 'tool', results: old.results.map(takenOut) }
      tokens += messageTokens(short) - messageTokens(old)
      out[reached] = short
    }
  })
  return [...opening.messages, ...out]
}

const shortened = new WeakMap<ToolResult, ToolResult>()

/** A removed result stays removed in all later turns. */
function takenOut(result: ToolResult): ToolResult {
  const short = shortened.get(result) ?? shorten(result)
  shortened.set(result, short)
  return short
}

function shorten(result: ToolResult): ToolResult {
  const text = JSON.stringify(result.output)
  if (text.length <= keptCharacters * 2) return result
  const note = 'This result was removed to save context. To read it again, call core_recall with this handle.'
  const output = { note, handle: resultHandle(result), characters: text.length, begins: text.slice(0, keptCharacters) }
  return { ...result, output }
}
