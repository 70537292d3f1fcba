import { Fault } from '@skillrun/core/fault.ts'
import { isId, newId } from '@skillrun/core/ids.ts'
import type { Sql } from '../../adapters/db/db.ts'
import { microsOf } from '../../core/money.ts'
import { recordAction } from '../audit/audit.ts'
import { type KnownCase, listKnownCases } from '../evaluations/evaluations.ts'
import {
  type CreateParts,
  cancel,
  evaluationTopic,
  findAsked,
  listCorrected,
  listOutcomes,
  shapingConfig,
} from '../executions/executions.ts'
import { defaultModel, type Models, writerOf } from '../models/models.ts'
import { loadSkill, type SkillVersion } from '../skills/skills.ts'
import type { Improvement, ImprovementPlace } from './improvement.ts'
import { splitCases } from './split-cases.ts'
import { endImprovement, findImprovement, insertImprovement, listImprovementRuns, listImprovements } from './store.ts'
import { judgingCasesMin } from './verdict.ts'

export type ImprovementParts = CreateParts

export interface ImproveOptions {
  readonly proposals?: number | null | undefined
  readonly max_cost_dollars?: number | null | undefined
  readonly model?: string | null | undefined
  readonly writer_model?: string | null | undefined
}

export const improveDefaults = { proposals: 3, proposalsMax: 20, dollars: 5 }

/** Corrected executions that are used besides the cases, newest first. */
const correctionsMax = 100

/**
 * Starts an improvement of a version: a row and a job in one transaction. Throws Faults `missing` (skill), `conflict` (`skill_not_ready`,
 * `not_latest`, `no_cases`, `too_few_cases`, `improvement_running`), `invalid` (`needs_model`, `budget_too_small`), and ValidationFailures.
 */
export async function beginImprovement(
  parts: ImprovementParts,
  of: { workspaceId: string; keyId: string; id: string; wanted: ImproveOptions },
): Promise<Improvement> {
  const { db, clock, queue } = parts
  const { models } = parts.intake
  const { workspaceId, wanted } = of
  const version = await loadSkill(parts, of)
  refuseUnready(version, workspaceId)
  const proposals = wanted.proposals ?? improveDefaults.proposals
  const { model } = models.route(wanted.model ?? version.facts.model ?? defaultModel)
  const writer = writerFor(models, wanted.writer_model ?? null, model)
  const plan = await splitCases(db, await casesOf(parts, { workspaceId, version }), { workspaceId, version })
  refuseTooFew(plan, proposals)
  const runs = plan.training.length + plan.judging.length + proposals * (1 + plan.judging.length)
  const budgetMicros = microsOf(wanted.max_cost_dollars ?? improveDefaults.dollars) ?? 0
  if (budgetMicros < runs)
    throw new Fault(
      'invalid',
      'budget_too_small',
      `max_cost_dollars: ${runs} runs are planned, and ${budgetMicros / 1e6} dollars leave none of them a millionth of a dollar; give more, or fewer proposals`,
    )
  const improvement: Improvement = {
    id: newId(clock.now()),
    workspaceId,
    skillName: version.name,
    skillId: version.id,
    number: version.number ?? 0,
    skillVersion: version.skillVersion,
    status: 'running',
    keyId: of.keyId,
    model,
    answeredBy: models.route(model).engine,
    writer,
    budgetMicros,
    proposalsMax: proposals,
    trainingCases: plan.training.length,
    judgingCases: plan.judging.length,
    outcome: null,
    error: null,
    publishedId: null,
    comparedBy: models.route(model).engine,
    evaluationId: null,
    createdAt: clock.now(),
    completedAt: null,
  }
  const { id, createdAt: now } = improvement
  await db.transaction(async (tx) => {
    if (!(await insertImprovement(tx, improvement, plan)))
      throw new Fault(
        'conflict',
        'improvement_running',
        'This skill is being improved already: wait for that improvement, or cancel it',
      )
    await queue.add(tx, evaluationTopic, { workspaceId, id })
    const detail = { name: version.name, skill_version: version.skillVersion, improvement_id: id }
    await recordAction(tx, {
      workspaceId,
      keyId: of.keyId,
      action: 'skill.improve',
      subjectId: version.id,
      detail,
      now,
    })
  })
  return improvement
}

function refuseUnready(version: SkillVersion, workspaceId: string): void {
  if (version.workspaceId !== workspaceId)
    throw new Fault(
      'missing',
      'unknown_skill',
      'Only a skill of this workspace can be improved: create a version of your own from the public skill first',
    )
  if (version.status !== 'completed')
    throw new Fault('conflict', 'skill_not_ready', `The skill cannot be improved: its status is ${version.status}`)
  if (!version.isLatest)
    throw new Fault(
      'conflict',
      'not_latest',
      'Only the latest version of a skill can be improved, because what is published becomes the latest',
    )
}

