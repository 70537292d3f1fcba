import type { FaultKind } from '@skillrun/core/fault.ts'

/** A request of the parent to a child, one at a time. */
export interface JobMessage {
  /** Address of the job's module. */
  readonly module: string
  readonly input: unknown
  /** The output as JSON text. */
  readonly givesJson: boolean
  /** Largest serialised output in bytes. */
  readonly outputBytesMax: number
}

/** Messages of a child to its parent: `ready` once, then one answer per job. */
export type ChildMessage =
  | { readonly type: 'ready' }
  | { readonly type: 'done'; readonly output: Uint8Array }
  | { readonly type: 'output_too_large' }
  | { readonly type: 'fault'; readonly kind: FaultKind; readonly code: string; readonly message: string }
  | { readonly type: 'failed'; readonly account: string }
  /** The job failed for a reason that no input can cause: its code could not be loaded, or a file not be opened. */
  | { readonly type: 'broken'; readonly account: string }

/** Exit code of a child that could not start. */
export const startFailedCode = 71
