import { Fault } from '@skillrun/core/fault.ts'
import type { Db, Sql } from '../../adapters/db/db.ts'
import type { Job, Queue } from '../../adapters/queue/queue.ts'
import { beginEvaluation } from '../evaluations/evaluations.ts'
import { evaluationTopic } from '../executions/executions.ts'
import type { Models } from '../models/models.ts'
import { selectVersion } from '../skills/skills.ts'
import type { AdvanceImprovementParts } from './improvement-state.ts'
import { findImprovement, listPublished, noteComparison } from './store.ts'

/**
 * Adds a job for each published improvement whose model is answered by another engine than the one that it was last compared under. Called when a process
 * starts, because routes only change then. Covers all workspaces.
 */
export async function findChangedRoutes({
  db,
  queue,
  models,
}: {
  db: Db
  queue: Queue
  models: Models
}): Promise<void> {
  for (const one of await listPublished(db)) {
    if (engineOf(models, one.model) === one.comparedBy) continue
    const { workspaceId, id } = one
    await db.transaction((tx) => queue.add(tx, evaluationTopic, { workspaceId, id, compares: true }))
  }
}

/**
 * Compares the published version with the one before it under the engine that answers the model now: an evaluation, once for each change, within the budget
 * of the improvement. It reports, and leaves the version the latest.
 */
export async function compareAgain(parts: AdvanceImprovementParts, job: Job): Promise<void> {
  const { models } = parts.intake
  const place = { workspaceId: String(job.data['workspaceId']), id: String(job.data['id']) }
  const one = await findImprovement(parts.db, place)
  if (!one || one.publishedId === null) return
  const engine = engineOf(models, one.model)
  if (engine === undefined || engine === one.comparedBy) return
  const version = await selectVersion(parts.db, { workspaceId: place.workspaceId, id: one.publishedId })
  if (!version?.isLatest) return
  const { budgetMicros, keyId, model, comparedBy } = one
  const wanted = { workspaceId: place.workspaceId, keyId, id: version.id, wanted: { model }, budgetMicros }
  const alongside = async (tx: Sql, evaluationId: string): Promise<void> => {
    if (!(await noteComparison(tx, place, { was: comparedBy, now: engine, evaluationId })))
      throw new Fault('conflict', 'compared_already', 'Another process has begun the comparison')
  }
  await beginEvaluation({ ...parts, models }, { ...wanted, alongside }).catch((error: unknown) => {
    // The cases may be deleted by now.
    if (!(error instanceof Fault) || error.retryable) throw error
  })
}

/** Undefined: this server does not have the model. */
function engineOf(models: Models, model: string): string | undefined {
  try {
    return models.route(model).engine
  } catch {
    return undefined
  }
}
