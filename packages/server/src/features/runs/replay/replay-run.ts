import { Fault } from '@skillrun/core/fault.ts'
import { z } from 'zod'
import type { Model, ModelReply } from '../../../adapters/models/model.ts'
import { type Tool, tool } from '../../../agent/tool.ts'
import { tools } from '../../../tools/tools.ts'
import type { Plan } from '../../cheapest-path/cheapest-path.ts'
import {
  type Ending,
  type Execution,
  isToolCall,
  type Step,
  turnOf,
  usageOf,
  withSkills,
} from '../../executions/executions.ts'
import type { Engine, Ladder, ModelFacts } from '../../models/models.ts'
import { answer } from '../answer.ts'
import { noPath, planStep } from '../cheapest-path/answer-by-path.ts'
import type { EngineParts, ModelEngine } from '../parts.ts'
import { inputSteps } from '../reading/read-inputs.ts'
import { transcribeTool } from '../reading/read-timed.ts'
import { ReplayDiverged, type Run, runOf } from '../run-state.ts'
import { warnOfUsage } from '../transcript.ts'

/** The outcome of a replay: the end of the run, or where it diverged from the record. */
export type Replayed = Pick<Run, 'transcript' | 'warnings'> &
  ({ readonly ending: Ending } | { readonly diverged: string })

/**
 * Runs an execution again from its recorded transcript: takes the answers of models, of tools that they called and of transcribers from the
 * transcript; reads inputs, runs programs, and checks and locates answers anew. Calls no model, books nothing, and writes only parsed
 * documents that every run may use. Throws Faults `inputs_gone` and `program_gone`, and temporary errors.
 */
export async function replayRun(
  given: EngineParts,
  of: { execution: Execution; transcript: readonly Step[]; signal: AbortSignal },
): Promise<Replayed> {
  const { transcript, signal } = of
  const execution = asFirstRun(of.execution, given.tools.extra)
  const fence = { workspaceId: execution.workspaceId, id: execution.id, attempt: 1 }
  const run = runOf(execution, {
    fence,
    signal,
    startedAt: execution.createdAt,
    // A URL may answer differently today: its parsed document is found by the hash in the record.
    transcript: transcript.filter((step) => isOfUrl(step, execution)),
    replayed: transcript,
  })
  const parts = partsOfReplay(given, execution, transcript)
  try {
    const ending = await answer(parts, run)
    warnOfUsage({ warnings: run.warnings, transcript })
    return { transcript: run.transcript, warnings: run.warnings, ending }
  } catch (error) {
    if (error instanceof ReplayDiverged)
      return { transcript: run.transcript, warnings: run.warnings, diverged: error.message }
    if (!(error instanceof Fault) || error.retryable || error.code === 'program_gone') throw error
    if (error.code !== execution.error?.code && (error.kind === 'missing' || error.code === 'inputs_gone'))
      throw new Fault(
        'conflict',
        'inputs_gone',
        `Something that the execution used is no longer stored on this server, so its record cannot be replayed: ${error.message}`,
      )
    const { code, message, retryable } = error
    const ending: Ending = {
      ...{ status: 'failed', response: null, evidence: null, error: { code, message, retryable } },
      ...{ usage: usageOf(run.transcript), now: execution.createdAt },
    }
    return { transcript: run.transcript, warnings: run.warnings, ending }
  }
}

/** The execution as its first run had it, without streaming text. */
function asFirstRun(execution: Execution, extra: readonly Tool[]): Execution {
  const { chat, ...request } = withSkills(execution.request, extra)
  return {
    ...execution,
    attempt: 1,
    request: { ...request, maxSteps: null, ...(chat ? { chat: { ...chat, streamed: false } } : {}) },
  }
}

/** Whether a step read an input given as a URL. */
function isOfUrl(step: Step, { request }: Execution): boolean {
  if (!inputSteps.includes(step.name) || isToolCall(step)) return false
  const { input } = step.detail as { readonly input?: string }
  return request.inputs.some(
    ({ name, source }) => source.kind === 'url' && (input === name || input?.startsWith(`${name}/`)),
  )
}

