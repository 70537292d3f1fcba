import type { Db, Sql } from '../../adapters/db/db.ts'
import { Deferred } from '../../adapters/queue/queue.ts'
import { type StartedExecution, type StartingRun, startRun, startRuns } from '../executions/executions.ts'

/** How soon to check again whether a workspace has room. */
const busyMs = 500

/**
 * Starts a run if its workspace has room. `runningMax`: executions of one workspace that may run at once, on all machines together;
 * undefined: no limit besides the slots. Throws Deferred when there is no room. The queue enforces the limit too, but only within one tier,
 * and two processes that fetch at the same moment can exceed it. `db` is confined to the workspace.
 */
export async function startWithin(
  db: Db,
  run: StartingRun,
  runningMax: number | undefined,
): Promise<StartedExecution | undefined> {
  if (runningMax === undefined) return db.write((sql) => startRun(sql, run))
  const { hasRoom, started } = await db.transactionEach(startInRoom, { run, runningMax })
  if (!hasRoom) throw new Deferred('the workspace has reached its limit of concurrent executions', busyMs)
  return started
}

interface Start {
  readonly hasRoom: boolean
  readonly started: StartedExecution | undefined
}

/** Starts runs of one workspace while there is room. Other processes wait until they are committed, so that each counts the others. */
async function startInRoom(
  tx: Sql,
  asked: readonly { readonly run: StartingRun; readonly runningMax: number }[],
): Promise<readonly Start[]> {
  const [first] = asked
  if (!first) return []
  const { workspaceId } = first.run
  await tx.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [`running ${workspaceId}`])
  const [row] = await tx.query<{ count: number }>(
    `select count(*)::integer as count from executions where workspace_id = $1 and status = 'running' and id <> all($2)`,
    [workspaceId, asked.map(({ run }) => run.id)],
  )
  const room = first.runningMax - (row?.count ?? 0)
  const runs = asked.slice(0, Math.max(0, room)).map(({ run }) => run)
  const started = runs.length === 0 ? [] : await startRuns(tx, runs)
  return asked.map((_, at) => ({ hasRoom: at < runs.length, started: started[at] }))
}
