import { Fault } from '@skillrun/core/fault.ts'
import type { Job } from '../../adapters/queue/queue.ts'
import { dollarsOf } from '../../core/money.ts'
import { bundleItems } from '../evaluations/evaluations.ts'
import { type Outcome, paidFor } from '../executions/executions.ts'
import { cancelRuns } from './begin.ts'
import { isVoid, mistakesOf, resultsOf } from './case-results.ts'
import { beginRun, beginRuns, bundleOf } from './case-runs.ts'
import {
  completed,
  type End,
  type Improvement,
  type ImprovementPlace,
  type ImprovementRun,
  type Proposal,
} from './improvement.ts'
import { type AdvanceImprovementParts, type ImprovementState, loadState } from './improvement-state.ts'
import { publish } from './publish.ts'
import { endImprovement, insertProposal, judgeProposal, writeProposal } from './store.ts'
import { type CaseResult, couldDecide, judgingCasesMin, verdictOf } from './verdict.ts'
import { type Mistake, proposalRequest, writtenIn } from './writing.ts'

/**
 * Advances an improvement: runs the version itself on all cases; then, for each proposal, has a model write it from the training cases that
 * failed and runs it on the judging cases; in the end publishes the best proposal, if one is better than the version. Each end of a run adds
 * a job that calls this. It finds out from the database what is done, so a job may be repeated after a crash.
 */
