import { createHmac } from 'node:crypto'
import { conversationOpening } from '../../agent/conversation.ts'
import { documentTextJob } from '../../agent/document-text.ts'
import { type EnabledSkill, skillsInFull, skillsText } from '../../agent/enabled-skill.ts'
import type { EvidenceMap } from '../../agent/evidence.ts'
import { tokensOf } from '../../agent/fit-context.ts'
import { type Grounding, groundAnswerJob } from '../../agent/ground-answer.ts'
import { groundedAnswer, withoutClaims } from '../../agent/grounding.ts'
import { judgeAnswer } from '../../agent/judge-answer.ts'
import { type LoopEnding, think } from '../../agent/loop.ts'
import { type OpeningParts, openingOf } from '../../agent/opening.ts'
import { callTool, specOf, type Tool, type ToolContext, wireName } from '../../agent/tool.ts'
import { type Entry, findResult } from '../../agent/transcript.ts'
import { waitMs, withRetries } from '../../agent/with-retries.ts'
import { assert } from '../../kit/assert.ts'
import type { Json } from '../../kit/json.ts'
import { limits } from '../../kit/limits.ts'
import type { Log } from '../../kit/log.ts'
import type { Model, ModelRequest } from '../../seams/models/model.ts'
import type { Scripts } from '../../seams/sandbox/scripts.ts'
import { skillsRead } from '../../tools/skills-read/skills-read.ts'
import { skillTools } from '../../tools/tools.ts'
import { artifactIdPattern } from '../artifacts/artifacts.ts'
import type { Engine } from '../models/models.ts'
import type { Reservation } from '../pricing/pricing.ts'
import type { BringParts } from './bring.ts'
import { aloud, handedOver, isToldAsItComes, judgeReply, refuseLong, textOfTurns } from './chat-turn.ts'
import type { Execution, ExecutionError } from './execution.ts'
import { entriesOf, stepOfEntry, turnOf } from './model-steps.ts'
import { showInputs } from './pictures.ts'
import { openPurse, type Purse, payerOf } from './purse.ts'
import type { NamedReading, ReadParts } from './read-inputs.ts'
import type { WebRule } from './read-web.ts'
import { hearingOfRun, type IllustratorParts, illustratorOfRun, mediaOfRun, webOfRun } from './run-media.ts'
import { enabledSkills } from './run-skills.ts'
import { setAside } from './set-aside.ts'
import { toolsNamed } from './toolsets.ts'
import { beginStep, type Run, record, spentBy } from './transcript.ts'
import { executionKey } from './waiting.ts'
import { openMouth } from './words.ts'

type ModelEngine = Extract<Engine, { kind: 'model' }>

export interface ModelParts extends ReadParts, IllustratorParts {
  readonly log: Log
  /** Tools that the operator added: of the web, of other servers. */
  readonly extraTools?: readonly Tool[]
  /** Absent: runs may not read the web. */
  readonly web?: WebRule | undefined
  /** How often a turn is asked for, and how long one call may take. */
  readonly modelCalls: { readonly attemptsMax: number; readonly wallMs: number }
  /** Runs scripts of skills; absent: none run. */
  readonly scripts?: Scripts
  /** The model of an engine, opened. */
  readonly openModel: (engine: ModelEngine) => Promise<Model>
}

/** What came of a run with a language model. */
export interface ModelAnswer {
  readonly response: Json
  readonly evidence: EvidenceMap | null
  readonly error: ExecutionError | null
  readonly message: string | undefined
}

/** The waits between the calls for one turn, and all that they may take together. */
export const retryBudget = { budgetMs: 90_000, firstWaitMs: 500 }

/**
 * Answers with a language model and tools, from wherever the transcript stands. Throws Faults of the provider, BudgetSpent,
 * and what `record` throws.
 */
