import type { Json } from '@skillrun/core/json.ts'
import { jsonb, type Sql } from '../../../adapters/db/db.ts'
import { largeJsonb } from '../../../adapters/db/large-json.ts'
import type { ExecutionState } from '../execution.ts'
import type { Review } from '../review-and-approval.ts'
import { columns, type Place, type StoredRow, stateOf } from './execution-row.ts'

/** Marks the answer of a just ended execution as needing a review, and returns the execution. */
export async function markReviewNeeded(tx: Sql, place: Place): Promise<ExecutionState | undefined> {
  const needed: Review = { status: 'needed', version: 0, by: null, at: null, changes: [] }
  const [row] = await tx.query<StoredRow>(
    `update executions set review = $3 where workspace_id = $1 and id = $2 and review is null returning ${columns}`,
    [place.workspaceId, place.id, jsonb(needed)],
  )
  return row && stateOf(row)
}

/**
 * Writes a review beside the answer and returns the execution. Undefined: another review was saved since `review.version - 1`, or the
 * answer is no longer kept; nothing was written.
 */
export async function writeReview(
  tx: Sql,
  of: Place & {
    readonly reviewedResponse: Json
    readonly review: Review
    /** What it keeps of its cheapest path from now on; null, absent: the same. */
    readonly path?: ExecutionState['path']
  },
): Promise<ExecutionState | undefined> {
  const [row] = await tx.query<StoredRow>(
    `update executions set reviewed_response = $3, review = $4, path = coalesce($6, path)
     where workspace_id = $1 and id = $2 and coalesce((review->>'version')::integer, 0) = $5
       and status in ('completed', 'failed') and is_retained and purged_at is null
     returning ${columns}`,
    [
      of.workspaceId,
      of.id,
      await largeJsonb(of.reviewedResponse),
      jsonb(of.review),
      of.review.version - 1,
      of.path ? jsonb(of.path) : null,
    ],
  )
  return row && stateOf(row)
}
