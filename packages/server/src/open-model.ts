import { availableParallelism } from 'node:os'
import { Fault } from '@skillrun/core/fault.ts'
import type { Embedder } from './adapters/models/embedder.ts'
import type { Illustrator } from './adapters/models/illustrator.ts'
import type { Model } from './adapters/models/model.ts'
import { findOllama } from './adapters/models/openai-compatible/find-ollama.ts'
import { type EmbeddingRoute, embeddingModels } from './features/models/embeddings.ts'
import type { Engine } from './features/models/models.ts'
import type { Provider, Settings } from './features/models/providers.ts'
import type { RunEmbedder, RunTranscriber } from './features/runs/parts.ts'

type ModelEngine = Extract<Engine, { kind: 'model' }>

/** Opens each model once; `close` stops models that run in child processes. */
export function makeOpenModel(): { open(engine: ModelEngine): Promise<Model>; close(): void } {
  const opened = new Map<string, Promise<Model>>()
  const closing: (() => void)[] = []
  return {
    open(engine) {
      const model = opened.get(engine.name) ?? openModel(engine, (close) => closing.push(close))
      opened.set(engine.name, model)
      return model
    },
    close: () => {
      for (const close of closing) close()
    },
  }
}

type AtClose = (close: () => void) => void

/** Opens the model of an engine. The SDK of a provider is loaded with its first model. */
async function openModel({ name, provider, facts }: ModelEngine, atClose: AtClose): Promise<Model> {
  const settings = {
    name: provider.name,
    model: name.slice(provider.name.length + 1),
    baseUrl: provider.baseUrl,
    apiKey: provider.apiKey,
  }
  switch (provider.kind) {
    case 'openai': {
      const { openOpenAi } = await import('./adapters/models/openai/openai.ts')
      return openOpenAi({ ...settings, interface: provider.interface ?? 'responses' })
    }
    case 'anthropic':
      return (await import('./adapters/models/anthropic/anthropic.ts')).openAnthropic(settings)
    case 'google':
      return (await import('./adapters/models/google/google.ts')).openGoogle(settings)
    case 'openai-compatible':
      return (await import('./adapters/models/openai-compatible/openai-compatible.ts')).openOpenAiCompatible(settings)
    case 'llama-cpp':
      return openLocal({ name, file: provider.file ?? '', contextTokens: facts.contextTokens }, atClose)
  }
}

async function openLocal(
  { name, file, contextTokens }: { name: string; file: string; contextTokens: number },
  atClose: AtClose,
): Promise<Model> {
  const { requireLlama } = await import('./adapters/models/llama-cpp/find-llama.ts')
  const { createChildEngine } = await import('./adapters/models/llama-cpp/child-engine.ts')
  const { openLlamaCpp } = await import('./adapters/models/llama-cpp/llama-cpp.ts')
  // Leaves one core for everything else.
  const threads = Math.max(1, availableParallelism() - 1)
  const engine = createChildEngine({ name, module: requireLlama(file), file, contextTokens, threads })
  atClose(() => engine.close())
  return openLlamaCpp({ name, engine })
}

/** Throws a Fault when a configured model file cannot be opened. */
export async function checkLocalModels(providers: readonly Provider[]): Promise<void> {
  const files = providers.flatMap(({ file }) => (file === undefined ? [] : [file]))
  if (files.length === 0) return
  const { requireLlama } = await import('./adapters/models/llama-cpp/find-llama.ts')
  for (const file of files) requireLlama(file)
}

const speaksOpenAi = ({ kind }: Provider): boolean => kind === 'openai' || kind === 'openai-compatible'

/** Whisper of OpenAI, used when only its key is configured: 0.006 dollars per minute. */
const usualTranscription = { model: 'openai/whisper-1', micros_per_minute: 6_000 }

