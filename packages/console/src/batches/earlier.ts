import type { ListedExecution } from '../wire.ts'

/** The executions that are to be asked for new fields. */
export type EarlierExecutions =
  | { readonly chosen: readonly ListedExecution[] }
  | { readonly batch: { readonly id: string; readonly name: string | null; readonly total: number } }
