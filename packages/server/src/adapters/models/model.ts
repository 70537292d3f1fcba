import { Fault } from '@skillrun/core/fault.ts'
import type { Json, JsonSchema } from '@skillrun/core/json.ts'

/** A piece of what a user says. Bytes are sent as they are: no adapter ever fetches an address. */
export type Part =
  | { readonly kind: 'text'; readonly text: string }
  | {
      readonly kind: 'image'
      readonly bytes: Uint8Array
      readonly mediaType: string
      /** How closely it should be looked at; a provider that does not know this looks as it does. */
      readonly detail?: 'auto' | 'low' | 'high'
    }
  | {
      readonly kind: 'file'
      readonly bytes: Uint8Array
      readonly mediaType: string
      readonly filename: string
      /** What it takes of the context, rather too many than too few. */
      readonly tokens: number
    }

/** A tool that the model wants called; `id` is the provider's, unique within a transcript. */
export type ToolCall = { readonly id: string; readonly name: string; readonly input: Json }

export type ToolResult = { readonly id: string; readonly name: string; readonly output: Json; readonly failed: boolean }

/** One entry of a conversation. `continuation` is what its own provider wants back unchanged; others read text and calls. */
export type Message =
  | { readonly role: 'user'; readonly parts: readonly Part[] }
  | ({ readonly role: 'assistant' } & Pick<ModelReply, 'text' | 'toolCalls' | 'continuation'>)
  | { readonly role: 'tool'; readonly results: readonly ToolResult[] }

export type ToolSpec = { readonly name: string; readonly description: string; readonly input: JsonSchema }

export interface ModelRequest {
  readonly system: string
  readonly messages: readonly Message[]
  readonly tools: readonly ToolSpec[]
  /** What the final answer must fit; a provider that can is told so, and the caller checks in any case. */
  readonly schema: JsonSchema | null
  readonly outputTokensMax: number
  /** Most milliseconds that one call may take. */
  readonly wallMs: number
  /** Whether it must call a tool, and which; absent: as it sees fit. */
  readonly toolChoice?: 'required' | { readonly name: string }
  /** Requests that begin alike have the same one: a provider that takes it sends them where the beginning is in the cache. */
  readonly cacheKey?: string
  /** How soon an answer is wanted, and at what price; absent, and where a provider has no tiers: as it usually answers. */
  readonly tier?: 'flex' | 'priority'
  /** How it draws its words; a provider that does not know a setting leaves it out. */
  readonly sampling?: Sampling
}

export interface Sampling {
  readonly temperature?: number
  readonly topP?: number
  readonly seed?: number
  readonly presencePenalty?: number
  readonly frequencyPenalty?: number
  /** Texts at which it stops; they are not part of the answer. */
  readonly stop?: readonly string[]
  readonly reasoning?: 'none' | 'minimal' | 'low' | 'medium' | 'high' | 'xhigh'
}

/**
 * Cached tokens are part of the input, and so are those written to the cache; reasoning tokens are part of the output. As an
 * adapter gives it, it is what the provider reported, NaN where that said nothing: see `withPlausibleUsage`.
 */
export type ModelUsage = Readonly<
  Record<'inputTokens' | 'cachedInputTokens' | 'outputTokens' | 'reasoningTokens', number>
> & {
  /** Input that the provider wrote to its cache, where it charges for that. */
  readonly cacheWrittenTokens?: number
  /** What the provider reported, where no such call can have used that; the counts beside it are an upper limit then. */
  readonly reported?: ModelUsage
}

export interface ModelReply {
  readonly text: string
  readonly toolCalls: readonly ToolCall[]
  readonly usage: ModelUsage
  readonly finish: 'stop' | 'tool-calls' | 'length' | 'refusal' | 'other'
  /** Which model answered, and the id of its answer, in the provider's own words. */
  readonly model: string
  readonly id: string | null
  readonly continuation: Json
}

/** Told the text of an answer piece by piece, as it comes. */
export type Hear = (piece: string) => void

/**
 * A language model. `reply` makes one call; with `hear` its text is streamed, and the pieces together are the text of the
 * reply. It throws: Fault `provider_refused` (invalid) for a request or key that the
 * provider does not take; ProviderLimited; `provider_failed` (upstream) for its failures, for answers that are none and
 * for broken connections; `provider_timeout`; `signal.reason` on abort. No sentence holds a key or an address.
 */
export interface Model {
  /** `openai/gpt-5.5`. */
  readonly name: string
  reply(request: ModelRequest, signal: AbortSignal, hear?: Hear): Promise<ModelReply>
}

/** The provider asks to come back later; `afterMs` where it said when. */
export class ProviderLimited extends Fault {
  readonly afterMs: number | null
  constructor(message: string, afterMs: number | null) {
    super('limited', 'provider_limited', message)
    this.afterMs = afterMs
  }
}
