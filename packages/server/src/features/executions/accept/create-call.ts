import type { Sql } from '../../../adapters/db/db.ts'
import type { IgnoredField } from '../../../adapters/http/ignored-fields.ts'
import type { Caller } from '../../../adapters/http/route.ts'
import type { ChatTurn } from '../../../agent/conversation.ts'
import type { ExecutionState } from '../execution.ts'
import type { ExecuteRequest } from '../wire.ts'

/** Who asks, what, and under which key of idempotency (the header; the body's `id` counts too). */
export interface CreateCall {
  readonly caller: Caller
  readonly body: ExecuteRequest
  readonly idempotencyKey: string | undefined
  /** Fields of the request that this server does not know. */
  readonly ignored?: readonly IgnoredField[]
  /** The evaluation that it is a run of. */
  readonly evaluationId?: string
  /** The batch that it belongs to. */
  readonly batch?: BatchCall
  /** The chat that it is a turn of. */
  readonly chat?: ChatCall
  /** Scheme and host at which people reach this server; absent: unknown, and nobody is sent a link. */
  readonly origin?: string
  /** The execution that it is forked from. */
  readonly fork?: ForkCall
  readonly signal: AbortSignal
}

/** The item of a batch that an execution is created for. */
export interface BatchCall {
  readonly id: string
  /** The caller's own id of the item. */
  readonly clientId: string | null
  /** The receiver of the batch. */
  readonly callbackUrl: string | null
  /** Runs in the transaction that writes the execution; when it throws, there is no execution. */
  readonly alongside: (tx: Sql, execution: ExecutionState) => Promise<void>
}

/** The execution whose first steps a new one keeps. */
export interface ForkCall {
  readonly of: string
  /** Writes those steps, in one transaction with the execution. */
  readonly alongside: (tx: Sql, execution: ExecutionState) => Promise<void>
}

/** A turn of a chat beside the body that says the rest of it. */
export interface ChatCall {
  readonly turn: ChatTurn
  /** What must be alike for two calls with one key to be the same. */
  readonly sameAs: object
  /** Written in one transaction with the execution. */
  readonly alongside: (tx: Sql, execution: ExecutionState) => Promise<void>
}
