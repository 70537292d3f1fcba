import { randomBytes } from 'node:crypto'
import type { Clock } from '../../kit/clock.ts'
import type { Db } from '../../seams/db/db.ts'

const secretBytes = 32

/** A secret of the server by its name: made once, then the same for every process on this database. */
export async function ensureServerSecret(parts: { db: Db; clock: Clock }, name: string): Promise<Buffer> {
  await parts.db.query(
    'insert into server_secrets (name, value, created_at) values ($1, $2, $3) on conflict (name) do nothing',
    [name, randomBytes(secretBytes), parts.clock.now()],
  )
  const rows = await parts.db.query<{ value: Buffer }>('select value from server_secrets where name = $1', [name])
  return rows[0]?.value ?? Buffer.alloc(0)
}
