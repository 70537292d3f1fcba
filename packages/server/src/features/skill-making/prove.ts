import { Fault } from '@skillrun/core/fault.ts'
import type { Json, JsonObject } from '@skillrun/core/json.ts'
import { ValidationFailure } from '../../adapters/http/validation.ts'
import type { Job } from '../../adapters/queue/queue.ts'
import { agreementOf, comparePairs } from '../../agent/compare-answers.ts'
import { executeOnBehalf, findAsked, listOutcomes, type Outcome } from '../executions/executions.ts'
import { dropUnusedBlob } from '../files/files.ts'
import {
  completeVersion,
  latestGate,
  lockName,
  moveVersion,
  type Proof,
  type SkillVersion,
  selectVersion,
  waitsAtGate,
  writeProof,
} from '../skills/skills.ts'
import { backToDraft, type ImproveParts, improve, type ProofExample } from './improve.ts'

/** The queue's topic of skills to prove. */
export const proveTopic = 'skill.prove'

export type ProveParts = ImproveParts

/** An answer in the schema's form with a smaller share of equal leaves gets a warning that it differs from the session's. */
const agreementMin = 0.8
/** Pauses between checks of a run, in milliseconds, each twice the previous one. */
const firstLookMs = 200
const longestLookMs = 10_000
const disagreementsShown = 20
/** A job that fails with an internal error more often than this fails its skill. */
const mistakesMax = 3

/**
 * Payload of the first job of a proof. `writing` is the request to a model that writes the instructions; null: they are final. `turns`: the
 * turns that it may name as examples, by number. `example`: what to run in place of the session's last execution.
 */
export const firstProofJob = (of: {
  workspaceId: string
  id: string
  keyId: string
  writing: JsonObject | null
  turns: readonly string[]
  example: ProofExample | null
  describes: boolean
}): JsonObject => ({ ...of, writingId: null, draft: null, draftExample: null, looks: 0 })

/**
 * Proves a skill made from a session: runs the session's last execution again with only this skill, through the queue, and compares the
 * answers. A language model, if there is one, writes the instructions first; if they lead to another answer, the rule-made draft is tried
 * instead. Each job does one step or checks one; a repeated job after a crash starts nothing twice.
 */
export async function proveSkill(parts: ProveParts, job: Job, signal: AbortSignal): Promise<void> {
  const place = { workspaceId: String(job.data['workspaceId']), id: String(job.data['id']) }
  const version = await selectVersion(parts.db, place)
  if (!version || version.status === 'completed' || version.status === 'failed' || !version.proof) return
  try {
    const next = await step(parts, { version, proof: version.proof, job, signal })
    if (next) await goOn(parts, job, next)
    else await dropDraft(parts, job)
  } catch (error) {
    if (signal.aborted) throw error
    await fail(parts, version, reasonOf(error, job))
    await dropDraft(parts, job)
  }
}

interface At {
  readonly version: SkillVersion
  readonly proof: Proof
  readonly job: Job
  readonly signal: AbortSignal
}

/** The changes to the job for its next run; undefined when the skill is done. */
async function step(parts: ProveParts, at: At): Promise<JsonObject | undefined> {
  const { version, proof, job, signal } = at
  if (job.data['writing'] !== null) return improve(parts, { version, data: job.data, signal })
  if (proof.execution_id === null) {
    await begin(parts, at)
    return { looks: 0 }
  }
  const example = exampleIn(job)
  const verdict = await judge(parts, { version, executionId: proof.execution_id, example, signal })
  if (verdict === 'running') return { looks: Number(job.data['looks']) + 1 }
  if (verdict !== 'agrees') {
    const draft = job.data['draft']
    const draftExample = (job.data['draftExample'] ?? null) as ProofExample | null
    if (typeof draft === 'string' && (await backToDraft(parts, { version, draft, example: draftExample, signal })))
      return { looks: 0, example: draftExample }
  }
  // A valid answer that differs only gets a warning: the author may prefer the new answer.
  if (typeof verdict === 'string') await complete(parts, version)
  else await fail(parts, version, verdict)
  return undefined
}

/** Jobs of an older server have none. */
const exampleIn = ({ data }: Job): ProofExample | null => (data['example'] ?? null) as ProofExample | null

/** Permanent errors; all others are rethrown for a retry, including internal errors. */
function reasonOf(error: unknown, { retries }: Job): Refusal {
  const why = "The session's last execution cannot be run again"
  if (error instanceof ValidationFailure) return { code: 'proof_refused', message: `${why}: ${error.details[0]?.msg}` }
  if (!(error instanceof Fault) && retries >= mistakesMax)
    return { code: 'internal', message: 'An internal error occurred; see the server log' }
  if (!(error instanceof Fault) || error.retryable) throw error
  return { code: error.code, message: `${why}: ${error.message}` }
}