export async function answerWithModel(
  parts: ModelParts,
  run: Run,
  from: { engine: ModelEngine; readings: readonly NamedReading[] },
): Promise<ModelAnswer> {
  const { engine, readings } = from
  const { execution, signal } = run
  const { schema } = execution.request
  const skills = enabledSkills(parts, execution)
  const tools = engine.facts.callsTools
    ? [
        ...toolsNamed(execution.request.tools ?? null, { readings, extra: parts.extraTools }),
        ...(skills.length > 0 ? skillTools : []),
      ].filter((one) => !execution.request.chat?.functions.some(({ name }) => name === wireName(one)))
    : []
  const { chat } = execution.request
  const opening = await openRequest(parts, run, { ...from, tools, skills })
  const purse = await openPurse(parts, payerOf(execution), {
    rates: engine.facts.rates,
    tier: execution.tier,
    isFirstRun: execution.attempt === 1,
  })
  const patience = { ...retryBudget, attemptsMax: parts.modelCalls.attemptsMax }
  const { clock } = parts
  const model = withRetries(await parts.openModel(engine), { clock, random: Math.random, wait: waitMs }, patience)
  const transcript: Entry[] = entriesOf(run.transcript)
  const begun = new Map<string, Date>()
  const reservations = new Map<string, Reservation | undefined>()
  const writer = { parts, run, purse, engine, tools, transcript, begun, reservations }
  const media = mediaOfRun(parts, run)
  const context = {
    ...toolContext(parts, readings, transcript),
    skills,
    media,
    ...webOfRun(parts, run),
    ...hearingOfRun(parts, run),
    ...illustratorOfRun(parts),
  }
  const turns = transcript.filter((entry) => entry.role === 'assistant')
  const mouth = isToldAsItComes(chat, schema)
    ? openMouth(parts.db, executionKey(execution), textOfTurns(turns).length)
    : undefined
  const ours = counted(purse.around(model), () => {
    beginStep(run)
    begun.set(turnKey, clock.now())
  })
  const thinking = think({
    model: mouth ? aloud(ours, mouth, transcript) : ours,
    opening,
    transcript,
    contextTokens: engine.facts.contextTokens,
    turnsMax: limits.modelTurnsMax,
    signal,
    say: (entry) => say(writer, entry),
    call: async (call) => {
      beginStep(run)
      const name = tools.find((one) => wireName(one) === call.name)?.name
      if (name !== undefined) reservations.set(call.id, await setAside(parts, run, { name }))
      begun.set(call.id, clock.now())
      const onBug = (error: unknown) =>
        parts.log.error({ execution: execution.id, tool: call.name, error }, 'a tool failed')
      return callTool({ tools, context, onBug }, call, signal)
    },
    isAnothers: ({ name }) => chat?.functions.some((one) => one.name === name) ?? false,
    judge: (turn) =>
      chat
        ? judgeReply({ workshop: parts.workshop, schema, turn: chat }, turn, signal)
        : judgeAnswer({ workshop: parts.workshop, schema }, turn, signal),
  })
  // What is said is told before the end is.
  const ending = await thinking.finally(() => mouth?.end())
  return answerOf(parts, run, { ending, readings })
}

/** The question of the first turn; see `openingOf`. */
async function openRequest(
  parts: ModelParts,
  run: Run,
  from: {
    engine: ModelEngine
    readings: readonly NamedReading[]
    tools: readonly Tool[]
    skills: readonly EnabledSkill[]
  },
): Promise<ModelRequest> {
  const { facts } = from.engine
  const { request } = run.execution
  const asMany = request.chat?.outputTokensMax ?? facts.outputTokensMax
  const outputTokensMax = Math.min(asMany, facts.outputTokensMax, Math.floor(facts.contextTokens / 4))
  const specs = from.tools.map(specOf)
  const documents = from.readings.map(({ input, reading }) => ({ input, packed: reading.packed }))
  const named = new Set(documents.map((one) => one.input))
  // A text slot is a document already.
  const values = Object.fromEntries(Object.entries(request.values).filter(([slot]) => !named.has(slot)))
  const skills = facts.callsTools
    ? skillsText(from.skills, { readTool: wireName(skillsRead) })
    : await skillsInFull(from.skills, run.signal)
  const taken = tokensOf(JSON.stringify([specs, request.schema, request.chat ?? request.prompt, values, skills]))
  // Documents have half of the room that is left; what does not fit is there for the tools.
  const room = Math.max(0, facts.contextTokens - outputTokensMax - taken)
  const terms = { wallMs: limits.extractWallMs, memoryMb: limits.extractMemoryMb, signal: run.signal }
  const asked = { documents, charactersMax: Math.floor(room * 1.5) }
  const texts = documents.length === 0 ? [] : await parts.workshop.run(documentTextJob, asked, terms)
  const opening: OpeningParts = {
    skills,
    documents: texts,
    shown: await showInputs(parts, run, { texts, readings: from.readings, facts }),
    scope: scopeOf(parts, run.execution),
    values,
    prompt: request.prompt,
    schema: request.schema,
    tools: specs,
    outputTokensMax,
    wallMs: parts.modelCalls.wallMs,
  }
  const tier = tierOfProvider(run.execution)
  if (!request.chat) return { ...openingOf(opening), ...tier }
  const conversation = conversationOpening(request.chat, opening)
  refuseLong(conversation, facts.contextTokens)
  return { ...conversation, ...tier }
}

