import { newRandomId } from '@skillrun/core/ids.ts'
import type { FailureBody } from '../../adapters/http/failure-form.ts'
import { type Reply, type Route, route } from '../../adapters/http/route.ts'
import { acceptTurn, awaitTurn, endOfTurn, replyOf, type TurnParts, type TurnState, turnFailure } from '../chat/chat.ts'
import { idempotencyKeyOf } from '../executions/executions.ts'
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
  return [
    messagesRoute(parts, { path: '/anthropic/v1/messages', operation: 'createMessage', hidden: false }),
    messagesRoute(parts, { path: '/v1/anthropic/v1/messages', operation: 'createMessageAlias', hidden: true }),
    messagesRoute(parts, { path: '/v1/messages', operation: 'createMessageShort', hidden: true }),
  ]
}

/** Clients that know this header do not resend a request that the server worked on already. */
const final = { 'X-Should-Retry': 'false' }

function messagesRoute(
  parts: MessagesParts,
  { path, operation, hidden }: { path: string; operation: string; hidden: boolean },
): Route {
  return route({
    method: 'post',
    path,
    operation,
    tag: 'anthropic',
    scope: 'execute',
    hidden,
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
      const followed = { ...awaitTurn(own, place, { waitMs: parts.chatWaitMs, signal }), path }
      if (body.stream) {
        const turn: TurnState = { ...execution, isForgotten: false, said: [] }
        const headers = {
          'Content-Type': 'text/event-stream',
          'Cache-Control': 'no-store',
          'X-Accel-Buffering': 'no',
        }
        return { stream: streamMessage({ ...followed, turn, cited }), headers, about }
      }
      const turn = await endOfTurn(followed.following)
      const reply = turn && replyOf(turn)
      if (!turn || !reply) return { ...turnFailure(followed, turn), headers: final, about }
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
