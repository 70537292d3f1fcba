import type { Sql } from '../../adapters/db/db.ts'
import { forgetReviews } from '../reviews/reviews.ts'
import { deleteMessages } from './store.ts'

/** Drops what features above `executions` store about one execution. */
export async function forgetElsewhere(tx: Sql, of: { workspaceId: string; executionId: string }): Promise<void> {
  await deleteMessages(tx, of)
  await forgetReviews(tx, of)
}
