/** The cause of a callback: a move of an execution, a review of its answer, or the end of a batch. */
export type CallbackEvent = 'completed' | 'failed' | 'paused' | 'reviewed' | 'batch.completed' | 'batch.cancelled'

/** The event in the header `X-Skillrun-Event`. */
export const eventName = (event: CallbackEvent): string => (event.includes('.') ? event : `execution.${event}`)

/** `pending`: an attempt is running or scheduled. `failed`: no more attempts, unless a person redelivers it. */
export type CallbackState = 'pending' | 'delivered' | 'failed'

/** One delivery attempt. */
export interface Try {
  /** When it began, ISO 8601. */
  readonly at: string
  /** The receiver's status code; null without a response. */
  readonly status: number | null
  readonly duration_ms: number
  /** Null: acknowledged. */
  readonly error: { readonly code: string; readonly message: string } | null
}

/** A callback of an execution or of a batch. */
export interface Callback {
  /** Number within the execution or batch: 1, 2, 3 …. */
  readonly n: number
  readonly event: CallbackEvent
  readonly url: string
  /** The same for every attempt. */
  readonly webhookId: string
  readonly state: CallbackState
  readonly nextTryAt: Date | null
  readonly tries: readonly Try[]
  readonly createdAt: Date
}

/** Identifies one callback. */
export interface CallbackPlace {
  readonly workspaceId: string
  /** Of the execution, or of the batch. */
  readonly executionId: string
  readonly n: number
}

/** Most attempts in the log of one callback, the newest: redelivery has no limit. */
const triesKeptMax = 100

export const withTry = (tries: readonly Try[], one: Try): readonly Try[] => [...tries, one].slice(-triesKeptMax)
