import { Fault } from '@skillrun/core/fault.ts'
import type { Model, ModelReply, ModelRequest, ModelUsage } from '../model.ts'

/** What a scripted model says in one turn: an answer, or the Fault of a failed call. */
export type ScriptedTurn = Partial<ModelReply> | Fault

export interface ScriptedModel extends Model {
  /** All that it was asked, oldest first. */
  readonly requests: readonly ModelRequest[]
}

const nothingUsed: ModelUsage = { inputTokens: 0, cachedInputTokens: 0, outputTokens: 0, reasoningTokens: 0 }

/**
 * A model that says what its script says, turn by turn, or what a function makes of the request: the same every time.
 * Asked more often than its script has turns, it fails as a provider would.
 */
export function createScriptedModel(
  script: readonly ScriptedTurn[] | ((request: ModelRequest, turn: number) => ScriptedTurn),
  name = 'scripted/model',
): ScriptedModel {
  const requests: ModelRequest[] = []
  return {
    name,
    requests,
    async reply(request, signal, hear) {
      signal.throwIfAborted()
      const turn = requests.push(request) - 1
      const said = typeof script === 'function' ? script(request, turn) : script[turn]
      if (said === undefined)
        throw new Fault('upstream', 'provider_failed', 'The model provider scripted has no more to say')
      if (said instanceof Fault) throw said
      const toolCalls = said.toolCalls ?? []
      for (const piece of said.text?.match(/\s*\S+\s*/g) ?? []) hear?.(piece)
      return {
        text: '',
        usage: nothingUsed,
        finish: toolCalls.length > 0 ? 'tool-calls' : 'stop',
        model: name,
        id: `turn-${turn}`,
        continuation: null,
        ...said,
        toolCalls,
      }
    },
  }
}
