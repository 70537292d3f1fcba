import { beforeAll, describe, expect, test } from 'vitest'
import { newId } from '../packages/core/src/ids.ts'
import {
  findAgentById,
  findAgentByName,
  findAgentByPrompt,
  listAgents,
} from '../packages/server/src/features/agents/store.ts'
import {
  dropArtifacts,
  findArtifact,
  insertCopies,
  listArtifactHashes,
  listArtifacts,
  listContents,
  sumArtifacts,
} from '../packages/server/src/features/artifacts/store.ts'
import { listActions } from '../packages/server/src/features/audit/audit.ts'
import { hasSession } from '../packages/server/src/features/chat/session-history.ts'
import { deleteMessages, listMessages } from '../packages/server/src/features/chat/store.ts'
import { findTurns } from '../packages/server/src/features/chat/turn.ts'
import { addJudged, findPath } from '../packages/server/src/features/cheapest-path/cheapest-path.ts'
import {
  countCases,
  countRuns as countEvaluationRuns,
  deleteCase,
  deleteCasesOf,
  endEvaluation,
  findEvaluation,
  findPlan,
  listEvaluations,
  listRuns,
  selectCases,
} from '../packages/server/src/features/evaluations/store.ts'
import { forgetFeedback, forgetFeedbackOn, listFeedback } from '../packages/server/src/features/feedback/store.ts'
import {
  dropReservation,
  renewReservation,
  sumReservations,
} from '../packages/server/src/features/files/reservations.ts'
import { releaseStorage } from '../packages/server/src/features/files/storage.ts'
import {
  dropUpload,
  insertHolds,
  lockUpload,
  markFileDeleted,
  markInputsDeleted,
  selectFile,
  selectFileByMd5,
  selectFilenames,
  selectFilePage,
  selectFiles,
  selectHeldFile,
  selectPendingUploads,
  selectUpload,
} from '../packages/server/src/features/files/store.ts'
import {
  findActor,
  findKeyByHash,
  findKeyById,
  listApprovers,
  listKeys,
  revokeKey,
} from '../packages/server/src/features/keys/store.ts'
import {
  addAgentRun,
  addOutcome,
  countRuns,
  findProgramRun,
  listShadowIds,
  recentAnswers,
} from '../packages/server/src/features/programs/program-runs.ts'
import {
  decideProgram,
  deleteProgram,
  demoteProgram,
  findContent,
  findProgram,
  findReady,
  findSource,
  listPrograms,
  listStates,
  lockReady,
  loseFields,
  replaceProgram,
} from '../packages/server/src/features/programs/store.ts'
import {
  countFilters,
  deleteFilter,
  insertFilter,
  listFilters,
  replaceFilter,
} from '../packages/server/src/features/saved-filters/store.ts'
import { selectList } from '../packages/server/src/features/skills/list.ts'
import {
  completeVersion,
  hasName,
  latestGate,
  markVersionDeleted,
  moveVersion,
  releaseVersion,
  replaceBundle,
  selectNames,
  selectOwnVersion,
  selectOwnVersions,
  selectPinnable,
  selectPublicVersions,
  selectUnfinished,
  selectVersion,
  selectVersionBefore,
  selectVersions,
  writeProof,
} from '../packages/server/src/features/skills/store.ts'
import { sumUsage } from '../packages/server/src/features/usage/store.ts'
import {
  findMember,
  insertMember,
  insertUser,
  listMembers,
  listMemberships,
  listSigningAdmins,
} from '../packages/server/src/features/users/store.ts'
import { makeDatabase } from './support/database.ts'
import { opened } from './support/opened.ts'
import { rowsOf } from './support/rows.ts'

// Two workspaces have rows with the same names, hashes, sessions and, where a key allows it, ids. Each function below is
// called for one of them, first with its own ids and then with those of the other. Row-level security is off here, so that
// only the conditions in the statements protect. Executions and what hangs on a run are in `fences.test.ts`.

const now = new Date('2026-11-22T12:00:00Z')
const later = new Date(now.getTime() + 60_000)
const hash = (text: string) => Buffer.alloc(32, text)
const md5 = Buffer.alloc(16, 5)

const database = await opened(makeDatabase())
const db = database.db

/** The rows of one workspace. Its text contains `mark`. */
interface Rows {
  readonly mark: 'own' | 'twin'
  readonly workspaceId: string
  readonly keyId: string
  readonly userId: string
  readonly memberId: string
  /** The same in both workspaces. */
  readonly executionId: string
  /** One without anything else. */
  readonly newExecutionId: string
  readonly skillId: string
  readonly pendingSkillId: string
  readonly heldSkillId: string
  readonly caseId: string
  readonly evaluationId: string
  readonly programId: string
  readonly candidateId: string
  readonly shadowId: string
  readonly agentId: string
  readonly fileId: string
  readonly uploadId: string
  readonly reservationId: string
  readonly filterId: string
}

/** Inserts a row given as columns and values. */
async function insert(table: string, row: Readonly<Record<string, unknown>>): Promise<void> {
  const values = Object.values(row).map((value) => (isPlain(value) ? JSON.stringify(value) : value))
  const places = values.map((_, n) => `$${n + 1}`).join(', ')
  await db.query(`insert into ${table} (${Object.keys(row).join(', ')}) values (${places})`, values)
}
const isPlain = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && !(value instanceof Date || Buffer.isBuffer(value))

const skillRow = (of: { workspaceId: string; mark: string }, more: Readonly<Record<string, unknown>> = {}) => ({
  id: newId(now),
  workspace_id: of.workspaceId,
  name: 'a-skill',
  number: null,
  skill_version: 'v1',
  description: of.mark,
  is_public: false,
  status: 'completed',
  origin: 'file',
  sha256: hash('s'),
  zip_sha256: hash('z'),
  zip_bytes: 1,
  facts: { publishGate: { of: of.mark } },
  created_at: now,
  updated_at: now,
  ...more,
})

