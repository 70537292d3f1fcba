import { Bug } from '@skillrun/core/assert.ts'
import { Fault } from '@skillrun/core/fault.ts'
import { asJson } from '@skillrun/core/json.ts'
import { incompletenessMessage, notFoundWarnings, withholdsValues } from '@skillrun/reader/evidence/completeness.ts'
import { inputWarnings } from '@skillrun/reader/evidence/warnings.ts'
import { needsModel } from '@skillrun/reader/extract/needs-model.ts'
import type { WrittenCall } from '@skillrun/reader/fields/written-calls.ts'
import { noPromise, riskOf } from '@skillrun/reader/score/risk.ts'
import type { EmbeddedAnswer } from '../../agent/embedded/answer.ts'
import {
  type Ending,
  type Execution,
  type ExecutionError,
  markAnswering,
  resultOf,
  usageOf,
} from '../executions/executions.ts'
import { isSecondGeneration, type Ladder, type ModelRoute } from '../models/models.ts'
import { answerEmbeddings } from './answer-embeddings.ts'
import { answerTranscript } from './answer-transcript.ts'
import { answerWithCalls, callsOf, toolsOfRequest } from './answer-with-calls.ts'
import { answerWithCode } from './answer-with-code.ts'
import { answerWithModel } from './answer-with-model.ts'
import { answerByPath } from './cheapest-path/answer-by-path.ts'
import type { Rungs } from './cheapest-path/ask-rungs.ts'
import { completenessIn, missingMessage } from './completeness.ts'
import { answerFromBase } from './delta/answer-from-base.ts'
import type { EngineParts, ModelEngine } from './parts.ts'
import { answerLeftFields } from './programs/left-fields.ts'
import { answerByProgram, fallBackMessage } from './programs/run-program.ts'
import { answerAsDrawn } from './reading/answer-as-drawn.ts'
import { codesOfInputs } from './reading/input-codes.ts'
import { countImages } from './reading/page-images.ts'
import { type ParsedInput, packedOf, readInputs } from './reading/read-inputs.ts'
import { leftInArchives, warnOfAttachments } from './reading/unread-files.ts'
import { reservePrice } from './reserve-price.ts'
import { bundlesOf, hasNoDocument, missingToolsets, readingTask, refusePipelines } from './run-skills.ts'
import type { Run } from './run-state.ts'
import { embeddedAnswer } from './steps/recorded.ts'
import { beginStep, record, warn } from './transcript.ts'

/** A model's reply to a program's question is short, whatever the execution. */
const smallQuestion = { pages: 0, images: 0, toolsNamed: 0, schema: null }

/** Answers with the engine of the execution's route, and warns if that engine cannot keep to `max_wrong_rate`. */
export async function answer(parts: EngineParts, run: Run): Promise<Ending> {
  const ending = await answerByRoute(parts, run)
  warnOfAttachments(run)
  const { maxWrongRate } = run.execution.request
  const isHeld = ending.completeness?.maxWrongRate || ending.path
  if (maxWrongRate && ending.status === 'completed' && !isHeld) warn(run, noPromise)
  return ending
}

/** Answers from the base of the execution or with a program where it has one, else as an agent. */
async function answerByRoute(parts: EngineParts, run: Run): Promise<Ending> {
  const { execution } = run
  if (execution.request.transcription) return answerTranscript(parts, run)
  if (execution.request.embedding) return answerEmbeddings(parts, run, execution.request.embedding)
  const route = modelRoute(parts, execution)
  const asAgent = () => answerByAgent(parts, run, route)
  if (execution.request.chat) return asAgent()
  const asked = () => answerAsAsked(parts, run, { route, asAgent })
  return (await answerFromBase(parts, run, { asAgent, asked })) ?? asked()
}

/** Answers with a program where the request asks for one and one is ready; an agent answers what that leaves. */
async function answerAsAsked(
  parts: EngineParts,
  run: Run,
  { route, asAgent }: { readonly route: ModelRoute; readonly asAgent: () => Promise<Ending> },
): Promise<Ending> {
  const served = await answerByProgram(parts, run, () => route.choose(smallQuestion).engine)
  if (served?.left) return answerLeftFields(parts, run, served, asAgent)
  const ofProgram = served && (await withCompleteness(parts, run, served.ending))
  return ofProgram ?? asAgent()
}

