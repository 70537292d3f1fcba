import type { Db, Sql } from '../../seams/db/db.ts'

const channel = 'skillrun_ended'

/** Ends that are remembered, for those who come a moment too late to be woken. */
const heardMax = 10_000

/** What is watched of a workspace as a whole: that any of its executions ended, was paused, or was made here. */
export const workspaceKey = (workspaceId: string): string => `workspace ${workspaceId}`

/** Tells, without asking again and again, that an execution has ended, or was paused, on whatever machine. */
export interface Endings {
  /**
   * Calls `wake` when the execution may have ended or been paused, until the returned function is called. It may call
   * without cause: look at the record. Register before looking.
   */
  watch(id: string, wake: () => void): () => void
  /** Wakes those of this process who watch. */
  wake(id: string): void
  /** Whether the execution was heard to have ended or paused a short while ago. False says nothing of older ends. */
  wasHeard(id: string): boolean
  /** Resolves at the next wake, or when `ms` have passed, or `signal` aborts. Register before looking at the record. */
  wait(id: string, ms: number, signal: AbortSignal): Promise<void>
  close(): Promise<void>
}

/** Wakes those who wait for an execution, or watch its workspace, in all processes, when the transaction commits. */
export async function wakeWaiting(tx: Sql, of: { id: string; workspaceId: string }): Promise<void> {
  await tx.query('select pg_notify($1, $2), pg_notify($1, $3)', [channel, of.id, workspaceKey(of.workspaceId)])
}

/** Listens for the ends of executions. After a lost connection every waiter is woken to look for itself. */
export async function listenForEndings(db: Db): Promise<Endings> {
  const watching = new Map<string, Set<() => void>>()
  const heard = new Set<string>()
  const wakeAll = () => {
    for (const wakes of watching.values()) for (const wake of wakes) wake()
  }
  const wake = (id: string) => {
    for (const one of watching.get(id) ?? []) one()
  }
  const close = await db.listen(
    channel,
    (id) => {
      if (id.startsWith(workspaceKey(''))) return wake(id)
      const oldest = heard.size >= heardMax ? heard.values().next().value : undefined
      if (oldest !== undefined) heard.delete(oldest)
      heard.add(id)
      wake(id)
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
    wake,
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