const programRow = (of: { workspaceId: string; mark: string }, more: Readonly<Record<string, unknown>> = {}) => ({
  id: newId(now),
  workspace_id: of.workspaceId,
  skill_id: newId(now),
  owner_id: of.workspaceId,
  skill_name: 'a-skill',
  skill_version: of.mark,
  skills_sha256: 'skills',
  skills: [],
  schema_sha256: 'schema',
  shape_sha256: 'shape',
  status: 'ready',
  origin: 'embedded',
  asked: {},
  source: `source of ${of.mark}`,
  sha256: of.mark,
  input_shape: { of: of.mark },
  created_at: now,
  ...more,
})

async function addRows(mark: Rows['mark'], executionId: string): Promise<Rows> {
  const rows: Rows = {
    mark,
    executionId,
    workspaceId: newId(now),
    keyId: newId(now),
    userId: newId(now),
    memberId: newId(now),
    newExecutionId: newId(later),
    skillId: newId(now),
    pendingSkillId: newId(now),
    heldSkillId: newId(now),
    caseId: newId(now),
    evaluationId: newId(now),
    programId: newId(now),
    candidateId: newId(now),
    shadowId: newId(now),
    agentId: newId(now),
    fileId: newId(now),
    uploadId: newId(now),
    reservationId: newId(now),
    filterId: newId(now),
  }
  const { workspaceId, keyId } = rows
  // What is newest, highest and most is the other workspace's.
  const isTwin = mark === 'twin'
  const at = isTwin ? later : now
  await insert('workspaces', { id: workspaceId, name: `${mark} ${workspaceId}`, created_at: now })
  await insert('keys', {
    id: keyId,
    workspace_id: workspaceId,
    name: mark,
    sha256: Buffer.from(keyId),
    hint: '',
    scopes: '{approve}',
    created_at: now,
  })
  const user = { id: rows.userId, name: mark, password: null, mustChange: false, createdAt: now }
  await insertUser(db, { ...user, email: `${mark}@${workspaceId}` })
  const member = { id: rows.memberId, workspaceId, userId: rows.userId, name: mark }
  await insertMember(db, { ...member, role: 'admin', disabledAt: null, now })
  const addExecution = (id: string) =>
    insert('executions', {
      id,
      workspace_id: workspaceId,
      key_id: keyId,
      name: mark,
      status: 'completed',
      attempt: 1,
      request: {},
      model: mark,
      tier: 'standard',
      session_id: 'a session',
      response: { of: mark },
      usage: { standardMicros: 7 },
      created_at: now,
    })
  await addExecution(executionId)
  await insert('steps', {
    workspace_id: workspaceId,
    execution_id: executionId,
    seq: 1,
    attempt: 1,
    kind: 'model',
    name: 'a model',
    detail: { finish: 'stop' },
    result: {
      text: mark,
      toolCalls: [],
      usage: { inputTokens: 1, cachedInputTokens: 0, outputTokens: 1, reasoningTokens: 0 },
      finish: 'stop',
      model: 'a model',
      id: null,
      continuation: null,
    },
    started_at: now,
    ended_at: now,
  })
  const message = { workspace_id: workspaceId, session_id: 'a session', message: { of: mark }, created_at: now }
  await insert('messages', { ...message, execution_id: executionId })
  await addExecution(rows.newExecutionId)
  if (isTwin) await insert('messages', { ...message, execution_id: rows.newExecutionId })
  for (const id of isTwin ? ['img_1', 'img_2'] : ['img_1'])
    await insert('artifacts', {
      workspace_id: workspaceId,
      execution_id: executionId,
      id,
      session_id: 'a session',
      filename: `${mark}.png`,
      content_type: 'image/png',
      content: Buffer.from('x'),
      bytes: 1,
      created_at: at,
    })
  await insert('feedback', {
    id: newId(at),
    workspace_id: workspaceId,
    key_id: keyId,
    entity_type: 'agent_execution',
    entity: executionId,
    execution_id: executionId,
    response: { of: mark },
    created_at: at,
  })
  await insert('audit', {
    id: newId(at),
    workspace_id: workspaceId,
    action: 'file.create',
    subject_id: 'a subject',
    detail: { of: mark },
    created_at: at,
  })
  for (const id of isTwin ? [rows.filterId, newId(at)] : [rows.filterId])
    await insert('saved_filters', {
      id,
      workspace_id: workspaceId,
      name: id === rows.filterId ? 'a filter' : 'another filter',
      query: { q: mark },
      saved_by: keyId,
      created_at: at,
      updated_at: at,
    })
  for (const version of isTwin ? [1, 2] : [1])
    await insert('agents', {
      id: version === 1 ? rows.agentId : newId(at),
      workspace_id: workspaceId,
      name: 'an-agent',
      version,
      description: mark,
      prompt: mark,
      prompt_sha256: hash('p'),
      created_at: at,
      updated_at: at,
    })

  const number = isTwin ? 7 : 1
  await insert('skills', skillRow(rows, { id: rows.skillId, number, is_latest: true, created_at: at }))
  await insert('skills', skillRow(rows, { id: rows.pendingSkillId, status: 'running', created_at: at }))
  await insert('skills', skillRow(rows, { id: rows.heldSkillId, number: number + 1, is_held: true, name: 'held' }))
  await addSkillRows(rows, workspaceId, mark, { caseId: rows.caseId, evaluationId: rows.evaluationId })
  // A public skill of another owner has the same name.
  await addSkillRows(rows, newId(now), 'another owner')
  await insert('programs', programRow(rows, { id: rows.programId }))
  await insert('programs', programRow(rows, { id: rows.candidateId, status: 'candidate' }))
  await insert(
    'programs',
    programRow(
      { workspaceId, mark: 'another owner' },
      { owner_id: newId(now), status: 'demoted', skills_sha256: 'others' },
    ),
  )
  await insert('paths', {
    workspace_id: workspaceId,
    key_sha256: 'the same key',
    large: mark,
    max_wrong_rate: 0.02,
    standings: { rules: { [mark]: { k: 0, n: 1, recent: [], epoch: 1, isProven: false } } },
    created_at: at,
    updated_at: at,
  })
  await insert('program_runs', {
    workspace_id: workspaceId,
    execution_id: executionId,
    program_id: rows.programId,
    shadow_id: rows.shadowId,
    micros: isTwin ? 100 : 1,
    ms: 1,
    is_counted: false,
    disagreed: false,
    fields: [mark],
    created_at: now,
  })

  await insert('files', {
    id: rows.fileId,
    workspace_id: workspaceId,
    filename: `${mark}.txt`,
    content_type: 'text/plain',
    bytes: 1,
    sha256: hash('f'),
    md5,
    purpose: 'user_data',
    created_at: at,
  })
  await insert('execution_files', {
    workspace_id: workspaceId,
    execution_id: executionId,
    file_id: rows.fileId,
    sha256: hash('f'),
  })
  for (const id of [rows.uploadId, rows.fileId])
    await insert('uploads', {
      id,
      workspace_id: workspaceId,
      key_id: keyId,
      filename: `${mark}.txt`,
      purpose: 'user_data',
      created_at: now,
      expires_at: later,
    })
  await insert('storage', { workspace_id: workspaceId, bytes: 10 })
  await insert('upload_reservations', {
    id: rows.reservationId,
    workspace_id: workspaceId,
    key_id: keyId,
    bytes: isTwin ? 100 : 1,
    expires_at: later,
  })
  return rows
}

