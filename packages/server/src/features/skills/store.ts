import type { Json } from '@skillrun/core/json.ts'
import { jsonb, type Sql } from '../../adapters/db/db.ts'
import type { BundleFacts } from './bundle.ts'
import type { Proof, SkillStatus, SkillVersion, WantedVersion } from './skill.ts'

const lightColumns = `id, workspace_id as "workspaceId", name, number, skill_version as "skillVersion", description,
  is_public as "isPublic", status, error, origin, session_id as "sessionId", encode(sha256, 'hex') as sha256,
  zip_sha256 as "zipSha256", zip_bytes as "zipBytes", proof, is_held as "isHeld", is_latest as "isLatest",
  created_at as "createdAt", updated_at as "updatedAt"`
const columns = `${lightColumns}, facts`
/** Only the parts of the bundle that an execution pins: instructions and cases may be megabytes. */
const pinnableColumns = `${lightColumns}, json_build_object('schema', pinned_schema, 'model', pinned_model,
  'toolsets', pinned_toolsets, 'allowedTools', pinned_allowed_tools, 'requireApproval', pinned_require_approval) as facts`

/** Versions that a workspace may read: its own, and public ones of others. `$1` is the workspace. */
const readable = `deleted_at is null and (workspace_id = $1 or (is_public and status = 'completed'))`

/** A version without the bundle's content, which may be megabytes. */
export type LightVersion = Omit<SkillVersion, 'facts'>

/** A version with the parts of its bundle that an execution pins. */
export type PinnableVersion = LightVersion & {
  readonly facts: Pick<BundleFacts, 'schema' | 'model' | 'toolsets' | 'allowedTools' | 'requireApproval'>
}

/** Locks the versions of a name until the transaction ends. */
export async function lockName(tx: Sql, of: { workspaceId: string; name: string }): Promise<void> {
  await tx.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [`skill ${of.workspaceId} ${of.name}`])
}

/** Inserts a version; completing it sets its number and flags. */
export type NewVersion = Omit<SkillVersion, 'number' | 'error' | 'isHeld' | 'isLatest' | 'updatedAt'>

export async function insertVersion(tx: Sql, version: NewVersion): Promise<void> {
  await tx.query(
    `insert into skills (id, workspace_id, name, skill_version, description, is_public, status, origin, session_id, sha256,
       zip_sha256, zip_bytes, facts, proof, created_at, updated_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, decode($10, 'hex'), $11, $12, $13, $14, $15, $15)`,
    [
      version.id,
      version.workspaceId,
      version.name,
      version.skillVersion,
      version.description,
      version.isPublic,
      // The statement that assigns its number completes it.
      version.status === 'completed' ? 'running' : version.status,
      version.origin,
      version.sessionId,
      version.sha256,
      version.zipSha256,
      version.zipBytes,
      jsonb(version.facts),
      version.proof === null ? null : jsonb(version.proof),
      version.createdAt,
    ],
  )
}

/**
 * Completes a version: assigns the next number of its name and, unless it is held, makes it the latest. Needs the lock of the name. False:
 * it has ended already.
 */
export async function completeVersion(
  tx: Sql,
  of: { workspaceId: string; id: string; name: string; isHeld: boolean; now: Date },
): Promise<boolean> {
  const rows = await tx.query(
    `update skills set status = 'completed', is_held = $4, updated_at = $5,
       number = (select coalesce(max(number), 0) + 1 from skills where workspace_id = $1 and name = $3)
     where workspace_id = $1 and id = $2 and status in ('pending', 'running') and deleted_at is null returning id`,
    [of.workspaceId, of.id, of.name, of.isHeld, of.now],
  )
  if (rows.length === 0) return false
  await markLatest(tx, of)
  return true
}

/** Recomputes the latest flags of a name. Needs the lock of the name. */
export async function markLatest(tx: Sql, { workspaceId, name }: { workspaceId: string; name: string }): Promise<void> {
  const newest = (
    more: string,
  ) => `(select id from skills where workspace_id = $1 and name = $2 and status = 'completed'
    and deleted_at is null and not is_held ${more} order by number desc limit 1)`
  // Clear before setting: a name never has two.
  await tx.query(
    `update skills set is_latest = false, is_latest_public = false
     where workspace_id = $1 and name = $2 and (is_latest or is_latest_public)`,
    [workspaceId, name],
  )
  await tx.query(`update skills set is_latest = true where id = ${newest('')}`, [workspaceId, name])
  await tx.query(`update skills set is_latest_public = true where id = ${newest('and is_public')}`, [workspaceId, name])
}

