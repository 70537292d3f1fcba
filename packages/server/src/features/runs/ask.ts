import { Fault } from '@skillrun/core/fault.ts'
import { asJson, type Json } from '@skillrun/core/json.ts'
import { answerIn, askRequest } from '../../agent/ask-model.ts'
import type { ModelQuestion } from '../../agent/tool.ts'
import { limits } from '../../core/limits.ts'
import { modelAsk, noModelToAsk } from '../../tools/model-ask/model-ask.ts'
import { takeApproval } from '../approvals/approvals.ts'
import { costOf, type Engine } from '../models/models.ts'
import { openModelOfRun, scopeOf, tierOfProvider } from './model-of-run.ts'
import type { EngineParts, ModelEngine } from './parts.ts'
import { releasePrice, reserveModelCall } from './reserve-price.ts'
import { inFlight, ReplayDiverged, type Run } from './run-state.ts'
import { type CallResult, recordedCalls, stepOfCall } from './steps/code-steps.ts'
import { beginStep, record, recordedBy } from './transcript.ts'

/** Ends the whole run from inside a program's call: no program can catch it. */
export class HostStopped extends Error {
  override name = 'HostStopped'
}

/**
 * Lets programs of a run ask a model: each question is reserved before it is sent, and recorded with its answer and price before the
 * program gets the answer. Questions of this turn in the transcript are not asked again. Several can run at once. Programs can catch
 * Faults; HostStopped carries errors that end the run.
 */
export function askerOf(
  parts: EngineParts,
  run: Run,
  /** `engine`: the model to ask; the embedded engine cannot answer questions. */
  of: { turn: number; engine: () => Engine },
): (question: ModelQuestion, signal: AbortSignal) => Promise<Json> {
  const recorded = recordedCalls(recordedBy(run), of.turn)
  let asked = 0
  return async (question, signal) => {
    asked += 1
    const number = asked
    if (number > limits.asksPerProgramMax)
      throw new Fault(
        'limited',
        'too_many_questions',
        `model.ask: a program can ask at most ${limits.asksPerProgramMax} questions`,
      )
    const input = asJson(question)
    const known = recorded(modelAsk.name, input)
    const engine = of.engine()
    if (!known && engine.kind === 'embedded') throw noModelToAsk()
    if (!known && run.replayed)
      throw new HostStopped('the replay ends', {
        cause: new ReplayDiverged('the record has no answer to a question that the program asks'),
      })
    const { output, failed } =
      known ??
      (await inFlight(run, askOnce(parts, run, { ...of, engine: engine as ModelEngine, question, number, signal })))
    if (failed) throw new Fault('upstream', 'no_answer', `model.ask: ${(output as { error: string }).error}`)
    return output
  }
}

interface Asking {
  readonly turn: number
  readonly number: number
  readonly engine: ModelEngine
  readonly question: ModelQuestion
  readonly signal: AbortSignal
}

async function askOnce(parts: EngineParts, run: Run, asking: Asking): Promise<CallResult> {
  const { turn, number, engine, question, signal } = asking
  const { rates, outputTokensMax } = engine.facts
  const { name } = modelAsk
  const asked = askRequest(question, {
    outputTokensMax,
    wallMs: parts.models.wallMs,
    cacheKey: scopeOf(parts, run.execution),
    ...tierOfProvider(run.execution),
  })
  const startedAt = parts.clock.now()
  const { request, reservation } = await orStop(async () => {
    beginStep(run)
    const allowed = await reserveModelCall(parts, run, { request: asked, rates, detail: { model: engine.name } })
    await takeApproval(parts, run, { tool: name, input: asJson(question) })
    return allowed
  })
  const reply = await openModelOfRun(parts, engine)
    .then((model) => model.reply(request, signal))
    .catch(async (error: unknown) => {
      // The call produced nothing, so it costs nothing.
      await orStop(() => releasePrice(parts, run, reservation))
      throw error instanceof Fault ? error : new HostStopped('the question was not answered', { cause: error })
    })
  const answer = answerIn(reply, question)
  const result: CallResult =
    answer === undefined
      ? { output: { error: 'the model gave no answer of the requested type' }, failed: true }
      : { output: { answer }, failed: false }
  const step = stepOfCall({ turn, number, name, input: asJson(question) }, result)
  await orStop(() =>
    record(parts, run, {
      ...step,
      detail: { ...(step.detail as object), call: `${turn}-ask-${number}`, model: reply.model },
      result: { ...(step.result as object), usage: { ...reply.usage } },
      startedAt,
      costMicros: costOf(reply.usage, rates),
      reservation,
    }),
  )
  return result
}

/** A program must not catch an error that ends the run. */
async function orStop<T>(act: () => Promise<T>): Promise<T> {
  try {
    return await act()
  } catch (error) {
    throw new HostStopped('the run has ended', { cause: error })
  }
}
