import { basename, resolve } from 'node:path'
import { Fault } from '@skillrun/core/fault.ts'
import { z } from 'zod'
import type { Micros } from '../../core/money.ts'
import shipped from './routes.json' with { type: 'json' }

const name = z.string().regex(/^[a-z0-9][a-z0-9._-]*$/i)
const micros = z.int().min(0).max(10_000_000_000)

/** The configuration of providers, models and routes; every part is optional. */
export const modelSettings = {
  /** Model servers under custom names. */
  providers: z
    .record(
      name,
      z.strictObject({
        kind: z.enum(['openai', 'anthropic', 'google', 'openai-compatible', 'llama-cpp']),
        /** Of `llama-cpp`: the path of a GGUF file, its model for both levels. */
        file: z.string().min(1).optional(),
        base_url: z.url({ protocol: /^https?$/ }).optional(),
        /** The environment variable with the key. */
        key: z.string().min(1).optional(),
        /** Which API of OpenAI; default `chat` with a base_url. */
        interface: z.enum(['responses', 'chat']).optional(),
        /** The provider's models for the two levels. */
        fast: z.string().min(1).optional(),
        pro: z.string().min(1).optional(),
      }),
    )
    .optional(),
  /** `provider/model` → prices in micro-dollars per million tokens, limits, accepted media. */
  models: z
    .record(
      z.string().regex(/^[^/]+\/.+$/),
      z.strictObject({
        input: micros.optional(),
        cached_input: micros.optional(),
        /** Input that the provider writes to its cache, if priced differently; default: as `input`. */
        cache_write: micros.optional(),
        output: micros.optional(),
        context_tokens: z.int().min(1_000).max(100_000_000).optional(),
        output_tokens_max: z.int().min(16).max(1_000_000).optional(),
        takes: z.array(z.enum(['text', 'image', 'pdf', 'audio', 'video', 'tools'])).optional(),
      }),
    )
    .optional(),
  /** Transcribes speech in audio and video; default: OpenAI's transcriber if its key is set. `null`: none. */
  transcription: z
    .strictObject({ model: z.string().regex(/^[^/]+\/.+$/), micros_per_minute: micros.optional() })
    .nullable()
    .optional(),
  /** Generates images from text for `image.generate`; absent: none. The price per image is in `prices.tools`. */
  image_generation: z.strictObject({ model: z.string().regex(/^[^/]+\/.+$/) }).optional(),
  /** Identifier → `provider/model` of embedding models; default: those of the built-in providers whose key is set. */
  embeddings: z.record(z.string().min(1).max(200), z.string().regex(/^[^/]+\/.+$/)).optional(),
  /** Identifier → `provider/model`, or `embedded`. */
  routes: z.record(z.string(), z.string().min(1)).optional(),
} as const

/** An available provider. */
export interface Provider {
  readonly name: string
  readonly kind: 'openai' | 'anthropic' | 'google' | 'openai-compatible' | 'llama-cpp'
  /** Of `llama-cpp`: the path of the model. */
  readonly file?: string | undefined
  readonly baseUrl?: string | undefined
  readonly apiKey?: string | undefined
  readonly interface?: 'responses' | 'chat' | undefined
  readonly fast?: string | undefined
  readonly pro?: string | undefined
  /** What the server reports about its models. */
  readonly found?: Settings['models']
}

/** Micro-dollars per million tokens. */
export interface Rates {
  readonly input: Micros
  readonly cachedInput: Micros
  /** Input written to the cache; absent: as `input`. */
  readonly cacheWrite?: Micros
  readonly output: Micros
}

/** Prices, limits and capabilities of a model. */
export interface ModelFacts {
  readonly rates: Rates
  readonly contextTokens: number
  /** Most output tokens of one turn. */
  readonly outputTokensMax: number
  readonly takesImages: boolean
  /** Media that it accepts directly, besides text and images. */
  readonly takesFiles: readonly ('pdf' | 'audio' | 'video')[]
  readonly callsTools: boolean
}

/** The models part of the configuration file. */
export type Settings = { readonly [Key in keyof typeof modelSettings]?: z.infer<(typeof modelSettings)[Key]> }
type Environment = Readonly<Record<string, string | undefined>>

/** The environment variable of a provider's address, besides its key. */
const addressOf = (key: string): string => key.replace(/_API_KEY$/, '_BASE_URL')

/**
 * The providers of this process: those of the configuration file, then the built-in ones whose key (or address) is in the environment.
 * Throws a Fault that names the missing variable.
 */
