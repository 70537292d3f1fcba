import { beforeAll, describe, expect, test } from 'vitest'
import { newId } from '../packages/core/src/ids.ts'
import { endEvaluation } from '../packages/server/src/features/evaluations/store.ts'
import { dropExpiredReservations, sumReservations } from '../packages/server/src/features/files/reservations.ts'
import {
  dropExpiredUploads,
  insertHolds,
  lockUpload,
  markFileDeleted,
  markInputsDeleted,
  selectFile,
  selectFileByMd5,
  selectFilenames,
  selectFiles,
  selectHeldFile,
  selectPendingUploads,
} from '../packages/server/src/features/files/store.ts'
import { listApprovers } from '../packages/server/src/features/keys/store.ts'
import type { Decision } from '../packages/server/src/features/programs/store.ts'
import {
  decideProgram,
  deleteProgram,
  demoteProgram,
  findProgram,
  findReady,
  listPrograms,
  listStates,
  lockReady,
  loseFields,
  replaceProgram,
} from '../packages/server/src/features/programs/store.ts'
import { selectList } from '../packages/server/src/features/skills/list.ts'
import {
  completeVersion,
  hasName,
  markLatest,
  markVersionDeleted,
  moveVersion,
  releaseVersion,
  replaceBundle,
  selectOwnVersion,
  selectOwnVersions,
  selectPublicVersions,
  selectUnfinished,
  selectVersion,
} from '../packages/server/src/features/skills/store.ts'
import { sumUsage } from '../packages/server/src/features/usage/store.ts'
import {
  dropOldSessions,
  eraseUser,
  findMember,
  findSessions,
  insertMember,
  insertSession,
  insertUser,
  listMembers,
  listMemberships,
  listSigningAdmins,
  lockUser,
  revokeMember,
  writeDisabled,
} from '../packages/server/src/features/users/store.ts'
import { makeDatabase } from './support/database.ts'
import { opened } from './support/opened.ts'
import { addWorkspace } from './support/workspace.ts'

// Calls each function for a row in every state, and says in which of them it changes or finds the row. Executions and
// callbacks are in `fences.test.ts`.

let workspaceId: string
let keyId: string
const now = new Date('2026-11-22T12:00:00Z')
const later = new Date(now.getTime() + 60_000)
const hash = (text: string) => Buffer.alloc(32, text)

const database = await opened(makeDatabase())
const db = database.db
beforeAll(async () => {
  ;({ workspaceId, keyId } = await addWorkspace(db, now))
})

/** Whether a call changed the row of that id, or gave something. */
async function acts(table: string, id: string, act: () => Promise<unknown>): Promise<boolean> {
  const row = async () =>
    JSON.stringify(await db.query(`select to_jsonb(t) as row from ${table} t where id = $1`, [id]))
  const before = await row()
  const gave = await act()
  const isSomething = Array.isArray(gave) ? gave.length > 0 : Boolean(gave)
  return isSomething || (await row()) !== before
}

/** The states in which a call acts. */
async function statesOf<State extends string>(
  table: string,
  states: readonly State[],
  add: (state: State) => Promise<{ id: string; name: string }>,
  act: (row: { id: string; name: string }) => Promise<unknown>,
): Promise<readonly State[]> {
  const found: State[] = []
  for (const state of states) {
    const row = await add(state)
    if (await acts(table, row.id, () => act(row))) found.push(state)
  }
  return found
}

const skillStates = [
  'pending',
  'running',
  'failed',
  'completed',
  'held',
  'deleted',
  'deleted while running',
  'deleted while held',
] as const
type SkillState = (typeof skillStates)[number]

