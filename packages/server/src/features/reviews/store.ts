import { jsonb, type Sql } from '../../adapters/db/db.ts'
import { largeJsonb } from '../../adapters/db/large-json.ts'
import type { Actor, ReviewChange } from '../executions/executions.ts'
import { actorKind } from '../keys/keys.ts'
import type { ReviewEdit } from './apply-changes.ts'
import type { Doubt } from './doubts.ts'

/** The execution of a review. */
export interface ReviewPlace {
  readonly workspaceId: string
  readonly executionId: string
}

/** A current or former item of the review queue. */
export interface ReviewItem {
  readonly executionId: string
  /** Name of the agent. */
  readonly name: string
  /** Names of the input files. */
  readonly fileNames: readonly string[]
  readonly status: 'needed' | 'done'
  readonly skillId: string | null
  readonly skillName: string | null
  readonly reasons: readonly Doubt[]
  readonly lowest: number | null
  readonly createdAt: Date
  readonly assignedTo: Actor | null
  readonly claimedBy: Actor | null
  readonly claimedAt: Date | null
  readonly claimedUntil: Date | null
  readonly claimNumber: number
  readonly busyMs: number
  readonly doneAt: Date | null
  readonly doneBy: Actor | null
}

const actorAt = (column: string): string =>
  `(select json_build_object('kind', ${actorKind}, 'id', k.id, 'name', k.name) from keys k where k.workspace_id = i.workspace_id and k.id = i.${column})`

const columns = `i.execution_id as "executionId", i.status, i.skill_id as "skillId", i.skill_name as "skillName", i.reasons, i.lowest,
  (select e.name from executions e where e.workspace_id = i.workspace_id and e.id = i.execution_id) as name,
  (select e.file_names from executions e where e.workspace_id = i.workspace_id and e.id = i.execution_id) as "fileNames",
  i.created_at as "createdAt", ${actorAt('assigned_to')} as "assignedTo", ${actorAt('claimed_by')} as "claimedBy",
  i.claimed_at as "claimedAt", i.claimed_until as "claimedUntil", i.claim_number as "claimNumber", i.busy_ms as "busyMs",
  i.done_at as "doneAt", ${actorAt('done_by')} as "doneBy"`

/** Adds an execution to the queue unless it is there. */
export async function insertItem(
  tx: Sql,
  item: ReviewPlace & {
    readonly skill: { readonly id: string | null; readonly name: string } | undefined
    readonly reasons: readonly Doubt[]
    readonly lowest: number | null
    readonly now: Date
  },
): Promise<void> {
  await tx.query(
    `insert into review_items (workspace_id, execution_id, status, skill_id, skill_name, reasons, lowest, created_at)
     values ($1, $2, 'needed', $3, $4, $5, $6, $7) on conflict do nothing`,
    [
      item.workspaceId,
      item.executionId,
      item.skill?.id ?? null,
      item.skill?.name ?? null,
      jsonb(item.reasons),
      item.lowest,
      item.now,
    ],
  )
}

export async function findItem(sql: Sql, place: ReviewPlace): Promise<ReviewItem | undefined> {
  const [row] = await sql.query<ReviewItem>(
    `select ${columns} from review_items i where i.workspace_id = $1 and i.execution_id = $2`,
    [place.workspaceId, place.executionId],
  )
  return row
}

/** As `findItem`, with the row locked until the transaction ends. */
export async function lockItem(tx: Sql, place: ReviewPlace): Promise<ReviewItem | undefined> {
  await tx.query('select 1 from review_items where workspace_id = $1 and execution_id = $2 for update', [
    place.workspaceId,
    place.executionId,
  ])
  return findItem(tx, place)
}

/** Filter of items. */
export interface ItemFilter {
  readonly workspaceId: string
  /** Id of a version, or name. */
  readonly skill: { readonly id: string } | { readonly name: string } | null
}

const ofSkill = (id: number, name: number): string =>
  `($${id}::uuid is null or i.skill_id = $${id}) and ($${name}::text is null or i.skill_name = $${name})`

const skillParams = ({ skill }: ItemFilter): [string | null, string | null] => [
  skill && 'id' in skill ? skill.id : null,
  skill && 'name' in skill ? skill.name : null,
]

