import { Fault } from '@skillrun/core/fault.ts'
import { isId } from '@skillrun/core/ids.ts'
import type { Blobs } from '../../../adapters/blobs/blobs.ts'
import type { Sql } from '../../../adapters/db/db.ts'
import { invalid } from '../../../adapters/http/validation.ts'
import { deleteVersions, dropUnusedZips } from '../create.ts'
import { loadOwnSkill, unknownSkill } from '../load-skill.ts'
import { refusedAt } from '../resolve.ts'
import { nameOfSkillId, type SkillVersion, skillIdOf } from '../skill.ts'
import { type LightVersion, lockName, selectNames, selectVersions } from '../store.ts'
import { type Asker, checkBundle, type SkillParts, storeVersion } from '../write-version.ts'

/** A skill of a workspace with its completed versions, newest first, for APIs that separate skills and versions. */
export interface NamedSkill {
  /** The same for all versions. */
  readonly id: string
  readonly name: string
  readonly newest: LightVersion
  /** The default version: the newest unless it waits at its gate. */
  readonly current: LightVersion
  readonly createdAt: Date
  readonly versions: readonly LightVersion[]
}

const versionsMax = 1_000

/** A skill of the workspace by its id, its name or a version id. Fault `missing` (`unknown_skill`). */
export async function loadNamed(sql: Sql, of: { workspaceId: string; id: string }): Promise<NamedSkill> {
  const { workspaceId } = of
  const name = isId(of.id.toLowerCase()) ? (await loadOwnSkill({ db: sql }, of)).name : nameOfSkillId(of.id)
  const all = await selectVersions(sql, { workspaceId, ownerId: workspaceId, name, limit: versionsMax })
  const versions = all.filter(({ status }) => status === 'completed')
  const [newest] = versions
  if (!newest) throw unknownSkill()
  return {
    id: skillIdOf(name),
    name,
    newest,
    current: versions.find(({ isLatest }) => isLatest) ?? newest,
    createdAt: versions.at(-1)?.createdAt ?? newest.createdAt,
    versions,
  }
}

/** The version of a skill by its number or id. Fault `missing` (`unknown_skill`). */
export async function loadNamedVersion(
  sql: Sql,
  of: { workspaceId: string; id: string; version: string },
): Promise<{ readonly skill: NamedSkill; readonly version: LightVersion }> {
  const skill = await loadNamed(sql, of)
  const wanted = of.version.toLowerCase()
  const version =
    wanted === 'latest'
      ? skill.current
      : skill.versions.find((one) => one.id === wanted || String(one.number) === wanted)
  if (!version) throw unknownSkill()
  return { skill, version }
}

/** The names of the workspace's skills in order, after `after`. */
export async function listNamed(
  sql: Sql,
  of: { workspaceId: string; after: string | null; limit: number; descending: boolean },
): Promise<readonly NamedSkill[]> {
  const names = await selectNames(sql, of)
  return Promise.all(names.map((name) => loadNamed(sql, { workspaceId: of.workspaceId, id: skillIdOf(name) })))
}

/** Stores a bundle as a version: of the skill `onto`, which its SKILL.md must name, or of the name in its SKILL.md. */
export async function createNamed(
  parts: SkillParts,
  asker: Asker,
  bundle: { zip: Uint8Array; onto?: string; title?: string },
): Promise<SkillVersion> {
  const loc = ['body', 'files']
  const onto = bundle.onto === undefined ? undefined : await loadNamed(parts.db, { ...asker, id: bundle.onto })
  const checked = await refusedAt(loc, checkBundle(parts, asker, { zip: bundle.zip }))
  const { name, description } = checked.facts
  if (name.includes(':'))
    throw invalid(
      loc,
      'The name in SKILL.md contains a colon, which is not allowed, because name:version refers to a version',
      { type: 'bad_bundle', input: name },
    )
  if (onto && onto.name !== name)
    throw invalid(
      loc,
      `SKILL.md has the name ${JSON.stringify(name)}, but this is a version of ${JSON.stringify(onto.name)}`,
      { type: 'bad_bundle' },
    )
  if (bundle.title !== undefined && bundle.title !== name)
    throw invalid(
      ['body', 'display_name'],
      `A skill is shown by the name that SKILL.md gives, ${JSON.stringify(name)}; leave the title out`,
      { type: 'unsupported_parameter' },
    )
  const action = onto ? 'skill.update' : 'skill.create'
  return storeVersion(parts, asker, { name, description, isPublic: false, origin: 'file', checked, action })
}

/**
 * The skill, if this version is its default. Nothing to set: the newest version is the default, unless it waits at its gate. Fault
 * `conflict` (`held_at_gate`) for such a version, Fault `invalid` for an older one.
 */
export async function keepDefault(
  sql: Sql,
  of: { workspaceId: string; id: string; version: string },
): Promise<NamedSkill> {
  const { skill, version } = await loadNamedVersion(sql, of)
  if (version.id !== skill.current.id && version.id !== skill.newest.id)
    throw new Fault(
      'invalid',
      'unsupported_parameter',
      'default_version may only be the newest version: delete the newer ones, or name a version where the skill is used',
    )
  if (version.isHeld)
    throw new Fault(
      'conflict',
      'held_at_gate',
      `This version waits for an evaluation that passes its publish_gate: POST /v1/skills/${version.id}/evaluate`,
    )
  return skill
}

/** Deletes every version of a skill, in any status: an unfinished one would bring the skill back when it is completed. */
export async function deleteNamed(
  parts: SkillParts,
  of: { workspaceId: string; id: string; keyId: string },
): Promise<NamedSkill> {
  const skill = await loadNamed(parts.db, of)
  const { workspaceId, keyId } = of
  const { name } = skill
  const by = { keyId, now: parts.clock.now() }
  const zips = await parts.db.transaction(async (tx) => {
    await lockName(tx, { workspaceId, name })
    const versions = await selectVersions(tx, { workspaceId, ownerId: workspaceId, name, limit: null })
    return deleteVersions(tx, versions, by)
  })
  await dropUnusedZips(parts, zips)
  return skill
}

/** The reply with the bundle of a version. */
export const zipReply = async (blobs: Blobs, { zipSha256, zipBytes }: LightVersion) => ({
  stream: await blobs.open(zipSha256),
  headers: { 'Content-Type': 'application/zip', 'Content-Length': String(zipBytes) },
})