/** What a workspace has of a skill: its own, or a public one of another owner. */
async function addSkillRows(
  { workspaceId, keyId, skillId }: Rows,
  ownerId: string,
  of: string,
  ids = { caseId: newId(now), evaluationId: newId(now) },
): Promise<void> {
  await insert('skill_cases', {
    id: ids.caseId,
    workspace_id: workspaceId,
    owner_id: ownerId,
    skill_name: 'a-skill',
    inputs: { of },
    response: {},
    created_at: now,
  })
  await insert('evaluations', {
    id: ids.evaluationId,
    workspace_id: workspaceId,
    owner_id: ownerId,
    skill_name: 'a-skill',
    skill_id: skillId,
    number: 1,
    skill_version: of,
    status: 'running',
    key_id: keyId,
    cases: { cases: [{ of }] },
    runs_planned: 1,
    created_at: now,
  })
}

async function openScene(): Promise<{ own: Rows; twin: Rows }> {
  const executionId = newId(now)
  // The other one first: it would be the first found.
  const twin = await addRows('twin', executionId)
  const own = await addRows('own', executionId)
  // The other workspace has cases and evaluations of this one's skill as well.
  await addSkillRows(twin, own.workspaceId, 'twin')
  await insert('programs', programRow(twin, { owner_id: own.workspaceId, status: 'demoted', skills_sha256: 'others' }))
  // A run of the one's evaluation, in the other's rows.
  for (const [{ workspaceId, mark }, runs] of [
    [own, 1],
    [twin, 2],
  ] as const)
    for (let n = 0; n < runs; n += 1)
      await insert('evaluation_runs', {
        workspace_id: workspaceId,
        evaluation_id: own.evaluationId,
        case_number: n,
        arm: 'with',
        execution_id: executionId,
        error: { of: mark },
      })
  return { own, twin }
}

interface Call {
  readonly name: string
  act(rows: Rows): Promise<unknown>
  /** For a read: what it gives of one's own; by default something that says so. */
  readonly gives?: unknown
}

const place = ({ workspaceId }: Rows) => ({ workspaceId, ownerId: workspaceId, name: 'a-skill' })
const key = ({ workspaceId }: Rows) => ({
  workspaceId,
  skillsSha256: 'skills',
  schemaSha256: 'schema',
  shapeSha256: 'shape',
})
const list = { limit: 10, offset: 0, orderBy: 'created_at', descending: true } as const
const within = ({ workspaceId, executionId }: Rows) => ({ workspaceId, executionId })
const proof = { original_id: newId(now), execution_id: null, agreement: null, disagreements: [] }

