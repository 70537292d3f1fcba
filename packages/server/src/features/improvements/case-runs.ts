import type { JsonObject } from '@skillrun/core/json.ts'
import { refusalIn } from '../../adapters/http/validation.ts'
import { dollarsOf } from '../../core/money.ts'
import { bundleItems, type KnownCase, withItems } from '../evaluations/evaluations.ts'
import { executeOnBehalf } from '../executions/executions.ts'
import { bundleTerms, type CheckedBundle, reviseBundleJob } from '../skills/skills.ts'
import { cancelIfRunning } from './begin.ts'
import type { Proposal, RunKind } from './improvement.ts'
import type { AdvanceImprovementParts, ImprovementState } from './improvement-state.ts'
import { insertImprovementRun } from './store.ts'

/** The bundle of the version, with other instructions if given. */
export function bundleOf(
  { blobs, processPool }: AdvanceImprovementParts,
  { improvement, version, signal }: ImprovementState,
  instructions: string | null,
): Promise<CheckedBundle> {
  const share = { group: improvement.workspaceId, rank: 2 }
  const changes = { description: null, prompt: instructions, schema: null }
  return blobs.localPath(version.zipSha256, (path) =>
    processPool.run(reviseBundleJob, { path, ...changes }, { ...bundleTerms, signal, share }),
  )
}

/** Starts the runs of cases that have none yet. `complete`: every case has one. */
export async function beginRuns(
  parts: AdvanceImprovementParts,
  state: ImprovementState,
  of: { proposal: Proposal; kind: 'training' | 'judging'; cases: readonly KnownCase[]; bundle: CheckedBundle },
): Promise<'begun' | 'complete'> {
  const { improvement, version, runs, signal } = state
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
    await beginRun(parts, state, { proposal: of.proposal, kind: of.kind, caseNumber, request })
  }
  return 'begun'
}

export async function beginRun(
  parts: AdvanceImprovementParts,
  { improvement, signal }: ImprovementState,
  of: { proposal: Proposal; kind: RunKind; caseNumber: number; request: JsonObject },
): Promise<void> {
  const { workspaceId, id, keyId } = improvement
  const { proposal, kind, caseNumber, request } = of
  const limited = { max_cost_dollars: dollarsOf(proposal.runMicros), service_tier: 'flex' }
  const body = { ...request, config: { ...(request['config'] as JsonObject), ...limited } }
  const onceAs = `improvement ${id} ${proposal.number}:${kind}:${caseNumber}`
  const begun = await executeOnBehalf(parts, { workspaceId, keyId, body, onceAs, evaluationId: id, signal }).then(
    (executionId) => ({ executionId, error: null }),
    (error: unknown) => {
      const refused = refusalIn(error)
      if (!refused) throw error
      return { executionId: null, error: refused }
    },
  )
  const isRunning = await insertImprovementRun(parts.db, improvement, {
    number: proposal.number,
    kind,
    caseNumber,
    ...begun,
  })
  if (!isRunning && begun.executionId !== null) await cancelIfRunning(parts, { workspaceId, id: begun.executionId })
}
