import { systemClock } from '@skillrun/core/clock.ts'
import { newId } from '@skillrun/core/ids.ts'
import fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import { makeDatabase } from '../../../../../test/support/database.ts'
import { opened } from '../../../../../test/support/opened.ts'
import { addWorkspace } from '../../../../../test/support/workspace.ts'
import { findRefusal, payAtOnce, releaseLost, reserve, settle } from './ledger.ts'
import type { Payer, Reservation } from './reservation.ts'

const now = new Date('2026-11-21T12:00:00Z')
const { signal } = new AbortController()
const clock = { ...systemClock, now: () => now }
let workspaceId: string
let keyId: string

const database = await opened(makeDatabase())
beforeAll(async () => {
  ;({ workspaceId, keyId } = await addWorkspace(database.db, now))
})

async function newPayer(executionMicrosMax: number | null): Promise<Payer> {
  const executionId = newId(now)
  await database.db.query(
    `insert into executions (id, workspace_id, key_id, name, status, request, model, tier, created_at)
     values ($1, $2, $3, 'x', 'running', '{}', 'm', 'standard', $4)`,
    [executionId, workspaceId, keyId, now],
  )
  return { workspaceId, executionId, keyId, attempt: 0, executionMicrosMax }
}

async function sums(payer: Payer) {
  const rows = await database.db.query<{ kind: string; micros: number }>(
    'select kind, sum(micros)::bigint as micros from ledger where execution_id = $1 group by kind',
    [payer.executionId],
  )
  const of = (kind: string) => rows.find((row) => row.kind === kind)?.micros ?? 0
  const [committed] = await database.db.query<{ micros: number }>(
    'select committed_micros as micros from executions where id = $1',
    [payer.executionId],
  )
  return { reserve: of('reserve'), settle: of('settle'), release: of('release'), committed: committed?.micros }
}

const parts = () => ({ db: database.db, clock })

test('whatever runs reserve, settle, settle again or lose: every reservation is settled or released in the end', async () => {
  const act = fc.oneof(
    fc.record({ kind: fc.constant('reserve' as const), micros: fc.integer({ min: 1, max: 1_000 }) }),
    fc.record({ kind: fc.constant('settle' as const), which: fc.nat(9), micros: fc.nat(1_500) }),
    fc.record({ kind: fc.constant('release' as const) }),
  )
  await fc.assert(
    fc.asyncProperty(fc.array(act, { maxLength: 12 }), async (acts) => {
      const payer = await newPayer(null)
      const made: Reservation[] = []
      let spent = 0
      const open = new Set<string>()
      for (const one of acts) {
        if (one.kind === 'reserve') {
          const reserved = await reserve(parts(), payer, { micros: one.micros, detail: null, signal })
          if ('refused' in reserved) throw new Error('no budget was set')
          made.push(reserved)
          open.add(reserved.id)
        } else if (one.kind === 'settle') {
          const reservation = made[one.which % Math.max(1, made.length)]
          if (!reservation) continue
          await database.db.transaction((tx) => settle(tx, payer, { reservation, micros: one.micros, now }))
          if (open.delete(reservation.id)) spent += one.micros
        } else {
          await database.db.transaction((tx) => releaseLost(tx, payer, now))
          open.clear()
        }
      }
      await database.db.transaction((tx) => releaseLost(tx, payer, now))
      const { reserve: set, settle: settled, release, committed } = await sums(payer)
      expect([set - settled - release, settled, committed]).toEqual([0, spent, spent])
    }),
    { numRuns: 25 },
  )
})

test('a budget refuses what exceeds it, with a message, and books nothing for it', async () => {
  const payer = await newPayer(1_000)
  const first = await reserve(parts(), payer, { micros: 700, detail: null, signal })
  const second = await reserve(parts(), payer, { micros: 400, detail: null, signal })
  expect(second).toMatchObject({ refused: 'execution', message: expect.stringContaining('max_cost_dollars of $0.001') })
  expect(await sums(payer)).toEqual({ reserve: 700, settle: 0, release: 0, committed: 700 })
  if ('refused' in first) throw new Error('it fits')
  await database.db.transaction((tx) => settle(tx, payer, { reservation: first, micros: 100, now }))
  expect(await reserve(parts(), payer, { micros: 900, detail: null, signal })).toMatchObject({ micros: 900 })
})

