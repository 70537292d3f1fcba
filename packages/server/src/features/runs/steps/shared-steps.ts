import { asJson } from '@skillrun/core/json.ts'
import type { ModelReply } from '../../../adapters/models/model.ts'
import type { SchemaProblem } from '../../../agent/schema/schema.ts'
import { type Step, turnOf } from '../../executions/executions.ts'
import { problemsOf } from './recorded.ts'

// The steps common to the tool loop and the code agent.

/** The stored part of a step. */
export type WrittenStep = Pick<Step, 'kind' | 'name' | 'detail' | 'result'>

/** The name of the step that sends an answer back to the model. */
const correctionName = 'answer.correct'

/** A reply of the model as a step. */
export function stepOfReply(entry: { readonly role: 'assistant' } & ModelReply, engine: string): WrittenStep {
  const { role: _role, ...reply } = entry
  return { kind: 'model', name: engine, detail: { model: reply.model, finish: reply.finish }, result: asJson(reply) }
}

/** An answer that goes back to the model, with its problems, as a step. */
export const stepOfCorrection = (problems: readonly SchemaProblem[]): WrittenStep => ({
  kind: 'input',
  name: correctionName,
  detail: { problems: problems.map(({ pointer, message }) => ({ pointer, message })) },
  result: null,
})

/**
 * The reply or correction in a step; undefined: another kind of step. Another `engine` does not get the opaque state of the model that
 * wrote the reply.
 */
export function commonEntryOf(
  step: Step,
  engine: string,
):
  | ({ readonly role: 'assistant' } & ModelReply)
  | { readonly role: 'correction'; readonly problems: readonly SchemaProblem[] }
  | undefined {
  const turn = turnOf(step)
  if (turn) return { role: 'assistant', ...turn, continuation: step.name === engine ? turn.continuation : null }
  if (step.kind === 'input' && step.name === correctionName) return { role: 'correction', problems: problemsOf(step) }
  return undefined
}
