import { jsonb, type Sql } from '../../adapters/db/db.ts'
import type { Callback, CallbackEvent, CallbackPlace, CallbackState, Try } from './callback.ts'

const columns = `n, event, url, webhook_id as "webhookId", state, next_try_at as "nextTryAt", tries, created_at as "createdAt"`

/** A callback not delivered yet. */
export interface NewCallback {
  readonly workspaceId: string
  /** Of the execution, or of the batch. */
  readonly executionId: string
  readonly event: CallbackEvent
  readonly url: string
  readonly webhookId: string
  /** The body, the same bytes at every attempt. */
  readonly body: Uint8Array
  readonly now: Date
}

/** Adds the next callback of an execution or batch and returns its number. This transaction must hold the lock of its row. */
export async function insertCallback(tx: Sql, callback: NewCallback): Promise<number> {
  const rows = await tx.query<{ n: number }>(
    `insert into callbacks (workspace_id, execution_id, n, event, url, webhook_id, body, next_try_at, created_at)
     select $1, $2, coalesce(max(n), 0) + 1, $3, $4, $5, $6, $7, $7 from callbacks where workspace_id = $1 and execution_id = $2
     returning n`,
    [
      callback.workspaceId,
      callback.executionId,
      callback.event,
      callback.url,
      callback.webhookId,
      callback.body,
      callback.now,
    ],
  )
  return rows[0]?.n ?? 0
}

/** A callback for a worker, with the workspace's signing secret. */
export interface DueCallback {
  readonly event: CallbackEvent
  readonly url: string
  readonly webhookId: string
  readonly body: Uint8Array
  readonly tries: readonly Try[]
  readonly roundTries: number
  readonly roundStartedAt: Date | null
  readonly sealed: Buffer | null
  readonly previousSealed: Buffer | null
  readonly previousUntil: Date | null
}

/** The only job that may send a callback and record the result: a newer job invalidates the others. */
export interface CallbackFence extends CallbackPlace {
  readonly number: number
}

/** The callback of a job, or undefined when the job is not its newest or nothing is left to do. */
export async function findDueCallback(sql: Sql, fence: CallbackFence): Promise<DueCallback | undefined> {
  const rows = await sql.query<DueCallback>(
    `select c.event, c.url, c.webhook_id as "webhookId", c.body, c.tries, c.round_tries as "roundTries", c.round_started_at as "roundStartedAt",
       s.sealed, s.previous_sealed as "previousSealed", s.previous_until as "previousUntil"
     from callbacks c left join callback_secrets s on s.workspace_id = c.workspace_id
     where c.workspace_id = $1 and c.execution_id = $2 and c.n = $3 and c.job_number = $4 and c.state = 'pending'`,
    [fence.workspaceId, fence.executionId, fence.n, fence.number],
  )
  return rows[0]
}

/** The result of an attempt. `nextTryAt` is for one that stays pending: its next job has the following number. */
export interface TryOutcome {
  readonly state: CallbackState
  readonly tries: readonly Try[]
  readonly startedAt: Date
  readonly nextTryAt: Date | null
}

/** Records the result of an attempt. False: another job has replaced this one; nothing was written. */
export async function recordTry(tx: Sql, fence: CallbackFence, outcome: TryOutcome): Promise<boolean> {
  const rows = await tx.query(
    `update callbacks set state = $5, tries = $6, round_tries = round_tries + 1, round_started_at = coalesce(round_started_at, $7),
       next_try_at = $8, job_number = job_number + 1
     where workspace_id = $1 and execution_id = $2 and n = $3 and job_number = $4 and state = 'pending' returning n`,
    [
      fence.workspaceId,
      fence.executionId,
      fence.n,
      fence.number,
      outcome.state,
      jsonb(outcome.tries),
      outcome.startedAt,
      outcome.nextTryAt,
    ],
  )
  return rows.length === 1
}

export async function listCallbacks(
  sql: Sql,
  execution: { workspaceId: string; executionId: string },
): Promise<readonly Callback[]> {
  return sql.query<Callback>(
    `select ${columns} from callbacks where workspace_id = $1 and execution_id = $2 order by n`,
    [execution.workspaceId, execution.executionId],
  )
}

export async function findCallback(sql: Sql, place: CallbackPlace): Promise<Callback | undefined> {
  const rows = await sql.query<Callback>(
    `select ${columns} from callbacks where workspace_id = $1 and execution_id = $2 and n = $3`,
    [place.workspaceId, place.executionId, place.n],
  )
  return rows[0]
}

/**
 * Restarts the attempts of a callback and returns it with the number of its new job, or undefined when it does not exist, its content was
 * dropped, or an attempt is due or running.
 */
export async function restartCallback(
  tx: Sql,
  place: CallbackPlace,
  now: Date,
): Promise<(Callback & { readonly number: number }) | undefined> {
  const rows = await tx.query<Callback & { number: number }>(
    `update callbacks set state = 'pending', round_tries = 0, round_started_at = null, next_try_at = $4, job_number = job_number + 1
     where workspace_id = $1 and execution_id = $2 and n = $3 and (state <> 'pending' or next_try_at > $4) and length(body) > 0
     returning ${columns}, job_number as number`,
    [place.workspaceId, place.executionId, place.n, now],
  )
  return rows[0]
}

