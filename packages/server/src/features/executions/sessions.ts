import { z } from 'zod'
import type { Sql } from '../../adapters/db/db.ts'
import { queryInteger } from '../../adapters/http/query.ts'
import { type Route, route } from '../../adapters/http/route.ts'

interface SessionRow {
  readonly id: string
  readonly executions: number
  readonly name: string
  readonly startedAt: Date
  readonly lastAt: Date
}

const sessionRecord = z
  .object({
    id: z.string(),
    executions: z.int().describe('Number of executions and chat turns'),
    name: z.string().describe('Name of the newest execution; chat for a chat turn'),
    created_at: z.iso.datetime().describe('When its first execution was created'),
    updated_at: z.iso.datetime().describe('When its newest execution was created'),
  })
  .meta({ id: 'Session' })

const sessionsQuery = z.object({
  skip: queryInteger({ min: 0, max: 1_000_000_000, fallback: 0 }, 'Number of items to skip, newest first'),
  limit: queryInteger({ min: 1, max: 1000, fallback: 100 }, 'Maximum number of items to return'),
})

/** Lists the sessions of executions and chat turns. */
export function sessionRoutes(): Route[] {
  return [
    route({
      method: 'get',
      path: '/v1/sessions',
      operation: 'listSessions',
      tag: 'executions',
      scope: 'read',
      summary: 'List the sessions of this workspace, the one with the newest execution first',
      query: sessionsQuery,
      reply: { status: 200, description: 'The sessions', schema: z.array(sessionRecord) },
      handle: async ({ db, caller, query }) => ({
        json: (await listSessions(db, { workspaceId: caller.workspaceId, ...query })).map((row) => ({
          id: row.id,
          executions: row.executions,
          name: row.name,
          created_at: row.startedAt.toISOString(),
          updated_at: row.lastAt.toISOString(),
        })),
      }),
    }),
  ]
}

async function listSessions(
  sql: Sql,
  of: { workspaceId: string; skip: number; limit: number },
): Promise<readonly SessionRow[]> {
  return sql.query<SessionRow>(
    `select session_id as id, count(*)::integer as executions, (array_agg(name order by created_at desc, id desc))[1] as name,
       min(created_at) as "startedAt", max(created_at) as "lastAt"
     from executions
     where workspace_id = $1 and session_id is not null
     group by session_id
     order by max(created_at) desc, session_id
     offset $2 limit $3`,
    [of.workspaceId, of.skip, of.limit],
  )
}
