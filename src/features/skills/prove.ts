import { agreementOf, compareAnswersJob } from '../../agent/compare-answers.ts'
import { Fault } from '../../kit/fault.ts'
import type { Json, JsonObject } from '../../kit/json.ts'
import { limits } from '../../kit/limits.ts'
import type { Blobs } from '../../seams/blobs/blobs.ts'
import { ValidationFailure } from '../../seams/http/validation.ts'
import type { Job } from '../../seams/queue/queue.ts'
import {
  type CreateParts as ExecuteParts,
  executeOnBehalf,
  findAsked,
  listOutcomes,
  type Outcome,
} from '../executions/executions.ts'
import type { Proof, SkillVersion } from './skill.ts'
import { completeVersion, hasLatest, holdName, moveVersion, selectVersion, writeProof } from './store.ts'

/** The queue's topic of skills that are to be proved. */
export const proveTopic = 'skill.prove'

export interface ProveParts extends ExecuteParts {
  readonly blobs: Blobs
}

/**
 * The share of leaves in which the answer with the skill is the session's own: of an answer in a schema's form. Prose is
 * never twice the same, so that of it nothing is asked but that it is there.
 */
const agreementMin = 0.8
/** Pauses between two looks at a run that has not ended, in milliseconds, each twice the one before. */
const firstLookMs = 200
const longestLookMs = 10_000
const disagreementsShown = 20

/**
 * Proves a skill that was made from a session: runs the session's last execution again with the skill and nothing else, through
 * the queue like any other, and compares the answers. The first job begins the run, later ones look at it; a job that comes again
 * after a crash begins no second run.
 */
export async function proveSkill(parts: ProveParts, job: Job, signal: AbortSignal): Promise<void> {
  const place = { workspaceId: String(job.data['workspaceId']), id: String(job.data['id']) }
  const version = await selectVersion(parts.db, place)
  if (!version || version.status === 'completed' || version.status === 'failed' || !version.proof) return
  try {
    const { execution_id } = version.proof
    if (execution_id === null) await begin(parts, { version, keyId: String(job.data['keyId']), signal })
    else if (await judge(parts, { version, executionId: execution_id, signal })) return
    await lookAgain(parts, job)
  } catch (error) {
    if (signal.aborted) throw error
    await fail(parts, version, reasonOf(error))
  }
}

/** What will not be otherwise next time; all else is thrown on, to be tried again. */
function reasonOf(error: unknown): { code: string; message: string } {
  if (error instanceof ValidationFailure)
    return {
      code: 'proof_refused',
      message: `The session's last execution cannot be run again: ${error.details[0]?.msg}`,
    }
  if (!(error instanceof Fault) || error.retryable) throw error
  return { code: error.code, message: `The session's last execution cannot be run again: ${error.message}` }
}

async function begin(
  parts: ProveParts,
  { version, keyId, signal }: { version: SkillVersion; keyId: string; signal: AbortSignal },
): Promise<void> {
  const { workspaceId, id, proof } = version
  const asked = await findAsked(parts.db, { workspaceId, id: proof?.original_id ?? '' })
  if (!asked) throw new Fault('missing', 'unknown_execution', 'it was deleted')
  const executionId = await executeOnBehalf(parts, {
    workspaceId,
    keyId,
    body: await bodyOf(parts, version, asked),
    onceAs: `skill ${id}`,
    signal,
  })
  const of = { workspaceId, id, now: parts.clock.now() }
  await moveVersion(parts.db, of, { status: 'running', proof: { ...(proof as Proof), execution_id: executionId } })
}

/** The same inputs and options; instructions and schema come from the skill alone. Readings are made anew. */
async function bodyOf(
  { blobs }: ProveParts,
  version: SkillVersion,
  asked: { inputs: JsonObject; config: JsonObject; model: string },
): Promise<JsonObject> {
  const { prompt: _prompt, json_schema: _schema, execution_mode: _mode, skills: _skills, ...config } = asked.config
  const data = Buffer.concat(await (await blobs.open(version.zipSha256)).toArray()).toString('base64')
  const source = { type: 'base64', media_type: 'application/zip', data }
  return {
    model: asked.model,
    inputs: asked.inputs,
    config: { ...config, caching: false, skills: [{ type: 'inline', name: version.name, source }] },
  }
}