/** Answers with the embedded engine or a language model; a route with a choice depends on what was read. */
async function answerByAgent(parts: EngineParts, run: Run, route: ModelRoute): Promise<Ending> {
  const { execution } = run
  await refusePipelines(bundlesOf(parts), execution, run.signal)
  if (route.fixed?.kind === 'embedded' && !route.ladder) return answerEmbedded(parts, run)
  const onPath = route.ladder && !execution.request.chat && (await answerOnPath(parts, run, route.ladder))
  if (onPath) return onPath
  const calls = spelledCalls(parts, run)
  if (calls) {
    await markEngine(parts, run, {
      engine: 'embedded',
      because: 'the prompt consists of tool calls, which need no model',
    })
    return answerWithCalls(parts, run, calls)
  }
  const parsedInputs = await readWarning(parts, run)
  const { request } = execution
  const { engine, because } = route.choose({
    pages: parsedInputs.reduce((sum, { document }) => sum + document.pagesRead, 0),
    images: countImages(parsedInputs),
    toolsNamed: request.tools?.length ?? 0,
    schema: request.schema,
  })
  await markEngine(parts, run, { engine: engine.name, because })
  if (engine.kind === 'embedded') return answerEmbedded(parts, run)
  return answerByModel(parts, run, { engine, parsedInputs })
}

async function readWarning(parts: EngineParts, run: Run): Promise<readonly ParsedInput[]> {
  const parsedInputs = await readInputs(parts, run)
  for (const { input, document } of parsedInputs)
    for (const warning of inputWarnings(input, document.warnings)) warn(run, warning)
  return parsedInputs
}

/** Answers each field by the cheapest engine that is sure of it; undefined: the request takes no path. */
async function answerOnPath(parts: EngineParts, run: Run, ladder: Ladder): Promise<Ending | undefined> {
  const because = 'the cheapest path chose for each field'
  const rungs: Rungs = {
    rules: async () => {
      await markEngine(parts, run, { engine: 'embedded', because })
      return embeddedOf(parts, run)
    },
    model: async (engine, learns) => {
      if (!learns) await markEngine(parts, run, { engine: engine.name, because })
      return answerWithModel(parts, run, { engine, parsedInputs: await readWarning(parts, run) })
    },
  }
  const answered = await answerByPath(parts, run, { ladder, rungs })
  if (!answered) return undefined
  run.lesson = answered.lesson
  const { usage } = answered.ending
  const message = [usage.message, ...explanationsOf(parts, run)].filter(Boolean).join('. ') || undefined
  return { ...answered.ending, usage: usageOf(run.transcript, message) }
}

/** Stores which engine answers, and why, unless it is stored already. */
async function markEngine(
  { db }: EngineParts,
  { execution, fence }: Run,
  { engine, because }: { engine: string; because: string | null },
): Promise<void> {
  if (execution.answeredBy !== engine || execution.modelReason !== because)
    await markAnswering(db, fence, { answeredBy: engine, reason: because })
}

/**
 * The tool calls that make up the prompt, where the request has all these tools. Undefined for any other prompt, and for a run in which a
 * model has already answered.
 */
function spelledCalls({ tools }: EngineParts, run: Run): readonly WrittenCall[] | undefined {
  if (run.transcript.some(({ kind }) => kind === 'model')) return undefined
  const calls = callsOf(run.execution.request)
  const offered = toolsOfRequest(run.execution.request, tools.extra)
  return calls?.every(({ name }) => offered.some((one) => one.name === name)) ? calls : undefined
}

/** The route existed when the execution was accepted; another server may be configured differently. */
function modelRoute({ models }: EngineParts, { model }: Execution): ModelRoute {
  try {
    return models.route(model)
  } catch {
    throw new Fault(
      'invalid',
      'model_unavailable',
      `The model ${model} is not configured on the server that ran this execution; give all servers the same configuration`,
    )
  }
}

async function answerByModel(
  parts: EngineParts,
  run: Run,
  from: { engine: ModelEngine; parsedInputs: readonly ParsedInput[] },
): Promise<Ending> {
  const { model, request } = run.execution
  // Conversations use the tool loop.
  const answerWith = isSecondGeneration(model) && !request.chat ? answerWithCode : answerWithModel
  const { response, evidence, error, message, expected = {} } = await answerWith(parts, run, from)
  const report =
    response === null ? undefined : await completenessIn(parts, run, { answer: response, evidence, expected })
  const explanation =
    [message, ...explanationsOf(parts, run), missingMessage(report)].filter(Boolean).join('. ') || undefined
  return {
    status: error ? 'failed' : 'completed',
    response,
    evidence,
    error,
    completeness: report?.completeness ?? null,
    unsure: report?.unsure,
    usage: usageOf(run.transcript, explanation),
    now: parts.clock.now(),
  }
}

/** The ending of a program with the completeness of its answer. Undefined: it has none of the fields, so the run continues as an agent. */
async function withCompleteness(parts: EngineParts, run: Run, served: Ending): Promise<Ending | undefined> {
  const report = await completenessIn(parts, run, { answer: served.response, evidence: served.evidence })
  if (report && report.completeness.asked > 0 && report.completeness.found === 0) {
    run.fellBack = { programId: served.program?.id ?? null, because: 'the program found none of the fields' }
    return undefined
  }
  return {
    ...served,
    completeness: report?.completeness ?? null,
    unsure: report?.unsure,
    usage: usageOf(run.transcript, missingMessage(report)),
  }
}

