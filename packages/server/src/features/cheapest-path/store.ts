import type { Json } from '@skillrun/core/json.ts'
import { jsonb, type Sql } from '../../adapters/db/db.ts'
import { afterAsking, afterJudgements, type JudgedAnswer, type JudgedAt, type Standings } from './standing.ts'

/** A path and what its models are proven for. */
export interface StoredPath {
  readonly standings: Standings
  /** Executions in which an answer was judged. */
  readonly checks: number
}

/** Identifies a path. */
export interface PathPlace {
  readonly workspaceId: string
  readonly key: string
}

export async function findPath(sql: Sql, of: PathPlace): Promise<StoredPath> {
  const rows = await sql.query<StoredPath>(
    'select standings, checks from paths where workspace_id = $1 and key_sha256 = $2',
    [of.workspaceId, of.key],
  )
  return rows[0] ?? { standings: {}, checks: 0 }
}

/** What an execution adds to a path. */
export interface JudgedExecution extends PathPlace, JudgedAt {
  readonly small: string | null
  readonly large: string
  readonly maxWrongRate: number
  /** The fields of the schema. */
  readonly fields: number
  readonly judged: readonly JudgedAnswer[]
  /** Whether the small model gave no valid answer; null: that is not known. */
  readonly hasFailed: boolean | null
  readonly now: Date
}

/** Counts the judged answers of an execution, in the transaction that ends it, or that saves the judgement. */
export async function addJudged(tx: Sql, of: JudgedExecution): Promise<void> {
  await tx.query(
    `insert into paths (workspace_id, key_sha256, small, large, max_wrong_rate, created_at, updated_at)
     values ($1, $2, $3, $4, $5, $6, $6) on conflict do nothing`,
    [of.workspaceId, of.key, of.small, of.large, of.maxWrongRate, of.now],
  )
  const [row] = await tx.query<Pick<StoredPath, 'standings'>>(
    'select standings from paths where workspace_id = $1 and key_sha256 = $2 for update',
    [of.workspaceId, of.key],
  )
  const judged = afterJudgements(row?.standings ?? {}, of.judged, of)
  const standings = of.hasFailed === null ? judged : afterAsking(judged, of.hasFailed)
  await tx.query(
    'update paths set standings = $3, checks = checks + $5, updated_at = $4 where workspace_id = $1 and key_sha256 = $2',
    [of.workspaceId, of.key, jsonb(standings as Json), of.now, of.judged.length > 0 ? 1 : 0],
  )
}
