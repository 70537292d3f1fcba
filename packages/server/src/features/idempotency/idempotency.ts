import { Fault } from '@skillrun/core/fault.ts'
import { hashedName } from '@skillrun/core/ids.ts'
import type { Db, Sql } from '../../adapters/db/db.ts'
import { invalid } from '../../adapters/http/validation.ts'
import { bodySha256 } from './body-hash.ts'

export { bodySha256 } from './body-hash.ts'

/** The Idempotency-Key of a request. Throws a ValidationFailure when it is too long. */
export function idempotencyKeyOf(headers: Readonly<Record<string, string | undefined>>): string | undefined {
  const key = headers['idempotency-key']
  if (key && key.length > 255)
    throw invalid(['header', 'idempotency-key'], 'Input should have at most 255 characters', {
      type: 'string_too_long',
      ctx: { max_length: 255 },
    })
  return key
}

/** What a call with an Idempotency-Key made. */
export interface MadeBefore {
  readonly id: string
  readonly createdAt: Date
}

/** Claims the call's key for what it makes, in the transaction that makes it; a throw of it undoes that transaction. */
export type ClaimKey = (tx: Sql, made: MadeBefore) => Promise<void>

/**
 * Makes something once for each Idempotency-Key of an operation; a repeated call gets what the first one made. Fault `conflict`
 * (`idempotency_conflict`) when the key was used with another body. Without a key every call makes something. Keys are never deleted, and
 * only their hash is stored.
 */
export async function makeOnce<Made>(
  db: Db,
  call: {
    workspaceId: string
    operation: string
    headers: Readonly<Record<string, string | undefined>>
    body: unknown
  },
  { make, find }: { make: (claim: ClaimKey) => Promise<Made>; find: (before: MadeBefore) => Promise<Made> },
): Promise<Made> {
  const header = idempotencyKeyOf(call.headers)
  // An empty header counts as absent, as it does for executions.
  if (!header) return make(async () => {})
  const named = { ...call, key: hashedName(header), sha256: await bodySha256(call.body) }
  const before = await findClaim(db, named)
  if (before) return find(before)
  let first: MadeBefore | undefined
  try {
    return await make(async (tx, { id, createdAt }) => {
      const claimed = await tx.query(
        `insert into idempotent_calls (workspace_id, operation, key, body_sha256, made_id, created_at)
         values ($1, $2, $3, $4, $5, $6) on conflict do nothing returning key`,
        [named.workspaceId, named.operation, named.key, named.sha256, id, createdAt],
      )
      if (claimed.length === 1) return
      first = await findClaim(tx, named)
      throw new Error('the Idempotency-Key was claimed by a call at the same time')
    })
  } catch (error) {
    if (first) return find(first)
    throw error
  }
}

async function findClaim(
  sql: Sql,
  of: { workspaceId: string; operation: string; key: string; sha256: Buffer },
): Promise<MadeBefore | undefined> {
  const [found] = await sql.query<MadeBefore & { bodySha256: Buffer }>(
    `select made_id as id, created_at as "createdAt", body_sha256 as "bodySha256" from idempotent_calls
     where workspace_id = $1 and operation = $2 and key = $3`,
    [of.workspaceId, of.operation, of.key],
  )
  if (found && !found.bodySha256.equals(of.sha256))
    throw new Fault('conflict', 'idempotency_conflict', 'This Idempotency-Key was already used with a different body')
  return found
}