const reads: readonly Call[] = [
  {
    name: 'findAgentByName',
    act: ({ workspaceId }) => findAgentByName(db, { workspaceId, name: 'an-agent', version: null }),
  },
  { name: 'findAgentById', act: ({ workspaceId, agentId: id }) => findAgentById(db, { workspaceId, id }) },
  { name: 'findAgentByPrompt', act: ({ workspaceId }) => findAgentByPrompt(db, { workspaceId, sha256: hash('p') }) },
  { name: 'listAgents', act: ({ workspaceId }) => listAgents(db, { workspaceId, skip: 0, limit: 10 }) },
  { name: 'listArtifactHashes', act: async (rows) => await listArtifactHashes(db, within(rows)) },
  { name: 'listContents', act: async (rows) => await listContents(db, within(rows)) },
  { name: 'sumArtifacts', act: (rows) => sumArtifacts(db, within(rows)), gives: { count: 1, bytes: 1 } },
  {
    name: 'listArtifacts of an execution',
    act: (rows) => listArtifacts(db, { ...rows, namespace: { executionId: rows.executionId }, limit: 10 }),
  },
  {
    name: 'findArtifact of a session',
    act: ({ workspaceId }) =>
      findArtifact(db, { workspaceId, namespace: { sessionId: 'a session' }, id: 'img_1', filename: null }),
  },
  {
    name: 'listActions',
    act: ({ workspaceId }) =>
      listActions(db, {
        workspaceId,
        action: null,
        subjectId: null,
        keyId: null,
        after: null,
        before: null,
        skip: 0,
        limit: 10,
      }),
  },
  {
    name: 'listMessages',
    act: ({ workspaceId }) => listMessages(db, { workspaceId, sessionId: 'a session', turnsMax: 1 }),
  },
  {
    name: 'findTurns',
    act: async ({ workspaceId, executionId, newExecutionId }) => [
      ...(await findTurns(db, { workspaceId, ids: [executionId, newExecutionId] })).values(),
    ],
  },
  { name: 'selectCases', act: (rows) => selectCases(db, place(rows)) },
  { name: 'countCases', act: (rows) => countCases(db, place(rows)), gives: 1 },
  { name: 'findEvaluation', act: ({ workspaceId, evaluationId: id }) => findEvaluation(db, { workspaceId, id }) },
  { name: 'listEvaluations', act: (rows) => listEvaluations(db, place(rows), 10) },
  { name: 'findPlan', act: ({ workspaceId, evaluationId: id }) => findPlan(db, { workspaceId, id }) },
  { name: 'listRuns', act: ({ workspaceId, evaluationId: id }) => listRuns(db, { workspaceId, id }) },
  {
    name: 'countRuns of an evaluation',
    act: ({ workspaceId, evaluationId: id }) => countEvaluationRuns(db, { workspaceId, id }),
    gives: { begun: 1, open: 0 },
  },
  {
    name: 'listFeedback',
    act: ({ workspaceId, executionId: entity }) =>
      listFeedback(db, { workspaceId, entity, entityType: null, limit: 10, offset: 0 }),
  },
  {
    name: 'sumReservations',
    act: ({ workspaceId, keyId }) => sumReservations(db, { workspaceId, now, keyId }),
    gives: { bytes: 1, ofKey: 1 },
  },
  { name: 'selectFile', act: ({ workspaceId, fileId: id }) => selectFile(db, { workspaceId, id }) },
  { name: 'selectFilenames', act: ({ workspaceId, fileId }) => selectFilenames(db, { workspaceId, ids: [fileId] }) },
  { name: 'selectFiles', act: ({ workspaceId }) => selectFiles(db, { workspaceId, skip: 0, limit: 10 }) },
  { name: 'selectFileByMd5', act: ({ workspaceId }) => selectFileByMd5(db, { workspaceId, md5 }) },
  { name: 'selectHeldFile', act: (rows) => selectHeldFile(db, { ...within(rows), id: rows.fileId }) },
  { name: 'selectUpload', act: ({ workspaceId, uploadId: id }) => selectUpload(db, { workspaceId, id }) },
  { name: 'lockUpload', act: ({ workspaceId, uploadId: id }) => lockUpload(db, { workspaceId, id, now }) },
  {
    name: 'selectPendingUploads',
    act: async ({ workspaceId, uploadId, mark }) =>
      (await selectPendingUploads(db, { workspaceId, ids: [uploadId], now })).map(() => mark),
  },
  { name: 'listKeys', act: ({ workspaceId }) => listKeys(db, workspaceId) },
  {
    name: 'listApprovers',
    act: async ({ workspaceId }) =>
      (await listApprovers(db, { workspaceId, roles: [], startedBy: null, now })).map(({ name }) => name),
    gives: ['own', 'own'],
  },
  { name: 'listFilters', act: ({ workspaceId }) => listFilters(db, workspaceId) },
  { name: 'countFilters', act: ({ workspaceId }) => countFilters(db, workspaceId), gives: 1 },
  { name: 'listMembers', act: ({ workspaceId }) => listMembers(db, workspaceId) },
  { name: 'findMember', act: ({ workspaceId, memberId: id }) => findMember(db, { workspaceId, id }) },
  {
    name: 'listSigningAdmins',
    act: async ({ workspaceId }) => (await listSigningAdmins(db, { workspaceId, domains: [] })).length,
    gives: 1,
  },
  { name: 'findActor', act: ({ workspaceId, keyId }) => findActor(db, { workspaceId, keyId }) },
  { name: 'findProgram', act: ({ workspaceId, programId: id }) => findProgram(db, { workspaceId, id }) },
  { name: 'findSource', act: ({ workspaceId, programId: id }) => findSource(db, { workspaceId, id }) },
  { name: 'findContent', act: ({ workspaceId, programId: id }) => findContent(db, { workspaceId, id }) },
  { name: 'listPrograms', act: (rows) => listPrograms(db, { ...place(rows), skillName: 'a-skill', limit: 10 }) },
  { name: 'findReady', act: (rows) => findReady(db, key(rows)) },
  { name: 'lockReady', act: ({ workspaceId, programId: id }) => lockReady(db, { workspaceId, id }) },
  { name: 'listStates', act: (rows) => listStates(db, key(rows)) },
  {
    name: 'listShadowIds',
    act: async ({ workspaceId, programId, mark }) =>
      (await listShadowIds(db, { workspaceId, programId })).map(() => mark),
  },
  {
    name: 'recentAnswers',
    act: async ({ workspaceId, programId: id }) =>
      (await recentAnswers(db, { workspaceId, id, order: 'judged' })).map(({ fields: [mark] }) => mark),
  },
  { name: 'findPath', act: ({ workspaceId }) => findPath(db, { workspaceId, key: 'the same key' }) },
  {
    name: 'findProgramRun by its execution',
    act: async (rows) => (await findProgramRun(db, within(rows)))?.programId === rows.programId && rows.mark,
  },
  {
    name: 'findProgramRun by its shadow',
    act: async ({ workspaceId, shadowId, mark }) => (await findProgramRun(db, { workspaceId, shadowId })) && mark,
  },
  { name: 'latestGate', act: (rows) => latestGate(db, place(rows)) },
  { name: 'selectVersion', act: ({ workspaceId, skillId: id }) => selectVersion(db, { workspaceId, id }) },
  { name: 'selectPinnable', act: ({ workspaceId, skillId: id }) => selectPinnable(db, { workspaceId, id }) },
  { name: 'selectOwnVersion latest', act: (rows) => selectOwnVersion(db, { ...place(rows), wanted: 'latest' }) },
  {
    name: 'selectOwnVersion by its text',
    act: (rows) => selectOwnVersion(db, { ...place(rows), wanted: { text: 'v1' } }),
  },
  {
    name: 'selectOwnVersions by ids',
    act: ({ workspaceId, skillId }) => selectOwnVersions(db, { workspaceId, ids: [skillId], names: [] }),
  },
  {
    name: 'selectOwnVersions by names',
    act: ({ workspaceId }) => selectOwnVersions(db, { workspaceId, ids: [], names: ['a-skill'] }),
  },
  { name: 'selectUnfinished', act: (rows) => selectUnfinished(db, place(rows)) },
  {
    name: 'selectNames',
    act: ({ workspaceId }) => selectNames(db, { workspaceId, after: null, limit: 10, descending: false }),
    gives: ['a-skill'],
  },
  { name: 'selectVersions', act: (rows) => selectVersions(db, { ...place(rows), limit: 10 }) },
  { name: 'selectVersionBefore', act: (rows) => selectVersionBefore(db, { ...place(rows), number: 100 }) },
  { name: 'selectList', act: ({ workspaceId }) => selectList(db, { ...list, workspaceId, grouped: false }) },
  { name: 'selectList by name', act: ({ workspaceId }) => selectList(db, { ...list, workspaceId, grouped: true }) },
  {
    name: 'sumUsage',
    act: ({ workspaceId }) => sumUsage(db, { workspaceId, from: now, to: later, groupBy: ['model'] }),
  },
]

