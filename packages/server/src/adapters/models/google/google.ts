import { createGoogle } from '@ai-sdk/google'
import type { SharedV4ProviderOptions } from '@ai-sdk/provider'
import { withVersion } from '../address.ts'
import { modelOver } from '../language-model.ts'
import type { Model } from '../model.ts'
import { providerFetch } from '../provider-fetch.ts'
import type { ProviderSettings } from '../provider-settings.ts'

/** Gemini before version 3 rejects a schema together with tools. */
const takesSchemaBesideTools = /^gemini-(?:[3-9]|\d\d)/

/** The parts of a response that are read here: the model, and the reason why the prompt was blocked. */
interface GoogleBody {
  readonly modelVersion?: string
  readonly promptFeedback?: { readonly blockReason?: string }
}

/** A Google model through generateContent. */
export function openGoogle(settings: ProviderSettings): Model {
  const baseUrl = withVersion(settings.baseUrl, 'v1beta')
  const provider = createGoogle({
    fetch: providerFetch,
    apiKey: settings.apiKey ?? '',
    ...(baseUrl === undefined ? {} : { baseURL: baseUrl }),
  })
  return modelOver({
    settings,
    languageModel: provider.languageModel(settings.model),
    optionsOf: ({ tier }): SharedV4ProviderOptions => (tier === undefined ? {} : { google: { serviceTier: tier } }),
    read: ({ response }) => {
      const { modelVersion, promptFeedback } = (response?.body ?? {}) as GoogleBody
      return {
        ...(modelVersion === undefined ? {} : { model: modelVersion }),
        refused: promptFeedback?.blockReason !== undefined,
      }
    },
    takesSchema: ({ tools }) => tools.length === 0 || takesSchemaBesideTools.test(settings.model),
  })
}
