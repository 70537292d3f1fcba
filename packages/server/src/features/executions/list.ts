import { isId } from '@skillrun/core/ids.ts'
import { readingsOf } from '@skillrun/core/written-numbers.ts'
import type { Sql } from '../../adapters/db/db.ts'
import { limits } from '../../core/limits.ts'
import { parseSkillId } from './accept/request-skills.ts'
import type { ExecutionState } from './execution.ts'
import { columns, type StoredRow, stateOf } from './store/execution-row.ts'
import { isResumableRow } from './store/moves.ts'
import type { ListQuery } from './wire/query.ts'

/** A page of a list; `next`: the cursor of the next page, null at the end. */
export interface ExecutionPage {
  readonly executions: readonly ExecutionState[]
  readonly next: ExecutionPlace | null
}

/** The position of an execution in a list. */
type ExecutionPlace = Pick<ExecutionState, 'createdAt' | 'id'>

/** Newest first; `after` is the creation time and id of the last execution seen. `isResumable`: only those that can be resumed. */
export async function listExecutions(
  sql: Sql,
  list: {
    workspaceId: string
    query: ListQuery
    after: ExecutionPlace | null
    isResumable?: boolean
  },
): Promise<ExecutionPage> {
  const { query } = list
  const where = ['workspace_id = $1']
  const params: unknown[] = [list.workspaceId]
  const ofSkill: string[] = []
  const add = (condition: (place: string) => string, value: unknown) => {
    params.push(value)
    where.push(condition(`$${params.length}`))
  }
  if (query.status) add((place) => `status = ${place}`, query.status)
  if (query.name) {
    const [name = '', version] = query.name.split(':')
    // The range is what the index can look up; `;` comes after `:`.
    add(
      (place) =>
        `split_part(name, ':', 1) = ${place} and name collate "C" >= ${place} and name collate "C" < ${place} || ';'`,
      name,
    )
    if (version === '' || version?.toLowerCase() === 'latest')
      add(
        (place) =>
          `name collate "C" = ${place} || ':' || (select max(version) from agents where workspace_id = $1 and name = ${place})`,
        name,
      )
    else if (version !== undefined) add((place) => `name collate "C" = ${place}`, query.name)
  }
  if (query.service_tier) {
    add((place) => `tier = ${place}`, query.service_tier)
    // What the partial index of the other tiers asks for.
    if (query.service_tier !== 'standard') where.push(`tier <> 'standard'`)
  }
  if (query.skill_id) {
    const { name, version } = parseSkillId(query.skill_id)
    const isOfId = isId(name.toLowerCase())
    params.push(isOfId ? name.toLowerCase() : name)
    ofSkill.push(isOfId ? `skill_id = $${params.length}::uuid` : `name = $${params.length}`)
    if (!isOfId && version !== null) {
      params.push(version)
      ofSkill.push(`$${params.length} in (skill_version, number::text)`)
    }
  }
  if (query.client_id) {
    // A caller's UUID is the id of its execution.
    const id = query.client_id.toLowerCase()
    if (isId(id)) add((place) => `id = ${place}::uuid`, id)
    else add((place) => `client_id = ${place}`, query.client_id)
  }
  if (query.session_id) add((place) => `session_id = ${place}`, query.session_id)
  if (query.batch_id) {
    const id = query.batch_id.toLowerCase()
    if (!isId(id)) return { executions: [], next: null }
    add((place) => `batch_id = ${place}::uuid`, id)
  }
  if (query.review) add((place) => `review->>'status' = ${place}`, query.review)
  if (query.approval) where.push(ofApproval[query.approval])
  for (const [sign, time] of [
    ['>', query.created_after],
    ['<', query.created_before],
  ] as const)
    if (time) {
      add((place) => `created_at ${sign} ${place}::timestamptz`, time)
      ofSkill.push(`created_at ${sign} $${params.length}::timestamptz`)
    }
  if (list.isResumable) where.push(isResumableRow)
  if (query.purpose !== 'all') where.push(ofPurpose[query.purpose])
  if (list.after) {
    params.push(list.after.createdAt, list.after.id)
    const place = `($${params.length - 1}::timestamptz, $${params.length}::uuid)`
    where.push(`(created_at, id) < ${place}`)
    ofSkill.push(`(created_at, execution_id) < ${place}`)
  }
  // From the index of what used a skill, in its order: executions that did not are not read, however many there are.
  const of = !query.skill_id
    ? `from executions where ${where.join(' and ')} order by created_at desc, id desc`
    : `from (select distinct created_at as used_at, execution_id as used_by from execution_skills
             where workspace_id = $1 and ${ofSkill.join(' and ')} order by created_at desc, execution_id desc) used
           join executions on id = used_by where ${where.join(' and ')} order by used_at desc, used_by desc`
  if (query.q === undefined) {
    params.push(query.limit, query.skip)
    // Ids first: an index has them, and of what is skipped no row is read.
    const rows = await sql.query<StoredRow>(
      `select ${columns} from (select id as listed ${of} limit $${params.length - 1} offset $${params.length}) page
         join executions on workspace_id = $1 and id = listed order by created_at desc, id desc`,
      params,
    )
    const executions = rows.map(stateOf)
    return { executions, next: executions.length === query.limit ? (executions.at(-1) ?? null) : null }
  }
  // The last execution that this page may examine.
  const [end] = await sql.query<ExecutionPlace>(
    `select created_at as "createdAt", id ${of} limit 1 offset ${limits.searchedExecutionsMax - 1}`,
    params,
  )
  const rows = await sql.query<StoredRow>(
    `select ${columns} from (select * ${of} limit ${limits.searchedExecutionsMax}) as newest
     where ${found(`$${params.length + 1}`, `$${params.length + 2}`, `$${params.length + 3}`)}
     order by created_at desc, id desc limit $${params.length + 4} offset $${params.length + 5}`,
    [
      ...params,
      partOf(query.q),
      partOf(JSON.stringify(query.q).slice(1, -1)),
      numberPatternOf(query.q),
      query.limit,
      query.skip,
    ],
  )
  const executions = rows.map(stateOf)
  return { executions, next: executions.length === query.limit ? (executions.at(-1) ?? null) : (end ?? null) }
}

