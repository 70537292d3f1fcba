import { createHash } from 'node:crypto'
import type { Clock } from '@skillrun/core/clock.ts'
import { type Envelope, envelopeText, type Opened, refuseSignedOutside, verifyEnvelope } from '@skillrun/core/dsse.ts'
import { Fault } from '@skillrun/core/fault.ts'
import { isId, newId } from '@skillrun/core/ids.ts'
import { isJsonObject, type Json } from '@skillrun/core/json.ts'
import type { z } from 'zod'
import type { Blobs } from '../../adapters/blobs/blobs.ts'
import type { Db } from '../../adapters/db/db.ts'
import { parseJson } from '../../adapters/http/body.ts'
import type { Caller } from '../../adapters/http/route.ts'
import { parsePart, ValidationFailure } from '../../adapters/http/validation.ts'
import { importArtifacts } from '../artifacts/artifacts.ts'
import {
  claimKeys,
  type ExecutionRequest,
  type ExecutionState,
  executeRequest,
  findExecution,
  findFirst,
  hasEnded,
  type Intake,
  insertImported,
  mayRetain,
  readRequest,
} from '../executions/executions.ts'
import { storeBytes } from '../files/files.ts'
import { bodySha256 } from '../idempotency/idempotency.ts'
import { type CapsuleContents, capsuleContents } from './contents.ts'
import { publishedKeys } from './signing-keys.ts'
import { predicateType, statementMediaType } from './statement.ts'

export interface ImportParts {
  readonly db: Db
  /** Reads the keys, which belong to no workspace. */
  readonly everywhere: Db
  readonly clock: Clock
  readonly queue: Parameters<typeof readRequest>[0]['queue']
  readonly intake: Intake
  readonly blobs: Blobs
  readonly storageBytesMax: number | undefined
}

export interface ImportCall {
  readonly caller: Caller
  readonly envelope: Envelope
  readonly idempotencyKey: string | undefined
  readonly signal: AbortSignal
}

/**
 * Stores the execution of a capsule with contents as a new one of the caller's workspace, ended and at no cost. Throws Faults `conflict`
 * (`bad_capsule`, `revoked_capsule_key`, `capsule_key_not_valid`, `no_contents`), and those of storing its files.
 */
export async function importCapsule(parts: ImportParts, call: ImportCall): Promise<ExecutionState> {
  const { caller, envelope, idempotencyKey: header, signal } = call
  const { workspaceId, keyId } = caller
  const { payload, isTrusted } = await open(parts.everywhere, envelope)
  const sha256 = await bodySha256({ capsule: createHash('sha256').update(payload).digest('hex') })
  const keys = { workspaceId, id: undefined, header, bodySha256: sha256 }
  const first = await findFirst(parts.db, { ...keys, refusesOthers: true })
  const existing = first === undefined ? undefined : await findExecution(parts.db, { workspaceId, id: first })
  if (existing) return existing
  const { importedFrom, contents } = await contentsIn(payload)
  const { request: asked, outcome } = contents
  // Verify everything possible before storing anything.
  const body = parsePart(executeRequest, asked, 'body')
  const read = await readRequest(parts, { caller, body, signal })
  if (!mayRetain(read)) throw bad('its request says that it is not to be retained')
  const held = contents.files.map((file) => file.sha256)
  const missing = read.inputs.find(({ source }) => source.kind === 'file' && !held.includes(source.fileId))
  if (missing) throw bad(`it does not hold the file of the input ${missing.name}`)
  for (const file of contents.files) {
    const bytes = Buffer.from(file.data, 'base64')
    if (createHash('sha256').update(bytes).digest('hex') !== file.sha256)
      throw bad(`the bytes of the file ${JSON.stringify(file.filename)} do not have the hash ${file.sha256}`)
  }
  const files = new Map<string, string>()
  for (const { filename, data, sha256 } of contents.files) {
    const bytes = Buffer.from(data, 'base64')
    const stored = await storeBytes(parts, { workspaceId, keyId, filename, bytes, signal })
    files.set(sha256, stored.id)
  }
  const request: ExecutionRequest = {
    ...read,
    inputs: read.inputs.map((input) => {
      const fileId = input.source.kind === 'file' ? files.get(input.source.fileId) : undefined
      return fileId === undefined ? input : { ...input, source: { kind: 'file', fileId } }
    }),
  }
  const now = parts.clock.now()
  const id = newId(now)
  return parts.db.transaction(async (tx) => {
    const first = await claimKeys(tx, { ...keys, executionId: id, now })
    const existing = first === undefined ? undefined : await findExecution(tx, { workspaceId, id: first })
    if (existing) return existing
    const imported = await insertImported(tx, {
      execution: {
        ...{ id, workspaceId, keyId, request, createdAt: now, name: contents.name, tier: contents.tier },
        ...{ agentId: null, clientId: null, sessionId: null, callbackUrl: null, evaluationId: null },
        ...{ model: body.model ?? 'unknown', modelChosenBy: 'request', answeredBy: outcome.answeredBy },
      },
      outcome,
      steps: contents.steps.map((step) => ({
        ...{ seq: step.seq, kind: step.kind, name: step.name, detail: step.detail, result: step.result },
        ...{ costMicros: step.cost_micros, startedAt: new Date(step.started_at), endedAt: new Date(step.ended_at) },
      })),
      importedFrom,
      isTrusted,
    })
    await importArtifacts(
      tx,
      { workspaceId, executionId: id, bytesMax: parts.storageBytesMax, now },
      contents.artifacts.map(({ content_type: contentType, data, ...one }) => ({
        ...{ ...one, contentType, content: Buffer.from(data, 'base64') },
      })),
    )
    return imported
  })
}

