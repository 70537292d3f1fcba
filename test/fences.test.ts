import { describe, expect, test } from 'vitest'
import { systemClock as clock } from '../packages/core/src/clock.ts'
import { newId } from '../packages/core/src/ids.ts'
import { type Db, jsonb } from '../packages/server/src/adapters/db/db.ts'
import { Deferred } from '../packages/server/src/adapters/queue/queue.ts'
import { recentCosts } from '../packages/server/src/features/estimates/recent-costs.ts'
import { makeAdmission } from '../packages/server/src/features/executions/accept/admission.ts'
import { claimKeys, findFirst } from '../packages/server/src/features/executions/accept/idempotency.ts'
import { settlePending, wakePending } from '../packages/server/src/features/executions/accept/pending.ts'
import { agentCosts, listOutcomes, paidFor } from '../packages/server/src/features/executions/executions.ts'
import { findNamed } from '../packages/server/src/features/executions/find-named.ts'
import type { Status } from '../packages/server/src/features/executions/lifecycle.ts'
import { listExecutions } from '../packages/server/src/features/executions/list.ts'
import { queueFigures } from '../packages/server/src/features/executions/queue-figures.ts'
import { forgetAnswer, forgetWork, markUnretained } from '../packages/server/src/features/executions/retention.ts'
import type { Approval } from '../packages/server/src/features/executions/review-and-approval.ts'
import {
  findHeldEnding,
  lockApproval,
  pauseForApproval,
  useGrant,
  writeDecision,
} from '../packages/server/src/features/executions/store/approval.ts'
import type { Place, RunFence } from '../packages/server/src/features/executions/store/execution-row.ts'
import {
  findExecution,
  findOriginal,
  findPredictionDomain,
  listFileNames,
} from '../packages/server/src/features/executions/store/find-execution.ts'
import { insertImported } from '../packages/server/src/features/executions/store/imported.ts'
import {
  failExecution,
  findMoves,
  findNews,
  forgetAwaited,
  lockUnended,
  pauseExecution,
  pauseRun,
  resumeExecution,
  startPending,
} from '../packages/server/src/features/executions/store/moves.ts'
import { insertExecution, type NewExecution } from '../packages/server/src/features/executions/store/new-execution.ts'
import { listAskable, listFullCosts, listPastWork } from '../packages/server/src/features/executions/store/past-work.ts'
import { markReviewNeeded, writeReview } from '../packages/server/src/features/executions/store/reviewed.ts'
import {
  clearLostAttempt,
  finishRun,
  markAnswering,
  markShadow,
  returnRun,
  startRun,
  startRuns,
} from '../packages/server/src/features/executions/store/run-of-execution.ts'
import {
  findStepStatus,
  insertStep,
  insertSteps,
  listSteps,
  listStepsAfter,
} from '../packages/server/src/features/executions/store/steps.ts'
import type { ListQuery } from '../packages/server/src/features/executions/wire/query.ts'
import { dropEndedHolds } from '../packages/server/src/features/files/store.ts'
import {
  deleteParsedDocumentsFor,
  findParsedDocument,
  findParsedDocumentLike,
  findVideoImages,
  keepParsedDocument,
  keepVideoImages,
} from '../packages/server/src/features/inputs/parsed-documents.ts'
import { findRefusal, payAtOnce, releaseLost, reserve, settle } from '../packages/server/src/features/pricing/ledger.ts'
import {
  bookSpending,
  findRemainingBudget,
  findSpending,
  isReserved,
  lockSpending,
  openReservations,
} from '../packages/server/src/features/pricing/store.ts'
import { purgeExecutions } from '../packages/server/src/features/retention/purge.ts'
import { startWithin } from '../packages/server/src/features/runs/start-within.ts'
import {
  clearIfPurged,
  clearSettledCallbacks,
  ensureSecretRow,
  findCallback,
  findDueCallback,
  giveUpCallbacks,
  hasExecution,
  insertCallback,
  listCallbacks,
  lockSecretRow,
  recordTry,
  restartCallback,
  writeSealed,
} from '../packages/server/src/features/webhooks/store.ts'
import { makeDatabase } from './support/database.ts'
import { opened } from './support/opened.ts'
import { rowsOf } from './support/rows.ts'
import { addWorkspace } from './support/workspace.ts'

// Calls each function that reads or writes an execution both where its conditions hold and where they do not: from a
// stale run, in a disallowed status, and next to an execution with the same id in another workspace. Row-level security
// is off here, so that only the conditions in the statements protect.

const { signal } = new AbortController()
const now = new Date('2026-11-22T12:00:00Z')
const later = new Date(now.getTime() + 60_000)
const statuses: readonly Status[] = ['pending', 'enqueued', 'running', 'paused', 'completed', 'failed']

const database = await opened(makeDatabase())
const db = database.db

/** An execution in its third attempt, with all related rows. */
interface Scene {
  readonly own: Place & { readonly keyId: string }
  /** The execution with the same id in another workspace. */
  readonly twin: Place & { readonly keyId: string }
  readonly fence: RunFence
}

const attempt = 3
const sha256 = Buffer.alloc(32, 1)
const reservationId = newId(now)

async function openScene(status: Status): Promise<Scene> {
  const id = newId(now)
  const add = async (name: string) => {
    const { workspaceId, keyId } = await addWorkspace(db, now)
    const place = { workspaceId, id, keyId }
    const moves = [{ status: 'enqueued', at: now.toISOString(), attempt: 0 }]
    await db.query(
      `insert into executions (id, workspace_id, key_id, name, status, attempt, request, model, tier, created_at, moves, process_id,
         lost_attempts, job_attempt, completed_at, response, skills)
       values ($1, $2, $3, $4, $5, $6, $7, 'm', 'standard', $8, $9, $10, $11, 2, $12, '{"from": "me"}', '[]')`,
      [
        id,
        workspaceId,
        keyId,
        name,
        status,
        attempt,
        JSON.stringify({ inputs: [], values: { name }, prompt: name, schema: null, metadata: {} }),
        now,
        JSON.stringify(moves),
        newId(now),
        JSON.stringify({ [attempt]: newId(now), 1: newId(now) }),
        status === 'completed' || status === 'failed' ? now : null,
      ],
    )
    for (const seq of [1, 2])
      await db.query(
        `insert into steps (workspace_id, execution_id, seq, attempt, kind, name, detail, result, started_at, ended_at)
         values ($1, $2, $3, $4, 'tool', $5, '{}', '{}', $6, $6)`,
        [workspaceId, id, seq, attempt, name, now],
      )
    await db.query(
      `insert into ledger (workspace_id, execution_id, key_id, reservation_id, kind, micros, created_at)
       values ($1, $2, $3, $4, 'reserve', 10, $5)`,
      [workspaceId, id, keyId, reservationId, now],
    )
    await db.query(
      `insert into readings (workspace_id, sha256, reader, document, summary, created_at) values ($1, $2, $3, $4, '{}', $5)`,
      [workspaceId, sha256, `of all for ${id}`, Buffer.from(name), now],
    )
    await db.query(
      `insert into execution_skills (workspace_id, execution_id, position, name, skill_version, created_at)
       values ($1, $2, 9, $3, 'v', $4)`,
      [workspaceId, id, name, now],
    )
    await db.query(
      `insert into execution_uploads (workspace_id, execution_id, file_id, input, expires_at) values ($1, $2, $3, 'a', $4)`,
      [workspaceId, id, newId(now), later],
    )
    await db.query(
      `insert into callbacks (workspace_id, execution_id, n, event, url, webhook_id, body, state, job_number, created_at)
       values ($1, $2, 1, 'completed', $3, $3, $4, 'pending', 2, $5), ($1, $2, 2, 'completed', $3, $3, $4, 'delivered', 2, $5)`,
      [workspaceId, id, name, Buffer.from(name), now],
    )
    return place
  }
  // The other one first: it would be the first found.
  const twin = await add('twin')
  const own = await add('own')
  return { own, twin, fence: { workspaceId: own.workspaceId, id, attempt } }
}

