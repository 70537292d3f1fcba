import type { Json, JsonObject } from '@skillrun/core/json.ts'
import type { Sql } from '../../adapters/db/db.ts'
import { askedOf, findOriginal, listExecutions, listQuery, type Status } from '../executions/executions.ts'

/** One execution of a session: its request as a body that repeats it, and its answer. */
export interface SessionExecution {
  readonly id: string
  readonly status: Status
  readonly createdAt: Date
  readonly name: string
  readonly model: string
  readonly inputs: JsonObject
  readonly config: JsonObject
  readonly response: Json
  /** Why it failed, in a sentence; null if it did not. */
  readonly failure: string | null
}

/** The newest executions of a session, oldest first. Empty for an unknown session; without executions that must not be kept. */
export async function listSession(
  sql: Sql,
  of: { workspaceId: string; sessionId: string; limit: number },
): Promise<readonly SessionExecution[]> {
  const query = { ...listQuery.parse({}), session_id: of.sessionId, limit: of.limit }
  const { executions: newest } = await listExecutions(sql, { workspaceId: of.workspaceId, query, after: null })
  const found: SessionExecution[] = []
  for (const { id, isRetained } of newest) {
    if (!isRetained) continue
    const execution = await findOriginal(sql, { workspaceId: of.workspaceId, id })
    if (!execution) continue
    const { inputs, config } = askedOf(execution)
    const { status, createdAt, name, model, response, error } = execution
    found.unshift({
      id,
      status,
      createdAt,
      name,
      model,
      inputs,
      config,
      response,
      failure: error?.message ?? null,
    })
  }
  return found
}

/** Whether an execution of the workspace, chat turns included, names this session. */
export async function hasSession(sql: Sql, of: { workspaceId: string; sessionId: string }): Promise<boolean> {
  const rows = await sql.query('select from executions where workspace_id = $1 and session_id = $2 limit 1', [
    of.workspaceId,
    of.sessionId,
  ])
  return rows.length > 0
}