const bad = (why: string): Fault => new Fault('conflict', 'bad_capsule', `The capsule is not valid: ${why}`)

/** Verifies the signature and returns the payload. Uses a key of this server, or else the enclosed key, which proves only integrity. */
async function open(
  everywhere: Db,
  envelope: Envelope,
): Promise<Pick<Opened, 'payload'> & { readonly isTrusted: boolean }> {
  const bytes = Buffer.from(envelopeText(envelope))
  const keys = await publishedKeys(everywhere)
  const [{ keyid }] = envelope.signatures
  if (keys.some(({ kid }) => kid === keyid)) {
    const { payload, key } = verifyEnvelope(bytes, statementMediaType, keys)
    refuseSignedOutside(signedAtIn(await parsed(payload)), key)
    return { payload, isTrusted: true }
  }
  const statement = await parsed(Buffer.from(envelope.payload, 'base64'))
  const contents = member(member(statement, 'predicate'), 'contents')
  const { success, data } = capsuleContents.pick({ key: true }).safeParse(contents)
  if (!success) throw noContents()
  const own = { ...data.key, alg: 'EdDSA', use: 'sig', kid: keyid, valid_from: '', valid_until: null } as const
  const { payload } = verifyEnvelope(bytes, statementMediaType, [{ ...own, revoked_at: null }])
  return { payload, isTrusted: false }
}

const member = (value: Json | undefined, name: string): Json | undefined =>
  isJsonObject(value) ? value[name] : undefined

const signedAtIn = (statement: Json): string => String(member(member(statement, 'predicate'), 'signed_at'))

async function parsed(payload: Buffer): Promise<Json> {
  try {
    return (await parseJson(payload)) as Json
  } catch (error) {
    if (error instanceof ValidationFailure)
      throw bad(`its payload is not JSON that this server accepts: ${error.message}`)
    throw error
  }
}

const noContents = (): Fault =>
  new Fault('conflict', 'no_contents', 'The capsule has no contents; export it with ?contents=true')

async function contentsIn(payload: Buffer): Promise<{ importedFrom: string; contents: CapsuleContents }> {
  const statement = await parsed(payload)
  const predicate = member(statement, 'predicate')
  if (member(statement, 'predicateType') !== predicateType) throw bad(`it is no statement of type ${predicateType}`)
  const given = member(predicate, 'contents')
  if (given === undefined) throw noContents()
  const importedFrom = member(member(predicate, 'execution'), 'id')
  if (typeof importedFrom !== 'string' || !isId(importedFrom)) throw bad('it names no execution')
  const { success, data, error } = capsuleContents.safeParse(given)
  if (!success) throw bad(`its contents have an unexpected form at ${placesOf(error)}`)
  if (!hasEnded(data.outcome.status)) throw bad('its execution has not ended')
  const isAscending = data.steps.every(({ seq }, index) => seq > (data.steps[index - 1]?.seq ?? 0))
  if (!isAscending) throw bad('the numbers of its steps do not ascend')
  return { importedFrom, contents: data }
}

const placesOf = ({ issues }: z.ZodError): string =>
  issues
    .slice(0, 5)
    .map(({ path }) => `/${path.map(String).join('/')}`)
    .join(', ')
