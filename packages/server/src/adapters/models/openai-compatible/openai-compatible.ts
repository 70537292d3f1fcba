import { OpenAICompatibleChatLanguageModel } from '@ai-sdk/openai-compatible'
import type { LanguageModelV4CallOptions, LanguageModelV4GenerateResult } from '@ai-sdk/provider'
import { assert } from '@skillrun/core/assert.ts'
import { modelOver } from '../language-model.ts'
import { bodyWithMedia } from '../media-bodies.ts'
import type { Model } from '../model.ts'
import { postJson, providerFetch } from '../provider-fetch.ts'
import type { ProviderSettings } from '../provider-settings.ts'

/** A model behind any server with OpenAI's Chat Completions API: Ollama, vLLM, llama.cpp, LM Studio. */
export function openOpenAiCompatible(settings: ProviderSettings): Model {
  return modelOver({ settings, languageModel: new ChatModel(settings) })
}

/** The AI SDK's model with a lighter call: a reply that is not streamed takes half of its CPU time (`bench/model-calls.ts`). */
class ChatModel extends OpenAICompatibleChatLanguageModel {
  readonly #address: string
  readonly #headers: Readonly<Record<string, string>>

  constructor({ name, model, apiKey, baseUrl }: ProviderSettings) {
    assert(baseUrl !== undefined, 'an OpenAI-compatible server needs a base URL')
    const address = new URL(`${baseUrl.replace(/\/$/, '')}/chat/completions`).href
    const headers = { ...(apiKey ? { Authorization: `Bearer ${apiKey}` } : {}), 'User-Agent': 'skillrun' }
    super(model, {
      provider: `${name}.chat`,
      url: () => address,
      headers: () => headers,
      fetch: providerFetch,
      supportsStructuredOutputs: true,
      // Without this, most such servers report no usage at the end of a stream.
      includeUsage: true,
    })
    this.#address = address
    this.#headers = headers
  }

  override async doGenerate(options: LanguageModelV4CallOptions): Promise<LanguageModelV4GenerateResult> {
    const body = await bodyWithMedia(JSON.stringify((await this.prepareRequest(options)).body))
    // The platform's fetch sends media without copying them.
    if (typeof body !== 'string') return super.doGenerate(options)
    const reply = await postJson(this.#address, { headers: this.#headers, body, signal: options.abortSignal })
    return this.convertResponse({ body: reply })
  }
}
