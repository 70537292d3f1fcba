/** What a callback reports: a move of an execution, a review of its answer, or the end of a batch. */
export type CallbackEvent = 'completed' | 'failed' | 'paused' | 'reviewed' | 'batch.completed' | 'batch.cancelled'

/** The event as the header `X-Skillrun-Event` names it. */
export const eventName = (event: CallbackEvent): string => (event.includes('.') ? event : `execution.${event}`)

/** `pending`: a try is under way or will be. `failed`: no more tries, unless it is sent again by hand. */
export type CallbackState = 'pending' | 'delivered' | 'failed'

/** One try to deliver a callback. */
export interface Try {
  /** When it began, ISO 8601. */
  readonly at: string
  /** What the receiver answered; null where it did not. */
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
  /** The same for every try. */
  readonly webhookId: string
  readonly state: CallbackState
  readonly nextTryAt: Date | null
  readonly tries: readonly Try[]
  readonly createdAt: Date
}

/** Names one callback. */
export interface CallbackPlace {
  readonly workspaceId: string
  /** Of the execution, or of the batch. */
  readonly executionId: string
  readonly n: number
}

/** Tries that the log of one callback keeps: the newest. Sending again by hand may go on for ever. */
const triesKeptMax = 100

export const withTry = (tries: readonly Try[], one: Try): readonly Try[] => [...tries, one].slice(-triesKeptMax)