const writes: readonly Call[] = [
  { name: 'dropArtifacts', act: async (rows) => void (await dropArtifacts(db, within(rows))) },
  {
    name: 'insertCopies',
    act: async ({ workspaceId, executionId: from, newExecutionId: to }) =>
      void (await insertCopies(db, { workspaceId, from, to, ids: ['img_1'], now })),
  },
  { name: 'deleteMessages', act: (rows) => deleteMessages(db, within(rows)) },
  { name: 'deleteCase', act: (rows) => deleteCase(db, place(rows), rows.caseId) },
  {
    name: 'endEvaluation',
    act: ({ workspaceId, evaluationId: id }) =>
      endEvaluation(db, { workspaceId, id, now }, { status: 'completed', report: null, error: null }),
  },
  { name: 'forgetFeedback', act: (rows) => forgetFeedback(db, within(rows)) },
  { name: 'forgetFeedbackOn', act: (rows) => forgetFeedbackOn(db, { ...within(rows), names: [] }) },
  { name: 'dropReservation', act: ({ workspaceId, reservationId: id }) => dropReservation(db, { workspaceId, id }) },
  {
    name: 'renewReservation',
    act: ({ workspaceId, reservationId: id }) => renewReservation(db, { workspaceId, id, now: later }),
  },
  { name: 'releaseStorage', act: ({ workspaceId }) => releaseStorage(db, { workspaceId, bytes: 1 }) },
  { name: 'dropUpload', act: ({ workspaceId, uploadId: id }) => dropUpload(db, { workspaceId, id }) },
  {
    name: 'insertHolds',
    act: ({ workspaceId, newExecutionId: executionId, fileId }) =>
      insertHolds(db, { workspaceId, executionId, fileIds: [fileId] }),
  },
  { name: 'markFileDeleted', act: ({ workspaceId, fileId: id }) => markFileDeleted(db, { workspaceId, id, now }) },
  { name: 'markInputsDeleted', act: (rows) => markInputsDeleted(db, { ...within(rows), now }) },
  {
    name: 'insertFilter',
    act: ({ workspaceId, keyId }) =>
      insertFilter(db, { workspaceId, keyId, id: newId(now), name: 'a new filter', query: { q: 'new' }, now: later }),
  },
  {
    name: 'replaceFilter',
    act: ({ workspaceId, keyId, filterId: id }) =>
      replaceFilter(db, { workspaceId, keyId, id, name: 'another filter', query: { q: 'new' }, now: later }),
  },
  { name: 'deleteFilter', act: ({ workspaceId, filterId: id }) => deleteFilter(db, { workspaceId, id }) },
  { name: 'revokeKey', act: ({ workspaceId, keyId: id }) => revokeKey(db, { workspaceId, id, now }) },
  { name: 'countRuns of a program', act: ({ workspaceId, programId: id }) => countRuns(db, { workspaceId, id }) },
  { name: 'addAgentRun', act: ({ workspaceId, programId: id }) => addAgentRun(db, { workspaceId, id, micros: 5 }) },
  {
    name: 'addJudged',
    act: ({ workspaceId }) =>
      addJudged(db, {
        ...{ workspaceId, key: 'the same key', small: null, large: 'a model', maxWrongRate: 0.02, fields: 1, now },
        judged: [{ field: '/a', support: 'same', isWrong: false }],
        hasFailed: null,
      }),
  },
  { name: 'addOutcome', act: (rows) => addOutcome(db, { ...within(rows), judge: 'human', fields: [], now }) },
  {
    name: 'decideProgram',
    act: ({ workspaceId, candidateId: id }) =>
      db.transaction((tx) =>
        decideProgram(
          tx,
          { workspaceId, id },
          {
            status: 'ready',
            source: null,
            sha256: null,
            inputShape: null,
            shapeSha256: 'shape',
            gate: null,
            guard: null,
            reason: null,
            now,
          },
        ),
      ),
  },
  {
    name: 'loseFields',
    act: ({ workspaceId, programId: id }) => loseFields(db, { workspaceId, id, lost: ['/a'], recent: [false] }),
  },
  {
    name: 'demoteProgram',
    act: ({ workspaceId, programId: id }) => demoteProgram(db, { workspaceId, id, reason: '', now }),
  },
  {
    name: 'replaceProgram',
    act: ({ workspaceId, candidateId: id, programId: replaced }) =>
      replaceProgram(db, { workspaceId, id, replaced, reason: '', now }),
  },
  { name: 'deleteProgram', act: ({ workspaceId, programId: id }) => deleteProgram(db, { workspaceId, id, now }) },
  {
    name: 'completeVersion',
    act: (rows) => completeVersion(db, { ...place(rows), id: rows.pendingSkillId, isHeld: false, now: later }),
  },
  { name: 'releaseVersion', act: ({ workspaceId, heldSkillId: id }) => releaseVersion(db, { workspaceId, id, now }) },
  {
    name: 'moveVersion',
    act: ({ workspaceId, pendingSkillId: id }) => moveVersion(db, { workspaceId, id, now }, { status: 'failed' }),
  },
  {
    name: 'replaceBundle',
    act: ({ workspaceId, pendingSkillId: id }) =>
      replaceBundle(
        db,
        { workspaceId, id, now },
        {
          skillVersion: 'v2',
          description: '',
          sha256: '00',
          zipSha256: hash('n'),
          zipBytes: 1,
          facts: {} as never,
          proof,
        },
      ),
  },
  { name: 'writeProof', act: ({ workspaceId, skillId: id }) => writeProof(db, { workspaceId, id }, proof) },
  {
    name: 'markVersionDeleted',
    act: ({ workspaceId, skillId: id }) => markVersionDeleted(db, { workspaceId, id, now }),
  },
]

