import type { z } from 'zod'
import type { executionRecord } from '../executions/executions.ts'
import { loadExecution, recordOf } from '../executions/executions.ts'
import type { McpCall } from './tool.ts'

type ExecutionJson = z.infer<typeof executionRecord>
type Shown = Pick<ExecutionJson, 'id' | 'status' | 'error' | 'created_at' | 'completed_at'>

/** Suggested polling interval of clients, in milliseconds. */
const pollInterval = 1_000

/** An execution as an MCP task. A pause is not `input_required`: it asks nothing of the client. */
function taskOf({ id, status, error, created_at, completed_at }: Shown) {
  const ended = error?.code === 'cancelled' ? ('cancelled' as const) : status
  return {
    taskId: id,
    status: ended === 'completed' || ended === 'failed' || ended === 'cancelled' ? ended : ('working' as const),
    statusMessage: error ? `${status}: ${error.message}` : status,
    createdAt: created_at,
    lastUpdatedAt: completed_at ?? created_at,
    ttl: null,
    pollInterval,
  }
}

/** The task of an execution that the caller just created. Does not read the answer, which may be readable only once. */
export async function createdTask(id: string, { db, caller }: McpCall) {
  return taskOf(recordOf(await loadExecution({ db }, { workspaceId: caller.workspaceId, id })))
}

export async function findTask(id: string, call: McpCall) {
  // Checks the scope: `read`.
  await call.route('listExecutionEvents', { params: { id }, headers: { accept: 'application/json' } })
  return createdTask(id, call)
}

export async function listTasks(cursor: string | undefined, { route }: McpCall) {
  const { json, headers } = await route('listExecutions', { query: { limit: 100, cursor } })
  const next = /[?&]cursor=([^&>]+)/.exec(headers?.['Link'] ?? '')?.[1]
  return {
    tasks: (json as readonly ExecutionJson[]).map(taskOf),
    ...(next === undefined ? {} : { nextCursor: decodeURIComponent(next) }),
  }
}

export async function cancelTask(id: string, { route }: McpCall) {
  const { json } = await route('cancelExecution', { params: { id } })
  return taskOf(json as ExecutionJson)
}
