import { Fault } from '@skillrun/core/fault.ts'
import type { Json, JsonObject } from '@skillrun/core/json.ts'
import type { Blobs } from '../../adapters/blobs/blobs.ts'
import { ValidationFailure } from '../../adapters/http/validation.ts'
import type { ProcessPool } from '../../adapters/process-pool/process-pool.ts'
import type { Job } from '../../adapters/queue/queue.ts'
import { type AnswerComparison, comparePairs } from '../../agent/compare-answers.ts'
import { dollarsOf } from '../../core/money.ts'
import { bundleItems, disagreeing, isOutside, type KnownCase, withItems } from '../evaluations/evaluations.ts'
import { type CreateParts, executeOnBehalf, listOutcomes, type Outcome, paidFor } from '../executions/executions.ts'
import { bundleTerms, type CheckedBundle, loadSkill, reviseBundleJob, type SkillVersion } from '../skills/skills.ts'
import { cancelIfRunning, cancelRuns } from './begin.ts'
import {
  type CasePlan,
  completed,
  type End,
  type Improvement,
  type ImprovementPlace,
  type ImprovementRun,
  type Proposal,
  type RunKind,
} from './improvement.ts'
import { publish } from './publish.ts'
import {
  endImprovement,
  findCasePlan,
  findImprovement,
  insertImprovementRun,
  insertProposal,
  judgeProposal,
  listImprovementRuns,
  listProposals,
  writeProposal,
} from './store.ts'
import { type CaseResult, couldDecide, judgingCasesMin, verdictOf } from './verdict.ts'
import { type Mistake, proposalRequest, writtenIn } from './writing.ts'

export interface AdvanceImprovementParts extends CreateParts {
  readonly blobs: Blobs
  readonly processPool: ProcessPool
  readonly storageBytesMax?: number
}

/** What one job works with: the state of the improvement when it began. */
interface Now {
  readonly improvement: Improvement
  readonly version: SkillVersion
  readonly plan: CasePlan
  readonly proposals: readonly Proposal[]
  readonly runs: readonly ImprovementRun[]
  readonly outcomes: ReadonlyMap<string, Outcome>
  readonly signal: AbortSignal
}

/**
 * Advances an improvement. It first runs the version itself on all cases. Then, for each proposal: a model writes it from the training cases
 * that failed, and it runs on the judging cases. In the end the best of those that are better is published. Each end of a run adds a job for this; a
 * job does the next thing that is missing in the database, so that jobs may repeat after a crash.
 */
export async function advanceImprovement(parts: AdvanceImprovementParts, job: Job, signal: AbortSignal): Promise<void> {
  const place: ImprovementPlace = { workspaceId: String(job.data['workspaceId']), id: String(job.data['id']) }
  try {
    for (;;) {
      const now = await lookAt(parts, place, signal)
      if (!now) return
      const step = await nextStep(parts, now)
      if (step === 'waits') return
      if (step !== 'goes on') return await end(parts, place, step)
    }
  } catch (error) {
    if (!(error instanceof Fault) || error.retryable || signal.aborted) throw error
    await end(parts, place, { status: 'failed', error: { code: error.code, message: error.message } })
  }
}

/** Ends the improvement and its runs: those that paused at their cost limit would wait forever. */
async function end(parts: AdvanceImprovementParts, place: ImprovementPlace, to: End): Promise<void> {
  await endImprovement(parts.db, { ...place, now: parts.clock.now() }, to)
  await cancelRuns(parts, place)
}

/** Undefined: it has ended, or one of its runs has not. */
async function lookAt(
  parts: AdvanceImprovementParts,
  place: ImprovementPlace,
  signal: AbortSignal,
): Promise<Now | undefined> {
  const improvement = await findImprovement(parts.db, place)
  if (improvement?.status !== 'running') return undefined
  const runs = await listImprovementRuns(parts.db, place)
  const ids = runs.flatMap(({ executionId }) => executionId ?? [])
  const outcomes = await listOutcomes(parts.db, { workspaceId: place.workspaceId, ids })
  if (outcomes.some((one) => !one.ended && one.status !== 'paused')) return undefined
  const plan = await findCasePlan(parts.db, place)
  if (!plan) return undefined
  return {
    improvement,
    plan,
    runs,
    signal,
    version: await loadSkill(parts, { workspaceId: place.workspaceId, id: improvement.skillId }),
    proposals: await listProposals(parts.db, place),
    outcomes: new Map(outcomes.map((one) => [one.id, one])),
  }
}

