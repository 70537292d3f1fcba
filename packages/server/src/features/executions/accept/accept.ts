import type { Clock } from '@skillrun/core/clock.ts'
import { Fault } from '@skillrun/core/fault.ts'
import { isId, newId } from '@skillrun/core/ids.ts'
import type { Db, Sql } from '../../../adapters/db/db.ts'
import type { Queue } from '../../../adapters/queue/queue.ts'
import { limits } from '../../../core/limits.ts'
import { findAgent } from '../../agents/agents.ts'
import { findFile, findPendingUploads, holdFiles, publicPlaceOf, type Signing } from '../../files/files.ts'
import { bodySha256 } from '../../idempotency/idempotency.ts'
import { refuseForbiddenCallback } from '../../webhooks/webhooks.ts'
import type { ExecutionState } from '../execution.ts'
import { type ExecutionRequest, fileIdsOf } from '../execution-request.ts'
import { markUnretained, mayRetain } from '../retention.ts'
import { findExecution } from '../store/find-execution.ts'
import { firstMoves, insertExecution, type NewExecution } from '../store/new-execution.ts'
import type { StartedExecution } from '../store/run-of-execution.ts'
import { topicOf } from '../topics.ts'
import type { ExecuteRequest } from '../wire/request.ts'
import type { Admission } from './admission.ts'
import type { CreateCall } from './create-call.ts'
import { claimKeys, refuseTakenId } from './idempotency.ts'
import { ignoredWarning } from './ignored.ts'
import type { Intake } from './intake.ts'
import { type AwaitedUpload, awaitUploads } from './pending.ts'
import { agentOf, type RunAgent, runAgentOf } from './request-agent.ts'

export interface CreateParts {
  readonly db: Db
  readonly clock: Clock
  readonly queue: Queue
  readonly intake: Intake
}

/** A parsed and validated execution, ready to be written. */
export interface Acceptable
  extends Pick<ExecutionState, 'model' | 'modelChosenBy' | 'tier' | 'sessionId' | 'callbackUrl'> {
  /** What must be equal in two calls with one idempotency key; its hash is stored. */
  readonly sameAs: object
  readonly request: ExecutionRequest
  /** The agent to run; absent: the agent that the call names, or the one with its prompt. */
  readonly agent?: RunAgent | undefined
}

/** The execution id that a body chooses: a UUID; any other text is only an idempotency key. */
export const ownIdOf = (body: ExecuteRequest): string | undefined =>
  body.id && isId(body.id.toLowerCase()) ? body.id.toLowerCase() : undefined

/** Writes an execution and its job in one transaction, or returns the execution of its idempotency key. */
export async function acceptExecution(
  parts: CreateParts,
  call: CreateCall,
  accepted: Acceptable,
): Promise<ExecutionState> {
  const { request, callbackUrl } = accepted
  await refuseForbiddenCallback(parts.intake.egress, callbackUrl)
  const isKeyed = Boolean(call.body.id || call.idempotencyKey)
  // Idempotency keys, new agents and files need locks; without them there is nothing to lock.
  const signing = { clock: parts.clock, signingSecret: parts.intake.signingSecret }
  const hasFiles = fileIdsOf(request).length > 0 || namedFilesOf(signing, call, request).length > 0
  const isPlain = !isKeyed && !call.chat && !call.batch && !call.fork && !hasFiles
  if (!isPlain) return acceptWithLocks(parts, call, accepted)
  const asked = { workspaceId: call.caller.workspaceId, name: call.body.name ?? null, prompt: request.prompt }
  const found = accepted.agent ? undefined : await findAgent(parts.db, asked)
  const agent = accepted.agent ?? (found && runAgentOf(found))
  return agent ? acceptPlain(parts, call, { ...accepted, agent }) : acceptWithLocks(parts, call, accepted)
}

/**
 * When the caller waits for the end, this process runs the execution at once if a slot is free; the job is there in case the process dies.
 */