/** A version, alone under its name. */
async function addSkill(
  state: SkillState,
  of: { name?: string; number?: number; workspaceId?: string; isPublic?: boolean; isLatest?: boolean } = {},
): Promise<{ id: string; name: string }> {
  const id = newId(now)
  const name = of.name ?? `skill-${id}`
  const isHeld = state.endsWith('held')
  const status = isHeld || state === 'deleted' ? 'completed' : (state.split(' ').at(-1) ?? '')
  const isLatest = of.isLatest ?? state === 'completed'
  await db.query(
    `insert into skills (id, workspace_id, name, number, skill_version, description, is_public, status, origin, sha256,
       zip_sha256, zip_bytes, facts, is_held, is_latest, is_latest_public, created_at, updated_at, deleted_at)
     values ($1, $2, $3, $4, 'v1', '', $5, $6, 'file', $7, $7, 1, '{}', $8, $9, $10, $11, $11, $12)`,
    [
      id,
      of.workspaceId ?? workspaceId,
      name,
      status === 'completed' ? (of.number ?? 1) : null,
      of.isPublic ?? false,
      status,
      hash('s'),
      isHeld,
      isLatest,
      isLatest && (of.isPublic ?? false),
      now,
      state.startsWith('deleted') ? now : null,
    ],
  )
  return { id, name }
}

const list = { limit: 1000, offset: 0, orderBy: 'created_at', descending: true } as const
const listed = async ({ id }: { id: string }, grouped: boolean) =>
  (await selectList(db, { ...list, workspaceId, grouped })).some((skill) => skill.id === id)
const bundle = {
  skillVersion: 'v2',
  description: 'new',
  sha256: '00',
  zipSha256: hash('n'),
  zipBytes: 1,
  facts: {} as never,
  proof: null as never,
}
const unfinished: readonly SkillState[] = ['pending', 'running']
const completed: readonly SkillState[] = ['completed', 'held']

describe('a version of a skill is', () => {
  test.each<[string, readonly SkillState[], (row: { id: string; name: string }) => Promise<unknown>]>([
    ['completed', unfinished, (row) => completeVersion(db, { ...row, workspaceId, isHeld: false, now })],
    ['moved', unfinished, ({ id }) => moveVersion(db, { workspaceId, id, now }, { status: 'failed' })],
    ['given another bundle', unfinished, ({ id }) => replaceBundle(db, { workspaceId, id, now }, bundle)],
    ['released', ['held'], ({ id }) => releaseVersion(db, { workspaceId, id, now })],
    ['deleted', [...unfinished, 'failed', ...completed], ({ id }) => markVersionDeleted(db, { workspaceId, id, now })],
    ['found by its id', [...unfinished, 'failed', ...completed], ({ id }) => selectVersion(db, { workspaceId, id })],
    [
      'found by its number',
      completed,
      ({ name }) => selectOwnVersion(db, { workspaceId, name, wanted: { number: 1 } }),
    ],
    ['found by its text', completed, ({ name }) => selectOwnVersion(db, { workspaceId, name, wanted: { text: 'v1' } })],
    [
      'found among others by its id',
      completed,
      ({ id }) => selectOwnVersions(db, { workspaceId, ids: [id], names: [] }),
    ],
    ['found as unfinished', [...unfinished, 'failed'], ({ name }) => selectUnfinished(db, { workspaceId, name })],
    [
      'in the way of its name',
      [...unfinished, 'failed', ...completed],
      ({ name }) => hasName(db, { workspaceId, names: [name] }),
    ],
    ['listed', completed, (row) => listed(row, false)],
    ['listed as the latest', ['completed'], (row) => listed(row, true)],
  ])('%s: %j', async (_what, expected, act) => {
    expect(await statesOf('skills', skillStates, (state) => addSkill(state), act)).toEqual(expected)
  })

  test.each<[string, readonly SkillState[], (row: { id: string; name: string }) => Promise<unknown>]>([
    ['found by its id', completed, ({ id }) => selectVersion(db, { workspaceId, id })],
    [
      'found by its number',
      completed,
      ({ name }) => selectPublicVersions(db, { workspaceId, name, wanted: { number: 1 } }),
    ],
    ['listed', completed, (row) => listed(row, false)],
  ])('where another workspace has made it public, %s: %j', async (_what, expected, act) => {
    const other = await addWorkspace(db, now)
    const add = (state: SkillState) => addSkill(state, { workspaceId: other.workspaceId, isPublic: true })
    expect(await statesOf('skills', skillStates, add, act)).toEqual(expected)
    const addPrivate = (state: SkillState) => addSkill(state, { workspaceId: other.workspaceId })
    expect(await statesOf('skills', skillStates, addPrivate, act)).toEqual([])
  })

  test('the latest of its name while no newer one is completed, or that one is held or deleted', async () => {
    const latest = async (state: SkillState) => {
      const { id, name } = await addSkill('completed', { isLatest: false, isPublic: true })
      const newer = await addSkill(state, { name, number: 2, isLatest: false, isPublic: true })
      await markLatest(db, { workspaceId, name })
      const marked = await db.query<{ id: string }>(
        'select id from skills where workspace_id = $1 and name = $2 and is_latest and is_latest_public',
        [workspaceId, name],
      )
      return marked.map((row) => (row.id === id ? 'the older' : row.id === newer.id ? 'the newer' : 'none'))
    }
    for (const state of skillStates)
      expect([state, await latest(state)]).toEqual([state, [state === 'completed' ? 'the newer' : 'the older']])
  })
})

