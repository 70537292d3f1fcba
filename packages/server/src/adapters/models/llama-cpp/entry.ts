import { isJsonObject, type JsonObject } from '@skillrun/core/json.ts'
import type { Generated, Prompt } from './engine.ts'
import type { Chat, LlamaModule, Loaded } from './llama-module.ts'
import type { FromChild, Loading, ToChild } from './turn.ts'

const send = (message: FromChild): void => {
  process.send?.(message)
}

/** The conversation exceeds the model's context. */
class ContextFull extends Error {}

/** Loads the model on the CPU, or on a GPU when a build of llama.cpp for it is installed. */
async function load({ module, file, contextTokens, threads }: Loading): Promise<Loaded> {
  const { getLlama, LlamaChat } = (await import(module)) as LlamaModule
  const quiet = { logLevel: 'error', logger: () => undefined, progressLogs: false } as const
  const llama = await getLlama({ build: 'never', skipDownload: true, maxThreads: threads, ...quiet })
  const model = await llama.loadModel({ modelPath: file })
  const contextSize = Math.min(contextTokens, model.trainContextSize)
  const context = await model.createContext({ contextSize, sequences: 1, threads })
  const sequence = context.getSequence()
  return { llama, sequence, contextSize, chat: new LlamaChat({ contextSequence: sequence }) }
}

async function generate(loaded: Loaded, prompt: Prompt, signal: AbortSignal): Promise<Generated> {
  const { chat, sequence, contextSize } = loaded
  const { functions, sampling, tokensMax } = prompt
  const before = sequence.tokenMeter.getState()
  let thoughtTokens = 0
  const full = new AbortController()
  const asked = chat.generateResponse(prompt.history, {
    signal: AbortSignal.any([signal, full.signal]),
    maxTokens: tokensMax,
    onTextChunk: (text) => send({ type: 'delta', text }),
    onResponseChunk: ({ segmentType, tokens }) => {
      if (segmentType === 'thought') thoughtTokens += tokens.length
    },
    temperature: sampling.temperature ?? 0,
    ...(sampling.topP === undefined ? {} : { topP: sampling.topP }),
    ...(sampling.seed === undefined ? {} : { seed: sampling.seed }),
    ...(sampling.stop === undefined ? {} : { customStopTriggers: sampling.stop }),
    ...(Object.keys(functions).length > 0 ? { functions } : await grammarOf(loaded, prompt)),
    // By default the library would silently drop the oldest turns.
    contextShift: {
      strategy: () => {
        full.abort(new ContextFull(`its context holds ${contextSize} tokens, and the request needs more`))
        throw full.signal.reason
      },
    },
  })
  const { response, functionCalls, metadata } = await asked.catch((error: unknown) => {
    throw full.signal.aborted ? full.signal.reason : error
  })
  if (full.signal.aborted) throw full.signal.reason
  const used = sequence.tokenMeter.diff(before)
  const inputTokens = Math.max(used.usedInputTokens, sequence.contextTokens.length - used.usedOutputTokens)
  return {
    text: response,
    calls: (functionCalls ?? []).map((call) => ({ name: call.functionName, params: paramsOf(call.params) })),
    ended: metadata.stopReason === 'maxTokens' ? 'length' : 'stop',
    inputTokens,
    cachedTokens: inputTokens - used.usedInputTokens,
    outputTokens: used.usedOutputTokens,
    thoughtTokens,
  }
}

const paramsOf = (params: unknown): JsonObject => (isJsonObject(params as never) ? (params as JsonObject) : {})

/** Without a grammar for the schema, the prompt alone describes it; the caller validates the answer in any case. */
async function grammarOf(
  { llama }: Loaded,
  { schema }: Prompt,
): Promise<Pick<Parameters<Chat['generateResponse']>[1], 'grammar'>> {
  if (schema === null) return {}
  const grammar = await llama.createGrammarForJsonSchema(schema).catch(() => undefined)
  return grammar === undefined ? {} : { grammar }
}

const wordsOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

async function serve(loading: Loading): Promise<void> {
  const loaded = await load(loading)
  let stop = new AbortController()
  const answer = async (prompt: Prompt): Promise<void> => {
    stop = new AbortController()
    try {
      send({ type: 'done', generated: await generate(loaded, prompt, stop.signal) })
    } catch (error) {
      if (stop.signal.aborted) send({ type: 'stopped' })
      else send({ type: error instanceof ContextFull ? 'refused' : 'broken', why: wordsOf(error) })
    }
  }
  process.on('message', (message: ToChild) => {
    if (message.type === 'stop') stop.abort()
    else void answer(message.prompt)
  })
  send({ type: 'ready' })
}

// The parent process has ended.
process.on('disconnect', () => process.exit(0))
await serve(JSON.parse(process.argv[2] ?? '{}') as Loading).catch((error: unknown) => {
  send({ type: 'broken', why: wordsOf(error) })
})
