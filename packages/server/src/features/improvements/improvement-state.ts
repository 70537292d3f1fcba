import type { Blobs } from '../../adapters/blobs/blobs.ts'
import type { ProcessPool } from '../../adapters/process-pool/process-pool.ts'
import { type CreateParts, listOutcomes, type Outcome } from '../executions/executions.ts'
import { loadSkill, type SkillVersion } from '../skills/skills.ts'
import type { CasePlan, Improvement, ImprovementPlace, ImprovementRun, Proposal } from './improvement.ts'
import { findCasePlan, findImprovement, listImprovementRuns, listProposals } from './store.ts'

export interface AdvanceImprovementParts extends CreateParts {
  readonly blobs: Blobs
  readonly processPool: ProcessPool
  readonly storageBytesMax?: number
}

/** The state of an improvement when a step of it begins. */
export interface ImprovementState {
  readonly improvement: Improvement
  readonly version: SkillVersion
  readonly plan: CasePlan
  readonly proposals: readonly Proposal[]
  readonly runs: readonly ImprovementRun[]
  readonly outcomes: ReadonlyMap<string, Outcome>
  readonly signal: AbortSignal
}

/** The state of an improvement; undefined if it has ended, or one of its runs has not. */
export async function loadState(
  parts: AdvanceImprovementParts,
  place: ImprovementPlace,
  signal: AbortSignal,
): Promise<ImprovementState | undefined> {
  const improvement = await findImprovement(parts.db, place)
  if (improvement?.status !== 'running') return undefined
  const runs = await listImprovementRuns(parts.db, place)
  const ids = runs.flatMap(({ executionId }) => executionId ?? [])
  const outcomes = await listOutcomes(parts.db, { workspaceId: place.workspaceId, ids })
  if (outcomes.some((one) => one.isWaiting || (!one.ended && one.status !== 'paused'))) return undefined
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
