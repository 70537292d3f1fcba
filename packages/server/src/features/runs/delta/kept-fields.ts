import { isJsonObject, type Json, type JsonSchema } from '@skillrun/core/json.ts'
import type { EvidenceMap } from '@skillrun/reader/evidence/evidence.ts'
import { z } from 'zod'
import { compareVersionsJob } from '../../../agent/delta/compare-versions.ts'
import { sameFields } from '../../../agent/delta/same-fields.ts'
import { checkAnswer } from '../../../agent/judge-answer.ts'
import { fieldHolding, onlyFields, separateFields, withoutFields } from '../../../agent/programs/separate-fields.ts'
import { limits } from '../../../core/limits.ts'
import {
  anyJson,
  type Execution,
  findOriginal,
  isToolCall,
  listSteps,
  resultOf,
  withSkills,
} from '../../executions/executions.ts'
import type { EngineParts } from '../parts.ts'
import { type ParsedInput, packedOf, readInputs } from '../reading/read-inputs.ts'
import { reservePrice } from '../reserve-price.ts'
import type { Run } from '../run-state.ts'
import { beginStep, record, recordedBy } from '../transcript.ts'
import { earlierDocument, readHashOf, readSteps } from './earlier-document.ts'

/** The step that compares a request with its base. */
const compareStep = 'delta.compare'

const keptForm = z.looseObject({
  kept: z.array(z.string()),
  asked: z.array(z.looseObject({ field: z.string(), because: z.string() })),
  /** The part of the earlier answer that is kept. */
  answer: anyJson,
  /** The evidence of kept fields that is known; that of the others is looked for. Absent in older steps. */
  evidence: z.custom<EvidenceMap>(isJsonObject).default({}),
  /** Whether the answer of an engine that reads whole documents for nothing is asked for whole, as a full run does. */
  isWhole: z.boolean(),
  pages: z.looseObject({ before: z.number(), now: z.number(), changed: z.number() }).nullable(),
})

/** What an execution keeps of the answer of its base, and what it must ask; both are fields of its schema. */
export type KeptFields = z.infer<typeof keptForm>

/**
 * Compares a request with its base, once: the step in the transcript holds what is kept, so that neither a run that continues after a crash
 * nor a replay needs the base. Undefined: the request has no base. `parsedInputs`: those of the run, if they are at hand and no model is asked before
 * they are needed.
 */
export async function keptOfBase(
  parts: EngineParts,
  run: Run,
): Promise<{ reuse: KeptFields; parsedInputs?: readonly ParsedInput[] } | undefined> {
  const recorded = recordedBy(run).find((step) => step.name === compareStep && !isToolCall(step))
  const { baseExecution } = run.execution.request
  if (recorded && !run.replayed) return { reuse: resultOf(recorded, keptForm) }
  if (!recorded && !baseExecution) return undefined
  const parsedInputs = await readInputs(parts, run)
  beginStep(run)
  const reservation = await reservePrice(parts, run, { name: compareStep })
  const startedAt = parts.clock.now()
  const reuse = recorded
    ? resultOf(recorded, keptForm)
    : await compare(parts, run, { id: baseExecution ?? '', parsedInputs })
  const asksNothing = reuse.asked.length === 0
  await record(parts, run, {
    kind: 'tool',
    name: compareStep,
    detail: recorded?.detail ?? { baseExecution: baseExecution ?? null },
    result: reuse as Json,
    startedAt,
    reservation,
    isLate: asksNothing,
  })
  return { reuse, ...(asksNothing && { parsedInputs }) }
}

async function compare(
  parts: EngineParts,
  run: Run,
  { id, parsedInputs }: { id: string; parsedInputs: readonly ParsedInput[] },
): Promise<KeptFields> {
  const { workspaceId } = run.fence
  const { schema } = run.execution.request
  const fields = separateFields(schema) ?? []
  const stored = await findOriginal(parts.db, { workspaceId, id })
  // As it ran: a skill may have given its schema and its tools.
  const base = stored && { ...stored, request: withSkills(stored.request, parts.tools.extra) }
  const nothing = (because: string): KeptFields => ({
    ...{ kept: [], asked: fields.map((field) => ({ field, because })) },
    ...{ answer: {}, evidence: {}, isWhole: true, pages: null },
  })
  if (!base?.isRetained || base.status !== 'completed') return nothing('the earlier execution was not retained')
  const other = otherTask(base, run.execution)
  if (other !== undefined) return nothing(`the earlier execution had ${other}`)
  if (base.request.schema === null) return nothing('the earlier execution had no schema')
  if (schema === null || !separateFields(base.request.schema))
    return nothing('the fields of the earlier schema cannot be answered separately')
  const isWhole = base.answeredBy === 'embedded'
  const same = sameFields(schema, base.request.schema)
  const corrected = (base.review?.changes ?? []).map(({ path }) => path)
  // A full pass of the embedded engine costs nothing, and gives what a full run gives; what people corrected stands.
  const eligible = isWhole ? same.filter((field) => isOfPerson(base, field)) : same
  const answer = base.reviewedResponse ?? base.response
  const isFound = corrected.length === 0 && isGrounded(base)
  const versions = await comparedVersions(parts, run, { base, parsedInputs, schema, eligible, answer, isFound })
  const kept = versions?.kept ?? []
  const part = withoutFields(answer, { all: separateFields(base.request.schema) ?? [], left: without(base, kept) })
  const problems = await checkAnswer(
    { processPool: parts.processPool, schema: onlyFields(schema, kept) },
    part,
    run.signal,
  )
  if (problems.length > 0) return nothing('the earlier answer does not fit the schema')
  const reasons = new Map(versions?.asked.map(({ field, because }) => [field, because]))
  const whyAsked = (field: string): string =>
    reasons.get(field) ?? (same.includes(field) ? askedAnyway(isWhole, versions) : 'the earlier schema did not have it')
  return {
    kept,
    asked: fields.filter((field) => !kept.includes(field)).map((field) => ({ field, because: whyAsked(field) })),
    answer: part,
    evidence: versions?.evidence ?? {},
    isWhole,
    pages: versions?.pages ?? null,
  }
}

