import { newId } from '@skillrun/core/ids.ts'
import { expect, test } from 'vitest'
import type { z } from 'zod'
import { makeDatabase } from '../../../../../../test/support/database.ts'
import { opened } from '../../../../../../test/support/opened.ts'
import { addWorkspace } from '../../../../../../test/support/workspace.ts'
import { executionState } from '../execution.ts'
import { columnOf } from './execution-row.ts'
import { findExecution } from './find-execution.ts'

const now = new Date('2026-11-21T12:00:00Z')

const database = await opened(makeDatabase())

/** A row with only the columns that must have a value, as the oldest rows have. */
async function insertPlain(): Promise<{ workspaceId: string; id: string }> {
  const { workspaceId, keyId } = await addWorkspace(database.db, now)
  const id = newId(now)
  await database.db.query(
    `insert into executions (id, workspace_id, key_id, name, status, request, model, tier, created_at)
     values ($1, $2, $3, 'x', 'running', '{}', 'm', 'standard', $4)`,
    [id, workspaceId, keyId, now],
  )
  return { workspaceId, id }
}

test('an execution can be read whatever columns of its row are null', async () => {
  const rows = await database.db.query<{ name: string; nullable: boolean }>(
    `select column_name as name, is_nullable = 'YES' as nullable from information_schema.columns where table_name = 'executions'`,
  )
  const nullable = new Map(rows.map((row) => [row.name, row.nullable]))
  const forms: Readonly<Record<string, z.ZodType>> = executionState.shape
  const differing = Object.entries(forms).filter(
    ([field, form]) => nullable.get(columnOf(field)) !== form.safeParse(null).success,
  )
  expect(differing.map(([field]) => field)).toEqual([])
  expect(await findExecution(database.db, await insertPlain())).toMatchObject({ skills: [], usage: {}, error: null })
})

test.each([
  ['usage', '{"steps": "two"}', '/usage/steps'],
  ['error', '"it failed"', '/error'],
  ['warnings', '[{"code": "not_found"}]', '/warnings/0/path, /warnings/0/message'],
  ['evidence', '{"/total": {"quote": "5.00"}}', '/evidence'],
])(
  'a row whose %s has an unexpected form is not passed on; the error names the place',
  async (column, json, places) => {
    const place = await insertPlain()
    await database.db.query(`update executions set ${column} = $1 where id = $2`, [json, place.id])
    await expect(findExecution(database.db, place)).rejects.toThrow(
      `The row of execution ${place.id} has an unexpected form at ${places}`,
    )
  },
)

test('evidence of 50,000 values is checked without being copied, and fields of later versions are kept', async () => {
  const place = await insertPlain()
  const entry = { status: 'verified', confidence: 1, since: 'later' }
  const evidence = Object.fromEntries(Array.from({ length: 50_000 }, (_, index) => [`/list/${index}`, entry]))
  await database.db.query('update executions set evidence = $1, usage = $2 where id = $3', [
    JSON.stringify(evidence),
    '{"later": 1}',
    place.id,
  ])
  const found = await findExecution(database.db, place)
  expect(found?.usage).toEqual({ later: 1 })
  expect(Object.keys(found?.evidence ?? {})).toHaveLength(50_000)
  expect(found?.evidence?.['/list/0']).toEqual(entry)
})
