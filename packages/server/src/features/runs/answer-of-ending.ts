import { assert } from '@skillrun/core/assert.ts'
import type { Json } from '@skillrun/core/json.ts'
import type { RowCounts } from '@skillrun/reader/evidence/completeness.ts'
import type { EvidenceMap } from '@skillrun/reader/evidence/evidence.ts'
import { citeTextJob } from '../../agent/citations/cite-text.ts'
import { type Grounding, groundAnswerJob } from '../../agent/ground-answer.ts'
import type { LoopEnding } from '../../agent/loop.ts'
import { separateFields, withoutParts } from '../../agent/programs/separate-fields.ts'
import { jsonText } from '../../core/json-pieces.ts'
import { limits } from '../../core/limits.ts'
import { artifactIdPattern } from '../artifacts/artifacts.ts'
import { type ExecutionError, turnOf } from '../executions/executions.ts'
import { handedOver, textOfTurns } from './chat-turn.ts'
import type { EngineParts } from './parts.ts'
import { type ParsedInput, packedOf } from './reading/read-inputs.ts'
import type { Run } from './run-state.ts'
import { warn } from './transcript.ts'

/** The outcome of a run with a language model. */
export interface ModelAnswer {
  readonly response: Json
  readonly evidence: EvidenceMap | null
  readonly error: ExecutionError | null
  readonly message: string | undefined
  /** Rows in the inputs that lists of the answer lack. */
  readonly expected?: RowCounts
}

/** The outcome of a run's end: the answer with its evidence, or the error in words. */
export async function answerOf(
  parts: EngineParts,
  run: Run,
  { ending, parsedInputs }: { ending: LoopEnding; parsedInputs: readonly ParsedInput[] },
): Promise<ModelAnswer> {
  if (ending.ended === 'out-of-turns')
    return failed(
      null,
      'max_turns',
      `The model did not answer within ${parts.models.turnsMax} turns, the limit of this server (limits.model_turns)`,
    )
  const { chat } = run.execution.request
  // A chat's reply is the text of all its turns, because the caller may have received it already.
  const text = chat ? textOfTurns(run.transcript.flatMap((step) => turnOf(step) ?? [])) : ''
  if (ending.ended === 'handed-over') {
    assert(chat !== undefined, 'only a chat has functions of its caller')
    return { response: handedOver(ending, chat, text), evidence: null, error: null, message: undefined }
  }
  if (chat && ending.ended === 'answered' && typeof ending.answer === 'string')
    return {
      response: text,
      evidence: await cited(parts, run, { text, parsedInputs }),
      error: null,
      message: undefined,
    }
  if (ending.ended === 'refused') {
    const words = String(ending.answer).trim().slice(0, 300)
    return failed(ending.answer, 'refused', `The model declined to answer${words === '' ? '' : `: ${words}`}`)
  }
  const { schema, grounded } = run.execution.request
  // Without inputs there is no evidence to look for.
  const isGroundless = parsedInputs.length === 0 && Object.keys(run.execution.request.values).length === 0 && !grounded
  const answer = withoutParts(ending.answer, unaskedOf(run))
  const grounding =
    (schema === null && !grounded) || isGroundless ? undefined : await ground(parts, run, { answer, parsedInputs })
  for (const warning of grounding?.warnings ?? []) warn(run, warning)
  const evidence = grounding?.evidence ?? null
  const response = grounding?.answer === undefined ? answer : grounding.answer
  if (ending.ended === 'violated') {
    const problems = ending.problems.map(({ pointer, message }) => `${pointer || 'the answer'} ${message}`).join('; ')
    const words = `The model's last answer is not valid${schema === null ? '' : ' against the schema'}: ${problems}. response has it`
    return { ...failed(response, 'schema_violation', words), evidence }
  }
  const message = grounding && unsupportedMessage(grounding, parsedInputs)
  return { response, evidence, error: null, message, ...(grounding && { expected: grounding.expected }) }
}

/** The fields of the whole request that are not asked now: the answer to them is known, whatever a model says of them. */
function unaskedOf({ whole, execution: { request } }: Run): readonly string[] {
  if (request.schema === whole.schema) return []
  const asked = separateFields(request.schema) ?? []
  return (separateFields(whole.schema) ?? []).filter((field) => !asked.includes(field))
}

/** The passages of a reply that are in the documents that it is to cite. */
async function cited(
  parts: EngineParts,
  run: Run,
  { text, parsedInputs }: { text: string; parsedInputs: readonly ParsedInput[] },
): Promise<EvidenceMap | null> {
  const { cited: inputs = [] } = run.execution.request.chat ?? {}
  // A file of an archive has the name of the archive before its own.
  const isCited = ({ input }: ParsedInput) => inputs.some((one) => input === one || input.startsWith(`${one}/`))
  const documents = packedOf(parsedInputs.filter(isCited))
  if (documents.length === 0) return null
  const terms = { wallMs: limits.extractWallMs, memoryMb: limits.extractMemoryMb, signal: run.signal }
  return parts.processPool.run(citeTextJob, { documents, text }, terms)
}

const failed = (response: Json, code: string, message: string): ModelAnswer => ({
  response,
  evidence: null,
  error: { code, message, retryable: false },
  message: undefined,
})

/** The evidence of an answer to the request of a run. */
export async function ground(
  parts: EngineParts,
  run: Run,
  { answer, parsedInputs }: { answer: Json; parsedInputs: readonly ParsedInput[] },
): Promise<Grounding> {
  const { values, schema, grounded } = run.execution.request
  const json = await jsonText(answer)
  const documents = packedOf(parsedInputs)
  const terms = { wallMs: limits.extractWallMs, memoryMb: limits.extractMemoryMb, signal: run.signal }
  const made = madeIn(run, json)
  return parts.processPool.run(groundAnswerJob, { documents, values, json, schema, grounded, made }, terms)
}

/** Ids of artifacts that an answer names, out of those that tools returned in this run. */
function madeIn({ transcript }: Run, json: string): readonly string[] {
  const named = json.match(/\b[a-z]{3}_[0-9a-f]{6}\b/g) ?? []
  if (named.length === 0) return []
  const results = transcript.filter(({ kind }) => kind === 'tool').map(({ result }) => JSON.stringify(result))
  return [...new Set(named)].filter(
    (id) => artifactIdPattern.test(id) && results.some((text) => text.includes(`"${id}"`)),
  )
}

const listedMax = 5

/** Values that appear nowhere in the inputs must not pass as found. */
function unsupportedMessage(
  { unsupported, unsupportedCount, valued }: Grounding,
  parsedInputs: readonly ParsedInput[],
): string | undefined {
  if (unsupportedCount === 0 || parsedInputs.length === 0) return undefined
  const listed = unsupported
    .slice(0, listedMax)
    .map((pointer) => pointer || 'the answer')
    .join(', ')
  const more = unsupportedCount > listedMax ? ` and ${unsupportedCount - listedMax} more` : ''
  return `${unsupportedCount} of ${valued} values were not found in the inputs: ${listed}${more}; see evidence`
}