/** The same call, for the one's workspace with the ids of the other. */
const crossed = ({ own, twin }: { own: Rows; twin: Rows }): Rows => ({
  ...twin,
  mark: 'twin',
  workspaceId: own.workspaceId,
})

/** What is not a row of one's own workspace and owner. */
const foreign = /twin|another owner/

describe('reads the rows of its workspace, and none of another with the same names or by its ids:', () => {
  let scene: Awaited<ReturnType<typeof openScene>>
  beforeAll(async () => {
    scene = await openScene()
  })

  test.each(reads)('$name', async ({ act, gives }) => {
    const own = await act(scene.own)
    if (gives === undefined) expect(JSON.stringify(own)).toContain('own')
    else expect(own).toEqual(gives)
    for (const given of [own, await act(crossed(scene))]) expect(JSON.stringify(given ?? null)).not.toMatch(foreign)
    expect(JSON.stringify((await act(scene.twin)) ?? null)).not.toMatch(/\bown\b/)
  })
})

describe('changes the rows of its workspace, and none of another with the same names or by its ids:', () => {
  test.each(writes)('$name', async ({ act }) => {
    const scene = await openScene()
    const [own, twin] = [await rowsOf(db, scene.own.workspaceId), await rowsOf(db, scene.twin.workspaceId)]
    expect(JSON.stringify((await act(crossed(scene))) ?? null)).not.toMatch(foreign)
    expect(await rowsOf(db, scene.twin.workspaceId)).toEqual(twin)
    await act(scene.own)
    expect(await rowsOf(db, scene.own.workspaceId)).not.toEqual(own)
    expect(await rowsOf(db, scene.twin.workspaceId)).toEqual(twin)
  })
})

test('a key and a member name their workspace', async () => {
  const { own } = await openScene()
  const name = `own ${own.workspaceId}`
  const members = [
    ...(await listMemberships(db, own.userId)),
    ...(await listMembers(db, own.workspaceId)),
    await findMember(db, { workspaceId: own.workspaceId, id: own.memberId }),
  ]
  expect(members.map((member) => member?.workspace)).toEqual([name, name, name])
  expect((await findKeyById(db, own.keyId))?.workspace).toBe(name)
  expect((await findKeyByHash(db, Buffer.from(own.keyId)))?.workspace).toBe(name)
  expect((await listKeys(db, own.workspaceId)).map(({ workspace }) => workspace)).toEqual([name])
  expect((await revokeKey(db, { workspaceId: own.workspaceId, id: own.keyId, now }))?.workspace).toBe(name)
})

