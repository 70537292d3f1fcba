import { Fault } from '@skillrun/core/fault.ts'
import type { Model, ModelReply, ModelRequest, ModelUsage } from '../model.ts'

/** A scripted reply, or the Fault of a failed call. */
export type ScriptedTurn = Partial<ModelReply> | Fault

export interface ScriptedModel extends Model {
  /** All requests, oldest first. */
  readonly requests: readonly ModelRequest[]
}

const nothingUsed: ModelUsage = { inputTokens: 0, cachedInputTokens: 0, outputTokens: 0, reasoningTokens: 0 }

/**
 * A model that replies from a script, turn by turn, or from a function of the request: deterministic. It fails like a
 * provider when it is called more often than the script has turns.
 */
export function createScriptedModel(
  script: readonly ScriptedTurn[] | ((request: ModelRequest, turn: number) => ScriptedTurn),
  name = 'scripted/model',
): ScriptedModel {
  const requests: ModelRequest[] = []
  return {
    name,
    requests,
    async reply(request, signal, onText) {
      signal.throwIfAborted()
      const turn = requests.push(request) - 1
      const reply = typeof script === 'function' ? script(request, turn) : script[turn]
      if (reply === undefined) throw new Fault('upstream', 'provider_failed', 'The scripted model has no more turns')
      if (reply instanceof Fault) throw reply
      const toolCalls = reply.toolCalls ?? []
      for (const delta of reply.text?.match(/\s*\S+\s*/g) ?? []) onText?.(delta)
      return {
        text: '',
        usage: nothingUsed,
        finish: toolCalls.length > 0 ? 'tool-calls' : 'stop',
        model: name,
        id: `turn-${turn}`,
        continuation: null,
        ...reply,
        toolCalls,
      }
    },
  }
}
