import { Readable } from 'node:stream'
import type { JsonObject } from '@skillrun/core/json.ts'
import type { FailureBody } from '../../adapters/http/failure-form.ts'
import type { Following } from './await-turn.ts'
import { chunkOf, type ReplyContext, turnFailure, usageChunkOf } from './completion.ts'
import { replyOf, type TurnReply, type TurnState } from './turn.ts'

/** The first text of a turn, or its end if that comes first. */
type Begun = IteratorResult<string, TurnState | undefined>

interface Streamed extends ReplyContext {
  readonly first: Promise<Begun>
  readonly following: Following
}

/**
 * Streams a completion as OpenAI's events, each with the session, then the usage and `[DONE]`; sends a comment after each silence. `first`
 * is the part of the turn that was read already.
 */
export function streamCompletion(parts: Streamed): Readable {
  return Readable.from(eventsOf(parts))
}

async function* eventsOf(parts: Streamed): AsyncGenerator<string> {
  const { head, following } = parts
  try {
    yield event(chunkOf(head, { role: 'assistant', content: '' }))
    let sent = ''
    let next = await parts.first
    for (; !next.done; next = await following.next()) {
      sent += next.value
      yield next.value === '' ? ': still here\n\n' : event(chunkOf(head, { content: next.value }))
    }
    yield* endOf(parts, { turn: next.value, sent })
  } finally {
    await following.return(undefined)
  }
}

function* endOf(to: ReplyContext, { turn, sent }: { turn: TurnState | undefined; sent: string }): Generator<string> {
  const { head } = to
  const reply = turn && replyOf(turn)
  const rest = reply && restOf(reply, sent)
  if (!turn || !reply || rest === undefined) {
    yield event(reply ? begunAgain : turnFailure(to, turn).json)
    return
  }
  if (rest !== '') yield event(chunkOf(head, { content: rest }))
  if (reply.refusal !== null) yield event(chunkOf(head, { refusal: reply.refusal }))
  for (const [index, call] of reply.toolCalls.entries())
    yield event(chunkOf(head, { tool_calls: [{ index, ...call }] }))
  yield event(chunkOf(head, {}, reply.finish))
  yield event(usageChunkOf(head, turn))
  yield 'data: [DONE]\n\n'
}

/** The rest of the text after what was sent; undefined if an interrupted run sent another beginning. */
function restOf({ content, refusal }: TurnReply, sent: string): string | undefined {
  if (refusal !== null) return ''
  const whole = content ?? ''
  return whole.startsWith(sent) ? whole.slice(sent.length) : undefined
}

const begunAgain: JsonObject = {
  error: {
    message:
      'The reply was interrupted and generated again with a different beginning; the session contains the complete reply',
    type: 'server_error',
    code: 'begun_again',
    param: null,
  },
}

const event = (data: JsonObject | FailureBody): string => `data: ${JSON.stringify(data)}\n\n`