const programStates = [
  'compiling',
  'candidate',
  'ready',
  'rejected',
  'demoted',
  'deleted when compiling',
  'deleted when ready',
] as const
type ProgramState = (typeof programStates)[number]

async function addProgram(state: ProgramState, name?: string): Promise<{ id: string; name: string }> {
  const id = newId(now)
  const hashes = name ?? `hash ${id}`
  await db.query(
    `insert into programs (id, workspace_id, skill_id, owner_id, skill_name, skill_version, skills_sha256, skills,
       schema_sha256, shape_sha256, status, origin, asked, source, created_at, deleted_at)
     values ($1, $2, $1, $2, $3, 'v1', $3, '[]', $3, $3, $4, 'embedded', '{}', 'source', $5, $6)`,
    [id, workspaceId, hashes, state.split(' ').at(-1), now, state.startsWith('deleted') ? now : null],
  )
  return { id, name: hashes }
}

const decision = (status: Decision['status'], shapeSha256: string | null): Decision => ({
  status,
  source: 'new',
  sha256: null,
  inputShape: null,
  shapeSha256,
  gate: null,
  guard: null,
  reason: 'new',
  now,
})
const keyOf = (hashes: string) => ({
  workspaceId,
  skillsSha256: hashes,
  schemaSha256: hashes,
  shapeSha256: hashes,
})
const kept: readonly ProgramState[] = ['compiling', 'candidate', 'ready', 'rejected', 'demoted']

