import type { Sql } from '../../adapters/db/db.ts'
import type { SkillVersion } from '../skills/skills.ts'
import { casesOfBundle, type KnownCase } from './bundle-cases.ts'
import { selectCases } from './store.ts'

/** A known answer of a skill, with where it comes from and when it was given. */
export type ListedCase = KnownCase & {
  readonly source: 'added' | 'execution' | 'bundle'
  readonly executionId: string | null
  readonly createdAt: Date
}

/**
 * Every known answer that a workspace has for a version of a skill: those that were added for the skill, oldest first, then those
 * in the version's own `evals/evals.json`, whose inputs may hold files of the bundle.
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

/** Whether known answers were added to a skill since then. */
export async function hasNewCases(
  sql: Sql,
  of: { workspaceId: string; ownerId: string; name: string; since: Date },
): Promise<boolean> {
  const cases = await selectCases(sql, of)
  return cases.some(({ createdAt }) => createdAt > of.since)
}
