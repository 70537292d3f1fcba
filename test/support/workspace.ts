import { newId } from '../../packages/core/src/ids.ts'
import type { Db } from '../../packages/server/src/adapters/db/db.ts'

/** Adds a workspace with one key to a database, for tests below the HTTP server. */
export async function addWorkspace(db: Db, now: Date): Promise<{ workspaceId: string; keyId: string }> {
  const workspaceId = newId(now)
  const keyId = newId(now)
  await db.query('insert into workspaces (id, name, created_at) values ($1, $2, $3)', [
    workspaceId,
    `w ${workspaceId}`,
    now,
  ])
  await db.query(
    `insert into keys (id, workspace_id, name, sha256, hint, scopes, created_at) values ($1, $2, '', $3, '', '{}', $4)`,
    [keyId, workspaceId, Buffer.from(keyId), now],
  )
  return { workspaceId, keyId }
}
