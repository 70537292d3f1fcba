import { beforeEach, describe, expect, test } from 'vitest'
import { newId } from '../packages/core/src/ids.ts'
import {
  findRule,
  listCalibrated,
  listSettings,
  moveThreshold,
  writeSetting,
} from '../packages/server/src/features/reviews/settings.ts'
import { readStatistics } from '../packages/server/src/features/reviews/statistics.ts'
import {
  assignItem,
  claimNext,
  countClaimable,
  endClaim,
  endItem,
  findItem,
  forgetReviews,
  listEdits,
  listJudged,
  listReviewItems,
  listReviews,
  lockItem,
  writeClaim,
} from '../packages/server/src/features/reviews/store.ts'
import { makeDatabase } from './support/database.ts'
import { opened } from './support/opened.ts'
import { rowsOf } from './support/rows.ts'
import { addWorkspace } from './support/workspace.ts'

// Two workspaces have executions with the same ids, whose reviews are in other states. Row-level security is off here, so that only the
// conditions in the statements protect.

const now = new Date('2026-11-22T12:00:00Z')
const earlier = new Date(now.getTime() - 60_000)
const later = new Date(now.getTime() + 60_000)

const database = await opened(makeDatabase())
const db = database.db

/** The state of an item: `lapsed` and `claimed` have a claim that is over, or not. */
type State = 'open' | 'lapsed' | 'claimed' | 'done' | 'done under a claim'
/** The states of the items of this workspace, in the order of the queue. */
const states = ['done under a claim', 'done', 'claimed', 'lapsed', 'open', 'open'] as const satisfies readonly State[]
const theirs: readonly State[] = ['open', 'claimed', 'open', 'done', 'claimed', 'open']

interface Reviewer {
  readonly workspaceId: string
  readonly keyId: string
}
let executions: readonly string[]
let own: Reviewer
let twin: Reviewer

async function addReviews(name: 'own' | 'twin', of: readonly State[]): Promise<Reviewer> {
  const reviewer = await addWorkspace(db, now)
  const { workspaceId, keyId } = reviewer
  await db.query('update keys set name = $2 where workspace_id = $1', [workspaceId, name])
  for (const [place, state] of of.entries()) {
    const isDone = state === 'done' || state === 'done under a claim'
    const claimedUntil = { lapsed: earlier, claimed: later, 'done under a claim': later, open: null, done: null }[state]
    const id = executions[place]
    await db.query(
      `insert into executions (id, workspace_id, key_id, name, status, request, model, tier, created_at, completed_at, response)
       values ($1, $2, $3, $4, 'completed', '{}', '', 'standard', $5, $5, '{}')`,
      [id, workspaceId, keyId, name, now],
    )
    await db.query(
      `insert into review_items (workspace_id, execution_id, status, skill_name, reasons, created_at, claimed_by, claimed_until, busy_ms,
         done_at, done_by, fields, judged)
       values ($1, $2, $3, 'a skill', '[]', $4, $5, $6, $7, $8, $9, $10, $11)`,
      [
        workspaceId,
        id,
        isDone ? 'done' : 'needed',
        new Date(now.getTime() + place),
        claimedUntil && keyId,
        claimedUntil,
        name === 'own' ? 4 : 100,
        now,
        isDone ? keyId : null,
        JSON.stringify({ [`/${name}`]: { confirmed: 1, corrected: 2, untouched: 3 } }),
        JSON.stringify([{ confidence: name === 'own' && isDone ? 0.7 : 0.2, right: isDone }]),
      ],
    )
    await db.query(
      `insert into reviews (workspace_id, execution_id, version, key_id, is_done, comment, changes, created_at)
       values ($1, $2, 1, $3, true, $4, $5, $6)`,
      [workspaceId, id, keyId, name, JSON.stringify([{ path: `/${name}`, kind: 'corrected', from: 1, to: 2 }]), now],
    )
  }
  await writeSetting(db, {
    ...{ workspaceId, now, skillName: 'a skill' },
    rule: { below: name === 'own' ? 0.5 : 0.9, addCases: false, maxWrongRate: name === 'own' ? 0.2 : 0.1 },
  })
  return reviewer
}