/** The number of rows of each workspace that a call added, changed or deleted. */
async function changesOf(
  scene: Scene,
  act: () => Promise<unknown>,
): Promise<{ own: number; twin: number; gave: unknown }> {
  const before = [await rowsOf(db, scene.own.workspaceId), await rowsOf(db, scene.twin.workspaceId)]
  const gave = await act()
  const after = [await rowsOf(db, scene.own.workspaceId), await rowsOf(db, scene.twin.workspaceId)]
  const [own = 0, twin = 0] = before.map((rows, n) => {
    const [was, is] = [new Set(rows), new Set(after[n])]
    return [...was].filter((row) => !is.has(row)).length + [...is].filter((row) => !was.has(row)).length
  })
  return { own, twin, gave }
}

const payerOf = ({ own, fence }: Scene, micros: number | null = null) => ({
  workspaceId: own.workspaceId,
  executionId: own.id,
  keyId: own.keyId,
  attempt: fence.attempt,
  executionMicrosMax: micros,
})

const step = (seq: number) => ({
  seq,
  kind: 'tool' as const,
  name: 'new',
  detail: {},
  result: {},
  costMicros: 0,
  startedAt: now,
  endedAt: now,
})
const ending = { response: 1, evidence: null, error: null, usage: {}, now, warnings: [] }

const approval: Approval = {
  number: 1,
  waitingFor: 'tool',
  tool: 'a.tool',
  input: null,
  since: now.toISOString(),
  expiresAt: later.toISOString(),
  onTimeout: 'reject',
  decision: null,
  by: null,
  via: null,
  at: null,
  comment: null,
  call: 'a call',
  granted: ['a call'],
}
const setApproval = (value: Approval) => db.query('update executions set approval = $1', [jsonb(value)])

const newExecution = (own: Scene['own'], fileIds: readonly string[] = []): NewExecution => ({
  ...own,
  name: 'x',
  request: {
    inputs: fileIds.map((fileId, n) => ({ name: `a${n}`, source: { kind: 'file', fileId } })),
    values: {},
  } as never,
  model: 'm',
  modelChosenBy: 'default',
  tier: 'standard',
  agentId: null,
  clientId: null,
  sessionId: null,
  callbackUrl: null,
  answeredBy: null,
  evaluationId: null,
  createdAt: now,
})

const reviewOf = (own: Place) => ({
  workspaceId: own.workspaceId,
  id: own.id,
  reviewedResponse: 1,
  review: { status: 'done', version: 1, by: null, at: null, changes: [] } as const,
})

interface Write {
  readonly name: string
  /** The statuses in which it writes, if not all. */
  readonly from?: readonly Status[]
  /** True for a run's writes, which need the newest attempt. */
  readonly isFenced?: boolean
  act(scene: Scene): Promise<unknown>
}

const open: readonly Status[] = ['enqueued', 'running', 'paused']
const started = (scene: Scene, own: { job?: number; jobAttempt?: number } = {}) =>
  startRun(db, { ...scene.own, job: 1, jobAttempt: 3, processId: newId(now), now, ...own })

const writes: readonly Write[] = [
  { name: 'startRun', from: ['enqueued', 'running'], act: (scene) => started(scene) },
  { name: 'returnRun', from: ['running'], isFenced: true, act: ({ fence }) => returnRun(db, fence, now) },
  { name: 'clearLostAttempt', isFenced: true, act: ({ fence }) => clearLostAttempt(db, fence) },
  {
    name: 'markAnswering',
    isFenced: true,
    act: ({ fence }) => markAnswering(db, fence, { answeredBy: 'e', reason: 'r' }),
  },
  {
    name: 'finishRun completed',
    from: ['running'],
    isFenced: true,
    act: ({ fence }) => finishRun(db, fence, { ...ending, status: 'completed' }),
  },
  {
    name: 'finishRun failed',
    from: ['pending', ...open],
    isFenced: true,
    act: ({ fence }) => finishRun(db, fence, { ...ending, status: 'failed' }),
  },
  { name: 'insertStep', from: open, isFenced: true, act: ({ fence }) => insertStep(db, fence, step(3)) },
  {
    name: 'insertSteps',
    from: open,
    isFenced: true,
    act: ({ fence }) => insertSteps(db, fence, [step(3), step(4)]),
  },
  {
    name: 'pauseRun',
    from: ['running'],
    isFenced: true,
    act: ({ fence }) => pauseRun(db, fence, { now, movesMax: 9, usage: {} }),
  },
  {
    name: 'pauseForApproval',
    from: ['running'],
    isFenced: true,
    act: ({ fence }) => pauseForApproval(db, fence, { approval, held: null, usage: {}, now, movesMax: 9 }),
  },
  { name: 'writeDecision', act: ({ own }) => writeDecision(db, { ...own, approval }) },
  {
    name: 'pauseExecution',
    from: ['enqueued', 'running'],
    act: ({ own }) => pauseExecution(db, { ...own, now, movesMax: 9 }),
  },
  {
    name: 'resumeExecution',
    from: ['paused'],
    act: ({ own }) => resumeExecution(db, { ...own, now, maxCostMicros: null }),
  },
  { name: 'startPending', from: ['pending'], act: ({ own }) => startPending(db, { ...own, now }) },
  {
    name: 'failExecution',
    from: ['pending', ...open],
    act: ({ own }) =>
      db.transaction(async (tx) => {
        if (await lockUnended(tx, own)) await failExecution(tx, { ...own, now, error: null as never, usage: {} })
      }),
  },
  {
    name: 'a reservation',
    from: open,
    isFenced: true,
    act: (scene) => reserve({ db, clock }, payerOf(scene), { micros: 5, detail: null, signal }),
  },
  {
    name: 'a reading of its own',
    from: open,
    isFenced: true,
    act: ({ own, fence }) =>
      keepParsedDocument(db, {
        workspaceId: own.workspaceId,
        sha256: Buffer.alloc(32, 2),
        variant: `new for ${own.id}`,
        now,
        fence,
        document: { packed: new Uint8Array(1) } as never,
      }),
  },
  {
    name: 'forgetAnswer',
    from: ['completed', 'failed'],
    act: ({ own }) => forgetAnswer(db, { ...own, now }),
  },
  { name: 'markShadow', act: ({ own }) => markShadow(db, { ...own, shadowOf: own.id }) },
  { name: 'markUnretained', act: ({ own }) => db.transaction((tx) => markUnretained(tx, { ...own, names: [] })) },
  { name: 'forgetWork', act: ({ own }) => db.transaction((tx) => forgetWork(tx, { ...own, now })) },
  { name: 'markReviewNeeded', act: ({ own }) => markReviewNeeded(db, own) },
  { name: 'writeReview', from: ['completed', 'failed'], act: ({ own }) => writeReview(db, reviewOf(own)) },
  { name: 'forgetAwaited', act: ({ own }) => forgetAwaited(db, own) },
  { name: 'deleteParsedDocumentsFor', act: ({ own }) => deleteParsedDocumentsFor(db, own) },
  {
    name: 'settling a reservation',
    act: (scene) =>
      db.transaction((tx) =>
        settle(tx, payerOf(scene), { reservation: { id: reservationId, micros: 10, madeAt: now }, micros: 4, now }),
      ),
  },
  {
    name: 'releasing what was lost',
    act: (scene) => db.transaction((tx) => releaseLost(tx, payerOf(scene), now)),
  },
  {
    name: 'paying at once',
    act: (scene) => db.transaction((tx) => payAtOnce(tx, payerOf(scene), { micros: 3, detail: null, now })),
  },
  {
    name: 'insertCallback',
    act: ({ own }) =>
      insertCallback(db, {
        workspaceId: own.workspaceId,
        executionId: own.id,
        event: 'completed',
        url: 'u',
        webhookId: 'w',
        body: new Uint8Array(1),
        now,
      }),
  },
  {
    name: 'clearSettledCallbacks',
    act: ({ own }) => clearSettledCallbacks(db, { workspaceId: own.workspaceId, executionId: own.id }),
  },
]