export function providersOf(settings: Settings, env: Environment): readonly Provider[] {
  const providers = new Map<string, Provider>()
  for (const [provider, { kind, key, fast, pro }] of Object.entries((shipped as Settings).providers ?? {})) {
    const apiKey = env[key ?? ''] || undefined
    const baseUrl = addressIn(env, addressOf(key ?? ''))
    if (apiKey === undefined && baseUrl === undefined) continue
    const speaks =
      kind === 'openai' ? { interface: baseUrl === undefined ? ('responses' as const) : ('chat' as const) } : {}
    providers.set(provider, { name: provider, kind, apiKey, baseUrl, fast, pro, ...speaks })
  }
  for (const [provider, given] of Object.entries(settings.providers ?? {})) {
    const apiKey = given.key === undefined ? undefined : env[given.key] || undefined
    if (given.key !== undefined && apiKey === undefined)
      throw bad(`providers.${provider}.key names the environment variable ${given.key}, which is not set`)
    if ((given.kind === 'llama-cpp') !== (given.file !== undefined))
      throw bad(
        `providers.${provider} is of kind ${given.kind}; ${given.kind === 'llama-cpp' ? 'file must be the path of a GGUF file' : 'file is only allowed for the kind llama-cpp'}`,
      )
    if (given.file !== undefined) {
      providers.set(provider, localProvider(provider, given.file))
      continue
    }
    if (given.kind === 'openai-compatible' && given.base_url === undefined)
      throw bad(`providers.${provider} needs a base_url, such as http://127.0.0.1:8000/v1`)
    const earlier = providers.get(provider)
    const baseUrl = given.base_url ?? earlier?.baseUrl
    providers.set(provider, {
      name: provider,
      kind: given.kind,
      apiKey: apiKey ?? earlier?.apiKey,
      baseUrl,
      interface: given.interface ?? (baseUrl === undefined ? 'responses' : 'chat'),
      fast: given.fast ?? earlier?.fast,
      pro: given.pro ?? earlier?.pro,
    })
  }
  const ggufFile = env['SKILLRUN_GGUF']
  if (ggufFile && !providers.has('local')) providers.set('local', localProvider('local', ggufFile))
  const isOfFile = (provider: Provider) => Number(provider.name in (settings.providers ?? {}))
  return [...providers.values()].sort((left, right) => isOfFile(right) - isOfFile(left))
}

/** A local model file, named after the file without its extension. */
function localProvider(name: string, file: string): Provider {
  const model = basename(file).replace(/\.gguf$/i, '')
  return { name, kind: 'llama-cpp', file: resolve(file), fast: model, pro: model }
}

function addressIn(env: Environment, variable: string): string | undefined {
  const text = env[variable]
  if (!text) return undefined
  if (!/^https?:\/\//.test(text) || !URL.canParse(text))
    throw new Fault(
      'invalid',
      'bad_configuration',
      `${variable} is ${JSON.stringify(text)}, but must be a URL such as http://127.0.0.1:8000/v1.`,
    )
  return text
}

const bad = (what: string): Fault => new Fault('invalid', 'bad_configuration', `SKILLRUN_CONFIG: ${what}.`)

/** A self-hosted server costs nothing per token and may be small. */
const ownServer = { contextTokens: 32_768, outputTokensMax: 4_096, takesImages: false, callsTools: true }
/** In local memory each token of context takes about 100 kB. */
const ownFile = { ...ownServer, contextTokens: 8_192, outputTokensMax: 2_048 }

/** Anthropic charges a quarter more for writes to its five-minute cache. */
const writingShare = (kind: Provider['kind']): number => (kind === 'anthropic' ? 1.25 : 1)

/** What is known of `provider/model`. Throws a Fault for a paid provider's model without prices. */
export function factsOf(model: string, provider: Provider, own: Settings['models']): ModelFacts {
  const entry = { ...(shipped as Settings).models?.[model], ...own?.[model], ...provider.found?.[model] }
  const isOwn = provider.kind === 'openai-compatible' || provider.kind === 'llama-cpp'
  const usual = provider.kind === 'llama-cpp' ? ownFile : ownServer
  if (!isOwn && (entry.input === undefined || entry.output === undefined))
    throw bad(
      `the model ${model} has no prices; add "models": {"${model}": {"input": …, "cached_input": …, "output": …}} in micro-dollars per million tokens`,
    )
  return {
    rates: {
      input: entry.input ?? 0,
      cachedInput: entry.cached_input ?? entry.input ?? 0,
      cacheWrite: entry.cache_write ?? Math.ceil((entry.input ?? 0) * writingShare(provider.kind)),
      output: entry.output ?? 0,
    },
    contextTokens: entry.context_tokens ?? usual.contextTokens,
    outputTokensMax: entry.output_tokens_max ?? usual.outputTokensMax,
    takesImages: entry.takes?.includes('image') ?? usual.takesImages,
    takesFiles: (['pdf', 'audio', 'video'] as const).filter((kind) => entry.takes?.includes(kind)),
    callsTools: entry.takes?.includes('tools') ?? usual.callsTools,
  }
}
