import type { Sql } from '../../adapters/db/db.ts'
import type { purposes } from './purposes.ts'

/** An uploaded file. Its bytes are the blob named `sha256`. */
export interface FileRecord {
  readonly id: string
  readonly workspaceId: string
  readonly filename: string
  readonly contentType: string
  readonly bytes: number
  readonly sha256: Buffer
  readonly md5: Buffer
  readonly purpose: (typeof purposes)[number]
  readonly createdAt: Date
}

interface Row {
  id: string
  workspace_id: string
  filename: string
  content_type: string
  bytes: number
  sha256: Buffer
  md5: Buffer
  purpose: FileRecord['purpose']
  created_at: Date
}

const columns = 'id, workspace_id, filename, content_type, bytes, sha256, md5, purpose, created_at'

const fileOf = (row: Row): FileRecord => ({
  id: row.id,
  workspaceId: row.workspace_id,
  filename: row.filename,
  contentType: row.content_type,
  bytes: row.bytes,
  sha256: row.sha256,
  md5: row.md5,
  purpose: row.purpose,
  createdAt: row.created_at,
})

/** Inserts a file and says whether it is new: false if its id is or was in use. */
export async function insertFile(sql: Sql, file: FileRecord): Promise<boolean> {
  const { id, workspaceId, filename, contentType, bytes, sha256, md5, purpose, createdAt } = file
  const rows = await sql.query(
    `insert into files (${columns}) values ($1, $2, $3, $4, $5, $6, $7, $8, $9) on conflict (id) do nothing returning id`,
    [id, workspaceId, filename, contentType, bytes, sha256, md5, purpose, createdAt],
  )
  return rows.length > 0
}

/** The undeleted file of this id in this workspace. `id` must be a UUID. */
export async function selectFile(
  sql: Sql,
  where: { workspaceId: string; id: string },
): Promise<FileRecord | undefined> {
  const rows = await sql.query<Row>(
    `select ${columns} from files where workspace_id = $1 and id = $2 and deleted_at is null`,
    [where.workspaceId, where.id],
  )
  return rows[0] && fileOf(rows[0])
}

/** Those of these files that the workspace has, with their names. */
export async function selectFilenames(
  sql: Sql,
  where: { workspaceId: string; ids: readonly string[] },
): Promise<readonly Pick<FileRecord, 'id' | 'filename'>[]> {
  return sql.query(
    'select id, filename from files where workspace_id = $1 and id = any($2::uuid[]) and deleted_at is null',
    [where.workspaceId, where.ids],
  )
}

/** The workspace's files, newest first. */
export async function selectFiles(
  sql: Sql,
  where: { workspaceId: string; skip: number; limit: number },
): Promise<readonly FileRecord[]> {
  const rows = await sql.query<Row>(
    `select ${columns} from files where workspace_id = $1 and deleted_at is null
     order by created_at desc, id desc offset $2 limit $3`,
    [where.workspaceId, where.skip, where.limit],
  )
  return rows.map(fileOf)
}

/** Files of the workspace by age behind the file `after`, which may have been deleted; of one purpose, or of any (null). */
export async function selectFilePage(
  sql: Sql,
  where: {
    workspaceId: string
    purpose: FileRecord['purpose'] | null
    after: string | null
    descending: boolean
    limit: number
  },
): Promise<readonly FileRecord[]> {
  const { workspaceId, purpose, after, descending, limit } = where
  const [before, order] = descending ? ['<', 'desc'] : ['>', 'asc']
  const rows = await sql.query<Row>(
    `select ${columns} from files where workspace_id = $1 and deleted_at is null and ($2::text is null or purpose = $2)
       and ($3::uuid is null or (created_at, id) ${before} (select created_at, id from files where workspace_id = $1 and id = $3))
     order by created_at ${order}, id ${order} limit $4`,
    [workspaceId, purpose, after, limit],
  )
  return rows.map(fileOf)
}

/** The workspace's first file with these bytes: the same one for as long as it is not deleted, also when they are sent again. */
export async function selectFileByMd5(
  sql: Sql,
  where: { workspaceId: string; md5: Buffer },
): Promise<FileRecord | undefined> {
  const rows = await sql.query<Row>(
    `select ${columns} from files where workspace_id = $1 and md5 = $2 and deleted_at is null
     order by created_at, id limit 1`,
    [where.workspaceId, where.md5],
  )
  return rows[0] && fileOf(rows[0])
}

/** Marks the file deleted and returns it, or undefined if it does not exist. */
export async function markFileDeleted(
  sql: Sql,
  where: { workspaceId: string; id: string; now: Date },
): Promise<FileRecord | undefined> {
  const rows = await sql.query<Row>(
    `update files set deleted_at = $3 where workspace_id = $1 and id = $2 and deleted_at is null returning ${columns}`,
    [where.workspaceId, where.id, where.now],
  )
  return rows[0] && fileOf(rows[0])
}

