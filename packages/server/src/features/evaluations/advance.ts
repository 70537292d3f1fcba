import { Fault } from '@skillrun/core/fault.ts'
import type { Json, JsonObject } from '@skillrun/core/json.ts'
import type { Blobs } from '../../adapters/blobs/blobs.ts'
import { refusalIn } from '../../adapters/http/validation.ts'
import type { ProcessPool } from '../../adapters/process-pool/process-pool.ts'
import type { Job } from '../../adapters/queue/queue.ts'
import { type AnswerComparison, comparePairs } from '../../agent/compare-answers.ts'
import { limits } from '../../core/limits.ts'
import { dollarsOf } from '../../core/money.ts'
import { type CreateParts, executeOnBehalf, listOutcomes, type Outcome } from '../executions/executions.ts'
import { loadBundle, loadSkill, pinnedVersion, publishVersion, readGate, type SkillVersion } from '../skills/skills.ts'
import { filesIn, type KnownCase, withItems } from './bundle-cases.ts'
import { contentsOfInputs, makeCopyFinder } from './case-contents.ts'
import { listKnownCases } from './known-cases.ts'
import { refusedBy } from './pass-gate.ts'
import { type Arm, disagreeing, isOutside, type JudgedCase, type JudgedRun, reportOf } from './report.ts'
import {
  countRuns,
  type Evaluation,
  type EvaluationPlan,
  type EvaluationRun,
  endEvaluation,
  findEvaluation,
  findPlan,
  insertRun,
  listRuns,
} from './store.ts'

export interface AdvanceParts extends CreateParts {
  readonly blobs: Blobs
  readonly processPool: ProcessPool
}

/**
 * Advances an evaluation: starts missing runs and, when all have ended, writes the report and passes the version through its gate. Each end
 * of a run adds a job for this; jobs may repeat after a crash, so every step is idempotent.
 */
export async function advanceEvaluation(parts: AdvanceParts, job: Job, signal: AbortSignal): Promise<void> {
  const place = { workspaceId: String(job.data['workspaceId']), id: String(job.data['id']) }
  const evaluation = await findEvaluation(parts.db, place)
  if (evaluation?.status !== 'running') return
  const counted = await countRuns(parts.db, place)
  if (counted.begun === evaluation.runsPlanned && counted.open > 0) return
  try {
    const plan = await findPlan(parts.db, place)
    if (!plan) return
    const version = await loadSkill(parts, { workspaceId: place.workspaceId, id: evaluation.skillId })
    const runs = await beginRuns(parts, { evaluation, plan, version, signal })
    const outcomes = await outcomesOf(parts, place.workspaceId, runs)
    if (!outcomes) return
    await writeReport(parts, { evaluation, plan, version, runs, outcomes, signal })
  } catch (error) {
    if (!(error instanceof Fault) || error.retryable || signal.aborted) throw error
    const end = { status: 'failed' as const, report: null, error: { code: error.code, message: error.message } }
    await endEvaluation(parts.db, { ...place, now: parts.clock.now() }, end)
  }
}

/** Starts the missing runs in order and returns all. */
async function beginRuns(
  parts: AdvanceParts,
  of: { evaluation: Evaluation; plan: EvaluationPlan; version: SkillVersion; signal: AbortSignal },
): Promise<readonly EvaluationRun[]> {
  const { evaluation, plan, version, signal } = of
  const begun = await listRuns(parts.db, evaluation)
  const armsWanted: readonly Arm[] = evaluation.beforeId === null ? ['with', 'without'] : ['with', 'without', 'before']
  const missing = plan.cases.flatMap((known, caseNumber) =>
    armsWanted
      .filter((arm) => !begun.some((run) => run.caseNumber === caseNumber && run.arm === arm))
      .map((arm) => ({ known, caseNumber, arm })),
  )
  const { workspaceId } = evaluation
  const itemOf = await bundleItems(parts, { version, cases: missing.map((one) => one.known), workspaceId, signal })
  for (const { known, caseNumber, arm } of missing) {
    const body = bodyOf({ evaluation, plan, version, known, arm, itemOf })
    const run = await beginRun(parts, { evaluation, plan, body, onceAs: `${caseNumber}:${arm}`, signal })
    await insertRun(parts.db, evaluation, { caseNumber, arm, ...run })
  }
  return missing.length === 0 ? begun : listRuns(parts.db, evaluation)
}

