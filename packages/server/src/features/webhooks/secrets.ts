import type { Clock } from '@skillrun/core/clock.ts'
import { Fault } from '@skillrun/core/fault.ts'
import type { SecretKeys } from '@skillrun/core/secret-keys.ts'
import type { Db, Sql } from '../../adapters/db/db.ts'
import { limits } from '../../core/limits.ts'
import { newCallbackSecret } from './signature.ts'
import {
  ensureSecretRow,
  findFirstWorkspaceId,
  lockAllSecrets,
  lockSecretRow,
  replaceSecretRow,
  type SecretRow,
  writeSealed,
} from './store.ts'

export interface SecretParts {
  readonly db: Sql
  readonly clock: Clock
  readonly secretKeys: SecretKeys
}

/** The signing secret of a workspace. */
export interface CallbackSecret extends Omit<SecretRow, 'sealed'> {
  readonly secret: string
}

const placeOf = (workspaceId: string): string => `callback_secrets/${workspaceId}`

const seal = (keys: SecretKeys, workspaceId: string, secret: string): Buffer =>
  keys.seal(Buffer.from(secret), placeOf(workspaceId))

/** The text of a secret of this workspace. Fault `unavailable` (`unknown_secret_key`). */
export const openSecret = (keys: SecretKeys, workspaceId: string, sealed: Buffer): string =>
  keys.open(sealed, placeOf(workspaceId)).toString()

/** The signing secret of the workspace; created at first use. */
export async function loadCallbackSecret(
  { db, clock, secretKeys }: SecretParts,
  workspaceId: string,
): Promise<CallbackSecret> {
  const fresh = seal(secretKeys, workspaceId, newCallbackSecret())
  const { sealed, ...row } = await ensureSecretRow(db, workspaceId, { fresh, now: clock.now() })
  return { ...row, secret: openSecret(secretKeys, workspaceId, sealed) }
}

/** Replaces the secret; the one before still signs for a while. Needs a transaction, so that `previous` is the secret being replaced. */
async function replace(
  { db: tx, clock, secretKeys }: SecretParts,
  workspaceId: string,
  secret: string,
): Promise<CallbackSecret> {
  const now = clock.now()
  const before = await lockSecretRow(tx, workspaceId)
  if (before && openSecret(secretKeys, workspaceId, before.sealed) === secret) return { ...before, secret }
  const { sealed: _sealed, ...row } = await replaceSecretRow(tx, workspaceId, {
    sealed: seal(secretKeys, workspaceId, secret),
    // Re-encrypted: it may be the last value under an earlier key.
    previous: before ? seal(secretKeys, workspaceId, openSecret(secretKeys, workspaceId, before.sealed)) : null,
    previousUntil: before ? new Date(now.getTime() + limits.callbackSecretOverlapMs) : null,
    now,
  })
  return { ...row, secret }
}

/** Makes the operator's SKILLRUN_CALLBACK_SECRET the first workspace's, for every process on this database. */
export async function keepOperatorSecret(parts: SecretParts & { readonly db: Db }, secret: string): Promise<void> {
  const workspaceId = await findFirstWorkspaceId(parts.db)
  if (workspaceId !== undefined) await parts.db.transaction((tx) => replace({ ...parts, db: tx }, workspaceId, secret))
}

/**
 * Encrypts secrets that an earlier version stored in plain text, or an earlier key encrypted, with the current key, in all workspaces.
 * Drops secrets that no longer sign: their key may be gone. Fault `unavailable` (`unknown_secret_key`).
 */
export async function sealCallbackSecrets({
  db,
  clock,
  secretKeys,
}: Pick<SecretParts, 'clock' | 'secretKeys'> & { readonly db: Db }): Promise<void> {
  const now = clock.now()
  await db.transaction(async (tx) => {
    for (const { workspaceId, ...stored } of await lockAllSecrets(tx)) {
      const isOver = stored.previousUntil === null || stored.previousUntil <= now
      const row = isOver ? { ...stored, previous: null, previousSealed: null } : stored
      const isCurrent = (sealed: Buffer | null) => sealed === null || secretKeys.isCurrent(sealed)
      const isDropped = isOver && (stored.previous !== null || stored.previousSealed !== null)
      const isPlain = row.secret !== null || row.previous !== null
      if (!isDropped && !isPlain && isCurrent(row.sealed) && isCurrent(row.previousSealed)) continue
      const sealedAgain = (plain: string | null, sealed: Buffer | null): Buffer | null => {
        const text = sealed === null ? plain : openSecret(secretKeys, workspaceId, sealed)
        return text === null ? null : seal(secretKeys, workspaceId, text)
      }
      const sealed = sealedAgain(row.secret, row.sealed)
      if (sealed)
        await writeSealed(tx, { workspaceId, sealed, previousSealed: sealedAgain(row.previous, row.previousSealed) })
    }
  })
}

/**
 * Gives the workspace a new secret, in a transaction. Throws Fault `conflict` when the operator configured it: the next start would restore
 * the old one.
 */
export async function changeCallbackSecret(
  parts: SecretParts,
  workspaceId: string,
  operatorSecret: string | undefined,
): Promise<CallbackSecret> {
  if (operatorSecret !== undefined && (await findFirstWorkspaceId(parts.db)) === workspaceId)
    throw new Fault(
      'conflict',
      'secret_of_operator',
      'The secret of this workspace is set by SKILLRUN_CALLBACK_SECRET; change it there and restart the server',
    )
  return replace(parts, workspaceId, newCallbackSecret())
}
