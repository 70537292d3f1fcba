import { liftOf } from '../evaluations/evaluations.ts'

/**
 * The probability that an improvement publishes anything that is not better, over all its proposals and all looks. Each proposal gets an
 * equal share of it (Bonferroni), so that many proposals do not make a lucky one likely.
 */
export const wrongPublicationMax = 0.025

export type ProposalVerdict = 'better' | 'worse' | 'undecided'

/** How many fields of one case a version got right. */
export interface CaseResult {
  readonly caseId: string
  readonly executionId: string | null
  readonly agreed: number
  readonly fields: number
  /** Why there is no answer. */
  readonly error: string | null
  /** The run failed for a reason outside of the skill: it says nothing about it. */
  readonly isVoid: boolean
}

export const confidenceFor = (proposals: number): number => 1 - wrongPublicationMax / proposals

const shareOf = ({ agreed, fields }: CaseResult): number => (fields === 0 ? 1 : agreed / fields)

/**
 * The lift of a proposal over the version on the cases that both answered, and what follows from it. Instructions may be why a run fails outside (an answer
 * without end, content that the provider refuses), so a better one must be better even if what it did not answer is wrong.
 */
export function verdictOf(
  { before, after }: { before: readonly CaseResult[]; after: readonly CaseResult[] },
  { proposals }: { proposals: number },
) {
  const pairs = after.flatMap((own) => {
    const other = before.find(({ caseId }) => caseId === own.caseId)
    return other && !other.isVoid ? [{ own, was: shareOf(other) }] : []
  })
  const answered = pairs.flatMap(({ own, was }) => (own.isVoid ? [] : [shareOf(own) - was]))
  const lift = liftOf(answered, confidenceFor(proposals))
  const least = liftOf(
    [...answered, ...pairs.flatMap(({ own, was }) => (own.isVoid ? [-was] : []))],
    confidenceFor(proposals),
  )
  const verdict: ProposalVerdict = lift.lower > 0 && least.lower > 0 ? 'better' : lift.upper < 0 ? 'worse' : 'undecided'
  return { lift, verdict }
}

/** Whether a proposal that got every field right would be found better: if not, there is no use in trying any. */
export const couldDecide = (before: readonly CaseResult[], of: { proposals: number }): boolean =>
  verdictOf({ before, after: before.map((one) => ({ ...one, agreed: one.fields })) }, of).verdict === 'better'

/** The fewest cases that can show a proposal to be better: with each of them wrong before and right after. */
export function judgingCasesMin(proposals: number): number {
  let cases = 1
  while (
    liftOf(
      Array.from({ length: cases }, () => 1),
      confidenceFor(proposals),
    ).lower <= 0
  )
    cases += 1
  return cases
}