async function beginRun(
  parts: AdvanceParts,
  of: { evaluation: Evaluation; plan: EvaluationPlan; body: JsonObject; onceAs: string; signal: AbortSignal },
): Promise<Pick<EvaluationRun, 'executionId' | 'error'>> {
  const { evaluation, plan, body, signal } = of
  try {
    const executionId = await executeOnBehalf(parts, {
      workspaceId: evaluation.workspaceId,
      keyId: plan.keyId,
      body,
      onceAs: `evaluation ${evaluation.id} ${of.onceAs}`,
      evaluationId: evaluation.id,
      signal,
    })
    return { executionId, error: null }
  } catch (error) {
    const refused = refusalIn(error)
    if (!refused) throw error
    return { executionId: null, error: refused }
  }
}

/** One request: the same inputs, prompt, model and tier for each arm; with the skill, without it, or with its previous version. */
function bodyOf(of: {
  evaluation: Evaluation
  plan: EvaluationPlan
  version: SkillVersion
  known: KnownCase
  arm: Arm
  itemOf: (path: string) => Json
}): JsonObject {
  const { evaluation, plan, version, known, arm } = of
  const skillId = { with: evaluation.skillId, before: evaluation.beforeId, without: null }[arm]
  // Without the skill, its schema still names the fields: otherwise there would be nothing to compare.
  const schema = arm === 'without' ? version.facts.schema : null
  return {
    inputs: withItems(known.inputs, of.itemOf),
    ...(evaluation.model === null ? {} : { model: evaluation.model }),
    config: {
      ...(schema === null ? {} : { json_schema: schema }),
      ...known.config,
      ...(skillId === null ? {} : { skills: [{ type: 'skill_reference', skill_id: skillId }] }),
      ...(plan.maxCostMicros === null ? {} : { max_cost_dollars: dollarsOf(plan.maxCostMicros) }),
      service_tier: 'flex',
    },
  }
}

/** Files of the bundle as items of a request. */
export async function bundleItems(
  parts: AdvanceParts,
  of: { version: SkillVersion; cases: readonly KnownCase[]; workspaceId: string; signal: AbortSignal },
): Promise<(path: string) => Json> {
  const { workspaceId } = of
  const paths = [...new Set(of.cases.flatMap((known) => filesIn(known.inputs)))]
  if (paths.length === 0) return () => null
  const pinned = pinnedVersion(of.version, workspaceId)
  const bundle = await loadBundle(parts, { workspaceId, pinned, signal: of.signal })
  const items = new Map<string, Json>()
  for (const path of paths) {
    const bytes = await bundle.read(path, of.signal)
    const url = `data:application/octet-stream;base64,${Buffer.from(bytes).toString('base64')}`
    items.set(path, { type: 'file_url', file_url: { url } })
  }
  return (path) => items.get(path) ?? null
}

/** The ends of all runs by the id of their execution; undefined while one is unfinished. A paused run counts as ended. */
async function outcomesOf(
  { db }: Pick<AdvanceParts, 'db'>,
  workspaceId: string,
  runs: readonly EvaluationRun[],
): Promise<ReadonlyMap<string, Outcome> | undefined> {
  const ids = runs.flatMap((run) => run.executionId ?? [])
  const outcomes = await listOutcomes(db, { workspaceId, ids })
  if (outcomes.some((one) => !one.ended && one.status !== 'paused')) return undefined
  return new Map(outcomes.map((one) => [one.id, one]))
}

