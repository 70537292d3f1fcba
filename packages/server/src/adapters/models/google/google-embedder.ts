import { createGoogle } from '@ai-sdk/google'
import { withVersion } from '../address.ts'
import type { Embedder } from '../embedder.ts'
import { embedderOver } from '../embedder-over.ts'
import { providerFetch } from '../provider-fetch.ts'
import type { ProviderSettings } from '../provider-settings.ts'

/** An embedding model of Google, which does not report tokens. */
export function openGoogleEmbedder(settings: ProviderSettings): Promise<Embedder> {
  const baseUrl = withVersion(settings.baseUrl, 'v1beta')
  const provider = createGoogle({
    fetch: providerFetch,
    apiKey: settings.apiKey ?? '',
    ...(baseUrl === undefined ? {} : { baseURL: baseUrl }),
  })
  return embedderOver(settings, provider.embeddingModel(settings.model))
}
