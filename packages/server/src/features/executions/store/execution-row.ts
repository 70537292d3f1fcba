import type { z } from 'zod'
import { type ExecutionState, executionState } from '../execution.ts'

/** Columns whose name is not that of their field in snake case. */
const otherNames: Readonly<Record<string, string>> = { modelReason: 'chosen_by' }

export const columnOf = (field: string): string =>
  otherNames[field] ?? field.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

// The request may hold megabytes of data URLs: only a run reads it.
export const columns = Object.keys(executionState.shape)
  .map((field) => `${columnOf(field)} as "${field}"`)
  .join(', ')

/** Where an execution stands. */
export interface Place {
  readonly workspaceId: string
  readonly id: string
}

/** The one run that may write: a run whose number no longer stands in the row finds nothing to write. */
export interface RunFence {
  readonly workspaceId: string
  readonly id: string
  readonly attempt: number
}

/** A row as the database returns it. */
export type StoredRow = Readonly<Record<string, unknown>>

/** Parses a row of `columns`. A row that does not fit is a bug of ours: the error names the execution and the column. */
export const stateOf = (row: StoredRow): ExecutionState => parsedRow(executionState, row)

/** Parses columns of an execution. */
export function parsedRow<T>(form: z.ZodType<T>, row: StoredRow): T {
  const read = form.safeParse(row)
  if (read.success) return read.data
  const places = read.error.issues.map(({ path }) => `/${path.join('/')}`)
  throw new Error(`The row of execution ${String(row['id'])} has an unexpected form at ${places.join(', ')}`)
}