beforeEach(async () => {
  executions = states.map(() => newId(now))
  // The other one first: it would be the first found.
  twin = await addReviews('twin', theirs)
  own = await addReviews('own', states)
})

const at = (state: State) => ({
  workspaceId: own.workspaceId,
  executionId: executions[states.indexOf(state)] as string,
})
const everywhere = () => ({ workspaceId: own.workspaceId, skill: null })

/** The tables whose rows a call changes, once for each row. Nothing of the other workspace may change. */
async function changedBy(act: () => Promise<unknown>): Promise<readonly string[]> {
  const [before, other] = [await rowsOf(db, own.workspaceId), await rowsOf(db, twin.workspaceId)]
  await act()
  const after = await rowsOf(db, own.workspaceId)
  expect(await rowsOf(db, twin.workspaceId)).toEqual(other)
  return before.filter((row) => !after.includes(row)).map((row) => row.split(' ')[0] as string)
}

describe('an item of the review queue', () => {
  test('is found in its workspace, with the names that this workspace has', async () => {
    const item = await findItem(db, at('claimed'))
    expect(item).toMatchObject({ name: 'own', busyMs: 4, claimedBy: { id: own.keyId, name: 'own' } })
    await db.query('update review_items set assigned_to = $1', [twin.keyId])
    expect((await findItem(db, at('claimed')))?.assignedTo).toBeNull()
    expect(await findItem(db, { ...at('claimed'), workspaceId: newId(now) })).toBeUndefined()
  })

  test('is locked, and the one of another workspace is not', async () => {
    await db.transaction(async (tx) => {
      await lockItem(tx, at('open'))
      const free = await db.query<{ workspaceId: string }>(
        `select workspace_id as "workspaceId" from review_items where execution_id = $1 for update skip locked`,
        [at('open').executionId],
      )
      expect(free).toEqual([{ workspaceId: twin.workspaceId }])
    })
  })

  test.each([
    ['needed', ['lapsed', 'open', 'open']],
    ['claimed', ['claimed']],
    ['done', ['done under a claim', 'done']],
    [null, states],
  ] as const)('is listed as %s', async (status, expected) => {
    const page = { ...everywhere(), status, after: null, limit: 100, now }
    const listed = await listReviewItems(db, { ...page, of: null })
    expect(listed.map(({ executionId }) => states[executions.indexOf(executionId)])).toEqual(expected)
    expect(listed.every(({ name }) => name === 'own')).toBe(true)
    const listedFor = async (of: string) =>
      (await listReviewItems(db, { ...page, of })).map(({ executionId }) => executionId)
    const mine = expected.some((state) => state === 'claimed') ? [at('claimed').executionId] : []
    expect([await listedFor(own.keyId), await listedFor(newId(now))]).toEqual([mine, []])
  })

  test('is claimed once while it needs a review and nobody has it', async () => {
    const call = { ...everywhere(), by: own.keyId, now, until: later }
    for (const [waiting, place] of [
      [3, 3],
      [2, 4],
      [1, 5],
    ] as const) {
      expect(await countClaimable(db, call)).toBe(waiting)
      const changed = await changedBy(async () => expect(await claimNext(db, call)).toBe(executions[place]))
      expect(changed).toEqual(['review_items'])
    }
    expect(await countClaimable(db, call)).toBe(0)
    expect(await changedBy(async () => expect(await claimNext(db, call)).toBeUndefined())).toEqual([])
  })

  test('that is assigned to another key, or was skipped, is not claimed', async () => {
    const by = own.keyId
    await assignItem(db, { ...at('open'), to: newId(now) })
    await endClaim(db, { ...at('lapsed'), busyMs: 0, skippedBy: by })
    expect(await countClaimable(db, { ...everywhere(), by, now })).toBe(1)
    expect(await claimNext(db, { ...everywhere(), by, now, until: later })).toBe(executions[5])
  })

  test.each<[string, () => Promise<void>]>([
    ['is claimed', () => writeClaim(db, { ...at('open'), by: own.keyId, at: now, until: later, number: 1 })],
    ['is released', () => endClaim(db, { ...at('claimed'), busyMs: 1, skippedBy: own.keyId })],
    ['is done', () => endItem(db, { ...at('claimed'), by: own.keyId, now, busyMs: 1, fields: {}, judged: [] })],
    ['is assigned', () => assignItem(db, { ...at('claimed'), to: own.keyId })],
  ])('%s, and no other one', async (_what, act) => {
    expect(await changedBy(act)).toEqual(['review_items'])
  })
})

