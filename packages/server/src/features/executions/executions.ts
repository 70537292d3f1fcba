import { isId } from '@skillrun/core/ids.ts'
import type { Json, JsonObject } from '@skillrun/core/json.ts'
import { withoutClaims } from '@skillrun/reader/evidence/grounding.ts'
import { z } from 'zod'
import type { Sql } from '../../adapters/db/db.ts'
import { parsePart } from '../../adapters/http/validation.ts'
import type { ModelQuestion } from '../../agent/tool.ts'
import type { Micros } from '../../core/money.ts'
import { modelAsk } from '../../tools/model-ask/model-ask.ts'
import { readSlots } from '../inputs/inputs.ts'
import { type Tier, tierMicros } from '../pricing/pricing.ts'
import { type CreateParts, refuseUnknownFiles } from './accept/accept.ts'
import { createExecution } from './accept/create.ts'
import { withSkills } from './accept/request-skills.ts'
import { askedOf } from './asked.ts'
import { executionState } from './execution.ts'
import type { ExecutionRequest } from './execution-request.ts'
import { hasEnded, type Status } from './lifecycle.ts'
import { parsedRow, type StoredRow } from './store/execution-row.ts'
import { findOriginal } from './store/find-execution.ts'
import { listSteps } from './store/steps.ts'
import { executeRequest } from './wire/request.ts'

export { type CreateParts, refuseMissingFiles } from './accept/accept.ts'
export { type AnswerParts, answerOnBehalf } from './accept/answer-on-behalf.ts'
export { createExecution, prepare, readRequest } from './accept/create.ts'
export { claimKeys, findFirst } from './accept/idempotency.ts'
export { ignoredWarning } from './accept/ignored.ts'
export type { Intake } from './accept/intake.ts'
export { withSkills } from './accept/request-skills.ts'
export { isGiven } from './accept/rerun.ts'
export { toolsetNames, toolsOfSets } from './accept/toolsets.ts'
export { anyJson } from './any-json.ts'
export { type AskedBody, askedOf } from './asked.ts'
export { cancel, endInTransaction, pauseInTransaction, resume } from './control.ts'
export {
  type Execution,
  type ExecutionError,
  type ExecutionState,
  executionState,
  isReviewable,
  type Step,
  type StoredCompleteness,
  type Usage,
} from './execution.ts'
export type { ExecutionRequest } from './execution-request.ts'
export { announceApproval, announceEnd, announceReview } from './follow/announce.ts'
export { waitForEnd } from './follow/wait-for-end.ts'
export { type Endings, executionKey, workspaceKey } from './follow/waiting.ts'
export { hasEnded, type Status, usedMs } from './lifecycle.ts'
export { listExecutions } from './list.ts'
export { payerOf } from './payer.ts'
export { predictionOf, recordOf, shapedRecord, stepOf } from './present.ts'
export { queueFigures } from './queue-figures.ts'
export {
  forgetAnswer,
  forgetWork,
  mayRetain,
  mayTrain,
  purgeExecution,
  readOnce,
  refuseUnretained,
  withoutAnswer,
} from './retention.ts'
export {
  type Actor,
  type Approval,
  type ApprovalDecision,
  approversOf,
  type Review,
  type ReviewChange,
  type ReviewRule,
} from './review-and-approval.ts'
export { detailOf, modelReply, resultOf } from './step-results.ts'
export {
  findHeldEnding,
  type HeldEnding,
  lockApproval,
  pauseForApproval,
  useGrant,
  writeDecision,
} from './store/approval.ts'
export { type Place, parsedRow, type RunFence, type StoredRow } from './store/execution-row.ts'
export {
  findExecution,
  findOriginal,
  findPredictionDomain,
  listFileNames,
  loadExecution,
  loadOriginal,
  predictionDomainKey,
  unknownExecution,
} from './store/find-execution.ts'
export { importedOutcome, insertImported, restsOnImport } from './store/imported.ts'
export { markReplaced, pauseRun, resumeExecution } from './store/moves.ts'
export { insertExecution } from './store/new-execution.ts'
export { type FullCost, listAskable, listFullCosts, listPastWork, type PastWork } from './store/past-work.ts'
export { markReviewNeeded, writeReview } from './store/reviewed.ts'
export {
  clearLostAttempt,
  type Ending,
  finishRun,
  markAnswering,
  markShadow,
  returnRun,
  type StartedExecution,
  type StartingRun,
  servedBy,
  startRun,
  startRuns,
  textsOf,
} from './store/run-of-execution.ts'
export { findStepStatus, insertSteps, listSteps } from './store/steps.ts'
export { batchTopic, evaluationTopic, topicOf } from './topics.ts'
export { embedTool, isOwn, isToolCall, tokensOf, turnOf, usageOf } from './usage-of-steps.ts'
export { filterQuery, listQuery } from './wire/query.ts'
export { actor, executionRecord, reviewChange } from './wire/record.ts'
export { type ExecuteRequest, executeRequest, toolset } from './wire/request.ts'

