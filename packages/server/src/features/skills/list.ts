import type { Sql } from '../../adapters/db/db.ts'
import type { SkillVersion } from './skill.ts'

/** Filter and page of the list of skills. */
export interface ListFilter {
  readonly workspaceId: string
  readonly limit: number
  readonly offset: number
  readonly orderBy: 'created_at' | 'updated_at' | 'name'
  readonly descending: boolean
  readonly grouped: boolean
}

/** The list's view of a skill. */
export type ListedSkill = Pick<
  SkillVersion,
  'id' | 'name' | 'description' | 'skillVersion' | 'isPublic' | 'createdAt' | 'updatedAt'
>

/**
 * The completed skills that the workspace may use. Its own private ones and all public ones are each read in order from an index, no
 * further than the page needs, and merged.
 */
export async function selectList(sql: Sql, wanted: ListFilter): Promise<readonly ListedSkill[]> {
  const way = wanted.descending ? 'desc' : 'asc'
  const order = `order by ${wanted.orderBy} ${way}, id ${way}`
  const own = wanted.grouped
    ? 'is_latest and not is_public'
    : `not is_public and status = 'completed' and deleted_at is null`
  const others = wanted.grouped
    ? // Of a name of one's own the latest stands in the list, public or not.
      'is_latest_public and (workspace_id <> $1 or is_latest)'
    : `is_public and status = 'completed' and deleted_at is null`
  // Ids first: of what is skipped, no descriptions are carried along.
  const fields = `id as listed, ${wanted.orderBy} as place`
  const ofPage = `order by place ${way}, listed ${way}`
  return sql.query<ListedSkill>(
    `select id, name, description, skill_version as "skillVersion", is_public as "isPublic", created_at as "createdAt",
       updated_at as "updatedAt"
     from (
       select listed from (
         (select ${fields} from skills where workspace_id = $1 and ${own} ${order} limit $2::bigint + $3::bigint)
         union all
         (select ${fields} from skills where ${others} ${order} limit $2::bigint + $3::bigint)
       ) readable ${ofPage} limit $2 offset $3
     ) page join skills on id = listed ${order}`,
    [wanted.workspaceId, wanted.limit, wanted.offset],
  )
}