describe.each(writes)('$name', ({ from = statuses, isFenced = false, act }) => {
  test.each(statuses)('of an execution that is %s', async (status) => {
    const scene = await openScene(status)
    const { own, twin } = await changesOf(scene, () => act(scene))
    expect([own > 0, twin]).toEqual([from.includes(status), 0])
  })

  test.runIf(isFenced).each([
    ['an earlier', attempt - 1],
    ['a later', attempt + 1],
  ])('by %s run', async (_which, attempt) => {
    const scene = await openScene(from.includes('running') ? 'running' : (from[0] ?? 'running'))
    const { own, twin, gave } = await changesOf(scene, () => act({ ...scene, fence: { ...scene.fence, attempt } }))
    expect([own, twin]).toEqual([0, 0])
    const isRefused = !gave || (typeof gave === 'object' && 'refused' in gave && gave.refused === 'superseded')
    expect(isRefused).toBe(true)
  })
})

describe('a run starts', () => {
  test.each([
    ['for the newest attempt of the newest job', {}, true],
    ['not for an older job', { job: 0 }, false],
    ['not for a job that is not known', { job: 2 }, false],
    ['not for an attempt of the job that started one already', { jobAttempt: 2 }, false],
    ['not for an earlier attempt of the job', { jobAttempt: 1 }, false],
  ])('%s', async (_when, own, starts) => {
    const scene = await openScene('running')
    expect(Boolean(await started(scene, own))).toBe(starts)
  })

  test('for the later one of two deliveries of its job that are handled together', async () => {
    const { own } = await openScene('enqueued')
    const delivery = (jobAttempt: number) => ({ ...own, job: 1, jobAttempt, processId: newId(now), now })
    const begun = await startRuns(db, [delivery(4), delivery(3)])
    expect(begun.map((run) => run?.attempt)).toEqual([attempt + 1, undefined])
  })

  test('only while its workspace has room, also beside others that ask at the same moment', async () => {
    const { own } = await openScene('enqueued')
    const other = newId(now)
    await db.query(
      `insert into executions select (jsonb_populate_record(e, jsonb_build_object('id', $3::text))).* from executions e
       where workspace_id = $1 and id = $2`,
      [own.workspaceId, own.id, other],
    )
    const start = (id: string) =>
      startWithin(db, { ...own, id, job: 1, jobAttempt: 3, processId: newId(now), now }, 1).then(
        (run) => run?.status,
        (error: unknown) => error instanceof Deferred && 'deferred',
      )
    expect((await Promise.all([start(own.id), start(other)])).toSorted()).toEqual(['deferred', 'running'])
  })

  test('and records the process that lost the previous attempt, unless it is the same one or the run was returned', async () => {
    const lost = async (status: Status, processOf: (before: string) => string) => {
      const scene = await openScene(status)
      const [row] = await db.query<{ id: string }>(
        'select process_id as id from executions where workspace_id = $1 and id = $2',
        [scene.own.workspaceId, scene.own.id],
      )
      const before = row?.id ?? ''
      await db.query(`update executions set lost_attempts = '{}' where workspace_id = $1`, [scene.own.workspaceId])
      const run = await startRun(db, { ...scene.own, job: 1, jobAttempt: 3, processId: processOf(before), now })
      return Object.entries(run?.lostAttempts ?? {}).map(([number, id]) => [number, id === before])
    }
    expect(await lost('running', () => newId(now))).toEqual([[String(attempt), true]])
    expect(await lost('running', (before) => before)).toEqual([])
    expect(await lost('enqueued', () => newId(now))).toEqual([])
  })

  test('again after a pause, whatever attempt its former job had', async () => {
    const scene = await openScene('paused')
    const resumed = await resumeExecution(db, { ...scene.own, now, maxCostMicros: null })
    expect(await started(scene, { job: resumed?.job ?? 0, jobAttempt: 0 })).toBeDefined()
  })
})

describe('only executions in one status are counted', () => {
  test.each(statuses)('what is %s', async (status) => {
    const { own } = await openScene(status)
    const { workspaceId, keyId } = own
    const skillId = newId(now)
    await db.query(
      `insert into execution_skills (workspace_id, execution_id, position, skill_id, name, skill_version, created_at)
       select workspace_id, id, 0, $2, 's', 'v', created_at from executions where id = $1`,
      [own.id, skillId],
    )
    await db.query(`update executions set usage = '{"standardMicros": 7}' where id = $1`, [own.id])
    const isCompleted = status === 'completed'
    expect(await agentCosts(db, { workspaceId, skillId })).toEqual(
      isCompleted ? { runs: 1, micros: 7 } : { runs: 0, micros: 0 },
    )
    expect((await recentCosts(db, { workspaceId, keyId, model: 'm' })).length).toBe(isCompleted ? 1 : 0)
    const pastWork = (of = workspaceId, id = own.id) => listPastWork(db, { workspaceId: of, ids: [id] })
    expect((await pastWork()).map(({ executions, micros }) => [executions, micros])).toEqual(
      isCompleted ? [[1, 7]] : [],
    )
    expect([await pastWork(newId(now)), await pastWork(workspaceId, newId(now))]).toEqual([[], []])
    const askable = async (of = workspaceId, id = own.id) =>
      (await listAskable(db, { workspaceId: of, ids: [id] })).map((one) => one.id)
    expect(await askable()).toEqual(isCompleted ? [own.id] : [])
    expect([await askable(newId(now)), await askable(workspaceId, newId(now))]).toEqual([[], []])
    const agentId = newId(now)
    await db.query(
      `insert into agents (id, workspace_id, name, version, description, prompt, prompt_sha256, created_at, updated_at)
       values ($1, $2, 'a', 1, '', '', '', now(), now())`,
      [agentId, workspaceId],
    )
    await db.query(`update executions set answered_by = 'embedded', agent_id = $2 where id = $1`, [own.id, agentId])
    const fullCosts = (of = workspaceId, agent = agentId, model = 'm') =>
      listFullCosts(db, { workspaceId: of, agents: [agent], models: [model] })
    expect(await fullCosts()).toEqual(isCompleted ? [{ agentId, model: 'm', low: 7, high: 7 }] : [])
    for (const other of [[newId(now)], [workspaceId, newId(now)], [workspaceId, agentId, 'n']] as const)
      expect(await fullCosts(...other)).toEqual([])
    if (isCompleted) {
      // An agent answered only the fields that a program left: that is no agent's run.
      const setProgram = (program: string | null) =>
        db.query('update executions set program = $2 where id = $1', [own.id, program])
      await setProgram('{"id": "p", "sha256": "s", "fields": {"/a": "program", "/b": "agent"}}')
      expect(await agentCosts(db, { workspaceId, skillId })).toEqual({ runs: 0, micros: 0 })
      expect(await recentCosts(db, { workspaceId, keyId, model: 'm' })).toMatchObject([{ mode: 'program' }])
      await setProgram(null)
    }

    const next = { workspaceId, id: newId(now), job: 1, jobAttempt: 0, processId: newId(now), now }
    const start = startWithin(db, next, 1).catch((error: unknown) => error)
    expect((await start) instanceof Deferred).toBe(status === 'running')

    const queue = { waiting: async () => 0, firstTurn: async () => 0 }
    const admission = makeAdmission({ db, clock, queue }, { perTier: 9, perWorkspace: 1 })
    const admitted = admission.admit({ tier: 'standard', workspaceId }).then(
      () => true,
      () => false,
    )
    expect(await admitted).toBe(status !== 'enqueued')
  })

  test.each(statuses)('and none of a workspace when another one has one that is %s', async (status) => {
    const { own, twin } = await openScene(status)
    const { workspaceId, keyId } = own
    await db.query(`update executions set usage = '{"standardMicros": 7}' where id = $1`, [own.id])
    await db.query('delete from executions where workspace_id = $1', [workspaceId])
    expect(await recentCosts(db, { workspaceId, keyId: twin.keyId, model: 'm' })).toEqual([])
    const next = { workspaceId, id: newId(now), job: 1, jobAttempt: 0, processId: newId(now), now }
    expect(await startWithin(db, next, 1)).toBeUndefined()
    const queue = { waiting: async () => 0, firstTurn: async () => 0 }
    const admission = makeAdmission({ db, clock, queue }, { perTier: 9, perWorkspace: 1 })
    expect(await admission.admit({ tier: 'standard', workspaceId })).toBe(0)
    expect(await recentCosts(db, { workspaceId, keyId, model: 'm' })).toEqual([])
  })
})