export async function advanceImprovement(parts: AdvanceImprovementParts, job: Job, signal: AbortSignal): Promise<void> {
  const place: ImprovementPlace = { workspaceId: String(job.data['workspaceId']), id: String(job.data['id']) }
  try {
    for (;;) {
      const state = await loadState(parts, place, signal)
      if (!state) return
      const step = await nextStep(parts, state)
      if (step === 'wait') return
      if (step !== 'continue') return await end(parts, place, step)
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

/** Does the next step; `wait`: a run or the publication must end first. */
async function nextStep(parts: AdvanceImprovementParts, state: ImprovementState): Promise<'continue' | 'wait' | End> {
  const { improvement } = state
  const engine = parts.intake.models.route(improvement.model).engine
  if (engine !== improvement.answeredBy)
    throw new Fault(
      'conflict',
      'model_changed',
      `${improvement.model} is now answered by ${engine}, no longer by ${improvement.answeredBy}: results of both cannot be compared, so start again`,
    )
  if ([...state.outcomes.values()].some(({ isPausedByKey }) => isPausedByKey)) return dayIsSpent
  const base = state.proposals.find(({ number }) => number === 0)
  if (!base) return beginProposal(parts, state, 0)
  if (base.results === null) return runVersion(parts, state, base)
  const before = base.results
  refuseUnusable(state)
  const mistakes = await mistakesOf(parts, state)
  if (mistakes.length === 0)
    return completed(
      'nothing_to_improve',
      'Every case to learn from was answered correctly: there is nothing to improve',
    )
  const judged = before.filter((one) => !one.isVoid)
  const of = { proposals: improvement.proposalsMax }
  if (!couldDecide(before, of)) return cannotDecide(judged, improvement)
  const written = state.proposals.filter(({ number }) => number > 0)
  const open = written.find(({ verdict }) => verdict === null)
  if (open)
    return open.instructions === null ? write(parts, state, { open, mistakes }) : judge(parts, state, { open, before })
  if (written.length < improvement.proposalsMax) return beginProposal(parts, state, written.length + 1)
  return publishBest(parts, state, before)
}

/** Throws if none of the training cases, or none of the judging cases, could be run for reasons outside of the skill. */
function refuseUnusable({ runs, outcomes }: ImprovementState): void {
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
async function beginProposal(
  { db }: AdvanceImprovementParts,
  state: ImprovementState,
  number: number,
): Promise<'continue' | End> {
  const { improvement, plan, runs } = state
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
  return 'continue'
}

const dayIsSpent: End = {
  status: 'failed',
  error: {
    code: 'budget_spent',
    message:
      'The daily budget of the key that started the improvement is spent, so its runs were paused. Improve the skill again on another day (UTC), or with a key that has a larger budget',
  },
}

const tooSmall = ({ budgetMicros, proposalsMax }: Improvement): Fault =>
  new Fault(
    'invalid',
    'budget_too_small',
    `max_cost_dollars: ${dollarsOf(budgetMicros)} dollars are too few for these cases and ${proposalsMax} proposals; give more, or ask for fewer proposals`,
  )

/** Runs the version on all cases. */
async function runVersion(
  parts: AdvanceImprovementParts,
  state: ImprovementState,
  base: Proposal,
): Promise<'continue'> {
  const { plan, version, runs, outcomes } = state
  const bundle = await bundleOf(parts, state, null)
  const begun = [
    await beginRuns(parts, state, { proposal: base, kind: 'training', cases: plan.training, bundle }),
    await beginRuns(parts, state, { proposal: base, kind: 'judging', cases: plan.judging, bundle }),
  ]
  if (begun.includes('begun')) return 'continue'
  if (runs.some((run) => run.executionId !== null && outcomes.get(run.executionId)?.status === 'paused'))
    throw new Fault(
      'invalid',
      'budget_too_small',
      `A run of version ${version.number} costs more than ${dollarsOf(base.runMicros)} dollars, the share of each planned run; give a larger max_cost_dollars, or ask for fewer proposals`,
    )
  const results = await resultsOf(parts, state, base.number)
  await judgeProposal(parts.db, state.improvement, { number: 0, verdict: null, error: null, results })
  return 'continue'
}

/** Has the model write a proposal. */
async function write(
  parts: AdvanceImprovementParts,
  state: ImprovementState,
  { open, mistakes }: { open: Proposal; mistakes: readonly Mistake[] },
): Promise<'continue'> {
  const { improvement, version, plan, proposals, runs, outcomes, signal } = state
  const run = runs.find((one) => one.number === open.number && one.kind === 'writing')
  if (!run) {
    const earlier = proposals.filter((one) => one.number > 0 && one.number < open.number)
    const { workspaceId } = improvement
    const itemOf = await bundleItems(parts, { version, cases: plan.training, workspaceId, signal })
    const { writer } = improvement
    const request = proposalRequest({ writer, instructions: version.facts.instructions, mistakes, earlier, itemOf })
    await beginRun(parts, state, { proposal: open, kind: 'writing', caseNumber: 0, request })
    return 'continue'
  }
  const outcome = run.executionId === null ? undefined : outcomes.get(run.executionId)
  const written = outcome?.status === 'completed' ? writtenIn(outcome.response) : undefined
  await writeProposal(parts.db, improvement, {
    number: open.number,
    ...(written ? await checked(parts, state, written) : notWritten(run, outcome)),
  })
  return 'continue'
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
  state: ImprovementState,
  written: { instructions: string; summary: string | null },
) {
  const known = [state.version.facts.instructions, ...state.proposals.map(({ instructions }) => instructions)]
  const isKnown = known.some((one) => one?.trim() === written.instructions)
  try {
    await bundleOf(parts, state, written.instructions)
    return { ...written, verdict: isKnown ? ('duplicate' as const) : null, error: null }
  } catch (error) {
    if (!(error instanceof Fault) || error.retryable) throw error
    return { ...written, verdict: 'failed' as const, error: { code: error.code, message: error.message } }
  }
}

/** Runs a proposal on the judging cases and compares it with the version. */
async function judge(
  parts: AdvanceImprovementParts,
  state: ImprovementState,
  { open, before }: { open: Proposal; before: readonly CaseResult[] },
): Promise<'continue'> {
  const { improvement, plan, runs, outcomes } = state
  const bundle = await bundleOf(parts, state, open.instructions)
  if ((await beginRuns(parts, state, { proposal: open, kind: 'judging', cases: plan.judging, bundle })) === 'begun')
    return 'continue'
  const results = await resultsOf(parts, state, open.number)
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
  return 'continue'
}

/** Publishes the best proposal of those that are better. */
async function publishBest(
  parts: AdvanceImprovementParts,
  state: ImprovementState,
  before: readonly CaseResult[],
): Promise<'wait' | End> {
  const { improvement } = state
  const of = { proposals: improvement.proposalsMax }
  const [best] = state.proposals
    .filter(({ verdict }) => verdict === 'better')
    .map((one) => ({ one, lift: verdictOf({ before, after: one.results ?? [] }, of).lift }))
    .toSorted((left, right) => right.lift.lower - left.lift.lower)
  if (!best)
    return completed(
      'nothing_better',
      'No proposal was shown to be better than the version: nothing is published, and the proposals are kept here',
    )
  const bundle = await bundleOf(parts, state, best.one.instructions)
  await publish(parts, { improvement, version: state.version, bundle, number: best.one.number, signal: state.signal })
  await cancelRuns(parts, improvement)
  return 'wait'
}