/** The tier of an execution as a provider is told it: standard is what it does anyway. */
export const tierOfProvider = ({ tier }: Pick<Execution, 'tier'>): Pick<ModelRequest, 'tier'> =>
  tier === 'standard' ? {} : { tier }

/** See `OpeningParts.scope`: a name of the workspace that tells nothing of it. */
export const scopeOf = ({ signingSecret }: Pick<BringParts, 'signingSecret'>, { workspaceId }: Execution): string =>
  createHmac('sha256', signingSecret).update(`scope of ${workspaceId}`).digest('hex').slice(0, 16)

/** The model, each turn of which is announced before it begins. */
export const counted = (model: Model, onTurn: () => void): Model => ({
  name: model.name,
  async reply(request, signal, hear) {
    onTurn()
    return model.reply(request, signal, hear)
  },
})

interface Writer {
  readonly parts: ModelParts
  readonly run: Run
  readonly purse: Purse
  readonly engine: ModelEngine
  readonly tools: readonly Tool[]
  readonly transcript: Entry[]
  /** When the present turn and each call began. */
  readonly begun: ReadonlyMap<string, Date>
  /** What was set aside for each call. */
  readonly reservations: ReadonlyMap<string, Reservation | undefined>
}

const turnKey = 'turn'

/** Records an entry, a turn together with what it cost, then adds it to the transcript of the loop. */
async function say(writer: Writer, entry: Entry): Promise<void> {
  const { parts, run, purse, engine, tools, transcript, begun } = writer
  const call =
    entry.role === 'tool'
      ? transcript
          .flatMap((one) => (one.role === 'assistant' ? one.toolCalls : []))
          .findLast((one) => one.id === entry.result.id)?.input
      : undefined
  // What a model calls a tool that there is not is content.
  const toolNamed = (name: string) => tools.find((one) => wireName(one) === name)?.name ?? 'unknown'
  const written = stepOfEntry(entry, { engine: engine.name, toolNamed, ...(call === undefined ? {} : { call }) })
  const key = entry.role === 'tool' ? entry.result.id : turnKey
  const startedAt = (entry.role === 'correction' ? undefined : begun.get(key)) ?? parts.clock.now()
  if (entry.role === 'correction') beginStep(run)
  await record(parts, run, {
    ...written,
    startedAt,
    reservation: writer.reservations.get(key),
    // What failed made nothing that could be paid for.
    ...(entry.role === 'tool' && entry.result.failed ? { costMicros: 0 } : {}),
    ...(entry.role === 'assistant'
      ? {
          costMicros: purse.cost(entry),
          ...(purse.isFree ? {} : { alongside: (tx) => purse.settle(tx, entry, spentBy(run)) }),
        }
      : {}),
  })
  transcript.push(entry)
}

const toolContext = (
  parts: ModelParts,
  readings: readonly NamedReading[],
  transcript: readonly Entry[],
): Omit<ToolContext, 'skills' | 'media'> => ({
  documents: readings.map(({ input, reading }) => ({ input, packed: reading.packed, pageCount: reading.pageCount })),
  workshop: parts.workshop,
  ...(parts.scripts ? { scripts: parts.scripts } : {}),
  clock: parts.clock,
  transcoder: parts.transcoder,
  recall: (handle) => findResult(transcript, handle)?.output,
})

