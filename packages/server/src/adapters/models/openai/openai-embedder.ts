import type { Embedder } from '../embedder.ts'
import { embedderOver } from '../embedder-over.ts'
import type { ProviderSettings } from '../provider-settings.ts'
import { openAiProvider } from './openai-provider.ts'

/** An embedding model of OpenAI. */
export function openOpenAiEmbedder(settings: ProviderSettings): Promise<Embedder> {
  return embedderOver(settings, openAiProvider(settings).embeddingModel(settings.model))
}
