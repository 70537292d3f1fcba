import { systemClock as clock } from '@skillrun/core/clock.ts'
import { expect, test } from 'vitest'
import { makeDatabase } from '../../../../../test/support/database.ts'
import type { Db, Sql } from '../../adapters/db/db.ts'
import { signInByProvider } from './sign-in-by-provider.ts'

const policy = {
  name: 'Works Directory',
  roleClaim: undefined,
  roleOf: new Map(),
  emailDomains: [],
  trustsEmail: true,
  addsUsers: true,
  sessionMs: 60_000,
} as const
const identity = { issuer: 'https://id.example', subject: 'ann', claims: { email: 'ann@example.com' } }

/** Runs `meanwhile` once, right after the first statement of a transaction. */
function interrupted(db: Db, meanwhile: () => Promise<unknown>): Db {
  let isOver = false
  const query = async (tx: Sql, ...given: Parameters<Sql['query']>) => {
    const rows = await tx.query(...given)
    if (!isOver) {
      isOver = true
      await meanwhile()
    }
    return rows
  }
  const transaction: Db['transaction'] = (work) =>
    db.transaction((tx) => work({ ...tx, query: ((...given) => query(tx, ...given)) as Sql['query'] }))
  return { ...db, transaction }
}

test('a person who signs in twice at once gets one account, whichever sign-in makes it', async () => {
  await using database = await makeDatabase()
  const { db } = database
  await db.query(`insert into workspaces (id, name, created_at) values (gen_random_uuid(), 'one', now())`)
  const signIn = (everywhere: Db) => signInByProvider({ everywhere, clock, policy }, identity, { replaced: undefined })
  let other: { userId: string } | undefined
  const one = await signIn(
    interrupted(db, async () => {
      other = await signIn(db)
    }),
  )
  expect(one.userId).toBe(other?.userId)
})
