import { beforeEach, describe, expect, test } from 'vitest'
import { newId } from '../packages/core/src/ids.ts'
import { listCorrected } from '../packages/server/src/features/executions/executions.ts'
import type { Improvement } from '../packages/server/src/features/improvements/improvement.ts'
import {
  endImprovement,
  findCasePlan,
  findImprovement,
  insertImprovement,
  insertImprovementRun,
  insertProposal,
  judgeProposal,
  listImprovementRuns,
  listImprovements,
  listProposals,
  listPublished,
  noteComparison,
  writeProposal,
} from '../packages/server/src/features/improvements/store.ts'
import { makeDatabase } from './support/database.ts'
import { opened } from './support/opened.ts'
import { rowsOf } from './support/rows.ts'
import { addWorkspace } from './support/workspace.ts'

// Two workspaces have an improvement with the same id, of a skill with the same name. Row-level security is off here, so that only the
// conditions in the statements protect.

const now = new Date('2026-11-22T12:00:00Z')

const database = await opened(makeDatabase())
const db = database.db

interface Place {
  readonly workspaceId: string
  readonly keyId: string
  readonly id: string
}
let own: Place
let twin: Place

const improvementOf = ({ workspaceId, keyId, id }: Place, mark: string): Improvement => ({
  ...{ id, workspaceId, keyId, skillName: 'a-skill', skillId: id, number: 1, skillVersion: mark, status: 'running' },
  ...{
    model: mark,
    answeredBy: mark,
    writer: mark,
    budgetMicros: 5,
    proposalsMax: 1,
    trainingCases: 1,
    judgingCases: 1,
  },
  ...{
    outcome: null,
    error: null,
    publishedId: null,
    comparedBy: mark,
    evaluationId: null,
    createdAt: now,
    completedAt: null,
  },
})
const planOf = (mark: string) => ({ training: [{ id: mark, inputs: {}, config: {}, response: null }], judging: [] })
const run = (more: object = {}) => ({
  ...{ number: 1, kind: 'judging' as const, caseNumber: 0, executionId: null, error: null },
  ...more,
})

async function add(mark: 'own' | 'twin', id: string): Promise<Place> {
  const place = { ...(await addWorkspace(db, now)), id }
  expect(await insertImprovement(db, improvementOf(place, mark), planOf(mark))).toBe(true)
  await insertProposal(db, place, { number: 1, runMicros: 7 })
  await insertImprovementRun(db, place, run({ number: 0, error: { code: mark, message: mark } }))
  return place
}
beforeEach(async () => {
  const id = newId(now)
  // The other one first: it would be the first found.
  twin = await add('twin', id)
  own = await add('own', id)
})

describe('reads the rows of its workspace only:', () => {
  const reads: readonly (readonly [string, (place: Place) => Promise<unknown>])[] = [
    ['findImprovement', (place) => findImprovement(db, place)],
    ['findCasePlan', (place) => findCasePlan(db, place)],
    ['listImprovements', ({ workspaceId }) => listImprovements(db, { workspaceId, skillName: 'a-skill', limit: 5 })],
    ['listImprovementRuns', (place) => listImprovementRuns(db, place)],
  ]
  test.each(reads)('%s', async (_name, read) => {
    const found = JSON.stringify(await read(own))
    expect(found).toContain('own')
    expect(found).not.toContain('twin')
  })

  test('listProposals', async () => {
    await insertProposal(db, twin, { number: 2, runMicros: 7 })
    expect(await listProposals(db, own)).toHaveLength(1)
  })

  test('only those of the improvement', async () => {
    const other = { ...own, id: newId(now) }
    await endImprovement(db, { ...own, now }, { status: 'cancelled' })
    await insertImprovement(db, improvementOf(other, 'other'), planOf('other'))
    expect([await listImprovementRuns(db, other), await listProposals(db, other)]).toEqual([[], []])
    expect(await findImprovement(db, other)).toMatchObject({ model: 'other' })
    expect(await findCasePlan(db, other)).toEqual(planOf('other'))
    const all = await listImprovements(db, { workspaceId: own.workspaceId, skillName: 'a-skill', limit: 5 })
    expect(all).toHaveLength(2)
    expect(await listImprovements(db, { workspaceId: own.workspaceId, skillName: 'other', limit: 5 })).toEqual([])
  })
})

