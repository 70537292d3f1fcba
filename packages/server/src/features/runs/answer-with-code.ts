import { Fault } from '@skillrun/core/fault.ts'
import { isJsonObject, type Json, type JsonObject } from '@skillrun/core/json.ts'
import type { Warning } from '@skillrun/reader/evidence/warnings.ts'
import type { ModelRequest } from '../../adapters/models/model.ts'
import { ProgramFailed, type SandboxHost } from '../../adapters/sandbox/sandbox.ts'
import { type CodeEnding, type CodeEntry, type ProgramRan, writePrograms } from '../../agent/code/code-agent.ts'
import { codeOpeningOf } from '../../agent/code/code-opening.ts'
import { documentTextJob } from '../../agent/document-text.ts'
import { skillsText } from '../../agent/enabled-skill.ts'
import { checkAnswer, judgeText } from '../../agent/judge-answer.ts'
import { callTool, type Tool, type ToolContext, validateAndCall, wireName } from '../../agent/tool.ts'
import { limits } from '../../core/limits.ts'
import { documentLines } from '../../tools/document-lines/document-lines.ts'
import { modelAsk } from '../../tools/model-ask/model-ask.ts'
import { skillTools } from '../../tools/tools.ts'
import { takeApproval } from '../approvals/approvals.ts'
import { type ExecutionError, payerOf } from '../executions/executions.ts'
import { answerOf, type ModelAnswer } from './answer-of-ending.ts'
import { askerOf, HostStopped } from './ask.ts'
import { openBudget } from './budget.ts'
import { counted, openModelOfRun, scopeOf, tierOfProvider } from './model-of-run.ts'
import type { EngineParts, ModelEngine } from './parts.ts'
import { showInputs } from './reading/page-images.ts'
import { type ParsedInput, packedOf } from './reading/read-inputs.ts'
import { illustratorOfRun, mediaOfRun, transcriberOfRun, webOfRun } from './reading/run-media.ts'
import { reservePrice } from './reserve-price.ts'
import { bundlesOf, enabledSkills } from './run-skills.ts'
import { inFlight, ReplayDiverged, type Run } from './run-state.ts'
import { codeEntriesOf, recordedCalls, stepOfCall, stepOfCode } from './steps/code-steps.ts'
import { toolsNamed } from './tools-of-run.ts'
import { beginStep, record, recordedBy, spentBy, warn } from './transcript.ts'

interface From {
  readonly engine: ModelEngine
  readonly parsedInputs: readonly ParsedInput[]
}

/**
 * The tools of a program: those of a model except reading a result again, because a program holds its results; tools for documents with
 * complete lines; and questions to a model.
 */
function programTools(names: readonly string[] | null, from: Parameters<typeof toolsNamed>[1]): readonly Tool[] {
  const tools = toolsNamed(names, from).filter(({ name }) => name !== 'core.recall')
  const ofPrograms = [
    ...(tools.some(({ toolset }) => toolset === 'document') || names?.includes(documentLines.name)
      ? [documentLines]
      : []),
    ...(names === null || names.includes(modelAsk.name) ? [modelAsk] : []),
  ]
  return [...tools, ...ofPrograms]
}

/** How the instructions of a skill are presented to the model that writes the program. */
const readInProgram =
  'a program that returns nothing and prints them, console.log((await tools.skills.read({ skill: … })).instructions),'

/** Characters of the documents that the model sees to write a program. */
const shownCharactersMax = 16_000
/**
 * Largest results of one tool call, and of all calls of a run, in a program: the transcript stores them and a worker holds them in memory.
 */
const resultCharactersMax = 2_000_000
const resultsCharactersMax = 32_000_000

/**
 * Answers with programs that a language model writes, continuing the transcript. Throws Faults of the provider and of the sandbox,
 * BudgetSpent, and errors of `record`.
 */
