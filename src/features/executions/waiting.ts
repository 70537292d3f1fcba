import type { Db, Sql } from '../../seams/db/db.ts'

const channel = 'skillrun_ended'

/** Ends that are remembered, for those who come a moment too late to be woken. */
const heardMax = 10_000

/** Tells, without asking again and again, that an execution has ended, or was paused, on whatever machine. */
export interface Endings {
  /**
   * Calls `wake` when the execution may have ended or been paused, until the returned function is called. It may call
   * without cause: look at the record. Register before looking.
   */
  watch(id: string, wake: () => void): () => void
  /** Whether the execution was heard to have ended or paused a short while ago. False says nothing of older ends. */
  wasHeard(id: string): boolean
  /** Resolves at the next wake, or when `ms` have passed, or `signal` aborts. Register before looking at the record. */
  wait(id: string, ms: number, signal: AbortSignal): Promise<void>
  close(): Promise<void>
}

/** Wakes those who wait for an execution, in all processes, when the transaction commits. */
export async function wakeWaiting(tx: Sql, id: string): Promise<void> {
  await tx.query('select pg_notify($1, $2)', [channel, id])
}

/** Listens for the ends of executions. After a lost connection every waiter is woken to look for itself. */
export async function listenForEndings(db: Db): Promise<Endings> {
  const watching = new Map<string, Set<() => void>>()
  const heard = new Set<string>()
  const wakeAll = () => {
    for (const wakes of watching.values()) for (const wake of wakes) wake()
  }
  const close = await db.listen(
    channel,
    (id) => {
      const oldest = heard.size >= heardMax ? heard.values().next().value : undefined
      if (oldest !== undefined) heard.delete(oldest)
      heard.add(id)
      for (const wake of watching.get(id) ?? []) wake()
    },
    wakeAll,
  )
  const watch: Endings['watch'] = (id, wake) => {
    const wakes = watching.get(id) ?? new Set()
    wakes.add(wake)
    watching.set(id, wakes)
    return () => {
      wakes.delete(wake)
      if (wakes.size === 0 && watching.get(id) === wakes) watching.delete(id)
    }
  }
  return {
    watch,
    wasHeard: (id) => heard.has(id),
    async wait(id, ms, signal) {
      if (signal.aborted) return
      await new Promise<void>((resolve) => {
        const done = () => {
          clearTimeout(timer)
          signal.removeEventListener('abort', done)
          unwatch()
          resolve()
        }
        const timer = setTimeout(done, ms)
        signal.addEventListener('abort', done, { once: true })
        const unwatch = watch(id, done)
      })
    },
    async close() {
      wakeAll()
      await close()
    },
  }
}
