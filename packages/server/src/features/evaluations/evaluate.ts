import type { Clock } from '@skillrun/core/clock.ts'
import { Fault } from '@skillrun/core/fault.ts'
import { isId, newId } from '@skillrun/core/ids.ts'
import type { Db, Sql } from '../../adapters/db/db.ts'
import { invalid } from '../../adapters/http/validation.ts'
import type { Queue } from '../../adapters/queue/queue.ts'
import { limits } from '../../core/limits.ts'
import { type Micros, microsOf } from '../../core/money.ts'
import { evaluationTopic } from '../executions/executions.ts'
import type { Models } from '../models/models.ts'
import { findVersionBefore, gateOf, loadSkill } from '../skills/skills.ts'
import type { KnownCase } from './bundle-cases.ts'
import { type CaseParts, placeOf } from './cases.ts'
import { listKnownCases } from './known-cases.ts'
import { type Evaluation, findEvaluation, insertEvaluation, listEvaluations } from './store.ts'

export interface EvaluateParts {
  readonly db: Db
  readonly clock: Clock
  readonly queue: Queue
  readonly models: Models
  readonly onCase: CaseParts['onCase']
}

/** Options of an evaluation. */
export interface EvaluationOptions {
  readonly case_ids?: readonly string[] | null | undefined
  readonly model?: string | null | undefined
  readonly max_cost_dollars?: number | null | undefined
}

/**
 * Starts an evaluation of a version: a row and a job in one transaction. Its runs are executions in the flex tier under this key. Throws
 * Faults `missing` (skill), `conflict` (no cases), and ValidationFailures.
 */
export async function beginEvaluation(
  parts: Omit<EvaluateParts, 'onCase'>,
  of: {
    workspaceId: string
    keyId: string
    id: string
    wanted: EvaluationOptions
    /** What all its runs together may cost, on as many cases as one evaluation may have; absent: more cases are refused. */
    budgetMicros?: Micros
    /** Runs in the transaction that begins it; if it throws, there is no evaluation. */
    alongside?: (tx: Sql, evaluationId: string) => Promise<void>
  },
): Promise<Evaluation> {
  const { db, clock, queue, models } = parts
  const { workspaceId, wanted } = of
  const version = await loadSkill(parts, of)
  if (version.status !== 'completed' || version.number === null)
    throw new Fault('conflict', 'skill_not_ready', `The skill cannot be evaluated: its status is ${version.status}`)
  const model = wanted.model ?? version.facts.model
  if (wanted.model) models.route(wanted.model)
  const known = await listKnownCases(parts, { workspaceId, version })
  const cases = chosenCases(of.budgetMicros === undefined ? known : known.slice(0, limits.evaluationCasesMax), wanted)
  const before = await findVersionBefore(parts, { workspaceId, version })
  const now = clock.now()
  const evaluation: Evaluation = {
    id: newId(now),
    ...placeOf(version, workspaceId),
    skillName: version.name,
    skillId: version.id,
    number: version.number,
    skillVersion: version.skillVersion,
    status: 'running',
    model,
    beforeId: before?.id ?? null,
    beforeNumber: before?.number ?? null,
    gate: await gateOf(parts, version),
    error: null,
    report: null,
    runsPlanned: cases.length * (before ? 3 : 2),
    createdAt: now,
    completedAt: null,
  }
  const plan = {
    keyId: of.keyId,
    maxCostMicros:
      of.budgetMicros === undefined
        ? microsOf(wanted.max_cost_dollars ?? null)
        : Math.floor(of.budgetMicros / evaluation.runsPlanned),
    cases: cases.map(({ id, inputs, config, response }): KnownCase => ({ id, inputs, config, response })),
  }
  await db.transaction(async (tx) => {
    await of.alongside?.(tx, evaluation.id)
    await insertEvaluation(tx, { ...evaluation, ...plan })
    await queue.add(tx, evaluationTopic, { workspaceId, id: evaluation.id })
  })
  return evaluation
}

function chosenCases<Known extends KnownCase>(
  all: readonly Known[],
  { case_ids: ids }: EvaluationOptions,
): readonly Known[] {
  const unknown = ids?.findIndex((id) => !all.some((one) => one.id === id.toLowerCase())) ?? -1
  if (unknown >= 0)
    throw invalid(['body', 'case_ids', unknown], 'This skill has no case with this id', {
      type: 'unknown_case',
      input: ids?.[unknown],
    })
  const chosen = ids ? all.filter((one) => ids.some((id) => id.toLowerCase() === one.id)) : all
  if (chosen.length === 0)
    throw new Fault(
      'conflict',
      'no_cases',
      'The skill has no cases to evaluate: add some with POST /v1/skills/{id}/cases, or add evals/evals.json to its bundle',
    )
  if (chosen.length > limits.evaluationCasesMax)
    throw invalid(
      ['body', 'case_ids'],
      `An evaluation runs at most ${limits.evaluationCasesMax} cases; the skill has ${chosen.length}, so choose some by id`,
      { type: 'too_many_cases' },
    )
  return chosen
}

/** An evaluation of the skill of a version. Fault `missing`. */
export async function loadEvaluation(
  parts: Pick<EvaluateParts, 'db'>,
  of: { workspaceId: string; id: string; evaluationId: string },
): Promise<Evaluation> {
  const version = await loadSkill(parts, of)
  const id = of.evaluationId.toLowerCase()
  const found = isId(id) ? await findEvaluation(parts.db, { workspaceId: of.workspaceId, id }) : undefined
  if (found && found.ownerId === version.workspaceId && found.skillName === version.name) return found
  throw new Fault('missing', 'unknown_evaluation', 'This skill has no evaluation with this id')
}

/** The evaluations of the skill of a version, newest first. Fault `missing`. */
export async function evaluationsOf(
  parts: Pick<EvaluateParts, 'db'>,
  of: { workspaceId: string; id: string; limit: number },
): Promise<readonly Evaluation[]> {
  const version = await loadSkill(parts, of)
  return listEvaluations(parts.db, placeOf(version, of.workspaceId), of.limit)
}