describe('a program is', () => {
  test.each<[string, readonly ProgramState[], (row: { id: string; name: string }) => Promise<unknown>]>([
    [
      'made ready',
      ['compiling', 'candidate'],
      ({ id }) => decideProgram(db, { workspaceId, id }, decision('ready', 'a')),
    ],
    [
      'rejected',
      ['compiling', 'candidate'],
      ({ id }) => decideProgram(db, { workspaceId, id }, decision('rejected', 'a')),
    ],
    ['demoted', ['ready'], ({ id }) => demoteProgram(db, { workspaceId, id, reason: 'old', now })],
    [
      'replaced',
      ['ready'],
      async ({ id: replaced }) => {
        const { id } = await addProgram('candidate')
        await replaceProgram(db, { workspaceId, id, replaced, reason: 'old', now })
      },
    ],
    ['locked to be tested again', ['ready'], ({ id }) => lockReady(db, { workspaceId, id })],
    ['left without fields', ['ready'], ({ id }) => loseFields(db, { workspaceId, id, lost: ['/a'], recent: [] })],
    ['deleted', kept, ({ id }) => deleteProgram(db, { workspaceId, id, now })],
    ['found', kept, ({ id }) => findProgram(db, { workspaceId, id })],
    [
      'listed',
      kept,
      ({ name: skillName }) => listPrograms(db, { workspaceId, ownerId: workspaceId, skillName, limit: 10 }),
    ],
    ['found to serve a request', ['ready'], ({ name }) => findReady(db, keyOf(name))],
    ['named where no program serves', kept, ({ name }) => listStates(db, keyOf(name))],
  ])('%s: %j', async (_what, expected, act) => {
    expect(await statesOf('programs', programStates, (state) => addProgram(state), act)).toEqual(expected)
  })

  test('demoted by a newer one that is made ready for the same requests, in no state but ready', async () => {
    const demotedBy = async (older: ProgramState, newer: ProgramState) => {
      const { id, name } = await addProgram(older)
      const { id: newId } = await addProgram(newer, name)
      return acts('programs', id, () =>
        decideProgram(db, { workspaceId, id: newId }, decision('ready', name)).then(() => null),
      )
    }
    const olders = []
    for (const older of programStates) if (await demotedBy(older, 'candidate')) olders.push(older)
    expect(olders).toEqual(['ready'])
    const newers = []
    for (const newer of programStates) if (newer !== 'ready' && (await demotedBy('ready', newer))) newers.push(newer)
    expect(newers).toEqual(['compiling', 'candidate'])
  })
})

describe('a file is', () => {
  const states = ['there', 'deleted'] as const
  const add = async (state: (typeof states)[number]) => {
    const id = newId(now)
    await db.query(
      `insert into files (id, workspace_id, filename, content_type, bytes, sha256, md5, purpose, created_at, deleted_at)
       values ($1, $2, $3, 'text/plain', 1, $4, $5, 'user_data', $6, $7)`,
      [id, workspaceId, 'a.txt', hash('f'), Buffer.from(id).subarray(-16), now, state === 'deleted' ? now : null],
    )
    return { id, name: id }
  }
  const addExecution = async () => {
    const id = newId(now)
    await db.query(
      `insert into executions (id, workspace_id, key_id, name, status, request, model, tier, created_at)
       values ($1, $2, $3, '', 'running', '{}', '', 'flex', $4)`,
      [id, workspaceId, keyId, now],
    )
    return id
  }
  const holding = async (fileId: string) => {
    const executionId = await addExecution()
    await db.query(
      `insert into execution_files (workspace_id, execution_id, file_id, sha256) values ($1, $2, $3, $4)`,
      [workspaceId, executionId, fileId, hash('f')],
    )
    return { workspaceId, executionId, id: fileId }
  }

  test.each<[string, readonly string[], (row: { id: string }) => Promise<unknown>]>([
    ['found by its id', ['there'], ({ id }) => selectFile(db, { workspaceId, id })],
    ['named', ['there'], ({ id }) => selectFilenames(db, { workspaceId, ids: [id] })],
    [
      'found by its bytes',
      ['there'],
      ({ id }) => selectFileByMd5(db, { workspaceId, md5: Buffer.from(id).subarray(-16) }),
    ],
    [
      'listed',
      ['there'],
      async ({ id }) => (await selectFiles(db, { workspaceId, skip: 0, limit: 100 })).some((file) => file.id === id),
    ],
    ['deleted', ['there'], ({ id }) => markFileDeleted(db, { workspaceId, id, now })],
    [
      'held by an execution that begins',
      ['there'],
      async ({ id }) => insertHolds(db, { workspaceId, executionId: await addExecution(), fileIds: [id] }),
    ],
    [
      'found by an execution that does not hold it',
      ['there'],
      async ({ id }) => selectHeldFile(db, { workspaceId, executionId: await addExecution(), id }),
    ],
    ['found by the execution that holds it', states, async ({ id }) => selectHeldFile(db, await holding(id))],
    [
      'deleted with the inputs of the execution that holds it',
      ['there'],
      async ({ id }) => markInputsDeleted(db, { ...(await holding(id)), now }),
    ],
  ])('%s: %j', async (_what, expected, act) => {
    expect(await statesOf('files', states, add, act)).toEqual(expected)
  })
})

