import { Fault } from '@skillrun/core/fault.ts'
import { isJsonObject, type Json, type JsonObject } from '@skillrun/core/json.ts'
import { invalid } from '../../../adapters/http/validation.ts'
import { copyArtifacts } from '../../artifacts/artifacts.ts'
import { readTool } from '../../inputs/inputs.ts'
import { isSecondGeneration } from '../../models/models.ts'
import { tierOf } from '../../pricing/pricing.ts'
import type { Execution, ExecutionState, Step } from '../execution.ts'
import { hasEnded } from '../lifecycle.ts'
import { refuseUnretained } from '../retention.ts'
import { snakeName } from '../snake-case.ts'
import { loadOriginal } from '../store/find-execution.ts'
import { insertSteps, listSteps } from '../store/steps.ts'
import { isToolCall, turnOf } from '../usage-of-steps.ts'
import { acceptExecution, type CreateParts } from './accept.ts'
import { orFirstAnswer, readRequest, refuseAbsentFeatures } from './create.ts'
import type { CreateCall } from './create-call.ts'
import { merged } from './rerun.ts'

/** The request for a fork; `body` holds only its configuration and model. */
export interface Fork extends CreateCall {
  readonly id: string
  /** Steps before this number are kept. */
  readonly fromStep: number
  /** Replacement results for kept tool calls, by step number. */
  readonly toolResults: Readonly<Record<string, unknown>>
}

/**
 * Creates an execution that keeps the first steps of execution `id` and continues from there, optionally with another configuration or
 * other tool results. Kept steps cost nothing and do not count in its usage.
 *
 * Throws as `createExecution` does; Fault `missing` for an id that this workspace does not have; and Faults `conflict` when the source has
 * not ended (`not_ended`) or was not retained, or when kept steps depend on what changes (`kept_steps_depend`).
 */
export function forkExecution(
  parts: CreateParts & { readonly storageBytesMax?: number | undefined },
  call: Fork,
): Promise<ExecutionState> {
  const { fromStep, toolResults, body } = call
  const sameAs = { fork: call.id.toLowerCase(), fromStep, toolResults, body }
  return orFirstAnswer(parts, { call, sameAs }, async () => {
    const { caller } = call
    const { workspaceId } = caller
    const first = await loadOriginal(parts.db, { workspaceId, id: call.id })
    const { id } = first
    refuseUnready(first)
    const steps = await listSteps(parts.db, { workspaceId, id })
    refuseUnknownStep(fromStep, steps)
    const kept = withResults(
      steps.filter(({ seq }) => seq < fromStep),
      toolResults,
    )
    const route = parts.intake.models.route(body.model ?? first.model)
    refuseAbsentFeatures(parts.intake, body)
    const request = merged(first.request, await readRequest(parts, call, { beside: true }), body)
    refuseDependent(kept, { first, request, model: route.model })
    const fork = {
      of: id,
      alongside: async (tx: Parameters<typeof insertSteps>[0], made: ExecutionState) => {
        const place = { workspaceId, id: made.id }
        await insertSteps(
          tx,
          { ...place, attempt: 0 },
          kept.map((step) => ({ ...step, costMicros: 0 })),
        )
        const texts = kept.map(({ result }) => JSON.stringify(result))
        const { createdAt: now } = made
        await copyArtifacts(tx, { workspaceId, from: id, to: made.id, texts, bytesMax: parts.storageBytesMax, now })
      },
    }
    const agent = { id: first.agentId, name: first.name, prompt: '', schema: null }
    return acceptExecution(
      parts,
      { ...call, fork },
      {
        sameAs,
        request,
        model: route.model,
        modelChosenBy: body.model ? 'request' : first.modelChosenBy,
        tier: body.config?.service_tier ? tierOf(body.config.service_tier) : first.tier,
        // A fork is an experiment: it neither continues a session nor calls back the original receiver.
        sessionId: null,
        callbackUrl: null,
        ...(body.config?.prompt && !request.chat ? {} : { agent }),
      },
    ).catch(sayThatFilesAreNeeded)
  })
}

/** With a file, what was read of it is deleted, so that the steps that a fork keeps do not replace it. */
function sayThatFilesAreNeeded(error: unknown): never {
  if (!(error instanceof Fault) || error.code !== 'unknown_file') throw error
  throw new Fault(
    'missing',
    'unknown_file',
    `${error.message}. A fork needs the files of its execution, also those that its kept steps have read: what was read of a file is deleted with it. Upload the file again and execute the request anew`,
    { cause: error },
  )
}

function refuseUnready(first: Execution): void {
  const { status } = first
  if (!hasEnded(status) && status !== 'paused')
    throw new Fault(
      'conflict',
      'not_ended',
      `The execution is ${status}; only one that is paused, completed or failed can be forked`,
    )
  refuseUnretained(first)
}

/** When the last kept step is the answer of a model or a program, nothing is left to run. */
function refuseUnknownStep(fromStep: number, steps: readonly Step[]): void {
  const last = steps.at(-1)
  const isOpen = last === undefined || isToolCall(last)
  const most = steps.length + (isOpen ? 1 : 0)
  if (fromStep <= most) return
  throw invalid(['body', 'from_step'], `Input should be at most ${most}: the execution has ${steps.length} steps`, {
    type: 'less_than_equal',
    input: fromStep,
    ctx: { le: most },
  })
}

