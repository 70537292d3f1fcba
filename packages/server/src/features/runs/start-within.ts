import { type Db, type Sql, writing } from '../../adapters/db/db.ts'
import { Deferred } from '../../adapters/queue/queue.ts'
import { type Place, type StartedExecution, startRun } from '../executions/executions.ts'

/** How soon it is asked again whether a workspace has room. */
const busyMs = 500

/**
 * Starts a run where its workspace has room for one. `runningMax`: executions of one workspace that may run at once, on all
 * machines together; undefined: as many as there are slots. Throws Deferred where there is no room. The queue keeps to the bound too, but
 * within one tier, and two processes that fetch in one moment pass it.
 */
export async function startWithin(
  db: Db,
  run: Parameters<typeof startRun>[1],
  runningMax: number | undefined,
): Promise<StartedExecution | undefined> {
  if (runningMax === undefined) return startRun(writing(db), run)
  return db.transaction(async (tx) => {
    if ((await countOthersRunning(tx, run)) >= runningMax)
      throw new Deferred('the workspace has reached its limit of concurrent executions', busyMs)
    return startRun(tx, run)
  })
}

/** Whoever asks next waits until the transaction ends: what it starts is counted then. */
async function countOthersRunning(tx: Sql, of: Place): Promise<number> {
  await tx.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [`running ${of.workspaceId}`])
  const [row] = await tx.query<{ count: number }>(
    `select count(*)::integer as count from executions where workspace_id = $1 and status = 'running' and id <> $2`,
    [of.workspaceId, of.id],
  )
  return row?.count ?? 0
}
