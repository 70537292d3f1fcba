import type { Sql } from '../../../adapters/db/db.ts'
import type { IgnoredField } from '../../../adapters/http/ignored-fields.ts'
import type { Caller } from '../../../adapters/http/route.ts'
import type { ChatTurn } from '../../../agent/conversation.ts'
import type { ExecutionState } from '../execution.ts'
import type { ExecutionRequest } from '../execution-request.ts'
import type { ExecuteRequest } from '../wire/request.ts'

/** The caller, the body, and the idempotency key (the header; the body's `id` counts too). */
export interface CreateCall {
  readonly caller: Caller
  readonly body: ExecuteRequest
  /** The request as sent, where `body` does not have all of it. See `Acceptable`. */
  readonly sameAs?: object
  readonly idempotencyKey: string | undefined
  /** Fields of the request that this server does not know. */
  readonly ignored?: readonly IgnoredField[]
  /** The evaluation that it is a run of. */
  readonly evaluationId?: string
  /** The batch that it belongs to. */
  readonly batch?: BatchCall
  /** The chat that it is a turn of. */
  readonly chat?: ChatCall
  /** The answer is the transcript of the recording that it has as an input. */
  readonly transcription?: true
  /** The texts in the input `texts` are turned into vectors. */
  readonly embedding?: NonNullable<ExecutionRequest['embedding']>
  /** Public scheme and host of this server; absent: unknown, so nobody is sent a link. */
  readonly origin?: string
  /** The execution that it is forked from. */
  readonly fork?: ForkCall
  readonly signal: AbortSignal
}

/** The batch item that an execution is created for. */
export interface BatchCall {
  readonly id: string
  /** The caller's own id of the item. */
  readonly clientId: string | null
  /** The name of its document. */
  readonly fileName: string | null
  /** The callback receiver of the batch. */
  readonly callbackUrl: string | null
  /** Runs in the transaction that writes the execution; if it throws, there is no execution. */
  readonly alongside: (tx: Sql, execution: ExecutionState) => Promise<void>
}

/** The execution whose first steps the fork keeps. */
export interface ForkCall {
  readonly of: string
  /** Writes those steps in the transaction of the execution. */
  readonly alongside: (tx: Sql, execution: ExecutionState) => Promise<void>
}

/** A chat turn, besides the body with the rest of the request. */
export interface ChatCall {
  readonly turn: ChatTurn
  /** Runs in the transaction of the execution. */
  readonly alongside: (tx: Sql, execution: ExecutionState) => Promise<void>
}
