import type { Json, JsonObject, JsonSchema } from '@skillrun/core/json.ts'
import type { Sampling } from '../model.ts'

/** What was said so far, as llama.cpp's chats have it: a turn of the model holds its calls with their results. */
export type Said =
  | { readonly type: 'system' | 'user'; readonly text: string }
  | { readonly type: 'model'; readonly response: readonly (string | SaidCall)[] }

interface SaidCall {
  readonly type: 'functionCall'
  readonly name: string
  readonly params: Json
  readonly result: Json
  /** The first of calls that were made together. */
  readonly startsNewChunk: boolean
}

/** What one generation is asked. */
export interface Prompt {
  readonly history: readonly Said[]
  /** Their parameters, as grammars know them. */
  readonly functions: Readonly<Record<string, { readonly description: string; readonly params: JsonSchema }>>
  /** What the answer must fit, as grammars know it; null: nothing that one could hold it to. Functions go before it. */
  readonly schema: JsonSchema | null
  readonly tokensMax: number
  readonly sampling: Sampling
}

export interface Generated {
  readonly text: string
  readonly calls: readonly { readonly name: string; readonly params: JsonObject }[]
  readonly ended: 'stop' | 'length'
  readonly inputTokens: number
  /** Of the input, those that were in memory from the generation before. */
  readonly cachedTokens: number
  readonly outputTokens: number
  readonly thoughtTokens: number
}

/**
 * A model in memory that says one thing at a time. `generate` throws: Fault `provider_refused` for what the model cannot take,
 * `provider_failed` when it breaks down, `signal.reason` on abort.
 */
export interface Engine {
  generate(prompt: Prompt, signal: AbortSignal, hear: (piece: string) => void): Promise<Generated>
}
