import { z } from 'zod'
import { jsonb, type Sql } from '../../../adapters/db/db.ts'
import { largeJsonb } from '../../../adapters/db/large-json.ts'
import type { ExecutionState } from '../execution.ts'
import { type Approval, anyApproval } from '../review-and-approval.ts'
import { columns, type Place, parsedRow, type RunFence, type StoredRow, stateOf } from './execution-row.ts'
import { moveParam, withMove } from './move-sql.ts'
import type { Ending } from './run-of-execution.ts'

/** A stored answer that waits for a decision. */
export interface HeldEnding {
  readonly ending: Omit<Ending, 'now'>
  readonly warnings: ExecutionState['warnings']
}

/**
 * Pauses an execution in its run until a person decides, with its answer if the completion needs approval. Undefined: the run has lost its
 * lease, or the execution has moved `movesMax` times.
 */
export async function pauseForApproval(
  tx: Sql,
  fence: RunFence,
  hold: {
    readonly approval: Approval
    readonly held: HeldEnding | null
    readonly usage: Ending['usage']
    readonly now: Date
    readonly movesMax: number
  },
): Promise<ExecutionState | undefined> {
  const { held } = hold
  const [row] = await tx.query<StoredRow>(
    `update executions set status = 'paused', usage = $4,
       approval = $5::jsonb || jsonb_build_object('granted', coalesce(approval->'granted', '[]')), held_ending = $6, ${withMove(7)},
       response = coalesce($9, response), evidence = coalesce($10, evidence), completeness = coalesce($11, completeness),
       needs_look = coalesce($12, needs_look)
     where workspace_id = $1 and id = $2 and attempt = $3 and status = 'running' and jsonb_array_length(moves) < $8
     returning ${columns}`,
    [
      fence.workspaceId,
      fence.id,
      fence.attempt,
      jsonb(hold.usage),
      jsonb(hold.approval),
      held && (await largeJsonb(held)),
      moveParam('paused', hold.now),
      hold.movesMax,
      held && (await largeJsonb(held.ending.response)),
      held?.ending.evidence ? await largeJsonb(held.ending.evidence) : null,
      held?.ending.completeness ? jsonb(held.ending.completeness) : null,
      held?.ending.needsLook ? jsonb(held.ending.needsLook) : null,
    ],
  )
  return row && stateOf(row)
}

/** Consumes the approval of a call in a run. False: it was consumed before, or the run has lost its lease or must stop. */
export async function useGrant(sql: Sql, fence: RunFence, call: string): Promise<boolean> {
  const used = await sql.query(
    `update executions set approval = jsonb_set(approval, '{granted}', (approval->'granted') - $4::text)
     where workspace_id = $1 and id = $2 and attempt = $3 and status = 'running' and approval->'granted' ? $4 returning id`,
    [fence.workspaceId, fence.id, fence.attempt, call],
  )
  return used.length > 0
}

const heldRow = z.object({
  held: z.custom<HeldEnding | null>((value) => value === null || (typeof value === 'object' && 'ending' in value)),
})

/** The answer that waited for the decision; null: none did. */
export async function findHeldEnding(sql: Sql, place: Place): Promise<HeldEnding | null> {
  const [row] = await sql.query<StoredRow>(
    'select id, held_ending as held from executions where workspace_id = $1 and id = $2',
    [place.workspaceId, place.id],
  )
  return row ? parsedRow(heldRow, row).held : null
}

/** The approval of an execution, locked until the transaction ends; undefined: there never was one. */
export async function lockApproval(tx: Sql, place: Place): Promise<Approval | undefined> {
  const [row] = await tx.query<StoredRow>(
    `select id, case when status = 'paused' or approval->>'decision' is not null then approval end as approval
     from executions where workspace_id = $1 and id = $2 for update`,
    [place.workspaceId, place.id],
  )
  return (row && parsedRow(z.object({ approval: anyApproval.nullable() }), row).approval) ?? undefined
}

/** Writes a decision on an execution that `lockApproval` locked. */
export async function writeDecision(tx: Sql, of: Place & { readonly approval: Approval }): Promise<void> {
  await tx.query('update executions set approval = $3 where workspace_id = $1 and id = $2', [
    of.workspaceId,
    of.id,
    jsonb(of.approval),
  ])
}