function partsOfReplay(parts: EngineParts, execution: Execution, transcript: readonly Step[]): EngineParts {
  return {
    ...parts,
    models: {
      ...parts.models,
      route: () => routeOf(execution, transcript),
      open: async (engine) => recordedModel(engine, transcript),
      attemptsMax: 1,
    },
    // Replays pay for nothing.
    tools: {
      ...parts.tools,
      priceOf: () => 0,
      extra: [...parts.tools.extra, ...absentTools(transcript, parts.tools.extra)],
    },
    storage: { ...parts.storage, fetched: { use: refuseFetching } },
    media: { ...parts.media, transcriber: recordedTranscriber(transcript), illustrator: undefined },
  }
}

async function refuseFetching(): Promise<never> {
  throw new Fault('conflict', 'inputs_gone', 'what the URL answered is not stored')
}

/** A model that accepts text only: a replay does not depend on what models are shown. */
const facts: ModelFacts = {
  rates: { input: 0, cachedInput: 0, output: 0 },
  contextTokens: 10_000_000,
  outputTokensMax: 10_000_000,
  takesImages: false,
  takesFiles: [],
  callsTools: true,
}

/** Never called. */
const recordedProvider: ModelEngine['provider'] = { name: 'recorded', kind: 'openai-compatible' }

function routeOf(
  { model, answeredBy, modelReason, warnings }: Execution,
  transcript: readonly Step[],
): ReturnType<EngineParts['models']['route']> {
  const isEmbedded = answeredBy === 'embedded' || answeredBy === null
  const engine: Engine = isEmbedded
    ? { kind: 'embedded', name: 'embedded' }
    : { kind: 'model', name: answeredBy, provider: recordedProvider, facts }
  return {
    model,
    engine: engine.name,
    fixed: isEmbedded ? engine : null,
    ladder: ladderIn(transcript) ?? (warnings.some(({ code }) => code === noPath.code) ? untaken : null),
    choose: () => ({ engine, because: modelReason }),
  }
}

/** Of a path that the record warns it did not take. */
const untaken: Ladder = { small: null, large: { kind: 'model', name: '', provider: recordedProvider, facts } }

/** The models of a recorded path. */
function ladderIn(transcript: readonly Step[]): Ladder | null {
  const plan = transcript.find(({ name }) => name === planStep)?.detail as Pick<Plan, 'small' | 'large'> | undefined
  const engineNamed = (name: string): ModelEngine => ({ kind: 'model', name, provider: recordedProvider, facts })
  return plan ? { small: plan.small === null ? null : engineNamed(plan.small), large: engineNamed(plan.large) } : null
}

/** Returns the recorded turns in order; on a path those of this model. */
function recordedModel({ name }: ModelEngine, transcript: readonly Step[]): Model {
  const isOnPath = ladderIn(transcript) !== null
  const turns: ModelReply[] = transcript
    .filter((step) => step.name === name || !isOnPath)
    .flatMap((step) => turnOf(step) ?? [])
  return {
    name,
    async reply() {
      const turn = turns.shift()
      if (!turn) throw new ReplayDiverged('the run asks the model for a turn that the record does not have')
      return turn
    },
  }
}

/** Tools in the record that this server lacks: their results are recorded. */
function absentTools(transcript: readonly Step[], extra: readonly Tool[]): readonly Tool[] {
  const known = [...tools, ...extra].map(({ name }) => name)
  const called = new Set(transcript.filter((step) => step.kind === 'tool' && isToolCall(step)).map(({ name }) => name))
  return [...called]
    .filter((name) => !known.includes(name) && name.includes('.'))
    .map((name) =>
      tool({
        name,
        toolset: name.split('.')[0] ?? name,
        description: '',
        input: z.any(),
        run: async () => {
          throw new ReplayDiverged(`the record has no such call of ${name}`)
        },
      }),
    )
}

function recordedTranscriber(transcript: readonly Step[]): EngineParts['media']['transcriber'] {
  const heard = transcript.find((step) => step.name === transcribeTool && !isToolCall(step))
  if (!heard) return undefined
  return {
    name: String((heard.detail as { readonly model?: string }).model),
    microsPerMinute: 0,
    open: async () => {
      throw new ReplayDiverged('the record has no transcript of this audio segment')
    },
  }
}
