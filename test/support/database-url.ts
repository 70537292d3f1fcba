import type { DbAddress } from '../../packages/server/src/adapters/db/db.ts'

/** A database's address in the format of `DATABASE_URL`. */
export const urlOf = ({ host, port, user, password, database }: Extract<DbAddress, { host: string }>): string =>
  `postgres://${user}:${password}@localhost/${database}?host=${encodeURIComponent(host)}&port=${port}`
