import type { Generated, Prompt } from './engine.ts'

/** What the process of a local model is told. */
export type ToChild = { readonly does: 'generate'; readonly prompt: Prompt } | { readonly does: 'stop' }

/** What it says. `refused` and `broken` end a generation without an answer; before `ready` they say why there is no model. */
export type FromChild =
  | { readonly says: 'ready' | 'stopped' }
  | { readonly says: 'piece'; readonly text: string }
  | { readonly says: 'done'; readonly generated: Generated }
  | { readonly says: 'refused' | 'broken'; readonly why: string }

/** How a model is loaded. */
export interface Loading {
  /** Address of the package's main module. */
  readonly module: string
  /** Path of the GGUF file. */
  readonly file: string
  readonly contextTokens: number
  readonly threads: number
}
