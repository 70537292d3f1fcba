import type { Clock } from '@skillrun/core/clock.ts'
import type { Blobs } from '../../adapters/blobs/blobs.ts'
import type { Db } from '../../adapters/db/db.ts'
import type { ProcessPool } from '../../adapters/process-pool/process-pool.ts'
import {
  type CheckedBundle,
  commitVersion,
  completeVersion,
  insertVersion,
  keepZip,
  latestGate,
  lockName,
  type SkillVersion,
  selectVersion,
  waitsAtGate,
} from '../skills/skills.ts'
import { completed, type End, type Improvement } from './improvement.ts'
import { endImprovement } from './store.ts'

/**
 * Writes a proposal as the next version and ends the improvement, in one transaction: neither happens without the other, or twice. If another
 * version became the latest meanwhile, the comparison no longer holds, and nothing is published.
 */
export async function publish(
  parts: {
    readonly db: Db
    readonly clock: Clock
    readonly blobs: Blobs
    readonly processPool: ProcessPool
    readonly storageBytesMax?: number
  },
  of: {
    improvement: Improvement
    version: SkillVersion
    bundle: CheckedBundle
    number: number
    signal: AbortSignal
  },
): Promise<void> {
  const { improvement, version, bundle, number, signal } = of
  const { workspaceId, keyId } = improvement
  const { name, description, isPublic } = version
  const made = await keepZip(
    parts,
    { workspaceId, keyId, signal },
    { name, description, isPublic, origin: 'prompt', checked: bundle, status: 'completed', sessionId: null },
  )
  const place = { workspaceId, id: made.id, name, now: made.createdAt }
  const end = (to: End) => endImprovement(parts.db, { ...improvement, now: made.createdAt }, to)
  try {
    await commitVersion(parts, { version: made, asker: { workspaceId, keyId }, action: 'skill.update' }, async (tx) => {
      await lockName(tx, place)
      const base = await selectVersion(tx, { workspaceId, id: version.id })
      if (!base?.isLatest) throw new NotPublished('superseded')
      const isHeld = waitsAtGate(bundle.facts.publishGate, await latestGate(tx, place))
      const to = isHeld
        ? completed(
            'held',
            `Proposal ${number} is better. Its version waits for an evaluation that passes the gate of the skill`,
            made.id,
          )
        : completed('published', `Proposal ${number} is better, and is now the latest version`, made.id)
      if (!(await endImprovement(tx, { ...improvement, now: made.createdAt }, to))) throw new NotPublished('ended')
      await insertVersion(tx, made)
      await completeVersion(tx, { ...place, isHeld })
    })
  } catch (error) {
    if (!(error instanceof NotPublished)) throw error
    if (error.why === 'superseded')
      await end(
        completed(
          'superseded',
          `Proposal ${number} is better than version ${version.number}, but that is no longer the latest: nothing is published. Start again from the latest version`,
        ),
      )
  }
}

/** Thrown inside the transaction to roll the publication back. */
class NotPublished extends Error {
  readonly why: 'superseded' | 'ended'

  constructor(why: 'superseded' | 'ended') {
    super(why)
    this.why = why
  }
}
