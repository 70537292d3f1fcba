import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { assert } from '@skillrun/core/assert.ts'
import type { Embedder } from '../embedder.ts'
import { embedderOver } from '../embedder-over.ts'
import { providerFetch } from '../provider-fetch.ts'
import type { ProviderSettings } from '../provider-settings.ts'

/** An embedding model behind any server with OpenAI's `/embeddings`: Ollama, vLLM, llama.cpp, Text Embeddings Inference. */
export function openCompatibleEmbedder(settings: ProviderSettings): Promise<Embedder> {
  assert(settings.baseUrl !== undefined, 'an OpenAI-compatible server needs a base URL')
  const provider = createOpenAICompatible({
    name: settings.name,
    baseURL: settings.baseUrl,
    fetch: providerFetch,
    ...(settings.apiKey === undefined ? {} : { apiKey: settings.apiKey }),
  })
  return embedderOver(settings, provider.embeddingModel(settings.model))
}