/** The model that writes. Throws ValidationFailures, and Fault `invalid` (`needs_model`). */
function writerFor(models: Models, wanted: string | null, model: string): string {
  const writer = wanted === null ? writerOf(models, model) : models.route(wanted).model
  if (writer !== undefined && models.route(writer).fixed?.kind !== 'embedded') return writer
  throw new Fault(
    'invalid',
    'needs_model',
    'A language model has to write the proposals, and this server has none for that: configure a provider (docs/guides/models.md)',
  )
}

/** The cases of the skill, and corrected executions of it that are no cases yet. */
async function casesOf(
  { db }: { db: Sql },
  { workspaceId, version }: { workspaceId: string; version: SkillVersion },
): Promise<readonly KnownCase[]> {
  const cases = await listKnownCases({ db }, { workspaceId, version })
  const known = new Set(cases.map(({ executionId }) => executionId))
  const ids = await listCorrected(db, { workspaceId, skillName: version.name, limit: correctionsMax })
  const corrections: KnownCase[] = []
  for (const id of ids) {
    if (known.has(id)) continue
    const asked = await findAsked(db, { workspaceId, id })
    if (!asked || asked.reviewedResponse === null) continue
    corrections.push({
      id,
      inputs: asked.inputs,
      config: shapingConfig(asked.config),
      response: asked.reviewedResponse,
    })
  }
  return [...cases.map(({ id, inputs, config, response }) => ({ id, inputs, config, response })), ...corrections]
}

function refuseTooFew(plan: Awaited<ReturnType<typeof splitCases>>, proposals: number): void {
  const all = plan.training.length + plan.judging.length
  if (all === 0)
    throw new Fault(
      'conflict',
      'no_cases',
      'The skill has no cases or corrections to learn from: add cases with POST /v1/skills/{id}/cases, or correct answers of the skill',
    )
  const needed = judgingCasesMin(proposals)
  const missing = Math.max(needed - plan.judging.length, 1 - plan.training.length, 0)
  if (missing > 0)
    throw new Fault(
      'conflict',
      'too_few_cases',
      `Of ${all} in all (cases and corrections), ${plan.training.length} can be learned from and ${plan.judging.length} judged by. ${proposals === 1 ? '1 proposal needs' : `${proposals} proposals need`} at least ${needed} to judge by and 1 to learn from: add about ${missing * 2} cases${proposals > 1 ? ', or ask for fewer proposals' : ''}`,
    )
}

/** An improvement of the skill of a version. Fault `missing`. */
export async function loadImprovement(
  parts: { db: Sql },
  of: { workspaceId: string; id: string; improvementId: string },
): Promise<Improvement> {
  const version = await loadSkill(parts, of)
  const id = of.improvementId.toLowerCase()
  const found = isId(id) ? await findImprovement(parts.db, { workspaceId: of.workspaceId, id }) : undefined
  if (found && version.workspaceId === of.workspaceId && found.skillName === version.name) return found
  throw new Fault('missing', 'unknown_improvement', 'This skill has no improvement with this id')
}

/** The improvements of the skill of a version, newest first. Fault `missing`. */
export async function improvementsOf(
  parts: { db: Sql },
  of: { workspaceId: string; id: string; limit: number },
): Promise<readonly Improvement[]> {
  const version = await loadSkill(parts, of)
  if (version.workspaceId !== of.workspaceId) return []
  return listImprovements(parts.db, { workspaceId: of.workspaceId, skillName: version.name, limit: of.limit })
}

/** Cancels a running improvement and its runs. Faults `missing`, and `conflict` when it has ended. */
export async function cancelImprovement(
  parts: ImprovementParts,
  of: { workspaceId: string; id: string; improvementId: string },
): Promise<Improvement> {
  const { workspaceId, id } = await loadImprovement(parts, of)
  const ended = await endImprovement(parts.db, { workspaceId, id, now: parts.clock.now() }, { status: 'cancelled' })
  const now = await loadImprovement(parts, of)
  if (!ended && now.status !== 'cancelled')
    throw new Fault(
      'conflict',
      'not_allowed_now',
      `The improvement is ${now.status}; only a running one can be cancelled`,
    )
  await cancelRuns(parts, { workspaceId, id })
  return now
}

/** Cancels the runs of an improvement that have not ended. */
export async function cancelRuns(parts: ImprovementParts, { workspaceId, id }: ImprovementPlace): Promise<void> {
  const ids = (await listImprovementRuns(parts.db, { workspaceId, id })).flatMap(({ executionId }) => executionId ?? [])
  for (const one of await listOutcomes(parts.db, { workspaceId, ids }))
    if (!one.ended) await cancelIfRunning(parts, { workspaceId, id: one.id })
}

/** Cancels an execution unless it has ended. */
export async function cancelIfRunning(parts: ImprovementParts, of: { workspaceId: string; id: string }): Promise<void> {
  await cancel(parts, of).catch((error: unknown) => {
    if (!(error instanceof Fault) || error.retryable) throw error
  })
}