async function nextStep(parts: AdvanceImprovementParts, now: Now): Promise<'goes on' | 'waits' | End> {
  const { improvement } = now
  const engine = parts.intake.models.route(improvement.model).engine
  if (engine !== improvement.answeredBy)
    throw new Fault(
      'conflict',
      'model_changed',
      `${improvement.model} is now answered by ${engine}, no longer by ${improvement.answeredBy}: results of both cannot be compared, so start again`,
    )
  const base = now.proposals.find(({ number }) => number === 0)
  if (!base) return begin(parts, now, 0)
  if (base.results === null) return runVersion(parts, now, base)
  const before = base.results
  refuseUnusable(now)
  const mistakes = await mistakesOf(parts, now)
  if (mistakes.length === 0)
    return completed(
      'nothing_to_improve',
      'Every case to learn from was answered correctly: there is nothing to improve',
    )
  const judged = before.filter((one) => !one.isVoid)
  const of = { proposals: improvement.proposalsMax }
  if (!couldDecide(before, of)) return cannotDecide(judged, improvement)
  const written = now.proposals.filter(({ number }) => number > 0)
  const open = written.find(({ verdict }) => verdict === null)
  if (open)
    return open.instructions === null ? write(parts, now, { open, mistakes }) : judge(parts, now, { open, before })
  if (written.length < improvement.proposalsMax) return begin(parts, now, written.length + 1)
  return settle(parts, now, before)
}

/** Throws when no case of a half says anything about the version: its runs did not start, or failed for reasons outside. */
function refuseUnusable({ runs, outcomes }: Now): void {
  for (const [kind, aim] of [
    ['training', 'to learn from'],
    ['judging', 'to judge by'],
  ] as const) {
    const own = runs.filter((run) => run.number === 0 && run.kind === kind)
    const ends = own.map((run) => ({ run, outcome: outcomes.get(run.executionId ?? '') }))
    if (ends.some(({ run, outcome }) => !isVoid(run, outcome))) continue
    const [first] = ends
    throw new Fault(
      'conflict',
      'cases_failed',
      `None of the ${own.length} cases ${aim} could be run, for reasons outside of the skill: ${first?.run.error?.message ?? first?.outcome?.error ?? 'the runs were deleted'}`,
    )
  }
}

function cannotDecide(judged: readonly CaseResult[], { proposalsMax }: Improvement): End {
  const right = judged.filter(({ agreed, fields }) => agreed === fields).length
  return completed(
    'cannot_decide',
    `${right} of the ${judged.length} cases to judge by were answered correctly already: with so few mistakes, even perfect instructions could not be shown to be better. At least ${judgingCasesMin(proposalsMax)} cases to judge by must have mistakes; add cases that fail`,
  )
}

/** Begins the version (0) or a proposal: what is left of the budget is shared among all runs that are still planned. */
async function begin({ db }: AdvanceImprovementParts, now: Now, number: number): Promise<'goes on' | End> {
  const { improvement, plan, runs } = now
  const ids = runs.flatMap(({ executionId }) => executionId ?? [])
  const spent = await paidFor(db, { workspaceId: improvement.workspaceId, ids })
  const perProposal = 1 + plan.judging.length
  const planned =
    number === 0
      ? plan.training.length + plan.judging.length + improvement.proposalsMax * perProposal
      : (improvement.proposalsMax - number + 1) * perProposal
  const runMicros = Math.floor((improvement.budgetMicros - spent) / planned)
  if (runMicros < 1) throw tooSmall(improvement)
  await insertProposal(db, improvement, { number, runMicros })
  return 'goes on'
}

