import { canonicalSha256 } from '@skillrun/core/canonical-json.ts'
import { Fault } from '@skillrun/core/fault.ts'
import { isJsonObject, type JsonObject } from '@skillrun/core/json.ts'
import type { Sql } from '../../adapters/db/db.ts'
import { listArtifactHashes } from '../artifacts/artifacts.ts'
import {
  type Execution,
  hasEnded,
  listSteps,
  recordOf,
  refuseUnretained,
  restsOnImport,
  type Step,
  stepOf,
} from '../executions/executions.ts'
import { listFeedback } from '../feedback/feedback.ts'

/** The type of the payload of a capsule's envelope. */
export const statementMediaType = 'application/vnd.in-toto+json'
export const predicateType = 'urn:skillrun:execution:v1'

/** The newest feedback entries that a capsule covers. */
const feedbackMax = 1_000

/**
 * Builds the statement of a capsule: an in-toto Statement v1 (https://in-toto.io/Statement/v1) over hashes of an ended execution. It holds
 * content only where `contentsOf` its steps is given. Throws Faults `conflict`: `not_ended`, `not_retained`, `imported`, `no_hashes`.
 */
export async function statementOf(
  sql: Sql,
  execution: Execution,
  signedAt: Date,
  contentsOf?: (steps: readonly Step[]) => Promise<JsonObject>,
): Promise<JsonObject> {
  if (!hasEnded(execution.status))
    throw new Fault(
      'conflict',
      'not_ended',
      `The execution is ${execution.status}; a capsule needs one that is completed or failed`,
    )
  refuseUnretained(execution)
  const { workspaceId, id } = execution
  // This server cannot vouch for the work of another server, nor for what rests on it.
  if (execution.importedFrom !== null)
    throw new Fault(
      'conflict',
      'imported',
      'The execution was imported from a capsule, which is its proof; this server did not run it',
    )
  if (await restsOnImport(sql, { workspaceId, id }))
    throw new Fault(
      'conflict',
      'imported',
      'The execution keeps steps or fields of one that was imported from a capsule, so this server did not run all of it. Rerun it without a fork or base_execution to get a capsule',
    )
  const steps = await listSteps(sql, { workspaceId, id })
  const inputs = inputsOf(execution, steps)
  const feedback = await listFeedback(sql, { workspaceId, entity: id, entityType: null, limit: feedbackMax, offset: 0 })
  const record = recordOf(execution)
  const response = { sha256: await canonicalSha256(record.response) }
  return {
    _type: 'https://in-toto.io/Statement/v1',
    subject: [
      { name: `executions/${id}/response`, digest: response },
      ...inputs.map(({ name, sha256 }) => ({ name: `inputs/${name}`, digest: { sha256 } })),
    ],
    predicateType,
    predicate: {
      execution: {
        ...{ id, status: record.status, created_at: record.created_at, completed_at: record.completed_at },
        ...{ model: record.model, answered_by: execution.answeredBy, execution_mode: record.execution_mode },
        ...{ service_tier: record.service_tier, attempts: record.attempts },
        // What it took over from there was not done again; results of tools may be another's words.
        ...{ forked_from: record.forked_from, base_execution: record.base_execution },
      },
      hashes: 'SHA-256; of JSON as canonical JSON (RFC 8785) of what the API shows',
      request: { sha256: await canonicalSha256(execution.request) },
      inputs: inputs.map((one) => ({ ...one })),
      skills: execution.skills.map((skill) => ({ ...skill })),
      program: execution.program && { ...execution.program },
      transcript: {
        steps: steps.length,
        kept_steps: steps.filter(isKept).length,
        sha256: await canonicalSha256(steps.map(stepOf)),
      },
      response,
      record: await hashesOf(record),
      artifacts: await listArtifactHashes(sql, { workspaceId, executionId: id }).then((all) =>
        all.map((one) => ({ ...one })),
      ),
      evidence: { sha256: await canonicalSha256(record.evidence) },
      usage: { sha256: await canonicalSha256(record.usage), cost_dollars: record.usage.cost_dollars },
      review: {
        version: execution.review?.version ?? 0,
        sha256: await canonicalSha256({ review: record.review, reviewed_response: record.reviewed_response }),
      },
      feedback: { count: feedback.length, sha256: await canonicalSha256(feedback.map(feedbackOf)) },
      signed_at: signedAt.toISOString(),
      ...(contentsOf ? { contents: await contentsOf(steps) } : {}),
    },
  }
}

/** The hash of each field of a record, by its name: a check can say which of them differ. */
async function hashesOf(record: ReturnType<typeof recordOf>): Promise<JsonObject> {
  const hashes: Record<string, string> = {}
  for (const [name, value] of Object.entries(record)) hashes[name] = await canonicalSha256(value)
  return hashes
}

/** A step that a fork took over. */
const isKept = ({ attempt }: Step): boolean => attempt === 0

const feedbackOf = (one: Awaited<ReturnType<typeof listFeedback>>[number]): JsonObject => ({
  id: one.id,
  response: one.response,
  notes: one.notes,
  created_at: one.createdAt.toISOString(),
})

interface InputHash {
  readonly name: string
  readonly sha256: string
  readonly bytes: number | null
}

/** Digests of the input bytes that the run read. */
function inputsOf({ request, status }: Execution, steps: readonly Step[]): InputHash[] {
  const read = new Map<string, InputHash>()
  for (const { detail } of steps) {
    if (!isJsonObject(detail)) continue
    const { input, sha256, bytes } = detail
    if (typeof input === 'string' && typeof sha256 === 'string')
      read.set(input, { name: input, sha256, bytes: typeof bytes === 'number' ? bytes : null })
  }
  const missing = request.inputs.find(({ name, source }) => source.kind !== 'text' && !read.has(name))
  // An execution that failed early read nothing.
  if (missing && status === 'completed')
    throw new Fault(
      'conflict',
      'no_hashes',
      `The transcript has no SHA-256 of the input ${missing.name}: an earlier version of the server ran this execution. Run it again to get a capsule`,
    )
  return [...read.values()]
}
