import { createAnthropic } from '@ai-sdk/anthropic'
import type { SharedV4ProviderOptions } from '@ai-sdk/provider'
import { withVersion } from '../address.ts'
import { modelOver } from '../language-model.ts'
import type { Model } from '../model.ts'
import { providerFetch } from '../provider-fetch.ts'
import type { ProviderSettings } from '../provider-settings.ts'

/** An Anthropic model through the Messages API. */
export function openAnthropic(settings: ProviderSettings): Model {
  const baseUrl = withVersion(settings.baseUrl, 'v1')
  const provider = createAnthropic({
    fetch: providerFetch,
    apiKey: settings.apiKey ?? '',
    ...(baseUrl === undefined ? {} : { baseURL: baseUrl }),
  })
  return modelOver({
    settings,
    languageModel: provider.messages(settings.model),
    // Anthropic has no flex tier; `standard_only` keeps flex requests off the priority capacity ("Service tiers").
    optionsOf: ({ tier }): SharedV4ProviderOptions =>
      tier === undefined ? {} : { anthropic: { serviceTier: tier === 'priority' ? 'auto' : 'standard_only' } },
    // Anthropic caches only marked prefixes ("Prompt caching").
    cachePoint: { anthropic: { cacheControl: { type: 'ephemeral' } } },
  })
}
