import type { z } from 'zod'
import { type ExecutionState, executionState } from '../execution.ts'

/** Columns whose names differ from the snake case of their fields. */
const otherNames: Readonly<Record<string, string>> = { modelReason: 'chosen_by' }

export const columnOf = (field: string): string =>
  otherNames[field] ?? field.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

// The request may hold megabytes of data URLs, so only a run reads it.
export const columns = Object.keys(executionState.shape)
  .map((field) => `${columnOf(field)} as "${field}"`)
  .join(', ')

/**
 * SQL for statements about many executions whose keys are in `given`: always true, but it makes the planner expect one row. It then
 * looks executions up by their key, also where it plans while the table is small and uses the plan when it is large.
 */
export const fewGiven = 'given.place between 1 and 1000000'

/** Identifies an execution. */
export interface Place {
  readonly workspaceId: string
  readonly id: string
}

/** The one run that may write: an attempt number that is no longer in the row matches nothing. */
export interface RunFence {
  readonly workspaceId: string
  readonly id: string
  readonly attempt: number
}

/** A row as the database returns it. */
export type StoredRow = Readonly<Record<string, unknown>>

/** Parses a row of `columns`. A row that does not fit is a bug of the server: the error names the execution and the column. */
export const stateOf = (row: StoredRow): ExecutionState => parsedRow(executionState, row)

/** Parses columns of an execution. */
export function parsedRow<T>(form: z.ZodType<T>, row: StoredRow): T {
  const read = form.safeParse(row)
  if (read.success) return read.data
  const places = read.error.issues.map(({ path }) => `/${path.join('/')}`)
  throw new Error(`The row of execution ${String(row['id'])} has an unexpected form at ${places.join(', ')}`)
}
