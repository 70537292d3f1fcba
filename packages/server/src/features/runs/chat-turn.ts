import { Fault } from '@skillrun/core/fault.ts'
import { isJsonObject, type Json, type JsonSchema } from '@skillrun/core/json.ts'
import type { Model, ModelReply, ModelRequest } from '../../adapters/models/model.ts'
import type { ProcessPool } from '../../adapters/process-pool/process-pool.ts'
import { type ChatTurn, functionCallOf } from '../../agent/conversation.ts'
import { requestTokens } from '../../agent/fit-context.ts'
import { judgeAnswer, judgeText, type Verdict } from '../../agent/judge-answer.ts'
import type { LoopEnding } from '../../agent/loop.ts'
import type { Entry } from '../../agent/transcript.ts'
import type { TextStream } from './text-stream.ts'

/** Separates the texts of two turns of one reply. */
const betweenTurns = '\n\n'

/** The text of a reply: the model's text of all turns. */
export const textOfTurns = (turns: readonly Pick<ModelReply, 'text'>[]): string =>
  turns
    .map((turn) => turn.text)
    .filter((text) => text !== '')
    .join(betweenTurns)

/** Whether the text of a reply may be streamed: a structured reply is sent only after it was validated. */
export const isStreamed = (turn: ChatTurn | undefined, schema: JsonSchema | null): boolean =>
  turn?.streamed === true && schema === null && !turn.jsonObject

/** The model with its text streamed. `transcript` is that of the loop. */
export const streamed = (model: Model, textStream: TextStream, transcript: readonly Entry[]): Model => ({
  name: model.name,
  reply(request, signal) {
    const before = textOfTurns(transcript.filter((entry) => entry.role === 'assistant'))
    let isFirst = before !== ''
    return model.reply(request, signal, (piece) => {
      textStream.say(isFirst ? betweenTurns + piece : piece)
      isFirst = false
    })
  },
})

/** Judges the reply of a chat. A truncated one goes out as it is, marked as such, unless it must match a schema. */
export async function judgeReply(
  using: { processPool: ProcessPool; schema: JsonSchema | null; turn: ChatTurn },
  reply: Pick<ModelReply, 'text' | 'finish'>,
  signal: AbortSignal,
): Promise<Verdict> {
  const { schema, turn } = using
  const isFree = schema === null && !turn.jsonObject
  if (isFree && reply.finish === 'length' && reply.text !== '') return { ended: 'answered', answer: reply.text }
  const verdict = await judgeAnswer(using, reply, signal)
  if (verdict.ended !== 'answered' || !turn.jsonObject || schema !== null) return verdict
  const judged = await judgeText(using, reply.text, signal)
  if (judged.found && isJsonObject(judged.answer)) return { ended: 'answered', answer: judged.answer }
  return { ended: 'violated', answer: reply.text, problems: [{ pointer: '', message: 'is not a JSON object' }] }
}

/** The answer of a turn that ends with calls of the caller's functions: the message for its caller. `text`: the text of all its turns. */
export function handedOver(
  { calls }: Extract<LoopEnding, { ended: 'handed-over' }>,
  { oneCall }: ChatTurn,
  text: string,
): Json {
  const given = oneCall ? calls.slice(0, 1) : calls
  return { role: 'assistant', content: text === '' ? null : text, tool_calls: given.map(functionCallOf) }
}

/** The token estimate tends to be high; refuse a conversation by the lowest estimate. */
const estimateMax = 4 / 3

/** Never truncate a conversation silently: refuse one that cannot fit. */
export function refuseLong(conversation: ModelRequest, contextTokens: number): void {
  const room = contextTokens - conversation.outputTokensMax
  const tokens = requestTokens(conversation)
  if (tokens <= room * estimateMax) return
  throw new Fault(
    'invalid',
    'context_length_exceeded',
    `The conversation has about ${Math.round(tokens / estimateMax)} tokens; this model accepts ${room} in addition to its reply. Send fewer messages, or start a new session`,
  )
}
