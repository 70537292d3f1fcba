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

/** An execution with what was asked, to ask again. */
export async function findOriginal(sql: Sql, execution: Place): Promise<Execution | undefined> {
  const [row] = await sql.query<StoredRow>(
    `select ${columns}, request from executions where workspace_id = $1 and id = $2`,
    [execution.workspaceId, execution.id],
  )
  return row && originalOf(row)
}