describe('a person is', () => {
  const states = ['a member', 'removed', 'disabled', 'erased'] as const
  const add = async (state: (typeof states)[number]) => {
    const [id, memberId] = [newId(now), newId(now)]
    await insertUser(db, { id, email: id, name: id, password: null, mustChange: false, createdAt: now })
    const of = { userId: id, name: id, role: 'admin' as const, disabledAt: null, now }
    const { workspaceId: theirs } = await addWorkspace(db, now)
    await insertMember(db, { ...of, id: memberId, workspaceId: theirs })
    await insertSession(db, { id, userId: id, sha256: Buffer.from(id), endsAt: null, now })
    if (state === 'removed') await revokeMember(db, { id: memberId, now })
    if (state === 'disabled') await writeDisabled(db, { id, at: now })
    if (state === 'erased') await eraseUser(db, { id, name: 'erased', now })
    return { id, memberId, workspaceId: theirs }
  }
  type Person = Awaited<ReturnType<typeof add>>
  const age = { begunAfter: new Date(now.getTime() - 1), seenAfter: new Date(now.getTime() - 1), now }

  test.each<[string, readonly string[], (person: Person) => Promise<unknown>]>([
    ['locked', ['a member', 'removed', 'disabled'], ({ id }) => lockUser(db, id)],
    ['listed with their workspaces', ['a member', 'disabled', 'erased'], ({ id }) => listMemberships(db, id)],
    [
      'listed in their workspace',
      ['a member', 'disabled', 'erased'],
      ({ workspaceId }) => listMembers(db, workspaceId),
    ],
    [
      'found in their workspace',
      ['a member', 'disabled', 'erased'],
      ({ workspaceId, memberId: id }) => findMember(db, { workspaceId, id }),
    ],
    [
      'an admin who can sign in',
      ['a member', 'erased'],
      ({ workspaceId }) => listSigningAdmins(db, { workspaceId, domains: [] }),
    ],
    ['signed in', ['a member'], ({ id }) => findSessions(db, { id }, age)],
    [
      'one who may approve',
      ['a member', 'erased'],
      async ({ workspaceId }) => {
        const approvers = await listApprovers(db, { workspaceId, roles: [], startedBy: null, now })
        return approvers.length > 0
      },
    ],
  ])('%s: %j', async (_what, expected, act) => {
    const found: string[] = []
    for (const state of states) {
      const gave = await act(await add(state))
      if (Array.isArray(gave) ? gave.length > 0 : gave) found.push(state)
    }
    expect(found).toEqual(expected)
  })

  test('signed in until the end that the session has, and deleted with it', async () => {
    const found: boolean[] = []
    for (const endsAt of [null, new Date(now.getTime() + 1), now]) {
      const { id: userId } = await add('a member')
      const id = newId(now)
      await insertSession(db, { id, userId, sha256: Buffer.from(id), endsAt, now })
      found.push((await findSessions(db, { id }, age)) !== undefined)
    }
    await dropOldSessions(db, age)
    const kept = await db.query('select 1 from user_sessions where ends_at <= $1', [now])
    expect([found, kept]).toEqual([[true, true, false], []])
  })
})

test('a key may approve until it is revoked or expires', async () => {
  const of = await addWorkspace(db, now)
  await db.query(`update keys set scopes = '{approve}' where id = $1`, [of.keyId])
  const approvers = async () =>
    (await listApprovers(db, { workspaceId: of.workspaceId, roles: [], startedBy: null, now })).map(({ id }) => id)
  expect(await approvers()).toEqual([of.keyId])
  for (const [column, at, expected] of [
    ['expires_at', later, [of.keyId]],
    ['expires_at', now, []],
    ['expires_at', null, [of.keyId]],
    ['revoked_at', now, []],
  ] as const) {
    await db.query(`update keys set ${column} = $2 where id = $1`, [of.keyId, at])
    expect([column, at, await approvers()]).toEqual([column, at, expected])
  }
})

