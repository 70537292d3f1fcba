import { beforeAll, expect, test } from 'vitest'
import { newId } from '../packages/core/src/ids.ts'
import type { Sql } from '../packages/server/src/adapters/db/db.ts'
import { writeResults } from '../packages/server/src/features/batches/exports/results.ts'
import { listInFlight, listStartable, settleItems } from '../packages/server/src/features/batches/item-store.ts'
import { makeDatabase } from './support/database.ts'
import { opened } from './support/opened.ts'
import { addWorkspace } from './support/workspace.ts'

// What a batch of 10,000 items holds in memory, counted in rows: the load of the machine does not matter.

const itemsCount = 10_000
const inFlightMax = 50
/** Rows that one statement may answer. */
const pageMax = 100
/** Rows read before the reader of a file takes them: what fits in the buffers of its stream. */
const readAheadMax = 2_000
const now = new Date('2026-11-22T12:00:00Z')

let place: { readonly workspaceId: string; readonly id: string }

/** Counts the rows that statements answer. */
let rows = { read: 0, most: 0 }
const counted: Sql = {
  async query(text, params) {
    const answered = await database.db.query(text, params)
    rows = { read: rows.read + answered.length, most: Math.max(rows.most, answered.length) }
    return answered as never
  },
} as Sql

/** Items 0 to 9,899 have completed with the answer of one execution, the next 50 are in flight, and the last 50 are queued. */
const database = await opened(makeDatabase())
beforeAll(async () => {
  const { db } = database
  const { workspaceId, keyId } = await addWorkspace(db, now)
  place = { workspaceId, id: newId(now) }
  await db.query(
    `insert into batches (workspace_id, id, key_id, status, request, total, in_flight_max, body_sha256, created_at)
     values ($1, $2, $3, 'running', '{}', $4, $5, '', $6)`,
    [workspaceId, place.id, keyId, itemsCount, inFlightMax, now],
  )
  const [completed, running] = [newId(now), newId(now)]
  for (const [id, status] of [
    [completed, 'completed'],
    [running, 'running'],
  ])
    await db.query(
      `insert into executions (id, workspace_id, key_id, name, status, request, model, tier, created_at, completed_at, response, evidence, usage)
       values ($1, $2, $3, '', $4, '{}', '', 'standard', $5, $6, $7, '{}', '{}')`,
      [
        id,
        workspaceId,
        keyId,
        status,
        now,
        status === 'completed' ? now : null,
        JSON.stringify({ total: 5, lines: [{ item: 'Pen' }, { item: 'Ink' }] }),
      ],
    )
  await db.query(
    `insert into batch_items (workspace_id, batch_id, number, state, file_name, inputs, execution_id)
     select $1, $2, n, case when n < 9900 then 'completed' when n < 9950 then 'started' else 'queued' end, n || '.txt', '{}',
       case when n < 9900 then $3::uuid when n < 9950 then $4::uuid end
     from generate_series(0, $5 - 1) n`,
    [workspaceId, place.id, completed, running, itemsCount],
  )
})

test.each([
  // The first pass over the answers finds the columns; a workbook reads the items once per sheet.
  { format: 'jsonl', passes: 1 },
  { format: 'csv', passes: 2 },
  { format: 'xlsx', passes: 3 },
] as const)(
  'the results as $format are read a page at a time, no faster than they are downloaded',
  async ({ format, passes }) => {
    rows = { read: 0, most: 0 }
    const options = { format, status: null, filter: null, hasEvidence: true, baseUrl: 'http://localhost' }
    const file = await writeResults(counted, place, options)
    const ofColumns = rows.read
    await new Promise((readable) => file.once('readable', readable))
    // Nobody reads on: the file waits.
    await new Promise((turn) => setImmediate(turn))
    expect(rows.read - ofColumns).toBeLessThan(readAheadMax)
    let bytes = 0
    for await (const part of file) bytes += part.length
    expect(bytes).toBeGreaterThan(itemsCount)
    // Items that have no answer yet are not in the first pass.
    expect(rows.read).toBeGreaterThan((passes - 0.1) * itemsCount)
    expect(rows.most).toBeLessThan(pageMax)
  },
)

test('a step of the batch looks at what is in flight and what may start, not at what has ended', async () => {
  rows = { read: 0, most: 0 }
  await settleItems(counted, place, null)
  expect(await listStartable(counted, place)).toEqual([])
  expect(await listInFlight(counted, place, ['running'])).toHaveLength(50)
  await database.db.query(`update batch_items set state = 'completed' where batch_id = $1 and state = 'started'`, [
    place.id,
  ])
  expect(await listStartable(counted, place)).toHaveLength(inFlightMax)
  expect(rows).toEqual({ read: 100, most: 50 })
})