/**
 * Whether a file or skill of any workspace has these bytes, and whether one of those or an unfinished execution needs them: the only query
 * across workspaces here.
 */
export async function blobUse(sql: Sql, sha256: Buffer): Promise<{ isOwned: boolean; isNeeded: boolean }> {
  const rows = await sql.query<{ isOwned: boolean; isNeeded: boolean }>(
    'select blob_is_owned($1) as "isOwned", blob_is_needed($1) as "isNeeded"',
    [sha256],
  )
  return rows[0] ?? { isOwned: true, isNeeded: true }
}

/** Deletes what was parsed from these bytes in workspaces that have neither a file with them nor an execution that needs them. */
export async function deleteParsedDocumentsWithoutFile(tx: Sql, sha256: Buffer): Promise<void> {
  await tx.query(
    `delete from readings r using workspaces w where r.workspace_id = w.id and r.sha256 = $1
       and not exists (select from files f where f.workspace_id = w.id and f.sha256 = $1 and f.deleted_at is null)
       and not exists (
         select from execution_files h join executions e on e.workspace_id = h.workspace_id and e.id = h.execution_id
         where h.workspace_id = w.id and h.sha256 = $1 and e.status not in ('completed', 'failed'))`,
    [sha256],
  )
}

/** Those of these blobs that nothing needs, by the rule of `blobUse`. */
export async function unneededOf(sql: Sql, blobs: readonly Buffer[]): Promise<readonly Buffer[]> {
  const rows = await sql.query<{ sha256: Buffer }>(
    'select sha256 from unnest($1::bytea[]) as sha256 where not blob_is_needed(sha256)',
    [blobs],
  )
  return rows.map((row) => row.sha256)
}

/** Every blob that a file, a skill or an execution needs, in all workspaces. */
export async function selectNeededBlobs(sql: Sql): Promise<readonly Buffer[]> {
  const rows = await sql.query<{ sha256: Buffer }>(
    `select sha256 from (
       select sha256 from files union select sha256 from execution_files union select zip_sha256 from skills
     ) named where blob_is_needed(sha256) order by sha256`,
  )
  return rows.map((row) => row.sha256)
}

/** Locks a blob until the transaction ends: adding a reference and removing the blob exclude each other. */
export async function lockBlob(tx: Sql, sha256: Buffer): Promise<void> {
  await tx.query('select pg_advisory_xact_lock($1, $2)', [sha256.readInt32BE(0), sha256.readInt32BE(4)])
}

/** A presigned upload. */
export interface PendingUpload {
  readonly id: string
  readonly workspaceId: string
  /** The key that requested the URL; null in rows older than this column. */
  readonly keyId: string | null
  readonly filename: string
  readonly purpose: FileRecord['purpose']
  readonly createdAt: Date
  readonly expiresAt: Date
}

/** Inserts a pending upload. */
export async function insertUpload(sql: Sql, upload: PendingUpload): Promise<void> {
  await sql.query(
    `insert into uploads (id, workspace_id, key_id, filename, purpose, created_at, expires_at)
     values ($1, $2, $3, $4, $5, $6, $7)`,
    [upload.id, upload.workspaceId, upload.keyId, upload.filename, upload.purpose, upload.createdAt, upload.expiresAt],
  )
}

/** Name, purpose and owner of the file of a pending upload. */
export async function selectUpload(
  sql: Sql,
  where: { workspaceId: string; id: string },
): Promise<Pick<PendingUpload, 'keyId' | 'filename' | 'purpose'> | undefined> {
  const rows = await sql.query<Pick<PendingUpload, 'keyId' | 'filename' | 'purpose'>>(
    'select key_id as "keyId", filename, purpose from uploads where workspace_id = $1 and id = $2',
    [where.workspaceId, where.id],
  )
  return rows[0]
}

/** A presigned upload with a valid URL, locked until the transaction ends. */
export async function lockUpload(
  tx: Sql,
  where: { workspaceId: string; id: string; now: Date },
): Promise<Pick<PendingUpload, 'filename' | 'purpose' | 'createdAt'> | undefined> {
  const rows = await tx.query<Pick<PendingUpload, 'filename' | 'purpose' | 'createdAt'>>(
    `select filename, purpose, created_at as "createdAt" from uploads
     where workspace_id = $1 and id = $2 and expires_at > $3 for update`,
    [where.workspaceId, where.id, where.now],
  )
  return rows[0]
}

/** Deletes a presigned upload without bytes, and says whether it existed. For a transaction that has locked it. */
export async function dropUpload(tx: Sql, where: { workspaceId: string; id: string }): Promise<boolean> {
  const rows = await tx.query(
    `delete from uploads u where u.workspace_id = $1 and u.id = $2
       and not exists (select from files f where f.workspace_id = $1 and f.id = $2) returning u.id`,
    [where.workspaceId, where.id],
  )
  return rows.length > 0
}

/**
 * Those of these ids that are presigned uploads still to come. Blocks them until the transaction ends: `wakePending` waits for the lock.
 */