describe('the reviews of an execution', () => {
  test('are listed, and what they changed', async () => {
    const place = at('done')
    expect(await listReviews(db, place)).toMatchObject([{ comment: 'own', by: { id: own.keyId, name: 'own' } }])
    expect(await listEdits(db, place)).toEqual([{ path: '/own', kind: 'corrected', rows: null, to: null }])
  })

  test('go with its item, and not those of another one', async () => {
    expect(await changedBy(() => forgetReviews(db, at('done')))).toEqual(['review_items', 'reviews'])
  })
})

describe('the settings of a workspace', () => {
  test('are those that it made', async () => {
    const { workspaceId } = own
    expect(await findRule(db, { workspaceId, skillName: 'a skill' })).toMatchObject({ below: 0.5 })
    expect(await listSettings(db, workspaceId)).toEqual([
      { skillName: 'a skill', below: 0.5, addCases: false, maxWrongRate: 0.2 },
    ])
    expect(await findRule(db, { workspaceId: newId(now), skillName: 'a skill' })).toBeUndefined()
  })

  test('that are kept to a rate are those of the workspace and of the skill, and move by themselves', async () => {
    const { workspaceId } = own
    const rule = { below: 0.9, addCases: false, maxWrongRate: 0.05 }
    expect(await listCalibrated(db, { workspaceId, skillName: null })).toEqual([])
    await writeSetting(db, { workspaceId, skillName: null, rule, now })
    await writeSetting(db, { workspaceId, skillName: 'another', rule, now })
    await writeSetting(db, { workspaceId, skillName: 'by hand', rule: { ...rule, maxWrongRate: null }, now })
    const ofSkill = { skillName: 'a skill', maxWrongRate: 0.2 }
    expect(await listCalibrated(db, { workspaceId, skillName: 'a skill' })).toMatchObject([
      { skillName: null, maxWrongRate: 0.05, below: 0.9 },
      ofSkill,
    ])
    expect(await listCalibrated(db, { workspaceId, skillName: 'by hand' })).toMatchObject([{ skillName: null }])
    const move = (below: number) => () => moveThreshold(db, { workspaceId, skillName: 'a skill', below, now: later })
    expect(await changedBy(move(0.7))).toEqual(['review_settings'])
    expect(await changedBy(move(0.7))).toEqual([])
  })

  test('are calibrated on what finished reviews of the workspace judged', async () => {
    const { workspaceId } = own
    const judged = [{ confidence: 0.7, right: true }]
    expect(await listJudged(db, { workspaceId, skillName: null })).toEqual([...judged, ...judged])
    expect(await listJudged(db, { workspaceId, skillName: 'a skill' })).toHaveLength(2)
    expect(await listJudged(db, { workspaceId, skillName: 'another' })).toEqual([])
  })

  test.each([null, { below: 0.1, addCases: true, maxWrongRate: null }])('change to %j for it alone', async (rule) => {
    const write = () => writeSetting(db, { workspaceId: own.workspaceId, skillName: 'a skill', rule, now: later })
    expect(await changedBy(write)).toEqual(['review_settings'])
  })
})

test('the statistics count the finished reviews of the workspace, and what waits for one', async () => {
  const all = { workspaceId: own.workspaceId, skillName: null, from: null, to: null }
  expect(await readStatistics(db, all)).toEqual({
    ...{ reviewed: 2, waiting: 4, medianMs: 4, meanMs: 4 },
    fields: [{ field: '/own', confirmed: 2, corrected: 4, untouched: 6 }],
  })
})