test.each(statuses)(
  'an execution that is %s and has an error that may pass goes on where it is paused or failed',
  async (status) => {
    const scene = await openScene(status)
    await db.query(`update executions set error = '{"code": "poison"}'`)
    const { own, twin } = await changesOf(scene, () => resumeExecution(db, { ...scene.own, now, maxCostMicros: null }))
    expect([own > 0, twin]).toEqual([status === 'paused' || status === 'failed', 0])
  },
)

test.each([
  ['is not retained', 'is_retained = false'],
  ['was purged', `purged_at = '2026-11-22T12:00:00Z'`],
])('a failed execution that %s does not go on', async (_what, change) => {
  const scene = await openScene('failed')
  await db.query(`update executions set error = '{"code": "poison"}', ${change}`)
  expect(await resumeExecution(db, { ...scene.own, now, maxCostMicros: null })).toBeUndefined()
})

test.each([
  ['is not retained', 'is_retained = false'],
  ['was purged', `purged_at = '2026-11-22T12:00:00Z'`],
])('an answer that %s is not reviewed', async (_what, change) => {
  const { own } = await openScene('completed')
  await db.query(`update executions set ${change} where workspace_id = $1`, [own.workspaceId])
  expect(await writeReview(db, reviewOf(own))).toBeUndefined()
  // Nor does it count in an estimate: nothing can be asked on top of it.
  expect(await listPastWork(db, { workspaceId: own.workspaceId, ids: [own.id] })).toEqual([])
})

test('a review is saved on top of the version that it is based on, and is not marked as needed afterwards', async () => {
  const { own } = await openScene('completed')
  const { review, ...of } = reviewOf(own)
  const save = async (version: number) =>
    (await writeReview(db, { ...of, review: { ...review, version } }))?.review?.version
  expect([await save(2), await save(1), await save(1), await save(3), await save(2)]).toEqual([
    ...[undefined, 1],
    ...[undefined, undefined, 2],
  ])
  expect(await markReviewNeeded(db, own)).toBeUndefined()
})

test('an answer that was purged is not purged again', async () => {
  const scene = await openScene('completed')
  await forgetAnswer(db, { ...scene.own, now })
  const { own, twin } = await changesOf(scene, () => forgetAnswer(db, { ...scene.own, now: later }))
  expect([own, twin]).toEqual([0, 0])
})

test('there is news of an execution when it moves or a step is recorded, whatever another workspace does', async () => {
  const { own, twin } = await openScene('running')
  await insertStep(db, { ...twin, attempt }, step(3))
  await pauseExecution(db, { ...twin, now, movesMax: 9 })
  const newsAfter = (seen: { moves: number; step: number }) => findNews(db, [{ ...own, seen }])
  expect(await newsAfter({ moves: 1, step: 2 })).toEqual([])
  expect(await newsAfter({ moves: 0, step: 2 })).toEqual([0])
  expect(await newsAfter({ moves: 1, step: 1 })).toEqual([0])
})

describe('a list of executions shows', () => {
  const listed = async ({ own }: Scene, query: Partial<ListQuery>) =>
    (
      await listExecutions(db, {
        workspaceId: own.workspaceId,
        query: { skip: 0, limit: 10, purpose: 'all', ...query },
        after: null,
      })
    ).executions.map(({ workspaceId }) => (workspaceId === own.workspaceId ? 'own' : 'another'))

  test('those of its workspace', async () => {
    expect(await listed(await openScene('running'), {})).toEqual(['own'])
  })

  test.each(statuses)('those that are %s', async (status) => {
    const scene = await openScene(status)
    for (const asked of statuses)
      expect(await listed(scene, { status: asked })).toEqual(asked === status ? ['own'] : [])
  })

  test('those with a skill that this workspace used', async () => {
    const scene = await openScene('running')
    expect(await listed(scene, { skill_id: 'own' })).toEqual(['own'])
    expect(await listed(scene, { skill_id: 'twin' })).toEqual([])
  })

  test('those whose answer has a text, as long as it is retained', async () => {
    const scene = await openScene('completed')
    await db.query(`update executions set response = '{"of": "a needle"}'`)
    expect(await listed(scene, { q: 'needle' })).toEqual(['own'])
    await db.query('update executions set is_retained = false where workspace_id = $1', [scene.own.workspaceId])
    expect(await listed(scene, { q: 'needle' })).toEqual([])
  })

  test("those of the latest version of this workspace's agent", async () => {
    const scene = await openScene('running')
    await db.query(`update executions set name = 'an-agent:1' where workspace_id = $1`, [scene.own.workspaceId])
    for (const [workspaceId, version] of [
      [scene.own.workspaceId, 1],
      [scene.twin.workspaceId, 2],
    ])
      await db.query(
        `insert into agents (id, workspace_id, name, version, description, prompt, prompt_sha256, created_at, updated_at)
         values ($1, $2, 'an-agent', $3, '', '', '', $4, $4)`,
        [newId(now), workspaceId, version, now],
      )
    expect(await listed(scene, { name: 'an-agent:latest' })).toEqual(['own'])
  })
})

test('the domain of a prediction is that of its own execution', async () => {
  const { own, twin } = await openScene('running')
  const metadata = '{"extra": {"prediction_domain": "document.invoice"}}'
  await db.query(
    `update executions set request = jsonb_set(request::jsonb, '{metadata}', $2)::json where workspace_id = $1`,
    [twin.workspaceId, metadata],
  )
  expect(await findPredictionDomain(db, twin)).toBe('document.invoice')
  expect(await findPredictionDomain(db, own)).toBeUndefined()
  expect(await findPredictionDomain(db, { ...twin, id: newId(now) })).toBeUndefined()
})

