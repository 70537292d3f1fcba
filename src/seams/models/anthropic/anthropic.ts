import { createAnthropic } from '@ai-sdk/anthropic'
import { providerFetch } from '../failures.ts'
import { modelOver, type ProviderSettings } from '../language-model.ts'
import type { Model } from '../model.ts'

/** A model of Anthropic through its Messages interface. */
export function openAnthropic(settings: ProviderSettings): Model {
  const provider = createAnthropic({
    fetch: providerFetch,
    apiKey: settings.apiKey ?? '',
    ...(settings.baseUrl === undefined ? {} : { baseURL: settings.baseUrl }),
  })
  return modelOver({ settings, languageModel: provider.messages(settings.model) })
}
