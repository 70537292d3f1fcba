import { hashedName, isId } from '@skillrun/core/ids.ts'
import type { Sql } from '../../adapters/db/db.ts'

/** The execution with this id, chat completion id, request id or `Idempotency-Key`. Locks it against a purge until the transaction ends. */
export async function findNamed(
  tx: Sql,
  { workspaceId, name }: { workspaceId: string; name: string },
): Promise<{ id: string; isRetained: boolean } | undefined> {
  const plain = name.replace(/^chatcmpl-/, '').toLowerCase()
  const rows = await tx.query<{ id: string; isRetained: boolean }>(
    `select id, is_retained as "isRetained" from executions where workspace_id = $1
       and id = coalesce((select execution_id from idempotency where workspace_id = $1 and key in ($2, $4)), $3::uuid)
     for share`,
    [workspaceId, name, isId(plain) ? plain : null, hashedName(name)],
  )
  return rows[0]
}