describe('changes the rows of its workspace and improvement only:', () => {
  const written = { number: 1, instructions: 'text', summary: null, verdict: null, error: null }
  const judged = { number: 1, verdict: 'better' as const, error: null, results: [] }
  const writes: readonly (readonly [string, (place: Place) => Promise<unknown>])[] = [
    ['endImprovement', (place) => endImprovement(db, { ...place, now }, { status: 'cancelled' })],
    ['insertProposal', (place) => insertProposal(db, place, { number: 2, runMicros: 7 })],
    ['writeProposal', (place) => writeProposal(db, place, written)],
    ['judgeProposal', (place) => judgeProposal(db, place, judged)],
    ['insertImprovementRun', (place) => insertImprovementRun(db, place, run())],
  ]
  test.each(writes)('%s', async (_name, write) => {
    const other = { ...own, id: newId(now) }
    await db.query(
      `insert into improvements select workspace_id, $2, 'another', skill_id, number, skill_version, status, key_id, model, answered_by, writer,
         budget_micros, proposals_max, plan, training_cases, judging_cases, outcome, error, published_id, compared_by, evaluation_id, created_at, completed_at
       from improvements where workspace_id = $1`,
      [own.workspaceId, other.id],
    )
    await insertProposal(db, other, { number: 1, runMicros: 7 })
    const others = async () => (await rowsOf(db, own.workspaceId)).filter((row) => row.includes(other.id))
    const [mine, foreign, beside] = [
      await rowsOf(db, own.workspaceId),
      await rowsOf(db, twin.workspaceId),
      await others(),
    ]
    await write(own)
    expect(await rowsOf(db, own.workspaceId)).not.toEqual(mine)
    expect(await rowsOf(db, twin.workspaceId)).toEqual(foreign)
    expect(await others()).toEqual(beside)
    // Once: the second time changes nothing.
    const after = await rowsOf(db, own.workspaceId)
    await write(own)
    expect(await rowsOf(db, own.workspaceId)).toEqual(after)
  })

  test('a proposal that was written or refused is not written again, and each number has its own row', async () => {
    await insertProposal(db, own, { number: 2, runMicros: 9 })
    await insertProposal(db, own, { number: 2, runMicros: 1 })
    await writeProposal(db, own, { ...written, instructions: null, verdict: 'failed' })
    await writeProposal(db, own, written)
    await judgeProposal(db, own, { ...judged, number: 2 })
    expect(await listProposals(db, own)).toMatchObject([
      { number: 1, verdict: 'failed', instructions: null, results: null },
      { number: 2, verdict: 'better', instructions: null, results: [], runMicros: 9 },
    ])
    await judgeProposal(db, own, { ...judged, number: 2, verdict: 'worse' })
    expect((await listProposals(db, own))[1]).toMatchObject({ verdict: 'better' })
  })

  test.each(['completed', 'failed', 'cancelled'])(
    'one that is %s neither ends again nor gets a run',
    async (status) => {
      await db.query('update improvements set status = $2 where workspace_id = $1', [own.workspaceId, status])
      expect(await insertImprovementRun(db, own, run())).toBe(false)
      expect(await listImprovementRuns(db, own)).toHaveLength(1)
      expect(await endImprovement(db, { ...own, now }, { status: 'cancelled' })).toBe(false)
      expect(await findImprovement(db, own)).toMatchObject({ status, completedAt: null })
    },
  )

  test('a skill has one running improvement', async () => {
    const second = { ...own, id: newId(now) }
    expect(await insertImprovement(db, improvementOf(second, 'second'), planOf('second'))).toBe(false)
    expect(await findImprovement(db, second)).toBeUndefined()
    await endImprovement(db, { ...own, now }, { status: 'cancelled' })
    expect(await insertImprovement(db, improvementOf(second, 'second'), planOf('second'))).toBe(true)
  })
})

