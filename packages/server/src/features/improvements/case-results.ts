import type { Json } from '@skillrun/core/json.ts'
import { type AnswerComparison, comparePairs } from '../../agent/compare-answers.ts'
import { disagreeing, isOutside, type KnownCase } from '../evaluations/evaluations.ts'
import type { Outcome } from '../executions/executions.ts'
import type { ImprovementRun } from './improvement.ts'
import type { AdvanceImprovementParts, ImprovementState } from './improvement-state.ts'
import type { CaseResult } from './verdict.ts'
import type { Mistake } from './writing.ts'

/** The training cases that the version answered wrongly. */
export async function mistakesOf(parts: AdvanceImprovementParts, state: ImprovementState): Promise<readonly Mistake[]> {
  const { plan, runs, outcomes, signal } = state
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

/** The results of a proposal, or of the version (0), on the judging cases. */
export async function resultsOf(
  parts: AdvanceImprovementParts,
  state: ImprovementState,
  number: number,
): Promise<readonly CaseResult[]> {
  const { plan, runs, outcomes, signal } = state
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

/** Whether a run says nothing about the instructions: it did not start, was deleted, or failed for a reason outside of the skill. */
export const isVoid = (run: ImprovementRun | undefined, outcome: Outcome | undefined): boolean =>
  !run?.executionId || !outcome || isOutside(outcome.error ?? outcome.status)