/** Explanations in the usage of every run. */
const explanationsOf = ({ tools }: EngineParts, run: Run): readonly (string | undefined)[] => [
  leftInArchives(run),
  fallBackMessage(run),
  missingToolsets(run.execution.request.skills ?? [], tools.extra),
]

async function answerEmbedded(parts: EngineParts, run: Run): Promise<Ending> {
  const calls = callsOf(run.execution.request)
  if (calls) return answerWithCalls(parts, run, calls)
  const embedded = await embeddedOf(parts, run)
  const { report } = embedded
  for (const warning of embedded.warnings ?? []) warn(run, warning)
  const isWithheld = withholds(embedded, run.execution)
  if (report) for (const warning of notFoundWarnings(report, embedded.evidence, isWithheld)) warn(run, warning)
  const error = errorOf(embedded, run.execution)
  const explanations = [...explanationsOf(parts, run), report && incompletenessMessage(report)].filter(Boolean)
  return {
    status: error ? 'failed' : 'completed',
    response: embedded.answer,
    evidence: embedded.evidence,
    error,
    completeness: report?.completeness ?? null,
    unsure: report?.unsure,
    usage: usageOf(run.transcript, explanations.join('. ') || undefined),
    now: parts.clock.now(),
  }
}

/** An answer in the transcript is not requested again, and its inputs are not read again. */
async function embeddedOf(parts: EngineParts, run: Run): Promise<EmbeddedAnswer> {
  const recorded = run.transcript.find((step) => step.kind === 'model' && step.name === 'embedded')
  return recorded ? resultOf(recorded, embeddedAnswer) : askEmbedded(parts, run)
}

async function askEmbedded(parts: EngineParts, run: Run): Promise<EmbeddedAnswer> {
  // Before fetching or reading anything: impossible requests fail at once.
  const task = await readingTask(bundlesOf(parts), run.execution, run.signal)
  const parsedInputs = await readInputs(parts, run)
  const codes = await codesOfInputs(parts, run, { schema: task.schema, parsedInputs })
  beginStep(run)
  const reservation = await reservePrice(parts, run, { name: 'embedded' })
  const { values, grounded, maxWrongRate } = run.execution.request
  const risk = riskOf(maxWrongRate)
  const startedAt = parts.clock.now()
  const documents = packedOf(parsedInputs)
  const request = { documents, values, grounded, ...task, ...(codes && { codes }), ...(risk && { risk }) }
  const answered = await answerAsDrawn(parts, run, { request, parsedInputs }).catch(blameTheEngine)
  await record(parts, run, {
    kind: 'model',
    name: 'embedded',
    detail: { inputs: parsedInputs.map((one) => one.input) },
    result: asJson(answered),
    startedAt,
    reservation,
  })
  return answered
}

/** Parsed documents are valid, so an engine that fails on them without a Fault has a bug. */
function blameTheEngine(error: unknown): never {
  if (error instanceof Fault && error.code === 'unreadable_input')
    throw new Bug('the embedded engine failed', { cause: error.cause })
  throw error
}

const errorFrom = ({ code, message, retryable }: Fault): ExecutionError => ({ code, message, retryable })

/** Why an answer of the embedded engine counts as a failure: it found nothing that was asked for, or it breaks the schema. */
function errorOf(embedded: EmbeddedAnswer, { request }: Execution): ExecutionError | null {
  if (embedded.nothing !== undefined)
    return {
      code: 'nothing_found',
      message: `${embedded.nothing}. Check the inputs, give a json_schema with the fields to extract, or configure a language model`,
      retryable: false,
    }
  const { asked = 0, found = 0 } = embedded.report?.completeness ?? {}
  // A chat message that holds none of the schema's values was not a document.
  if (asked > 0 && found === 0 && request.chat && hasNoDocument(request.inputs))
    return errorFrom(needsModel('The message contains none of the fields of the schema.'))
  if (asked > 0 && found === 0 && !withholds(embedded, { request }))
    return {
      code: 'nothing_found',
      message: `None of the ${asked} fields of the schema was found in the inputs; evidence says why. Check that the inputs are correct and that the names or descriptions of the fields match the wording of the document, or configure a language model`,
      retryable: false,
    }
  return embedded.violations.length > 0 ? violationError(embedded) : null
}

/** Whether likely values were left out because the request names a share of wrong values. */
const withholds = ({ evidence }: EmbeddedAnswer, { request }: Pick<Execution, 'request'>): boolean =>
  Boolean(request.maxWrongRate) && withholdsValues(evidence)

function violationError({ violations }: EmbeddedAnswer): ExecutionError {
  const violated = violations.map(({ pointer, message }) => `${pointer || 'the answer'} ${message}`).join('; ')
  return {
    code: 'schema_violation',
    message: `The answer is not valid against the schema: ${violated}. response has the values found; for fields that may be missing, allow null or remove them from required`,
    retryable: false,
  }
}
