import { newId } from '@skillrun/core/ids.ts'
import type { JsonObject } from '@skillrun/core/json.ts'
import { jsonb, type Sql } from '../../adapters/db/db.ts'

/** Actions on resources that outlive a request. */
export const auditActions = [
  'key.create',
  'key.revoke',
  'workspace.create',
  'user.create',
  'user.update',
  'user.remove',
  'user.reset_password',
  'user.change_password',
  'user.sign_in',
  'user.sign_in_failed',
  'user.sign_out',
  'file.create',
  'file.delete',
  'skill.create',
  'skill.update',
  'skill.delete',
  'skill.improve',
  'case.create',
  'case.delete',
  'program.create',
  'program.delete',
  'callback_secret.change',
  'capsule_key.rotate',
  'batch.create',
  'batch.pause',
  'batch.resume',
  'batch.cancel',
  'batch.retry',
  'approval.decide',
  'review.save',
  'review.assign',
  'review.settings',
] as const
export type AuditAction = (typeof auditActions)[number]

/** One action. */
export interface AuditEntry {
  readonly workspaceId: string
  /** The key, or the user's membership, that acted; null: the server itself, or the holder of a signed URL. */
  readonly keyId: string | null
  readonly action: AuditAction
  /** Id of the key, user, file, skill version, case, program or batch. */
  readonly subjectId: string
  /** Names and figures, no content. */
  readonly detail?: JsonObject
  readonly now: Date
}

/** Logs an action in its own transaction `tx`: the entry exists exactly when the action happened. */
export async function recordAction(tx: Sql, entry: AuditEntry): Promise<void> {
  await tx.query(
    `insert into audit (id, workspace_id, key_id, action, subject_id, detail, created_at) values ($1, $2, $3, $4, $5, $6, $7)`,
    [
      newId(entry.now),
      entry.workspaceId,
      entry.keyId,
      entry.action,
      entry.subjectId,
      jsonb(entry.detail ?? {}),
      entry.now,
    ],
  )
}

/** One entry of the log. */
export interface AuditRow {
  readonly id: string
  readonly keyId: string | null
  /** The name and last characters of that key, or the name of that user. */
  readonly keyName: string | null
  readonly keyHint: string | null
  readonly isUser: boolean
  readonly action: AuditAction
  readonly subjectId: string
  readonly detail: JsonObject
  readonly createdAt: Date
}

/** Entries of the audit log of a workspace, newest first. */
export async function listActions(
  sql: Sql,
  of: {
    workspaceId: string
    action: string | null
    subjectId: string | null
    keyId: string | null
    after: Date | null
    before: Date | null
    skip: number
    limit: number
  },
): Promise<readonly AuditRow[]> {
  return sql.query<AuditRow>(
    `select a.id, a.key_id as "keyId", k.name as "keyName", k.hint as "keyHint",
       k.user_id is not null as "isUser", a.action, a.subject_id as "subjectId",
       a.detail, a.created_at as "createdAt"
     from audit a left join keys k on k.id = a.key_id
     where a.workspace_id = $1 and ($2::text is null or a.action = $2) and ($3::text is null or a.subject_id = $3)
       and ($4::text is null or a.key_id::text = $4)
       and ($5::timestamptz is null or a.created_at > $5) and ($6::timestamptz is null or a.created_at < $6)
     order by a.created_at desc, a.id desc offset $7 limit $8`,
    [of.workspaceId, of.action, of.subjectId, of.keyId, of.after, of.before, of.skip, of.limit],
  )
}