/**
 * Executes a body of POST /v1/agent/execute for a key, for an evaluation or another part of the server. The same `onceAs` with the same
 * body returns the first execution. Returns the id; throws as a call of the route would.
 */
export async function executeOnBehalf(
  parts: CreateParts,
  call: {
    workspaceId: string
    keyId: string
    body: JsonObject
    onceAs: string
    evaluationId?: string
    signal: AbortSignal
  },
): Promise<string> {
  const { workspaceId, keyId, onceAs, evaluationId, signal } = call
  const execution = await createExecution(parts, {
    caller: { workspaceId, keyId, scopes: [] },
    body: parsePart(executeRequest, call.body, 'body'),
    idempotencyKey: onceAs,
    ...(evaluationId === undefined ? {} : { evaluationId }),
    signal,
  })
  return execution.id
}

/** The questions that the programs of an execution put to a language model, with their context. */
export async function listQuestions(
  sql: Sql,
  of: { workspaceId: string; id: string },
): Promise<readonly { readonly question: ModelQuestion; readonly output: Json }[]> {
  const steps = await listSteps(sql, of)
  return steps.flatMap(({ kind, name, detail, result }) => {
    const { output, failed } = result as { output?: Json; failed?: boolean }
    if (kind !== 'tool' || name !== modelAsk.name || failed || output === undefined) return []
    return [{ question: (detail as { input: unknown }).input as ModelQuestion, output }]
  })
}

/** The request and the answer of an execution. */
export interface Asked {
  readonly model: string
  readonly inputs: JsonObject
  readonly config: JsonObject
  /** Like all answers here, without the marks of its sources, see `grounding`. */
  readonly response: Json
  /** The corrected answer; null: no correction. */
  readonly reviewedResponse: Json
  /** Whether a review of it is finished: until then nobody vouches for what it did not change. */
  readonly isReviewed: boolean
  readonly status: Status
  /** The engine that answered all of it, `embedded` or `provider/model`; null: a program, several engines, or unknown. */
  readonly answeredBy: string | null
  /** Another answer to the request without such marks. */
  readonly unmarked: (answer: Json) => Json
}

/** An answer, or a part of it, without the metadata that grounding adds. */
export const unmarked = (request: ExecutionRequest, answer: Json): Json =>
  request.grounded ? withoutClaims(answer, withSkills(request).schema) : answer

/** The request of an execution of the workspace; undefined for an unknown id. */
export async function findAsked(sql: Sql, of: { workspaceId: string; id: string }): Promise<Asked | undefined> {
  const id = of.id.toLowerCase()
  const execution = isId(id) ? await findOriginal(sql, { workspaceId: of.workspaceId, id }) : undefined
  if (!execution) return undefined
  const { inputs, config } = askedOf(execution)
  const { request } = execution
  return {
    model: execution.model,
    inputs,
    config,
    response: unmarked(request, execution.response),
    reviewedResponse: unmarked(request, execution.reviewedResponse),
    isReviewed: execution.review?.status === 'done',
    status: execution.status,
    unmarked: (answer) => unmarked(request, answer),
    answeredBy: (execution.program ?? execution.path ?? execution.fieldModes) ? null : execution.answeredBy,
  }
}

/** The status, answer, and cost in its tier of an execution. */
export interface Outcome {
  readonly id: string
  readonly status: Status
  readonly ended: boolean
  /** Whether it was paused because the budget of its key for the day was spent. */
  readonly isPausedByKey: boolean
  /** Whether a person paused it, or it waits for an approval: it may go on. */
  readonly isWaiting: boolean
  readonly response: Json
  readonly error: string | null
  readonly costMicros: Micros
  readonly durationMs: number | null
}

const outcomeRow = executionState
  .pick({ id: true, status: true, response: true, error: true, tier: true, startedAt: true, completedAt: true })
  .extend({ standardMicros: z.number().nullable(), refusedBy: z.string().nullable() })

