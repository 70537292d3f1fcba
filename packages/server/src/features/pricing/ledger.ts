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
 * Sets the worst case of a call aside before it is made. A refusal means that a budget does not allow it: the call must not
 * be made. Fails closed: without the database there is no reservation, and it is waited for until `signal` aborts.
 */
export async function reserve(
  parts: { db: Db; clock: Clock },
  payer: Payer,
  call: { micros: Micros; detail: Json; signal: AbortSignal },
): Promise<Reservation | Refusal> {
  const now = parts.clock.now()
  const id = newId(now)
  // A call whose price rounds to nothing is a call all the same.
  const micros = Math.max(1, call.micros)
  return retryWhileUnavailable(parts, call.signal, async (isAgain) => {
    if (isAgain && (await isReserved(parts.db, payer, id))) return { id, micros, madeAt: now }
    // What is booked is asked for and added to by one statement each: those who share a transaction see each other's.
    return parts.db.together(async (tx) => {
      const refusal = await bookSpending(tx, payer, { micros, now })
      if (refusal) return refusal
      await addEntry(tx, { payer, reservationId: id, kind: 'reserve', micros, detail: call.detail, now })
      return { id, micros, madeAt: now }
    })
  })
}

/**
 * Settles a reservation with what the call cost, in the transaction that records the call's answer: what was used is settled,
 * the rest released, so that Σ reserve = Σ settle + Σ release. A call that cost more than was set aside reserves the difference
 * first, whatever the budgets say: it has been made.
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
  // A run that lost its lease may come back to a reservation that the next one has released.
  const open = await openReservations(sql, payer)
  if (!open.some((one) => one.id === reservation.id)) return
  const over = micros - reservation.micros
  // Else a call over midnight would give the new day what the old one had set aside.
  const { madeAt } = reservation
  await bookSpending(sql, payer, { micros: over, now: madeAt, made: true })
  if (over > 0) await addEntry(sql, { ...entry, kind: 'reserve', micros: over })
  if (micros > 0) await addEntry(sql, { ...entry, kind: 'settle', micros })
  if (over < 0) await addEntry(sql, { ...entry, kind: 'release', micros: -over })
}

/** Books what was spent without having been set aside, in the transaction that records what it was spent on. */
export async function payAtOnce(
  sql: Sql,
  payer: Payer,
  paid: { micros: Micros; detail: Json; now: Date },
): Promise<void> {
  const { micros, detail, now } = paid
  assert(micros >= 0, 'no call lowers what was spent')
  if (micros === 0) return
  const entry = { payer, reservationId: newId(now), micros, now }
  await bookSpending(sql, payer, { micros, now, made: true })
  await addEntry(sql, { ...entry, kind: 'reserve', detail })
  await addEntry(sql, { ...entry, kind: 'settle', detail: null })
}

/**
 * Releases what earlier runs reserved and never settled. Their calls may have been made: the entry says so. A run that another one
 * has taken over from releases nothing: what is open belongs to its successor.
 */
export async function releaseLost(sql: Sql, payer: Payer, now: Date): Promise<void> {
  if (!(await lockSpending(sql, payer))) return
  for (const reservation of await openReservations(sql, payer)) {
    const { madeAt, micros } = reservation
    await bookSpending(sql, payer, { micros: -micros, now: madeAt, made: true })
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
 * Whether the budgets have room for a call of `micros` now, with nothing booked: what runs that died had set aside does not
 * count. Undefined: they have.
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