/** Whether people corrected an embedded engine's field, what holds it, or something in it, or did so in the base of its base. */
const isOfPerson = ({ review, fieldModes }: Execution, field: string): boolean =>
  fieldModes?.[field] === 'kept' ||
  (review?.changes ?? []).some(({ path }) => (fieldHolding([field], path) ?? fieldHolding([path], field)) !== undefined)

/** Whether the server found the evidence of the whole answer, a model's, in the documents: the same would be found again. */
const isGrounded = ({ answeredBy, path, program }: Execution): boolean =>
  answeredBy !== 'embedded' && path === null && program === null

const askedAnyway = (isWhole: boolean, versions: object | undefined): string =>
  isWhole && versions ? 'the embedded engine reads all fields' : 'the earlier documents are no longer stored'

const without = ({ request }: Execution, kept: readonly string[]): readonly string[] =>
  (separateFields(request.schema) ?? []).filter((field) => !kept.includes(field))

/** What makes the earlier task another one, as part of a sentence: then its answer says nothing about this request. */
function otherTask(base: Execution, { request, model }: Execution): string | undefined {
  const was = base.request
  const isOther = (one: unknown, other: unknown): boolean =>
    JSON.stringify(one ?? null) !== JSON.stringify(other ?? null)
  const skillsOf = ({ skills = [] }: Execution['request']) =>
    // The version of every inline skill is `inline`.
    skills.map(({ name, skillVersion, sha256 }) => [name, skillVersion, sha256])
  if (was.prompt !== request.prompt) return 'another prompt'
  if (isOther(skillsOf(was), skillsOf(request))) return 'other skills'
  if (base.model !== model) return 'another model'
  if (was.path !== request.path) return 'another path'
  if (isOther(was.maxWrongRate, request.maxWrongRate)) return 'another accepted share of wrong values'
  if (isOther(was.values, request.values)) return 'other values among its inputs'
  if (isOther(was.pageIndices, request.pageIndices) || isOther(was.frames, request.frames)) return 'other pages'
  if (isOther(was.tools, request.tools)) return 'other tools'
  // Its answer has evidence beside each field.
  if (was.grounded) return 'an answer with grounding'
  return undefined
}

/** Compares the inputs of both executions; undefined if documents of the earlier one are no longer stored. */
async function comparedVersions(
  parts: EngineParts,
  run: Run,
  of: {
    base: Execution
    parsedInputs: readonly ParsedInput[]
    schema: JsonSchema
    eligible: readonly string[]
    answer: Json
    isFound: boolean
  },
): Promise<Pick<KeptFields, 'kept' | 'asked' | 'pages' | 'evidence'> | undefined> {
  const { base, parsedInputs, schema, eligible, answer, isFound } = of
  const steps = await listSteps(parts.db, base)
  const [before, now] = [readSteps(steps), readSteps(run.transcript)]
  const isSame =
    before.size === now.size && [...now].every(([input, step]) => isReadBy(before.get(input), readHashOf(step)))
  if (isSame) return { kept: [...eligible], asked: [], pages: null, evidence: {} }
  const earlier = await Promise.all(
    [...before.keys()].map(async (input) => ({
      input,
      document: run.earlier.get(input) ?? (await earlierDocument(parts, run, { steps, input, base })),
    })),
  )
  run.earlier.clear()
  const documents = earlier.flatMap(({ input, document }) => (document ? [{ input, packed: document.packed }] : []))
  if (documents.length < earlier.length) return undefined
  const compared = await parts.processPool.run(
    compareVersionsJob,
    {
      before: documents,
      now: packedOf(parsedInputs),
      fields: eligible,
      schema: onlyFields(schema, eligible),
      answer,
      evidence: base.evidence ?? {},
      isFound,
    },
    { wallMs: limits.extractWallMs, memoryMb: limits.extractMemoryMb, signal: run.signal },
  )
  return { kept: [...compared.kept], asked: [...compared.asked], pages: compared.pages, evidence: compared.evidence }
}

const isReadBy = (step: Parameters<typeof readHashOf>[0] | undefined, hash: string): boolean =>
  step !== undefined && readHashOf(step) === hash
