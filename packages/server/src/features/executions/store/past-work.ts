import type { JsonSchema } from '@skillrun/core/json.ts'
import type { Sql } from '../../../adapters/db/db.ts'
import type { Micros } from '../../../core/money.ts'

/** Completed executions that are alike, and what they cost together at the standard rate. */
export interface PastWork {
  /** Of the request, or of the first skill that has one, as they ran. */
  readonly schema: JsonSchema | null
  readonly agentId: string | null
  readonly model: string
  readonly isEmbedded: boolean
  readonly isGrounded: boolean
  /** The fields that the engine answered; null: all. A program answered the others, or they were kept. */
  readonly answered: number | null
  /**
   * Whether the cost has what an answer of the engine costs. It has not where a program or an earlier answer served everything, on the
   * cheapest path, in a fork, and in an execution from another server.
   */
  readonly isPriced: boolean
  readonly executions: number
  readonly micros: Micros
}

/** SQL: the engine answered here, from the first step on. */
const isAnswered = `forked_from is null and imported_from is null
  and (answered_by is not distinct from 'embedded' or (usage->>'outputTokens')::bigint > 0)`

/** SQL: the number of fields that the engine answered; null: all, or none of a program that served everything. */
const answered = `(select count(*) from json_each_text(coalesce(field_modes, program->'fields')::json) where value = 'agent')`

/** What those among `ids` cost that are completed and retained. */
export const listPastWork = (
  sql: Sql,
  of: { workspaceId: string; ids: readonly string[] },
): Promise<readonly PastWork[]> =>
  sql.query<PastWork>(
    `with given as (
       select agent_id, model, path is null and answered_by is not distinct from 'embedded' as embedded,
         coalesce(request->>'schema', (
           select skill->>'schema' from json_array_elements(coalesce(request->'skills', '[]')::json) with ordinality list (skill, place)
           where skill->>'schema' is not null order by place limit 1)) as schema,
         (request->>'grounded')::boolean as grounded,
         case when coalesce(field_modes, program->'fields') is not null then ${answered} end::integer as answered,
         ${isAnswered} and path is null and (program is null or program->'fields' is not null) as engaged,
         coalesce((usage->>'standardMicros')::bigint, 0) as micros
       from executions
       where workspace_id = $1 and id = any($2::uuid[]) and status = 'completed' and is_retained and purged_at is null
     )
     select schema::json, agent_id as "agentId", model, embedded as "isEmbedded", grounded as "isGrounded", answered,
       engaged and answered is distinct from 0 as "isPriced", count(*)::integer as executions, sum(micros)::bigint as micros
     from given group by given.schema, 2, 3, 4, 5, 6, 7`,
    [of.workspaceId, of.ids],
  )

/** The lowest and the highest cost of an execution in which a model answered all fields for an agent. */
export interface FullCost {
  readonly agentId: string
  readonly model: string
  readonly low: Micros
  readonly high: Micros
}

/** Older costs say little about today's prices, and a longer search would slow down with their number. */
const looked = 2_000

/** The costs of these agents with these models, among the newest executions of the workspace. */
export const listFullCosts = (
  sql: Sql,
  of: { workspaceId: string; agents: readonly string[]; models: readonly string[] },
): Promise<readonly FullCost[]> =>
  sql.query<FullCost>(
    `select agent_id as "agentId", model, min((usage->>'standardMicros')::bigint) as low, max((usage->>'standardMicros')::bigint) as high
     from (select * from executions where workspace_id = $1 order by created_at desc, id desc limit ${looked}) recent
     where agent_id = any($2::uuid[]) and model = any($3::text[]) and status = 'completed' and usage->>'standardMicros' is not null
       and program is null and field_modes is null and ${isAnswered}
     group by agent_id, model`,
    [of.workspaceId, of.agents, of.models],
  )

/** Those among `ids` that are completed and retained, with the ids of their input files and of their skills. */
export const listAskable = (
  sql: Sql,
  of: { workspaceId: string; ids: readonly string[] },
): Promise<
  readonly { readonly id: string; readonly fileIds: readonly string[]; readonly skillIds: readonly string[] }[]
> =>
  sql.query(
    `select id, array(select input->'source'->>'fileId' from json_array_elements((request->'inputs')::json) input
         where input->'source'->>'kind' = 'file') as "fileIds",
       array(select skill->>'id' from json_array_elements(coalesce(request->'skills', '[]')::json) skill
         where skill->>'id' is not null and skill->>'inline' is null) as "skillIds"
     from executions
     where workspace_id = $1 and id = any($2::uuid[]) and status = 'completed' and is_retained and purged_at is null`,
    [of.workspaceId, of.ids],
  )
