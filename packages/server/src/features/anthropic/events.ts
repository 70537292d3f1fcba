import { Readable } from 'node:stream'
import { type FollowedTurn, replyOf, type TurnState, turnFailure } from '../chat/chat.ts'
import { contentOf, messageOf, opening } from './message.ts'
import type { CitedDocument } from './read-request.ts'
import type { MessageObject } from './wire.ts'

interface StreamedMessage extends FollowedTurn {
  /** The turn when the stream began. */
  readonly turn: TurnState
  /** The documents that the reply cites: then its text comes at the end, because citations belong to finished sentences. */
  readonly cited: readonly CitedDocument[]
  readonly path: string
}

/** Streams a message as Anthropic's events in their order, with a ping after each silence. */
export const streamMessage = (parts: StreamedMessage): Readable => Readable.from(eventsOf(parts))

async function* eventsOf(parts: StreamedMessage): AsyncGenerator<string> {
  const { turn, following } = parts
  try {
    yield event('message_start', { message: opening(turn) })
    let sent = ''
    let next = await following.next()
    for (; !next.done; next = await following.next()) {
      if (next.value === '' || parts.cited.length > 0) {
        yield event('ping', {})
        continue
      }
      if (sent === '') yield event('content_block_start', { index: 0, content_block: emptyText })
      sent += next.value
      yield event('content_block_delta', { index: 0, delta: { type: 'text_delta', text: next.value } })
    }
    yield* endOf(parts, { turn: next.value, sent })
  } finally {
    await following.return(undefined)
  }
}

const emptyText = { type: 'text', text: '', citations: null }

function* endOf(
  parts: StreamedMessage,
  { turn, sent }: { turn: TurnState | undefined; sent: string },
): Generator<string> {
  const reply = turn && replyOf(turn)
  if (!turn || !reply) {
    yield event('error', turnFailure(parts, turn).json)
    return
  }
  const text = reply.content ?? reply.refusal ?? ''
  if (!text.startsWith(sent)) {
    yield event('error', { error: interrupted })
    return
  }
  for (const [index, block] of contentOf(turn, reply, parts.cited).entries()) yield* blockEvents({ block, index, sent })
  const { stop_reason, usage } = messageOf(turn, reply, parts.cited)
  yield event('message_delta', { delta: { stop_reason, stop_sequence: null, container: null }, usage })
  yield event('message_stop', {})
}

const interrupted = {
  type: 'api_error',
  message: 'The reply was interrupted and generated again with a different beginning; send the request again',
}

/** The events of a block; `sent` is the text of the block that the stream has sent already. */
function* blockEvents({
  block,
  index,
  sent,
}: {
  block: MessageObject['content'][number]
  index: number
  sent: string
}): Generator<string> {
  const delta = (one: object): string => event('content_block_delta', { index, delta: one })
  if (block['type'] === 'text') {
    const citations = Array.isArray(block['citations']) ? block['citations'] : []
    if (sent === '')
      yield event('content_block_start', {
        index,
        content_block: { ...emptyText, citations: citations.length > 0 ? [] : null },
      })
    const rest = String(block['text']).slice(sent.length)
    if (rest !== '') yield delta({ type: 'text_delta', text: rest })
    for (const citation of citations) yield delta({ type: 'citations_delta', citation })
  } else {
    yield event('content_block_start', { index, content_block: { ...block, input: {} } })
    yield delta({ type: 'input_json_delta', partial_json: JSON.stringify(block['input']) })
  }
  yield event('content_block_stop', { index })
}

const event = (type: string, data: object): string => `event: ${type}\ndata: ${JSON.stringify({ ...data, type })}\n\n`