describe('a file', () => {
  const hold = ({ workspaceId, executionId }: Rows, fileId: string) =>
    insert('execution_files', {
      workspace_id: workspaceId,
      execution_id: executionId,
      file_id: fileId,
      sha256: hash('f'),
    })

  test('of another workspace does not complete an upload with its id', async () => {
    const { own, twin } = await openScene()
    await insert('files', {
      id: own.uploadId,
      workspace_id: twin.workspaceId,
      filename: 'twin.txt',
      content_type: 'text/plain',
      bytes: 1,
      sha256: hash('f'),
      md5,
      purpose: 'user_data',
      created_at: now,
    })
    const { workspaceId, uploadId: id } = own
    expect((await selectPendingUploads(db, { workspaceId, ids: [id], now })).length).toBe(1)
    expect(await dropUpload(db, { workspaceId, id })).toBe(true)
  })

  test('that was deleted is not held by the execution of another workspace', async () => {
    const { own, twin } = await openScene()
    await db.query('delete from execution_files where workspace_id = $1', [own.workspaceId])
    await hold(twin, own.fileId)
    await markFileDeleted(db, { workspaceId: own.workspaceId, id: own.fileId, now })
    expect(await selectHeldFile(db, { ...within(own), id: own.fileId })).toBeUndefined()
  })

  test('is on the pages of its workspace until it is deleted, and no page starts behind one of another workspace', async () => {
    const { own, twin } = await openScene()
    const page = async (more: object = {}) => {
      const all = { workspaceId: own.workspaceId, purpose: null, after: null, descending: false, limit: 10, ...more }
      return (await selectFilePage(db, all)).map(({ id }) => id)
    }
    const copy = {
      filename: 'own.txt',
      content_type: 'text/plain',
      bytes: 1,
      sha256: hash('f'),
      md5,
      purpose: 'user_data',
    }
    const [next, foreign] = [newId(later), newId(now)]
    await insert('files', { id: next, workspace_id: own.workspaceId, created_at: later, ...copy })
    await insert('files', { id: foreign, workspace_id: twin.workspaceId, created_at: now, ...copy })
    expect(await page()).toEqual([own.fileId, next])
    expect(await page({ after: own.fileId })).toEqual([next])
    expect(await page({ after: foreign })).toEqual([])
    await markFileDeleted(db, { workspaceId: own.workspaceId, id: own.fileId, now })
    expect(await page()).toEqual([next])
  })

  test('is deleted with the inputs of an execution only where both are of the workspace', async () => {
    const { own, twin } = await openScene()
    await db.query('delete from execution_files where workspace_id = $1', [own.workspaceId])
    // Held by the other's execution of the same id; and the other's file and upload, held by one's own.
    await hold(twin, own.fileId)
    await hold(own, twin.fileId)
    const before = [await rowsOf(db, own.workspaceId), await rowsOf(db, twin.workspaceId)]
    expect(await markInputsDeleted(db, { ...within(own), now })).toEqual([])
    expect([await rowsOf(db, own.workspaceId), await rowsOf(db, twin.workspaceId)]).toEqual(before)
  })
})

test('a program takes the place of an older one of its workspace', async () => {
  const { own, twin } = await openScene()
  const before = await rowsOf(db, own.workspaceId)
  const decide = writes.find(({ name }) => name === 'decideProgram')
  await decide?.act(crossed({ own, twin }))
  expect(await rowsOf(db, own.workspaceId)).toEqual(before)
  await decide?.act(own)
  expect((await findProgram(db, { workspaceId: own.workspaceId, id: own.programId }))?.status).toBe('demoted')
  expect((await findProgram(db, { workspaceId: twin.workspaceId, id: twin.programId }))?.status).toBe('ready')
})

test('a program that is tested again gives up the fields that the replaced one of its workspace lost', async () => {
  const { own, twin } = await openScene()
  await loseFields(db, { workspaceId: own.workspaceId, id: own.programId, lost: ['/own'], recent: [] })
  await loseFields(db, { workspaceId: twin.workspaceId, id: twin.programId, lost: ['/twin'], recent: [] })
  const replace = (id: string, replaced: string) =>
    replaceProgram(db, { workspaceId: own.workspaceId, id, replaced, reason: 'again', now })
  const lostBy = async ({ workspaceId, candidateId: id }: Rows) => (await findProgram(db, { workspaceId, id }))?.lost
  const statusOf = async ({ workspaceId, programId: id }: Rows) => (await findProgram(db, { workspaceId, id }))?.status
  await replace(own.candidateId, twin.programId)
  expect([await lostBy(own), await statusOf(twin)]).toEqual([[], 'ready'])
  await replace(twin.candidateId, own.programId)
  expect([await lostBy(twin), await statusOf(own)]).toEqual([[], 'demoted'])
  await replace(own.candidateId, own.programId)
  expect(await lostBy(own)).toEqual(['/own'])
})

test("the runs of another workspace, or of another's program, are not added to the sums of a program", async () => {
  const { own, twin } = await openScene()
  const { workspaceId } = own
  const runsOf = (id: string) => db.query('select runs from programs where id = $1', [id])
  const runOf = (of: Rows, programId: string) =>
    db.query('update program_runs set program_id = $2 where workspace_id = $1', [of.workspaceId, programId])
  await runOf(twin, own.programId)
  await runOf(own, own.candidateId)
  await db.transaction((tx) => countRuns(tx, { workspaceId, id: own.programId }))
  expect(await runsOf(own.programId)).toEqual([{ runs: 0 }])
  await runOf(own, twin.programId)
  await db.transaction((tx) => countRuns(tx, { workspaceId, id: twin.programId }))
  expect(await runsOf(twin.programId)).toEqual([{ runs: 0 }])
})

test("a program's runs and outcomes are those of its workspace", async () => {
  const { own, twin } = await openScene()
  const { workspaceId } = own
  const runOf = (of: Rows, programId: string) =>
    db.query('update program_runs set program_id = $2 where workspace_id = $1', [of.workspaceId, programId])
  await runOf(twin, own.programId)
  expect((await findProgram(db, { workspaceId, id: own.programId }))?.runs).toBe(1)
  // A judgement that takes the place of another counts the program's latest outcomes anew: only its own.
  await db.query('update program_runs set disagreed = true, judged_at = $2 where workspace_id = $1', [
    twin.workspaceId,
    now,
  ])
  await addOutcome(db, { ...within(own), judge: 'same_engine', fields: [], now })
  const judged = await addOutcome(db, { ...within(own), judge: 'case', fields: [], now })
  expect(judged).toMatchObject({ recent: [false], judgements: { case: { answers: 1, wrong: 0 } } })
  await runOf(own, twin.programId)
  const before = await rowsOf(db, twin.workspaceId)
  expect(await addOutcome(db, { ...within(own), judge: 'human', fields: [], now })).toBeUndefined()
  expect(await rowsOf(db, twin.workspaceId)).toEqual(before)
})