describe('an approved call', () => {
  test.each(statuses)('of an execution that is %s is made once, while it runs', async (status) => {
    const { fence } = await openScene(status)
    await setApproval(approval)
    expect(await useGrant(db, fence, 'another call')).toBe(false)
    expect(await useGrant(db, fence, 'a call')).toBe(status === 'running')
    expect(await useGrant(db, fence, 'a call')).toBe(false)
  })

  test.each([attempt - 1, attempt + 1])('is not made by attempt %i', async (other) => {
    const { fence } = await openScene('running')
    await setApproval(approval)
    expect(await useGrant(db, { ...fence, attempt: other }, 'a call')).toBe(false)
  })

  test('of another workspace stays approved', async () => {
    const { fence, twin } = await openScene('running')
    await setApproval(approval)
    await useGrant(db, fence, 'a call')
    expect(await useGrant(db, { ...twin, attempt }, 'a call')).toBe(true)
  })
})

describe('an approval', () => {
  test.each(statuses)(
    'of an execution that is %s waits while it is paused, and is kept once decided',
    async (status) => {
      const { own } = await openScene(status)
      await setApproval(approval)
      expect((await lockApproval(db, own))?.number).toBe(status === 'paused' ? 1 : undefined)
      const listed = async () =>
        (
          await listExecutions(db, {
            workspaceId: own.workspaceId,
            query: { skip: 0, limit: 10, purpose: 'all', approval: 'needed' },
            after: null,
          })
        ).executions.length
      expect(await listed()).toBe(status === 'paused' ? 1 : 0)
      await setApproval({ ...approval, decision: 'approve' })
      expect((await lockApproval(db, own))?.decision).toBe('approve')
      expect(await listed()).toBe(0)
    },
  )

  test('is read and locked in its workspace', async () => {
    const { own, twin } = await openScene('paused')
    await setApproval(approval)
    const held = (of: string) => jsonb({ ending: { response: of }, warnings: [] })
    await db.query('update executions set held_ending = $2 where workspace_id = $1', [twin.workspaceId, held('twin')])
    await db.query('update executions set held_ending = $2 where workspace_id = $1', [own.workspaceId, held('own')])
    expect((await findHeldEnding(db, own))?.ending.response).toBe('own')
    const nobody = { ...own, workspaceId: newId(now) }
    expect([await findHeldEnding(db, nobody), await lockApproval(db, nobody)]).toEqual([null, undefined])
    await db.transaction(async (tx) => {
      await lockApproval(tx, own)
      const free = await db.query(
        'select workspace_id as "workspaceId" from executions where id = $1 for update skip locked',
        [own.id],
      )
      expect(free).toEqual([{ workspaceId: twin.workspaceId }])
    })
  })
})

describe('the figures of the queue', () => {
  test.each(statuses)('count an execution that is %s as that, and those of its workspace alone', async (status) => {
    const { own } = await openScene(status)
    const figures = (processIds: readonly string[]) => queueFigures(db, { workspaceId: own.workspaceId, processIds })
    const counts = { pending: 0, waiting: 0, running: 0, paused: 0, stalled: 0, retried: 1, oldestWaitingAt: null }
    const counted: Partial<Record<Status, object>> = {
      pending: { pending: 1 },
      enqueued: { waiting: 1, oldestWaitingAt: now },
      running: { running: 1, stalled: 1 },
      paused: { paused: 1 },
    }
    const expected = counted[status] && [{ tier: 'standard', ...counts, ...counted[status] }]
    expect(await figures([newId(now)])).toEqual(expected ?? [])
  })

  test('count no execution as stalled whose process is there', async () => {
    const { own } = await openScene('running')
    const [row] = await db.query<{ id: string }>('select process_id as id from executions where workspace_id = $1', [
      own.workspaceId,
    ])
    const [figures] = await queueFigures(db, { workspaceId: own.workspaceId, processIds: [row?.id ?? ''] })
    expect(figures).toMatchObject({ running: 1, stalled: 0 })
  })
})

test('an execution that ran elsewhere is written in its workspace', async () => {
  const { own, twin } = await openScene('running')
  const { workspaceId, keyId } = await addWorkspace(db, now)
  const scene = { own: { workspaceId, keyId, id: own.id }, twin, fence: { workspaceId, id: own.id, attempt } }
  const outcome = {
    status: 'completed' as const,
    response: { of: 'elsewhere' },
    evidence: null,
    error: null,
    completeness: null,
    warnings: [],
    usage: {},
    executionMode: 'agent' as const,
    program: null,
    fieldModes: null,
    path: null,
    answeredBy: null,
    modelReason: null,
  }
  const changes = await changesOf(scene, () =>
    insertImported(db, {
      execution: newExecution(scene.own),
      outcome,
      steps: [],
      importedFrom: own.id,
      isTrusted: true,
    }),
  )
  expect(changes).toMatchObject({ own: 1, twin: 0, gave: { workspaceId, response: { of: 'elsewhere' } } })
})

describe('a request id', () => {
  const call = (workspaceId: string, executionId: string) => ({
    workspaceId,
    id: 'a request',
    header: undefined,
    bodySha256: sha256,
    executionId,
    now,
    refusesOthers: true,
  })

  test.each(['as it is', 'by its hash'])('that another workspace claimed, %s, is free', async (how) => {
    const { own, twin } = await openScene('running')
    if (how === 'by its hash') expect(await claimKeys(db, call(twin.workspaceId, twin.id))).toBeUndefined()
    else
      await db.query(
        `insert into idempotency (workspace_id, key, body_sha256, execution_id, created_at) values ($1, 'a request', $2, $3, $4)`,
        [twin.workspaceId, sha256, twin.id, now],
      )
    expect(await findFirst(db, call(own.workspaceId, own.id))).toBeUndefined()
    expect(await claimKeys(db, call(own.workspaceId, own.id))).toBeUndefined()
    expect(await findFirst(db, call(own.workspaceId, own.id))).toBe(own.id)
    expect(await claimKeys(db, call(own.workspaceId, newId(now)))).toBe(own.id)
  })

  test('names the execution of its workspace, and an id finds none of another', async () => {
    const { own, twin } = await openScene('running')
    const first = newId(now)
    await db.query(
      `insert into executions (id, workspace_id, key_id, name, status, request, model, tier, created_at)
       values ($1, $2, $3, '', 'running', '{}', '', 'flex', $4)`,
      [first, twin.workspaceId, twin.keyId, now],
    )
    await claimKeys(db, call(twin.workspaceId, first))
    await claimKeys(db, call(own.workspaceId, own.id))
    const { workspaceId } = own
    expect((await findNamed(db, { workspaceId, name: 'a request' }))?.id).toBe(own.id)
    expect((await findNamed(db, { workspaceId, name: own.id }))?.id).toBe(own.id)
    expect(await findNamed(db, { workspaceId, name: first })).toBeUndefined()
  })
})

test('outcomes and costs are those of its workspace', async () => {
  const { own } = await openScene('completed')
  await db.query(`update executions set usage = '{"standardMicros": 7}' where id = $1`, [own.id])
  await db.query(`update executions set response = '{"from": "another"}' where workspace_id <> $1`, [own.workspaceId])
  const of = { workspaceId: own.workspaceId, ids: [own.id] }
  expect((await listOutcomes(db, of)).map(({ response }) => response)).toEqual([{ from: 'me' }])
  expect(await paidFor(db, of)).toBe(7)
  const recent = (keyId: string) => recentCosts(db, { workspaceId: own.workspaceId, keyId, model: 'm' })
  expect([(await recent(own.keyId)).length, await recent(newId(now))]).toEqual([1, []])
})

