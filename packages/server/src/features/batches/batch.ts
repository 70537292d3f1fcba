import type { Json, JsonObject } from '@skillrun/core/json.ts'
import type { IgnoredField } from '../../adapters/http/ignored-fields.ts'
import type { Micros } from '../../core/money.ts'
import type { Tier } from '../pricing/pricing.ts'

export type BatchStatus = 'running' | 'paused' | 'completed' | 'cancelled'

/** The progress of one document. `cancelled`: its execution was, or the batch was before the document had one. */
export const itemStatuses = ['enqueued', 'running', 'paused', 'completed', 'failed', 'cancelled'] as const
export type ItemStatus = (typeof itemStatuses)[number]

/** Identifies one batch. */
export interface BatchPlace {
  readonly workspaceId: string
  readonly id: string
}

export interface Batch extends BatchPlace {
  readonly keyId: string
  readonly name: string | null
  readonly status: BatchStatus
  readonly callbackUrl: string | null
  readonly total: number
  readonly inFlightMax: number
  readonly warnings: readonly { readonly code: string; readonly path: string; readonly message: string }[]
  readonly createdAt: Date
  readonly completedAt: Date | null
}

/** The request that all executions of a batch share. */
export interface BatchRequest {
  /** A body of POST /v1/agent/execute without inputs, with pinned skills and agent. */
  readonly body: JsonObject
  readonly tier: Tier
  readonly ignored: readonly IgnoredField[]
  /** Public scheme and host of this server. Older rows have none. */
  readonly origin?: string
  /** False: drop the content of an item once its execution has ended. */
  readonly isRetained: boolean
}

/** Documents by status, and the cost of their executions. */
export interface Progress {
  readonly counts: Readonly<Record<ItemStatus, number>>
  /** Items whose answers wait in the review queue. */
  readonly reviewNeeded: number
  readonly costMicros: Micros
}

/** An item as accepted. */
export interface NewItem {
  readonly clientId: string | null
  readonly fileName: string | null
  /** Null: `entry` of the archive, or those of `baseExecution`. */
  readonly inputs: JsonObject | null
  readonly entry: string | null
  /** The execution whose request is asked again with the schema of the batch. */
  readonly baseExecution?: string | null
}

/** An item without an execution yet. */
export interface QueuedItem extends NewItem {
  readonly number: number
  readonly attempt: number
}

/** An item with the answer of its execution. */
export interface BatchItem {
  readonly number: number
  readonly clientId: string | null
  readonly fileName: string | null
  readonly status: ItemStatus
  readonly executionId: string | null
  readonly baseExecution: string | null
  readonly error: { readonly code: string; readonly message: string; readonly retryable: boolean } | null
  /** The correction of a reviewer, if any. */
  readonly response: Json
  /** Review status of its answer. */
  readonly review: 'needed' | 'done' | null
  readonly evidence: Readonly<Record<string, ItemEvidence>> | null
  /** Pointers of the values that a person should check and nobody has. */
  readonly needsLook: readonly string[]
  readonly costMicros: Micros
  readonly lowestConfidence: number | null
  readonly lowConfidence: number | null
  readonly notFound: number | null
  readonly completedAt: Date | null
}

/** The part of an evidence that a results table shows. */
export interface ItemEvidence {
  readonly status: string
  readonly confidence: number
  readonly input?: string
  readonly page?: number
}
