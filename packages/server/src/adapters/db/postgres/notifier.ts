import type pg from 'pg'
import type { Log } from '../../../core/log.ts'
import type { Message } from '../db.ts'

/** Sends notifications outside the transactions that they belong to. */
export interface Notifier {
  notify(messages: readonly Message[]): void
  /** Resolves when every message was sent or has failed. */
  close(): Promise<void>
}

/** The most messages in one statement. */
const messagesMax = 1_000

/**
 * Creates the notifier. PostgreSQL commits transactions with notifications one at a time, including the wait for the disk
 * (`PreCommit_Notify` in its async.c). Sent separately, they wait for no disk, and concurrent messages share a statement.
 */
export function createNotifier({ pool, log }: { pool: pg.Pool; log: Log }): Notifier {
  let waiting: Message[] = []
  let sending: Promise<void> | undefined
  async function send(): Promise<void> {
    while (waiting.length > 0) {
      const now = waiting.slice(0, messagesMax)
      waiting = waiting.slice(messagesMax)
      await pool
        .query({
          name: 'notify',
          text: 'select pg_notify(channel, payload) from unnest($1::text[], $2::text[]) as message (channel, payload)',
          values: [now.map(({ channel }) => channel), now.map(({ payload }) => payload)],
        })
        // Subscribers poll as well.
        .catch((error: unknown) => log.warn({ error: String(error) }, 'cannot send notifications'))
    }
    sending = undefined
  }
  return {
    notify(messages) {
      waiting.push(...messages)
      sending ??= send()
    },
    close: async () => sending,
  }
}