test('an execution knows the names of the files and uploads of its workspace', async () => {
  const { own, twin } = await openScene('running')
  const fileIds: string[] = []
  for (const [{ workspaceId }, name] of [
    [own, 'own'],
    [twin, 'twin'],
  ] as const) {
    const [file, upload] = [newId(now), newId(now)]
    await db.query(
      `insert into files (id, workspace_id, filename, content_type, bytes, sha256, md5, purpose, created_at)
       values ($1, $2, $3, 'text/plain', 1, $4, '', 'user_data', $5)`,
      [file, workspaceId, `file of ${name}`, sha256, now],
    )
    await db.query(
      `insert into uploads (id, workspace_id, filename, purpose, created_at, expires_at) values ($1, $2, $3, '', $4, $5)`,
      [upload, workspaceId, `upload of ${name}`, now, later],
    )
    fileIds.push(file, upload)
  }
  const id = newId(now)
  await insertExecution(db, newExecution({ ...own, id }, fileIds))
  const [row] = await db.query('select file_names as names from executions where id = $1', [id])
  expect(row).toEqual({ names: ['file of own', 'upload of own'] })
})

describe('a pending execution', () => {
  const added: { topic: string; id: unknown }[] = []
  const parts = {
    clock: { ...clock, now: () => now },
    queue: { add: async (_tx: Db, topic: string, data: { id: string }) => void added.push({ topic, id: data.id }) },
    intake: { admission: { turnAgain: async () => 0 } },
  }
  const settled = async ({ own }: Scene) => {
    added.length = 0
    await settlePending({ ...parts, db } as never, { data: { workspaceId: own.workspaceId, id: own.id } })
    const { status, error } = (await findMoves(db, own)) ?? {}
    return [status, error?.code, ...added.map(({ topic }) => topic)]
  }
  const awaited = async ({ workspaceId, id }: Place) => {
    const [row] = await db.query<{ id: string }>(
      'select file_id as id from execution_uploads where workspace_id = $1 and execution_id = $2',
      [workspaceId, id],
    )
    return row?.id ?? ''
  }
  const addFile = (workspaceId: string, id: string, deletedAt: Date | null = null) =>
    db.query(
      `insert into files (id, workspace_id, filename, content_type, bytes, sha256, md5, purpose, created_at, deleted_at)
       values ($1, $2, 'a.txt', 'text/plain', 1, $3, '', 'user_data', $4, $5)`,
      [id, workspaceId, sha256, now, deletedAt],
    )
  const addUpload = (workspaceId: string, id: string) =>
    db.query(
      `insert into uploads (id, workspace_id, filename, purpose, created_at, expires_at) values ($1, $2, '', '', $3, $4)`,
      [id, workspaceId, now, later],
    )

  test('starts in its tier when its own files are there', async () => {
    const scene = await openScene('pending')
    await db.query(`update executions set tier = 'flex' where workspace_id = $1`, [scene.own.workspaceId])
    await addUpload(scene.own.workspaceId, await awaited(scene.own))
    expect(await settled(scene)).toEqual(['pending', undefined])
    await addFile(scene.own.workspaceId, await awaited(scene.own))
    expect(await settled(scene)).toEqual(['enqueued', undefined, 'execution.flex'])
    expect((await findMoves(db, scene.twin))?.status).toBe('pending')
  })

  test.each([
    ['the file was deleted', (scene: Scene, id: string) => addFile(scene.own.workspaceId, id, now)],
    ['only another workspace has the file', (scene: Scene, id: string) => addFile(scene.twin.workspaceId, id)],
    ['only another workspace may still upload it', (scene: Scene, id: string) => addUpload(scene.twin.workspaceId, id)],
  ])('fails when %s', async (_what, prepare) => {
    const scene = await openScene('pending')
    await prepare(scene, await awaited(scene.own))
    expect(await settled(scene)).toEqual(['failed', 'upload_missing'])
    expect((await findMoves(db, scene.twin))?.status).toBe('pending')
  })

  test('is woken by the file that it waits for, not by that of another workspace, and does not wait for its upload', async () => {
    const { own, twin } = await openScene('pending')
    const woken = async (workspaceId: string, id: string) => {
      added.length = 0
      await db.transaction(async (tx) => {
        await tx.query(`set local lock_timeout = '5s'`)
        await wakePending({ ...parts, tx } as never, { workspaceId, id })
      })
      return added.map((job) => job.id)
    }
    expect(await woken(own.workspaceId, await awaited(own))).toEqual([own.id])
    const theirs = await awaited(twin)
    await addUpload(twin.workspaceId, theirs)
    await db.transaction(async (tx) => {
      await tx.query('select from uploads where id = $1 for update', [theirs])
      expect(await woken(own.workspaceId, theirs)).toEqual([])
    })
  })
})

test('an execution with the maximum number of state changes is not paused again', async () => {
  const scene = await openScene('running')
  expect(await pauseExecution(db, { ...scene.own, now, movesMax: 1 })).toBeUndefined()
  expect(await pauseRun(db, scene.fence, { now, movesMax: 1, usage: {} })).toBeUndefined()
})

describe('a callback', () => {
  const fenceOf = ({ own }: Scene, n: number, number: number) => ({
    workspaceId: own.workspaceId,
    executionId: own.id,
    n,
    number,
  })
  const outcome = { state: 'delivered' as const, tries: [], startedAt: now, nextTryAt: null }

  test.each([
    ['by its newest job', 1, 2, true],
    ['not by an older job', 1, 1, false],
    ['not by a job that is not known', 1, 3, false],
    ['not once it was delivered', 2, 2, false],
  ])('is sent %s', async (_when, n, number, isDue) => {
    const scene = await openScene('completed')
    const fence = fenceOf(scene, n, number)
    expect((await findDueCallback(db, fence))?.url).toBe(isDue ? 'own' : undefined)
    const { own, twin, gave } = await changesOf(scene, () => recordTry(db, fence, outcome))
    expect([gave, own > 0, twin]).toEqual([isDue, isDue, 0])
  })

  test('restarts when nobody is about to send it', async () => {
    const scene = await openScene('completed')
    const again = async (n: number, nextTryAt: Date | null) => {
      const place = { workspaceId: scene.own.workspaceId, executionId: scene.own.id, n }
      await db.query('update callbacks set next_try_at = $3 where workspace_id = $1 and n = $2', [
        place.workspaceId,
        n,
        nextTryAt,
      ])
      const { own, twin, gave } = await changesOf(scene, () => restartCallback(db, place, now))
      return [gave !== undefined, own > 0, twin]
    }
    expect(await again(1, now)).toEqual([false, false, 0])
    expect(await again(1, new Date(now.getTime() + 1))).toEqual([true, true, 0])
    expect(await again(2, null)).toEqual([true, true, 0])
  })

  test('keeps its bytes until it was delivered, and then drops those of a purged execution', async () => {
    const scene = await openScene('completed')
    const place = { workspaceId: scene.own.workspaceId, executionId: scene.own.id }
    expect(await changesOf(scene, () => clearIfPurged(db, place))).toMatchObject({ own: 0, twin: 0 })
    await db.query('update executions set purged_at = $2 where workspace_id = $1', [place.workspaceId, now])
    // The row before and after: the delivered one.
    expect(await changesOf(scene, () => clearIfPurged(db, place))).toMatchObject({ own: 2, twin: 0 })
  })
})