describe('until it expires, and not longer,', () => {
  const states = ['open', 'expired'] as const
  const expiry = { open: later, expired: now }

  test.each<[string, readonly string[], (id: string) => Promise<unknown>]>([
    ['can be completed', ['open'], (id) => lockUpload(db, { workspaceId, id, now })],
    ['can be waited for', ['open'], (id) => selectPendingUploads(db, { workspaceId, ids: [id], now })],
    ['is dropped a moment later', ['expired'], () => dropExpiredUploads(db, new Date(now.getTime() + 1))],
  ])('a presigned upload %s: %j', async (_what, expected, act) => {
    const add = async (state: (typeof states)[number]) => {
      const id = newId(now)
      await db.query(
        `insert into uploads (id, workspace_id, filename, purpose, created_at, expires_at) values ($1, $2, '', '', $3, $4)`,
        [id, workspaceId, now, expiry[state]],
      )
      return { id, name: id }
    }
    expect(await statesOf('uploads', states, add, ({ id }) => act(id))).toEqual(expected)
  })

  test('the reservation of an upload counts, for its key too', async () => {
    const add = (state: (typeof states)[number], bytes: number, ofKey: string) =>
      db.query(
        `insert into upload_reservations (id, workspace_id, key_id, bytes, expires_at) values ($1, $2, $3, $4, $5)`,
        [newId(now), workspaceId, ofKey, bytes, expiry[state]],
      )
    await add('open', 1, keyId)
    await add('open', 2, newId(now))
    await add('expired', 100, keyId)
    const sum = (at: Date) => sumReservations(db, { workspaceId, now: at, keyId })
    const earlier = new Date(now.getTime() - 1)
    expect([await sum(now), await sum(earlier)]).toEqual([
      { bytes: 3, ofKey: 1 },
      { bytes: 103, ofKey: 2 },
    ])
    await dropExpiredReservations(db, now)
    expect(await sum(earlier)).toEqual({ bytes: 3, ofKey: 1 })
  })
})

test('the time that executions take is that of completed ones', async () => {
  const of = await addWorkspace(db, now)
  for (const [status, ms] of [
    ['completed', 10],
    ['failed', 1],
    ['failed', 2],
  ] as const)
    await db.query(
      `insert into executions (id, workspace_id, key_id, name, status, request, model, tier, created_at, completed_at)
       values ($1, $2, $3, '', $4, '{}', '', 'flex', $5, $6)`,
      [newId(now), of.workspaceId, of.keyId, status, now, new Date(now.getTime() + ms)],
    )
  const period = { from: now, to: new Date(now.getTime() + 1_000) }
  expect(await sumUsage(db, { workspaceId: of.workspaceId, ...period, groupBy: [] })).toMatchObject([
    { executions: 3, latencyMedianMs: 10, latencyP95Ms: 10 },
  ])
})

test('an evaluation ends once', async () => {
  const states = ['running', 'completed', 'failed'] as const
  const add = async (state: (typeof states)[number]) => {
    const id = newId(now)
    await db.query(
      `insert into evaluations (id, workspace_id, owner_id, skill_name, skill_id, number, skill_version, status, key_id,
         cases, runs_planned, created_at)
       values ($1, $2, $2, 's', $1, 1, 'v1', $3, $4, '{"cases": []}', 1, $5)`,
      [id, workspaceId, state, keyId, now],
    )
    return { id, name: id }
  }
  const end = ({ id }: { id: string }) =>
    endEvaluation(db, { workspaceId, id, now }, { status: 'completed', report: null, error: null })
  expect(await statesOf('evaluations', states, add, end)).toEqual(['running'])
})
