import { Readable } from 'node:stream'
import type { JsonObject } from '@skillrun/core/json.ts'
import type { FailureBody } from '../../adapters/http/failure-form.ts'
import type { Following } from './await-turn.ts'
import { chunkOf, type Told, turnFailure, usageChunkOf } from './completion.ts'
import { replyOf, type TurnReply, type TurnState } from './turn.ts'

/** The first words of a turn, or its end where that comes first. */
type Begun = IteratorResult<string, TurnState | undefined>

interface Streamed extends Told {
  readonly first: Promise<Begun>
  readonly following: Following
}

/**
 * A streamed completion: OpenAI's events, each with the session, one with the usage, `[DONE]` at the end; a comment where
 * nothing is said for a while. `first` is what was followed already.
 */
export function streamCompletion(parts: Streamed): Readable {
  return Readable.from(eventsOf(parts))
}

async function* eventsOf(parts: Streamed): AsyncGenerator<string> {
  const { head, following } = parts
  try {
    yield event(chunkOf(head, { role: 'assistant', content: '' }))
    let told = ''
    let next = await parts.first
    for (; !next.done; next = await following.next()) {
      told += next.value
      yield next.value === '' ? ': still here\n\n' : event(chunkOf(head, { content: next.value }))
    }
    yield* endOf(parts, { turn: next.value, told })
  } finally {
    await following.return(undefined)
  }
}

function* endOf(to: Told, { turn, told }: { turn: TurnState | undefined; told: string }): Generator<string> {
  const { head } = to
  const reply = turn && replyOf(turn)
  const rest = reply && restOf(reply, told)
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

/** What of the text was not told yet; undefined where something else was told, by a run that broke off. */
function restOf({ content, refusal }: TurnReply, told: string): string | undefined {
  if (refusal !== null) return ''
  const whole = content ?? ''
  return whole.startsWith(told) ? whole.slice(told.length) : undefined
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