/** What is made of the end of a run: the answer with its evidence, or the error in words. */
export async function answerOf(
  parts: ModelParts,
  run: Run,
  { ending, readings }: { ending: LoopEnding; readings: readonly NamedReading[] },
): Promise<ModelAnswer> {
  if (ending.ended === 'out-of-turns')
    return failed(null, 'max_turns', `The model came to no answer within ${limits.modelTurnsMax} turns`)
  const { chat } = run.execution.request
  // A chat's reply is all that was said in it: its caller may have heard it already.
  const said = chat ? textOfTurns(run.transcript.flatMap((step) => turnOf(step) ?? [])) : ''
  if (ending.ended === 'handed-over') {
    assert(chat !== undefined, 'only a chat has functions of its caller')
    return { response: handedOver(ending, chat, said), evidence: null, error: null, message: undefined }
  }
  if (chat && ending.ended === 'answered' && typeof ending.answer === 'string')
    return { response: said, evidence: null, error: null, message: undefined }
  if (ending.ended === 'refused') {
    const words = String(ending.answer).trim().slice(0, 300)
    return failed(ending.answer, 'refused', `The model declined to answer${words === '' ? '' : `: ${words}`}`)
  }
  const { schema, grounded } = run.execution.request
  // Where there is nothing to hold an answer against, nothing is looked for.
  const isGroundless = readings.length === 0 && Object.keys(run.execution.request.values).length === 0 && !grounded
  const answer = grounded ? withoutClaims(ending.answer, schema) : ending.answer
  const grounding =
    (schema === null && !grounded) || isGroundless ? undefined : await ground(parts, run, { answer, readings })
  const evidence = grounding?.evidence ?? null
  const response = grounded && evidence ? groundedAnswer(answer, evidence) : answer
  if (ending.ended === 'violated') {
    const told = ending.problems.map(({ pointer, message }) => `${pointer || 'the answer'} ${message}`).join('; ')
    const words = `The answer does not hold${schema === null ? '' : ' against the schema'}, also after it was sent back: ${told}. The last one is kept in response`
    return { ...failed(response, 'schema_violation', words), evidence }
  }
  return { response, evidence, error: null, message: grounding && unsupportedMessage(grounding, readings) }
}

const failed = (response: Json, code: string, message: string): ModelAnswer => ({
  response,
  evidence: null,
  error: { code, message, retryable: false },
  message: undefined,
})

async function ground(
  parts: ModelParts,
  run: Run,
  { answer, readings }: { answer: Json; readings: readonly NamedReading[] },
): Promise<Grounding> {
  const { values, schema } = run.execution.request
  const documents = readings.map(({ input, reading }) => ({ input, packed: reading.packed }))
  const terms = { wallMs: limits.extractWallMs, memoryMb: limits.extractMemoryMb, signal: run.signal }
  const made = madeIn(run, answer)
  return parts.workshop.run(groundAnswerJob, { documents, values, answer, schema, made }, terms)
}

/** Ids of artifacts that an answer names, of those that tools gave in this run. */
function madeIn({ transcript }: Run, answer: Json): readonly string[] {
  const named = JSON.stringify(answer).match(/\b[a-z]{3}_[0-9a-f]{6}\b/g) ?? []
  if (named.length === 0) return []
  const told = transcript.filter(({ kind }) => kind === 'tool').map(({ result }) => JSON.stringify(result))
  return [...new Set(named)].filter((id) => artifactIdPattern.test(id) && told.some((text) => text.includes(`"${id}"`)))
}

const toldMax = 5

/** Values that stand nowhere in the inputs are not passed off as found. */
function unsupportedMessage({ unsupported, valued }: Grounding, readings: readonly NamedReading[]): string | undefined {
  if (unsupported.length === 0 || readings.length === 0) return undefined
  const told = unsupported
    .slice(0, toldMax)
    .map((pointer) => pointer || 'the answer')
    .join(', ')
  const more = unsupported.length > toldMax ? ` and ${unsupported.length - toldMax} more` : ''
  return `${unsupported.length} of ${valued} values stand nowhere in the inputs: ${told}${more}; see evidence`
}
