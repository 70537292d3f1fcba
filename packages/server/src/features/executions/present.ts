import { correctedPlaces } from '@skillrun/core/list-rows.ts'
import { dollarsOf } from '../../core/money.ts'
import { priceOf } from '../pricing/pricing.ts'
import { ignoredMessage } from './accept/ignored.ts'
import { type ExecutionState, isReviewable, type Step } from './execution.ts'
import { approversOf, type Review } from './review-and-approval.ts'
import { snakeCased } from './snake-case.ts'
import type { ExecutionRecord } from './wire/record.ts'

/** The wire format of an execution: every field, absent values as null. */
export function recordOf(execution: ExecutionState): ExecutionRecord {
  const { usage } = execution
  const ended = execution.completedAt !== null
  const price = usage.standardMicros === undefined ? undefined : priceOf(usage.standardMicros, execution.tier)
  const from = execution.createdAt.getTime()
  return {
    id: execution.id,
    name: execution.name,
    agent_id: execution.agentId,
    client_id: execution.clientId,
    response: execution.response,
    execution_mode: execution.executionMode,
    execution_modes: execution.fieldModes ?? execution.program?.fields ?? null,
    path: pathOf(execution),
    status: execution.status,
    created_at: execution.createdAt.toISOString(),
    completed_at: execution.completedAt?.toISOString() ?? null,
    usage: {
      elements_processed: usage.elementsProcessed ?? null,
      element_type: usage.elementType ?? null,
      credits_used: price?.credits_used ?? null,
      steps: usage.steps ?? null,
      message: messageOf(execution),
      duration_seconds: execution.completedAt
        ? Math.max(0, Math.round((execution.completedAt.getTime() - from) / 1000))
        : 0,
      service_tier: execution.tier,
      mode_multiplier: price?.mode_multiplier ?? null,
      standard_cost_dollars: price?.standard_cost_dollars ?? null,
      cost_dollars: price?.cost_dollars ?? null,
      savings_dollars: price?.savings_dollars ?? null,
    },
    error: execution.error,
    model: execution.model,
    model_selection: {
      requested: execution.model,
      resolved: ended || execution.status === 'running' ? execution.answeredBy : null,
      chosen_by: execution.modelChosenBy,
      reason: execution.modelReason,
    },
    service_tier: execution.tier,
    skills: [...execution.skills],
    program: execution.program && { id: execution.program.id, sha256: execution.program.sha256 },
    shadow_of: execution.shadowOf,
    session_id: execution.sessionId,
    batch_id: execution.batchId,
    forked_from: execution.forkedFrom,
    base_execution: execution.baseExecution,
    imported_from: execution.importedFrom,
    trusted: execution.isTrusted,
    evidence: execution.evidence as ExecutionRecord['evidence'],
    completeness: completenessOf(execution),
    needs_look: openLooks(execution),
    warnings: [...execution.warnings],
    reviewed_response: execution.reviewedResponse,
    approval: approvalOf(execution),
    review: reviewOf(execution),
    attempts: execution.attempt,
  }
}

function pathOf({ path }: ExecutionState): ExecutionRecord['path'] {
  if (path === null) return null
  const { maxWrongRate, isChecked, fields, engines } = path
  const costs = Object.entries(engines).map(([engine, { calls, micros }]) => [
    engine,
    { calls, standard_cost_dollars: dollarsOf(micros) },
  ])
  return { max_wrong_rate: maxWrongRate, checked: isChecked, fields: { ...fields }, engines: Object.fromEntries(costs) }
}

function approvalOf({ approval }: ExecutionState): ExecutionRecord['approval'] {
  if (approval === null) return null
  const { number, waitingFor, tool, input, since, expiresAt, onTimeout, decision, by, via, at, comment } = approval
  const approvers = [...approversOf(approval)]
  return {
    ...{ number, waiting_for: waitingFor, tool, input, since, expires_at: expiresAt, on_timeout: onTimeout },
    approvers,
    ...{ decision, by, via, at, comment },
  }
}

/** An execution in the format of the closed service's predictions. */
export const predictionOf = (record: ExecutionRecord, domain: string | null) => ({
  ...record,
  domain,
  message: record.usage.message,
})

/** The values to check that no reviewer has confirmed, changed, or removed with their row. */
function openLooks({
  needsLook,
  review,
}: Pick<ExecutionState, 'needsLook'> & { readonly review: Pick<Review, 'status' | 'changes'> | null }):
  | string[]
  | null {
  if (needsLook === null) return null
  if (review?.status === 'done') return []
  const reviewed = new Set(review?.changes.map(({ path }) => path))
  const placeOf = correctedPlaces(review?.changes ?? [])
  return needsLook.filter((path) => !reviewed.has(path) && placeOf(path) !== undefined)
}

/** Null when there is no review and none is possible. */
function reviewOf(execution: ExecutionState): ExecutionRecord['review'] {
  const { review } = execution
  if (review)
    return {
      ...review,
      changes: review.changes.map(({ rows, ...change }) => ({ ...change, ...(rows ? { rows: [...rows] } : {}) })),
    }
  return isReviewable(execution) ? { status: 'none', version: 0, by: null, at: null, changes: [] } : null
}

function completenessOf({ completeness }: ExecutionState): ExecutionRecord['completeness'] {
  if (completeness === null) return null
  const { asked, found, notFound, lowConfidence, maxWrongRate, calibration = null, listed } = completeness
  const { reviewBelow = null } = completeness
  return {
    asked,
    found,
    not_found: notFound,
    low_confidence: lowConfidence,
    review_below: reviewBelow,
    max_wrong_rate: maxWrongRate,
    calibration,
    listed: [...listed],
  }
}

/** Why it failed, then other explanations of the run: why no program answered, which input was left out. */
function messageOf({ error, usage, warnings }: ExecutionState): string | null {
  const notes = [usage.message, ignoredMessage(warnings)].filter(Boolean).join('. ') || null
  if (error === null || notes === null || notes.includes(error.message)) return notes ?? error?.message ?? null
  return `${error.message.replace(/\.$/, '')}. ${notes}`
}

/**
 * The record for a client that cannot read a non-object `response`: one widely used client sends `X-Client-Id: python-sdk-…`, others may
 * send `X-Response-Shape: object`. They get such a response as `{ result }`.
 */
export function shapedRecord(
  record: ExecutionRecord,
  headers: Readonly<Record<string, string | undefined>>,
): ExecutionRecord {
  const wantsObject = headers['x-response-shape'] === 'object' || headers['x-client-id']?.startsWith('python-sdk-')
  const { response } = record
  if (!wantsObject || response === null || (typeof response === 'object' && !Array.isArray(response))) return record
  return { ...record, response: { result: response } }
}

/** The wire format of a step. */
export const stepOf = (step: Step) => ({
  seq: step.seq,
  attempt: step.attempt,
  kind: step.kind,
  name: step.name,
  detail: snakeCased(step.detail),
  result: snakeCased(step.result),
  cost_dollars: dollarsOf(step.costMicros),
  started_at: step.startedAt.toISOString(),
  ended_at: step.endedAt.toISOString(),
})