export async function answerWithCode(parts: EngineParts, run: Run, from: From): Promise<ModelAnswer> {
  const { engine, parsedInputs } = from
  const { execution, signal } = run
  const { schema } = execution.request
  const ofSkills = (execution.request.skills ?? []).length > 0 ? skillTools : []
  const tools = [
    ...programTools(execution.request.tools ?? null, { parsedInputs, extra: parts.tools.extra }),
    ...ofSkills,
  ]
  const inputs = programInputs(parsedInputs, execution.request.values)
  const opening = { ...(await openRequest(parts, run, { ...from, tools, inputs })), ...tierOfProvider(execution) }
  const budget = openBudget(parts, payerOf(execution), {
    rates: engine.facts.rates,
    tier: execution.tier,
  })
  const { clock } = parts
  const model = await openModelOfRun(parts, engine)
  const transcript: CodeEntry[] = codeEntriesOf(run.transcript, engine.name)
  const room = { characters: resultsCharactersMax }
  let begunAt = clock.now()
  const begin = (): void => {
    beginStep(run)
    begunAt = clock.now()
  }
  const turnsSoFar = (): number => transcript.filter((entry) => entry.role === 'assistant').length
  const ending = await writePrograms({
    model: counted(budget.around(model), begin),
    opening,
    transcript,
    contextTokens: engine.facts.contextTokens,
    turnsMax: limits.codeTurnsMax,
    signal,
    execute: (source, turn) => {
      begin()
      return runProgram(parts, run, { source, turn, tools, inputs, parsedInputs, room, engine })
    },
    hasSchema: schema !== null,
    judge: async (answer) =>
      schema === null ? [] : checkAnswer({ processPool: parts.processPool, schema }, answer, signal),
    judgeText: (text) => judgeText({ processPool: parts.processPool, schema }, text, signal),
    append: async (written) => {
      // The database rejects NUL as text, and no program contains it.
      const entry =
        written.role === 'assistant' ? { ...written, text: written.text.replaceAll('\0', '').toWellFormed() } : written
      const turn = turnsSoFar() + (entry.role === 'assistant' ? 1 : 0)
      const paid = entry.role === 'assistant' && {
        costMicros: budget.cost(entry),
        ...(budget.isFree
          ? {}
          : { alongside: (tx: Parameters<typeof budget.settle>[0]) => budget.settle(tx, entry, spentBy(run)) }),
      }
      if (entry.role === 'correction') begin()
      await record(parts, run, { ...stepOfCode(entry, { engine: engine.name, turn }), startedAt: begunAt, ...paid })
      transcript.push(entry)
    },
  })
  if (ending.ended === 'answered' && ending.source === null) warn(run, answeredDirectly)
  if (ending.ended !== 'out-of-turns' && ending.ended !== 'no-program')
    return answerOf(parts, run, { ending, parsedInputs })
  return { response: null, evidence: null, error: endedWithout(ending), message: undefined }
}

const answeredDirectly: Warning = {
  code: 'answered_directly',
  path: '',
  message:
    'The model answered with valid JSON instead of writing a program, so no program can be compiled from this execution',
}

function endedWithout({ ended, last }: Extract<CodeEnding, { ended: 'out-of-turns' | 'no-program' }>): ExecutionError {
  if (ended === 'no-program') {
    const message =
      'The model did not write a program, which svc-agent-2 requires; use a stronger model, or svc-agent-1'
    return { code: 'no_program', message, retryable: false }
  }
  const why = last === null ? '' : `; the last one failed: ${last}`
  const message = `None of the ${limits.codeTurnsMax} programs that the model wrote gave an answer${why}`
  return { code: 'max_turns', message, retryable: false }
}

/** `inputs` of a program: a handle for each document in its slot; plain values unchanged. */
function programInputs(parsedInputs: readonly ParsedInput[], values: Readonly<Record<string, Json>>): JsonObject {
  const inputs: Record<string, Json> = { ...values }
  for (const { input, document } of parsedInputs) {
    const kind = document.mediaType.startsWith('image/') ? 'image' : 'document'
    const handle = { slot: input, kind, mediaType: document.mediaType, pageCount: document.pageCount }
    const slash = input.indexOf('/')
    // A slot of plain text stays a string.
    if (slash < 0) inputs[input] ??= handle
    else {
      const [slot, place] = [input.slice(0, slash), input.slice(slash + 1)]
      const held = inputs[slot]
      if (/^\d+$/.test(place)) inputs[slot] = [...(Array.isArray(held) ? held : []), handle]
      else inputs[slot] = { ...(isJsonObject(held) ? held : {}), [place]: handle }
    }
  }
  return inputs
}