/** The outcomes of executions of a workspace. */
export async function listOutcomes(
  sql: Sql,
  of: { workspaceId: string; ids: readonly string[] },
): Promise<readonly Outcome[]> {
  const rows = await sql.query<StoredRow>(
    `select id, status, response, error, (usage->>'standardMicros')::bigint as "standardMicros", tier,
       started_at as "startedAt", completed_at as "completedAt", usage->>'refusedBy' as "refusedBy"
     from executions where workspace_id = $1 and id = any($2::uuid[])`,
    [of.workspaceId, of.ids],
  )
  return rows
    .map((row) => parsedRow(outcomeRow, row))
    .map(({ id, status, response, error, standardMicros, tier, startedAt, completedAt, refusedBy }) => ({
      id,
      status,
      ended: hasEnded(status),
      isPausedByKey: status === 'paused' && refusedBy === 'key',
      isWaiting: status === 'paused' && refusedBy === null,
      response,
      error: error?.code ?? null,
      costMicros: tierMicros(standardMicros ?? 0, tier),
      durationMs: startedAt && completedAt ? completedAt.getTime() - startedAt.getTime() : null,
    }))
}

/** What agent runs with a version of a skill cost so far, at the standard rate. */
export async function agentCosts(
  sql: Sql,
  of: { workspaceId: string; skillId: string },
): Promise<{ readonly runs: number; readonly micros: Micros }> {
  const rows = await sql.query<{ runs: number; micros: number }>(
    `select count(*)::integer as runs, coalesce(sum((usage->>'standardMicros')::bigint), 0)::float8 as micros
     from (
       select e.usage from execution_skills s join executions e on e.workspace_id = s.workspace_id and e.id = s.execution_id
       where s.workspace_id = $1 and s.skill_id = $2 and e.status = 'completed' and e.execution_mode = 'agent' and e.program is null and e.forked_from is null and e.imported_from is null
       order by s.created_at desc limit 1000
     ) latest`,
    [of.workspaceId, of.skillId],
  )
  return rows[0] ?? { runs: 0, micros: 0 }
}

/** The total cost of these executions, each in its own tier. */
export async function paidFor(sql: Sql, of: { workspaceId: string; ids: readonly string[] }): Promise<Micros> {
  if (of.ids.length === 0) return 0
  const rows = await sql.query<{ micros: number; tier: Tier }>(
    `select coalesce((usage->>'standardMicros')::bigint, 0)::float8 as micros, tier from executions
     where workspace_id = $1 and id = any($2)`,
    [of.workspaceId, of.ids],
  )
  return rows.reduce((sum, { micros, tier }) => sum + tierMicros(micros, tier), 0)
}

/**
 * Validates the slots of `inputs` of a body as accepting an execution would. Throws ValidationFailures at `body`, `inputs`, and Fault
 * `missing` (`unknown_file`) for a file that the workspace does not have.
 */
export async function checkInputs(sql: Sql, of: { workspaceId: string; inputs: JsonObject }): Promise<void> {
  await refuseUnknownFiles(sql, of.workspaceId, readSlots(of.inputs, { beside: false }))
}

/** Options of a request that shape the answer besides its inputs. */
const shaping = ['prompt', 'json_schema', 'page_indices'] as const

/** The options of a configuration that shape the answer. */
export const shapingConfig = (config: JsonObject): JsonObject =>
  Object.fromEntries(shaping.flatMap((name) => (config[name] === undefined ? [] : [[name, config[name]]])))

/** Executions with a skill whose answer a person corrected and that may be learned from (see `mayTrain`), newest first. */
export async function listCorrected(
  sql: Sql,
  of: { workspaceId: string; skillName: string; limit: number },
): Promise<readonly string[]> {
  const rows = await sql.query<{ id: string }>(
    `select e.id from execution_skills s join executions e on e.workspace_id = s.workspace_id and e.id = s.execution_id
     where s.workspace_id = $1 and s.name = $2 and e.review->>'status' = 'done' and e.reviewed_response is not null
       and e.is_retained and e.purged_at is null
       and e.request->'metadata'->>'allow_training' is distinct from 'false'
     order by s.created_at desc, s.execution_id desc limit $3`,
    [of.workspaceId, of.skillName, of.limit],
  )
  return rows.map(({ id }) => id)
}
