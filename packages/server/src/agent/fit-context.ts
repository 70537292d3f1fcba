import type { Message, ModelRequest, Part, ToolResult } from '../adapters/models/model.ts'
import { resultHandle } from './transcript.ts'

/** Bytes of UTF-8 that make one token at least: English has about four, figures and tables between two and three. */
const bytesPerToken = 3
/** What a picture takes at most: providers count one token for some 750 of its pixels, or fewer. */
const pictureTokens = { low: 1_000, auto: 3_000, high: 6_000 } as const

/** Tokens that a text takes, rather too many than too few. */
export const tokensOf = (text: string): number => Math.ceil(Buffer.byteLength(text) / bytesPerToken)

/** Tokens that a request takes, rather too many than too few. */
export function requestTokens(request: ModelRequest): number {
  const fixed =
    tokensOf(request.system) + tokensOf(JSON.stringify(request.tools)) + tokensOf(JSON.stringify(request.schema))
  return request.messages.reduce((sum, message) => sum + messageTokens(message), fixed)
}

function messageTokens(message: Message): number {
  if (message.role === 'user') return message.parts.reduce((sum, part) => sum + partTokens(part), 0)
  if (message.role === 'assistant')
    return (
      tokensOf(message.text) +
      tokensOf(JSON.stringify(message.toolCalls)) +
      tokensOf(JSON.stringify(message.continuation))
    )
  return message.results.reduce((sum, result) => sum + tokensOf(JSON.stringify(result)), 0)
}

function partTokens(part: Part): number {
  if (part.kind === 'text') return tokensOf(part.text)
  return part.kind === 'file' ? part.tokens : pictureTokens[part.detail ?? 'auto']
}

/** From the first share of the room on, old results are taken out until the second is left. */
const crowdedShare = 0.8
const roomyShare = 0.5
const keptCharacters = 200

/**
 * The messages of the next turn, kept under the model's context. When they crowd it, results of tools are taken out, oldest
 * first, but never those of the last turn; each leaves a note with the handle by which it can be read again. They are taken
 * out in large steps, and what is out stays out, so that the beginning that a provider keeps in its cache seldom changes.
 */
export function fitContext(opening: ModelRequest, said: readonly Message[], contextTokens: number): readonly Message[] {
  const room = contextTokens - opening.outputTokensMax
  const out: Message[] = []
  let tokens = requestTokens(opening)
  let reached = 0
  said.forEach((message, at) => {
    out.push(message)
    tokens += messageTokens(message)
    const isTurnBegin = at === said.length - 1 || said[at + 1]?.role === 'assistant'
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

function takenOut(result: ToolResult): ToolResult {
  const text = JSON.stringify(result.output)
  if (text.length <= keptCharacters * 2) return result
  const note = 'This result was taken out to make room. Read it again with core_recall.'
  const output = { note, handle: resultHandle(result), characters: text.length, begins: text.slice(0, keptCharacters) }
  return { ...result, output }
}
