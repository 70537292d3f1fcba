import type { FaultKind } from '@skillrun/core/fault.ts'

/** What the parent asks of a child, one at a time. */
export interface JobMessage {
  /** Address of the job's module. */
  readonly module: string
  readonly input: unknown
  /** The output is answered as JSON text. */
  readonly givesJson: boolean
  /** Bytes that the serialised output may have. */
  readonly outputBytesMax: number
}

/** What a child tells its parent: once that it is ready, then one answer for each job. */
export type ChildMessage =
  | { readonly type: 'ready' }
  | { readonly type: 'done'; readonly output: Uint8Array }
  | { readonly type: 'output_too_large' }
  | { readonly type: 'fault'; readonly kind: FaultKind; readonly code: string; readonly message: string }
  | { readonly type: 'failed'; readonly account: string }
  /** The job could not be done for a reason that no input can cause: its code could not be loaded, or a file not be opened. */
  | { readonly type: 'broken'; readonly account: string }

/** Exit code of a child that could not start. */
export const startFailedCode = 71
