import { randomBytes } from 'node:crypto'
import type { Clock } from '@skillrun/core/clock.ts'
import type { SecretKeys } from '@skillrun/core/secret-keys.ts'
import type { Db, Sql } from '../../adapters/db/db.ts'

export interface ServerSecretParts {
  readonly db: Db
  readonly clock: Clock
  readonly secretKeys: SecretKeys
}

const secretBytes = 32
const placeOf = (name: string): string => `server_secrets/${name}`

/**
 * A secret of the server by name: created once, then the same for every process on this database. Fault `unavailable`
 * (`unknown_secret_key`) when it was encrypted with a key that this process does not have.
 */
export async function ensureServerSecret({ db, clock, secretKeys }: ServerSecretParts, name: string): Promise<Buffer> {
  return db.transaction(async (tx) => {
    await tx.query(
      'insert into server_secrets (name, sealed, created_at) values ($1, $2, $3) on conflict (name) do nothing',
      [name, secretKeys.seal(randomBytes(secretBytes), placeOf(name)), clock.now()],
    )
    const [row] = await tx.query<{ value: Buffer | null; sealed: Buffer | null }>(
      'select value, sealed from server_secrets where name = $1 for update',
      [name],
    )
    const secret = row?.sealed ? secretKeys.open(row.sealed, placeOf(name)) : (row?.value ?? Buffer.alloc(0))
    // A secret that an earlier version stored in plain text, or encrypted with an earlier key.
    if (!row?.sealed || !secretKeys.isCurrent(row.sealed))
      await tx.query('update server_secrets set sealed = $2, value = null where name = $1', [
        name,
        secretKeys.seal(secret, placeOf(name)),
      ])
    return secret
  })
}

const sampleName = 'signing'

/** An encrypted secret of the server, for `assertOpens`; undefined before the first start has made one. */
export async function findSealedSample(sql: Sql): Promise<Buffer | undefined> {
  const [row] = await sql.query<{ sealed: Buffer | null }>('select sealed from server_secrets where name = $1', [
    sampleName,
  ])
  return row?.sealed ?? undefined
}

/** Throws Fault `unavailable` (`unknown_secret_key`) unless one of the keys is that of the sample. */
export function assertOpens(secretKeys: SecretKeys, sample: Uint8Array): void {
  secretKeys.open(sample, placeOf(sampleName))
}