const tooSmall = ({ budgetMicros, proposalsMax }: Improvement): Fault =>
  new Fault(
    'invalid',
    'budget_too_small',
    `max_cost_dollars: ${dollarsOf(budgetMicros)} dollars are too few for these cases and ${proposalsMax} proposals; give more, or ask for fewer proposals`,
  )

/** Runs the version on all cases. */
async function runVersion(parts: AdvanceImprovementParts, now: Now, base: Proposal): Promise<'goes on'> {
  const { plan, version, runs, outcomes } = now
  const bundle = await bundleOf(parts, now, null)
  const begun = [
    await beginRuns(parts, now, { proposal: base, kind: 'training', cases: plan.training, bundle }),
    await beginRuns(parts, now, { proposal: base, kind: 'judging', cases: plan.judging, bundle }),
  ]
  if (begun.includes('begun')) return 'goes on'
  if (runs.some((run) => run.executionId !== null && outcomes.get(run.executionId)?.status === 'paused'))
    throw new Fault(
      'invalid',
      'budget_too_small',
      `A run of version ${version.number} costs more than ${dollarsOf(base.runMicros)} dollars, the share of each planned run; give a larger max_cost_dollars, or ask for fewer proposals`,
    )
  const results = await resultsOf(parts, now, base.number)
  await judgeProposal(parts.db, now.improvement, { number: 0, verdict: null, error: null, results })
  return 'goes on'
}

/** The training cases that the version answered wrongly. */
async function mistakesOf(parts: AdvanceImprovementParts, now: Now): Promise<readonly Mistake[]> {
  const { plan, runs, outcomes, signal } = now
  const own = plan.training.flatMap((known, caseNumber) => {
    const run = runs.find((one) => one.number === 0 && one.kind === 'training' && one.caseNumber === caseNumber)
    const outcome = run?.executionId ? outcomes.get(run.executionId) : undefined
    return run && !isVoid(run, outcome) ? [{ known, outcome }] : []
  })
  const pairs = own.map(({ known, outcome }) => [known.response, answerOf(outcome)] as const)
  const compared = await comparePairs(parts.processPool, pairs, { tooLarge: 'disagree', signal })
  return own.flatMap(({ known, outcome }, at): Mistake[] => {
    const { fields = [], agreed = 0 } = compared[at] ?? {}
    const failed = outcome?.status !== 'completed'
    if (!failed && agreed === fields.length) return []
    return [{ known, compared: { fields, agreed }, error: failed ? (outcome?.error ?? 'failed') : null }]
  })
}

/** Has the model write a proposal. */
async function write(
  parts: AdvanceImprovementParts,
  now: Now,
  { open, mistakes }: { open: Proposal; mistakes: readonly Mistake[] },
): Promise<'goes on'> {
  const { improvement, version, plan, proposals, runs, outcomes, signal } = now
  const run = runs.find((one) => one.number === open.number && one.kind === 'writing')
  if (!run) {
    const earlier = proposals.filter((one) => one.number > 0 && one.number < open.number)
    const { workspaceId } = improvement
    const itemOf = await bundleItems(parts, { version, cases: plan.training, workspaceId, signal })
    const { writer } = improvement
    const request = proposalRequest({ writer, instructions: version.facts.instructions, mistakes, earlier, itemOf })
    await beginRun(parts, now, { proposal: open, kind: 'writing', caseNumber: 0, request })
    return 'goes on'
  }
  const outcome = run.executionId === null ? undefined : outcomes.get(run.executionId)
  const written = outcome?.status === 'completed' ? writtenIn(outcome.response) : undefined
  await writeProposal(parts.db, improvement, {
    number: open.number,
    ...(written ? await checked(parts, now, written) : notWritten(run, outcome)),
  })
  return 'goes on'
}

const notWritten = (run: ImprovementRun, outcome: Outcome | undefined) => ({
  instructions: null,
  summary: null,
  verdict: 'failed' as const,
  error: {
    code: run.error?.code ?? outcome?.error ?? (outcome?.status === 'paused' ? 'cost_limit' : 'not_written'),
    message: run.error?.message ?? 'The model wrote no instructions',
  },
})