test.each(statuses)(
  'an execution that is %s lets go of its files once it has ended, whatever another one does',
  async (status) => {
    const scene = await openScene(status)
    const ended = status === 'completed' || status === 'failed'
    await db.query('update executions set status = $2 where workspace_id = $1', [
      scene.twin.workspaceId,
      ended ? 'running' : 'completed',
    ])
    for (const { workspaceId, id } of [scene.own, scene.twin]) {
      const fileId = newId(now)
      await db.query(
        `insert into files (id, workspace_id, filename, content_type, bytes, sha256, md5, purpose, created_at)
       values ($1, $2, 'a.txt', 'text/plain', 1, $3, '', 'user_data', $4)`,
        [fileId, workspaceId, sha256, now],
      )
      await db.query(
        'insert into execution_files (workspace_id, execution_id, file_id, sha256) values ($1, $2, $3, $4)',
        [workspaceId, id, fileId, sha256],
      )
    }
    const { own, twin } = await changesOf(scene, () => dropEndedHolds(db))
    expect([own, twin]).toEqual(ended ? [1, 0] : [0, 1])
  },
)

test('nothing is written for an attempt that was not lost', async () => {
  const { own, fence } = await openScene('running')
  const written = async () =>
    (await db.query('select xmin::text from executions where workspace_id = $1', [own.workspaceId]))[0]
  await clearLostAttempt(db, fence)
  const before = await written()
  await clearLostAttempt(db, fence)
  expect(await written()).toEqual(before)
})

test('callbacks of an execution are numbered in its workspace', async () => {
  const { own, twin } = await openScene('completed')
  await db.query('update callbacks set n = 7 where workspace_id = $1 and n = 2', [twin.workspaceId])
  await writes.find(({ name }) => name === 'insertCallback')?.act({ own, twin, fence: { ...own, attempt } })
  const callbacks = await listCallbacks(db, { workspaceId: own.workspaceId, executionId: own.id })
  expect(callbacks.map(({ n }) => n)).toEqual([1, 2, 3])
})

test('callbacks are signed with the secret of their workspace, which others do not change', async () => {
  const { own, twin, fence } = await openScene('completed')
  const secretOf = async (workspaceId: string) => (await lockSecretRow(db, workspaceId))?.sealed.toString()
  for (const { workspaceId } of [twin, own]) {
    const made = await ensureSecretRow(db, workspaceId, { fresh: Buffer.from(workspaceId), now })
    expect(made.sealed.toString()).toBe(workspaceId)
  }
  const due = await findDueCallback(db, { ...fence, executionId: own.id, n: 1, number: 2 })
  expect(due?.sealed?.toString()).toBe(own.workspaceId)
  await writeSealed(db, { workspaceId: own.workspaceId, sealed: Buffer.from('new'), previousSealed: null })
  expect([await secretOf(own.workspaceId), await secretOf(twin.workspaceId)]).toEqual(['new', twin.workspaceId])
  expect(await secretOf(newId(now))).toBeUndefined()
})

test('callbacks of an execution that is not retained are given up in time, those of others are not', async () => {
  const scene = await openScene('completed')
  const { own, twin } = scene
  await db.query('update executions set is_retained = false where workspace_id = $1', [own.workspaceId])
  const changes = await changesOf(scene, () => giveUpCallbacks(db, later))
  // Two rows before and after.
  expect([changes.own, changes.twin]).toEqual([4, 0])
  const states = async ({ workspaceId, id }: Place) =>
    (await listCallbacks(db, { workspaceId, executionId: id })).map(({ state }) => state)
  expect([await states(own), await states(twin)]).toEqual([
    ['failed', 'delivered'],
    ['pending', 'delivered'],
  ])
})

describe('the sweep', () => {
  const tomorrow = new Date(now.getTime() + 24 * 3_600_000)
  const forgetMore = async () => {}
  const stateOf = async ({ workspaceId, id }: Place) =>
    (
      await db.query<{ purged: boolean; retained: boolean }>(
        `select purged_at is not null as purged, is_retained as retained from executions where workspace_id = $1 and id = $2`,
        [workspaceId, id],
      )
    )[0]
  /** Sweeps until nothing is due, at most fifty times; the last result. */
  const sweep = async (olderThan: Date | null) => {
    // Other tests moved executions back from their end.
    await db.query(`update executions set completed_at = null where status not in ('completed', 'failed')`)
    for (let n = 0; n < 50; n += 1)
      if ((await purgeExecutions({ db, forgetMore }, { now: tomorrow, olderThan })) === 0) return 0
    return 'always something'
  }

  test('drops unread answers of executions that are not retained, once, and no others', async () => {
    const { own, twin } = await openScene('completed')
    await db.query('update executions set is_retained = false where workspace_id = $1', [own.workspaceId])
    expect(await sweep(null)).toBe(0)
    expect(await stateOf(own)).toEqual({ purged: true, retained: false })
    expect(await stateOf(twin)).toEqual({ purged: false, retained: true })
  })

  test('drops what is older than it may get, once, and nothing of an execution with the same id that is not', async () => {
    const { own, twin } = await openScene('completed')
    await db.query('update executions set completed_at = $2 where workspace_id = $1', [twin.workspaceId, tomorrow])
    expect(await sweep(later)).toBe(0)
    expect(await stateOf(own)).toEqual({ purged: true, retained: false })
    expect(await stateOf(twin)).toEqual({ purged: false, retained: true })
  })
})

describe('parsed documents and video images', () => {
  const documentOf = (text: string) => ({ packed: Buffer.from(text) }) as never
  const keepFor = async (workspaceId: string, variant: string, fence?: RunFence) => {
    const of = { workspaceId, sha256, variant, now, fence }
    await keepParsedDocument(db, { ...of, document: documentOf(workspaceId) })
    await keepVideoImages(db, { ...of, images: [Buffer.from(workspaceId)] })
  }
  const found = async (workspaceId: string, variant: string) => {
    const of = { workspaceId, sha256, variant }
    const texts = [(await findParsedDocument(db, of))?.packed, ...((await findVideoImages(db, of)) ?? [])]
    return texts.filter((bytes) => bytes !== undefined).map((bytes) => Buffer.from(bytes).toString())
  }

  test('are found in the workspace that kept them', async () => {
    const { own, twin } = await openScene('running')
    await keepFor(twin.workspaceId, 'a variant')
    expect(await found(own.workspaceId, 'a variant')).toEqual([])
    await keepFor(own.workspaceId, 'a variant')
    expect(await found(own.workspaceId, 'a variant')).toEqual([own.workspaceId, own.workspaceId])
  })

  test('are found by how their variant begins, in the workspace that kept them', async () => {
    const { own, twin } = await openScene('running')
    await keepFor(own.workspaceId, 'pages 1, as a table')
    await keepParsedDocument(db, {
      ...{ workspaceId: twin.workspaceId, sha256, variant: 'pages 1', now: later, fence: undefined },
      document: documentOf(twin.workspaceId),
    })
    const like = { workspaceId: own.workspaceId, sha256, variant: 'pages 1' }
    expect(Buffer.from((await findParsedDocumentLike(db, like))?.packed ?? '').toString()).toBe(own.workspaceId)
    expect(await findParsedDocumentLike(db, { ...like, workspaceId: newId(now) })).toBeUndefined()
  })

  test('of a run alone are not kept when it has ended, although the execution of another workspace runs', async () => {
    const { own, twin, fence } = await openScene('completed')
    await db.query(`update executions set status = 'running' where workspace_id = $1`, [twin.workspaceId])
    await keepFor(own.workspaceId, 'of a run', fence)
    expect(await found(own.workspaceId, 'of a run')).toEqual([])
  })
})