/** The items of a state, oldest first; `after` is the last one already seen. `claimed`: with an active claim. */
export async function listReviewItems(
  sql: Sql,
  list: ItemFilter & {
    readonly status: 'needed' | 'claimed' | 'done' | null
    /** Claimed by this key, or assigned to it. */
    readonly of: string | null
    readonly after: { readonly createdAt: Date; readonly id: string } | null
    readonly limit: number
    readonly now: Date
  },
): Promise<readonly ReviewItem[]> {
  const isClaimed = `(i.status = 'needed' and i.claimed_until is not null and i.claimed_until > $2)`
  const states = {
    needed: `i.status = 'needed' and not ${isClaimed}`,
    claimed: isClaimed,
    done: `i.status = 'done'`,
  }
  // Names $2 in every state: PostgreSQL refuses a parameter that a statement does not use.
  return sql.query<ReviewItem>(
    `select ${columns} from review_items i
     where i.workspace_id = $1 and $2::timestamptz is not null and ${list.status ? states[list.status] : 'true'}
       and ${ofSkill(3, 4)}
       and ($5::uuid is null or i.assigned_to = $5 or (${isClaimed} and i.claimed_by = $5))
       and ($6::timestamptz is null or (i.created_at, i.execution_id) > ($6, $7::uuid))
     order by i.created_at, i.execution_id limit $8`,
    [
      list.workspaceId,
      list.now,
      ...skillParams(list),
      list.of,
      list.after?.createdAt ?? null,
      list.after?.id ?? null,
      list.limit,
    ],
  )
}

/** Items that this key could claim now. */
export async function countClaimable(sql: Sql, of: ItemFilter & { by: string; now: Date }): Promise<number> {
  const [row] = await sql.query<{ count: number }>(
    `select count(*)::integer as count from review_items i where ${claimable}`,
    [of.workspaceId, of.now, ...skillParams(of), of.by],
  )
  return row?.count ?? 0
}

const claimable = `i.workspace_id = $1 and i.status = 'needed' and (i.claimed_until is null or i.claimed_until <= $2)
  and ${ofSkill(3, 4)} and (i.assigned_to is null or i.assigned_to = $5::uuid) and not $5::uuid = any(i.skipped_by)`

/**
 * Claims the next item for a key and returns its execution: one assigned to the key, or else the oldest. Skips claimed items, and those
 * that a concurrent call is claiming. Undefined: none.
 */
export async function claimNext(
  tx: Sql,
  of: ItemFilter & { readonly by: string; readonly now: Date; readonly until: Date },
): Promise<string | undefined> {
  const [row] = await tx.query<{ id: string }>(
    `with next as (
       select i.execution_id from review_items i where ${claimable}
       order by i.assigned_to is null, i.created_at, i.execution_id limit 1 for update skip locked
     )
     update review_items i set claimed_by = $5, claimed_at = $2, claimed_until = $6, claim_number = i.claim_number + 1
     from next where i.workspace_id = $1 and i.execution_id = next.execution_id returning i.execution_id as id`,
    [of.workspaceId, of.now, ...skillParams(of), of.by, of.until],
  )
  return row?.id
}

/** Writes the claim of a locked item. */
export async function writeClaim(
  tx: Sql,
  claim: ReviewPlace & { readonly by: string; readonly at: Date; readonly until: Date; readonly number: number },
): Promise<void> {
  await tx.query(
    `update review_items set claimed_by = $3, claimed_at = $4, claimed_until = $5, claim_number = $6
     where workspace_id = $1 and execution_id = $2`,
    [claim.workspaceId, claim.executionId, claim.by, claim.at, claim.until, claim.number],
  )
}

/** Ends the claim of a locked item, which is left to others than `skippedBy`. */
export async function endClaim(
  tx: Sql,
  of: ReviewPlace & { readonly busyMs: number; readonly skippedBy: string | null },
): Promise<void> {
  await tx.query(
    `update review_items set claimed_by = null, claimed_at = null, claimed_until = null, busy_ms = busy_ms + $3,
       assigned_to = nullif(assigned_to, $4::uuid), skipped_by = case when $4::uuid is null or $4 = any(skipped_by) then skipped_by else skipped_by || $4 end
     where workspace_id = $1 and execution_id = $2`,
    [of.workspaceId, of.executionId, of.busyMs, of.skippedBy],
  )
}

/** Ends the review of a locked item. */
export async function endItem(
  tx: Sql,
  of: ReviewPlace & {
    readonly by: string
    readonly now: Date
    readonly busyMs: number
    readonly fields: FieldCounts
    readonly judged: readonly JudgedValue[]
  },
): Promise<void> {
  await tx.query(
    `update review_items set status = 'done', done_at = $3, done_by = $4, busy_ms = busy_ms + $5, fields = $6, judged = $7,
       claimed_by = null, claimed_at = null, claimed_until = null
     where workspace_id = $1 and execution_id = $2`,
    [of.workspaceId, of.executionId, of.now, of.by, of.busyMs, jsonb(of.fields), jsonb(of.judged)],
  )
}