/** Written instructions with what is wrong with them, if anything. */
async function checked(
  parts: AdvanceImprovementParts,
  now: Now,
  written: { instructions: string; summary: string | null },
) {
  const known = [now.version.facts.instructions, ...now.proposals.map(({ instructions }) => instructions)]
  const isKnown = known.some((one) => one?.trim() === written.instructions)
  try {
    await bundleOf(parts, now, written.instructions)
    return { ...written, verdict: isKnown ? ('duplicate' as const) : null, error: null }
  } catch (error) {
    if (!(error instanceof Fault) || error.retryable) throw error
    return { ...written, verdict: 'failed' as const, error: { code: error.code, message: error.message } }
  }
}

/** Runs a proposal on the judging cases and compares it with the version. */
async function judge(
  parts: AdvanceImprovementParts,
  now: Now,
  { open, before }: { open: Proposal; before: readonly CaseResult[] },
): Promise<'goes on'> {
  const { improvement, plan, runs, outcomes } = now
  const bundle = await bundleOf(parts, now, open.instructions)
  if ((await beginRuns(parts, now, { proposal: open, kind: 'judging', cases: plan.judging, bundle })) === 'begun')
    return 'goes on'
  const results = await resultsOf(parts, now, open.number)
  const isPaused = runs.some(
    (run) =>
      run.number === open.number && run.executionId !== null && outcomes.get(run.executionId)?.status === 'paused',
  )
  const { verdict } = verdictOf({ before, after: results }, { proposals: improvement.proposalsMax })
  const error = isPaused
    ? {
        code: 'cost_limit',
        message: `A run costs more than ${dollarsOf(open.runMicros)} dollars, its share of the budget`,
      }
    : null
  await judgeProposal(parts.db, improvement, {
    number: open.number,
    verdict: isPaused ? 'failed' : verdict,
    error,
    results,
  })
  return 'goes on'
}

/** Publishes the best proposal of those that are better. */
async function settle(parts: AdvanceImprovementParts, now: Now, before: readonly CaseResult[]): Promise<'waits' | End> {
  const { improvement } = now
  const of = { proposals: improvement.proposalsMax }
  const [best] = now.proposals
    .filter(({ verdict }) => verdict === 'better')
    .map((one) => ({ one, lift: verdictOf({ before, after: one.results ?? [] }, of).lift }))
    .toSorted((left, right) => right.lift.lower - left.lift.lower)
  if (!best)
    return completed(
      'nothing_better',
      'No proposal was shown to be better than the version: nothing is published, and the proposals are kept here',
    )
  const bundle = await bundleOf(parts, now, best.one.instructions)
  await publish(parts, { improvement, version: now.version, bundle, number: best.one.number, signal: now.signal })
  await cancelRuns(parts, improvement)
  return 'waits'
}

/** The bundle of the version, with other instructions if given. */
function bundleOf(
  { blobs, processPool }: AdvanceImprovementParts,
  { improvement, version, signal }: Now,
  instructions: string | null,
): Promise<CheckedBundle> {
  const share = { group: improvement.workspaceId, rank: 2 }
  const changes = { description: null, prompt: instructions, schema: null }
  return blobs.localPath(version.zipSha256, (path) =>
    processPool.run(reviseBundleJob, { path, ...changes }, { ...bundleTerms, signal, share }),
  )
}

/** Starts the runs of cases that are missing. */
async function beginRuns(
  parts: AdvanceImprovementParts,
  now: Now,
  of: { proposal: Proposal; kind: 'training' | 'judging'; cases: readonly KnownCase[]; bundle: CheckedBundle },
): Promise<'begun' | 'complete'> {
  const { improvement, version, runs, signal } = now
  const missing = of.cases.flatMap((known, caseNumber) =>
    runs.some((run) => run.number === of.proposal.number && run.kind === of.kind && run.caseNumber === caseNumber)
      ? []
      : [{ known, caseNumber }],
  )
  if (missing.length === 0) return 'complete'
  const { workspaceId } = improvement
  const itemOf = await bundleItems(parts, { version, cases: missing.map(({ known }) => known), workspaceId, signal })
  const data = Buffer.from(of.bundle.zip).toString('base64')
  const source = { type: 'base64', media_type: 'application/zip', data }
  for (const { known, caseNumber } of missing) {
    const request = {
      model: improvement.model,
      inputs: withItems(known.inputs, itemOf),
      config: { ...known.config, skills: [{ type: 'inline', name: version.name, source }] },
    }
    await beginRun(parts, now, { proposal: of.proposal, kind: of.kind, caseNumber, request })
  }
  return 'begun'
}

