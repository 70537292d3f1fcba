import type { Clock } from '@skillrun/core/clock.ts'
import { Fault } from '@skillrun/core/fault.ts'
import { isId } from '@skillrun/core/ids.ts'
import type { Db } from '../../adapters/db/db.ts'
import type { Job, Queue } from '../../adapters/queue/queue.ts'
import { recordAction } from '../audit/audit.ts'
import {
  type Actor,
  type Approval,
  type ApprovalDecision,
  type ExecutionState,
  endInTransaction,
  loadExecution,
  lockApproval,
  resumeExecution,
  topicOf,
  unknownExecution,
  writeDecision,
} from '../executions/executions.ts'

export interface DecideParts {
  readonly db: Db
  readonly clock: Clock
  readonly queue: Pick<Queue, 'add'>
}

export interface DecideCall {
  readonly workspaceId: string
  readonly id: string
  readonly decision: ApprovalDecision
  readonly comment: string | null
  readonly by: Actor | null
  readonly via: 'api' | 'link' | 'timeout'
  /** The decision that the caller has seen; null: the pending one. */
  readonly number: number | null
}

/** A decision, taken by this call or an earlier one. */
export interface Decided {
  readonly execution: ExecutionState
  /** Whether this call took it. */
  readonly isFirst: boolean
}

/**
 * Decides on an execution that waits for approval, once: a later call gets the first decision. If approved, the execution continues with a
 * new job; if rejected, it fails. Faults `missing`, and `conflict` when it never waited, or now waits for another decision.
 */
export async function decide({ db, clock, queue }: DecideParts, call: DecideCall): Promise<Decided> {
  const { workspaceId, decision, via } = call
  const id = call.id.toLowerCase()
  if (!isId(id)) throw unknownExecution()
  const isFirst = await db.transaction(async (tx) => {
    const approval = await lockApproval(tx, { workspaceId, id })
    if (!approval) return undefined
    if (call.number !== null && call.number !== approval.number) return 'other'
    if (approval.decision !== null) return false
    const now = clock.now()
    const decided: Approval = {
      ...approval,
      decision,
      via,
      by: call.by,
      at: now.toISOString(),
      comment: call.comment,
      granted: decision === 'approve' && approval.call ? [...approval.granted, approval.call] : approval.granted,
    }
    await writeDecision(tx, { workspaceId, id, approval: decided })
    const subject = { workspaceId, keyId: call.by?.id ?? null, action: 'approval.decide', subjectId: id } as const
    const detail = { decision, via, waiting_for: approval.waitingFor, tool: approval.tool }
    await recordAction(tx, { ...subject, detail, now })
    if (decision === 'reject') await endInTransaction({ tx, queue }, { workspaceId, id, now }, rejectedBy(decided))
    else {
      const resumed = await resumeExecution(tx, { workspaceId, id, maxCostMicros: null, now })
      if (resumed)
        await queue.add(tx, topicOf[resumed.tier], { workspaceId, id, number: resumed.job }, { group: workspaceId })
    }
    return true
  })
  const execution = await loadExecution({ db }, { workspaceId, id })
  if (isFirst === undefined)
    throw new Fault(
      'conflict',
      'no_approval',
      `The execution is ${execution.status} and does not wait for an approval: only executions with config.require_approval do`,
    )
  if (isFirst === 'other')
    throw new Fault(
      'conflict',
      'other_approval',
      `The execution now waits for decision ${execution.approval?.number}, not ${call.number}; load it again before you decide`,
    )
  return { execution, isFirst }
}

const rejectedBy = ({ waitingFor, tool, via, comment }: Approval) => ({
  code: 'rejected',
  message: [
    waitingFor === 'tool' ? `The call of ${tool} was rejected` : 'The completion was rejected',
    via === 'timeout' ? ': nobody decided in time' : '',
    comment ? `: ${comment}` : '',
  ].join(''),
  retryable: false,
})

/** Applies the default decision when the time for a decision has run out. */
export async function decideOnTime(parts: DecideParts, job: Job): Promise<void> {
  const place = { workspaceId: String(job.data['workspaceId']), id: String(job.data['id']) }
  const number = Number(job.data['number'])
  const { approval, status } = await loadExecution(parts, place)
  if (status === 'paused' && approval?.number === number && approval.decision === null)
    await decide(parts, { ...place, number, decision: approval.onTimeout, comment: null, by: null, via: 'timeout' })
}
