import { Fault } from '@skillrun/core/fault.ts'
import { hashedName } from '@skillrun/core/ids.ts'
import { brokenConstraint, type Sql } from '../../../adapters/db/db.ts'

/**
 * Claims the keys of a call for an execution: the body's `id` and the header, either of which finds it again. Undefined: claimed; otherwise
 * the execution that has them. Claims are never deleted and store only a hash of the key. Fault `conflict` when a key was used with another
 * body.
 */
export async function claimKeys(
  tx: Sql,
  call: {
    workspaceId: string
    id: string | undefined
    header: string | undefined
    bodySha256: Buffer
    executionId: string
    now: Date
  },
): Promise<string | undefined> {
  const { workspaceId, bodySha256, now } = call
  let found: string | undefined
  // The id first: the claim of the header with this body implies the id's.
  for (const key of new Set([call.id, call.header])) {
    if (!key) continue
    const executionId = found ?? call.executionId
    const first = await claimIdempotency(tx, { workspaceId, key, bodySha256, executionId, now })
    if (!first) continue
    if (!first.bodySha256.equals(bodySha256) || (found !== undefined && found !== first.executionId))
      throw usedOtherwise()
    found = first.executionId
  }
  return found
}

/** The execution that has one of the call's keys with the same body; undefined without one. */
export async function findFirst(
  sql: Sql,
  call: {
    workspaceId: string
    id: string | undefined
    header: string | undefined
    bodySha256: Buffer
    refusesOthers: boolean
  },
): Promise<string | undefined> {
  const { workspaceId, bodySha256 } = call
  for (const key of new Set([call.id, call.header])) {
    if (!key) continue
    const first = await findClaim(sql, { workspaceId, key })
    if (first?.bodySha256.equals(bodySha256)) return first.executionId
    if (first && call.refusesOthers) throw usedOtherwise()
  }
  return undefined
}

const usedOtherwise = (): Fault =>
  new Fault('conflict', 'idempotency_conflict', 'This request id was already used with a different body')

/** Turns a unique violation on a chosen execution id, taken by an execution that was not requested under it, into a Fault. */
export function refuseTakenId(error: unknown): never {
  if (brokenConstraint(error)?.name === 'executions_pkey')
    throw new Fault(
      'conflict',
      'id_taken',
      'This id already belongs to another execution, which was not created with it as request id',
    )
  throw error
}

/** Claims an idempotency key for an execution. Undefined: claimed; otherwise the execution that has it, and the hash of its body. */
async function claimIdempotency(
  sql: Sql,
  claim: { workspaceId: string; key: string; bodySha256: Buffer; executionId: string; now: Date },
): Promise<{ executionId: string; bodySha256: Buffer } | undefined> {
  const made = await sql.query(
    `insert into idempotency (workspace_id, key, body_sha256, execution_id, created_at)
     select $1, $2, $3, $4, $5 where not exists (select from idempotency where workspace_id = $1 and key = $6)
     on conflict (workspace_id, key) do nothing returning key`,
    [claim.workspaceId, hashedName(claim.key), claim.bodySha256, claim.executionId, claim.now, claim.key],
  )
  return made.length === 1 ? undefined : findClaim(sql, claim)
}

/** The execution of an idempotency key, and the hash of the body that it was first used with. Older rows hold the key itself. */
async function findClaim(
  sql: Sql,
  claim: { workspaceId: string; key: string },
): Promise<{ executionId: string; bodySha256: Buffer } | undefined> {
  const rows = await sql.query<{ executionId: string; bodySha256: Buffer }>(
    `select execution_id as "executionId", body_sha256 as "bodySha256" from idempotency where workspace_id = $1 and key in ($2, $3)`,
    [claim.workspaceId, hashedName(claim.key), claim.key],
  )
  return rows[0]
}
