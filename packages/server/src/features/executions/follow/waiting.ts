import { type Db, notify, type Sql } from '../../../adapters/db/db.ts'
import type { ExecutionState } from '../execution.ts'

const channel = 'skillrun_ended'

/** Recent ends to remember, for callers that register a moment too late. */
const heardMax = 10_000

/** The key for all of a workspace: any of its executions ended, was paused, or was created here. */
export const workspaceKey = (workspaceId: string): string => `workspace ${workspaceId}`

/** The key of one execution. Its id alone is ambiguous: clients choose ids, so another workspace may have the same. */
export const executionKey = ({ workspaceId, id }: { readonly workspaceId: string; readonly id: string }): string =>
  `${workspaceId} ${id}`

/** Reports, without polling, that an execution has ended or was paused on any machine. */
export interface Endings {
  /**
   * Calls `wake` when the execution of this `executionKey`, or one of the workspace of this `workspaceKey`, may have ended or been paused,
   * until the returned function is called. Calls may be spurious: check the record unless `ended` is given. Register before reading the
   * record.
   */
  watch(key: string, wake: (ended?: ExecutionState) => void): () => void
  /** Wakes the watchers in this process. */
  wake(key: string): void
  /** Passes an execution whose end was just committed to its watchers in this process, so that they need not read it again. */
  deliver(ended: ExecutionState): void
  /** Whether this execution ended or paused a short while ago. False says nothing about older ends. */
  endedRecently(key: string): boolean
  /**
   * Resolves at the next wake, with the ended execution if it ended here, or after `ms`, or when `signal` aborts. Register before reading
   * the record.
   */
  wait(key: string, ms: number, signal: AbortSignal): Promise<ExecutionState | undefined>
  close(): Promise<void>
}

/** Wakes the watchers of an execution and of its workspace in all processes, when the transaction commits. */
export async function wakeWaiting(tx: Sql, of: { id: string; workspaceId: string }): Promise<void> {
  await notify(tx, [
    { channel, payload: executionKey(of) },
    { channel, payload: workspaceKey(of.workspaceId) },
  ])
}

/** Listens for the ends of executions. After a lost connection it wakes every watcher to check. */
export async function listenForEndings(db: Db): Promise<Endings> {
  const watching = new Map<string, Set<(ended?: ExecutionState) => void>>()
  const recent = new Set<string>()
  const wakeAll = () => {
    for (const wakes of watching.values()) for (const wake of wakes) wake()
  }
  const wake = (key: string, ended?: ExecutionState) => {
    for (const one of watching.get(key) ?? []) one(ended)
  }
  const close = await db.listen(
    channel,
    (key) => {
      if (key.startsWith(workspaceKey(''))) return wake(key)
      const oldest = recent.size >= heardMax ? recent.values().next().value : undefined
      if (oldest !== undefined) recent.delete(oldest)
      recent.add(key)
      wake(key)
    },
    wakeAll,
  )
  const watch: Endings['watch'] = (key, wake) => {
    const wakes = watching.get(key) ?? new Set()
    wakes.add(wake)
    watching.set(key, wakes)
    return () => {
      wakes.delete(wake)
      if (wakes.size === 0 && watching.get(key) === wakes) watching.delete(key)
    }
  }
  return {
    watch,
    wake: (key) => wake(key),
    deliver: (ended) => wake(executionKey(ended), ended),
    endedRecently: (key) => recent.has(key),
    async wait(key, ms, signal) {
      if (signal.aborted) return undefined
      return new Promise((resolve) => {
        const done = (ended?: ExecutionState) => {
          clearTimeout(timer)
          signal.removeEventListener('abort', giveUp)
          unwatch()
          resolve(ended)
        }
        const giveUp = () => done()
        const timer = setTimeout(giveUp, ms)
        signal.addEventListener('abort', giveUp, { once: true })
        const unwatch = watch(key, done)
      })
    },
    async close() {
      wakeAll()
      await close()
    },
  }
}