async function acceptPlain(
  parts: CreateParts,
  call: CreateCall,
  accepted: Acceptable & { readonly agent: RunAgent },
): Promise<ExecutionState> {
  const { db, clock, queue } = parts
  const { admission } = parts.intake
  const { workspaceId } = call.caller
  const { tier } = accepted
  const now = clock.now()
  const slot = call.body.batch === false ? queue.slotFor(topicOf[tier]) : undefined
  try {
    // What starts here at once waits for no turn.
    const turn = slot ? 0 : await admission.admit({ tier, workspaceId })
    const id = newId(now)
    const data = { workspaceId, id, number: 1 }
    const terms = { turn, group: workspaceId }
    const created = {
      ...newExecution(parts, { call, accepted, agent: accepted.agent, id, now }),
      runningIn: slot && parts.intake.processId,
    }
    const execution = await db.together(async (tx) => {
      // Independent statements: send them together.
      const adding = slot ? slot.add(tx, data, terms) : queue.add(tx, topicOf[tier], data, terms)
      const [inserted] = await Promise.all([insertExecution(tx, created), adding])
      if (!mayRetain(created.request)) await markUnretained(tx, { workspaceId, id, names: [] })
      return { ...inserted, isRetained: mayRetain(created.request) }
    })
    const started: StartedExecution = {
      ...execution,
      request: created.request,
      moves: firstMoves(created),
      lostAttempts: {},
    }
    slot?.begin(started)
    return execution
  } catch (error) {
    slot?.giveUp()
    throw error
  }
}

async function acceptWithLocks(parts: CreateParts, call: CreateCall, accepted: Acceptable): Promise<ExecutionState> {
  const { db, clock, queue } = parts
  const { admission, signingSecret } = parts.intake
  const { caller, body, idempotencyKey, chat, batch, fork } = call
  const { workspaceId } = caller
  const { request, tier } = accepted
  const now = clock.now()
  const ownId = ownIdOf(body)
  const id = ownId ?? newId(now)
  const keys = { id: ownId ?? body.id ?? undefined, header: idempotencyKey }
  const sha256 = await bodySha256(accepted.sameAs)
  const fileIds = fileIdsOf(request)
  // Query before the transaction, which must not wait for a second connection.
  const place = await placeOf(admission, { tier, workspaceId })
  const accept = db.transaction(async (tx) => {
    const first = await claimKeys(tx, { ...keys, workspaceId, bodySha256: sha256, executionId: id, now })
    const existing = first === undefined ? undefined : await findExecution(tx, { workspaceId, id: first })
    if (existing) return existing
    if ('refusal' in place) throw place.refusal
    // Check the files only now: an earlier answer under this key stands even when its files are gone. A chat turn runs at once or not at
    // all.
    const uploads = await refuseMissingFiles({ clock, signingSecret, tx }, { call, request, now })
    const isPending = uploads.length > 0
    const come = fileIds.filter((fileId) => !uploads.some((upload) => upload.id === fileId))
    if (isPending) await refuseMorePending(tx, workspaceId)
    const agent =
      accepted.agent ?? (await agentOf({ sql: tx, clock }, { workspaceId, name: body.name ?? null, request }))
    // Independent statements: send them together.
    const [execution] = await Promise.all([
      insertExecution(tx, { ...newExecution(parts, { call, accepted, agent, id, now }), isPending }),
      isPending
        ? awaitUploads({ tx, queue }, { workspaceId, id, uploads, now })
        : queue.add(tx, topicOf[tier], { workspaceId, id, number: 1 }, { ...place, group: workspaceId }),
    ])
    if (!(await holdFiles(tx, { workspaceId, executionId: id, fileIds: come })))
      await refuseUnknownFiles(tx, workspaceId, withoutFiles(request, uploads))
    if (!mayRetain(request))
      await markUnretained(tx, { workspaceId, id, names: [keys.id, keys.header].filter((name) => name !== undefined) })
    await chat?.alongside(tx, execution)
    await batch?.alongside(tx, execution)
    await fork?.alongside(tx, execution)
    return { ...execution, isRetained: mayRetain(request) }
  })
  return accept.catch(refuseTakenId)
}

function holdNoticeOf({ origin, batch }: CreateCall, callbackUrl: string | null): Pick<ExecutionRequest, 'holdNotice'> {
  const noticeUrl = callbackUrl ?? batch?.callbackUrl ?? null
  return noticeUrl === null || origin === undefined ? {} : { holdNotice: { origin, callbackUrl: noticeUrl } }
}

function newExecution(
  { intake: { models } }: CreateParts,
  of: { call: CreateCall; accepted: Acceptable; agent: RunAgent; id: string; now: Date },
): NewExecution {
  const { call, accepted, agent, id, now } = of
  const { caller, body, evaluationId, batch } = call
  const { request, model, modelChosenBy, tier, sessionId, callbackUrl } = accepted
  return {
    id,
    workspaceId: caller.workspaceId,
    keyId: caller.keyId,
    agentId: agent.id,
    name: agent.name,
    clientId: batch?.clientId ?? (ownIdOf(body) === undefined ? (body.id ?? null) : null),
    request: {
      ...request,
      prompt: request.prompt || agent.prompt,
      schema: request.schema ?? agent.schema,
      ...holdNoticeOf(call, callbackUrl),
    },
    model,
    modelChosenBy,
    tier,
    sessionId,
    callbackUrl,
    evaluationId: evaluationId ?? null,
    batchId: batch?.id ?? null,
    fileName: batch?.fileName ?? null,
    forkedFrom: call.fork?.of ?? null,
    warnings: (call.ignored ?? []).map(ignoredWarning),
    answeredBy: models.route(model).fixed?.name ?? null,
    createdAt: now,
  }
}