/** The kept steps with replaced results. Throws ValidationFailures, and Fault `conflict` (`kept_steps_depend`). */
function withResults(kept: readonly Step[], results: Readonly<Record<string, unknown>>): readonly Step[] {
  const changed = new Map(Object.entries(results).map(([seq, output]) => [Number(seq), output as Json]))
  for (const seq of changed.keys()) {
    const step = kept.find((one) => one.seq === seq)
    if (!step || !isToolCall(step)) {
      const calls = kept.filter(isToolCall).map((one) => one.seq)
      const allowed = calls.length === 0 ? 'there are none' : `they are ${calls.join(', ')}`
      throw invalid(
        ['body', 'tool_results', String(seq)],
        `Input should name a kept step that is a call of a tool by a model, a program or the prompt, before from_step; ${allowed}`,
        { type: 'not_a_kept_call' },
      )
    }
    const later = kept.find((one) => one.seq > seq && restsOn(one, step))
    if (later) throw dependent(later, `rests on the result of step ${seq}, which tool_results changes`)
  }
  return kept.map((step) =>
    changed.has(step.seq)
      ? { ...step, result: { ...(step.result as JsonObject), output: changed.get(step.seq) ?? null, failed: false } }
      : step,
  )
}

/** Whether a kept step may depend on the result of an earlier call: only calls of the same model turn are independent. */
function restsOn(later: Step, call: Step): boolean {
  if (!isToolCall(later)) return later.kind === 'model' || isOfTurn(call)
  return isOfTurn(call)
}

/** Whether a program made the call, so that its later calls may use the result. */
const isOfTurn = ({ detail }: Step): boolean => isJsonObject(detail) && detail['turn'] !== undefined

type Part = keyof Execution['request']

const task: readonly Part[] = ['prompt', 'schema', 'skills']

/** What the result of a step was made for that the run would take as it is. A turn of a model is not: the next turn gets the new request. */
const madeFor: Readonly<Record<string, readonly Part[]>> = {
  program: task,
  embedded: [...task, 'maxWrongRate', 'path'],
  'delta.compare': [...task, 'maxWrongRate', 'path', 'tools', 'baseExecution'],
}

/** Refuses changes that kept steps contradict. */
function refuseDependent(
  kept: readonly Step[],
  { first, request, model }: { first: Execution; request: Execution['request']; model: string },
): void {
  const was = first.request
  // An absent part differs from null, which means "any" in `maxWrongRate`.
  const isChanged = (part: Part): boolean => JSON.stringify({ is: request[part] }) !== JSON.stringify({ is: was[part] })
  const read = kept.find((step) => step.name === readTool && !isToolCall(step))
  if (read && isChanged('pageIndices')) throw dependent(read, 'read the pages of the first page_indices')
  if (read && isChanged('frames')) throw dependent(read, 'read the first selection of video frames')
  const answered = kept.find((step) => turnOf(step) !== undefined)
  const call = kept.find(isToolCall)
  if (answered && isSecondGeneration(model) !== isSecondGeneration(first.model))
    throw dependent(answered, `is of ${first.model}, and ${model} works in another way`)
  const otherModel = model === first.model ? undefined : 'model'
  // Calls written out in the prompt, or made by a program.
  const part = task.find(isChanged) ?? otherModel
  if (call && !answered && part) throw dependent(call, `was made for the first ${part}`)
  for (const step of kept.filter((one) => !isToolCall(one))) {
    const changed = madeFor[step.name]?.find(isChanged)
    if (changed) throw dependent(step, `was made for the first ${snakeName(changed)}`)
    if (step.name === 'delta.compare' && otherModel) throw dependent(step, 'compared with the base for the first model')
  }
  const answering = answeringTurn(kept, request)
  const otherTask = task.find(isChanged) ?? (answering?.isUnran && isSecondGeneration(model) ? otherModel : undefined)
  if (answering && otherTask) throw dependent(answering.turn, `was made for the first ${otherTask}`)
  const ofSkill = kept.find(({ name }) => name.startsWith('skills.'))
  if (ofSkill && isChanged('skills')) throw dependent(ofSkill, 'used the first skills')
}

/**
 * The last kept turn of a model if the run would take its answer, or that of its program, as it is: nothing after it was sent back. `isUnran`: if it is
 * a program, its end is not kept.
 */
function answeringTurn(
  kept: readonly Step[],
  request: Execution['request'],
): { readonly turn: Step; readonly isUnran: boolean } | undefined {
  const turn = kept.findLast((step) => turnOf(step) !== undefined)
  // The cheapest path asks another request anew.
  if (!turn || request.path) return undefined
  const after = kept.filter(({ seq }) => seq > turn.seq)
  if (after.some(({ name }) => name === 'answer.correct') || turnOf(turn)?.toolCalls.length) return undefined
  const ran = after.find(({ name }) => name === 'program.run')
  if (isJsonObject(ran?.result) && Object.hasOwn(ran.result, 'error')) return undefined
  return { turn, isUnran: !ran }
}

const dependent = ({ seq, name }: Step, why: string): Fault =>
  new Fault(
    'conflict',
    'kept_steps_depend',
    `Step ${seq} (${name}) would be kept, but it ${why}; fork from step ${seq} or an earlier one`,
  )
