import { Fault } from '@skillrun/core/fault.ts'
import type { Message, Model, ModelReply, ModelRequest, Part, ToolResult } from '../model.ts'
import type { Engine, Generated, Prompt, Said } from './engine.ts'
import { answerGrammar, paramsGrammar, withoutFillers } from './grammar-schema.ts'

/** A model of a local engine. Calls take turns: there is one memory. */
export function openLlamaCpp({ name, engine }: { readonly name: string; readonly engine: Engine }): Model {
  let last: Promise<unknown> = Promise.resolve()
  return {
    name,
    async reply(request, signal, hear) {
      signal.throwIfAborted()
      const prompt = promptOf(request, name)
      const mine = last.then(() => generate(engine, { prompt, wallMs: request.wallMs, name, hear }, signal))
      last = mine.catch(() => undefined)
      return replyOf(await orAborted(mine, signal), request, name)
    },
  }
}

interface Generation {
  readonly prompt: Prompt
  readonly wallMs: number
  readonly name: string
  readonly hear: ((piece: string) => void) | undefined
}

/** One generation, its time counted from the moment when it is its turn. */
async function generate(engine: Engine, one: Generation, signal: AbortSignal): Promise<Generated> {
  signal.throwIfAborted()
  const { prompt, wallMs, name, hear } = one
  const deadline = AbortSignal.timeout(wallMs)
  try {
    return await engine.generate(prompt, AbortSignal.any([signal, deadline]), (piece) => hear?.(piece))
  } catch (error) {
    if (signal.aborted) throw signal.reason
    if (deadline.aborted)
      throw new Fault('timeout', 'provider_timeout', `The model ${name} did not answer within ${wallMs / 1000} seconds`)
    throw error
  }
}

/** Whoever stops waiting goes at once, even where another's turn is not over. */
function orAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>()
  const leave = (): void => reject(signal.reason)
  signal.addEventListener('abort', leave, { once: true })
  return Promise.race([work, promise]).finally(() => signal.removeEventListener('abort', leave))
}

function promptOf({ system, messages, tools, schema, outputTokensMax, sampling }: ModelRequest, name: string): Prompt {
  return {
    history: [{ type: 'system', text: system }, ...historyOf(messages, name)],
    functions: Object.fromEntries(
      tools.map((tool) => [tool.name, { description: tool.description, params: paramsGrammar(tool.input) }]),
    ),
    schema: schema?.['type'] === 'object' ? answerGrammar(schema) : null,
    tokensMax: outputTokensMax,
    sampling: sampling ?? {},
  }
}

/** Turns of the model that follow each other are one, each call with the result that came for it. */
function historyOf(messages: readonly Message[], name: string): Said[] {
  const results = new Map<string, ToolResult>(
    messages.flatMap((message) =>
      message.role === 'tool' ? message.results.map((one) => [one.id, one] as const) : [],
    ),
  )
  const said: Said[] = []
  for (const message of messages) {
    if (message.role === 'user')
      said.push({ type: 'user', text: message.parts.map((part) => textOf(part, name)).join('\n\n') })
    if (message.role !== 'assistant') continue
    const before = said.at(-1)
    const response = [
      ...(before?.type === 'model' ? before.response : []),
      ...(message.text === '' ? [] : [message.text]),
      ...message.toolCalls.map((call, index) => ({
        type: 'functionCall' as const,
        name: call.name,
        params: call.input,
        result: results.get(call.id)?.output ?? null,
        startsNewChunk: index === 0,
      })),
    ]
    if (before?.type === 'model') said.pop()
    said.push({ type: 'model', response })
  }
  return said
}

function textOf(part: Part, name: string): string {
  if (part.kind === 'text') return part.text
  throw new Fault('invalid', 'provider_refused', `The model ${name} takes text alone, no ${part.mediaType}`)
}

function replyOf(generated: Generated, { messages, tools }: ModelRequest, name: string): ModelReply {
  const { text, calls, ended, inputTokens, cachedTokens, outputTokens, thoughtTokens } = generated
  const earlier = messages.reduce((sum, one) => sum + (one.role === 'assistant' ? one.toolCalls.length : 0), 0)
  return {
    text,
    toolCalls: calls.map((call, index) => ({
      id: `call_${earlier + index}`,
      name: call.name,
      input: withoutFillers(call.params, tools.find((tool) => tool.name === call.name)?.input),
    })),
    usage: {
      inputTokens,
      cachedInputTokens: Math.min(cachedTokens, inputTokens),
      outputTokens,
      reasoningTokens: thoughtTokens,
    },
    finish: calls.length > 0 ? 'tool-calls' : ended,
    model: name.slice(name.indexOf('/') + 1),
    id: null,
    continuation: null,
  }
}
