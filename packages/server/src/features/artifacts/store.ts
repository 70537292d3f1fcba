import type { Sql } from '../../adapters/db/db.ts'

/** An artifact without its bytes. */
export interface Artifact {
  readonly id: string
  readonly executionId: string
  readonly filename: string
  readonly contentType: string
  readonly bytes: number
  readonly createdAt: Date
}

/** Where to look for artifacts: in one execution, or in all of one session. */
export type Namespace = { readonly executionId: string } | { readonly sessionId: string }

const columns = `id, execution_id as "executionId", filename, content_type as "contentType", bytes, created_at as "createdAt"`

/** Number and total size of the artifacts of an execution. */
export async function sumArtifacts(
  sql: Sql,
  of: { workspaceId: string; executionId: string },
): Promise<{ count: number; bytes: number }> {
  const [row] = await sql.query<{ count: number; bytes: number }>(
    `select count(*)::integer as count, coalesce(sum(bytes), 0)::bigint as bytes from artifacts where workspace_id = $1 and execution_id = $2`,
    [of.workspaceId, of.executionId],
  )
  return row ?? { count: 0, bytes: 0 }
}

/** Stores an artifact and says whether it is new; an existing one with this id does not change. */
export async function insertArtifact(
  sql: Sql,
  made: Omit<Artifact, 'bytes'> & { workspaceId: string; sessionId: string | null; content: Uint8Array },
): Promise<boolean> {
  const rows = await sql.query(
    `insert into artifacts (workspace_id, execution_id, id, session_id, filename, content_type, content, bytes, created_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9) on conflict do nothing returning id`,
    [
      made.workspaceId,
      made.executionId,
      made.id,
      made.sessionId,
      made.filename,
      made.contentType,
      Buffer.from(made.content),
      made.content.length,
      made.createdAt,
    ],
  )
  return rows.length > 0
}

const placeOf = (namespace: Namespace): { condition: string; value: string } =>
  'executionId' in namespace
    ? { condition: 'execution_id = $2::uuid', value: namespace.executionId }
    : { condition: 'session_id = $2', value: namespace.sessionId }

/** The artifacts of a namespace, oldest first. */
export async function listArtifacts(
  sql: Sql,
  of: { workspaceId: string; namespace: Namespace; limit: number },
): Promise<readonly Artifact[]> {
  const { condition, value } = placeOf(of.namespace)
  return sql.query<Artifact>(
    `select ${columns} from artifacts where workspace_id = $1 and ${condition} order by created_at, id limit $3`,
    [of.workspaceId, value, of.limit],
  )
}

/** The artifacts of an execution with these content hashes, ordered by id. */
export const listArtifactHashes = (
  sql: Sql,
  of: { workspaceId: string; executionId: string },
): Promise<
  readonly { readonly id: string; readonly filename: string; readonly bytes: number; readonly sha256: string }[]
> =>
  sql.query(
    `select id, filename, bytes::integer as bytes, encode(sha256(content), 'hex') as sha256 from artifacts
     where workspace_id = $1 and execution_id = $2 order by id`,
    [of.workspaceId, of.executionId],
  )

/** The artifacts of an execution with their bytes, ordered by id. */
export const listContents = (
  sql: Sql,
  of: { workspaceId: string; executionId: string },
): Promise<readonly (Artifact & { readonly content: Buffer })[]> =>
  sql.query(`select ${columns}, content from artifacts where workspace_id = $1 and execution_id = $2 order by id`, [
    of.workspaceId,
    of.executionId,
  ])

/** An artifact with its bytes, by id or filename; the newest of several. */
export async function findArtifact(
  sql: Sql,
  of: { workspaceId: string; namespace: Namespace; id: string | null; filename: string | null },
): Promise<(Artifact & { readonly content: Buffer }) | undefined> {
  const { condition, value } = placeOf(of.namespace)
  const rows = await sql.query<Artifact & { content: Buffer }>(
    `select ${columns}, content from artifacts where workspace_id = $1 and ${condition}
       and ($3::text is null or id = $3) and ($4::text is null or filename = $4) order by created_at desc, id limit 1`,
    [of.workspaceId, value, of.id, of.filename],
  )
  return rows[0]
}

/** Copies artifacts from one execution to another, without a session, and returns their total bytes. */
export async function insertCopies(
  sql: Sql,
  of: { workspaceId: string; from: string; to: string; ids: readonly string[]; now: Date },
): Promise<number> {
  const [row] = await sql.query<{ bytes: number }>(
    `with copied as (
       insert into artifacts (workspace_id, execution_id, id, session_id, filename, content_type, content, bytes, created_at)
       select a.workspace_id, e.id, a.id, null, a.filename, a.content_type, a.content, a.bytes, $5::timestamptz
       from artifacts a join executions e on e.workspace_id = a.workspace_id and e.id = $3
       where a.workspace_id = $1 and a.execution_id = $2 and a.id = any($4) returning bytes)
     select coalesce(sum(bytes), 0)::bigint as bytes from copied`,
    [of.workspaceId, of.from, of.to, of.ids, of.now],
  )
  return row?.bytes ?? 0
}

/** Deletes the artifacts of an execution and returns their total bytes. */
export async function dropArtifacts(sql: Sql, of: { workspaceId: string; executionId: string }): Promise<number> {
  const [row] = await sql.query<{ bytes: number }>(
    `with dropped as (delete from artifacts where workspace_id = $1 and execution_id = $2 returning bytes)
     select coalesce(sum(bytes), 0)::bigint as bytes from dropped`,
    [of.workspaceId, of.executionId],
  )
  return row?.bytes ?? 0
}
