import type { Db, Sql } from '../../adapters/db/db.ts'
import { limits } from '../../core/limits.ts'
import { type Place, purgeExecution } from '../executions/executions.ts'
import { giveUpCallbacks } from '../webhooks/webhooks.ts'

export interface PurgeParts {
  readonly db: Db
  /** Drops what other features store about an execution. */
  readonly forgetMore: (tx: Sql, of: { workspaceId: string; executionId: string }) => Promise<void>
}

/** Executions per round of the sweep. */
const batchMax = 200

/**
 * Drops what is due: unread answers of executions without retention after their deadline, and all content of executions that ended before
 * `olderThan`, including what `forgetMore` knows of them. Covers all workspaces. Returns how many it dropped. Throws when one could not be
 * dropped, after the others.
 */
export async function purgeExecutions(
  { db, forgetMore }: PurgeParts,
  at: { now: Date; olderThan: Date | null },
): Promise<number> {
  const unread = new Date(at.now.getTime() - limits.unretainedAnswerMs)
  const due = await db.query<Place & { isRetained: boolean }>(
    `select workspace_id as "workspaceId", id, is_retained as "isRetained" from executions
     where purged_at is null and not is_retained and completed_at < $1 limit ${batchMax}`,
    [unread],
  )
  const old = at.olderThan
    ? await db.query<Place & { isRetained: boolean }>(
        `select workspace_id as "workspaceId", id, is_retained as "isRetained" from executions
         where purged_at is null and completed_at < $1 limit ${batchMax}`,
        [at.olderThan],
      )
    : []
  const failures: unknown[] = []
  const all = [
    ...due.map((place) => ({ ...place, olderThan: unread })),
    ...old.map((place) => ({ ...place, olderThan: at.olderThan })),
  ]
  for (const place of all)
    await purgeExecution(db, { ...place, now: at.now }, forgetMore).catch((error: unknown) => failures.push(error))
  await giveUpCallbacks(db, unread)
  if (failures.length > 0)
    throw new AggregateError(
      failures,
      `could not purge ${failures.length} of ${due.length + old.length} executions: ${failures[0]}`,
    )
  return due.length + old.length
}
