import { Fault } from '@skillrun/core/fault.ts'
import type { Json, JsonSchema } from '@skillrun/core/json.ts'

/** One part of a user message. Media are always sent as bytes: adapters never fetch an address. */
export type Part =
  | { readonly kind: 'text'; readonly text: string }
  | {
      readonly kind: 'image'
      readonly bytes: Uint8Array
      readonly mediaType: string
      /** The resolution that the provider should use; ignored by providers without such an option. */
      readonly detail?: 'auto' | 'low' | 'high'
    }
  | {
      readonly kind: 'file'
      readonly bytes: Uint8Array
      readonly mediaType: string
      readonly filename: string
      /** An upper estimate of its tokens. */
      readonly tokens: number
    }

/** A tool call of the model; `id` comes from the provider and is unique within a transcript. */
export type ToolCall = { readonly id: string; readonly name: string; readonly input: Json }

export type ToolResult = { readonly id: string; readonly name: string; readonly output: Json; readonly failed: boolean }

/** One message of a conversation. `continuation` goes back unchanged to the provider that sent it; others use text and calls. */
export type Message =
  | { readonly role: 'user'; readonly parts: readonly Part[] }
  | ({ readonly role: 'assistant' } & Pick<ModelReply, 'text' | 'toolCalls' | 'continuation'>)
  | { readonly role: 'tool'; readonly results: readonly ToolResult[] }

export interface ToolSpec {
  readonly name: string
  readonly description: string
  readonly input: JsonSchema
  /** Whether calls must be valid against `input`; absent: as the provider does it. A provider ignores it that has no such option. */
  readonly strict?: boolean
}

export interface ModelRequest {
  readonly system: string
  readonly messages: readonly Message[]
  readonly tools: readonly ToolSpec[]
  /** The schema of the final answer. Sent to providers that support it; the caller validates the answer in any case. */
  readonly schema: JsonSchema | null
  readonly outputTokensMax: number
  /** Timeout of one call in milliseconds. */
  readonly wallMs: number
  /** Whether the model must call a tool, and which; absent: the model decides. */
  readonly toolChoice?: 'required' | { readonly name: string }
  /** Equal for requests with the same prefix: a provider that supports it routes them to the same cache. */
  readonly cacheKey?: string
  /** The service tier; absent, and for providers without tiers: the default. */
  readonly tier?: 'flex' | 'priority'
  /** Sampling options; a provider ignores those that it does not support. */
  readonly sampling?: Sampling
}

export interface Sampling {
  readonly temperature?: number
  readonly topP?: number
  readonly seed?: number
  readonly presencePenalty?: number
  readonly frequencyPenalty?: number
  /** Stop sequences; they are not part of the answer. */
  readonly stop?: readonly string[]
  readonly reasoning?: 'none' | 'minimal' | 'low' | 'medium' | 'high' | 'xhigh'
}

/**
 * Input tokens include cached tokens and tokens written to the cache; output tokens include reasoning tokens. Adapters
 * return the provider's report, with NaN for missing counts: see `withPlausibleUsage`.
 */
export type ModelUsage = Readonly<
  Record<'inputTokens' | 'cachedInputTokens' | 'outputTokens' | 'reasoningTokens', number>
> & {
  /** Input tokens written to the provider's cache, where that has a price. */
  readonly cacheWrittenTokens?: number
  /** The provider's report when it was implausible; the other counts are then an upper limit. */
  readonly reported?: ModelUsage
}

export interface ModelReply {
  readonly text: string
  readonly toolCalls: readonly ToolCall[]
  readonly usage: ModelUsage
  readonly finish: 'stop' | 'tool-calls' | 'length' | 'refusal' | 'other'
  /** The provider's names of the model that answered and of its response. */
  readonly model: string
  readonly id: string | null
  readonly continuation: Json
}

/** Called with each text delta of a reply. */
export type OnText = (delta: string) => void

/**
 * A language model. `reply` makes one call; with `onText` the reply is streamed, and the deltas together are its text.
 * Throws Fault `provider_refused` (invalid) for a request or key that the provider rejects; ProviderLimited;
 * `provider_failed` (upstream) for failures of the provider, invalid replies and broken connections; `provider_timeout`;
 * `signal.reason` on abort. Messages contain neither keys nor addresses.
 */
export interface Model {
  /** `openai/gpt-5.5`. */
  readonly name: string
  reply(request: ModelRequest, signal: AbortSignal, onText?: OnText): Promise<ModelReply>
}

/** The provider is rate limiting; `afterMs` is its requested wait, null when it gave none. */
export class ProviderLimited extends Fault {
  readonly afterMs: number | null
  constructor(message: string, afterMs: number | null) {
    super('limited', 'provider_limited', message)
    this.afterMs = afterMs
  }
}
