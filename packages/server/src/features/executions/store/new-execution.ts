import { assert } from '@skillrun/core/assert.ts'
import type { Warning } from '@skillrun/reader/evidence/warnings.ts'
import { jsonb, type Sql } from '../../../adapters/db/db.ts'
import { largeJsonb } from '../../../adapters/db/large-json.ts'
import type { PinnedSkill } from '../../skills/skills.ts'
import { usedSkills } from '../accept/request-skills.ts'
import { type Execution, type ExecutionState, fileIdsOf, type Move } from '../execution.ts'
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

// A constant: the driver scans a newly built text to find its prepared statement.
const insertion = `insert into executions (id, workspace_id, key_id, agent_id, name, request, model, tier, session_id, created_at, moves, callback_url, answered_by, max_cost_micros, skills, evaluation_id, status, attempt, started_at, warnings, client_id, model_chosen_by, process_id, job_attempt, batch_id, forked_from, file_names)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22, $23, $24, $25, $26,
       array(select coalesce(f.filename, u.filename) from unnest($27::uuid[]) with ordinality as input (id, place)
         left join files f on f.workspace_id = $2 and f.id = input.id left join uploads u on u.workspace_id = $2 and u.id = input.id
         where coalesce(f.filename, u.filename) is not null order by place)) returning ${columns}`

export async function insertExecution(sql: Sql, execution: NewExecution): Promise<ExecutionState> {
  const skills = execution.request.skills ?? []
  const [row] = await sql.query<StoredRow>(insertion, [
    execution.id,
    execution.workspaceId,
    execution.keyId,
    execution.agentId,
    execution.name,
    await largeJsonb(storedRequest(execution.request)),
    execution.model,
    execution.tier,
    execution.sessionId,
    execution.createdAt,
    jsonb(firstMoves(execution)),
    execution.callbackUrl,
    execution.answeredBy,
    execution.request.maxCostMicros ?? null,
    jsonb(usedSkills(skills)),
    execution.evaluationId,
    execution.isPending ? 'pending' : execution.runningIn ? 'running' : 'enqueued',
    execution.runningIn ? 1 : 0,
    execution.runningIn ? execution.createdAt : null,
    jsonb(execution.warnings ?? []),
    execution.clientId,
    execution.modelChosenBy,
    execution.runningIn ?? null,
    execution.runningIn ? 0 : -1,
    execution.batchId ?? null,
    execution.forkedFrom ?? null,
    fileIdsOf(execution.request),
  ])
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