/** Releases a version from its gate. False: it was not held. */
export async function releaseVersion(tx: Sql, of: { workspaceId: string; id: string; now: Date }): Promise<boolean> {
  const rows = await tx.query(
    `update skills set is_held = false, updated_at = $3
     where workspace_id = $1 and id = $2 and is_held and deleted_at is null returning id`,
    [of.workspaceId, of.id, of.now],
  )
  return rows.length > 0
}

/** Updates the status of an incomplete version. False: it has ended already. */
export async function moveVersion(
  sql: Sql,
  of: { workspaceId: string; id: string; now: Date },
  to: { status: Exclude<SkillStatus, 'completed'>; error?: SkillVersion['error']; proof?: Proof },
): Promise<boolean> {
  const rows = await sql.query(
    `update skills set status = $3, error = $4, proof = coalesce($5, proof), updated_at = $6
     where workspace_id = $1 and id = $2 and status in ('pending', 'running') and deleted_at is null returning id`,
    [of.workspaceId, of.id, to.status, to.error ? jsonb(to.error) : null, to.proof ? jsonb(to.proof) : null, of.now],
  )
  return rows.length > 0
}

/** Replaces the bundle of an incomplete version. False: it has ended already. */
export async function replaceBundle(
  tx: Sql,
  of: { workspaceId: string; id: string; now: Date },
  to: Pick<SkillVersion, 'skillVersion' | 'description' | 'sha256' | 'zipSha256' | 'zipBytes' | 'facts' | 'proof'>,
): Promise<boolean> {
  const rows = await tx.query(
    `update skills set skill_version = $3, description = $4, sha256 = decode($5, 'hex'), zip_sha256 = $6, zip_bytes = $7,
       facts = $8, proof = $9, updated_at = $10
     where workspace_id = $1 and id = $2 and status in ('pending', 'running') and deleted_at is null returning id`,
    [
      of.workspaceId,
      of.id,
      to.skillVersion,
      to.description,
      to.sha256,
      to.zipSha256,
      to.zipBytes,
      jsonb(to.facts),
      jsonb(to.proof),
      of.now,
    ],
  )
  return rows.length > 0
}

/** Updates the proof of a version. */
export async function writeProof(sql: Sql, of: { workspaceId: string; id: string }, proof: Proof): Promise<void> {
  await sql.query('update skills set proof = $3 where workspace_id = $1 and id = $2', [
    of.workspaceId,
    of.id,
    jsonb(proof),
  ])
}

/** The gate that the latest version of a name sets, null for none; undefined if the name has no latest. */
export async function latestGate(sql: Sql, of: { workspaceId: string; name: string }): Promise<Json | undefined> {
  const rows = await sql.query<{ gate: Json }>(
    `select facts->'publishGate' as gate from skills where workspace_id = $1 and name = $2 and is_latest`,
    [of.workspaceId, of.name],
  )
  return rows[0]?.gate
}

/** Whether the workspace has a version of one of these names, completed or not. */
export async function hasName(sql: Sql, of: { workspaceId: string; names: readonly string[] }): Promise<boolean> {
  const rows = await sql.query(
    'select 1 from skills where workspace_id = $1 and name = any($2::text[]) and deleted_at is null limit 1',
    [of.workspaceId, of.names],
  )
  return rows.length > 0
}

/** The version of this id, of the workspace or public. `id` must be a UUID. */
export async function selectVersion(
  sql: Sql,
  where: { workspaceId: string; id: string },
): Promise<SkillVersion | undefined> {
  const rows = await sql.query<SkillVersion>(`select ${columns} from skills where id = $2 and ${readable}`, [
    where.workspaceId,
    where.id,
  ])
  return rows[0]
}

/** The same, with the parts that an execution pins. */
export async function selectPinnable(
  sql: Sql,
  where: { workspaceId: string; id: string },
): Promise<PinnableVersion | undefined> {
  const rows = await sql.query<PinnableVersion>(`select ${pinnableColumns} from skills where id = $2 and ${readable}`, [
    where.workspaceId,
    where.id,
  ])
  return rows[0]
}

/** The version of a name in the workspace. `latest` is the newest that is not held. */
export async function selectOwnVersion(
  sql: Sql,
  where: { workspaceId: string; name: string; wanted: WantedVersion },
): Promise<PinnableVersion | undefined> {
  const { condition, params } = wantedSql(where.wanted, 'is_latest')
  const rows = await sql.query<PinnableVersion>(
    `select ${pinnableColumns} from skills where workspace_id = $1 and name = $2 and deleted_at is null and ${condition}
     order by number desc limit 1`,
    [where.workspaceId, where.name, ...params],
  )
  return rows[0]
}

