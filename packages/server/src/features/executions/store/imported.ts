import { asJson } from '@skillrun/core/json.ts'
import type { z } from 'zod'
import { jsonb, type Sql } from '../../../adapters/db/db.ts'
import { largeJsonb } from '../../../adapters/db/large-json.ts'
import { type ExecutionState, executionState, type Step } from '../execution.ts'
import { columns, type Place, type StoredRow, stateOf } from './execution-row.ts'
import { moveParam, withMove } from './move-sql.ts'
import { insertExecution, type NewExecution } from './new-execution.ts'
import { insertSteps } from './steps.ts'

/** The outcome of an execution that ran elsewhere. */
export const importedOutcome = executionState
  .pick({
    status: true,
    response: true,
    evidence: true,
    error: true,
    completeness: true,
    warnings: true,
    usage: true,
    executionMode: true,
    program: true,
    answeredBy: true,
    modelReason: true,
  })
  // Older capsules have none of these.
  .extend({
    fieldModes: executionState.shape.fieldModes.default(null),
    // What lower rungs answered is for reviews, which an imported execution does not get.
    path: executionState.shape.path.unwrap().omit({ lower: true }).nullable().default(null),
  })
export type ImportedOutcome = z.infer<typeof importedOutcome>

/** Inserts an ended execution that ran elsewhere, with its steps. It has no job and no callback. */
export async function insertImported(
  tx: Sql,
  of: {
    execution: NewExecution
    outcome: ImportedOutcome
    steps: readonly Omit<Step, 'attempt'>[]
    importedFrom: string
    isTrusted: boolean
  },
): Promise<ExecutionState> {
  const { execution, outcome } = of
  const place: Place = { workspaceId: execution.workspaceId, id: execution.id }
  await insertExecution(tx, execution)
  await tx.query('update executions set attempt = 1 where workspace_id = $1 and id = $2', [place.workspaceId, place.id])
  await insertSteps(tx, { ...place, attempt: 1 }, of.steps)
  const [row] = await tx.query<StoredRow>(
    `update executions set status = $3, response = $4, evidence = $5, error = $6, completeness = $7, warnings = $8, usage = $9,
       execution_mode = $10, program = $11, answered_by = $12, chosen_by = $13, imported_from = $14, is_trusted = $15,
       field_modes = $17, path = $18, started_at = created_at, completed_at = created_at, ${withMove(16)}
     where workspace_id = $1 and id = $2 returning ${columns}`,
    [
      place.workspaceId,
      place.id,
      outcome.status,
      await largeJsonb(outcome.response),
      outcome.evidence && (await largeJsonb(outcome.evidence)),
      outcome.error && jsonb(outcome.error),
      outcome.completeness && jsonb(asJson(outcome.completeness as never)),
      jsonb(asJson(outcome.warnings as never)),
      jsonb(asJson(outcome.usage as never)),
      outcome.executionMode,
      outcome.program && jsonb(outcome.program),
      outcome.answeredBy,
      outcome.modelReason,
      of.importedFrom,
      of.isTrusted,
      moveParam(outcome.status, execution.createdAt),
      outcome.fieldModes && jsonb(outcome.fieldModes),
      outcome.path && jsonb(outcome.path),
    ],
  )
  return stateOf(row as StoredRow)
}

/** Whether an execution was imported, or is a fork of one or based on one, however indirectly. */
export async function restsOnImport(sql: Sql, { workspaceId, id }: Place): Promise<boolean> {
  const [row] = await sql.query(
    `with recursive line as (
       select id, forked_from, base_execution, imported_from from executions where workspace_id = $1 and id = $2
       union
       select e.id, e.forked_from, e.base_execution, e.imported_from
       from line join executions e on e.workspace_id = $1 and e.id in (line.forked_from, line.base_execution)
     )
     select 1 from line where imported_from is not null limit 1`,
    [workspaceId, id],
  )
  return row !== undefined
}
