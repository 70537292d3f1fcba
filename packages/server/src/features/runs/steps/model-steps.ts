import { asJson, type Json } from '@skillrun/core/json.ts'
import type { Entry } from '../../../agent/transcript.ts'
import { isToolCall, resultOf, type Step, turnOf } from '../../executions/executions.ts'
import { problemsOf, toolResult } from './recorded.ts'

/** The name of the step that sends an answer back to the model. */
const correctionName = 'answer.correct'

type Written = Pick<Step, 'kind' | 'name' | 'detail' | 'result'>

/** An entry of the loop as a step. `engine` names who speaks; `toolNamed` turns the name that a model sees into the tool's. */
export function stepOfEntry(
  entry: Entry,
  names: { engine: string; toolNamed: (name: string) => string; call?: Json },
): Written {
  switch (entry.role) {
    case 'assistant': {
      const { role: _role, ...reply } = entry
      return {
        kind: 'model',
        name: names.engine,
        detail: { model: reply.model, finish: reply.finish },
        result: asJson(reply),
      }
    }
    case 'tool': {
      const { id, name, output, failed } = entry.result
      return {
        kind: 'tool',
        name: names.toolNamed(name),
        detail: { call: id, input: names.call ?? null },
        result: { name, output, failed },
      }
    }
    case 'correction':
      return {
        kind: 'input',
        name: correctionName,
        detail: { problems: entry.problems.map(({ pointer, message }) => ({ pointer, message })) },
        result: null,
      }
  }
}

/** The entries of the loop that a transcript holds, in their order. */
export function entriesOf(transcript: readonly Step[]): Entry[] {
  return transcript.flatMap((step): Entry[] => {
    const turn = turnOf(step)
    if (turn) return [{ role: 'assistant', ...turn }]
    if (isToolCall(step)) {
      const { call } = step.detail as { call: string }
      return [{ role: 'tool', result: { ...resultOf(step, toolResult), id: call } }]
    }
    if (step.kind === 'input' && step.name === correctionName)
      return [{ role: 'correction', problems: problemsOf(step) }]
    return []
  })
}