/** Completed versions of the workspace with these ids (UUIDs), and the latest of these names. */
export async function selectOwnVersions(
  sql: Sql,
  where: { workspaceId: string; ids: readonly string[]; names: readonly string[] },
): Promise<readonly PinnableVersion[]> {
  return sql.query<PinnableVersion>(
    `select ${pinnableColumns} from skills where workspace_id = $1 and id = any($2::uuid[]) and status = 'completed' and deleted_at is null
     union all
     select ${pinnableColumns} from skills where workspace_id = $1 and name = any($3::text[]) and is_latest`,
    [where.workspaceId, where.ids, where.names],
  )
}

/** The newest incomplete or failed version of a name. */
export async function selectUnfinished(
  sql: Sql,
  where: { workspaceId: string; name: string },
): Promise<SkillVersion | undefined> {
  const rows = await sql.query<SkillVersion>(
    `select ${columns} from skills where workspace_id = $1 and name = $2 and status <> 'completed' and deleted_at is null
     order by created_at desc, id desc limit 1`,
    [where.workspaceId, where.name],
  )
  return rows[0]
}

/** Public versions of a name in other workspaces, one per workspace, at most two: two are enough to be ambiguous. */
export async function selectPublicVersions(
  sql: Sql,
  where: { workspaceId: string; name: string; wanted: WantedVersion },
): Promise<readonly PinnableVersion[]> {
  const { condition, params } = wantedSql(where.wanted, 'is_latest_public')
  return sql.query<PinnableVersion>(
    `select ${pinnableColumns} from (
       select distinct on (workspace_id) * from skills
       where workspace_id <> $1 and name = $2 and is_public and status = 'completed' and deleted_at is null and ${condition}
       order by workspace_id, number desc
     ) one_each limit 2`,
    [where.workspaceId, where.name, ...params],
  )
}

function wantedSql(wanted: WantedVersion, latest: string): { condition: string; params: unknown[] } {
  if (wanted === 'latest') return { condition: latest, params: [] }
  if ('number' in wanted) return { condition: 'number = $3', params: [wanted.number] }
  // Completed ones only: an incomplete version is found by its id.
  return { condition: `number is not null and skill_version = $3`, params: [wanted.text] }
}

/** The versions of a name that the workspace may read, in any status, newest first. `limit` null: all. */
export async function selectVersions(
  sql: Sql,
  of: { workspaceId: string; ownerId: string; name: string; limit: number | null },
): Promise<readonly LightVersion[]> {
  return sql.query<LightVersion>(
    `select ${lightColumns} from skills where ${readable} and workspace_id = $2 and name = $3
     order by number desc nulls first, created_at desc, id desc limit $4`,
    [of.workspaceId, of.ownerId, of.name, of.limit],
  )
}

/** The version with the next lower number that the workspace may read, without those that a gate holds back: it would be no standard for others. */
export async function selectVersionBefore(
  sql: Sql,
  of: { workspaceId: string; ownerId: string; name: string; number: number },
): Promise<SkillVersion | undefined> {
  const rows = await sql.query<SkillVersion>(
    `select ${columns} from skills where ${readable} and workspace_id = $2 and name = $3 and number < $4 and not is_held
     order by number desc limit 1`,
    [of.workspaceId, of.ownerId, of.name, of.number],
  )
  return rows[0]
}

/** Marks a version of the workspace deleted and returns it, or undefined if it does not exist. Needs the lock of the name. */
export async function markVersionDeleted(
  tx: Sql,
  where: { workspaceId: string; id: string; now: Date },
): Promise<SkillVersion | undefined> {
  const rows = await tx.query<SkillVersion>(
    `update skills set deleted_at = $3, is_latest = false, is_latest_public = false
     where workspace_id = $1 and id = $2 and deleted_at is null returning ${columns}`,
    [where.workspaceId, where.id, where.now],
  )
  return rows[0]
}

/** The names of the workspace's skills in order, after `after`. */
export async function selectNames(
  sql: Sql,
  of: { workspaceId: string; after: string | null; limit: number; descending: boolean },
): Promise<readonly string[]> {
  const rows = await sql.query<{ name: string }>(
    `select name from skills where workspace_id = $1 and is_latest
       and ($2::text is null or name ${of.descending ? '<' : '>'} $2)
     order by name ${of.descending ? 'desc' : 'asc'} limit $3`,
    [of.workspaceId, of.after, of.limit],
  )
  return rows.map(({ name }) => name)
}
