import type { SandboxLimits } from '../sandbox.ts'

/** What a world begins with. */
export interface Opening {
  readonly source: string
  /** Names of what the program may call. */
  readonly names: readonly string[]
  /** JSON. */
  readonly input: string
  readonly limits: SandboxLimits
  readonly nowMs: number
}

/** What the host answers to a call: JSON, or the words of a failure. */
export interface Settlement {
  readonly id: number
  readonly isGood: boolean
  readonly json: string
}

/** What a program did until it had to wait, or ended. */
export interface Turn {
  readonly calls: readonly { readonly id: number; readonly name: string; readonly json: string }[]
  readonly console: readonly string[]
  readonly end: TurnEnd | null
  /** The process can take no other program: the reader of TypeScript broke on this one. */
  readonly isSpoiled?: true
}

export type TurnEnd =
  | { readonly ended: 'returned'; readonly json: string }
  | { readonly ended: 'failed'; readonly code: string; readonly message: string; readonly line: number | null }

/** To a child: run numbers tell the worlds apart, for a settlement may come when its world is gone. */
export type ToChild =
  | ({ readonly type: 'open'; readonly run: number } & Opening)
  | ({ readonly type: 'settle'; readonly run: number } & Settlement)

/** From a child: each message to a world that is there has one turn as its answer. */
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

/** Whether a code is one that `ProgramFailed` names: what comes from a child is not believed. */
export const isProgramCode = (code: string): code is `program_${string}` => codes.has(code)