/** Looks at the run; true when the skill has come to its end. */
async function judge(
  parts: ProveParts,
  of: { version: SkillVersion; executionId: string; signal: AbortSignal },
): Promise<boolean> {
  const { version, executionId } = of
  const { workspaceId } = version
  const [outcome] = await listOutcomes(parts.db, { workspaceId, ids: [executionId] })
  if (outcome && !outcome.ended && outcome.status !== 'paused') return false
  const original = await findAsked(parts.db, { workspaceId, id: version.proof?.original_id ?? '' })
  if (outcome?.status !== 'completed' || !original) {
    await fail(parts, version, {
      code: 'proof_failed',
      message: `The session's last execution was run again with the skill and ${endOf(outcome)}`,
    })
    return true
  }
  const proof = await compared(parts, { ...of, expected: original.response, actual: outcome.response })
  await writeProof(parts.db, version, proof)
  const why = refusal(version, proof, outcome.response)
  if (why === undefined) await complete(parts, version)
  else await fail(parts, version, { code: 'proof_differs', message: why })
  return true
}

const endOf = (outcome: Outcome | undefined): string => {
  if (!outcome) return 'is gone'
  return outcome.status === 'paused' ? 'paused at its cost limit' : `failed: ${outcome.error ?? 'unknown'}`
}

async function compared(
  { workshop }: ProveParts,
  of: { version: SkillVersion; executionId: string; expected: Json; actual: Json; signal: AbortSignal },
): Promise<Proof> {
  const terms = { wallMs: limits.extractWallMs, memoryMb: limits.extractMemoryMb, signal: of.signal }
  const [comparison] = await workshop.run(compareAnswersJob, { pairs: [[of.expected, of.actual]] }, terms)
  const fields = comparison?.fields ?? []
  const disagreements = fields.filter((field) => !field.agrees).map((field) => field.pointer)
  return {
    original_id: of.version.proof?.original_id ?? '',
    execution_id: of.executionId,
    agreement: comparison ? agreementOf(comparison) : 1,
    disagreements: disagreements.slice(0, disagreementsShown),
  }
}

/** Why an answer does not prove the skill, or undefined. */
function refusal({ facts }: SkillVersion, { agreement, disagreements }: Proof, response: Json): string | undefined {
  if (facts.schema === null)
    return response === null || response === '' ? 'The run with the skill answered nothing' : undefined
  if ((agreement ?? 0) >= agreementMin) return undefined
  const places = disagreements.slice(0, 5).map((pointer) => pointer || 'the answer')
  const share = Math.round((agreement ?? 0) * 100)
  return `The run with the skill agrees with the session in ${share} % of the fields, which should be ${agreementMin * 100} %; it differs at ${places.join(', ')}`
}

async function complete({ db, clock }: ProveParts, version: SkillVersion): Promise<void> {
  const of = { workspaceId: version.workspaceId, id: version.id, name: version.name, now: clock.now() }
  await db.transaction(async (tx) => {
    await holdName(tx, of)
    const isHeld = version.facts.publishGate !== null && (await hasLatest(tx, of))
    await completeVersion(tx, { ...of, isHeld })
  })
}

async function fail(
  { db, clock }: ProveParts,
  { workspaceId, id }: SkillVersion,
  error: { code: string; message: string },
): Promise<void> {
  await moveVersion(db, { workspaceId, id, now: clock.now() }, { status: 'failed', error })
}

async function lookAgain({ db, queue }: ProveParts, job: Job): Promise<void> {
  const looks = Number(job.data['looks'])
  const delayMs = Math.min(longestLookMs, firstLookMs * 2 ** looks)
  await db.transaction(async (tx) => {
    await queue.add(tx, proveTopic, { ...job.data, looks: looks + 1 }, { delayMs })
    await job.completeIn(tx)
  })
}
