import { newRandomId } from '@skillrun/core/ids.ts'
import type { JsonObject } from '@skillrun/core/json.ts'
import type { Caller } from '../../adapters/http/route.ts'
import { invalid } from '../../adapters/http/validation.ts'
import { strayResult } from '../../agent/conversation.ts'
import { createExecution, type ExecutionState } from '../executions/executions.ts'
import { type Continued, continueSession } from './continue-session.ts'
import { readMessages } from './read-messages.ts'
import { asSent, chatTurnOf, executeBodyOf, metadataOf, sessionNamed } from './request.ts'
import { insertMessages } from './store.ts'
import type { TurnParts } from './turn.ts'
import type { ChatRequest } from './wire.ts'

/** A request for a turn of a chat. */
export interface TurnCall {
  readonly caller: Caller
  readonly body: ChatRequest
  readonly idempotencyKey: string | undefined
  readonly signal: AbortSignal
  /** The request translated from another dialect into `body`. */
  readonly dialect?: {
    /** The session of the turn, since the body names none. */
    readonly sessionId: string
    /** The whole conversation when it continues an earlier turn; absent: the messages of the body. */
    readonly conversation?: Continued
    /** Parts of the request that replies repeat. */
    readonly echo: JsonObject
    /** Inputs that the reply is to cite. */
    readonly cited?: readonly string[]
    /** The request as sent: the same key with another request is a conflict. */
    readonly sameAs: object
  }
}

/** Accepts the turn of a request within its session. Throws as `createExecution` does. */
export async function acceptTurn(parts: TurnParts, call: TurnCall): Promise<ExecutionState> {
  const { caller, body, idempotencyKey, signal, dialect } = call
  const { workspaceId } = caller
  const named = dialect ? undefined : sessionNamed(body)
  const sessionId = dialect?.sessionId ?? named ?? newRandomId()
  const { messages, inputs, added } =
    dialect?.conversation ?? (await conversationOf(parts, { workspaceId, named, messages: body.messages }))
  const stray = strayResult(messages)
  if (stray !== undefined)
    throw invalid(
      ['body', 'messages'],
      `The tool message for ${JSON.stringify(stray.slice(0, 100))} has no matching tool call in an earlier assistant message`,
    )
  const turn = {
    ...chatTurnOf(body, messages),
    ...(dialect ? { echo: dialect.echo } : {}),
    ...(dialect?.cited ? { cited: dialect.cited } : {}),
  }
  const route = body.model ? parts.intake.models.route(body.model) : undefined
  const readsWords = (route ?? parts.intake.models.route('svc-agent-1:auto')).fixed?.kind === 'embedded'
  const isKept = metadataOf(body)['allow_retention'] !== false
  return createExecution(parts, {
    caller,
    body: executeBodyOf(body, { sessionId, turn, inputs, readsWords }),
    idempotencyKey,
    signal,
    sameAs: dialect?.sameAs ?? body,
    chat: {
      turn,
      alongside: async (tx, { id, createdAt }) => {
        if (isKept)
          await insertMessages(tx, { workspaceId, sessionId, executionId: id, messages: added, now: createdAt })
      },
    },
  }).catch((failure: unknown) => {
    throw asSent(failure, body)
  })
}

async function conversationOf(
  { db }: Pick<TurnParts, 'db'>,
  of: { workspaceId: string; named: string | undefined; messages: ChatRequest['messages'] },
): Promise<Continued> {
  const { workspaceId, named } = of
  const sent = readMessages(of.messages)
  if (named === undefined) return { ...sent, added: sent.messages }
  return continueSession(db, { workspaceId, sessionId: named, sent })
}
