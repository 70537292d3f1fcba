import type { SandboxLimits } from '../sandbox.ts'

/** The input of a realm. */
export interface Opening {
  readonly source: string
  /** Names of the tools that the program may call. */
  readonly names: readonly string[]
  /** JSON. */
  readonly input: string
  readonly limits: SandboxLimits
  readonly nowMs: number
}

/** The host's reply to a call: JSON, or the message of the failure as plain text. */
export interface Settlement {
  readonly id: number
  readonly isGood: boolean
  readonly json: string
}

/** What a program did until it had to wait or ended. */
export interface Turn {
  readonly calls: readonly { readonly id: number; readonly name: string; readonly json: string }[]
  readonly console: readonly string[]
  readonly end: TurnEnd | null
  /** The process cannot run another program: the TypeScript parser broke on this one. */
  readonly isSpoiled?: true
}

export type TurnEnd =
  | { readonly ended: 'returned'; readonly json: string }
  | { readonly ended: 'failed'; readonly code: string; readonly message: string; readonly line: number | null }

/** To a child. The run number identifies the realm, because a settlement may arrive after its realm has ended. */
export type ToChild =
  | ({ readonly type: 'open'; readonly run: number } & Opening)
  | ({ readonly type: 'settle'; readonly run: number } & Settlement)

/** From a child. Each message to an open realm is answered by one turn. */
export type FromChild = { readonly type: 'ready' } | ({ readonly type: 'turn'; readonly run: number } & Turn)

const kinds = [
  'syntax',
  'error',
  'nothing',
  'result',
  'stuck',
  'wall',
  'cpu',
  'memory',
  'output',
  'host_calls',
  'console',
]
const codes = new Set(kinds.map((kind) => `program_${kind}`))

/** Whether a code is one of `ProgramFailed`. Messages of a child are not trusted. */
export const isProgramCode = (code: string): code is `program_${string}` => codes.has(code)
