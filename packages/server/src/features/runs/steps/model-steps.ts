import type { Json } from '@skillrun/core/json.ts'
import type { Entry } from '../../../agent/transcript.ts'
import { isToolCall, resultOf, type Step } from '../../executions/executions.ts'
import { toolResult } from './recorded.ts'
import { commonEntryOf, stepOfCorrection, stepOfReply, type WrittenStep } from './shared-steps.ts'

/** An entry of the loop as a step. `engine` is the model; `toolNamed` maps the name that a model sees to the tool's. */
export function stepOfEntry(
  entry: Entry,
  names: { engine: string; toolNamed: (name: string) => string; call?: Json },
): WrittenStep {
  switch (entry.role) {
    case 'assistant':
      return stepOfReply(entry, names.engine)
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
      return stepOfCorrection(entry.problems)
  }
}

/** The entries of the loop in a transcript, in order. `engine` continues from there. */
export function entriesOf(transcript: readonly Step[], engine: string): Entry[] {
  return transcript.flatMap((step): Entry[] => {
    const common = commonEntryOf(step, engine)
    if (common) return [common]
    if (!isToolCall(step)) return []
    const { call } = step.detail as { call: string }
    return [{ role: 'tool', result: { ...resultOf(step, toolResult), id: call } }]
  })
}
