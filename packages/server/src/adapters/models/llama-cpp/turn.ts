import type { Generated, Prompt } from './engine.ts'

/** Messages to the process of a local model. */
export type ToChild = { readonly type: 'generate'; readonly prompt: Prompt } | { readonly type: 'stop' }

/** Messages from it. `refused` and `broken` end a generation without an answer; before `ready`, they mean that loading failed. */
export type FromChild =
  | { readonly type: 'ready' | 'stopped' }
  | { readonly type: 'delta'; readonly text: string }
  | { readonly type: 'done'; readonly generated: Generated }
  | { readonly type: 'refused' | 'broken'; readonly why: string }

/** What to load. */
export interface Loading {
  /** URL of the package's main module. */
  readonly module: string
  /** Path of the GGUF file. */
  readonly file: string
  readonly contextTokens: number
  readonly threads: number
}
