import { isId } from '@skillrun/core/ids.ts'
import type { Sql } from '../../adapters/db/db.ts'
import { parseSkillId } from './accept/request-skills.ts'
import type { ExecutionState } from './execution.ts'
import { isResumableRow } from './moves.ts'
import { columns } from './store.ts'
import type { ListQuery } from './wire.ts'

/**
 * Newest first; `after` is the creation time and id of the last one already seen. `isResumable`: of those that the query finds, the
 * ones that can be resumed.
 */
export async function listExecutions(
  sql: Sql,
  list: {
    workspaceId: string
    query: ListQuery
    after: { createdAt: Date; id: string } | null
    isResumable?: boolean
  },
): Promise<readonly ExecutionState[]> {
  const { query } = list
  const where = ['workspace_id = $1']
  const params: unknown[] = [list.workspaceId]
  const add = (condition: (place: string) => string, value: unknown) => {
    params.push(value)
    where.push(condition(`$${params.length}`))
  }
  if (query.status) add((place) => `status = ${place}`, query.status)
  if (query.name) {
    const [name = '', version] = query.name.split(':')
    add((place) => `split_part(name, ':', 1) = ${place}`, name)
    if (version === '' || version?.toLowerCase() === 'latest')
      add(
        (place) =>
          `name = ${place} || ':' || (select max(version) from agents where workspace_id = $1 and name = ${place})`,
        name,
      )
    else if (version !== undefined) add((place) => `name = ${place}`, query.name)
  }
  if (query.service_tier) add((place) => `tier = ${place}`, query.service_tier)
  if (query.skill_id) {
    const { name, version } = parseSkillId(query.skill_id)
    const ofSkill = (condition: string) =>
      `exists (select 1 from execution_skills s where s.workspace_id = executions.workspace_id and s.execution_id = executions.id and ${condition})`
    if (isId(name.toLowerCase())) add((place) => ofSkill(`s.skill_id = ${place}::uuid`), name.toLowerCase())
    else if (version === null) add((place) => ofSkill(`s.name = ${place}`), name)
    else {
      params.push(name)
      add(
        (place) => ofSkill(`s.name = $${params.length - 1} and ${place} in (s.skill_version, s.number::text)`),
        version,
      )
    }
  }
  if (query.client_id) {
    // A UUID that a caller gave is the id of its execution.
    const id = query.client_id.toLowerCase()
    if (isId(id)) add((place) => `id = ${place}::uuid`, id)
    else add((place) => `client_id = ${place}`, query.client_id)
  }
  if (query.session_id) add((place) => `session_id = ${place}`, query.session_id)
  if (query.batch_id) {
    const id = query.batch_id.toLowerCase()
    if (!isId(id)) return []
    add((place) => `batch_id = ${place}::uuid`, id)
  }
  if (query.created_after) add((place) => `created_at > ${place}::timestamptz`, query.created_after)
  if (query.created_before) add((place) => `created_at < ${place}::timestamptz`, query.created_before)
  if (list.isResumable) where.push(isResumableRow)
  if (list.after) {
    params.push(list.after.createdAt, list.after.id)
    where.push(`(created_at, id) < ($${params.length - 1}::timestamptz, $${params.length}::uuid)`)
  }
  params.push(query.limit, query.skip)
  return sql.query<ExecutionState>(
    `select ${columns} from executions where ${where.join(' and ')} order by created_at desc, id desc limit $${params.length - 1} offset $${params.length}`,
    params,
  )
}
