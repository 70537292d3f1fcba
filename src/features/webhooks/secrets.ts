import type { Clock } from '../../kit/clock.ts'
import { Fault } from '../../kit/fault.ts'
import { limits } from '../../kit/limits.ts'
import type { Sql } from '../../seams/db/db.ts'
import { newCallbackSecret } from './signature.ts'
import { ensureSecretRow, findFirstWorkspaceId, replaceSecretRow, type SecretRow } from './store.ts'

interface SecretParts {
  readonly db: Sql
  readonly clock: Clock
}

/** What the workspace signs with; made at the first call. */
export function loadCallbackSecret({ db, clock }: SecretParts, workspaceId: string): Promise<SecretRow> {
  return ensureSecretRow(db, workspaceId, { fresh: newCallbackSecret(), now: clock.now() })
}

function replace({ db, clock }: SecretParts, workspaceId: string, secret: string): Promise<SecretRow> {
  const now = clock.now()
  const previousUntil = new Date(now.getTime() + limits.callbackSecretOverlapMs)
  return replaceSecretRow(db, workspaceId, { secret, previousUntil, now })
}

/** Makes the operator's SKILLRUN_CALLBACK_SECRET the first workspace's, for every process on this database. */
export async function keepOperatorSecret(parts: SecretParts, secret: string): Promise<void> {
  const workspaceId = await findFirstWorkspaceId(parts.db)
  if (workspaceId !== undefined) await replace(parts, workspaceId, secret)
}

/**
 * Gives the workspace a new secret. Throws Fault `conflict` where the operator has set it: the next start would bring the
 * old one back.
 */
export async function changeCallbackSecret(
  parts: SecretParts,
  workspaceId: string,
  operatorSecret: string | undefined,
): Promise<SecretRow> {
  if (operatorSecret !== undefined && (await findFirstWorkspaceId(parts.db)) === workspaceId)
    throw new Fault(
      'conflict',
      'secret_of_operator',
      'The secret of this workspace comes from SKILLRUN_CALLBACK_SECRET; change it there and start again',
    )
  return replace(parts, workspaceId, newCallbackSecret())
}
