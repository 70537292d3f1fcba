import { assert } from '@skillrun/core/assert.ts'
import type { Clock } from '@skillrun/core/clock.ts'
import { newId } from '@skillrun/core/ids.ts'
import type { Json } from '@skillrun/core/json.ts'
import type { Db, Sql } from '../../adapters/db/db.ts'
import { retryWhileUnavailable } from '../../adapters/db/retry-while-unavailable.ts'
import type { Micros } from '../../core/money.ts'
import type { Payer, Refusal, Reservation } from './reservation.ts'
import {
  addEntry,
  bookSpending,
  executionRefusal,
  findSpending,
  isReserved,
  keyRefusal,
  lockSpending,
  openReservations,
} from './store.ts'

/**
 * Reserves the worst case of a call before it is made. If a budget refuses, the call must not be made. Fails closed: without the database
 * it waits until `signal` aborts.
 */
export async function reserve(
  parts: { db: Db; clock: Clock },
  payer: Payer,
  call: { micros: Micros; detail: Json; signal: AbortSignal },
): Promise<Reservation | Refusal> {
  const now = parts.clock.now()
  const id = newId(now)
  // A call whose price rounds to zero still gets an entry.
  const micros = Math.max(1, call.micros)
  return retryWhileUnavailable(parts, call.signal, async (isAgain) => {
    if (isAgain && (await isReserved(parts.db, payer, id))) return { id, micros, madeAt: now }
    // Concurrent reservations wait for the row of their day, so that each sees those before it.
    return parts.db.together(async (tx) => {
      const refusal = await bookSpending(tx, payer, { micros, now })
      if (refusal) return refusal
      await addEntry(tx, { payer, reservationId: id, kind: 'reserve', micros, detail: call.detail, now })
      return { id, micros, madeAt: now }
    })
  })
}

/**
 * Settles a reservation with the cost of the call, in the transaction that records the call's answer: settles the used part and releases
 * the rest, so that Σ reserve = Σ settle + Σ release. A call that cost more than reserved first reserves the difference regardless of the
 * budgets, because it was made.
 */
export async function settle(
  sql: Sql,
  payer: Payer,
  settlement: { reservation: Reservation; micros: Micros; now: Date },
): Promise<void> {
  const { reservation, micros, now } = settlement
  assert(micros >= 0, 'no call lowers what was spent')
  const entry = { payer, reservationId: reservation.id, now, detail: null }
  await lockSpending(sql, payer)
  // A run that lost its lease may find its reservation released by the next run.
  const open = await openReservations(sql, payer)
  if (!open.some((one) => one.id === reservation.id)) return
  const over = micros - reservation.micros
  // Otherwise a call over midnight would move the old day's reservation to the new day.
  const { madeAt } = reservation
  await bookSpending(sql, payer, { micros: over, now: madeAt, isSpent: true })
  if (over > 0) await addEntry(sql, { ...entry, kind: 'reserve', micros: over })
  if (micros > 0) await addEntry(sql, { ...entry, kind: 'settle', micros })
  if (over < 0) await addEntry(sql, { ...entry, kind: 'release', micros: -over })
}

/** Books spending without a reservation, in the transaction that records what it was for. */
export async function payAtOnce(
  sql: Sql,
  payer: Payer,
  paid: { micros: Micros; detail: Json; now: Date },
): Promise<void> {
  const { micros, detail, now } = paid
  assert(micros >= 0, 'no call lowers what was spent')
  if (micros === 0) return
  const entry = { payer, reservationId: newId(now), micros, now }
  await bookSpending(sql, payer, { micros, now, isSpent: true })
  await addEntry(sql, { ...entry, kind: 'reserve', detail })
  await addEntry(sql, { ...entry, kind: 'settle', detail: null })
}

/**
 * Releases reservations of earlier runs that were never settled. Their calls may have been made, which the entry notes. A superseded run
 * releases nothing: open reservations belong to its successor.
 */
export async function releaseLost(sql: Sql, payer: Payer, now: Date): Promise<void> {
  if (!(await lockSpending(sql, payer))) return
  for (const reservation of await openReservations(sql, payer)) {
    const { madeAt, micros } = reservation
    await bookSpending(sql, payer, { micros: -micros, now: madeAt, isSpent: true })
    await addEntry(sql, {
      payer,
      reservationId: reservation.id,
      kind: 'release',
      micros,
      detail: { lost: true },
      now,
    })
  }
}

/**
 * Whether the budgets allow a call of `micros` now, without booking it: reservations of dead runs do not count. Undefined: they allow it.
 */
export async function findRefusal(
  sql: Sql,
  payer: Payer,
  call: { micros: Micros; now: Date },
): Promise<(Refusal & { readonly committed: Micros }) | undefined> {
  const { committed, keyCommitted, keyLimit } = await findSpending(sql, payer, call.now)
  const after = { committed, micros: call.micros }
  if (payer.executionMicrosMax !== null && committed + call.micros > payer.executionMicrosMax)
    return { ...executionRefusal(payer, call.micros), ...after }
  if (keyLimit !== null && keyCommitted + call.micros > keyLimit)
    return { ...keyRefusal(keyLimit, call.micros), ...after }
  return undefined
}
