import type { Json, JsonObject, JsonSchema } from '@skillrun/core/json.ts'
import type { Sampling } from '../model.ts'

/** One turn of a chat in llama.cpp's format: a turn of the model contains its calls with their results. */
export type ChatTurn =
  | { readonly type: 'system' | 'user'; readonly text: string }
  | { readonly type: 'model'; readonly response: readonly (string | CompletedCall)[] }

interface CompletedCall {
  readonly type: 'functionCall'
  readonly name: string
  readonly params: Json
  readonly result: Json
  /** True for the first of several calls made together. */
  readonly startsNewChunk: boolean
}

/** The input of one generation. */
export interface Prompt {
  readonly history: readonly ChatTurn[]
  /** Functions with their parameters as grammar schemas. */
  readonly functions: Readonly<Record<string, { readonly description: string; readonly params: JsonSchema }>>
  /** The grammar schema of the answer; null: unconstrained. Ignored when there are functions. */
  readonly schema: JsonSchema | null
  readonly tokensMax: number
  readonly sampling: Sampling
}

export interface Generated {
  readonly text: string
  readonly calls: readonly { readonly name: string; readonly params: JsonObject }[]
  readonly ended: 'stop' | 'length'
  readonly inputTokens: number
  /** Input tokens that were still in memory from the previous generation. */
  readonly cachedTokens: number
  readonly outputTokens: number
  readonly thoughtTokens: number
}

/**
 * A loaded model that runs one generation at a time. `generate` throws Fault `provider_refused` for input that the model
 * cannot take, `provider_failed` when it breaks down, and `signal.reason` on abort.
 */
export interface Engine {
  generate(prompt: Prompt, signal: AbortSignal, onText: (delta: string) => void): Promise<Generated>
}
