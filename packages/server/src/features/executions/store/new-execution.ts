import { assert } from '@skillrun/core/assert.ts'
import type { Warning } from '@skillrun/reader/evidence/warnings.ts'
import { each, jsonb, type Sql } from '../../../adapters/db/db.ts'
import { largeJsonb } from '../../../adapters/db/large-json.ts'
import type { PinnedSkill } from '../../skills/skills.ts'
import { usedSkills } from '../accept/request-skills.ts'
import type { Execution, ExecutionState } from '../execution.ts'
import { fileIdsOf } from '../execution-request.ts'
import type { Move } from '../lifecycle.ts'
import { columns, type StoredRow, stateOf } from './execution-row.ts'
import { moveTo } from './move-sql.ts'
import { storedRequest } from './stored-request.ts'

/** A new execution, ready for a worker. */
export type NewExecution = Pick<
  Execution,
  | 'id'
  | 'workspaceId'
  | 'name'
  | 'agentId'
  | 'clientId'
  | 'request'
  | 'model'
  | 'modelChosenBy'
  | 'tier'
  | 'sessionId'
  | 'callbackUrl'
  | 'createdAt'
  | 'answeredBy'
> & {
  readonly keyId: string
  readonly evaluationId: string | null
  readonly batchId?: string | null
  /** The name of its document, for a request with at most one file; absent: files keep their own names. */
  readonly fileName?: string | null
  readonly forkedFrom?: string | null
  /** Warnings about the request itself. */
  readonly warnings?: readonly Warning[]
  /** The process that inserts it and starts its first run at once; absent: it is enqueued. */
  readonly runningIn?: string | undefined
  /** It waits for an upload and has no job yet. */
  readonly isPending?: boolean
}

/** The moves of a new execution. */
export const firstMoves = ({
  createdAt,
  runningIn,
  isPending,
}: Pick<NewExecution, 'createdAt' | 'runningIn' | 'isPending'>): readonly Move[] => [
  moveTo(isPending ? 'pending' : 'enqueued', createdAt, 0),
  ...(runningIn ? [moveTo('running', createdAt, 1)] : []),
]

/** Columns of a new execution, with their types and what goes into them. */
const inserted: readonly (readonly [column: string, type: string, value: (of: Prepared) => unknown])[] = [
  ['id', 'uuid', ({ execution }) => execution.id],
  ['workspace_id', 'uuid', ({ execution }) => execution.workspaceId],
  ['key_id', 'uuid', ({ execution }) => execution.keyId],
  ['agent_id', 'uuid', ({ execution }) => execution.agentId],
  ['name', 'text', ({ execution }) => execution.name],
  ['request', 'json', ({ request }) => request],
  ['model', 'text', ({ execution }) => execution.model],
  ['tier', 'text', ({ execution }) => execution.tier],
  ['session_id', 'text', ({ execution }) => execution.sessionId],
  ['created_at', 'timestamptz', ({ execution }) => execution.createdAt],
  ['moves', 'jsonb', ({ execution }) => jsonb(firstMoves(execution))],
  ['callback_url', 'text', ({ execution }) => execution.callbackUrl],
  ['answered_by', 'text', ({ execution }) => execution.answeredBy],
  ['max_cost_micros', 'bigint', ({ execution }) => execution.request.maxCostMicros ?? null],
  ['skills', 'json', ({ execution }) => jsonb(usedSkills(execution.request.skills ?? []))],
  ['evaluation_id', 'uuid', ({ execution }) => execution.evaluationId],
  ['status', 'text', ({ execution }) => firstMoves(execution).at(-1)?.status],
  ['attempt', 'integer', ({ execution }) => (execution.runningIn ? 1 : 0)],
  ['started_at', 'timestamptz', ({ execution }) => (execution.runningIn ? execution.createdAt : null)],
  ['warnings', 'jsonb', ({ execution }) => jsonb(execution.warnings ?? [])],
  ['client_id', 'text', ({ execution }) => execution.clientId],
  ['model_chosen_by', 'text', ({ execution }) => execution.modelChosenBy],
  ['process_id', 'uuid', ({ execution }) => execution.runningIn ?? null],
  ['job_attempt', 'integer', ({ execution }) => (execution.runningIn ? 0 : -1)],
  ['batch_id', 'uuid', ({ execution }) => execution.batchId ?? null],
  ['forked_from', 'uuid', ({ execution }) => execution.forkedFrom ?? null],
  ['base_execution', 'uuid', ({ execution }) => execution.request.baseExecution ?? null],
]

const nameOf = ({ request, fileName }: NewExecution): string | null =>
  fileIdsOf(request).length > 1 ? null : (fileName ?? null)

/** A new execution with its request as it is stored. */
interface Prepared {
  readonly execution: NewExecution
  readonly request: string
}

const insertion = `insert into executions (${inserted.map(([column]) => column).join(', ')}, file_names)
     select ${inserted.map(([column]) => `given.${column}`).join(', ')},
       case when given.file_name is not null then array[given.file_name]
         else array(select coalesce(f.filename, u.filename) from jsonb_array_elements_text(given.files) with ordinality as input (id, place)
         left join files f on f.workspace_id = given.workspace_id and f.id = input.id::uuid
         left join uploads u on u.workspace_id = given.workspace_id and u.id = input.id::uuid
         where coalesce(f.filename, u.filename) is not null order by place) end
     from unnest(${inserted.map(([, type], at) => `$${at + 1}::${type}[]`).join(', ')}, $${inserted.length + 1}::jsonb[], $${inserted.length + 2}::text[])
       as given (${inserted.map(([column]) => column).join(', ')}, files, file_name)
     returning ${columns}`

async function insertAll(sql: Sql, all: readonly Prepared[]): Promise<readonly (StoredRow | undefined)[]> {
  const rows = await sql.query<StoredRow>(insertion, [
    ...inserted.map(([, , value]) => all.map(value)),
    all.map(({ execution }) => jsonb(fileIdsOf(execution.request))),
    all.map(({ execution }) => nameOf(execution)),
  ])
  const keyOf = (row: StoredRow) => `${row['workspaceId']} ${row['id']}`
  const byKey = new Map(rows.map((row) => [keyOf(row), row]))
  return all.map(({ execution: { workspaceId, id } }) => byKey.get(keyOf({ workspaceId, id })))
}

export async function insertExecution(sql: Sql, execution: NewExecution): Promise<ExecutionState> {
  const skills = execution.request.skills ?? []
  const request = await largeJsonb(storedRequest(execution.request))
  const row = await each(sql, insertAll, { execution, request })
  if (skills.length > 0) await insertSkills(sql, execution, skills)
  assert(row !== undefined, 'an insert returns its row')
  return stateOf(row)
}

/** Indexes an execution by its skills. */
async function insertSkills(sql: Sql, execution: NewExecution, skills: readonly PinnedSkill[]): Promise<void> {
  await sql.query(
    `insert into execution_skills (workspace_id, execution_id, position, skill_id, name, number, skill_version, created_at)
     select $1, $2, position, (skill->>'id')::uuid, skill->>'name', (skill->>'number')::integer, skill->>'skillVersion', $4
     from json_array_elements($3::json) with ordinality as list (skill, position)`,
    [
      execution.workspaceId,
      execution.id,
      jsonb(skills.map(({ id, name, number, skillVersion }) => ({ id, name, number, skillVersion }))),
      execution.createdAt,
    ],
  )
}
