import { beforeAll, expect, test } from 'vitest'
import { systemClock as clock } from '../packages/core/src/clock.ts'
import { newId } from '../packages/core/src/ids.ts'
import type { Db } from '../packages/server/src/adapters/db/db.ts'
import { listExecutions } from '../packages/server/src/features/executions/list.ts'
import { recentAnswers } from '../packages/server/src/features/programs/program-runs.ts'
import { purgeExecutions } from '../packages/server/src/features/retention/purge.ts'
import { makeDatabase } from './support/database.ts'
import { opened } from './support/opened.ts'

/*
 * Lists of what is rare among many executions, and the look of retention for old ones, go by an index and not through all rows. The
 * database has row-level security, under which an index on a function that is not leakproof is never used.
 */

const workspaceId = newId(clock.now())

const database = await opened(makeDatabase())
beforeAll(async () => {
  const { db } = database
  await db.query('insert into workspaces (id, name, created_at) values ($1, $2, $3)', [workspaceId, 'w', clock.now()])
  await db.query(
    `insert into keys (id, workspace_id, name, sha256, hint, scopes, created_at) values ($1, $1, 'k', $2, 'hint', '{}', $3)`,
    [workspaceId, Buffer.from('k'), clock.now()],
  )
  await db.query(
    `insert into executions (id, workspace_id, key_id, name, status, request, model, tier, created_at, completed_at)
     select gen_random_uuid(), $1, $1, 'common:1', 'completed', json_build_object('prompt', repeat('p', 500)), 'm', 'standard', at, at
     from generate_series($2::timestamptz - interval '1 day', $2, interval '20 seconds') at`,
    [workspaceId, clock.now()],
  )
  await db.query(
    `insert into execution_skills (workspace_id, execution_id, position, name, skill_version, created_at)
     select workspace_id, id, 1, 'common', 'inline', created_at from executions`,
  )
  await db.query(
    `insert into program_runs (workspace_id, execution_id, program_id, micros, ms, created_at, disagreed, judged_by, judged_at)
     select workspace_id, id, $1, 0, 0, created_at, false, 'human', created_at from executions order by created_at desc limit 1000`,
    [workspaceId],
  )
  await db.query('analyze executions; analyze execution_skills; analyze program_runs')
})

/** A database that answers nothing, and keeps the plans of the statements about executions. */
function planner(db: Pick<Db, 'query'>) {
  const plans: string[] = []
  const query: Db['query'] = async (text, params) => {
    if (!/from (?:executions|program_runs)\b|join executions\b/.test(text)) return []
    const rows = await db.query<{ 'QUERY PLAN': string }>(`explain ${text}`, params)
    plans.push(rows.map((row) => row['QUERY PLAN']).join('\n'))
    return []
  }
  return { plans, query }
}

test.each([
  ['of an agent', { name: 'rare' }, 'executions_by_name'],
  ['of a version of an agent', { name: 'rare:1' }, 'executions_by_name'],
  ['of the latest version of an agent', { name: 'rare:latest' }, 'executions_by_name'],
  ['of a skill by name', { skill_id: 'rare' }, 'executions_by_skill_name'],
  ['of a version of a skill', { skill_id: 'rare:2' }, 'executions_by_skill_name'],
  ['of a skill by id', { skill_id: workspaceId }, 'executions_by_skill'],
  ['of a status', { status: 'paused' }, 'executions_by_status'],
  ['of a session', { session_id: 'rare' }, 'executions_by_session'],
  ['of a batch', { batch_id: workspaceId }, 'executions_by_batch'],
  ['of a tier that is rare', { service_tier: 'priority' }, 'executions_by_tier'],
  ['of evaluations', { purpose: 'evaluation' }, 'executions_of_evaluations'],
  ['of checks of programs', { purpose: 'shadow' }, 'executions_of_shadows'],
  ['of what a person has decided', { approval: 'done' }, 'executions_by_approval'],
] as const)('a list %s', async (_, filter, index) => {
  const { plans, query } = planner(database.db.within(workspaceId))
  const asked = { skip: 0, limit: 20, purpose: 'work' as const, ...filter }
  await listExecutions({ query }, { workspaceId, query: asked, after: null })
  expect(plans).toHaveLength(1)
  expect(plans[0]).toMatch(new RegExp(`Scan using ${index} `))
  expect(plans[0]).not.toContain('Seq Scan on executions')
})

test.each([
  ['judged', 'program_runs_judged'],
  ['doubt', 'program_runs_in_doubt'],
] as const)('the latest checked answers of a program in the order %j', async (order, index) => {
  const { plans, query } = planner(database.db.within(workspaceId))
  await recentAnswers({ query }, { workspaceId, id: workspaceId, order })
  expect(plans).toEqual([expect.stringContaining(`Scan using ${index} `)])
  expect(plans[0]).not.toContain('Sort')
})

test('old executions whose content is due', async () => {
  const { plans, query } = planner(database.db)
  const db = { ...database.db, query }
  await purgeExecutions(
    { db, forgetMore: async () => undefined },
    { now: clock.now(), olderThan: new Date(clock.now().getTime() - 86_000_000) },
  )
  expect(plans.length).toBeGreaterThan(1)
  expect(plans[1]).toContain('Index Scan using executions_to_purge_by_age on executions')
  for (const plan of plans) expect(plan).not.toContain('Seq Scan on executions')
})
