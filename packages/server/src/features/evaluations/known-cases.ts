import type { Sql } from '../../adapters/db/db.ts'
import type { SkillVersion } from '../skills/skills.ts'
import { casesOfBundle, type KnownCase } from './bundle-cases.ts'
import { selectCases } from './store.ts'

/** A case of a skill, with its origin and time. */
export type ListedCase = KnownCase & {
  readonly source: 'added' | 'execution' | 'bundle'
  readonly executionId: string | null
  readonly createdAt: Date
}

/**
 * All cases of a workspace for a version of a skill: those added to the skill, oldest first, then those in the version's own
 * `evals/evals.json`, whose inputs may name files of the bundle.
 */
export async function listKnownCases(
  { db }: { db: Sql },
  of: { workspaceId: string; version: Pick<SkillVersion, 'workspaceId' | 'name' | 'facts' | 'createdAt'> },
): Promise<readonly ListedCase[]> {
  const { facts, createdAt } = of.version
  const added = await selectCases(db, {
    workspaceId: of.workspaceId,
    ownerId: of.version.workspaceId,
    name: of.version.name,
  })
  const paths = new Set(facts.files.map((file) => file.path))
  const own = casesOfBundle(facts.evals, { paths, hasSchema: facts.schema !== null })
  return [
    ...added.map((one) => ({ ...one, source: one.executionId === null ? ('added' as const) : ('execution' as const) })),
    ...own.map((one) => ({ ...one, source: 'bundle' as const, executionId: null, createdAt })),
  ]
}

/** Whether the skill got new cases since then. */
export async function hasNewCases(
  sql: Sql,
  of: { workspaceId: string; ownerId: string; name: string; since: Date },
): Promise<boolean> {
  const cases = await selectCases(sql, of)
  return cases.some(({ createdAt }) => createdAt > of.since)
}