/** Whether the workspace has this execution. */
export async function hasExecution(
  sql: Sql,
  execution: { workspaceId: string; executionId: string },
): Promise<boolean> {
  const rows = await sql.query('select 1 from executions where workspace_id = $1 and id = $2', [
    execution.workspaceId,
    execution.executionId,
  ])
  return rows.length === 1
}

/** The signing secret of a workspace, encrypted. */
export interface SecretRow {
  readonly sealed: Buffer
  readonly createdAt: Date
  readonly previousUntil: Date | null
}

const secretColumns = `sealed, created_at as "createdAt", previous_until as "previousUntil"`

/** The workspace's secret; `fresh` becomes it if there is none. */
export async function ensureSecretRow(
  sql: Sql,
  workspaceId: string,
  made: { fresh: Buffer; now: Date },
): Promise<SecretRow> {
  await sql.query(
    'insert into callback_secrets (workspace_id, sealed, created_at) values ($1, $2, $3) on conflict (workspace_id) do nothing',
    [workspaceId, made.fresh, made.now],
  )
  const rows = await sql.query<SecretRow>(`select ${secretColumns} from callback_secrets where workspace_id = $1`, [
    workspaceId,
  ])
  return rows[0] as SecretRow
}

/** The workspace's secret, locked until the transaction ends; undefined if there is none. */
export async function lockSecretRow(tx: Sql, workspaceId: string): Promise<SecretRow | undefined> {
  const rows = await tx.query<SecretRow>(
    `select ${secretColumns} from callback_secrets where workspace_id = $1 for update`,
    [workspaceId],
  )
  return rows[0]
}

/** Makes `sealed` the workspace's secret; `previous` also signs until `previousUntil`. */
export async function replaceSecretRow(
  tx: Sql,
  workspaceId: string,
  change: { sealed: Buffer; previous: Buffer | null; previousUntil: Date | null; now: Date },
): Promise<SecretRow> {
  const rows = await tx.query<SecretRow>(
    `insert into callback_secrets (workspace_id, sealed, created_at) values ($1, $2, $3)
     on conflict (workspace_id) do update set sealed = $2, created_at = $3, previous_sealed = $4, previous_until = $5
     returning ${secretColumns}`,
    [workspaceId, change.sealed, change.now, change.previous, change.previousUntil],
  )
  return rows[0] as SecretRow
}

/** A secret stored by an earlier version or under an earlier key. */
export interface StoredSecrets {
  readonly workspaceId: string
  readonly secret: string | null
  readonly previous: string | null
  readonly sealed: Buffer | null
  readonly previousSealed: Buffer | null
  readonly previousUntil: Date | null
}

/** The secrets of all workspaces, locked until the transaction ends. */
export function lockAllSecrets(tx: Sql): Promise<readonly StoredSecrets[]> {
  return tx.query<StoredSecrets>(
    `select workspace_id as "workspaceId", secret, previous, sealed, previous_sealed as "previousSealed", previous_until as "previousUntil"
     from callback_secrets order by workspace_id for update`,
  )
}

/** Stores the secrets of a workspace encrypted and removes the plain text. */
export async function writeSealed(
  tx: Sql,
  row: { workspaceId: string; sealed: Buffer; previousSealed: Buffer | null },
): Promise<void> {
  await tx.query(
    `update callback_secrets set sealed = $2, previous_sealed = $3, secret = null, previous = null where workspace_id = $1`,
    [row.workspaceId, row.sealed, row.previousSealed],
  )
}

/** The workspace that the operator's own secret is for. */
export async function findFirstWorkspaceId(sql: Sql): Promise<string | undefined> {
  const rows = await sql.query<{ id: string }>('select id from workspaces order by number limit 1')
  return rows[0]?.id
}

/** Clears the content of the callbacks of an execution that are no longer pending. */
export async function clearSettledCallbacks(tx: Sql, of: { workspaceId: string; executionId: string }): Promise<void> {
  await tx.query(
    `update callbacks set body = '', url = '', tries = '[]', next_try_at = null
     where workspace_id = $1 and execution_id = $2 and state <> 'pending' and length(body) > 0`,
    [of.workspaceId, of.executionId],
  )
}

/**
 * Clears the delivered callbacks of an execution or batch whose content is gone already: they were kept for delivery only. The lock orders
 * this with dropping the content: a later drop sees the callback delivered.
 */
export async function clearIfPurged(tx: Sql, of: { workspaceId: string; executionId: string }): Promise<void> {
  for (const owners of ['executions', 'batches']) {
    const [owner] = await tx.query<{ isPurged: boolean }>(
      `select purged_at is not null as "isPurged" from ${owners} where workspace_id = $1 and id = $2 for share`,
      [of.workspaceId, of.executionId],
    )
    if (owner?.isPurged) await clearSettledCallbacks(tx, of)
  }
}

/** Gives up and clears the callbacks of executions and batches without retention that ended before `before`, in all workspaces. */
export async function giveUpCallbacks(sql: Sql, before: Date): Promise<void> {
  for (const owner of ['executions e where not e.is_retained', 'batches e where e.purged_at is not null'])
    await sql.query(
      `update callbacks c set body = '', url = '', tries = '[]', next_try_at = null,
         state = case when c.state = 'pending' then 'failed' else c.state end
       from ${owner} and e.completed_at < $1 and e.workspace_id = c.workspace_id and e.id = c.execution_id and length(c.body) > 0`,
      [before],
    )
}