export async function selectPendingUploads(
  tx: Sql,
  where: { workspaceId: string; ids: readonly string[]; now: Date },
): Promise<readonly Pick<PendingUpload, 'id' | 'expiresAt'>[]> {
  const open = await tx.query<Pick<PendingUpload, 'id' | 'expiresAt'>>(
    `select id, expires_at as "expiresAt" from uploads
     where workspace_id = $1 and id = any($2::uuid[]) and expires_at > $3 order by id for share`,
    [where.workspaceId, where.ids, where.now],
  )
  if (open.length === 0) return []
  // A separate statement sees what committed while this waited for the lock.
  const come = await tx.query<{ id: string }>('select id from files where workspace_id = $1 and id = any($2::uuid[])', [
    where.workspaceId,
    open.map(({ id }) => id),
  ])
  return open.filter((upload) => !come.some(({ id }) => id === upload.id))
}

/** The file of this id while that execution holds it, deleted or not; and any undeleted file. */
export async function selectHeldFile(
  sql: Sql,
  where: { workspaceId: string; executionId: string; id: string },
): Promise<FileRecord | undefined> {
  const rows = await sql.query<Row>(
    `select ${columns} from files where workspace_id = $1 and id = $2 and (deleted_at is null or exists (
       select from execution_files f where f.workspace_id = $1 and f.execution_id = $3 and f.file_id = $2))`,
    [where.workspaceId, where.id, where.executionId],
  )
  return rows[0] && fileOf(rows[0])
}

/**
 * Records the files that an execution works with, and returns how many exist. Waits for deletions in progress and blocks new ones until the
 * transaction ends, because they would not see the hold.
 */
export async function insertHolds(
  tx: Sql,
  hold: { workspaceId: string; executionId: string; fileIds: readonly string[] },
): Promise<number> {
  const held = await tx.query(
    `insert into execution_files (workspace_id, execution_id, file_id, sha256)
     select workspace_id, $2, id, sha256 from files
     where workspace_id = $1 and id = any($3::uuid[]) and deleted_at is null for share
     returning file_id`,
    [hold.workspaceId, hold.executionId, hold.fileIds],
  )
  return held.length
}

/** Marks the files held by an execution deleted, removes their names, and returns them. */
export async function markInputsDeleted(
  tx: Sql,
  of: { workspaceId: string; executionId: string; now: Date },
): Promise<readonly FileRecord[]> {
  await tx.query(
    `update uploads set filename = '' where workspace_id = $1 and id in (
       select file_id from execution_files where workspace_id = $1 and execution_id = $2)`,
    [of.workspaceId, of.executionId],
  )
  const rows = await tx.query<Row>(
    `update files set deleted_at = $3, filename = '' where workspace_id = $1 and deleted_at is null and id in (
       select file_id from execution_files where workspace_id = $1 and execution_id = $2) returning ${columns}`,
    [of.workspaceId, of.executionId, of.now],
  )
  return rows.map(fileOf)
}

/** Releases the files of ended executions in all workspaces, and drops the names of those that were deleted meanwhile. */
export async function dropEndedHolds(sql: Sql): Promise<void> {
  const released = await sql.query<{ workspaceId: string; id: string }>(
    `delete from execution_files f using executions e
     where e.workspace_id = f.workspace_id and e.id = f.execution_id and e.status in ('completed', 'failed')
     returning f.workspace_id as "workspaceId", f.file_id as id`,
  )
  await dropNames(sql, released)
}

/** Drops the names of those of these files that are deleted. An unfinished execution still reads its files by them. */
export async function dropNames(
  sql: Sql,
  files: readonly { readonly workspaceId: string; readonly id: string }[],
): Promise<void> {
  if (files.length === 0) return
  const places = [files.map(({ workspaceId }) => workspaceId), files.map(({ id }) => id)]
  const nameless = await sql.query<{ workspaceId: string; id: string }>(
    `update files f set filename = '' from unnest($1::uuid[], $2::uuid[]) as place (workspace_id, id)
     where f.workspace_id = place.workspace_id and f.id = place.id and f.deleted_at is not null and f.filename <> ''
       and not exists (
         select from execution_files h join executions e on e.workspace_id = h.workspace_id and e.id = h.execution_id
         where h.workspace_id = f.workspace_id and h.file_id = f.id and e.status not in ('completed', 'failed'))
     returning f.workspace_id as "workspaceId", f.id`,
    places,
  )
  await sql.query(
    `update uploads u set filename = '' from unnest($1::uuid[], $2::uuid[]) as place (workspace_id, id)
     where u.workspace_id = place.workspace_id and u.id = place.id`,
    [nameless.map(({ workspaceId }) => workspaceId), nameless.map(({ id }) => id)],
  )
}

/** Deletes presigned uploads that expired before a moment, in all workspaces. */
export async function dropExpiredUploads(sql: Sql, before: Date): Promise<void> {
  await sql.query('delete from uploads where expires_at < $1', [before])
}