/** The configured transcriber; undefined without one. Throws a Fault for an unknown provider. */
export function transcriberOf(settings: Settings, providers: readonly Provider[]): RunTranscriber | undefined {
  const isUsual = providers.some(({ name, baseUrl, apiKey }) => name === 'openai' && !baseUrl && apiKey)
  const chosen = settings.transcription === undefined && isUsual ? usualTranscription : settings.transcription
  if (!chosen) return undefined
  const provider = providers.find((one) => chosen.model.startsWith(`${one.name}/`))
  if (!provider || !speaksOpenAi(provider))
    throw new Fault(
      'invalid',
      'bad_configuration',
      `SKILLRUN_CONFIG: transcription names ${JSON.stringify(chosen.model)}; it needs a provider of kind openai or openai-compatible that is configured.`,
    )
  const model = chosen.model.slice(provider.name.length + 1)
  return {
    name: chosen.model,
    microsPerMinute: chosen.micros_per_minute ?? 0,
    open: async () =>
      (await import('./adapters/models/openai/openai-transcriber.ts')).openOpenAiTranscriber({ ...provider, model }),
  }
}

/** The configured embedding models, each opened on first use. Throws a Fault for an unknown provider or a missing price. */
export function embeddersOf(settings: Settings, providers: readonly Provider[]): readonly RunEmbedder[] {
  return embeddingModels(settings, providers).map((route) => {
    let opened: Promise<Embedder> | undefined
    return {
      ...route,
      open: () => {
        opened ??= openEmbedder(route)
        return opened
      },
    }
  })
}

async function openEmbedder({ name, provider }: EmbeddingRoute): Promise<Embedder> {
  const settings = { ...provider, model: name.slice(provider.name.length + 1) }
  switch (provider.kind) {
    case 'openai':
      return (await import('./adapters/models/openai/openai-embedder.ts')).openOpenAiEmbedder(settings)
    case 'google':
      return (await import('./adapters/models/google/google-embedder.ts')).openGoogleEmbedder(settings)
    default: {
      const { openCompatibleEmbedder } = await import('./adapters/models/openai-compatible/compatible-embedder.ts')
      return openCompatibleEmbedder(settings)
    }
  }
}

/** The configured image generator, opened on first use; undefined without one. Throws a Fault for an unknown provider. */
export function illustratorOf(
  settings: Settings,
  providers: readonly Provider[],
): (() => Promise<Illustrator>) | undefined {
  const { model } = settings.image_generation ?? {}
  if (model === undefined) return undefined
  const provider = providers.find((one) => model.startsWith(`${one.name}/`))
  if (!provider || !speaksOpenAi(provider))
    throw new Fault(
      'invalid',
      'bad_configuration',
      `SKILLRUN_CONFIG: image_generation names ${JSON.stringify(model)}; it needs a provider of kind openai or openai-compatible that is configured.`,
    )
  let opened: Promise<Illustrator> | undefined
  return () => {
    opened ??= import('./adapters/models/openai/openai-illustrator.ts').then(({ openOpenAiIllustrator }) =>
      openOpenAiIllustrator({ ...provider, model: model.slice(provider.name.length + 1) }),
    )
    return opened
  }
}

/** Where to search for Ollama, and its timeout. */
export interface OllamaPlace {
  readonly baseUrl: string
  readonly wallMs: number
  /** Its context length in tokens, as configured at its start. */
  readonly contextTokens: number
}

/** The Ollama at this address as a provider: its smallest model is `fast`, its largest `pro`. */
export async function ollamaProvider(place: OllamaPlace | null): Promise<readonly Provider[]> {
  const models = place ? ((await findOllama(place.baseUrl, place.wallMs)) ?? []) : []
  const [fast, pro] = [models[0], models.at(-1)]
  if (!place || !fast || !pro) return []
  const found = Object.fromEntries(
    models.map((model) => [
      `ollama/${model.name}`,
      {
        context_tokens: place.contextTokens,
        takes: [
          'text' as const,
          ...(model.takesImages ? ['image' as const] : []),
          ...(model.callsTools ? ['tools' as const] : []),
        ],
      },
    ]),
  )
  const baseUrl = new URL('/v1', place.baseUrl).href
  return [{ name: 'ollama', kind: 'openai-compatible', baseUrl, fast: fast.name, pro: pro.name, found }]
}
