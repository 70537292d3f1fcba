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

/** What a proof runs and expects where it is not as an execution has it: of a turn of a chat. Plain data. */
export type ProofExample = {
  readonly id: string
  /** Null: as it was asked. */
  readonly inputs: JsonObject | null
  /** A text that is JSON, read. */
  readonly response: Json
}

/** A turn of a chat as a proof runs it. */
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
 * A step of having a model write the instructions of a skill: the run that asks it, a look at that run, and what it wrote put
 * in the place of the draft. Gives what of the job is otherwise the next time. Whatever goes wrong, the draft stands.
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

/** What a model wrote, taken over; undefined: it wrote nothing of use. */
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
      // A public skill carries no inputs and answers of the workspace.
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

/** The examples that a model named, out of the session as it was when the skill was asked for. */
async function examplesOf(
  { db }: ImproveParts,
  { version, data, response }: { version: SkillVersion; data: JsonObject; response: Json },
): Promise<readonly Asked[]> {
  const turns = (data['turns'] ?? []) as readonly string[]
  const named = examplesIn(response, turns)
  if (named.length === 0 || version.sessionId === null) return []
  const history = await loadSession(db, { workspaceId: version.workspaceId, sessionId: version.sessionId })
  return namedExamples(history, askedIn(history), named).filter(
    // Prose is no answer of a skill that answers in JSON.
    (one) => version.facts.schema === null || typeof one.response !== 'string',
  )
}

/** Puts the draft back in the place of what a model wrote, to be proved anew. False: it stands there already. */
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

/** Makes a bundle the version's own, with nothing proved yet. False: the version is gone or has ended, or there is no room. */
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