test('the cases of an improvement, which may hold documents, are dropped when it ends', async () => {
  await endImprovement(db, { ...own, now }, { status: 'cancelled' })
  expect(await findCasePlan(db, own)).toBeUndefined()
  expect(await db.query('select plan from improvements where workspace_id = $1', [own.workspaceId])).toEqual([
    { plan: { training: [], judging: [] } },
  ])
  expect(await findCasePlan(db, twin)).toEqual(planOf('twin'))
})

test('the comparison under another engine is noted once, for the newest published improvement of each skill', async () => {
  const publish = (place: Place) =>
    endImprovement(
      db,
      { ...place, now },
      { status: 'completed', outcome: { code: 'published', message: '' }, publishedId: place.id },
    )
  expect((await listPublished(db)).filter(({ id }) => id === own.id)).toEqual([])
  await publish(own)
  const newer = { ...own, id: newId(now) }
  await insertImprovement(db, { ...improvementOf(newer, 'newer'), createdAt: new Date(now.getTime() + 1) }, planOf(''))
  const ofOwn = async () => (await listPublished(db)).filter(({ workspaceId }) => workspaceId === own.workspaceId)
  expect((await ofOwn()).map(({ id }) => id)).toEqual([own.id])
  await publish(newer)
  expect(await ofOwn()).toEqual([{ workspaceId: own.workspaceId, id: newer.id, model: 'newer', comparedBy: 'newer' }])
  const foreign = await rowsOf(db, twin.workspaceId)
  const note = { was: 'own', now: 'another', evaluationId: newId(now) }
  expect(await noteComparison(db, own, { ...note, was: 'twin' })).toBe(false)
  expect([await noteComparison(db, own, note), await noteComparison(db, own, note)]).toEqual([true, false])
  expect(await findImprovement(db, own)).toMatchObject({ comparedBy: 'another', evaluationId: note.evaluationId })
  expect(await findImprovement(db, newer)).toMatchObject({ comparedBy: 'newer', evaluationId: null })
  expect(await rowsOf(db, twin.workspaceId)).toEqual(foreign)
})

test('corrected executions are those with a finished review and a corrected answer that are retained, of the skill and the workspace', async () => {
  const place = await addWorkspace(db, now)
  const other = await addWorkspace(db, now)
  const addRun = async (
    name: string,
    of: { at?: Place | typeof place; skill?: string; review?: string; reviewed?: string | null; set?: string },
  ) => {
    const { workspaceId, keyId } = of.at ?? place
    const id = newId(now)
    await db.query(
      `insert into executions (id, workspace_id, key_id, name, status, request, model, tier, created_at, review, reviewed_response)
       values ($1, $2, $3, $4, 'completed', '{}', '', 'flex', $5, $6, $7)`,
      [
        id,
        workspaceId,
        keyId,
        name,
        now,
        JSON.stringify({ status: of.review ?? 'done' }),
        of.reviewed === undefined ? '{}' : of.reviewed,
      ],
    )
    if (of.set) await db.query(`update executions set ${of.set} where id = $1`, [id])
    await db.query(
      `insert into execution_skills (workspace_id, execution_id, position, name, skill_version, created_at) values ($1, $2, 0, $3, '', $4)`,
      [workspaceId, id, of.skill ?? 'a-skill', now],
    )
    return id
  }
  const right = await addRun('right', {})
  await addRun('of another workspace', { at: other })
  await addRun('of another skill', { skill: 'other' })
  await addRun('not done', { review: 'needed' })
  await addRun('not corrected', { reviewed: null })
  await addRun('not retained', { set: 'is_retained = false' })
  await addRun('not to learn from', { set: `request = '{"metadata":{"allow_training":false}}'` })
  await addRun('purged', { set: `purged_at = created_at` })
  expect(await listCorrected(db, { workspaceId: place.workspaceId, skillName: 'a-skill', limit: 10 })).toEqual([right])
})
