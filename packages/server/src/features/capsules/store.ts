import type { Sql } from '../../adapters/db/db.ts'

/** A current or former signing key. It belongs to the server, not to a workspace. */
export interface CapsuleKeyRow {
  readonly id: string
  /** SubjectPublicKeyInfo in DER. */
  readonly publicKey: Buffer
  /** The encrypted private key; null once the key no longer signs. */
  readonly sealed: Buffer | null
  readonly createdAt: Date
  readonly retiredAt: Date | null
  readonly revokedAt: Date | null
}

const columns = `id, public_key as "publicKey", sealed, created_at as "createdAt", retired_at as "retiredAt", revoked_at as "revokedAt"`

/** All keys, the current one first. */
export const listCapsuleKeys = (sql: Sql): Promise<readonly CapsuleKeyRow[]> =>
  sql.query<CapsuleKeyRow>(
    `select ${columns} from capsule_keys order by retired_at desc nulls first, created_at desc limit 1000`,
  )

/** The current key, locked until the transaction ends. */
export async function lockSigningKey(tx: Sql): Promise<CapsuleKeyRow | undefined> {
  const rows = await tx.query<CapsuleKeyRow>(`select ${columns} from capsule_keys where retired_at is null for update`)
  return rows[0]
}

/** Inserts the signing key, unless there is one already. */
export async function insertSigningKey(
  tx: Sql,
  key: Pick<CapsuleKeyRow, 'id' | 'publicKey' | 'sealed' | 'createdAt'>,
): Promise<void> {
  await tx.query(
    `insert into capsule_keys (id, public_key, sealed, created_at) values ($1, $2, $3, $4) on conflict do nothing`,
    [key.id, key.publicKey, key.sealed, key.createdAt],
  )
}

export async function sealSigningKey(tx: Sql, key: { id: string; sealed: Buffer }): Promise<void> {
  await tx.query('update capsule_keys set sealed = $2 where id = $1', [key.id, key.sealed])
}

/** Retires a key and deletes its private half. */
export async function retireSigningKey(tx: Sql, of: { id: string; isRevoked: boolean; now: Date }): Promise<void> {
  await tx.query(
    `update capsule_keys set sealed = null, retired_at = $2, revoked_at = case when $3 then $2::timestamptz end where id = $1`,
    [of.id, of.now, of.isRevoked],
  )
}
