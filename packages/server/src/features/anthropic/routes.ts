import { newRandomId } from '@skillrun/core/ids.ts'
import type { FailureBody } from '../../adapters/http/failure-form.ts'
import { eventStreamHeaders } from '../../adapters/http/reply.ts'
import { type Reply, type Route, route, withAliases } from '../../adapters/http/route.ts'
import { acceptTurn, awaitTurn, endOfTurn, replyOf, type TurnParts, type TurnState, turnFailure } from '../chat/chat.ts'
import { idempotencyKeyOf } from '../idempotency/idempotency.ts'
import { streamMessage } from './events.ts'
import { messageOf } from './message.ts'
import { asSentToMessages, readMessagesRequest } from './read-request.ts'
import { type MessageObject, type MessagesRequest, messageObject, messagesRequest } from './wire.ts'

export interface MessagesParts extends Omit<TurnParts, 'db'> {
  /** Longest wait for a reply, in milliseconds. */
  readonly chatWaitMs: number
}

/** Anthropic's Messages API on top of executions, below `/anthropic` and two aliases. */
export function messagesRoutes(parts: MessagesParts): Route[] {
  return withAliases([messagesRoute(parts)], '/anthropic/v1', { Alias: '/v1/anthropic/v1', Short: '/v1' })
}

const path = '/anthropic/v1/messages'

function messagesRoute(parts: MessagesParts): Route {
  return route({
    method: 'post',
    path,
    operation: 'createMessage',
    tag: 'anthropic',
    scope: 'execute',
    summary: "Create a message (Anthropic's Messages API), at once or streamed",
    body: messagesRequest,
    reply: { status: 200, description: 'The message; with `stream: true`, server-sent events', schema: messageObject },
    failures: [400, 402, 404, 409],
    handle: async ({ db, caller, body, headers, signal }): Promise<Reply<MessageObject | FailureBody>> => {
      const own = { ...parts, db }
      const call = { caller, signal, idempotencyKey: idempotencyKeyOf(headers) }
      const { chat, cited } = readRequest(body)
      const execution = await accept(own, { ...call, body, chat, cited })
      const about = { execution: execution.id }
      const place = { workspaceId: caller.workspaceId, id: execution.id }
      const followed = {
        ...awaitTurn(own, place, { waitMs: parts.chatWaitMs, signal, goesOn: Boolean(call.idempotencyKey) }),
        path,
      }
      if (body.stream) {
        const turn: TurnState = { ...execution, isForgotten: false, replies: [] }
        return { stream: streamMessage({ ...followed, turn, cited }), headers: eventStreamHeaders, about }
      }
      const turn = await endOfTurn(followed.following)
      const reply = turn && replyOf(turn)
      if (!turn || !reply) return { ...turnFailure(followed, turn), about }
      return { json: messageOf(turn, reply, cited), about }
    },
  })
}

type Read = ReturnType<typeof readMessagesRequest>

/** Reads a request; failures name places in it as it was sent. */
function readRequest(body: MessagesRequest): Read {
  try {
    return readMessagesRequest(body)
  } catch (error) {
    throw asSentToMessages(error, body)
  }
}

async function accept(
  parts: TurnParts,
  {
    body,
    chat,
    cited,
    ...call
  }: Pick<Parameters<typeof acceptTurn>[1], 'caller' | 'signal' | 'idempotencyKey'> & Read & { body: MessagesRequest },
): ReturnType<typeof acceptTurn> {
  const citing = cited.length > 0 ? { cited: cited.map(({ input }) => input) } : {}
  const dialect = { sessionId: newRandomId(), echo: { api: 'messages' }, sameAs: body, ...citing }
  return acceptTurn(parts, { ...call, body: chat, dialect }).catch((error: unknown) => {
    throw asSentToMessages(error, body)
  })
}
