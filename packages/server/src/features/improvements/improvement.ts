import type { Json } from '@skillrun/core/json.ts'
import type { Micros } from '../../core/money.ts'
import type { KnownCase } from '../evaluations/evaluations.ts'
import type { CaseResult, ProposalVerdict } from './verdict.ts'

/** One attempt to improve the instructions of a skill version. */
export interface Improvement {
  readonly id: string
  readonly workspaceId: string
  readonly skillName: string
  /** The version that is improved. */
  readonly skillId: string
  readonly number: number
  readonly skillVersion: string
  readonly status: 'running' | 'completed' | 'failed' | 'cancelled'
  readonly keyId: string
  /** The model of the runs of the skill. */
  readonly model: string
  /** The engine behind it when the improvement began. */
  readonly answeredBy: string
  /** The model that writes the proposals. */
  readonly writer: string
  readonly budgetMicros: Micros
  readonly proposalsMax: number
  readonly trainingCases: number
  readonly judgingCases: number
  /** Why it ended with this result. */
  readonly outcome: { readonly code: ImprovementOutcome; readonly message: string } | null
  readonly error: { readonly code: string; readonly message: string } | null
  /** The version that was published. */
  readonly publishedId: string | null
  /** The engine that the published version was last compared under. */
  readonly comparedBy: string
  /** The evaluation that compared it after the route of its model changed. */
  readonly evaluationId: string | null
  readonly createdAt: Date
  readonly completedAt: Date | null
}

export type ImprovementOutcome =
  | 'published'
  | 'held'
  | 'nothing_better'
  | 'nothing_to_improve'
  | 'cannot_decide'
  | 'superseded'

/** The cases of an improvement. The model that writes proposals sees those for training only. */
export interface CasePlan {
  readonly training: readonly KnownCase[]
  readonly judging: readonly KnownCase[]
}

/** Instructions that a model proposed; number 0 stands for the version itself. */
export interface Proposal {
  readonly number: number
  /** What each of its runs may cost. */
  readonly runMicros: Micros
  readonly instructions: string | null
  /** What the model changed, in its own words. */
  readonly summary: string | null
  readonly verdict: ProposalVerdict | 'duplicate' | 'failed' | null
  readonly error: { readonly code: string; readonly message: string } | null
  /** Its results by case; null until judged. */
  readonly results: readonly CaseResult[] | null
}

export const runKinds = ['training', 'judging', 'writing'] as const
export type RunKind = (typeof runKinds)[number]

export interface ImprovementRun {
  /** The number of the proposal. */
  readonly number: number
  readonly kind: RunKind
  readonly caseNumber: number
  /** Null: it could not start. */
  readonly executionId: string | null
  readonly error: { readonly code: string; readonly message: string } | null
}

/** How an improvement ends. */
export type End =
  | {
      readonly status: 'completed'
      readonly outcome: NonNullable<Improvement['outcome']>
      readonly publishedId?: string
    }
  | { readonly status: 'failed'; readonly error: { readonly code: string; readonly message: string } }
  | { readonly status: 'cancelled' }

/** A place of an improvement. */
export interface ImprovementPlace {
  readonly workspaceId: string
  readonly id: string
}

export const asText = (value: Json | undefined): string | undefined =>
  typeof value === 'string' && value.trim() !== '' && !value.includes('\u0000') ? value.trim() : undefined

/** The end of an improvement with this outcome. */
export const completed = (code: ImprovementOutcome, message: string, publishedId?: string): End => ({
  status: 'completed',
  outcome: { code, message },
  ...(publishedId === undefined ? {} : { publishedId }),
})
