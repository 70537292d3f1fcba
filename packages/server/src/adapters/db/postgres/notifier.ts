import type pg from 'pg'
import type { Log } from '../../../core/log.ts'
import type { Message } from '../db.ts'

/** Sends notifications apart from the transactions that they tell of. */
export interface Notifier {
  tell(messages: readonly Message[]): void
  /** Resolves when all is told, or could not be. */
  close(): Promise<void>
}

/** Of one statement. */
const messagesMax = 1_000

/**
 * Makes the notifier. PostgreSQL lets one transaction with a notification commit at a time, its wait for the disk included
 * (`PreCommit_Notify` in its async.c); on their own they wait for no disk, and those of one moment go together.
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
        // Whoever waits looks again at times.
        .catch((error: unknown) => log.warn({ error: String(error) }, 'notifications could not be sent'))
    }
    sending = undefined
  }
  return {
    tell(messages) {
      waiting.push(...messages)
      sending ??= send()
    },
    close: async () => sending,
  }
}