/** A value that a reviewer corrected or confirmed. */
export interface JudgedValue {
  /** 0 to 1. */
  readonly confidence: number
  readonly right: boolean
}

/** Reviews that a threshold is calibrated on: the last ones. */
const judgedReviewsMax = 1_000

/** The values that finished reviews judged, of one skill or all. */
export async function listJudged(
  sql: Sql,
  of: { workspaceId: string; skillName: string | null },
): Promise<readonly JudgedValue[]> {
  return sql.query<JudgedValue>(
    `select (one->>'confidence')::float8 as confidence, (one->>'right')::boolean as "right"
     from (select judged from review_items i where i.workspace_id = $1 and ($2::text is null or i.skill_name = $2)
         and i.status = 'done' and i.judged is not null
       order by i.done_at desc limit ${judgedReviewsMax}) last, jsonb_array_elements(last.judged) one`,
    [of.workspaceId, of.skillName],
  )
}

/** Sets the only key that can claim an item, even if it skipped it before; null: anyone. */
export async function assignItem(tx: Sql, of: ReviewPlace & { readonly to: string | null }): Promise<void> {
  await tx.query(
    `update review_items set assigned_to = $3, skipped_by = array_remove(skipped_by, $3)
     where workspace_id = $1 and execution_id = $2`,
    [of.workspaceId, of.executionId, of.to],
  )
}

/** The results of reviews per field. */
export type FieldCounts = Readonly<
  Record<string, { readonly confirmed: number; readonly corrected: number; readonly untouched: number }>
>

/** A saved review. */
export interface SavedReview {
  readonly version: number
  readonly by: Actor
  readonly isDone: boolean
  readonly comment: string | null
  readonly changes: readonly SavedChange[]
  readonly createdAt: Date
}

/** A change of one review, against the answer before it. */
export interface SavedChange extends ReviewChange {
  readonly input?: string
  readonly page?: number
  readonly bbox?: readonly number[]
}

export async function insertReview(
  tx: Sql,
  review: ReviewPlace & {
    readonly version: number
    readonly keyId: string
    readonly isDone: boolean
    readonly comment: string | null
    readonly changes: readonly SavedChange[]
    readonly now: Date
  },
): Promise<void> {
  await tx.query(
    `insert into reviews (workspace_id, execution_id, version, key_id, is_done, comment, changes, created_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8)`,
    [
      review.workspaceId,
      review.executionId,
      review.version,
      review.keyId,
      review.isDone,
      review.comment,
      await largeJsonb(review.changes),
      review.now,
    ],
  )
}

/** The comment that a key left with one review; null: none. */
export async function findComment(
  sql: Sql,
  of: ReviewPlace & { readonly version: number; readonly keyId: string },
): Promise<string | null> {
  const [row] = await sql.query<{ comment: string | null }>(
    'select comment from reviews where workspace_id = $1 and execution_id = $2 and version = $3 and key_id = $4',
    [of.workspaceId, of.executionId, of.version, of.keyId],
  )
  return row?.comment ?? null
}

/** Oldest first. */
export async function listReviews(sql: Sql, place: ReviewPlace): Promise<readonly SavedReview[]> {
  return sql.query<SavedReview>(
    `select i.version, ${actorAt('key_id')} as by, i.is_done as "isDone", i.comment, i.changes, i.created_at as "createdAt"
     from reviews i where i.workspace_id = $1 and i.execution_id = $2 order by i.version`,
    [place.workspaceId, place.executionId],
  )
}

/** The paths that reviews changed, in order, and where the rows of lists came from. */
export async function listEdits(sql: Sql, place: ReviewPlace): Promise<readonly ReviewEdit[]> {
  return sql.query(
    `select change->>'path' as path, change->>'kind' as kind, change->'rows' as rows,
       case when change->'rows' is not null then change->'to' end as "to"
     from reviews r, json_array_elements(r.changes) with ordinality as list (change, place)
     where r.workspace_id = $1 and r.execution_id = $2 order by r.version, list.place`,
    [place.workspaceId, place.executionId],
  )
}

/** Deletes the reviews of an execution. */
export async function forgetReviews(tx: Sql, place: ReviewPlace): Promise<void> {
  await tx.query('delete from reviews where workspace_id = $1 and execution_id = $2', [
    place.workspaceId,
    place.executionId,
  ])
  await tx.query('delete from review_items where workspace_id = $1 and execution_id = $2', [
    place.workspaceId,
    place.executionId,
  ])
}
