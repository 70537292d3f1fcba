import type { Json } from '@skillrun/core/json.ts'
import { jsonb, type Sql } from '../../adapters/db/db.ts'
import { dollarsOf, type Micros } from '../../core/money.ts'
import type { Payer, Refusal, Reservation } from './reservation.ts'

/** One entry of the ledger. */
export interface Entry {
  readonly payer: Payer
  readonly reservationId: string
  readonly kind: 'reserve' | 'settle' | 'release'
  readonly micros: Micros
  readonly detail: Json
  readonly now: Date
}

export async function addEntry(sql: Sql, entry: Entry): Promise<void> {
  const { payer } = entry
  await sql.query(
    `insert into ledger (workspace_id, execution_id, key_id, reservation_id, kind, micros, detail, created_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8)`,
    [
      payer.workspaceId,
      payer.executionId,
      payer.keyId,
      entry.reservationId,
      entry.kind,
      entry.micros,
      entry.detail === null ? null : jsonb(entry.detail),
      entry.now,
    ],
  )
}

/** Whether a reservation was made. */
export async function isReserved(sql: Sql, payer: Payer, reservationId: string): Promise<boolean> {
  const rows = await sql.query(
    `select 1 from ledger where workspace_id = $1 and execution_id = $2 and reservation_id = $3 and kind = 'reserve'`,
    [payer.workspaceId, payer.executionId, reservationId],
  )
  return rows.length > 0
}

/**
 * Enforces both spending limits: adds to the committed amounts of the execution and of the key's day unless one would exceed its limit.
 * Undefined: booked; otherwise the budget that refused, and nothing was booked. `isSpent`: the money is already spent, so no budget is checked.
 */
export async function bookSpending(
  sql: Sql,
  payer: Payer,
  spending: { micros: Micros; now: Date; isSpent?: boolean },
): Promise<Refusal | undefined> {
  const { micros, now, isSpent = false } = spending
  if (micros === 0) return undefined
  const booked = await sql.query(
    `update executions set committed_micros = committed_micros + $3
     where workspace_id = $1 and id = $2
       and ($5 or (attempt = $6 and status in ('running', 'paused', 'enqueued') and ($4::bigint is null or committed_micros + $3 <= $4)))
     returning id`,
    [payer.workspaceId, payer.executionId, micros, payer.executionMicrosMax, isSpent, payer.attempt],
  )
  if (booked.length === 0) return refusalOf(sql, payer, micros)
  const limits = await sql.query<{ limit: number | null }>(
    'select budget_micros_per_day as "limit" from keys where workspace_id = $1 and id = $2',
    [payer.workspaceId, payer.keyId],
  )
  const limit = limits[0]?.limit ?? null
  const day = await sql.query(
    `insert into key_days (workspace_id, key_id, day, committed_micros) values ($1, $2, $3, $4)
     on conflict (workspace_id, key_id, day) do update set committed_micros = key_days.committed_micros + $4
     returning committed_micros as committed`,
    [payer.workspaceId, payer.keyId, now.toISOString().slice(0, 10), micros],
  )
  const committed = Number((day[0] as { committed: number }).committed)
  if (isSpent || limit === null || committed <= limit) return undefined
  await sql.query(
    `update executions set committed_micros = committed_micros - $3 where workspace_id = $1 and id = $2`,
    [payer.workspaceId, payer.executionId, micros],
  )
  await sql.query(
    `update key_days set committed_micros = committed_micros - $4 where workspace_id = $1 and key_id = $2 and day = $3`,
    [payer.workspaceId, payer.keyId, now.toISOString().slice(0, 10), micros],
  )
  return keyRefusal(limit, micros)
}

async function refusalOf(sql: Sql, payer: Payer, micros: Micros): Promise<Refusal> {
  const rows = await sql.query(
    `select 1 from executions where workspace_id = $1 and id = $2 and attempt = $3 and status in ('running', 'paused', 'enqueued')`,
    [payer.workspaceId, payer.executionId, payer.attempt],
  )
  if (rows.length === 1) return executionRefusal(payer, micros)
  return { refused: 'superseded', message: 'The execution has ended, or another worker has taken it over', micros }
}

