import { Fault } from '@skillrun/core/fault.ts'
import pg from 'pg'

/** How often two connections are compared: a pooler with several free sessions may give them different ones at first. */
const looks = 3

/**
 * Rejects a pooler that shares sessions between its clients, such as PgBouncer in transaction mode: notifications, locks and settings
 * of a session would be lost or reach others. Throws Fault `unavailable` with code `database_pooled`.
 */
export async function refusePooler(config: pg.ClientConfig): Promise<void> {
  const clients = [new pg.Client(config), new pg.Client(config)]
  // A lost connection is reported by the next statement; without a listener it would end the process.
  for (const client of clients) client.on('error', () => undefined)
  try {
    for (const client of clients) await client.connect()
    for (let look = 0; look < looks; look++) {
      const sessions = new Set<number>()
      // One after the other: while both are connected, PostgreSQL has a session for each.
      for (const client of clients) {
        const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
        sessions.add(rows[0]?.pid ?? 0)
      }
      if (sessions.size < clients.length) throw pooled('shares sessions between connections')
    }
  } finally {
    await Promise.all(clients.map((client) => client.end().catch(() => undefined)))
  }
}

/** The Fault of a pooler that does not pass on a setting of the connection; undefined for other failures. */
export function poolerBehind(cause: unknown): Fault | undefined {
  const setting = /unsupported startup parameter: (\w+)/.exec(cause instanceof Error ? cause.message : '')?.[1]
  return setting === undefined ? undefined : pooled(`does not pass on ${setting}`)
}

const pooled = (what: string): Fault =>
  new Fault(
    'unavailable',
    'database_pooled',
    `DATABASE_URL leads to a connection pooler that ${what}, but Skillrun needs sessions of its own for LISTEN, locks and timeouts: give the address of PostgreSQL itself, or of a pool in session mode.`,
  )
