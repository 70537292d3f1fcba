import { createPrivateKey, generateKeyPairSync, type KeyObject } from 'node:crypto'
import type { Clock } from '@skillrun/core/clock.ts'
import { keyIdOf, type PublishedKey, webKeyOf } from '@skillrun/core/dsse.ts'
import type { SecretKeys } from '@skillrun/core/secret-keys.ts'
import type { Db, Sql } from '../../adapters/db/db.ts'
import {
  type CapsuleKeyRow,
  insertSigningKey,
  listCapsuleKeys,
  lockSigningKey,
  retireSigningKey,
  sealSigningKey,
} from './store.ts'

export interface SigningParts {
  /** Reads rows that belong to no workspace. */
  readonly everywhere: Db
  readonly clock: Clock
  readonly secretKeys: SecretKeys
}

/** The key that signs. */
export interface SigningKey {
  readonly id: string
  /** Time of a signature: not before the key was created, nor after it was retired. */
  readonly signsAt: Date
  readonly privateKey: KeyObject
}

const placeOf = (id: string): string => `capsule_keys/${id}`

/** The current signing key, created at first use. Fault `unavailable` (`unknown_secret_key`). */
export const ensureSigningKey = (parts: SigningParts): Promise<SigningKey> =>
  parts.everywhere.transaction(async (tx) => {
    if (!(await lockSigningKey(tx))) await addSigningKey(tx, parts)
    const row = (await lockSigningKey(tx)) as CapsuleKeyRow
    const der = parts.secretKeys.open(row.sealed ?? Buffer.alloc(0), placeOf(row.id))
    const now = parts.clock.now()
    // Another server's clock may be ahead.
    const signsAt = new Date(Math.max(now.getTime(), row.createdAt.getTime()))
    return { id: row.id, signsAt, privateKey: createPrivateKey({ key: der, format: 'der', type: 'pkcs8' }) }
  })

async function addSigningKey(tx: Sql, { clock, secretKeys }: SigningParts): Promise<void> {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519')
  const der = publicKey.export({ format: 'der', type: 'spki' })
  const id = keyIdOf(der)
  const sealed = secretKeys.seal(privateKey.export({ format: 'der', type: 'pkcs8' }), placeOf(id))
  await insertSigningKey(tx, { id, publicKey: der, sealed, createdAt: clock.now() })
}

/**
 * Replaces the signing key in the transaction `tx`. Signatures of the previous key stay valid unless it is revoked. Returns both ids; there
 * is no previous one before the first signature.
 */
export async function rotateSigningKey(
  tx: Sql,
  parts: SigningParts,
  { isRevoked }: { isRevoked: boolean },
): Promise<{ readonly id: string; readonly earlier: string | null }> {
  const earlier = await lockSigningKey(tx)
  if (earlier) await retireSigningKey(tx, { id: earlier.id, isRevoked, now: parts.clock.now() })
  await addSigningKey(tx, parts)
  const { id } = (await lockSigningKey(tx)) as CapsuleKeyRow
  return { id, earlier: earlier?.id ?? null }
}

/** Re-encrypts the private key with the current secret key if it was encrypted with another. */
export const sealSigningKeys = ({ everywhere, secretKeys }: Omit<SigningParts, 'clock'>): Promise<void> =>
  everywhere.transaction(async (tx) => {
    const key = await lockSigningKey(tx)
    if (!key?.sealed || secretKeys.isCurrent(key.sealed)) return
    const place = placeOf(key.id)
    await sealSigningKey(tx, { id: key.id, sealed: secretKeys.seal(secretKeys.open(key.sealed, place), place) })
  })

/** All public keys, as published. */
export async function publishedKeys(sql: Sql): Promise<readonly PublishedKey[]> {
  const rows = await listCapsuleKeys(sql)
  return rows.map((row) => ({
    ...webKeyOf(row.publicKey),
    valid_from: row.createdAt.toISOString(),
    valid_until: row.retiredAt?.toISOString() ?? null,
    revoked_at: row.revokedAt?.toISOString() ?? null,
  }))
}
