import type { JsonSchema } from '@skillrun/core/json.ts'
import type { Sql } from '../../adapters/db/db.ts'
import { type ExecutionRequest, type ExecutionState, isReviewable, markReviewNeeded } from '../executions/executions.ts'
import { doubtsOf } from './doubts.ts'
import { findRule } from './settings.ts'
import { insertItem } from './store.ts'

/** The review rule for a run; undefined: no review. Runs of evaluations and shadows need none. */
export async function reviewRuleOf(
  sql: Sql,
  execution: Pick<ExecutionState, 'workspaceId' | 'evaluationId' | 'shadowOf' | 'isRetained' | 'agentId' | 'skills'> & {
    readonly request: Pick<ExecutionRequest, 'review'>
  },
): Promise<{ readonly below: number } | undefined> {
  const { workspaceId, evaluationId, shadowOf, isRetained, agentId, skills, request } = execution
  if (evaluationId !== null || shadowOf !== null || !isRetained || agentId === null) return undefined
  return request.review ?? findRule(sql, { workspaceId, skillName: skills[0]?.name ?? null })
}

/** With more reasons, all of the answer needs a review anyway. */
const reasonsMax = 50

/** Puts a just ended execution into the review queue if its answer needs it, and returns its new state. `below` 0: no answer needs it. */
export async function enterQueue(
  tx: Sql,
  of: {
    readonly execution: ExecutionState
    readonly schema: JsonSchema | null
    readonly below: number
    readonly now: Date
  },
): Promise<ExecutionState> {
  const { execution, schema, below, now } = of
  if (below === 0 || !isReviewable(execution)) return execution
  const [first, ...others] = doubtsOf({ ...execution, schema }, below).slice(0, reasonsMax)
  if (!first) return execution
  const { workspaceId, id: executionId, skills } = execution
  const item = {
    workspaceId,
    executionId,
    skill: skills[0],
    reasons: [first, ...others],
    lowest: first.confidence,
    now,
  }
  await insertItem(tx, item)
  return (await markReviewNeeded(tx, { workspaceId, id: executionId })) ?? execution
}
