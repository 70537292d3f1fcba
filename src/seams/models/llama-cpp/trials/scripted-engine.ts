import { Fault } from '../../../../kit/fault.ts'
import type { JsonObject } from '../../../../kit/json.ts'
import type { Stage } from '../../trials/conformance.ts'
import type { Behaviour } from '../../trials/mock-provider.ts'
import type { Saying, Wire } from '../../trials/wires.ts'
import type { Engine, Generated, Prompt, Said } from '../engine.ts'
import { openLlamaCpp } from '../llama-cpp.ts'

/** What an engine was asked, read as a provider's request is. */
export const promptReader: Pick<Wire, 'name' | 'resultsIn' | 'toolsIn' | 'reportsReasoning'> = {
  name: 'a local engine',
  reportsReasoning: true,
  resultsIn: (body) =>
    (body as unknown as { readonly history: readonly Said[] }).history.flatMap((said) =>
      said.type === 'model'
        ? said.response.flatMap((one) => (typeof one === 'string' ? [] : [JSON.stringify(one.result)]))
        : [],
    ),
  toolsIn: (body) => Object.keys((body['functions'] ?? {}) as JsonObject),
}

/** An engine that meets each prompt as it is told, and the model over it. */
export function scriptedStage(behaviours: readonly Behaviour[]): Stage {
  const requests: Stage['provider']['requests'][number][] = []
  const engine: Engine = {
    async generate(prompt, signal, hear) {
      const body = JSON.parse(JSON.stringify(prompt satisfies Prompt)) as JsonObject
      const behaviour = behaviours[requests.push({ path: '', headers: {}, body }) - 1]
      if (behaviour && 'hang' in behaviour) await until(signal)
      if (behaviour && 'cut' in behaviour) {
        say(behaviour.cut.text?.slice(0, 10) ?? '', hear)
        if (behaviour.after === 'silence') await until(signal)
      }
      if (!behaviour || !('say' in behaviour)) throw new Fault('upstream', 'provider_failed', 'The model broke off')
      return generated(behaviour.say, hear)
    },
  }
  return {
    provider: { requests },
    model: openLlamaCpp({ name: 'local/mock-1', engine }),
    [Symbol.asyncDispose]: async () => undefined,
  }
}

function generated({ text = '', toolCalls = [], finish, usage }: Saying, hear: (piece: string) => void): Generated {
  say(text, hear)
  return {
    text,
    calls: toolCalls.map(({ name, input }) => ({ name, params: input as JsonObject })),
    ended: finish === 'length' ? 'length' : 'stop',
    inputTokens: usage?.inputTokens ?? 0,
    cachedTokens: usage?.cachedInputTokens ?? 0,
    outputTokens: usage?.outputTokens ?? 0,
    thoughtTokens: usage?.reasoningTokens ?? 0,
  }
}

const say = (text: string, hear: (piece: string) => void): void => {
  for (const piece of text.match(/\s*\S+\s*/g) ?? []) hear(piece)
}

function until(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  })
}
