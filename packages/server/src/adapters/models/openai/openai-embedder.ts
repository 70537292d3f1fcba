import { createOpenAI } from '@ai-sdk/openai'
import type { Embedder } from '../embedder.ts'
import { embedderOver } from '../embedder-over.ts'
import { providerFetch } from '../provider-fetch.ts'
import type { ProviderSettings } from '../provider-settings.ts'

/** An embedding model of OpenAI. */
export function openOpenAiEmbedder(settings: ProviderSettings): Promise<Embedder> {
  const provider = createOpenAI({
    fetch: providerFetch,
    apiKey: settings.apiKey ?? '',
    ...(settings.baseUrl === undefined ? {} : { baseURL: settings.baseUrl }),
  })
  return embedderOver(settings, provider.embeddingModel(settings.model))
}
