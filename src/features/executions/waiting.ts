import type { Db, Sql } from '../../seams/db/db.ts'

const channel = 'skillrun_ended'

/** Tells, without asking again and again, that an execution has ended on whatever machine. */
export interface Endings {
  /** Resolves when the execution ends, or `ms` have passed, or `signal` aborts. Register before looking at the record. */
  wait(id: string, ms: number, signal: AbortSignal): Promise<void>
  close(): Promise<void>
}

/** Announces an end to all processes when the transaction that wrote it commits. */
export async function announceEnd(tx: Sql, id: string): Promise<void> {
  await tx.query('select pg_notify($1, $2)', [channel, id])
}

/** Listens for the ends of executions. After a lost connection every waiter is woken to look for itself. */
export async function listenForEndings(db: Db): Promise<Endings> {
  const waiting = new Map<string, Set<() => void>>()
  const wakeAll = () => {
    for (const wakes of waiting.values()) for (const wake of wakes) wake()
  }
  const close = await db.listen(
    channel,
    (id) => {
      for (const wake of waiting.get(id) ?? []) wake()
    },
    wakeAll,
  )
  return {
    async wait(id, ms, signal) {
      if (signal.aborted) return
      await new Promise<void>((resolve) => {
        const wakes = waiting.get(id) ?? new Set()
        const done = () => {
          clearTimeout(timer)
          signal.removeEventListener('abort', done)
          wakes.delete(done)
          if (wakes.size === 0) waiting.delete(id)
          resolve()
        }
        const timer = setTimeout(done, ms)
        signal.addEventListener('abort', done, { once: true })
        wakes.add(done)
        waiting.set(id, wakes)
      })
    },
    async close() {
      wakeAll()
      await close()
    },
  }
}