async function beginRun(
  parts: AdvanceImprovementParts,
  { improvement, signal }: Now,
  of: { proposal: Proposal; kind: RunKind; caseNumber: number; request: JsonObject },
): Promise<void> {
  const { workspaceId, id, keyId } = improvement
  const { proposal, kind, caseNumber, request } = of
  const limited = { max_cost_dollars: dollarsOf(proposal.runMicros), service_tier: 'flex' }
  const body = { ...request, config: { ...(request['config'] as JsonObject), ...limited } }
  const onceAs = `improvement ${id} ${proposal.number}:${kind}:${caseNumber}`
  const begun = await executeOnBehalf(parts, { workspaceId, keyId, body, onceAs, evaluationId: id, signal }).then(
    (executionId) => ({ executionId, error: null }),
    (error: unknown) => ({ executionId: null, error: refusalOf(error) }),
  )
  const isRunning = await insertImprovementRun(parts.db, improvement, {
    number: proposal.number,
    kind,
    caseNumber,
    ...begun,
  })
  if (!isRunning && begun.executionId !== null) await cancelIfRunning(parts, { workspaceId, id: begun.executionId })
}

/** Why a run cannot start, ever; throws what may pass. */
function refusalOf(error: unknown): { code: string; message: string } {
  if (error instanceof ValidationFailure) return { code: 'invalid', message: error.details[0]?.msg ?? error.message }
  if (!(error instanceof Fault) || error.retryable) throw error
  return { code: error.code, message: error.message }
}

async function resultsOf(parts: AdvanceImprovementParts, now: Now, number: number): Promise<readonly CaseResult[]> {
  const { plan, runs, outcomes, signal } = now
  const own = plan.judging.map((known, caseNumber) => {
    const run = runs.find((one) => one.number === number && one.kind === 'judging' && one.caseNumber === caseNumber)
    return { known, run, outcome: run?.executionId ? outcomes.get(run.executionId) : undefined }
  })
  const pairs = own.map(({ known, outcome }) => [known.response, answerOf(outcome)] as const)
  const compared = await comparePairs(parts.processPool, pairs, { tooLarge: 'disagree', signal })
  return own.map(({ known, run, outcome }, at) => resultOf({ known, run, outcome, compared: compared[at] }))
}

function resultOf(of: {
  known: KnownCase
  run: ImprovementRun | undefined
  outcome: Outcome | undefined
  compared: AnswerComparison | undefined
}): CaseResult {
  const { known, run, outcome, compared } = of
  const isAnswered = outcome?.status === 'completed'
  const fields = isAnswered ? (compared?.fields ?? []) : disagreeing(compared?.fields ?? [])
  return {
    caseId: known.id,
    executionId: run?.executionId ?? null,
    agreed: fields.filter(({ agrees }) => agrees).length,
    fields: fields.length,
    error: isAnswered ? null : (run?.error?.code ?? outcome?.error ?? outcome?.status ?? 'deleted'),
    isVoid: isVoid(run, outcome),
  }
}

/** A failed run has no answer, whatever was stored of it. */
const answerOf = (outcome: Outcome | undefined): Json => (outcome?.status === 'completed' ? outcome.response : null)

/** Whether a run says nothing about the instructions: it did not start, is gone, or failed for a reason outside. */
const isVoid = (run: ImprovementRun | undefined, outcome: Outcome | undefined): boolean =>
  !run?.executionId || !outcome || isOutside(outcome.error ?? outcome.status)
