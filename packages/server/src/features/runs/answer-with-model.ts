import type { Json } from '@skillrun/core/json.ts'
import type { ToolCall, ToolResult } from '../../adapters/models/model.ts'
import { judgeAnswer } from '../../agent/judge-answer.ts'
import { runAgentLoop } from '../../agent/loop.ts'
import { callTool, type Tool, type ToolContext, wireName } from '../../agent/tool.ts'
import { type Entry, findResult } from '../../agent/transcript.ts'
import { skillTools } from '../../tools/tools.ts'
import { takeApproval } from '../approvals/approvals.ts'
import { executionKey, isToolCall, payerOf, resultOf, type Step } from '../executions/executions.ts'
import type { Reservation } from '../pricing/pricing.ts'
import { answerOf, type ModelAnswer } from './answer-of-ending.ts'
import { openBudget, type RunBudget } from './budget.ts'
import { isStreamed, judgeReply, streamed, textOfTurns } from './chat-turn.ts'
import { stepsOfRung } from './cheapest-path/rungs.ts'
import { counted, openModelOfRun } from './model-of-run.ts'
import { openRequest } from './open-request.ts'
import type { EngineParts, ModelEngine } from './parts.ts'
import type { ParsedInput } from './reading/read-inputs.ts'
import { illustratorOfRun, mediaOfRun, transcriberOfRun, webOfRun } from './reading/run-media.ts'
import { reservePrice } from './reserve-price.ts'
import { bundlesOf, enabledSkills } from './run-skills.ts'
import { ReplayDiverged, type Run } from './run-state.ts'
import { entriesOf, stepOfEntry } from './steps/model-steps.ts'
import { toolResult } from './steps/recorded.ts'
import { openTextStream } from './text-stream.ts'
import { toolsNamed } from './tools-of-run.ts'
import { beginStep, record, spentBy } from './transcript.ts'

/**
 * Answers with a language model and tools, continuing the transcript. Throws Faults of the provider, BudgetSpent, and errors of `record`.
 */
export async function answerWithModel(
  parts: EngineParts,
  run: Run,
  from: { engine: ModelEngine; parsedInputs: readonly ParsedInput[] },
): Promise<ModelAnswer> {
  const { engine, parsedInputs } = from
  const { execution, signal } = run
  const { schema } = execution.request
  const skills = enabledSkills(bundlesOf(parts), execution)
  const tools = engine.facts.callsTools
    ? [
        ...toolsNamed(execution.request.tools ?? null, { parsedInputs, extra: parts.tools.extra }),
        ...(skills.length > 0 ? skillTools : []),
      ].filter((one) => !execution.request.chat?.functions.some(({ name }) => name === wireName(one)))
    : []
  const { chat } = execution.request
  const opening = await openRequest(parts, run, { ...from, tools, skills })
  const budget = openBudget(parts, payerOf(execution), {
    rates: engine.facts.rates,
    tier: execution.tier,
  })
  const { clock } = parts
  const model = await openModelOfRun(parts, engine)
  const transcript: Entry[] = entriesOf(stepsOfRung(run, run.transcript), engine.name)
  const begun = new Map<string, Date>()
  const reservations = new Map<string, Reservation | undefined>()
  const writer = { parts, run, budget, engine, tools, parsedInputs, transcript, begun, reservations }
  const media = mediaOfRun(parts, run)
  const context = {
    ...toolContext(parts, parsedInputs, transcript),
    skills,
    media,
    ...webOfRun(parts, run),
    ...transcriberOfRun(parts, run),
    ...illustratorOfRun(parts),
  }
  const turns = transcript.filter((entry) => entry.role === 'assistant')
  const textStream = isStreamed(chat, schema)
    ? openTextStream(parts.db, executionKey(execution), textOfTurns(turns).length)
    : undefined
  const ours = counted(budget.around(model), () => {
    beginStep(run)
    begun.set(turnKey, clock.now())
  })
  const thinking = runAgentLoop({
    model: textStream ? streamed(ours, textStream, transcript) : ours,
    opening,
    transcript,
    contextTokens: engine.facts.contextTokens,
    turnsMax: parts.models.turnsMax,
    signal,
    append: (entry) => append(writer, entry),
    call: async (call) => {
      if (run.replayed) {
        beginStep(run)
        return recordedResult(stepsOfRung(run, run.replayed), call)
      }
      const name = tools.find((one) => wireName(one) === call.name)?.name
      beginStep(run)
      if (name !== undefined) {
        reservations.set(call.id, await reservePrice(parts, run, { name }))
        await takeApproval(parts, run, { tool: name, input: call.input })
      }
      begun.set(call.id, clock.now())
      const onBug = (error: unknown) => parts.tools.onBug(error, { execution: execution.id, tool: call.name })
      return callTool({ tools, context, onBug }, call, signal)
    },
    isExternalCall: ({ name }) => chat?.functions.some((one) => one.name === name) ?? false,
    judge: (turn) =>
      chat
        ? judgeReply({ processPool: parts.processPool, schema, turn: chat }, turn, signal)
        : judgeAnswer({ processPool: parts.processPool, schema }, turn, signal),
  })
  // Send the text before the end of the turn.
  const ending = await thinking.finally(() => textStream?.end())
  return answerOf(parts, run, { ending, parsedInputs })
}