test('a session is one of the workspace that has used it', async () => {
  const { own } = await openScene()
  const nobody = newId(now)
  expect(await hasSession(db, { workspaceId: own.workspaceId, sessionId: 'a session' })).toBe(true)
  expect(await hasSession(db, { workspaceId: nobody, sessionId: 'a session' })).toBe(false)
})

test("a case is deleted as one of its skill, and not by its id with another owner's skill", async () => {
  const { own, twin } = await openScene()
  const skill = { workspaceId: own.workspaceId, ownerId: twin.workspaceId, name: 'a-skill' }
  expect(await deleteCase(db, skill, own.caseId)).toBeUndefined()
  // Of the other workspace, for this one's skill.
  const theirs = await selectCases(db, { ...place(own), workspaceId: twin.workspaceId })
  expect(await deleteCase(db, place(own), theirs[0]?.id ?? '')).toBeUndefined()
  expect(theirs.length).toBe(1)
})

test('judged answers are added to what their own workspace has learned about the same question', async () => {
  const { own, twin } = await openScene()
  const standing = { field: 'own', support: null, isWrong: false }
  const path = { key: 'the same key', small: null, large: 'a model', maxWrongRate: 0.02, fields: 1, hasFailed: null }
  await db.transaction((tx) => addJudged(tx, { ...path, workspaceId: own.workspaceId, judged: [standing], now: later }))
  const learned = async ({ workspaceId }: Rows) =>
    (await findPath(db, { workspaceId, key: path.key })).standings.rules ?? {}
  expect(await learned(own)).toEqual({ own: expect.objectContaining({ n: 2 }) })
  expect(await learned(twin)).toEqual({ twin: expect.objectContaining({ n: 1 }) })
})

test("the cases of an execution go with its skill, and not those of another workspace's or owner's", async () => {
  const { own } = await openScene()
  const executionId = newId(now)
  await db.query('update skill_cases set execution_id = $1', [executionId])
  await deleteCasesOf(db, place(own), executionId)
  const left = await db.query<{ own: boolean; owner: boolean; count: number }>(
    `select workspace_id = $1 as own, owner_id = $1 as owner, count(*)::integer as count from skill_cases
     where workspace_id = $1 or owner_id = $1 group by 1, 2 order by 1, 2`,
    [own.workspaceId],
  )
  expect(left).toEqual([
    { own: false, owner: true, count: 1 },
    { own: true, owner: false, count: 1 },
  ])
})

describe('versions of a skill', () => {
  test('set the gate of their workspace', async () => {
    const { own } = await openScene()
    expect(await latestGate(db, { ...place(own), workspaceId: newId(now) })).toBeUndefined()
    expect(await latestGate(db, place(own))).toEqual({ of: 'own' })
  })

  test('are numbered and the latest is marked per workspace', async () => {
    const { own, twin } = await openScene()
    const versionsOf = async ({ workspaceId }: Rows) =>
      (await selectVersions(db, { ...place({ ...own, workspaceId }), limit: 10 })).map(({ number, isLatest }) => [
        number,
        isLatest,
      ])
    await completeVersion(db, { ...place(own), id: own.pendingSkillId, isHeld: false, now: later })
    expect(await versionsOf(own)).toEqual([
      [2, true],
      [1, false],
    ])
    expect(await versionsOf(twin)).toEqual([
      [null, false],
      [7, true],
    ])
  })

  test('a name is taken in the workspace that has it', async () => {
    const { own, twin } = await openScene()
    await insert('skills', skillRow(twin, { name: 'only-the-twins', number: 1 }))
    expect(await hasName(db, { workspaceId: twin.workspaceId, names: ['only-the-twins'] })).toBe(true)
    expect(await hasName(db, { workspaceId: own.workspaceId, names: ['only-the-twins'] })).toBe(false)
  })

  test('that are public are found by other workspaces, and by their own under its name alone', async () => {
    const { own, twin } = await openScene()
    const name = `public-${own.executionId}`
    for (const of of [own, twin])
      await insert(
        'skills',
        skillRow(of, { name, number: 1, is_public: true, is_latest: true, is_latest_public: true }),
      )
    const { workspaceId } = own
    const marks = (found: readonly { description: string }[]) => found.map(({ description }) => description)
    expect(marks(await selectPublicVersions(db, { workspaceId, name, wanted: 'latest' }))).toEqual(['twin'])
    expect((await selectOwnVersion(db, { workspaceId, name, wanted: 'latest' }))?.description).toBe('own')
    expect(marks(await selectVersions(db, { workspaceId, ownerId: workspaceId, name, limit: 10 }))).toEqual(['own'])
    expect(marks(await selectVersions(db, { workspaceId, ownerId: twin.workspaceId, name, limit: 10 }))).toEqual([
      'twin',
    ])
    const before = { workspaceId, name, number: 9 }
    expect((await selectVersionBefore(db, { ...before, ownerId: workspaceId }))?.description).toBe('own')
    expect((await selectVersionBefore(db, { ...before, ownerId: twin.workspaceId }))?.description).toBe('twin')
  })

  test('a list by name shows the latest of each, not a public one that is older than a private one', async () => {
    const { own } = await openScene()
    const { workspaceId } = own
    const name = `listed-${own.executionId}`
    await insert('skills', skillRow(own, { name, number: 1, is_public: true, is_latest_public: true }))
    await insert('skills', skillRow(own, { name, number: 2, skill_version: 'v2', is_latest: true }))
    const listed = await selectList(db, { ...list, limit: 100, workspaceId, grouped: true })
    expect(listed.filter((skill) => skill.name === name).map(({ skillVersion }) => skillVersion)).toEqual(['v2'])
  })
})
