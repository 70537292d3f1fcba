import type { Clock } from '@skillrun/core/clock.ts'
import { Fault } from '@skillrun/core/fault.ts'
import { isId } from '@skillrun/core/ids.ts'
import type { Json } from '@skillrun/core/json.ts'
import type { Db, Sql } from '../../adapters/db/db.ts'
import type { SkillVersion } from './skill.ts'
import { latestGate, lockName, markLatest, releaseVersion, selectVersion, selectVersionBefore } from './store.ts'

/** The version of this id, of the workspace or public, in any status. Fault `missing` (`unknown_skill`). Accepts any text. */
export async function loadSkill(
  { db }: { db: Sql },
  where: { workspaceId: string; id: string },
): Promise<SkillVersion> {
  const id = where.id.toLowerCase()
  const found = isId(id) ? await selectVersion(db, { ...where, id }) : undefined
  if (!found) throw unknownSkill()
  return found
}

/** As `loadSkill`, for operations of the owner: public skills of other workspaces are unknown too. */
export async function loadOwnSkill(
  parts: { db: Sql },
  where: { workspaceId: string; id: string },
): Promise<SkillVersion> {
  const found = await loadSkill(parts, where)
  if (found.workspaceId !== where.workspaceId) throw unknownSkill()
  return found
}

/** The completed version of the same skill with the next lower number, or undefined. */
export async function findVersionBefore(
  { db }: { db: Sql },
  of: { workspaceId: string; version: SkillVersion },
): Promise<SkillVersion | undefined> {
  const { number, name, workspaceId: ownerId } = of.version
  return number === null ? undefined : selectVersionBefore(db, { workspaceId: of.workspaceId, ownerId, name, number })
}

/** The gate that a version must pass: its own, or for a held version without one that of the latest. Null: none. */
export async function gateOf({ db }: { db: Sql }, version: SkillVersion): Promise<Json> {
  const own = version.facts.publishGate
  if (own !== null || !version.isHeld) return own
  // The latest that held it back may be deleted since: then any report passes.
  return (await latestGate(db, version)) ?? { agreement: 0, no_worse: false }
}

/** Lets a version that passed its gate become the latest of its name (unless a newer one is). False: it was not held, or is gone. */
export async function publishVersion(
  { db, clock }: { db: Db; clock: Clock },
  of: { workspaceId: string; id: string; name: string },
): Promise<boolean> {
  return db.transaction(async (tx) => {
    await lockName(tx, of)
    const released = await releaseVersion(tx, { ...of, now: clock.now() })
    if (released) await markLatest(tx, of)
    return released
  })
}

/** One message for skills that never existed, were deleted, or are private to another workspace. */
export const unknownSkill = (): Fault =>
  new Fault(
    'missing',
    'unknown_skill',
    'There is no skill with this id in this workspace, and no public one; POST /v1/skills/lookup finds the id of a name',
  )
