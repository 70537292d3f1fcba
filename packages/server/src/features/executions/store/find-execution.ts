import { Fault } from '@skillrun/core/fault.ts'
import { isId } from '@skillrun/core/ids.ts'
import type { Sql } from '../../../adapters/db/db.ts'
import type { Execution, ExecutionState } from '../execution.ts'
import { columns, type Place, type StoredRow, stateOf } from './execution-row.ts'
import { originalOf } from './stored-request.ts'

export async function findExecution(
  sql: Sql,
  execution: { workspaceId: string; id: string },
): Promise<ExecutionState | undefined> {
  const [row] = await sql.query<StoredRow>(`select ${columns} from executions where workspace_id = $1 and id = $2`, [
    execution.workspaceId,
    execution.id,
  ])
  return row && stateOf(row)
}

/** The names of the input files of the executions among `ids` that the workspace has, by id. */
export async function listFileNames(
  sql: Sql,
  of: { workspaceId: string; ids: readonly string[] },
): Promise<ReadonlyMap<string, readonly string[]>> {
  const rows = await sql.query<{ id: string; names: readonly string[] }>(
    'select id, file_names as names from executions where workspace_id = $1 and id = any($2::uuid[])',
    [of.workspaceId, of.ids],
  )
  return new Map(rows.map(({ id, names }) => [id, names]))
}

/** The key of `metadata.extra` that holds the domain of a prediction; empty: none. */
export const predictionDomainKey = 'prediction_domain'

/** The domain of a prediction: null if it has none. Undefined for an execution that is not a prediction. */
export async function findPredictionDomain(sql: Sql, execution: Place): Promise<string | null | undefined> {
  const [row] = await sql.query<{ domain: string | null }>(
    `select request->'metadata'->'extra'->>'${predictionDomainKey}' as domain from executions where workspace_id = $1 and id = $2`,
    [execution.workspaceId, execution.id],
  )
  const domain = row?.domain ?? undefined
  return domain === '' ? null : domain
}

/** An execution with its request, for repeating it. */
export async function findOriginal(sql: Sql, execution: Place): Promise<Execution | undefined> {
  const [row] = await sql.query<StoredRow>(
    `select ${columns}, request from executions where workspace_id = $1 and id = $2`,
    [execution.workspaceId, execution.id],
  )
  return row && originalOf(row)
}

/** One message for executions that never existed, were deleted, or belong to another workspace. */
export const unknownExecution = (): Fault =>
  new Fault('missing', 'unknown_execution', 'This workspace has no execution with this id')

/** The execution of an id that a caller gave. Fault `missing`. */
export async function loadExecution({ db }: { readonly db: Sql }, place: Place): Promise<ExecutionState> {
  const id = place.id.toLowerCase()
  const execution = isId(id) ? await findExecution(db, { ...place, id }) : undefined
  if (!execution) throw unknownExecution()
  return execution
}

/** The same with its request. Fault `missing`. */
export async function loadOriginal(sql: Sql, place: Place): Promise<Execution> {
  const id = place.id.toLowerCase()
  const execution = isId(id) ? await findOriginal(sql, { ...place, id }) : undefined
  if (!execution) throw unknownExecution()
  return execution
}