/** The files that a request names, by id or by a signed URL of this server. */
function namedFilesOf(
  signing: Signing,
  { caller }: Pick<CreateCall, 'caller'>,
  { inputs }: ExecutionRequest,
): readonly { readonly id: string; readonly input: string }[] {
  return inputs.flatMap(({ name, source }) => {
    if (source.kind === 'file') return isId(source.fileId) ? [{ id: source.fileId, input: name }] : []
    const place = source.kind === 'url' ? publicPlaceOf(signing, source.url) : undefined
    return place?.workspaceId === caller.workspaceId ? [{ id: place.id, input: name }] : []
  })
}

/**
 * The uploads that a request waits for. Fault `missing` (`unknown_file`) for a file that neither exists nor is being uploaded; a chat turn
 * waits for no upload.
 */
export async function refuseMissingFiles(
  parts: Signing & { readonly tx: Sql },
  of: { call: Pick<CreateCall, 'caller' | 'chat'>; request: ExecutionRequest; now: Date },
): Promise<readonly AwaitedUpload[]> {
  const uploads = of.call.chat ? [] : await awaitedUploads(parts, of)
  await refuseUnknownFiles(parts.tx, of.call.caller.workspaceId, withoutFiles(of.request, uploads))
  return uploads
}

/** Announced files of a request that are not uploaded yet, each with the first input that names it. */
async function awaitedUploads(
  parts: Signing & { readonly tx: Sql },
  { call, request, now }: { call: Pick<CreateCall, 'caller'>; request: ExecutionRequest; now: Date },
): Promise<readonly AwaitedUpload[]> {
  const named = namedFilesOf(parts, call, request)
  if (named.length === 0) return []
  const { workspaceId } = call.caller
  const uploads = await findPendingUploads(parts.tx, { workspaceId, ids: named.map(({ id }) => id), now })
  return uploads.map((upload) => ({ ...upload, input: named.find(({ id }) => id === upload.id)?.input ?? '' }))
}

const withoutFiles = (
  { inputs }: Pick<ExecutionRequest, 'inputs'>,
  uploads: readonly Pick<AwaitedUpload, 'id'>[],
): Pick<ExecutionRequest, 'inputs'> => ({
  inputs: inputs.filter(({ source }) => source.kind !== 'file' || !uploads.some(({ id }) => id === source.fileId)),
})

/** Fault `limited` when the workspace has its maximum of pending executions. */
async function refuseMorePending(tx: Sql, workspaceId: string): Promise<void> {
  const most = limits.waitingPerWorkspace
  const rows = await tx.query(`select from executions where workspace_id = $1 and status = 'pending' limit $2`, [
    workspaceId,
    most,
  ])
  if (rows.length < most) return
  throw new Fault(
    'limited',
    'workspace_full',
    `This workspace has reached its limit of ${most} executions waiting for uploads; complete or cancel some first`,
  )
}

/** The turn of a new execution, or the reason for refusing it, which matters only if the call is not a repetition of an accepted one. */
const placeOf = (
  admission: Admission,
  of: Parameters<Admission['admit']>[0],
): Promise<{ readonly turn: number } | { readonly refusal: unknown }> =>
  admission.admit(of).then(
    (turn) => ({ turn }),
    (refusal: unknown) => ({ refusal }),
  )

/** Fault `missing` (`unknown_file`), which names the slot of a file that the workspace does not have. */
export async function refuseUnknownFiles(
  db: Sql,
  workspaceId: string,
  request: Pick<ExecutionRequest, 'inputs'>,
): Promise<void> {
  for (const { name, source } of request.inputs) {
    if (source.kind !== 'file') continue
    const file = isId(source.fileId) ? await findFile({ db }, { workspaceId, id: source.fileId }) : undefined
    if (!file)
      throw new Fault(
        'missing',
        'unknown_file',
        `inputs.${name}: this workspace has no file ${JSON.stringify(source.fileId.slice(0, 100))}`,
      )
  }
}
