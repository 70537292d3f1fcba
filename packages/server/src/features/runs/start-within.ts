import { type Db, type Sql, writing } from '../../adapters/db/db.ts'
import { Deferred } from '../../adapters/queue/queue.ts'
import { type Place, type StartedExecution, startRun } from '../executions/executions.ts'

/** How soon to check again whether a workspace has room. */
const busyMs = 500

/**
 * Starts a run if its workspace has room. `runningMax`: executions of one workspace that may run at once, on all machines together;
 * undefined: no limit besides the slots. Throws Deferred when there is no room. The queue enforces the limit too, but only within one tier,
 * and two processes that fetch at the same moment can exceed it.
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

/** Concurrent starts wait until the transaction ends, so that each counts the others. */
async function countOthersRunning(tx: Sql, of: Place): Promise<number> {
  await tx.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [`running ${of.workspaceId}`])
  const [row] = await tx.query<{ count: number }>(
    `select count(*)::integer as count from executions where workspace_id = $1 and status = 'running' and id <> $2`,
    [of.workspaceId, of.id],
  )
  return row?.count ?? 0
}