describe('money', () => {
  test.each(['pending', 'completed', 'failed'] as const)(
    'is refused to an execution that is %s as superseded',
    async (status) => {
      const scene = await openScene(status)
      await db.query(`update executions set status = 'running' where workspace_id = $1`, [scene.twin.workspaceId])
      expect(await bookSpending(db, payerOf(scene), { micros: 1, now })).toMatchObject({ refused: 'superseded' })
    },
  )

  test('that another workspace or key reserved, spent or is allowed does not count', async () => {
    const scene = await openScene('running')
    const { own, twin } = scene
    const payer = payerOf(scene, 100)
    await db.query('update executions set committed_micros = 30 where workspace_id = $1', [own.workspaceId])
    await db.query('update executions set committed_micros = 90 where workspace_id = $1', [twin.workspaceId])
    await db.query('update keys set budget_micros_per_day = 80 where id = $1', [own.keyId])
    await db.query('update keys set budget_micros_per_day = 5 where id = $1', [twin.keyId])
    const addDay = (workspaceId: string, micros: number, keyId = own.keyId) =>
      db.query('insert into key_days (workspace_id, key_id, day, committed_micros) values ($1, $2, $3, $4)', [
        workspaceId,
        keyId,
        now.toISOString().slice(0, 10),
        micros,
      ])
    await addDay(twin.workspaceId, 79)
    await addDay(own.workspaceId, 79, twin.keyId)
    expect(await findRemainingBudget(db, payer, now)).toBe(70)
    expect(await findSpending(db, payer, now)).toMatchObject({ keyCommitted: -10 })
    await addDay(own.workspaceId, 20)
    expect(await findRemainingBudget(db, payer, now)).toBe(60)
    // 10 of each are reserved and open.
    expect(await findSpending(db, payer, now)).toEqual({ committed: 20, keyCommitted: 10, keyLimit: 80 })
    const otherKey = { ...payer, keyId: twin.keyId }
    expect(await findRemainingBudget(db, otherKey, now)).toBe(0)
    expect(await findSpending(db, otherKey, now)).toEqual({ committed: 0, keyCommitted: 0, keyLimit: null })
    expect(await isReserved(db, payer, reservationId)).toBe(true)
    expect(await isReserved(db, { ...payer, workspaceId: newId(now) }, reservationId)).toBe(false)
  })

  test('is reserved up to the limit of the execution', async () => {
    const scene = await openScene('running')
    const payer = payerOf(scene, 10)
    expect(await bookSpending(db, payer, { micros: 10, now })).toBeUndefined()
    expect(await bookSpending(db, payer, { micros: 1, now })).toMatchObject({ refused: 'execution' })
    // Open reservations do not count here.
    expect(await findRefusal(db, payer, { micros: 10, now })).toBeUndefined()
    expect(await findRefusal(db, payer, { micros: 11, now })).toMatchObject({ refused: 'execution' })
  })

  test('of a key is limited per day, and a refusal books nothing', async () => {
    const scene = await openScene('running')
    await db.query('update keys set budget_micros_per_day = 10 where id = $1', [scene.own.keyId])
    // The other workspace has a row for the same key, and this one for another key.
    await db.query(
      'insert into key_days (workspace_id, key_id, day, committed_micros) values ($1, $3, $5, 7), ($2, $4, $5, 7)',
      [
        scene.twin.workspaceId,
        scene.own.workspaceId,
        scene.own.keyId,
        scene.twin.keyId,
        now.toISOString().slice(0, 10),
      ],
    )
    expect(await bookSpending(db, payerOf(scene), { micros: 8, now })).toBeUndefined()
    const { own, twin, gave } = await changesOf(scene, () => bookSpending(db, payerOf(scene), { micros: 3, now }))
    expect([gave, own, twin]).toEqual([expect.objectContaining({ refused: 'key' }), 0, 0])
  })

  test('of a key of another workspace has no limit here', async () => {
    const scene = await openScene('running')
    await db.query('update keys set budget_micros_per_day = 5 where id = $1', [scene.twin.keyId])
    const payer = { ...payerOf(scene), keyId: scene.twin.keyId }
    expect(await bookSpending(db, payer, { micros: 8, now })).toBeUndefined()
  })

  test('is locked for the newest run, whatever run another workspace is at', async () => {
    const scene = await openScene('running')
    await db.query('update executions set attempt = 9 where workspace_id = $1', [scene.twin.workspaceId])
    const locked = (payer: ReturnType<typeof payerOf>) => db.transaction((tx) => lockSpending(tx, payer))
    expect(await locked(payerOf(scene))).toBe(true)
    expect(await locked({ ...payerOf(scene), attempt: attempt - 1 })).toBe(false)
    expect(await locked({ ...payerOf(scene), workspaceId: newId(now) })).toBe(false)
  })

  test('reserved and still open is counted per execution', async () => {
    const scene = await openScene('running')
    expect(await openReservations(db, payerOf(scene))).toEqual([{ id: reservationId, micros: 10, madeAt: now }])
  })
})

test('read for an execution is its own, not that of another workspace', async () => {
  const scene = await openScene('completed')
  const { own, fence } = scene
  const place = { workspaceId: own.workspaceId, executionId: own.id }
  await forgetAwaited(db, own)
  expect((await findExecution(db, own))?.name).toBe('own')
  expect((await findOriginal(db, own))?.request.prompt).toBe('own')
  expect((await listSteps(db, own)).map(({ name }) => name)).toEqual(['own', 'own'])
  expect((await listStepsAfter(db, own, 1)).map(({ name }) => name)).toEqual(['own'])
  expect((await findMoves(db, own))?.moves.length).toBe(1)
  expect((await listCallbacks(db, place)).map(({ url }) => url)).toEqual(['own', 'own'])
  expect((await findCallback(db, { ...place, n: 1 }))?.url).toBe('own')
  expect(await hasExecution(db, place)).toBe(true)
  expect(await hasExecution(db, { ...place, executionId: newId(now) })).toBe(false)
  const nobody = newId(now)
  expect(await findExecution(db, { ...own, workspaceId: nobody })).toBeUndefined()
  expect(await findOriginal(db, { ...own, workspaceId: nobody })).toBeUndefined()
  expect((await listFileNames(db, { workspaceId: own.workspaceId, ids: [own.id] })).size).toBe(1)
  expect((await listFileNames(db, { workspaceId: nobody, ids: [own.id] })).size).toBe(0)
  expect(await findMoves(db, { ...own, workspaceId: nobody })).toBeUndefined()
  expect(await listSteps(db, { ...own, workspaceId: nobody })).toEqual([])
  expect(await listStepsAfter(db, { ...own, workspaceId: nobody }, 0)).toEqual([])
  expect(await listCallbacks(db, { ...place, workspaceId: nobody })).toEqual([])
  expect(await findCallback(db, { ...place, workspaceId: nobody, n: 1 })).toBeUndefined()
  expect(await hasExecution(db, { ...place, workspaceId: nobody })).toBe(false)
  expect(await findParsedDocument(db, { workspaceId: nobody, sha256, variant: `all for ${own.id}` })).toBeUndefined()
  expect(await findStepStatus(db, fence, 1)).toBeUndefined()
})

test('a recorded step is found by the run that recorded it while it holds the execution', async () => {
  const { fence } = await openScene('running')
  expect(await findStepStatus(db, fence, 2)).toBe('running')
  expect(await findStepStatus(db, fence, 3)).toBeUndefined()
  expect(await findStepStatus(db, { ...fence, attempt: attempt - 1 }, 2)).toBeUndefined()
  expect(await findStepStatus(db, { ...fence, workspaceId: newId(now) }, 2)).toBeUndefined()
})

test.each([
  ['executions', attempt - 1],
  ['executions', attempt + 1],
  ['steps', attempt - 1],
  ['steps', attempt + 1],
])('a step is not found when the attempt in %s differs: %i', async (table, other) => {
  const { fence } = await openScene('running')
  await db.query(`update ${table} set attempt = $2 where workspace_id = $1`, [fence.workspaceId, other])
  expect(await findStepStatus(db, fence, 2)).toBeUndefined()
})
