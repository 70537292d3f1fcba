import { Fault } from '@skillrun/core/fault.ts'
import { factsOf, type Provider, type Rates, type Settings } from './providers.ts'
import shipped from './routes.json' with { type: 'json' }

/** An embedding model under its identifier. */
export interface EmbeddingRoute {
  readonly identifier: string
  /** `openai/text-embedding-3-small`. */
  readonly name: string
  readonly provider: Provider
  readonly rates: Rates
}

/**
 * The configured embedding models, or else those of the built-in providers that are available. Throws a Fault for an unknown provider, one
 * without embedding models, and a paid model without a price.
 */
export function embeddingModels(settings: Settings, providers: readonly Provider[]): readonly EmbeddingRoute[] {
  const providerOf = (name: string) => providers.find((one) => name.startsWith(`${one.name}/`))
  const bad = (message: string) => new Fault('invalid', 'bad_configuration', `SKILLRUN_CONFIG: embeddings ${message}.`)
  const usual = Object.entries(shipped.embeddings).filter(([, name]) => {
    const provider = providerOf(name)
    // Another server under the name of a built-in provider has other models.
    return provider && provider.kind === provider.name && provider.baseUrl === undefined
  })
  return Object.entries(settings.embeddings ?? Object.fromEntries(usual)).map(([identifier, name]) => {
    const provider = providerOf(name)
    if (!provider)
      throw bad(
        `names ${JSON.stringify(name)}, but there is no provider ${JSON.stringify(name.split('/')[0])}; use one of ${providers.map((one) => one.name).join(', ')}`,
      )
    if (provider.kind === 'anthropic' || provider.kind === 'llama-cpp')
      throw bad(
        `names ${JSON.stringify(name)}, but a provider of kind ${provider.kind} has none; use one of kind openai, google or openai-compatible`,
      )
    // Vectors are no output tokens.
    const models = { ...settings.models, [name]: { output: 0, ...settings.models?.[name] } }
    return { identifier, name, provider, rates: factsOf(name, provider, models).rates }
  })
}