async function begin(parts: ProveParts, { version, proof, job, signal }: At): Promise<void> {
  const { workspaceId, id } = version
  const asked = await findAsked(parts.db, { workspaceId, id: proof.original_id })
  if (!asked) throw new Fault('missing', 'unknown_execution', 'it was deleted')
  const executionId = await executeOnBehalf(parts, {
    workspaceId,
    keyId: String(job.data['keyId']),
    body: await bodyOf(parts, version, { ...asked, inputs: exampleIn(job)?.inputs ?? asked.inputs }),
    onceAs: `skill ${id} ${version.sha256}`,
    signal,
  })
  const of = { workspaceId, id, now: parts.clock.now() }
  await moveVersion(parts.db, of, { status: 'running', proof: { ...proof, execution_id: executionId } })
}

/** The same inputs and options; instructions and schema come from the skill alone. Documents are parsed again. */
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

type Refusal = { readonly code: string; readonly message: string }

/** The state of the proof's run: still running, agrees with the session, differs from it, or gave no valid answer. */
async function judge(
  parts: ProveParts,
  of: { version: SkillVersion; executionId: string; example: ProofExample | null; signal: AbortSignal },
): Promise<'running' | 'agrees' | 'differs' | Refusal> {
  const { version, executionId } = of
  const { workspaceId } = version
  const [outcome] = await listOutcomes(parts.db, { workspaceId, ids: [executionId] })
  if (outcome && !outcome.ended && outcome.status !== 'paused') return 'running'
  const original = await findAsked(parts.db, { workspaceId, id: version.proof?.original_id ?? '' })
  const again = "The session's last execution was run again with the skill and"
  if (outcome?.status !== 'completed' || !original)
    return { code: 'proof_failed', message: `${again} ${endOf(outcome)}` }
  const expected = typeof original.response === 'string' && of.example ? of.example.response : original.response
  const compared = await compare(parts, { ...of, expected, actual: outcome.response })
  const warning = differenceOf(version, compared)
  await writeProof(parts.db, version, warning === undefined ? compared : { ...compared, warning })
  if (outcome.response === null || outcome.response === '')
    return { code: 'proof_failed', message: `${again} gave no answer` }
  return warning === undefined ? 'agrees' : 'differs'
}

const endOf = (outcome: Outcome | undefined): string => {
  if (!outcome) return 'is gone'
  return outcome.status === 'paused' ? 'paused at its cost limit' : `failed: ${outcome.error ?? 'unknown'}`
}

async function compare(
  { processPool }: ProveParts,
  of: { version: SkillVersion; executionId: string; expected: Json; actual: Json; signal: AbortSignal },
): Promise<Proof> {
  const how = { tooLarge: 'disagree', signal: of.signal } as const
  const [comparison] = await comparePairs(processPool, [[of.expected, of.actual]], how)
  const fields = comparison?.fields ?? []
  const disagreements = fields.filter((field) => !field.agrees).map((field) => field.pointer)
  return {
    original_id: of.version.proof?.original_id ?? '',
    execution_id: of.executionId,
    agreement: agreementOf(fields),
    disagreements: disagreements.slice(0, disagreementsShown),
  }
}

/** How the proof's answer differs from the session's, if by more than allowed. Prose never repeats exactly. */
function differenceOf({ facts }: SkillVersion, { agreement, disagreements }: Proof): string | undefined {
  if (facts.schema === null || (agreement ?? 0) >= agreementMin) return undefined
  const places = disagreements.slice(0, 5).map((pointer) => pointer || 'the answer')
  const share = Math.round((agreement ?? 0) * 100)
  return `The run with the skill agrees with the session in ${share} % of the fields and differs at ${places.join(', ')}. Compare the two executions before you use the skill`
}

async function complete({ db, clock }: ProveParts, version: SkillVersion): Promise<void> {
  const of = { workspaceId: version.workspaceId, id: version.id, name: version.name, now: clock.now() }
  await db.transaction(async (tx) => {
    await lockName(tx, of)
    const isHeld = waitsAtGate(version.facts.publishGate, await latestGate(tx, of))
    await completeVersion(tx, { ...of, isHeld })
  })
}

async function fail({ db, clock }: ProveParts, { workspaceId, id }: SkillVersion, error: Refusal): Promise<void> {
  await moveVersion(db, { workspaceId, id, now: clock.now() }, { status: 'failed', error })
}

/** The draft is kept in case the model's text fails its proof. */
async function dropDraft(parts: ProveParts, { data }: Job): Promise<void> {
  const { draft } = data
  if (typeof draft === 'string') await dropUnusedBlob(parts, Buffer.from(draft, 'hex'))
}

/** Replaces this job by the next one. */
async function goOn({ db, queue }: ProveParts, job: Job, next: JsonObject): Promise<void> {
  const looks = Number(next['looks'])
  const delayMs = looks === 0 ? 0 : Math.min(longestLookMs, firstLookMs * 2 ** (looks - 1))
  await db.transaction(async (tx) => {
    await queue.add(tx, proveTopic, { ...job.data, ...next }, { delayMs })
    await job.completeIn(tx)
  })
}
