import { isJsonObject, type Json, type JsonObject } from '@skillrun/core/json.ts'
import type { EvidenceMap } from '@skillrun/reader/evidence/evidence.ts'
import { z } from 'zod'
import type { Sql } from '../../adapters/db/db.ts'
import type { ModelReply } from '../../adapters/models/model.ts'
import {
  type CreateParts,
  cancel,
  type Endings,
  type ExecutionError,
  executionKey,
  executionState,
  forgetAnswer,
  hasEnded,
  modelReply,
  type Place,
  parsedRow,
  type Status,
  type StoredRow,
  type Usage,
} from '../executions/executions.ts'
import { priceOf, type Tier } from '../pricing/pricing.ts'
import type { Piece, TextStreams } from '../runs/runs.ts'

export interface TurnParts extends CreateParts {
  readonly endings: Pick<Endings, 'watch'>
  readonly textStreams: Pick<TextStreams, 'watch'>
}

/** The state of a chat turn. */
export interface TurnState {
  readonly id: string
  readonly status: Status
  readonly createdAt: Date
  readonly completedAt: Date | null
  readonly sessionId: string | null
  readonly model: string
  readonly response: Json
  readonly evidence: EvidenceMap | null
  readonly error: ExecutionError | null
  readonly usage: Usage
  readonly tier: Tier
  readonly isRetained: boolean
  /** Its reply must not be kept, and was read. */
  readonly isForgotten: boolean
  /** The model's replies in order; empty if the embedded engine answered, or if they must not be kept. */
  readonly replies: readonly ModelReply[]
}

/** Cancels a turn whose client is gone. A turn that has ended does not change. */
export async function cancelTurn(parts: CreateParts, place: Place): Promise<void> {
  await cancel(parts, place).catch(() => {})
}

const turnRow = executionState
  .pick({
    id: true,
    status: true,
    createdAt: true,
    completedAt: true,
    sessionId: true,
    model: true,
    response: true,
    evidence: true,
    error: true,
    usage: true,
    tier: true,
    isRetained: true,
  })
  .extend({ isForgotten: z.boolean() })

/** The state of these turns by id. */
export async function findTurns(
  sql: Sql,
  of: { workspaceId: string; ids: readonly string[] },
): Promise<ReadonlyMap<string, TurnState>> {
  const params = [of.workspaceId, of.ids]
  const states = await sql.query<StoredRow>(
    `select id, status, created_at as "createdAt", completed_at as "completedAt", session_id as "sessionId", model, response, evidence, error, usage, tier,
       is_retained as "isRetained", purged_at is not null as "isForgotten"
     from executions where workspace_id = $1 and id = any($2::uuid[])`,
    params,
  )
  const steps = await sql.query<{ id: string; result: unknown }>(
    `select execution_id as id, result from steps
     where workspace_id = $1 and execution_id = any($2::uuid[]) and kind = 'model' and name <> 'embedded'
       and detail ->> 'finish' is not null order by seq`,
    params,
  )
  const replies = Map.groupBy(steps, (step) => step.id)
  return new Map(
    states
      .map((row) => parsedRow(turnRow, row))
      .map((state) => [
        state.id,
        { ...state, replies: (replies.get(state.id) ?? []).map(({ result }) => modelReply.parse(result)) },
      ]),
  )
}

const isOver = ({ status }: TurnState): boolean => hasEnded(status) || status === 'paused'

/**
 * Follows a turn to its end or pause: yields its text as it arrives and an empty text after each `silenceMs`; returns the final state, or
 * undefined when `signal` aborts first. Drops a reply that must not be kept once it was read. The yielded pieces are a prefix of the text:
 * the turn has the rest.
 */
export async function* followTurn(
  { db, clock, endings, textStreams }: Pick<TurnParts, 'db' | 'clock' | 'endings' | 'textStreams'>,
  { workspaceId, id }: Place,
  terms: { silenceMs: number; signal: AbortSignal },
): AsyncGenerator<string, TurnState | undefined> {
  const { silenceMs, signal } = terms
  const pieces: Piece[] = []
  let sent = 0
  let mayBeOver = true
  let wake = () => {}
  const unwatchText = textStreams.watch(executionKey({ workspaceId, id }), (piece) => {
    pieces.push(piece)
    wake()
  })
  const unwatchEnd = endings.watch(executionKey({ workspaceId, id }), () => {
    mayBeOver = true
    wake()
  })
  const onAbort = () => wake()
  signal.addEventListener('abort', onAbort)
  try {
    while (!signal.aborted) {
      const mustRead = mayBeOver
      mayBeOver = false
      const turn = mustRead ? (await findTurns(db, { workspaceId, ids: [id] })).get(id) : undefined
      for (let piece = pieces.shift(); piece; piece = pieces.shift()) {
        if (piece.from !== sent) continue
        sent += piece.text.length
        yield piece.text
      }
      if (turn && isOver(turn)) {
        if (!turn.isRetained && hasEnded(turn.status)) await forgetAnswer(db, { workspaceId, id, now: clock.now() })
        return turn
      }
      if (pieces.length > 0 || mayBeOver || signal.aborted) continue
      const { promise, resolve } = Promise.withResolvers<boolean>()
      wake = () => resolve(true)
      const timer = setTimeout(() => resolve(false), silenceMs)
      const isWoken = await promise
      clearTimeout(timer)
      if (isWoken) continue
      // Notifications of the database may get lost, so read the record again.
      mayBeOver = true
      yield ''
    }
    return undefined
  } finally {
    unwatchText()
    unwatchEnd()
    signal.removeEventListener('abort', onAbort)
  }
}

/** The cost of a turn in its tier, in wire format. */
export const priceOfTurn = ({ usage, tier }: Pick<TurnState, 'usage' | 'tier'>): ReturnType<typeof priceOf> =>
  priceOf(usage.standardMicros ?? 0, tier)

/** The reply of a turn that succeeded, or that its model refused. */
export interface TurnReply {
  readonly content: string | null
  readonly refusal: string | null
  /** Calls of the caller's functions in OpenAI's format. */
  readonly toolCalls: readonly JsonObject[]
  readonly finish: 'stop' | 'length' | 'tool_calls' | 'content_filter'
}

/** The reply of a turn; undefined if it failed, was paused, or has not ended. */
export function replyOf({ status, response, error, replies, isForgotten }: TurnState): TurnReply | undefined {
  const none = { refusal: null, toolCalls: [] }
  if (error?.code === 'refused') return { ...none, content: null, refusal: String(response), finish: 'content_filter' }
  if (status !== 'completed' || isForgotten) return undefined
  const calls = isJsonObject(response) && response['role'] === 'assistant' ? response['tool_calls'] : undefined
  if (Array.isArray(calls) && isJsonObject(response)) {
    const content = typeof response['content'] === 'string' ? response['content'] : null
    return { ...none, content, toolCalls: calls as JsonObject[], finish: 'tool_calls' }
  }
  const content = typeof response === 'string' ? response : JSON.stringify(response)
  return { ...none, content, finish: replies.at(-1)?.finish === 'length' ? 'length' : 'stop' }
}
