import { createAnthropic } from '@ai-sdk/anthropic'
import type { SharedV4ProviderOptions } from '@ai-sdk/provider'
import { withVersion } from '../address.ts'
import { modelOver } from '../language-model.ts'
import type { Model } from '../model.ts'
import { providerFetch } from '../provider-fetch.ts'
import type { ProviderSettings } from '../provider-settings.ts'

/** A model of Anthropic through its Messages interface. */
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
    // It has no flex: what is in no hurry leaves the capacity that was bought ahead to others (Anthropic, "Service tiers").
    optionsOf: ({ tier }): SharedV4ProviderOptions =>
      tier === undefined ? {} : { anthropic: { serviceTier: tier === 'priority' ? 'auto' : 'standard_only' } },
    // Nothing is kept unless it is asked for (Anthropic, "Prompt caching").
    cachePoint: { anthropic: { cacheControl: { type: 'ephemeral' } } },
  })
}
