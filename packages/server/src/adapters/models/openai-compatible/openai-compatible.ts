import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { assert } from '@skillrun/core/assert.ts'
import { modelOver } from '../language-model.ts'
import type { Model } from '../model.ts'
import { providerFetch } from '../provider-fetch.ts'
import type { ProviderSettings } from '../provider-settings.ts'

/** A model behind any server with OpenAI's Chat Completions API: Ollama, vLLM, llama.cpp, LM Studio. */
export function openOpenAiCompatible(settings: ProviderSettings): Model {
  assert(settings.baseUrl !== undefined, 'an OpenAI-compatible server needs a base URL')
  const provider = createOpenAICompatible({
    name: settings.name,
    baseURL: settings.baseUrl,
    fetch: providerFetch,
    supportsStructuredOutputs: true,
    // Without this, most such servers report no usage at the end of a stream.
    includeUsage: true,
    ...(settings.apiKey === undefined ? {} : { apiKey: settings.apiKey }),
  })
  return modelOver({ settings, languageModel: provider.languageModel(settings.model) })
}