test('a call that costs less than a micro-dollar is reserved, settled and released like every other', async () => {
  const payer = await newPayer(null)
  const reservation = await reserve(parts(), payer, { micros: 0, detail: null, signal })
  if ('refused' in reservation) throw new Error('it fits')
  await database.db.transaction((tx) => settle(tx, payer, { reservation, micros: 0, now }))
  expect(await sums(payer)).toEqual({ reserve: 1, settle: 0, release: 1, committed: 0 })
})

test("a key's daily budget refuses across executions", async () => {
  await database.db.query('update keys set budget_micros_per_day = 10000000 where id = $1', [keyId])
  const refused = await reserve(parts(), await newPayer(null), { micros: 10_000_001, detail: null, signal })
  expect(refused).toMatchObject({ refused: 'key', message: expect.stringContaining('daily budget of $10') })
})

test('a run that has lost its execution, or whose execution has ended, reserves nothing', async () => {
  const payer = await newPayer(1_000)
  const call = { micros: 100, detail: null, signal }
  const sent = await reserve(parts(), payer, call)
  await database.db.query('update executions set attempt = 1 where id = $1', [payer.executionId])
  expect(await reserve(parts(), payer, call)).toMatchObject({ refused: 'superseded' })
  const next = { ...payer, attempt: 1 }
  await database.db.transaction((tx) => releaseLost(tx, next, now))
  expect(await reserve(parts(), { ...next, executionMicrosMax: 50 }, call)).toMatchObject({ refused: 'execution' })
  await database.db.query(`update executions set status = 'completed' where id = $1`, [payer.executionId])
  expect(await reserve(parts(), next, call)).toMatchObject({ refused: 'superseded' })
  if ('refused' in sent) throw new Error('it fits')
  // A call in flight then settles too late.
  await database.db.transaction((tx) => settle(tx, payer, { reservation: sent, micros: 70, now }))
  expect(await sums(payer)).toEqual({ reserve: 100, settle: 0, release: 100, committed: 0 })
})

test('a run that continues after losing its execution releases nothing of its successor', async () => {
  const stale = await newPayer(null)
  await database.db.query('update executions set attempt = 1 where id = $1', [stale.executionId])
  const successor = { ...stale, attempt: 1 }
  const reservation = await reserve(parts(), successor, { micros: 100, detail: null, signal })
  if ('refused' in reservation) throw new Error('no budget was set')
  await database.db.transaction((tx) => releaseLost(tx, stale, now))
  await database.db.transaction((tx) => settle(tx, successor, { reservation, micros: 70, now }))
  expect(await sums(successor)).toEqual({ reserve: 100, settle: 70, release: 30, committed: 70 })
})

test('checking for room books nothing, and lost calls do not count', async () => {
  const payer = await newPayer(1_000)
  await reserve(parts(), payer, { micros: 600, detail: null, signal })
  expect(await findRefusal(database.db, payer, { micros: 900, now })).toBe(undefined)
  expect(await findRefusal(database.db, payer, { micros: 1_001, now })).toMatchObject({
    refused: 'execution',
    committed: 0,
    micros: 1_001,
  })
  expect(await sums(payer)).toMatchObject({ reserve: 600, committed: 600 })
})

test('a payment without a reservation is booked, whatever the budgets say', async () => {
  const payer = await newPayer(10)
  await database.db.transaction((tx) => payAtOnce(tx, payer, { micros: 25, detail: { tool: 'x' }, now }))
  expect(await sums(payer)).toEqual({ reserve: 25, settle: 25, release: 0, committed: 25 })
})

test('no row of the ledger can be changed', async () => {
  const payer = await newPayer(null)
  await reserve(parts(), payer, { micros: 5, detail: null, signal })
  const change = database.db.query('update ledger set micros = 1 where execution_id = $1', [payer.executionId])
  await expect(change).rejects.toThrow()
  expect(await sums(payer)).toMatchObject({ reserve: 5 })
})
