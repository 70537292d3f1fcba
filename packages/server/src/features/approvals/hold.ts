import { createHash } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import type { Json } from '@skillrun/core/json.ts'
import type { Sql } from '../../adapters/db/db.ts'
import type { Queue } from '../../adapters/queue/queue.ts'
import { limits } from '../../core/limits.ts'
import {
  type Approval,
  announceHold,
  type Execution,
  type HeldEnding,
  holdForApproval,
  type RunFence,
  type Step,
  type Usage,
} from '../executions/executions.ts'
import { type Signing, signedQueryFor } from '../files/files.ts'

/** The queue's topic of decisions whose time is over: workspace, id and number of the decision. */
export const approvalTopic = 'approval'

/** Thrown instead of a call of a tool that nobody has approved yet. */
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

/** Throws ApprovalNeeded before a call of a tool that the request guards, unless this very call was approved. */
export function refuseUnapproved(
  run: { readonly execution: Pick<Execution, 'request' | 'approval'>; readonly transcript: readonly Step[] },
  { tool, input }: { tool: string; input: Json },
): void {
  const { request, approval } = run.execution
  if (!request.approval?.tools.includes(tool)) return
  // The same call again is another call.
  const before = run.transcript.filter(
    ({ kind, name, detail }) => kind === 'tool' && name === tool && isDeepStrictEqual(inputIn(detail), input),
  ).length
  const sha256 = createHash('sha256').update(JSON.stringify(input)).digest('hex')
  const call = `${tool} ${sha256} ${before + 1}`
  if (!approval?.granted.includes(call)) throw new ApprovalNeeded({ tool, input, call })
}

const inputIn = (detail: Json): unknown => (detail as { readonly input?: Json }).input

/** Whether the completion of a run waits for a decision that nobody has taken yet. */
export const isHeld = ({ request, approval }: Pick<Execution, 'request' | 'approval'>): boolean =>
  request.approval?.completion === true && !(approval?.waitingFor === 'completion' && approval.decision === 'approve')

/**
 * Pauses a run until somebody decides, in the transaction that ends its job, and tells of it: a callback with a link that decides, and a
 * job for the end of the time. False: the run has lost its lease, or may not be paused any more.
 */
export async function holdRun(
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
    decision: null,
    by: null,
    via: null,
    at: null,
    comment: null,
    call: needed?.call ?? null,
    granted: earlier?.granted ?? [],
  }
  const movesMax = limits.executionMovesMax
  const paused = await holdForApproval(tx, fence, { approval, held, usage, now, movesMax })
  if (!paused) return false
  await queue.add(tx, approvalTopic, { workspaceId, id, number }, { delayMs: waitMs })
  const claim = { use: `approval ${number}` as const, workspaceId, id, seconds: Math.ceil(rule.timeoutSeconds) }
  const url =
    rule.origin === null
      ? null
      : `${rule.origin}/v1/public/approvals/${id}?number=${number}&${signedQueryFor(signing, claim)}`
  await announceHold({ tx, queue }, { execution: paused, approvalUrl: url, now })
  return true
}
