import type { Clock } from '@skillrun/core/clock.ts'
import { Fault } from '@skillrun/core/fault.ts'
import { isId } from '@skillrun/core/ids.ts'
import type { Db } from '../../adapters/db/db.ts'
import { limits } from '../../core/limits.ts'
import { recordAction } from '../audit/audit.ts'
import { findActor } from '../keys/keys.ts'
import {
  assignItem,
  claimNext,
  countClaimable,
  endClaim,
  findItem,
  type ItemFilter,
  lockItem,
  type ReviewItem,
  type ReviewPlace,
  writeClaim,
} from './store.ts'

type Tx = Parameters<Parameters<Db['transaction']>[0]>[0]

export interface QueueParts {
  readonly db: Db
  readonly clock: Clock
}

/** A call of a key on one item. */
export interface ItemCall extends ReviewPlace {
  readonly keyId: string
  /** The number of the claim that the caller relies on; null: none. */
  readonly claim: number | null
}

const unknownItem = (): Fault =>
  new Fault('missing', 'unknown_review', 'The review queue of this workspace has no execution with this id')

/** The item of this execution. Fault `missing`. */
export async function loadItem(db: Db, place: ReviewPlace): Promise<ReviewItem> {
  const executionId = place.executionId.toLowerCase()
  const item = isId(executionId) ? await findItem(db, { ...place, executionId }) : undefined
  if (!item) throw unknownItem()
  return item
}

/** Whether an item is claimed. */
export const isClaimed = (item: ReviewItem, now: Date): boolean =>
  item.status === 'needed' && item.claimedUntil !== null && item.claimedUntil > now

/** Fault `conflict` if another key has claimed an item, or the caller's claim has lapsed. */
export function refuseOthersClaim(item: ReviewItem, call: Pick<ItemCall, 'keyId' | 'claim'>, now: Date): void {
  const { claimedBy, claimedUntil, claimNumber } = item
  const claimed = isClaimed(item, now)
  if (claimed && claimedBy?.id !== call.keyId)
    throw new Fault(
      'conflict',
      'claimed',
      `${claimedBy?.name || 'Another key'} is reviewing this execution until ${claimedUntil?.toISOString()}; claim another one`,
    )
  if (call.claim !== null && (!claimed || call.claim !== claimNumber))
    throw new Fault(
      'conflict',
      'claim_lapsed',
      `Claim ${call.claim} of this execution is over: it was released, or its ${limits.reviewClaimMs / 60_000} minutes have passed. Claim it again`,
    )
}

/** Milliseconds since the current claim began. */
export const busyMsOf = (item: ReviewItem, now: Date): number =>
  isClaimed(item, now) && item.claimedAt ? Math.max(0, now.getTime() - item.claimedAt.getTime()) : 0

/** Claims the next item for this key; `waiting` counts what it could claim after that. */
export async function claimNextItem(
  { db, clock }: QueueParts,
  of: ItemFilter & { keyId: string },
): Promise<{ readonly item: ReviewItem | undefined; readonly waiting: number }> {
  const now = clock.now()
  const asked = { ...of, by: of.keyId, now, until: new Date(now.getTime() + limits.reviewClaimMs) }
  return db.transaction(async (tx) => {
    const executionId = await claimNext(tx, asked)
    const item = executionId === undefined ? undefined : await findItem(tx, { ...of, executionId })
    return { item, waiting: await countClaimable(tx, asked) }
  })
}

/** Claims one item, or renews this key's claim. Faults `missing` and `conflict`. */
export async function claimItem(parts: QueueParts, call: Omit<ItemCall, 'claim'>): Promise<ReviewItem> {
  return onItem(parts, { ...call, claim: null }, async (tx, { item, now }) => {
    if (item.status === 'done')
      throw new Fault('conflict', 'already_reviewed', 'The review of this execution is done; there is nothing to claim')
    if (item.assignedTo && item.assignedTo.id !== call.keyId)
      throw new Fault(
        'conflict',
        'assigned',
        `This review is assigned to ${item.assignedTo.name || 'another key'}, which alone can claim it`,
      )
    await holdItem(tx, { ...call, item, now })
  })
}

/** Claims a locked item for this key, or renews this key's claim. */
export async function holdItem(
  tx: Tx,
  { workspaceId, keyId, item, now }: { workspaceId: string; keyId: string; item: ReviewItem; now: Date },
): Promise<void> {
  const isRenewed = isClaimed(item, now)
  await writeClaim(tx, {
    workspaceId,
    executionId: item.executionId,
    by: keyId,
    at: isRenewed ? (item.claimedAt ?? now) : now,
    until: new Date(now.getTime() + limits.reviewClaimMs),
    number: isRenewed ? item.claimNumber : item.claimNumber + 1,
  })
}

/** Releases a claimed item, so that anyone can claim it at once. `skips`: do not offer it to this key again. */
export async function releaseItem(parts: QueueParts, call: ItemCall & { skips: boolean }): Promise<ReviewItem> {
  return onItem(parts, call, async (tx, { item, now }) => {
    await endClaim(tx, {
      workspaceId: call.workspaceId,
      executionId: item.executionId,
      busyMs: busyMsOf(item, now),
      skippedBy: call.skips ? call.keyId : null,
    })
  })
}

/** Assigns an item to a key, the only one that can then claim it; null: anyone. Faults `missing`, for the key too. */
export async function assignReview(
  parts: QueueParts,
  call: ReviewPlace & { keyId: string; to: string | null },
): Promise<ReviewItem> {
  const { db, clock } = parts
  const { workspaceId, keyId } = call
  const to = call.to?.toLowerCase() ?? null
  const actor = to !== null && isId(to) ? await findActor(db, { workspaceId, keyId: to }) : undefined
  if (to !== null && !actor)
    throw new Fault('missing', 'unknown_key', 'key_id: this workspace has no key or user with this id')
  const { executionId } = await loadItem(db, call)
  return db.transaction(async (tx) => {
    const now = clock.now()
    if (!(await lockItem(tx, { workspaceId, executionId }))) throw unknownItem()
    const item = await loadLocked(tx, { workspaceId, executionId })
    if (to !== null && item.claimedBy && item.claimedBy.id !== to)
      await endClaim(tx, { workspaceId, executionId, busyMs: busyMsOf(item, now), skippedBy: null })
    await assignItem(tx, { workspaceId, executionId, to })
    const detail = { assigned_to: to }
    await recordAction(tx, { workspaceId, keyId, action: 'review.assign', subjectId: executionId, detail, now })
    return loadLocked(tx, { workspaceId, executionId })
  })
}

async function loadLocked(tx: Tx, place: ReviewPlace): Promise<ReviewItem> {
  const item = await findItem(tx, place)
  if (!item) throw unknownItem()
  return item
}

/** Changes an item under its lock, after checking that no other claim is active. */
async function onItem(
  { db, clock }: QueueParts,
  call: ItemCall,
  work: (tx: Tx, at: { item: ReviewItem; now: Date }) => Promise<void>,
): Promise<ReviewItem> {
  const place = { workspaceId: call.workspaceId, executionId: call.executionId.toLowerCase() }
  if (!isId(place.executionId)) throw unknownItem()
  return db.transaction(async (tx) => {
    const item = await lockItem(tx, place)
    if (!item) throw unknownItem()
    const now = clock.now()
    refuseOthersClaim(item, call, now)
    await work(tx, { item, now })
    return loadLocked(tx, place)
  })
}
