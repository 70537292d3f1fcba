import { newId } from '@skillrun/core/ids.ts'
import { beforeAll, expect, test } from 'vitest'
import { makeDatabase } from '../../../../../test/support/database.ts'
import { opened } from '../../../../../test/support/opened.ts'
import { addWorkspace } from '../../../../../test/support/workspace.ts'
import { addProgramRun, countRuns } from './program-runs.ts'
import { findProgram, findReady, insertProgram } from './store.ts'

const now = new Date('2026-11-21T12:00:00Z')
let workspaceId: string
let keyId: string

const database = await opened(makeDatabase())
beforeAll(async () => {
  ;({ workspaceId, keyId } = await addWorkspace(database.db, now))
})

async function readyProgram() {
  const key = { workspaceId, skillsSha256: 'a', schemaSha256: 'b', shapeSha256: 'c' }
  const { id } = await insertProgram(database.db, {
    id: newId(now),
    workspaceId,
    skillId: newId(now),
    ownerId: workspaceId,
    skillName: 'notes',
    skillVersion: '1',
    skills: [],
    skillsSha256: key.skillsSha256,
    schema: null,
    schemaSha256: key.schemaSha256,
    status: 'ready',
    origin: 'embedded',
    executionId: null,
    writtenBy: 'embedded',
    asked: { executionIds: null, caseIds: null },
    source: 'export default async () => null',
    sha256: 'd',
    compileMicros: 0,
    agentRuns: 0,
    agentMicros: 0,
    createdAt: now,
  })
  await database.db.query('update programs set shape_sha256 = $2 where id = $1', [id, key.shapeSha256])
  return { id, key }
}

async function addRun(programId: string) {
  const executionId = newId(now)
  await database.db.query(
    `insert into executions (id, workspace_id, key_id, name, status, request, model, tier, created_at)
     values ($1, $2, $3, 'x', 'completed', '{}', 'm', 'standard', $4)`,
    [executionId, workspaceId, keyId, now],
  )
  const run = {
    workspaceId,
    executionId,
    programId,
    shadowId: null,
    isWithheld: false,
    left: [],
    micros: 5,
    ms: 2,
    now,
  }
  await addProgramRun(database.db, run)
  await addProgramRun(database.db, run)
}

test('the runs of a program are counted immediately, each once, whether they were added to its sums or not', async () => {
  const { id, key } = await readyProgram()
  for (let n = 0; n < 3; n += 1) await addRun(id)
  const sums = { runs: 3, runMicros: 15, runMs: 6 }
  expect(await findProgram(database.db, { workspaceId, id })).toMatchObject(sums)
  expect(await findReady(database.db, key)).toMatchObject({ id, runs: 3 })
  const place = { workspaceId, id }
  await Promise.all([1, 2, 3].map(() => database.db.transaction((tx) => countRuns(tx, place))))
  expect(await findProgram(database.db, place)).toMatchObject(sums)
  const [row] = await database.db.query('select runs, run_micros::integer as micros from programs where id = $1', [id])
  expect(row).toEqual({ runs: 3, micros: 15 })
  await addRun(id)
  expect(await findProgram(database.db, place)).toMatchObject({ runs: 4, runMicros: 20, runMs: 8 })
})
