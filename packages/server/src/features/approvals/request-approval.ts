import { canonicalSha256 } from '@skillrun/core/canonical-json.ts'
import type { Json } from '@skillrun/core/json.ts'
import type { Sql } from '../../adapters/db/db.ts'
import type { Queue } from '../../adapters/queue/queue.ts'
import { limits } from '../../core/limits.ts'
import {
  type Approval,
  announceApproval,
  approversOf,
  type Execution,
  type HeldEnding,
  pauseForApproval,
  type RunFence,
  type Usage,
  useGrant,
} from '../executions/executions.ts'
import { type Signing, signedQueryFor } from '../files/files.ts'

/** The queue's topic of expired decisions: workspace, id and number of the decision. */
export const approvalTopic = 'approval'

/** Thrown in place of a tool call that is not approved yet. */
export class ApprovalNeeded extends Error {
  override name = 'ApprovalNeeded'
  readonly tool: string
  readonly input: Json
  readonly call: string

  constructor(needed: { tool: string; input: Json; call: string }) {
    super(`${needed.tool} needs an approval`)
    this.tool = needed.tool
    this.input = needed.input
    this.call = needed.call
  }
}

/**
 * Consumes the approval of a call to a tool that the request guards. Each approval allows one call and is consumed before the call, so that
 * a crash cannot repeat it; approvals of calls that are safe to repeat stay. Ask last, when nothing else can refuse the call. Throws
 * ApprovalNeeded without an approval. Does nothing for other tools.
 */
export async function takeApproval(
  { db }: { readonly db: Sql },
  run: { readonly execution: Pick<Execution, 'request' | 'approval'>; readonly fence: RunFence },
  { tool, input, isRepeatable = false }: { tool: string; input: Json; isRepeatable?: boolean },
): Promise<void> {
  const { request, approval } = run.execution
  if (!request.approval?.tools.includes(tool)) return
  const call = `${tool} ${await canonicalSha256(input)}`
  const isGranted = approval?.granted.includes(call) && (isRepeatable || (await useGrant(db, run.fence, call)))
  if (!isGranted) throw new ApprovalNeeded({ tool, input, call })
}

/**
 * Whether the completion of a run waits for a pending decision. Runs that check a program or evaluate a skill need none, since nobody acts
 * on their answers.
 */
export const needsDecision = ({
  request,
  approval,
  shadowOf,
  evaluationId,
}: Pick<Execution, 'request' | 'approval' | 'shadowOf' | 'evaluationId'>): boolean =>
  request.approval?.completion === true &&
  shadowOf === null &&
  evaluationId === null &&
  !(approval?.waitingFor === 'completion' && approval.decision === 'approve')

/**
 * Pauses a run until a person decides, in the transaction that ends its job. Adds a callback with a link for the decision, and a job for
 * its deadline. False: the run has lost its lease, or cannot be paused any more.
 */
export async function requestApproval(
  { tx, queue, signing }: { readonly tx: Sql; readonly queue: Pick<Queue, 'add'>; readonly signing: Signing },
  of: {
    readonly execution: Execution
    readonly fence: RunFence
    readonly needed: ApprovalNeeded | null
    readonly held: HeldEnding | null
    readonly usage: Usage
    readonly now: Date
  },
): Promise<boolean> {
  const { execution, fence, needed, held, usage, now } = of
  const { workspaceId, id, approval: earlier } = execution
  const rule = execution.request.approval
  if (!rule) return false
  const number = (earlier?.number ?? 0) + 1
  const waitMs = rule.timeoutSeconds * 1000
  const approval: Approval = {
    number,
    waitingFor: needed ? 'tool' : 'completion',
    tool: needed?.tool ?? null,
    input: needed?.input ?? null,
    since: now.toISOString(),
    expiresAt: new Date(now.getTime() + waitMs).toISOString(),
    onTimeout: rule.onTimeout,
    approvers: approversOf(rule),
    decision: null,
    by: null,
    via: null,
    at: null,
    comment: null,
    call: needed?.call ?? null,
    granted: earlier?.granted ?? [],
  }
  const movesMax = limits.executionMovesMax
  const paused = await pauseForApproval(tx, fence, { approval, held, usage, now, movesMax })
  if (!paused) return false
  await queue.add(tx, approvalTopic, { workspaceId, id, number }, { delayMs: waitMs })
  const claim = { use: `approval ${number}` as const, workspaceId, id, seconds: Math.ceil(rule.timeoutSeconds) }
  const holdNotice = execution.request.holdNotice
  const notice = holdNotice
    ? {
        url: holdNotice.callbackUrl,
        approvalUrl: `${holdNotice.origin}/v1/public/approvals/${id}?number=${number}&${signedQueryFor(signing, claim)}`,
      }
    : null
  await announceApproval({ tx, queue }, { execution: paused, notice, now })
  return true
}
