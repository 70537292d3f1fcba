import { Fault } from '@skillrun/core/fault.ts'
import { startDeadline } from '../../../core/deadline.ts'
import type { Message, Model, ModelReply, ModelRequest, Part, ToolResult } from '../model.ts'
import type { ChatTurn, Engine, Generated, Prompt } from './engine.ts'
import { answerGrammar, paramsGrammar, withoutFillers } from './grammar-schema.ts'

/** A `Model` on a local engine. Calls run one after the other, because the engine has one context. */
export function openLlamaCpp({ name, engine }: { readonly name: string; readonly engine: Engine }): Model {
  let last: Promise<unknown> = Promise.resolve()
  return {
    name,
    async reply(request, signal, onText) {
      signal.throwIfAborted()
      const prompt = promptOf(request, name)
      const mine = last.then(() => generate(engine, { prompt, wallMs: request.wallMs, name, onText }, signal))
      last = mine.catch(() => undefined)
      return replyOf(await orAborted(mine, signal), request, name)
    },
  }
}

interface Generation {
  readonly prompt: Prompt
  readonly wallMs: number
  readonly name: string
  readonly onText: ((piece: string) => void) | undefined
}

/** Runs one generation; its time limit starts when its turn comes. */
async function generate(engine: Engine, one: Generation, signal: AbortSignal): Promise<Generated> {
  signal.throwIfAborted()
  const { prompt, wallMs, name, onText } = one
  using deadline = startDeadline(signal, wallMs)
  try {
    return await engine.generate(prompt, deadline.signal, (piece) => onText?.(piece))
  } catch (error) {
    if (signal.aborted) throw signal.reason
    if (deadline.isOver)
      throw new Fault('timeout', 'provider_timeout', `The model ${name} did not answer within ${wallMs / 1000} seconds`)
    throw error
  }
}

/** Rejects at once on abort, even while another call is running. */
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

/** Converts messages to turns. Consecutive messages of the model become one turn that contains its calls with results. */
function historyOf(messages: readonly Message[], name: string): ChatTurn[] {
  const results = new Map<string, ToolResult>(
    messages.flatMap((message) =>
      message.role === 'tool' ? message.results.map((one) => [one.id, one] as const) : [],
    ),
  )
  const turns: ChatTurn[] = []
  for (const message of messages) {
    if (message.role === 'user')
      turns.push({ type: 'user', text: message.parts.map((part) => textOf(part, name)).join('\n\n') })
    if (message.role !== 'assistant') continue
    const before = turns.at(-1)
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
    if (before?.type === 'model') turns.pop()
    turns.push({ type: 'model', response })
  }
  return turns
}

function textOf(part: Part, name: string): string {
  if (part.kind === 'text') return part.text
  throw new Fault('invalid', 'provider_refused', `The model ${name} accepts only text, not ${part.mediaType}`)
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
