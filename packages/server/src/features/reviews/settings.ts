import { readEach, type Sql } from '../../adapters/db/db.ts'
import type { ReviewRule } from '../executions/executions.ts'

/** The review rules of a skill, or of the whole workspace. */
export interface ReviewSetting extends ReviewRule {
  /** Null: for executions whose skill has no rule. */
  readonly skillName: string | null
  /** `below` follows what reviewers find, so that at most this share of the values above it is wrong; null: it stays. */
  readonly maxWrongRate: number | null
}

const columns = `nullif(skill_name, '') as "skillName", below, add_cases as "addCases"`

interface RuleKey {
  readonly workspaceId: string
  /** Empty: executions without a skill. */
  readonly skillName: string
}

async function findRules(sql: Sql, keys: readonly RuleKey[]): Promise<readonly (ReviewRule | undefined)[]> {
  const rows = await sql.query<ReviewRule & { at: number }>(
    `select distinct on (place) (place - 1)::integer as at, ${columns}
     from unnest($1::uuid[], $2::text[]) with ordinality as given (workspace, skill, place)
       join review_settings on workspace_id = given.workspace and skill_name in ('', given.skill)
     order by place, skill_name desc`,
    [keys.map(({ workspaceId }) => workspaceId), keys.map(({ skillName }) => skillName)],
  )
  const rules: (ReviewRule | undefined)[] = keys.map(() => undefined)
  for (const { at, ...rule } of rows) rules[at] = rule
  return rules
}

/** The rule for executions of a skill: its own, else that of the workspace; undefined: no review is needed. */
export const findRule = (
  sql: Sql,
  { workspaceId, skillName }: { workspaceId: string; skillName: string | null },
): Promise<ReviewRule | undefined> => readEach(sql, findRules, { workspaceId, skillName: skillName ?? '' })

/** That of the workspace first, then those of skills by name. */
export async function listSettings(sql: Sql, workspaceId: string): Promise<readonly ReviewSetting[]> {
  return sql.query<ReviewSetting>(
    `select ${columns}, max_wrong_rate as "maxWrongRate" from review_settings where workspace_id = $1 order by review_settings.skill_name limit 1000`,
    [workspaceId],
  )
}

/** Sets the rule of a skill or of the workspace; without a rule it is removed. */
export async function writeSetting(
  tx: Sql,
  of: {
    workspaceId: string
    skillName: string | null
    rule: (ReviewRule & { maxWrongRate: number | null }) | null
    now: Date
  },
): Promise<void> {
  const name = of.skillName ?? ''
  if (of.rule === null)
    await tx.query('delete from review_settings where workspace_id = $1 and skill_name = $2', [of.workspaceId, name])
  else
    await tx.query(
      `insert into review_settings (workspace_id, skill_name, below, add_cases, updated_at, max_wrong_rate) values ($1, $2, $3, $4, $5, $6)
       on conflict (workspace_id, skill_name) do update set below = $3, add_cases = $4, updated_at = $5, max_wrong_rate = $6`,
      [of.workspaceId, name, of.rule.below, of.rule.addCases, of.now, of.rule.maxWrongRate],
    )
}

/** The settings of the workspace and of a skill that are kept to a rate of wrong values, locked until the transaction ends. */
export async function listCalibrated(
  tx: Sql,
  of: { workspaceId: string; skillName: string | null },
): Promise<readonly { readonly skillName: string | null; readonly maxWrongRate: number; readonly below: number }[]> {
  return tx.query(
    `select nullif(skill_name, '') as "skillName", max_wrong_rate as "maxWrongRate", below from review_settings
     where workspace_id = $1 and skill_name in ('', $2) and max_wrong_rate is not null order by skill_name for update`,
    [of.workspaceId, of.skillName ?? ''],
  )
}

/** Sets the confidence of a setting below which answers need a review. */
export async function moveThreshold(
  tx: Sql,
  of: { workspaceId: string; skillName: string | null; below: number; now: Date },
): Promise<void> {
  await tx.query(
    'update review_settings set below = $3, updated_at = $4 where workspace_id = $1 and skill_name = $2 and below <> $3',
    [of.workspaceId, of.skillName ?? '', of.below, of.now],
  )
}