const ofPurpose = {
  work: 'evaluation_id is null and shadow_of is null',
  evaluation: 'evaluation_id is not null',
  shadow: 'shadow_of is not null',
} as const

const ofApproval = {
  needed: `status = 'paused' and approval->'decision' = 'null'`,
  done: `approval->'decision' <> 'null'`,
} as const

/** The pattern of texts that have a part. */
const partOf = (text: string): string => `%${text.replaceAll(/[\\%_]/g, '\\$&')}%`

/** Digits with their signs and at most a currency: what else a text says would be lost. */
const onlyNumber = /^(?:[A-Z]{3}|\p{Sc})?\s?[-−–]?[\d.,'’\s]+(?:[A-Z]{3}|\p{Sc})?$/u

/** POSIX pattern of the numbers in JSON that a text may mean, as `6.417,70` means 6417.7, whatever their sign; null: it means none. */
function numberPatternOf(text: string): string | null {
  const numbers = onlyNumber.test(text) ? readingsOf(text, {}) : []
  const digits = numbers.flatMap((one) => {
    const [, whole, decimals] = /^-?(\d+)(?:\.(\d+))?$/.exec(String(one)) ?? []
    return whole === undefined ? [] : decimals === undefined ? `${whole}(\\.0+)?` : `${whole}\\.${decimals}0*`
  })
  return digits.length === 0 ? null : `[:,\\s\\[]-?(${digits.join('|')})[,}\\]]`
}

/**
 * SQL: whether a pattern occurs in the visible texts of an execution, or `inJson` or `numbers` in its answers. No index can help: under
 * row-level security PostgreSQL uses an index only for leakproof operators, which pattern and word matching are not. So each page examines a
 * bounded number of executions. Skips answers that can be read only once.
 */
const found = (pattern: string, inJson: string, numbers: string): string =>
  `(name ilike ${pattern} or id::text ilike ${pattern} or client_id ilike ${pattern} or session_id ilike ${pattern}
    or array_to_string(file_names, E'\\n') ilike ${pattern} or is_retained and (response::text ilike ${inJson} or reviewed_response::text ilike ${inJson}
      or response::text ~ ${numbers} or reviewed_response::text ~ ${numbers}))`
