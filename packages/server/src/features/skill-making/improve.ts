import { Fault } from '@skillrun/core/fault.ts'
import type { Json, JsonObject } from '@skillrun/core/json.ts'
import type { Blobs } from '../../adapters/blobs/blobs.ts'
import { ValidationFailure } from '../../adapters/http/validation.ts'
import { ofShare, type ProcessPool } from '../../adapters/process-pool/process-pool.ts'
import { limits } from '../../core/limits.ts'
import { loadSession } from '../chat/chat.ts'
import { type CreateParts as ExecuteParts, executeOnBehalf, findAsked } from '../executions/executions.ts'
import { keepBlob, releaseStorage, takeStorage } from '../files/files.ts'
import {
  bundleTerms,
  type CheckedBundle,
  checkBundleJob,
  replaceBundle,
  type SkillVersion,
  versionString,
} from '../skills/skills.ts'
import { type Asked, evalsOf } from './distil.ts'
import { askedIn, namedExamples } from './session-turns.ts'
import { examplesIn, withWritten } from './write-instructions.ts'

/** What a proof of a chat turn runs and expects in place of the execution's own request and answer. Plain data. */
export type ProofExample = {
  readonly id: string
  /** Null: as requested. */
  readonly inputs: JsonObject | null
  /** Parsed if the text is JSON. */
  readonly response: Json
}

/** A chat turn as a proof runs it. */
export const exampleOf = ({ id, turn, inputs, response }: Asked): ProofExample => ({
  id,
  inputs: turn === 'spoken' ? inputs : null,
  response,
})

export interface ImproveParts extends ExecuteParts {
  readonly blobs: Blobs
  readonly processPool: ProcessPool
  readonly storageBytesMax?: number
}

/**
 * One step of having a model write the instructions of a skill: starts the run, checks it, or replaces the draft with its result. Returns
 * the changes to the job for the next step. Whatever goes wrong, the draft stays.
 */
export async function improve(
  parts: ImproveParts,
  of: { version: SkillVersion; data: JsonObject; signal: AbortSignal },
): Promise<JsonObject> {
  const { version, data, signal } = of
  const done = { writing: null, looks: 0 }
  try {
    if (data['writingId'] !== null) return (await taken(parts, of)) ?? done
    return { writingId: await asked(parts, { version, data, signal }), looks: 1 }
  } catch (error) {
    if (error instanceof ValidationFailure || (error instanceof Fault && !error.retryable)) return done
    throw error
  }
}

/** The model's text, applied; undefined: it wrote nothing useful. */
async function taken(
  parts: ImproveParts,
  { version, data, signal }: { version: SkillVersion; data: JsonObject; signal: AbortSignal },
): Promise<JsonObject | undefined> {
  const { workspaceId } = version
  const run = await findAsked(parts.db, { workspaceId, id: String(data['writingId']) })
  const isOver = !run || run.status === 'completed' || run.status === 'failed' || run.status === 'paused'
  if (!isOver) return { looks: Number(data['looks']) + 1 }
  if (run?.status !== 'completed') return undefined
  const { response } = run
  const examples = await examplesOf(parts, { version, data, response })
  const written = await parts.blobs.localPath(version.zipSha256, (path) =>
    withWritten(ofWorkspace(parts, workspaceId), {
      path,
      response,
      // A public skill must not contain inputs and answers of the workspace.
      evals: version.isPublic ? null : evalsOf(examples),
      describes: data['describes'] === true,
      signal,
    }),
  )
  const draftExample = data['example'] as ProofExample | null
  const last = examples.at(-1)
  const example = last ? exampleOf(last) : draftExample
  if (!written || !(await putInto(parts, { version, bundle: written, example, signal }))) return undefined
  return { writing: null, looks: 0, draft: version.zipSha256.toString('hex'), example, draftExample }
}

/** The examples that a model named, from the session as it was when the skill was requested. */
async function examplesOf(
  { db }: ImproveParts,
  { version, data, response }: { version: SkillVersion; data: JsonObject; response: Json },
): Promise<readonly Asked[]> {
  const turns = (data['turns'] ?? []) as readonly string[]
  const named = examplesIn(response, turns)
  if (named.length === 0 || version.sessionId === null) return []
  const history = await loadSession(db, { workspaceId: version.workspaceId, sessionId: version.sessionId })
  return namedExamples(history, askedIn(history), named).filter(
    // Prose is not an answer of a skill that answers in JSON.
    (one) => version.facts.schema === null || typeof one.response !== 'string',
  )
}

/** Restores the draft in place of the model's text, to be proved again. False: it is already there. */
export async function backToDraft(
  parts: ImproveParts,
  {
    version,
    draft,
    ...of
  }: { version: SkillVersion; draft: string; example: ProofExample | null; signal: AbortSignal },
): Promise<boolean> {
  const { signal } = of
  const sha256 = Buffer.from(draft, 'hex')
  if (version.zipSha256.equals(sha256)) return false
  const { processPool } = ofWorkspace(parts, version.workspaceId)
  const bundle = await parts.blobs.localPath(sha256, (path) =>
    processPool.run(checkBundleJob, { path }, { ...bundleTerms, signal }),
  )
  return putInto(parts, { version, bundle, ...of })
}

const ofWorkspace = ({ processPool }: ImproveParts, workspaceId: string) => ({
  processPool: ofShare(processPool, { group: workspaceId, rank: 2 }),
})

/** The run that asks the model. */
const asked = (
  parts: ImproveParts,
  { version, data, signal }: { version: SkillVersion; data: JsonObject; signal: AbortSignal },
): Promise<string> =>
  executeOnBehalf(parts, {
    workspaceId: version.workspaceId,
    keyId: String(data['keyId']),
    body: data['writing'] as JsonObject,
    onceAs: `skill ${version.id} written`,
    signal,
  })

/** Sets the bundle of a version and resets its proof. False: the version is gone or has ended, or the quota is full. */
async function putInto(
  { db, clock, blobs, storageBytesMax: bytesMax = limits.storageBytesPerWorkspaceMax }: ImproveParts,
  of: { version: SkillVersion; bundle: CheckedBundle; example: ProofExample | null; signal: AbortSignal },
): Promise<boolean> {
  const { version, bundle, example, signal } = of
  const { workspaceId, id, proof } = version
  const { facts, zip } = bundle
  const blob = await blobs.put(once(zip), { bytesMax: zip.length, signal })
  const now = clock.now()
  const changed = {
    skillVersion: versionString(version.createdAt, facts.sha256),
    description: facts.description,
    sha256: facts.sha256,
    zipSha256: blob.sha256,
    zipBytes: blob.bytes,
    facts,
    proof: proof && {
      original_id: example?.id ?? proof.original_id,
      execution_id: null,
      agreement: null,
      disagreements: [],
    },
  }
  return db.transaction(async (tx) => {
    await keepBlob({ tx, blobs }, blob.sha256)
    const replaced = await replaceBundle(tx, { workspaceId, id, now }, changed)
    if (replaced) {
      await releaseStorage(tx, { workspaceId, bytes: version.zipBytes })
      await takeStorage(tx, { workspaceId, bytes: blob.bytes, bytesMax, now })
    }
    return replaced
  })
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes
}