interface Writer {
  readonly parts: EngineParts
  readonly run: Run
  readonly budget: RunBudget
  readonly engine: ModelEngine
  readonly tools: readonly Tool[]
  readonly parsedInputs: readonly ParsedInput[]
  readonly transcript: Entry[]
  /** When the current turn and each call began. */
  readonly begun: ReadonlyMap<string, Date>
  /** The reservation of each call. */
  readonly reservations: ReadonlyMap<string, Reservation | undefined>
}

const turnKey = 'turn'

/** Records an entry, and a turn together with its cost, then adds it to the loop's transcript. */
async function append(writer: Writer, entry: Entry): Promise<void> {
  const { parts, run, budget, engine, tools, transcript, begun } = writer
  const call =
    entry.role === 'tool'
      ? transcript
          .flatMap((one) => (one.role === 'assistant' ? one.toolCalls : []))
          .findLast((one) => one.id === entry.result.id)?.input
      : undefined
  // The name of an unknown tool is model output, hence content.
  const toolNamed = (name: string) => tools.find((one) => wireName(one) === name)?.name ?? 'unknown'
  const written = stepOfEntry(entry, { engine: engine.name, toolNamed, ...(call === undefined ? {} : { call }) })
  const key = entry.role === 'tool' ? entry.result.id : turnKey
  const startedAt = (entry.role === 'correction' ? undefined : begun.get(key)) ?? parts.clock.now()
  if (entry.role === 'correction') beginStep(run)
  await record(parts, run, {
    ...written,
    startedAt,
    reservation: writer.reservations.get(key),
    isLate: mayBeLate(writer, entry),
    // A failed call produced nothing billable.
    ...(entry.role === 'tool' && entry.result.failed ? { costMicros: 0 } : {}),
    ...(entry.role === 'assistant'
      ? {
          costMicros: budget.cost(entry),
          ...(budget.isFree ? {} : { alongside: (tx) => budget.settle(tx, entry, spentBy(run)) }),
        }
      : {}),
  })
  transcript.push(entry)
}

/**
 * Whether an entry that costs nothing may be recorded with the next one, or with the end: the result of a quick tool, and a reply that
 * is an answer and is judged at once, because no document has to be searched for its values.
 */
function mayBeLate({ tools, parsedInputs }: Writer, entry: Entry): boolean {
  if (entry.role === 'tool') return tools.some((one) => wireName(one) === entry.result.name && one.isQuick === true)
  return entry.role === 'assistant' && entry.toolCalls.length === 0 && parsedInputs.length === 0
}

/** The tool's result for this call of a recorded turn. Throws ReplayDiverged. */
function recordedResult(transcript: readonly Step[], { id, name }: ToolCall): ToolResult {
  const step = transcript.find(
    (one) => isToolCall(one) && (one.detail as { readonly call: Json }).call === id && one.kind === 'tool',
  )
  if (!step) throw new ReplayDiverged(`the record has no result of the call ${id} of ${name}`)
  return { ...resultOf(step, toolResult), id }
}

/** Dependencies of the tools of a run, except skills and media. */
export const toolContext = (
  parts: EngineParts,
  parsedInputs: readonly ParsedInput[],
  transcript: readonly Entry[],
): Omit<ToolContext, 'skills' | 'media'> => ({
  documents: parsedInputs.map(({ input, document }) => ({
    input,
    packed: document.packed,
    pageCount: document.pageCount,
  })),
  processPool: parts.processPool,
  ...(parts.tools.scripts ? { scripts: parts.tools.scripts } : {}),
  clock: parts.clock,
  transcoder: parts.media.transcoder,
  recall: (handle) => findResult(transcript, handle)?.output,
})
