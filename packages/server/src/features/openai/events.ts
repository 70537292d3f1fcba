import { Readable } from 'node:stream'
import type { JsonObject } from '@skillrun/core/json.ts'
import { type FollowedTurn, replyOf, type TurnState, turnFailure } from '../chat/chat.ts'
import { messageId } from './ids.ts'
import { outputOf, responseOf, textPart } from './response.ts'
import type { ResponseObject } from './wire.ts'

type Item = ResponseObject['output'][number]

interface Streamed extends FollowedTurn {
  /** The turn when the stream began. */
  readonly turn: TurnState
  readonly echo: JsonObject
  readonly path: string
  /** Only events with a higher number are sent. Only for responses in the background, whose numbers are the same in every stream. */
  readonly startingAfter?: number | undefined
}

/** Streams a response as OpenAI's events in their order, with a comment after each silence. */
export const streamResponse = (parts: Streamed): Readable => Readable.from(sentEvents(parts))

async function* sentEvents(parts: Streamed): AsyncGenerator<string> {
  for await (const text of eventsOf(parts)) if (text !== '') yield text
}

/** Numbers of events. The first three have fixed ones; a text that ends at a character has that of its end, counted from here. */
const inProgressNumber = 2
const textNumber = 4

async function* eventsOf(parts: Streamed): AsyncGenerator<string> {
  const { turn, echo, following, startingAfter = -1 } = parts
  const isBackground = echo['background'] === true
  let number = 0
  const event: MakeEvent = (type, data) => {
    const sequence_number = number++
    if (sequence_number <= startingAfter) return ''
    return `event: ${type}\ndata: ${JSON.stringify({ type, sequence_number, ...data })}\n\n`
  }
  // Streams of one response cut its text differently: the numbers must not depend on that.
  const numbering: Numbering = {
    atText: (end) => {
      if (isBackground) number = textNumber + end
    },
    seen: isBackground ? Math.max(0, startingAfter - textNumber) : 0,
    atEnd: () => {
      number = Math.max(number, startingAfter + 1)
    },
  }
  try {
    const response = responseOf(begun(turn, isBackground), echo)
    yield event('response.created', { response })
    if (response.status === 'queued') yield event('response.queued', { response })
    if (isBackground) number = inProgressNumber
    yield event('response.in_progress', { response: { ...response, status: 'in_progress' } })
    const message = messageEvents(turn.id, event, numbering)
    let next = await following.next()
    for (; !next.done; next = await following.next())
      yield next.value === '' ? ': still working\n\n' : message.delta(next.value)
    yield* endOf(parts, { turn: next.value, message, event, numbering })
  } finally {
    await following.return(undefined)
  }
}

/** The turn of a repeated request may have ended: its stream starts with the same events. */
const begun = (turn: TurnState, isBackground: boolean): TurnState => ({
  ...turn,
  status: isBackground && (turn.status === 'enqueued' || turn.status === 'pending') ? turn.status : 'running',
  response: null,
  error: null,
  completedAt: null,
})

/** The text of an event; empty for one that the client has. */
type MakeEvent = (type: string, data: object) => string

interface Numbering {
  /** Gives the next event the number of text that ends at this character. */
  atText(end: number): void
  /** Characters of the text that the client has. */
  readonly seen: number
  /** The next event ends the stream, and is sent in any case. */
  atEnd(): void
}

/** The events of the text message, which begins with its first piece. */
function messageEvents(id: string, event: MakeEvent, { atText, seen }: Numbering) {
  let sent = ''
  const place = { item_id: messageId(id), output_index: 0, content_index: 0 }
  const item: Item = { type: 'message', id: messageId(id), role: 'assistant', status: 'in_progress', content: [] }
  const added = (): string => event('response.output_item.added', { output_index: 0, item })
  const opening = (): string => added() + event('response.content_part.added', { ...place, part: textPart('') })
  const textDone = (text: string): string =>
    event('response.output_text.done', { ...place, text, logprobs: [] }) +
    event('response.content_part.done', { ...place, part: textPart(text) })
  const delta = (text: string, end: number): string => {
    atText(end)
    const unseen = text.slice(Math.max(0, seen - (end - text.length)))
    return event('response.output_text.delta', { ...place, delta: unseen, logprobs: [] })
  }
  return {
    sent: () => sent,
    delta(piece: string): string {
      const before = sent === '' ? opening() : ''
      sent += piece
      return before + delta(piece, sent.length)
    },
    done(whole: Item, text: string): string {
      const before = sent === '' ? opening() : ''
      const rest = text.slice(sent.length)
      return (
        before +
        (rest === '' ? '' : delta(rest, text.length)) +
        textDone(text) +
        event('response.output_item.done', { output_index: 0, item: whole })
      )
    },
    /** The model refused, possibly after streamed text: the text stays, in a part before the refusal. */
    refused(refusal: string): { readonly events: string; readonly whole: Item } {
      const part = { type: 'refusal', refusal }
      const spot = { ...place, content_index: sent === '' ? 0 : 1 }
      const content = [...(sent === '' ? [] : [textPart(sent)]), part]
      const whole: Item = { ...item, status: 'completed', content }
      const events =
        (sent === '' ? added() : textDone(sent)) +
        event('response.content_part.added', { ...spot, part: { ...part, refusal: '' } }) +
        event('response.refusal.delta', { ...spot, delta: refusal }) +
        event('response.refusal.done', { ...spot, refusal }) +
        event('response.content_part.done', { ...spot, part }) +
        event('response.output_item.done', { output_index: 0, item: whole })
      return { events, whole }
    },
  }
}

function* endOf(
  parts: Streamed,
  {
    turn,
    message,
    event,
    numbering,
  }: {
    turn: TurnState | undefined
    message: ReturnType<typeof messageEvents>
    event: MakeEvent
    numbering: Numbering
  },
): Generator<string> {
  const last: MakeEvent = (type, data) => {
    numbering.atEnd()
    return event(type, data)
  }
  const reply = turn && replyOf(turn)
  if (!turn) {
    const { json } = turnFailure(parts, undefined)
    const { message: words, code } = 'error' in json ? json.error : { message: '', code: null }
    yield last('error', { code, message: words, param: null })
    return
  }
  const response = responseOf(turn, parts.echo)
  if (!reply) {
    yield last(response.status === 'incomplete' ? 'response.incomplete' : 'response.failed', { response })
    return
  }
  if (reply.refusal !== null) {
    const item = message.refused(reply.refusal)
    yield item.events
    yield last('response.completed', { response: { ...response, output: [item.whole] } })
    return
  }
  if (!(reply.content ?? '').startsWith(message.sent())) {
    yield last('error', interrupted)
    return
  }
  for (const [index, item] of outputOf(turn.id, reply).entries())
    if (item.type === 'function_call') yield callEvents(event, { item, index })
    else yield message.done(item, reply.content ?? '')
  yield last(response.status === 'incomplete' ? 'response.incomplete' : 'response.completed', { response })
}

const interrupted = {
  code: 'begun_again',
  message: 'The reply was interrupted and generated again with a different beginning; retrieve the response to read it',
  param: null,
}

function callEvents(event: MakeEvent, { item, index }: { item: Item; index: number }): string {
  const place = { item_id: item.id, output_index: index }
  const { name, arguments: given } = item
  return (
    event('response.output_item.added', {
      output_index: index,
      item: { ...item, arguments: '', status: 'in_progress' },
    }) +
    event('response.function_call_arguments.delta', { ...place, delta: given }) +
    event('response.function_call_arguments.done', { ...place, name, arguments: given }) +
    event('response.output_item.done', { output_index: index, item })
  )
}