/** Judges all runs, writes the report, and passes the version through its gate. */
async function writeReport(
  parts: AdvanceParts,
  of: {
    evaluation: Evaluation
    plan: EvaluationPlan
    version: SkillVersion
    runs: readonly EvaluationRun[]
    outcomes: ReadonlyMap<string, Outcome>
    signal: AbortSignal
  },
): Promise<void> {
  const { evaluation, plan, version, runs, outcomes, signal } = of
  const { workspaceId } = evaluation
  if (runs.every(({ executionId }) => executionId !== null)) refuseUnpaid(plan, [...outcomes.values()])
  const judged: JudgedCase[] = []
  const isCopyOf = makeCopyFinder()
  for (const [caseNumber, known] of plan.cases.entries()) {
    const own = runs.filter((run) => run.caseNumber === caseNumber)
    const ends = own.map((run) => (run.executionId === null ? undefined : outcomes.get(run.executionId)))
    const pairs = ends.map((end) => [known.response, answerOf(end)] as const)
    const compared = await comparePairs(parts.processPool, pairs, { tooLarge: 'disagree', signal })
    const isCopy = await isCopyOf(known, await contentsOfInputs(parts.db, known.inputs, { workspaceId, version }))
    judged.push({ id: known.id, isCopy, runs: own.map((run, at) => judgedRun(run, ends[at], compared[at])) })
  }
  const report = reportOf(judged)
  const gate = await passGate(parts, evaluation, {
    report,
    beforeOutside: judged.flatMap((one) => one.runs).filter((run) => run.arm === 'before' && isOutside(run.error))
      .length,
  })
  await endEvaluation(
    parts.db,
    { ...evaluation, now: parts.clock.now() },
    { status: 'completed', report: { ...report, gate }, error: null },
  )
}

/** Throws where each run was paused before it ended, as it is at its cost limit: that says nothing of any version. */
function refuseUnpaid({ maxCostMicros }: EvaluationPlan, outcomes: readonly Outcome[]): void {
  if (maxCostMicros === null || outcomes.length === 0 || outcomes.some(({ status }) => status !== 'paused')) return
  throw new Fault(
    'invalid',
    'budget_too_small',
    `Each run was paused before it ended, at its limit of ${dollarsOf(maxCostMicros)} dollars, at a spent budget or by hand: evaluate again with a larger max_cost_dollars or budget`,
  )
}

/** A failed run has no answer, whatever was stored of it. */
const answerOf = (end: Outcome | undefined): Json => (end?.status === 'completed' ? end.response : null)

function judgedRun(run: EvaluationRun, end: Outcome | undefined, compared: AnswerComparison | undefined): JudgedRun {
  const completed = end?.status === 'completed'
  const fields = compared?.fields ?? []
  return {
    arm: run.arm,
    executionId: run.executionId,
    status: completed ? 'completed' : 'failed',
    error: completed ? null : (run.error?.code ?? end?.error ?? end?.status ?? 'deleted'),
    fields: completed ? fields : disagreeing(fields),
    costMicros: end?.costMicros ?? 0,
    durationMs: end?.durationMs ?? null,
  }
}

/** The gate's verdict on a report; a version of the workspace that passes becomes the latest. */
async function passGate(
  parts: AdvanceParts,
  evaluation: Evaluation,
  { report, beforeOutside }: { report: ReturnType<typeof reportOf>; beforeOutside: number },
): Promise<{ passed: boolean; because: string | null } | null> {
  const gate = readGate(evaluation.gate)
  if (gate === null) return null
  const because = refusedBy(gate, {
    cases: report.cases,
    casesLeftOut: await countLeftOut(parts, evaluation, report.cases),
    agreement: report.arms['with']?.agreement ?? 0,
    agreementBefore: report.arms['before']?.agreement ?? null,
    liftBefore: report.lift['before']?.lower ?? null,
    beforeOutside,
  })
  const { workspaceId, skillId: id, skillName: name } = evaluation
  if (because === undefined && evaluation.ownerId === workspaceId)
    await publishVersion(parts, { workspaceId, id, name })
  return { passed: because === undefined, because: because ?? null }
}

/** Cases that existed when the evaluation began and fit into it, but are not part of it. */
async function countLeftOut(parts: AdvanceParts, evaluation: Evaluation, cases: number): Promise<number> {
  const { workspaceId, skillId: id, createdAt } = evaluation
  const version = await loadSkill(parts, { workspaceId, id })
  const known = (await listKnownCases(parts, { workspaceId, version })).filter((one) => one.createdAt <= createdAt)
  return Math.max(Math.min(known.length, limits.evaluationCasesMax) - cases, 0)
}