/** The question of the first turn; see `codeOpeningOf`. */
async function openRequest(
  parts: EngineParts,
  run: Run,
  from: From & { tools: readonly Tool[]; inputs: JsonObject },
): Promise<ModelRequest> {
  const { facts } = from.engine
  const { request } = run.execution
  const documents = packedOf(from.parsedInputs)
  const charactersMax = Math.min(shownCharactersMax, Math.floor(facts.contextTokens / 2))
  const terms = { wallMs: limits.extractWallMs, memoryMb: limits.extractMemoryMb, signal: run.signal }
  const texts =
    documents.length === 0 ? [] : await parts.processPool.run(documentTextJob, { documents, charactersMax }, terms)
  const skills = enabledSkills(bundlesOf(parts), run.execution)
  return codeOpeningOf({
    tools: from.tools,
    documents: texts,
    shown: await showInputs(parts, run, { texts, parsedInputs: from.parsedInputs, facts }),
    scope: scopeOf(parts, run.execution),
    inputs: from.inputs,
    skills: skillsText(skills, { readTool: readInProgram }),
    prompt: request.prompt,
    schema: request.schema,
    outputTokensMax: Math.min(facts.outputTokensMax, Math.floor(facts.contextTokens / 4)),
    wallMs: parts.models.wallMs,
  })
}

interface ToRun {
  readonly source: string
  readonly turn: number
  readonly tools: readonly Tool[]
  readonly inputs: JsonObject
  readonly parsedInputs: readonly ParsedInput[]
  /** Remaining size of tool results. */
  readonly room: { characters: number }
  /** The engine that answers questions. */
  readonly engine: ModelEngine
}

/** Runs the program of a turn. Calls in the transcript return their recorded results. */
async function runProgram(parts: EngineParts, run: Run, program: ToRun): Promise<ProgramRan> {
  const { source, inputs } = program
  try {
    const { value, ...trace } = await parts.programs.sandbox.run({
      source,
      input: inputs,
      host: hostOf(parts, run, program),
      limits: limits.codePrograms,
      nowMs: run.execution.createdAt.getTime(),
      signal: run.signal,
    })
    return { source, ...trace, outcome: { value } }
  } catch (error) {
    if (error instanceof HostStopped) throw error.cause
    if (!(error instanceof ProgramFailed)) throw error
    const { code, message, line } = error
    return { source, ...error.trace, outcome: { error: { code, message, line } } }
  }
}

/** The tools for a program: each call is recorded before the program gets its result. */
function hostOf(parts: EngineParts, run: Run, { turn, tools, parsedInputs, room, engine }: ToRun): SandboxHost {
  const recorded = recordedCalls(recordedBy(run), turn)
  const context: ToolContext = {
    documents: parsedInputs.map(({ input, document }) => ({
      input,
      packed: document.packed,
      pageCount: document.pageCount,
    })),
    skills: enabledSkills(bundlesOf(parts), run.execution),
    processPool: parts.processPool,
    ...(parts.tools.scripts ? { scripts: parts.tools.scripts } : {}),
    clock: parts.clock,
    media: mediaOfRun(parts, run),
    ...webOfRun(parts, run),
    ...transcriberOfRun(parts, run),
    ...illustratorOfRun(parts),
    transcoder: parts.media.transcoder,
    recall: () => undefined,
    ask: askerOf(parts, run, { turn, engine: () => engine }),
  }
  let calls = 0
  const call = async (tool: Tool, input: Json) => {
    calls += 1
    const number = calls
    const known = recorded(tool.name, input)
    if (known) return known
    if (run.replayed) throw new ReplayDiverged(`the record has no such call of ${tool.name}`)
    beginStep(run)
    const reservation = await reservePrice(parts, run, { name: tool.name })
    await takeApproval(parts, run, { tool: tool.name, input })
    const startedAt = parts.clock.now()
    const onBug = (error: unknown) => parts.tools.onBug(error, { execution: run.execution.id, tool: tool.name })
    const asked = { id: `${turn}-${number}`, name: wireName(tool), input }
    const using = { tools, context, onBug, charactersMax: Math.min(resultCharactersMax, room.characters) }
    const { output, failed } = await callTool(using, asked, run.signal)
    room.characters = Math.max(0, room.characters - JSON.stringify(output).length)
    const step = stepOfCall({ turn, number, name: tool.name, input }, { output, failed })
    await record(parts, run, { ...step, startedAt, reservation, ...(failed ? { costMicros: 0 } : {}) })
    return { output, failed }
  }
  return Object.fromEntries(
    tools.map((tool) => [
      tool.name,
      async (input: Json = {}) => {
        // A question records itself.
        if (tool === modelAsk) return validateAndCall(tool, input, { context, signal: run.signal })
        const { output, failed } = await inFlight(run, call(tool, input)).catch((error: unknown) => {
          throw new HostStopped('the run has ended', { cause: error })
        })
        if (!failed) return output
        const reason = isJsonObject(output) ? String(output['error']) : 'it failed'
        throw new Fault('invalid', 'tool_failed', `${tool.name}: ${reason}`)
      },
    ]),
  )
}