export const executionRefusal = (payer: Pick<Payer, 'executionMicrosMax'>, micros: Micros): Refusal => ({
  refused: 'execution',
  message: `The next call may cost $${dollarsOf(micros)}, which would exceed max_cost_dollars of $${dollarsOf(payer.executionMicrosMax ?? 0)}`,
  micros,
})

export const keyRefusal = (limit: Micros, micros: Micros): Refusal => ({
  refused: 'key',
  message: `The next call may cost $${dollarsOf(micros)}, which would exceed the key's daily budget of $${dollarsOf(limit)}`,
  micros,
})

/** What the budgets of an execution and of its key's day still allow; open reservations count as spent. */
export async function findRemainingBudget(sql: Sql, payer: Payer, now: Date): Promise<Micros> {
  const [row] = await sql.query<{ committed: Micros; keyCommitted: Micros; keyLimit: Micros | null }>(
    `select e.committed_micros as committed, coalesce(d.committed_micros, 0) as "keyCommitted", k.budget_micros_per_day as "keyLimit"
     from executions e join keys k on k.workspace_id = e.workspace_id and k.id = $3
       left join key_days d on d.workspace_id = e.workspace_id and d.key_id = $3 and d.day = $4
     where e.workspace_id = $1 and e.id = $2`,
    [payer.workspaceId, payer.executionId, payer.keyId, now.toISOString().slice(0, 10)],
  )
  if (!row) return 0
  const ofExecution = (payer.executionMicrosMax ?? Number.POSITIVE_INFINITY) - row.committed
  const ofKey = (row.keyLimit ?? Number.POSITIVE_INFINITY) - row.keyCommitted
  return Math.max(0, Math.min(ofExecution, ofKey))
}

/** What an execution, and its key's day, have spent and reserved; without the execution's own open reservations. */
export async function findSpending(
  sql: Sql,
  payer: Payer,
  now: Date,
): Promise<{ readonly committed: Micros; readonly keyCommitted: Micros; readonly keyLimit: Micros | null }> {
  const [row] = await sql.query<{ committed: Micros; keyCommitted: Micros; keyLimit: Micros | null }>(
    `select e.committed_micros - open.micros as committed, k.budget_micros_per_day as "keyLimit",
       coalesce(d.committed_micros, 0) - open.micros as "keyCommitted"
     from executions e join keys k on k.workspace_id = e.workspace_id and k.id = $3
       left join key_days d on d.workspace_id = e.workspace_id and d.key_id = $3 and d.day = $4,
       lateral (select coalesce(sum(case kind when 'reserve' then micros else -micros end), 0)::bigint as micros
                from ledger where workspace_id = $1 and execution_id = $2) open
     where e.workspace_id = $1 and e.id = $2`,
    [payer.workspaceId, payer.executionId, payer.keyId, now.toISOString().slice(0, 10)],
  )
  return row ?? { committed: 0, keyCommitted: 0, keyLimit: null }
}

/** Locks the execution until the transaction ends. False: another run has superseded the payer's. */
export async function lockSpending(sql: Sql, payer: Payer): Promise<boolean> {
  const rows = await sql.query<{ attempt: number }>(
    'select attempt from executions where workspace_id = $1 and id = $2 for update',
    [payer.workspaceId, payer.executionId],
  )
  return rows[0] !== undefined && rows[0].attempt <= payer.attempt
}

/** Open reservations of an execution. Needs the lock of `lockSpending`. */
export async function openReservations(sql: Sql, payer: Payer): Promise<readonly Reservation[]> {
  return sql.query<Reservation>(
    `select reservation_id as id, sum(case kind when 'reserve' then micros else -micros end)::bigint as micros, min(created_at) filter (where kind = 'reserve') as "madeAt"
     from ledger where workspace_id = $1 and execution_id = $2
     group by reservation_id having sum(case kind when 'reserve' then micros else -micros end) > 0`,
    [payer.workspaceId, payer.executionId],
  )
}
